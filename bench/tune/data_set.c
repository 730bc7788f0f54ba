#include "bench/tune/data_set.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bench/tune/draw.h"
#include "config.h"
#include "kernels/methods.h"
#include "src/base/mem.h"
#include "src/select/device.h"
#include "src/select/model.h"
#include "src/text/number.h"

enum { COLUMNS = 6, LONGEST = 4096 };
static const char titles[] = "batch\tasked\tmethod\tseconds\tleast\tmost";

/* ---- the head ---- */

/* What the file must begin with: 'date' apart, it is the same in each run. */
static char *head_of(const bosc_data_set *set)
{
    char device[BOSC_DEVICE_NAME];

    bosc_device_name(set->backend, device);
    return bosc_format("# bosc tune 1: %s\n# device\t%s\n# program\t%s\n"
                       "# precision\tfp64\n",
                       set->kind->name, device, BOSC_TIMED_AS);
}

static bool put_titles(const bosc_data_set *set)
{
    const time_t now = time(NULL);
    char date[16];

    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    fprintf(set->file, "# date\t%s\n", date);
    for (int k = 0; k < set->kind->n_features; ++k)
        fprintf(set->file, "# feature\t%s\t%s\n", set->kind->features[k],
                set->kind->meanings[k]);
    fputs(titles, set->file);
    for (int k = 0; k < set->kind->n_features; ++k)
        fprintf(set->file, "\t%s", set->kind->features[k]);
    fputc('\n', set->file);
    return fflush(set->file) == 0;
}

/* ---- lines ---- */

/* The text up to the next tab or the end, which is cut off. */
static char *next_word(char **at)
{
    char *word = *at;

    *at += strcspn(word, "\t\n");
    if (**at != '\0')
        *(*at)++ = '\0';
    return word;
}

static bool next_number(char **at, double *out)
{
    const char *word = next_word(at), *end = strchr(word, '\0');

    return bosc_number_parse(word, end, out) == end && isfinite(*out);
}

/* The line of method m of a batch; the first of them says which batch. */
static bool read_line(const bosc_data_set *set, char *line, int m,
                      bosc_tuned *tuned)
{
    double number, asked;
    bosc_spread *s = &tuned->seconds[m];
    bool fine =
        next_number(&line, &number) && next_number(&line, &asked) &&
        number >= 0 && number < 9e15 &&
        strcmp(next_word(&line), set->kind->method(set->backend, m)) == 0 &&
        next_number(&line, &s->median) && s->median > 0 &&
        next_number(&line, &s->least) && next_number(&line, &s->most);

    for (int k = 0; fine && k < set->kind->n_features; ++k)
        fine = next_number(&line, &tuned->feature[k]);
    if (!fine || (m > 0 && tuned->number != (int64_t)number))
        return false;
    tuned->number = (int64_t)number;
    tuned->asked = asked != 0;
    bosc_draw_point(tuned->number, tuned->point);
    return true;
}

static bosc_status keep(bosc_data_set *set, const bosc_tuned *tuned,
                        bosc_error *err)
{
    if (!bosc_grow(&set->tuned, &set->room, (size_t)set->n + 1,
                   sizeof *set->tuned))
        return bosc_no_memory(err, set->path);
    set->tuned[set->n++] = *tuned;
    return BOSC_OK;
}

static bosc_status read_batches(bosc_data_set *set, int64_t number,
                                bosc_error *err)
{
    char line[LONGEST];
    bosc_tuned tuned = {0};
    long whole = ftell(set->file);
    int m = 0;

    while (fgets(line, sizeof line, set->file) != NULL) {
        ++number;
        if (strchr(line, '\n') == NULL)
            break; /* the program was killed here */
        if (!read_line(set, line, m, &tuned))
            return bosc_fail(err, BOSC_EFORMAT,
                             "%s:%" PRId64 ": not a line of method '%s' as "
                             "'bosc-bench tune' writes it; remove the file, or "
                             "measure into another folder (--output)",
                             set->path, number,
                             set->kind->method(set->backend, m));
        m = (m + 1) % set->methods;
        if (m == 0) {
            const bosc_status st = keep(set, &tuned, err);

            if (st != BOSC_OK)
                return st;
            whole = ftell(set->file);
        }
    }
    if (ftruncate(fileno(set->file), whole) != 0 ||
        fseek(set->file, whole, SEEK_SET) != 0)
        return bosc_fail(err, BOSC_EIO, "%s: %s", set->path, strerror(errno));
    return BOSC_OK;
}

/* The head must be that of this device and program; then the titles. */
static bosc_status read_head(bosc_data_set *set, const char *head,
                             int64_t *number, bosc_error *err)
{
    char line[LONGEST];

    for (const char *at = head; *at != '\0'; at = strchr(at, '\n') + 1) {
        const size_t n = (size_t)(strchr(at, '\n') + 1 - at);

        ++*number;
        if (fgets(line, sizeof line, set->file) == NULL || strlen(line) != n ||
            strncmp(line, at, n) != 0)
            return bosc_fail(err, BOSC_EFORMAT,
                             "%s:%" PRId64 ": measurements of another device "
                             "or version, here it is '%.*s'; measure into "
                             "another folder (--output)",
                             set->path, *number, (int)n - 1, at);
    }
    while (fgets(line, sizeof line, set->file) != NULL) {
        ++*number;
        if (strncmp(line, titles, sizeof titles - 1) == 0)
            return BOSC_OK;
        if (line[0] != '#')
            break;
    }
    return bosc_fail(err, BOSC_EFORMAT,
                     "%s:%" PRId64 ": no line of titles; remove the file",
                     set->path, *number);
}

bosc_status bosc_data_set_open(const char *folder, const bosc_tune_kind *kind,
                               const bosc_backend *backend, bosc_data_set *set,
                               bosc_error *err)
{
    const bool first = backend == bosc_methods[0].backend;
    struct stat about;
    char *head;
    int64_t number = 0;
    bosc_status st = BOSC_OK;

    *set = (bosc_data_set){.kind = kind, .backend = backend};
    while (kind->method(backend, set->methods) != NULL)
        ++set->methods;
    set->path = bosc_format("%s/%s%s%s.tsv", folder, first ? "" : backend->name,
                            first ? "" : "-", kind->name);
    head = head_of(set);
    if (set->path == NULL || head == NULL) {
        free(head);
        return bosc_no_memory(err, "a data set");
    }
    if ((set->file = fopen(set->path, "a+")) == NULL ||
        fstat(fileno(set->file), &about) != 0)
        st = bosc_fail(err, BOSC_EIO, "%s: %s", set->path, strerror(errno));
    if (st == BOSC_OK && about.st_size == 0) {
        fputs(head, set->file);
        if (!put_titles(set))
            st = bosc_fail(err, BOSC_EIO, "%s: %s", set->path, strerror(errno));
    } else if (st == BOSC_OK) {
        rewind(set->file);
        st = read_head(set, head, &number, err);
        if (st == BOSC_OK)
            st = read_batches(set, number, err);
    }
    free(head);
    return st;
}

void bosc_data_set_close(bosc_data_set *set)
{
    if (set->file != NULL)
        fclose(set->file);
    free(set->path);
    free(set->tuned);
    *set = (bosc_data_set){0};
}

bosc_status bosc_data_set_add(bosc_data_set *set, const bosc_tuned *tuned,
                              bosc_error *err)
{
    for (int m = 0; m < set->methods; ++m) {
        const bosc_spread *s = &tuned->seconds[m];

        fprintf(set->file, "%" PRId64 "\t%d\t%s\t%.4g\t%.4g\t%.4g",
                tuned->number, tuned->asked, set->kind->method(set->backend, m),
                s->median, s->least, s->most);
        for (int k = 0; k < set->kind->n_features; ++k)
            fprintf(set->file, "\t%.5g", tuned->feature[k]);
        fputc('\n', set->file);
    }
    errno = 0;
    if (fflush(set->file) != 0 || ferror(set->file))
        return bosc_fail(err, BOSC_EIO, "%s: %s", set->path, strerror(errno));
    return keep(set, tuned, err);
}
