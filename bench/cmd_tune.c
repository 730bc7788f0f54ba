/* cmd_tune.c - 'bosc-bench tune': its command line. */
#include "bench/tune/tune.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/commands.h"
#include "src/cli/script.h"
#include "src/comm/cpuset.h"
#include "src/slurm/command.h"
#include "src/text/options.h"

#define FIELD(member) offsetof(bosc_tune_request, member)

static const bosc_option rows[] = {
    {"minutes", 'm', "X", BOSC_OPTION_REAL, FIELD(minutes), 0.01, 10000,
     .help = "measure for so long"},
    {"batches", 0, "N", BOSC_OPTION_INT32, FIELD(batches), 1, 1000000,
     .help = "measure at most N batches of each kind (default as many as there "
             "is time for)"},
    {"kind", 0, "KIND", BOSC_OPTION_CHOICE, FIELD(kind), 0, BOSC_TUNE_KINDS - 1,
     .help = "what to measure: all, loops or products",
     .choices = bosc_tune_kinds},
    {"backend", 0, "BACKEND", BOSC_OPTION_CHOICE, FIELD(backend), 0,
     BOSC_TUNE_BACKENDS - 1,
     .help = "whose methods to measure: cpu or cuda, of one GPU",
     .choices = bosc_tune_backends},
    {"threads", 0, "N", BOSC_OPTION_INT32, FIELD(threads), 1, BOSC_MAX_THREADS,
     .help = "measure with up to N threads (default as a run has)"},
    {"output", 'o', "FOLDER", BOSC_OPTION_TEXT, FIELD(output),
     .help = "where the measurements are (default "
             "~/.local/share/bosc/HOSTNAME)"},
    {"measure-only", 0, NULL, BOSC_OPTION_FLAG, FIELD(measure_only),
     .help = "learn nothing from the measurements"},
    {"quiet", 'q', NULL, BOSC_OPTION_FLAG, FIELD(quiet),
     .help = "print nothing but failures"},
};

#define ABOUT                                                                  \
    "Measure all methods of the CPU, or of a GPU, on this machine, on "        \
    "generated batches of all sizes, shapes and mechanisms, write what they "  \
    "take, and learn from it which method is the fastest where: runs choose "  \
    "by that from then on. Learning needs Python with scikit-learn."

const char bosc_bench_about_tune[] = ABOUT;

static const bosc_options options = {
    .program = "bosc-bench",
    .command = "tune",
    .about = ABOUT,
    .notes = "It may be stopped at any time, and goes on where it was when it "
             "is started again.",
    .n = BOSC_LEN(rows),
    .rows = rows,
};

/* Run the words, a Python, a script and its arguments, then NULL; with 'quiet'
 * nothing of its standard output is printed.  False: it failed, and has said
 * why, or there is no such Python. */
static bool run_script(const char *const *words, bool quiet)
{
    char *text = NULL;
    int code = 0;
    const bosc_status st =
        bosc_command(words, false, &text, &code, &(bosc_error){""});

    if (st == BOSC_OK && !quiet && text[0] != '\0')
        puts(text);
    free(text);
    return st == BOSC_OK && code == 0;
}

/* Without the script's packages the measurements are still there. */
static bosc_status learn(const bosc_tune_request *request,
                         const bosc_tuned_files *files, bosc_error *err)
{
    const char *words[2 + BOSC_LEN(files->path) + 1] = {bosc_script_python()};
    char *script = NULL;
    const bosc_status st =
        bosc_script_find("bench/select/fit-selection", &script, err);

    words[1] = script;
    for (int k = 0; k < files->n; ++k)
        words[2 + k] = files->path[k];
    if (st == BOSC_OK && !run_script(words, request->quiet)) {
        fprintf(stderr, "bosc-bench tune: nothing was learned; learn from the "
                        "measurements with\n   ");
        for (int k = 0; words[k] != NULL; ++k)
            fprintf(stderr, " %s", words[k]);
        fprintf(stderr, "\n");
    }
    free(script);
    return st;
}

bosc_status bosc_bench_cmd_tune(int argc, char **argv, bosc_error *err)
{
    bosc_tune_request request = {.minutes = 5};
    bosc_tuned_files files = {0};
    bosc_arguments rest;
    bosc_status st =
        bosc_options_parse(&options, argc, argv, &request, &rest, err);

    if (st != BOSC_OK || rest.done)
        return st;
    if ((st = bosc_bench_refuse_ranks(err)) != BOSC_OK)
        return st;
    st = bosc_tune(&request, &files, err);
    if (st == BOSC_OK && files.n > 0 && !request.measure_only)
        st = learn(&request, &files, err);
    bosc_tuned_files_clear(&files);
    return st;
}
