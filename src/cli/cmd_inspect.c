/* cmd_inspect.c - 'bosc inspect': what morphology files hold and what they
 * become.
 *
 * Every number about a file is one column of one table, which prints itself
 * for programs (--tsv) and for people, and adds up to the total.
 */
#include "src/cli/commands.h"

#include <getopt.h>
#include <glob.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/mem.h"
#include "src/morphology/cable.h"
#include "src/morphology/section.h"
#include "src/morphology/swc.h"
#include "src/text/number.h"
#include "src/text/options.h"
#include "src/text/wrap.h"

static const char help[] =
    "Usage: bosc inspect [OPTION]... FILE...\n"
    "\n"
    "Count what SWC files hold, cut the neurons into compartments as 'bosc "
    "run'\n"
    "does, and list what is repaired and what NEURON reads differently.  A "
    "file that\n"
    "cannot be repaired is refused with a message; the others are still "
    "shown, and\n"
    "the exit code is 1.\n"
    "\n"
    "  --tsv              tab separated values, a line a file, more columns\n"
    "  --repairs          list every repair (default: the first of each kind)\n"
    "  --strict           refuse what would be repaired\n"
    "  --policy NAME      how to cut: d_lambda (default), max_length,\n"
    "                     per_section or per_sample\n"
    "  --d-lambda X       longest compartment, in length constants (default "
    "%g)\n"
    "  --frequency HZ     at which the length constant is taken (default %g)\n"
    "  --max-length UM    longest compartment (default %g um)\n"
    "  --per-section N    compartments of each section (default %d)\n"
    "  --Ra OHM_CM        axial resistivity (default %g ohm cm)\n"
    "  --cm UF_CM2        membrane capacitance (default %g uF/cm2)\n"
    "  -h, --help\n"
    "\n"
    "samples, roots, branch points, tips and length (without the edges inside "
    "the\n"
    "soma) are of the file as it stands; sections, levels, compartments, area "
    "and\n"
    "repairs are of the neuron made of it.  differs (--tsv) counts the kinds "
    "of\n"
    "differences from NEURON; src/morphology/README.md has a table of them.\n";

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

typedef struct request {
    bool tsv, all_repairs, strict, help;
    bool long_names;       /* some are too long for the table */
    const char *chosen_by; /* the option that chose the policy, or NULL */
    bosc_cable_spec spec;
} request;

/* ---- the command line ---- */

static bosc_status choose(request *r, bosc_policy policy, const char *option,
                          bosc_error *err)
{
    if (r->chosen_by != NULL && r->spec.policy != policy)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--%s means policy %s, but --%s means %s; give one",
                         option, bosc_policy_names[policy], r->chosen_by,
                         bosc_policy_names[r->spec.policy]);
    r->spec.policy = policy;
    r->chosen_by = option;
    return BOSC_OK;
}

static bosc_status set_policy(request *r, const char *name, bosc_error *err)
{
    for (int p = 0; p < BOSC_N_POLICIES; ++p)
        if (strcmp(name, bosc_policy_names[p]) == 0)
            return choose(r, (bosc_policy)p, "policy", err);
    return bosc_fail(err, BOSC_EUSAGE,
                     "--policy %s: there is no such policy; they are %s, %s, "
                     "%s, %s",
                     name, bosc_policy_names[0], bosc_policy_names[1],
                     bosc_policy_names[2], bosc_policy_names[3]);
}

/* Options that set a number of the spec. */
static const struct {
    const char *name;
    bosc_policy policy; /* that it belongs to, BOSC_N_POLICIES: to any */
    size_t offset;      /* in bosc_cable_spec */
    bool whole, per_region;
    double least, most;
} numbers[] = {
    {"d-lambda", BOSC_D_LAMBDA, offsetof(bosc_cable_spec, d_lambda), false,
     false, 1e-4, 100},
    {"frequency", BOSC_D_LAMBDA, offsetof(bosc_cable_spec, frequency), false,
     false, 1e-3, 1e6},
    {"max-length", BOSC_MAX_LENGTH, offsetof(bosc_cable_spec, max_length),
     false, false, 1e-3, 1e6},
    {"per-section", BOSC_PER_SECTION, offsetof(bosc_cable_spec, per_section),
     true, false, 1, 32767},
    {"Ra", BOSC_N_POLICIES, offsetof(bosc_cable_spec, Ra), false, true, 1e-3,
     1e6},
    {"cm", BOSC_N_POLICIES, offsetof(bosc_cable_spec, cm), false, true, 1e-6,
     1e6},
};

static bosc_status set_number(request *r, size_t k, const char *text,
                              bosc_error *err)
{
    char *const field = (char *)&r->spec + numbers[k].offset;
    const char *const end = strchr(text, '\0');
    const int copies = numbers[k].per_region ? BOSC_N_REGIONS : 1;
    double value = 0;
    int64_t whole = 0;
    const bool read = numbers[k].whole
                          ? bosc_number_whole(text, end, &whole)
                          : bosc_number_parse(text, end, &value) == end;

    if (numbers[k].whole)
        value = (double)whole;
    if (!read || !(value >= numbers[k].least && value <= numbers[k].most))
        return bosc_fail(
            err, BOSC_EUSAGE, "--%s %s: not a %snumber from %g to %g",
            numbers[k].name, text, numbers[k].whole ? "whole " : "",
            numbers[k].least, numbers[k].most);
    if (numbers[k].whole)
        memcpy(field, &(int32_t){(int32_t)whole}, sizeof(int32_t));
    else
        for (int i = 0; i < copies; ++i)
            memcpy(field + (size_t)i * sizeof value, &value, sizeof value);
    if (numbers[k].policy == BOSC_N_POLICIES)
        return BOSC_OK;
    return choose(r, numbers[k].policy, numbers[k].name, err);
}

enum { NUMBER = 256 }; /* code of the first of 'numbers', in their order */

static const struct option options[] = {
    {"tsv", no_argument, NULL, 't'},
    {"repairs", no_argument, NULL, 'r'},
    {"strict", no_argument, NULL, 's'},
    {"policy", required_argument, NULL, 'p'},
    {"help", no_argument, NULL, 'h'},
    {"d-lambda", required_argument, NULL, NUMBER},
    {"frequency", required_argument, NULL, NUMBER + 1},
    {"max-length", required_argument, NULL, NUMBER + 2},
    {"per-section", required_argument, NULL, NUMBER + 3},
    {"Ra", required_argument, NULL, NUMBER + 4},
    {"cm", required_argument, NULL, NUMBER + 5},
    {NULL, 0, NULL, 0},
};

static bosc_status take_option(int code, request *r, bosc_error *err)
{
    if (code >= NUMBER)
        return set_number(r, (size_t)(code - NUMBER), optarg, err);
    if (code == 'p')
        return set_policy(r, optarg, err);
    r->tsv = r->tsv || code == 't';
    r->all_repairs = r->all_repairs || code == 'r';
    r->strict = r->strict || code == 's';
    r->help = r->help || code == 'h';
    return BOSC_OK;
}

/* Afterwards the files are argv[optind] to argv[argc - 1]. */
static bosc_status parse(int argc, char **argv, request *r, bosc_error *err)
{
    int code;
    bosc_status st = BOSC_OK;

    optind = 0; /* glibc: start afresh */
    opterr = 0;
    while (st == BOSC_OK && !r->help &&
           (code = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        if (code == '?' || code == ':')
            return bosc_option_fail(code, argv, options, err);
        st = take_option(code, r, err);
    }
    if (st == BOSC_OK && !r->help && optind >= argc)
        st = bosc_fail(err, BOSC_EUSAGE,
                       "which files? give the names of SWC files; see bosc "
                       "inspect --help");
    return st;
}

/* ---- one file ---- */

static void fill(const bosc_swc *swc, const bosc_sections *sections,
                 const bosc_cable *cable, row *out)
{
    const bosc_swc_counts *c = &swc->file;
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
                     [REPAIRS] = (double)swc->repairs.n,
                     [DIFFERS] = differs,
                 }};
    memcpy(out->differs, sections->differs, sizeof out->differs);
}

static bool is_folder(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* A folder, and where in it SWC files are. */
static bosc_status fail_folder(const char *path, bosc_error *err)
{
    static const char *const patterns[] = {"*.swc", "*/*.swc"};
    const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";

    for (size_t i = 0; i < BOSC_LEN(patterns); ++i) {
        char *pattern = bosc_format("%s%s%s", path, slash, patterns[i]);
        glob_t found = {0};

        if (pattern == NULL)
            return bosc_no_memory(err, path);
        if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
            found.gl_pathc = 0;
        globfree(&found);
        if (found.gl_pathc > 0)
            bosc_fail(err, BOSC_EIO, "%s: is a folder; name its SWC files: %s",
                      path, pattern);
        free(pattern);
        if (found.gl_pathc > 0)
            return BOSC_EIO;
    }
    return bosc_fail(err, BOSC_EIO,
                     "%s: is a folder without SWC files; name files", path);
}

/* Read 'path' and make a neuron of it.  On failure nothing is to be freed. */
static bosc_status inspect(const request *r, const char *path, row *out,
                           bosc_swc **cells, bosc_error *err)
{
    bosc_swc *swc = NULL;
    bosc_sections *sections = NULL;
    bosc_cable *cable = NULL;
    bosc_status st = is_folder(path)
                         ? fail_folder(path, err)
                         : bosc_swc_read(path, r->strict, &swc, err);

    if (st == BOSC_OK)
        st = bosc_sections_create(swc, &sections, err);
    if (st == BOSC_OK && r->strict && swc->repairs.n > 0)
        st = bosc_fail(err, BOSC_EFORMAT, "%s; --strict refuses repairs",
                       swc->repairs.line[0]);
    if (st == BOSC_OK)
        st = bosc_cable_create(sections, &r->spec, path, &cable, err);
    if (st == BOSC_OK) {
        fill(swc, sections, cable, out);
        *cells = swc;
        swc = NULL;
    }
    bosc_cable_destroy(cable);
    bosc_sections_destroy(sections);
    bosc_swc_destroy(swc);
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
static void print_remark(const char *remark, size_t more)
{
    const int place = (int)strcspn(remark, " ");
    bosc_wrap w = bosc_wrap_begin(stdout, 6, "  %.*s", place, remark);

    bosc_wrap_add(&w, "%s", remark + place);
    if (more > 0)
        bosc_wrap_add(&w, " (and %zu more like this)", more);
    bosc_wrap_end(&w);
}

/* The first repair of each kind, and how many there are. */
static void print_kinds(const bosc_repairs *repairs)
{
    for (size_t i = 0; i < repairs->n; ++i) {
        size_t first = 0, more = 0;

        while (!same_kind(repairs->line[first], repairs->line[i]))
            ++first;
        if (first < i)
            continue;
        for (size_t k = i + 1; k < repairs->n; ++k)
            more += same_kind(repairs->line[i], repairs->line[k]);
        print_remark(repairs->line[i], more);
    }
}

static void print_repairs(const request *r, const bosc_repairs *repairs)
{
    if (!r->all_repairs) {
        print_kinds(repairs);
        return;
    }
    for (size_t i = 0; i < repairs->n; ++i)
        print_remark(repairs->line[i], 0);
}

/* The rows of README's table of differences that the file meets. */
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

static void print_titles(const request *r)
{
    if (r->tsv)
        print_tsv_header();
    else
        print_header(!r->long_names);
}

static void print_file(const request *r, const char *path, const row *values,
                       const bosc_swc *swc)
{
    if (r->tsv) {
        print_tsv(path, values);
        return;
    }
    print_row(path, values, r->long_names);
    print_repairs(r, &swc->repairs);
    print_differences(path, values);
}

static void print_total(const request *r, int shown, const row *total)
{
    char name[40];

    snprintf(name, sizeof name, "total of %d files", shown);
    print_row(name, total, r->long_names);
}

static bosc_status inspect_all(const request *r, int n, char **path,
                               bosc_error *err)
{
    row total = {.value = {0}};
    int refused = 0;

    for (int i = 0; i < n; ++i) {
        row values;
        bosc_swc *swc = NULL;
        const bosc_status st = inspect(r, path[i], &values, &swc, err);

        if (st == BOSC_ENOMEM)
            return st;
        if (st != BOSC_OK) {
            fflush(stdout); /* where both go to one terminal */
            fprintf(stderr, "bosc inspect: %s\n", err->text);
            ++refused;
            continue;
        }
        if (i == refused) /* the first row */
            print_titles(r);
        print_file(r, path[i], &values, swc);
        add_up(&total, &values);
        bosc_swc_destroy(swc);
    }
    if (!r->tsv && n - refused > 1)
        print_total(r, n - refused, &total);
    if (refused == 0)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EFORMAT, "%d of %d files refused", refused, n);
}

static void print_help(void)
{
    const bosc_cable_spec d = bosc_cable_defaults();

    printf(help, d.d_lambda, d.frequency, d.max_length, d.per_section, d.Ra[0],
           d.cm[0]);
}

bosc_status bosc_cmd_inspect(int argc, char **argv, bosc_error *err)
{
    request r = {.spec = bosc_cable_defaults()};
    bosc_status st = parse(argc, argv, &r, err);

    if (st != BOSC_OK)
        return st;
    for (int i = optind; i < argc; ++i)
        r.long_names = r.long_names || strlen(argv[i]) > NAME;
    if (r.help)
        print_help();
    else
        st = inspect_all(&r, argc - optind, argv + optind, err);
    return st;
}
