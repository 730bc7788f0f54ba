/* Every number about a file is one column of one table, which is printed for
 * programs (--tsv) and for people, and summed for the total.
 */
#include "src/morphology/inspect.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/morphology/cable.h"
#include "src/morphology/morphology.h"
#include "src/morphology/sections/edit.h"
#include "src/morphology/sections/list.h"
#include "src/text/file_kind.h"
#include "src/text/path.h"
#include "src/text/wrap.h"

enum {
    SAMPLES,
    ROOTS,
    BRANCH_POINTS,
    TIPS,
    LENGTH,
    SECTIONS,
    LEVELS,
    COMPARTMENTS,
    AREA,
    REPAIRS,
    DIFFERS,
    COLUMNS
};

static const struct {
    const char *name;
    int decimals;         /* for programs */
    int width;            /* for people, who do not see all; 0: this is one */
    const char *title[2]; /* for them */
} columns[COLUMNS] = {
    [SAMPLES] = {"samples", 0, 9, {"", "samples"}},
    [ROOTS] = {"roots", 0, 0, {NULL}},
    [BRANCH_POINTS] = {"branch_points", 0, 0, {NULL}},
    [TIPS] = {"tips", 0, 0, {NULL}},
    [LENGTH] = {"length_um", 1, 9, {"length", "um"}},
    [SECTIONS] = {"sections", 0, 8, {"", "sections"}},
    [LEVELS] = {"levels", 0, 0, {NULL}},
    [COMPARTMENTS] = {"compartments", 0, 8, {"compart-", "ments"}},
    [AREA] = {"area_um2", 3, 10, {"area", "um2"}},
    [REPAIRS] = {"repairs", 0, 7, {"", "repairs"}},
    [DIFFERS] = {"differs", 0, 0, {NULL}},
};

enum { NAME = 21 }; /* columns left for the name of a file, in 80 */

typedef struct row {
    double value[COLUMNS]; /* counts below 2^53 are exact */
    bosc_occurrence differs[BOSC_N_IMPORT3D_ROWS];
} row;

/* ---- one file ---- */

static void fill(const bosc_morphology *read, const bosc_cable *cable, row *out)
{
    const bosc_sections *sections = read->sections;
    const bosc_swc_counts *c = &read->file;
    int differs = 0;

    for (int k = 0; k < BOSC_N_IMPORT3D_ROWS; ++k)
        differs += sections->differs[k].n > 0;

    *out = (row){.value = {
                     [SAMPLES] = (double)c->samples,
                     [ROOTS] = (double)c->roots,
                     [BRANCH_POINTS] = (double)c->branch_points,
                     [TIPS] = (double)c->tips,
                     [LENGTH] = c->length,
                     [SECTIONS] = cable->n_sections,
                     [LEVELS] = cable->n_levels,
                     [COMPARTMENTS] = cable->n,
                     [AREA] = cable->area_total,
                     [REPAIRS] = (double)read->repairs.n,
                     [DIFFERS] = differs,
                 }};
    memcpy(out->differs, sections->differs, sizeof out->differs);
}

/* A folder, and where in it morphologies are. */
static bosc_status fail_folder(const char *path, bosc_error *err)
{
    static const char *const patterns[] = {"*.swc",   "*/*.swc", "*.asc",
                                           "*/*.asc", "*.nml",   "*/*.nml"};
    const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";

    for (size_t i = 0; i < BOSC_LEN(patterns); ++i) {
        char *pattern = bosc_path_pattern(path, patterns[i]);
        glob_t found = {0};

        if (pattern == NULL)
            return bosc_no_memory(err, path);
        if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
            found.gl_pathc = 0;
        globfree(&found);
        if (found.gl_pathc > 0)
            bosc_fail(err, BOSC_ENOINPUT,
                      "%s: is a folder; name its files: %s%s%s", path, path,
                      slash, patterns[i]);
        free(pattern);
        if (found.gl_pathc > 0)
            return BOSC_ENOINPUT;
    }
    return bosc_fail(err, BOSC_ENOINPUT,
                     "%s: is a folder without morphologies; name files", path);
}

/* Read 'path', make a neuron of it, list its sections or compartments where
 * that is wanted: 'first' is the first list.  On failure nothing is to be
 * freed. */
static bosc_status inspect(const bosc_inspect *r, const char *path, bool first,
                           row *out, bosc_morphology **cell, bosc_error *err)
{
    bosc_morphology *read = NULL;
    bosc_cable *cable = NULL;
    bosc_status st = bosc_is_folder(path)
                         ? fail_folder(path, err)
                         : bosc_morphology_read(path, r->strict, &read, err);

    if (st == BOSC_OK)
        st = bosc_sections_edit(&read->sections, &r->spec.edit, path,
                                &read->repairs, err);
    if (st == BOSC_OK && r->strict && read->repairs.n > 0)
        st = bosc_fail(err, BOSC_EFORMAT, "%s; --strict refuses repairs",
                       read->repairs.text[0]);
    if (st == BOSC_OK)
        st = bosc_cable_create(read->sections, &r->spec, path, &cable, err);
    if (st == BOSC_OK && r->sections)
        st =
            bosc_sections_list(path, read->sections, cable, r->tsv, first, err);
    if (st == BOSC_OK && r->compartments)
        st = bosc_compartments_list(path, cable, first, err);
    if (st == BOSC_OK) {
        fill(read, cable, out);
        *cell = read;
        read = NULL;
    }
    bosc_cable_destroy(cable);
    bosc_morphology_destroy(read);
    return st;
}

/* ---- for programs ---- */

static void print_tsv_header(void)
{
    fputs("file", stdout);
    for (int k = 0; k < COLUMNS; ++k)
        printf("\t%s", columns[k].name);
    putchar('\n');
}

static void print_tsv(const char *path, const row *values)
{
    for (const char *p = path; *p != '\0'; ++p)
        putchar(*p == '\t' || *p == '\n' || *p == '\r' ? '?' : *p);
    for (int k = 0; k < COLUMNS; ++k)
        printf("\t%.*f", columns[k].decimals, values->value[k]);
    putchar('\n');
}

/* ---- for people ---- */

static void print_header(bool named)
{
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < COLUMNS; ++k)
            if (columns[k].width > 0)
                printf(" %*s", columns[k].width, columns[k].title[i]);
        puts(i == 1 && named ? "  file" : "");
    }
}

/* "45,923" */
static void print_grouped(double value, int width)
{
    char plain[64], grouped[96];
    char *to = grouped;
    const size_t n = (size_t)snprintf(plain, sizeof plain, "%.0f", value);

    for (size_t i = 0; i < n; ++i) {
        if (i > 0 && (n - i) % 3 == 0)
            *to++ = ',';
        *to++ = plain[i];
    }
    *to = '\0';
    printf(" %*s", width, grouped);
}

/* The name is at the end of the row or, where names are long, above. */
static void print_row(const char *name, const row *values, bool above)
{
    if (above)
        puts(name);
    for (int k = 0; k < COLUMNS; ++k)
        if (columns[k].width > 0)
            print_grouped(values->value[k], columns[k].width);
    printf("%s%s\n", above ? "" : "  ", above ? "" : name);
}

/* The next letter of a message without its values: a number or a quoted word
 * counts as one letter. */
static char next_letter(const char **p)
{
    static const char number[] = "0123456789.+-e";
    const char c = **p;

    if (c == '\0')
        return c;
    if (c == '\'' && strchr(*p + 1, '\'') != NULL) {
        *p = strchr(*p + 1, '\'') + 1;
        return c;
    }
    const char *digit = *p + (c == '-');
    if (*digit >= '0' && *digit <= '9') {
        *p += strspn(*p, number);
        return '0';
    }
    ++*p;
    return c;
}

static bool same_kind(const char *a, const char *b)
{
    char letter;

    do {
        letter = next_letter(&a);
        if (letter != next_letter(&b))
            return false;
    } while (letter != '\0');
    return true;
}

/* A remark on a file: its place, which is the first word, and the rest. */
static void print_remark(const char *remark, int more)
{
    const int place = (int)strcspn(remark, " ");
    bosc_wrap w = bosc_wrap_begin(stdout, 6, "  %.*s", place, remark);

    bosc_wrap_add(&w, "%s", remark + place);
    if (more > 0)
        bosc_wrap_add(&w, " (and %d more like this)", more);
    bosc_wrap_end(&w);
}

/* The first repair of each kind, and how many there are. */
static void print_kinds(const bosc_warnings *repairs)
{
    for (int i = 0; i < repairs->n; ++i) {
        int first = 0, more = 0;

        while (!same_kind(repairs->text[first], repairs->text[i]))
            ++first;
        if (first < i)
            continue;
        for (int k = i + 1; k < repairs->n; ++k)
            more += same_kind(repairs->text[i], repairs->text[k]);
        print_remark(repairs->text[i], more);
    }
}

static void print_repairs(const bosc_inspect *r, const bosc_warnings *repairs)
{
    if (!r->all_repairs) {
        print_kinds(repairs);
        return;
    }
    for (int i = 0; i < repairs->n; ++i)
        print_remark(repairs->text[i], 0);
}

/* The rows of README.md's table of differences that the file meets. */
static void print_differences(const char *path, const row *values)
{
    for (int k = 0; k < BOSC_N_IMPORT3D_ROWS; ++k) {
        const bosc_occurrence *d = &values->differs[k];

        if (d->n == 0)
            continue;
        bosc_wrap w =
            bosc_wrap_begin(stdout, 6, "  %s:%" PRId64 ":", path, d->line);

        bosc_wrap_add(&w, " NEURON reads this differently: %s",
                      bosc_import3d_names[k]);
        if (d->n > 1)
            bosc_wrap_add(&w, " (%" PRId64 " places)", d->n);
        bosc_wrap_end(&w);
    }
}

/* ---- all files ---- */

static void add_up(row *total, const row *values)
{
    for (int k = 0; k < COLUMNS; ++k)
        if (k != LEVELS)
            total->value[k] += values->value[k];
        else if (values->value[k] > total->value[k])
            total->value[k] = values->value[k]; /* the deepest neuron */
}

/* The row of a file, after the header where it is the first one. */
static void print_file(const bosc_inspect *r, const char *path,
                       const row *values, bool first, bool long_names)
{
    if (first && r->tsv)
        print_tsv_header();
    else if (first)
        print_header(!long_names);
    if (r->tsv)
        print_tsv(path, values);
    else
        print_row(path, values, long_names);
}

bosc_status bosc_inspect_files(const bosc_inspect *r, int n, char *const *path,
                               bosc_error *err)
{
    row total = {.value = {0}};
    bool long_names = false; /* some are too long for the table */
    int refused = 0;

    for (int i = 0; i < n; ++i)
        long_names = long_names || strlen(path[i]) > NAME;

    for (int i = 0; i < n; ++i) {
        row values;
        bosc_morphology *read = NULL;
        const bosc_status st =
            inspect(r, path[i], i == refused, &values, &read, err);

        if (st == BOSC_ENOMEM)
            return st;
        if (st != BOSC_OK) {
            fflush(stdout); /* where both go to one terminal */
            fprintf(stderr, "bosc inspect: %s\n", err->text);
            ++refused;
            continue;
        }
        if (!r->sections && !r->compartments)
            print_file(r, path[i], &values, i == refused, long_names);
        if (!r->tsv) {
            print_repairs(r, &read->repairs);
            print_differences(path[i], &values);
        }
        add_up(&total, &values);
        bosc_morphology_destroy(read);
    }
    if (!r->tsv && !r->sections && n - refused > 1) {
        char name[40];

        snprintf(name, sizeof name, "total of %d files", n - refused);
        print_row(name, &total, long_names);
    }
    if (refused == 0)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EFORMAT, "%d of %d files refused", refused, n);
}
