/* cmd_mods.c - 'bosc mods check': which mod files bosc understands; 'bosc mods
 * translate': what it makes of one. */
#include "src/cli/commands.h"

#include <glob.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/nmodl/emit/emit.h"
#include "src/nmodl/nmodl.h"
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
    bosc_nm_report(stdout, path, &result.problems, result.mechanism, form);
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

/* ---- translate ---- */

static const bosc_options translate_options = {
    .command = "mods translate",
    .argument = "FILE",
    .about = "Print the C text that bosc makes of a mod file: a header like "
             "those of the built-in mechanisms in kernels/mech, for CPUs and "
             "GPUs.",
};

static bosc_status translate(int argc, char **argv, bosc_error *err)
{
    bosc_arguments file;
    bosc_nm_result result;
    bosc_status st =
        bosc_options_parse(&translate_options, argc, argv, NULL, &file, err);

    if (st != BOSC_OK || file.done)
        return st;
    st = bosc_nm_translate_file(file.word[0], &result, err);
    if (st != BOSC_OK)
        return st;
    if (result.accepted) {
        bosc_nm_emit(stdout, result.program);
    } else {
        bosc_nm_report(stderr, file.word[0], &result.problems, result.mechanism,
                       BOSC_NM_BRIEF);
        st = bosc_fail(err, BOSC_EFORMAT, "%s: is refused", file.word[0]);
    }
    bosc_nm_result_clear(&result);
    return st;
}

/* ---- which of both ---- */

/* What both do, and the help of the first, which has options. */
static bosc_status help(bosc_error *err)
{
    char name[] = "check", option[] = "--help";
    char *argv[] = {name, option};

    puts("usage: bosc mods check PATH... [OPTION]...\n"
         "       bosc mods translate FILE\n\n"
         "Read mod files, mechanisms written in NEURON's NMODL: say which are "
         "understood,\nor print the C text that is made of one.\n");
    return check(2, argv, err);
}

bosc_status bosc_cmd_mods(int argc, char **argv, bosc_error *err)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "--help") == 0 || strcmp(what, "-h") == 0)
        return help(err);
    if (strcmp(what, "check") == 0)
        return check(argc - 1, argv + 1, err);
    if (strcmp(what, "translate") == 0)
        return translate(argc - 1, argv + 1, err);
    return bosc_fail(err, BOSC_EUSAGE,
                     "%s%swhat about mod files? bosc mods check PATH... or "
                     "bosc mods translate FILE; see bosc mods --help",
                     what, argc > 1 ? ": " : "");
}
