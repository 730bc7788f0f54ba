/* cmd_import.c - 'bosc import': its command line. */
#include "src/cli/commands.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/import/import.h"
#include "src/text/did_you_mean.h"
#include "src/text/options.h"

#define FIELD(member) offsetof(bosc_import_how, member)

static const bosc_option rows[] = {
    {"output", 'o', "FILE", BOSC_OPTION_TEXT, FIELD(job),
     .help = "write the job to FILE, '-': standard output (default: a file "
             "beside the source, which must not be there yet)"},
    {"morphology", 0, "FILE", BOSC_OPTION_TEXT, FIELD(morphology),
     .help = "the morphology (default: the one that the source names, or that "
             "lies beside it)"},
    {"mechanisms", 0, "DIR", BOSC_OPTION_TEXT, FIELD(mechanisms),
     .help = "the folder of mod files (default: modfiles, mechanisms, "
             "mechanism, mods or mod beside the source)"},
    {"values", 0, "FILE", BOSC_OPTION_TEXT, FIELD(values),
     .help = "values of the free parameters, as final.json has them: "
             "{\"gbar_x.somatic\": 0.1}"},
    {"model", 0, "NAME", BOSC_OPTION_TEXT, FIELD(model),
     .help = "which of several models of a recipes.json or final.json"},
    {"axon", 0, "RULE", BOSC_OPTION_TEXT, FIELD(axon),
     .help = "the rule that replaces the axon, 'none': it stays (default: what "
             "the tools of the source do)"},
};

static const bosc_options options = {
    .command = "import",
    .argument = "KIND SOURCE [MORPHOLOGY]",
    .many = true,
    .about =
        "Make a job of a model of a cell that others have published.  KIND and "
        "SOURCE are:\n"
        "  allen FIT.json   a fit of the Allen Cell Types Database\n"
        "  bbp PACKAGE      EModelRunner's folder or config.ini, "
        "BluePyEModel's\n"
        "                   folder or recipes.json, or a JSON file of "
        "parameters\n"
        "  bluepyopt DIR    a folder as BluePyOpt's examples/l5pc",
    .notes = "Comments in the job say where it comes from, which licence lies "
             "there, which rule the axon gets and why, and what was left out.  "
             "The step of current is an example.  What a job cannot say is an "
             "error with file, line, path, value and remedy.",
    .n = BOSC_LEN(rows),
    .rows = rows,
};

static bosc_status read_words(const bosc_arguments *words, bosc_import_how *how,
                              bosc_error *err)
{
    char meant[200];

    for (int k = 0; k < BOSC_N_IMPORT_KINDS; ++k)
        if (strcmp(words->word[0], bosc_import_kinds[k]) == 0) {
            how->kind = (bosc_import_kind)k;
            if (words->n < 2)
                return bosc_fail(err, BOSC_EUSAGE,
                                 "%s: no source; 'bosc import --help' shows "
                                 "what it is",
                                 words->word[0]);
            if (words->n > 3 || (words->n == 3 && how->morphology != NULL))
                return bosc_fail(err, BOSC_EUSAGE, "'%s' is one word too many",
                                 words->word[words->n - 1]);
            how->source = words->word[1];
            if (words->n == 3)
                how->morphology = words->word[2];
            return BOSC_OK;
        }
    return bosc_fail(
        err, BOSC_EUSAGE, "'%s' is no kind of source; %s", words->word[0],
        bosc_did_you_mean(words->word[0], BOSC_N_IMPORT_KINDS,
                          bosc_import_kinds, "there are", meant, sizeof meant));
}

static bosc_status write_job(const char *path, bool is_new, const char *text,
                             bosc_error *err)
{
    const bool is_output = strcmp(path, "-") == 0;
    FILE *file = is_output ? stdout : fopen(path, is_new ? "wx" : "w");
    bool failed;

    if (file == NULL && errno == EEXIST)
        return bosc_fail(err, BOSC_EIO,
                         "%s: is there already; choose another file with -o, "
                         "or name this one with it to replace it",
                         path);
    if (file == NULL)
        return bosc_fail(err, BOSC_EIO, "%s: %s", path, strerror(errno));
    failed = fputs(text, file) < 0;
    if (is_output)
        return BOSC_OK; /* main looks at it in the end */
    failed = fclose(file) != 0 || failed;
    if (failed)
        return bosc_fail(err, BOSC_EIO, "%s: %s", path, strerror(errno));
    printf("%s\n", path);
    return BOSC_OK;
}

bosc_status bosc_cmd_import(int argc, char **argv, bosc_error *err)
{
    bosc_import_how how = {0};
    char *command = bosc_command_line("bosc", argc, argv);
    char *job = NULL, *text = NULL;
    bosc_arguments words;
    bosc_status st =
        bosc_options_parse(&options, argc, argv, &how, &words, err);

    how.command = command == NULL ? "bosc import" : command;
    if (st == BOSC_OK && !words.done) {
        st = read_words(&words, &how, err);
        if (st == BOSC_OK)
            st = bosc_import_text(&how, &job, &text, err);
        if (st == BOSC_OK)
            st = write_job(job, how.job == NULL, text, err);
    }
    free(command);
    free(job);
    free(text);
    return st;
}
