/* cmd_generate.c - 'bosc generate': its command line. */
#include "src/cli/commands.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "src/morphology/synthetic.h"
#include "src/text/did_you_mean.h"
#include "src/text/options.h"

static bosc_status set_class(const bosc_option *option, const char *text,
                             void *out, bosc_error *err)
{
    bosc_synthetic_files *files = out;
    const char *names[BOSC_N_SYNTHETIC_CLASSES];
    char meant[200];

    for (int i = 0; i < BOSC_N_SYNTHETIC_CLASSES; ++i) {
        const bosc_synthetic_class *c = &bosc_synthetic_classes[i];

        names[i] = c->name;
        if (strcmp(c->name, text) == 0) {
            files->what.compartments = c->compartments;
            files->what.sections = c->sections;
            return BOSC_OK;
        }
    }
    return bosc_fail(err, BOSC_EUSAGE, "--%s %s: there is no such class; %s",
                     option->name, text,
                     bosc_did_you_mean(text, BOSC_LEN(names), names,
                                       "available:", meant, sizeof meant));
}

static void print_classes(FILE *file)
{
    fputs("\n  class         compartments  sections\n", file);
    for (int i = 0; i < BOSC_N_SYNTHETIC_CLASSES; ++i)
        fprintf(file, "  %-12s  %12" PRId32 "  %8" PRId32 "\n",
                bosc_synthetic_classes[i].name,
                bosc_synthetic_classes[i].compartments,
                bosc_synthetic_classes[i].sections);
}

#define FIELD(member) offsetof(bosc_synthetic_files, member)

static const bosc_option rows[] = {
    {"class", 0, "NAME", BOSC_OPTION_CALL, 0, .then = set_class,
     .help = "one of the sizes below"},
    {"compartments", 0, "N", BOSC_OPTION_INT32, FIELD(what.compartments), 1,
     INT32_MAX, .help = "number of compartments, at least 2 M + 1"},
    {"sections", 0, "M", BOSC_OPTION_INT32, FIELD(what.sections), 1, INT32_MAX,
     .help = "number of sections, at least 2; or 1 with 3 compartments"},
    {"seed", 0, "S", BOSC_OPTION_INT64, FIELD(what.seed), 0, 0x1p63,
     .help = "family of neurons"},
    {"number", 0, "K", BOSC_OPTION_INT64, FIELD(number), 0, 0x1p62,
     .help = "first neuron of the family (default 0)"},
    {"count", 0, "C", BOSC_OPTION_INT64, FIELD(count), 1, 0x1p62,
     .help = "number of neurons; several need -o FOLDER/"},
    {"output", 'o', "FILE", BOSC_OPTION_TEXT, FIELD(output),
     .help =
         "write FILE, or files synthetic-K.swc in FOLDER/ (default standard "
         "output)"},
};

static const bosc_options options = {
    .command = "generate",
    .about = "Make synthetic neurons that look like real ones, as SWC files.  "
             "Give --class, or --compartments and --sections.  With 'policy: "
             "per_sample' each neuron has exactly N compartments (zero-area "
             "ones included) in M sections (the soma is one).",
    .more = print_classes,
    .n = BOSC_LEN(rows),
    .rows = rows,
};

bosc_status bosc_cmd_generate(int argc, char **argv, bosc_error *err)
{
    bosc_synthetic_files files = {.what.seed = 1, .count = 1};
    bosc_arguments rest;
    bosc_status st =
        bosc_options_parse(&options, argc, argv, &files, &rest, err);

    if (st != BOSC_OK || rest.done)
        return st;
    if (files.what.compartments == 0 || files.what.sections == 0)
        return bosc_fail(err, BOSC_EUSAGE,
                         "no size; give --class NAME, or both --compartments N "
                         "and --sections M");
    st = bosc_synthetic_check(&files.what, err);
    return st == BOSC_OK ? bosc_synthetic_write_files(&files, err) : st;
}
