/* cmd_mods.c - 'bosc mods check': which mod files bosc understands. */
#include "src/cli/commands.h"

#include <glob.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/nmodl/report.h"
#include "src/text/file_kind.h"
#include "src/text/options.h"
#include "src/text/path.h"

typedef struct request {
    bool brief, tsv;
} request;

static const bosc_option rows[] = {
    {"quiet", 'q', NULL, BOSC_OPTION_FLAG, offsetof(request, brief),
     .help = "print problems, but no tables of parameters, states and ions"},
    {"tsv", 0, NULL, BOSC_OPTION_FLAG, offsetof(request, tsv),
     .help = "print tab-separated values, a line a file"},
};

static const bosc_options options = {
    .command = "mods check",
    .argument = "PATH",
    .many = true,
    .about = "Read mod files, written in NEURON's NMODL, and say which of them "
             "bosc understands: accepted files with their parameters, states "
             "and ions, refused ones with file, line, statement and remedy of "
             "every problem.  PATH is a file, or a folder whose files *.mod "
             "are read.",
    .notes = "A parameter that is RANGE may differ between compartments; a "
             "GLOBAL one has one value.  Functions and procedures that neither "
             "INITIAL, BREAKPOINT nor NET_RECEIVE uses are left out.  The exit "
             "code is 1 if a file is refused.",
    .n = BOSC_LEN(rows),
    .rows = rows,
};

typedef struct tally {
    long files, refused;
} tally;

static bosc_status check_file(const char *path, bosc_nm_report_form form,
                              tally *count, bosc_error *err)
{
    bosc_nm_result result;
    const bosc_status st = bosc_nm_translate_file(path, &result, err);

    if (st != BOSC_OK)
        return st;
    bosc_nm_report(stdout, path, &result, form);
    ++count->files;
    count->refused += !result.accepted;
    bosc_nm_result_clear(&result);
    return BOSC_OK;
}

/* The mod files of a folder, sorted by name. */
static bosc_status check_folder(const char *path, bosc_nm_report_form form,
                                tally *count, bosc_error *err)
{
    char *pattern = bosc_path_pattern(path, "*.mod");
    bosc_status st = BOSC_OK;
    glob_t found = {0};

    if (pattern == NULL)
        return bosc_no_memory(err, path);
    const int failed = glob(pattern, 0, NULL, &found);
    free(pattern);
    if (failed == GLOB_NOSPACE)
        st = bosc_no_memory(err, path);
    else if (failed != 0)
        st =
            bosc_fail(err, BOSC_EIO, "%s: is a folder without mod files", path);
    for (size_t i = 0; failed == 0 && i < found.gl_pathc && st == BOSC_OK; ++i)
        st = check_file(found.gl_pathv[i], form, count, err);
    globfree(&found);
    return st;
}

static bosc_status check(int argc, char **argv, bosc_error *err)
{
    request r = {.brief = false};
    tally count = {0};
    bosc_arguments paths;
    bosc_status st = bosc_options_parse(&options, argc, argv, &r, &paths, err);
    const bosc_nm_report_form form = r.tsv     ? BOSC_NM_TSV
                                     : r.brief ? BOSC_NM_BRIEF
                                               : BOSC_NM_TABLES;

    if (st != BOSC_OK || paths.done)
        return st;
    bosc_nm_report_head(stdout, form);
    for (int i = 0; i < paths.n && st == BOSC_OK; ++i)
        st = (bosc_is_folder(paths.word[i]) ? check_folder : check_file)(
            paths.word[i], form, &count, err);
    if (st != BOSC_OK)
        return st;
    if (form != BOSC_NM_TSV)
        printf("%ld of %ld files accepted\n", count.files - count.refused,
               count.files);
    return count.refused == 0
               ? BOSC_OK
               : bosc_fail(err, BOSC_EFORMAT, "%ld of %ld files are refused",
                           count.refused, count.files);
}

bosc_status bosc_cmd_mods(int argc, char **argv, bosc_error *err)
{
    if (argc > 1 &&
        (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
         strcmp(argv[1], "check") == 0))
        return check(argc - (strcmp(argv[1], "check") == 0),
                     argv + (strcmp(argv[1], "check") == 0), err);
    return bosc_fail(err, BOSC_EUSAGE,
                     "%s%swhat about mod files? bosc mods check PATH...; see "
                     "bosc mods --help",
                     argc > 1 ? argv[1] : "", argc > 1 ? ": " : "");
}
