/* gid_table.c - read lists, expand globs, number the neurons.
 *
 * A builder collects rows (a path, a count, where it was said) population by
 * population; every row becomes one gid range a file.  Paths are kept as often
 * as they are named until share_files() finds the equal ones.
 */
#include "src/model/gid_table.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "src/base/mem.h"
#include "src/base/search.h"
#include "src/text/did_you_mean.h"
#include "src/text/file_kind.h"
#include "src/text/lines.h"
#include "src/text/number.h"
#include "src/text/path.h"

enum { MAX_NAMES = 64 };

/* More neurons than any machine holds, far from any overflow. */
static const int64_t max_neurons = INT64_C(1000000000000);

typedef struct builder {
    const bosc_job *job;
    bosc_error *err;
    int population;
    size_t n_files, file_room, n_gid_ranges, cohort_room;
    char **files;
    bosc_gid_range *gid_ranges;
    int64_t n_neurons;
    char *list, *text; /* path and text of the list that was read last */
} builder;

/* What is being read: a line of a list, or the job's own entry (list NULL). */
typedef struct origin {
    const char *list;   /* as messages name it */
    const char *folder; /* where relative paths begin */
    int line;
} origin;

static bosc_status no_memory(builder *b)
{
    return bosc_no_memory(b->err, b->job->path);
}

/* --- files --------------------------------------------------------------- */

/* One file, 'count' times; takes over 'path'. */
static bosc_status add_cohort(builder *b, const origin *at, char *path,
                              int64_t count)
{
    if (count > max_neurons - b->n_neurons) {
        free(path);
        return bosc_fail_at(b->err, BOSC_EFORMAT, at->list, at->line,
                            "over %lld neurons in all; are the counts right?",
                            (long long)max_neurons);
    }
    if (!bosc_grow(&b->files, &b->file_room, b->n_files + 1,
                   sizeof *b->files) ||
        !bosc_grow(&b->gid_ranges, &b->cohort_room, b->n_gid_ranges + 1,
                   sizeof *b->gid_ranges) ||
        b->n_gid_ranges == INT32_MAX) {
        free(path);
        return no_memory(b);
    }
    b->gid_ranges[b->n_gid_ranges++] =
        (bosc_gid_range){.gid = b->n_neurons,
                         .count = count,
                         .population = b->population,
                         .file = path != NULL ? (int32_t)b->n_files : -1};
    if (path != NULL)
        b->files[b->n_files++] = path;
    b->n_neurons += count;
    return BOSC_OK;
}

static bool has_glob(const char *path)
{
    return strpbrk(path, "*?[") != NULL;
}

static bosc_status add_matches(builder *b, const origin *at, const char *path,
                               int64_t count, glob_t *found)
{
    size_t files = 0;
    bosc_status st = BOSC_OK;

    if (found->gl_pathc > 0)
        qsort(found->gl_pathv, found->gl_pathc, sizeof(char *), bosc_by_text);
    for (size_t i = 0; st == BOSC_OK && i < found->gl_pathc; ++i) {
        if (bosc_is_folder(found->gl_pathv[i]))
            continue;
        char *copy = bosc_strdup(found->gl_pathv[i]);

        ++files;
        st = copy != NULL ? add_cohort(b, at, copy, count) : no_memory(b);
    }
    if (st == BOSC_OK && files == 0)
        st = bosc_fail_at(
            b->err, BOSC_EFORMAT, at->list, at->line,
            "no file matches '%s' in folder '%s'; paths begin at the folder "
            "of the file that names them",
            path, at->folder);
    return st;
}

/* What to do about a path that the system refuses for the reason 'why'. */
static const char *remedy(const char *path, int why)
{
    if (why == EACCES)
        return "; check who may read it";
    if (path[0] == '~')
        return "; write the home folder out, '~' is none here";
    return path[0] == '/' ? ""
                          : "; paths begin at the folder of the file that "
                            "names them";
}

/* Fail for a pattern below a folder that does not exist. */
static bosc_status check_folder(builder *b, const origin *at, const char *path)
{
    const ptrdiff_t literal = bosc_path_literal(at->folder, path);
    size_t n =
        literal < 0 ? 0 : (size_t)literal + strcspn(path + literal, "*?[");

    while (n > 0 && path[n - 1] != '/')
        --n;
    while (n > 1 && path[n - 1] == '/')
        --n;
    if (n == 0)
        return BOSC_OK;

    char *name = bosc_format("%.*s", (int)n, path);
    char *folder = name != NULL ? bosc_path_join(at->folder, name) : NULL;
    struct stat info;
    bosc_status st = folder != NULL ? BOSC_OK : no_memory(b);

    if (folder != NULL && stat(folder, &info) != 0 && errno == ENOENT)
        st = bosc_fail_at(b->err, BOSC_EFORMAT, at->list, at->line,
                          "'%s': folder '%s' does not exist%s", path, name,
                          remedy(path, ENOENT));
    free(folder);
    free(name);
    return st;
}

static bosc_status add_glob(builder *b, const origin *at, const char *path,
                            int64_t count)
{
    bosc_status st = check_folder(b, at, path);
    char *pattern = NULL;
    glob_t found = {0};

    if (st != BOSC_OK)
        return st;
    if ((pattern = bosc_path_pattern(at->folder, path)) == NULL)
        return no_memory(b);
    errno = EIO; /* unless the system says why */
    switch (glob(pattern, GLOB_NOSORT | GLOB_ERR, NULL, &found)) {
    case GLOB_NOSPACE:
        st = no_memory(b);
        break;
    case GLOB_ABORTED:
        st = bosc_fail_at(b->err, BOSC_EFORMAT, at->list, at->line,
                          "'%s': a folder cannot be read: %s%s", path,
                          strerror(errno), remedy(path, errno));
        break;
    default:
        st = add_matches(b, at, path, count, &found);
    }
    globfree(&found);
    free(pattern);
    return st;
}

/* The files that 'path' names, 'count' neurons of each. */
static bosc_status add_path(builder *b, const origin *at, const char *path,
                            int64_t count)
{
    struct stat info;
    char *file = bosc_path_join(at->folder, path);

    if (file == NULL)
        return no_memory(b);
    if (stat(file, &info) == 0 && !S_ISDIR(info.st_mode))
        return add_cohort(b, at, file, count);
    const int why = errno;
    bosc_status st;

    if (bosc_is_folder(file))
        st = bosc_fail_at(b->err, BOSC_EFORMAT, at->list, at->line,
                          "%s: is a folder; write '%s%s*.swc' for its files",
                          file, path, path[strlen(path) - 1] == '/' ? "" : "/");
    else if (has_glob(path))
        st = add_glob(b, at, path, count);
    else
        st = bosc_fail_at(b->err, BOSC_EFORMAT, at->list, at->line, "%s: %s%s",
                          file, strerror(why), remedy(path, why));
    free(file);
    return st;
}

/* --- lists --------------------------------------------------------------- */

enum { PATH, COUNT, POPULATION, N_COLUMNS };

static char *trim(char *text)
{
    size_t n = strlen(text);

    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        text[--n] = '\0';
    return text + strspn(text, " ");
}

static bosc_status split(builder *b, const origin *at, char *line,
                         char **column)
{
    int n = 0;

    for (char *next = line; next != NULL; ++n) {
        char *field = next;

        if ((next = strchr(field, '\t')) != NULL)
            *next++ = '\0';
        if (n < N_COLUMNS)
            column[n] = trim(field);
    }
    if (n > N_COLUMNS)
        return bosc_fail_at(
            b->err, BOSC_EFORMAT, at->list, at->line,
            "%d columns; there are three: path, count, population", n);
    for (; n < N_COLUMNS; ++n)
        column[n] = "";
    return BOSC_OK;
}

static bosc_status read_count(builder *b, const origin *at, const char *text,
                              int64_t *count)
{
    *count = 1;
    if (text[0] == '\0')
        return BOSC_OK;
    if (!bosc_number_whole(text, text + strlen(text), count))
        return bosc_fail_at(b->err, BOSC_EFORMAT, at->list, at->line,
                            "count '%s' is not a whole number; the columns are "
                            "path, count, population, with tabs between",
                            text);
    if (*count < 0 || *count > max_neurons)
        return bosc_fail_at(b->err, BOSC_EFORMAT, at->list, at->line,
                            "count %s is out of range; allowed: 0 to %lld",
                            text, (long long)max_neurons);
    return BOSC_OK;
}

static bosc_status unknown_population(builder *b, const origin *at,
                                      const char *name)
{
    const char *names[MAX_NAMES];
    size_t n = 0;

    for (; n < MAX_NAMES && (int)n < b->job->n_populations; ++n)
        names[n] = b->job->populations[n].name;
    return bosc_fail_at(
        b->err, BOSC_EFORMAT, at->list, at->line,
        "the job has no population '%s'; %s", name,
        bosc_did_you_mean(name, n, names, "it has:", (char[500]){0}, 500));
}

/* Whether a row is for the population being read. */
static bosc_status is_mine(builder *b, const origin *at, const char *name,
                           bool *mine)
{
    int p = 0;

    *mine = true;
    if (name[0] == '\0' || b->job->populations[b->population].every_row)
        return BOSC_OK;
    while (p < b->job->n_populations &&
           strcmp(b->job->populations[p].name, name) != 0)
        ++p;
    if (p == b->job->n_populations)
        return unknown_population(b, at, name);
    *mine = strcmp(b->job->populations[b->population].name, name) == 0;
    return BOSC_OK;
}

/* Whether a path holds the other columns: "a.swc 3", "a.swc,3,cells", or, of a
 * header, "path,count". */
static bool has_columns(const char *path)
{
    const char *end = path + strlen(path), *p = end;
    int64_t number;

    if (strncasecmp(path, "path", 4) == 0 && (path[4] == ',' || path[4] == ';'))
        return true;
    for (int k = 0; k < 2; ++k, end = --p) { /* the last two fields */
        while (p > path && strchr(" ,;", p[-1]) == NULL)
            --p;
        if (p == path)
            return false;
        if (bosc_number_whole(p, end, &number))
            return k == 0 || *end != ' ' || strchr(end, '.') == NULL;
    }
    return false;
}

/* Blanks or commas where a tab should be are the most frequent slip. */
static bosc_status check_tabs(builder *b, const origin *at, const char *path,
                              const char *count)
{
    if (count[0] != '\0' || !has_columns(path))
        return BOSC_OK;
    return bosc_fail_at(
        b->err, BOSC_EFORMAT, at->list, at->line,
        "no tab in '%s'; write path, tab, count (blanks, commas and "
        "semicolons belong to the path)",
        path);
}

static bosc_status read_row(builder *b, const origin *at, char *line)
{
    char *column[N_COLUMNS];
    int64_t count = 1;
    bool mine;
    bosc_status st = split(b, at, line, column);

    if (st != BOSC_OK || column[PATH][0] == '#')
        return st;
    if (column[PATH][0] == '\0')
        return column[COUNT][0] != '\0' || column[POPULATION][0] != '\0'
                   ? bosc_fail_at(b->err, BOSC_EFORMAT, at->list, at->line,
                                  "the first column, the path, is empty")
                   : BOSC_OK;
    if (strcasecmp(column[PATH], "path") == 0 &&
        strcasecmp(column[COUNT], "count") == 0)
        return BOSC_OK; /* a header line */
    if ((st = check_tabs(b, at, column[PATH], column[COUNT])) != BOSC_OK ||
        (st = read_count(b, at, column[COUNT], &count)) != BOSC_OK ||
        (st = is_mine(b, at, column[POPULATION], &mine)) != BOSC_OK)
        return st;
    return mine && count > 0 ? add_path(b, at, column[PATH], count) : BOSC_OK;
}

static bosc_status read_rows(builder *b, const char *folder)
{
    bosc_lines lines = bosc_lines_of(b->text, strlen(b->text));
    bosc_status st = BOSC_OK;

    while (st == BOSC_OK && bosc_lines_next(&lines)) {
        const origin at = {b->list, folder, (int)lines.number};

        if (*lines.begin == '#')
            continue;

        char *line = strndup(lines.begin, (size_t)(lines.end - lines.begin));

        st = line != NULL ? read_row(b, &at, line) : no_memory(b);
        free(line);
    }
    return st;
}

/* A list that several populations name is read once: it may be a pipe. */
static bosc_status load_list(builder *b, const origin *at, char *list)
{
    bosc_error why;

    if (b->list != NULL && strcmp(b->list, list) == 0) {
        free(list);
        return BOSC_OK;
    }
    free(b->list);
    free(b->text);
    b->list = list;
    b->text = NULL;

    const bosc_status st =
        bosc_text_load(list, "a list (text in UTF-8)", &b->text, &why);

    if (st != BOSC_OK)
        return bosc_fail_at(b->err, st == BOSC_ENOMEM ? st : BOSC_EFORMAT,
                            at->list, at->line, "morphologies: %s", why.text);
    return BOSC_OK;
}

static bosc_status read_list(builder *b, const origin *at, const char *path)
{
    char *list = bosc_path_join(at->folder, path), *folder;
    bosc_status st;

    if (list == NULL)
        return no_memory(b);
    if ((st = load_list(b, at, list)) != BOSC_OK)
        return st;

    folder = bosc_path_folder(b->list);
    st = folder != NULL ? read_rows(b, folder) : no_memory(b);
    free(folder);
    return st;
}

/* --- populations --------------------------------------------------------- */

static bosc_status add_population(builder *b, int p)
{
    const bosc_population_spec *spec = &b->job->populations[p];
    const origin at = {b->job->path, b->job->folder,
                       spec->morphologies != NULL ? spec->morphologies_line
                                                  : spec->line};
    const int64_t before = b->n_neurons;
    bosc_status st;

    b->population = p;
    if (spec->morphologies == NULL)
        st = add_cohort(b, &at, NULL, spec->count);
    else if (bosc_is_list(spec->morphologies))
        st = read_list(b, &at, spec->morphologies);
    else
        st = add_path(b, &at, spec->morphologies, spec->count);
    if (st == BOSC_OK && b->n_neurons == before && spec->every_row)
        st = bosc_fail_at(b->err, BOSC_EFORMAT, at.list, at.line,
                          "%s has no row with a count over 0; add one",
                          spec->morphologies);
    else if (st == BOSC_OK && b->n_neurons == before)
        st = bosc_fail_at(
            b->err, BOSC_EFORMAT, at.list, at.line,
            "population '%s' is empty: %s has no row for it with a "
            "count over 0; add one, or remove the population",
            spec->name, spec->morphologies);
    return st;
}

typedef struct named {
    const char *name;
    int32_t index;
} named;

static int by_name_index(const void *a, const void *b)
{
    const named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);

    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

/* A file is read again for each way of cutting it; a pipe cannot be. */
static bosc_status check_repeated(builder *b, const char *path)
{
    struct stat info;

    if (stat(path, &info) != 0 || !S_ISFIFO(info.st_mode))
        return BOSC_OK;
    return bosc_fail(b->err, BOSC_EVALUE,
                     "%s: %s is a pipe, which can be read once, and is named "
                     "more than once; write it to a file",
                     b->job->path, path);
}

/* Keep each path once, in the order of first mention, and renumber. */
static bosc_status share_files(builder *b)
{
    named *sorted;
    int32_t *number;
    const bosc_array arrays[] = {BOSC_ARRAY(sorted, b->n_files),
                                 BOSC_ARRAY(number, b->n_files)};
    bosc_status st =
        bosc_arrays_alloc(BOSC_LEN(arrays), arrays) ? BOSC_OK : no_memory(b);
    size_t kept = 0;

    if (st != BOSC_OK)
        goto done;
    for (size_t i = 0; i < b->n_files; ++i)
        sorted[i] = (named){b->files[i], (int32_t)i};
    qsort(sorted, b->n_files, sizeof *sorted, by_name_index);
    /* number[i]: first the earliest equal path, then its place */
    for (size_t i = 0; i < b->n_files; ++i)
        number[sorted[i].index] =
            i > 0 && strcmp(sorted[i].name, sorted[i - 1].name) == 0
                ? number[sorted[i - 1].index]
                : sorted[i].index;
    for (size_t i = 0; i < b->n_files; ++i) {
        if (number[i] == (int32_t)i) {
            b->files[kept] = b->files[i];
            number[i] = (int32_t)kept++;
        } else {
            if (st == BOSC_OK)
                st = check_repeated(b, b->files[i]);
            free(b->files[i]);
            number[i] = number[number[i]];
        }
    }
    b->n_files = kept;
    for (size_t i = 0; i < b->n_gid_ranges; ++i)
        if (b->gid_ranges[i].file >= 0)
            b->gid_ranges[i].file = number[b->gid_ranges[i].file];
done:
    bosc_arrays_free(BOSC_LEN(arrays), arrays);
    return st;
}

bosc_status bosc_gid_table_create(const bosc_job *job, bosc_gid_table **out,
                                  bosc_error *err)
{
    builder b = {.job = job, .err = err};
    bosc_gid_table *gid_table = calloc(1, sizeof *gid_table);
    bosc_status st = BOSC_OK;

    if (gid_table == NULL || (gid_table->first_gid = bosc_alloc(
                                  (size_t)job->n_populations + 1,
                                  sizeof *gid_table->first_gid)) == NULL)
        st = no_memory(&b);
    for (int p = 0; st == BOSC_OK && p < job->n_populations; ++p) {
        st = add_population(&b, p);
        gid_table->first_gid[p + 1] = b.n_neurons;
    }
    if (st == BOSC_OK)
        st = share_files(&b);
    if (gid_table != NULL) {
        gid_table->n_neurons = b.n_neurons;
        gid_table->n_files = (int32_t)b.n_files;
        gid_table->n_gid_ranges = (int32_t)b.n_gid_ranges;
        gid_table->files = b.files;
        gid_table->gid_ranges = b.gid_ranges;
    }
    free(b.list);
    free(b.text);
    if (st == BOSC_OK)
        *out = gid_table;
    else
        bosc_gid_table_destroy(gid_table);
    return st;
}

double bosc_gid_table_bytes(double n_gid_ranges, double n_files)
{
    enum { NAME = 64 }; /* bytes of a path, about */
    const bosc_gid_table t = {0};

    return n_gid_ranges * sizeof *t.gid_ranges +
           n_files * (sizeof *t.files + NAME);
}

void bosc_gid_table_destroy(bosc_gid_table *gid_table)
{
    if (gid_table == NULL)
        return;
    for (int32_t i = 0; gid_table->files != NULL && i < gid_table->n_files; ++i)
        free(gid_table->files[i]);
    free(gid_table->files);
    free(gid_table->gid_ranges);
    free(gid_table->first_gid);
    free(gid_table);
}

static bool begins_until(const void *element, const void *gid)
{
    return ((const bosc_gid_range *)element)->gid <= *(const int64_t *)gid;
}

const bosc_gid_range *bosc_gid_table_find(const bosc_gid_table *gid_table,
                                          int64_t gid)
{
    if (gid < 0 || gid >= gid_table->n_neurons)
        return NULL;
    const int64_t next =
        bosc_lower_bound(gid_table->gid_ranges, gid_table->n_gid_ranges,
                         sizeof *gid_table->gid_ranges, &gid, begins_until);

    return &gid_table->gid_ranges[next - 1];
}
