/* run_contents.c - with which files the members of a run are computed, for
 * src/merge/: a text with lines "CHECKSUM NAME", each name once, in order.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/formula.h"
#include "src/base/checksum.h"
#include "src/base/mem.h"
#include "src/base/search.h"
#include "src/run/run.h"
#include "src/text/print.h"

static bool of_one_before(const void *range, const void *population)
{
    return ((const bosc_gid_range *)range)->population <
           *(const int *)population;
}

uint64_t bosc_run_neurons_sum(const bosc_run *run, int population,
                              const int64_t *sums)
{
    const bosc_gid_table *t = run->sim.gid_table;
    uint64_t sum = BOSC_CHECKSUM_BEGIN;

    for (int64_t r = bosc_lower_bound(t->gid_ranges, t->n_gid_ranges,
                                      sizeof *t->gid_ranges, &population,
                                      of_one_before);
         r < t->n_gid_ranges && t->gid_ranges[r].population == population;
         ++r) {
        const bosc_gid_range *range = &t->gid_ranges[r];
        const int64_t words[] = {range->count,
                                 range->file >= 0 ? sums[range->file] : 0};

        sum = bosc_checksum(sum, words, sizeof words);
    }
    return sum;
}

typedef struct lines {
    size_t n, room;
    char **line; /* NULL: no memory */
    bool whole;
} lines;

static void add(lines *all, char *line)
{
    all->whole =
        all->whole && line != NULL &&
        bosc_grow(&all->line, &all->room, all->n + 1, sizeof *all->line);
    if (all->whole)
        all->line[all->n++] = line;
    else
        free(line);
}

/* Of a file as it is seen from the job's folder, wherever the job was run. */
static void add_file(lines *all, const bosc_run *run, const char *path,
                     int64_t sum)
{
    const char *folder = run->sim.job->folder;
    const size_t n = strlen(folder);

    if (strncmp(path, folder, n) == 0 && path[n] == '/')
        path += n + 1;
    add(all, bosc_format("%016" PRIx64 " the file %s", (uint64_t)sum, path));
}

/* By the name, which follows the first blank; of one name by the checksum. */
static int compare(const void *a, const void *b)
{
    const char *x, *y;

    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);

    const int order = strcmp(strchr(x, ' '), strchr(y, ' '));

    return order != 0 ? order : strcmp(x, y);
}

static char *join(lines *all)
{
    bosc_print text;
    FILE *file = all->whole ? bosc_print_begin(&text) : NULL;

    if (file == NULL)
        return NULL;
    if (all->n > 0)
        qsort(all->line, all->n, sizeof *all->line, compare);
    for (size_t i = 0; i < all->n; ++i)
        if (i == 0 || strcmp(all->line[i], all->line[i - 1]) != 0)
            fprintf(file, "%s\n", all->line[i]);
    return bosc_print_end(&text);
}

char *bosc_run_contents(const bosc_run *run, int n, const char *const *path,
                        const int64_t *sums)
{
    const bosc_gid_table *t = run->sim.gid_table;
    const bosc_job *job = run->sim.job;
    lines all = {.whole = true};

    add(&all, bosc_format("%d the arithmetic of bosc", BOSC_ARITHMETIC));
    for (int32_t i = 0; i < t->n_files; ++i)
        add_file(&all, run, t->files[i], sums[i]);
    for (int i = 0; i < n; ++i)
        add_file(&all, run, path[i], sums[t->n_files + i]);
    for (int m = 0; m < job->mechs->n; ++m)
        if (job->mechs->mech[m]->made != NULL)
            add(&all,
                bosc_format("%s the mechanism %s", job->mechs->mech[m]->made,
                            job->mechs->mech[m]->name));
    for (int p = 0; p < job->n_populations; ++p)
        if (job->populations[p].morphologies != NULL)
            add(&all,
                bosc_format("%016" PRIx64 " the list of population %s: %s "
                            "(count %lld)",
                            bosc_run_neurons_sum(run, p, sums),
                            job->populations[p].name,
                            job->populations[p].morphologies,
                            (long long)job->populations[p].count));

    char *text = join(&all);

    for (size_t i = 0; i < all.n; ++i)
        free(all.line[i]);
    free(all.line);
    return text;
}
