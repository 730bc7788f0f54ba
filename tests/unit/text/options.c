/* The options of a command: values, and the messages of those refused. */
#include <stdlib.h>
#include <string.h>

#include "src/base/status.h"
#include "src/text/options.h"
#include "tests/lib/tap.h"

enum { MOST_WORDS = 6 };

typedef struct request {
    const char *output;
    bosc_texts set;
    int32_t ranks;
    int64_t seed;
    double length, memory;
    int precision;
    bool quiet, called;
} request;

static const char *const precisions[] = {"fp64", "fp32"};

static bosc_status refuse_bad(const bosc_option *option, const char *text,
                              void *out, bosc_error *err)
{
    if (strcmp(text, "bad") == 0)
        return bosc_fail(err, BOSC_EUSAGE, "--%s is bad", option->name);
    ((request *)out)->called = true;
    return BOSC_OK;
}

static void print_keys(FILE *file)
{
    fputs("# keys\n", file);
}

#define FIELD(member) offsetof(request, member)

static const bosc_option rows[] = {
    {"output", 'o', "FILE", BOSC_OPTION_TEXT, FIELD(output), .help = "output"},
    {"quiet", 'q', NULL, BOSC_OPTION_FLAG, FIELD(quiet), .help = "quiet"},
    {"set", 's', "KEY=VALUE", BOSC_OPTION_TEXTS, FIELD(set), .help = "set"},
    {"ranks", 0, "N", BOSC_OPTION_INT32, FIELD(ranks), 1, 64, .help = "ranks"},
    {"seed", 0, "S", BOSC_OPTION_INT64, FIELD(seed), 0, 0x1p63, .help = "seed"},
    {"length", 0, "UM", BOSC_OPTION_REAL, FIELD(length), 0.5, 100,
     .help = "length"},
    {"memory", 0, "BYTES", BOSC_OPTION_BYTES, FIELD(memory), .help = "memory"},
    {"precision", 0, "NAME", BOSC_OPTION_CHOICE, FIELD(precision), 0, 1,
     .help = "precision", .choices = precisions},
    {"call", 0, "WORD", BOSC_OPTION_CALL, 0, .help = "call",
     .then = refuse_bad},
    {"keys", 0, NULL, BOSC_OPTION_PRINT, 0, .help = "keys",
     .print = print_keys},
    {"np", 0, NULL, BOSC_OPTION_ABSENT, .help = "use the launcher"},
    {"other", 0, NULL, BOSC_OPTION_FLAG, FIELD(called), .help = "other",
     .commands = 2},
};

static const bosc_options run = {.command = "run",
                                 .argument = "JOB.yaml",
                                 .about = "Run a job.",
                                 .n = BOSC_LEN(rows),
                                 .rows = rows,
                                 .commands = 1};

static bosc_status parse(const bosc_options *options,
                         const char *const words[MOST_WORDS], request *out,
                         bosc_arguments *rest, bosc_error *err)
{
    static char *argv[MOST_WORDS + 1]; /* 'rest' points into it */
    int argc = 0;

    memset(argv, 0, sizeof argv);
    for (; argc < MOST_WORDS && words[argc] != NULL; ++argc)
        argv[argc] = (char *)words[argc];
    *out = (request){.ranks = 1};
    err->text[0] = '\0';
    return bosc_options_parse(options, argc, argv, out, rest, err);
}

static void test_values(void)
{
    static const struct {
        const char *text;
        double bytes;
    } amounts[] = {{"141GB", 141e9}, {"24 GiB", 24 * 0x1p30},
                   {"1e9", 1e9},     {"512k", 512e3},
                   {"2TB", 2e12},    {"GB", 0},
                   {"-1GB", 0},      {"3XB", 0},
                   {"0", 0},         {"1GBx", 0},
                   {"2", 0},         {"1e6", 1e6}};
    const bosc_options any = {
        .command = "run", .n = BOSC_LEN(rows), .rows = rows, .commands = 2};
    bosc_arguments rest;
    bosc_error err;
    request r;

    for (size_t i = 0; i < BOSC_LEN(amounts); ++i) {
        const bosc_status st = parse(
            &any,
            (const char *[MOST_WORDS]){"run", "--memory", amounts[i].text}, &r,
            &rest, &err);

        ok(amounts[i].bytes == 0
               ? st == BOSC_EUSAGE
               : st == BOSC_OK && r.memory == amounts[i].bytes,
           "--memory '%s' is %s", amounts[i].text,
           amounts[i].bytes == 0 ? "refused" : "understood");
    }
    ok(parse(&run,
             (const char *[MOST_WORDS]){"run", "-qsa=1", "job", "--set", "b=2",
                                        "--ranks=1e1"},
             &r, &rest, &err) == BOSC_OK &&
           r.quiet && r.set.n == 2 && strcmp(r.set.text[0], "a=1") == 0 &&
           strcmp(r.set.text[1], "b=2") == 0 && r.ranks == 10 && rest.n == 1 &&
           strcmp(rest.word[0], "job") == 0,
       "letters, long options, lists and arguments are read in any order");
    free(r.set.text);
    ok(parse(&run,
             (const char *[MOST_WORDS]){"run", "job", "--seed",
                                        "9223372036854775807", "--prec",
                                        "fp32"},
             &r, &rest, &err) == BOSC_OK &&
           r.seed == INT64_MAX && r.precision == 1,
       "whole numbers have 64 bits, and names of options may be cut");
    ok(parse(&any,
             (const char *[MOST_WORDS]){"run", "--length", "2.385", "--call",
                                        "good"},
             &r, &rest, &err) == BOSC_OK &&
           r.length == 2.385 && r.called,
       "reals are read, and functions of options called");
    ok(parse(&any, (const char *[MOST_WORDS]){"run", "--other"}, &r, &rest,
             &err) == BOSC_OK &&
           r.called,
       "a row of another command is of that command alone");
    fflush(stdout);
    ok(parse(&run, (const char *[MOST_WORDS]){"run", "--ranks", "x", "--keys"},
             &r, &rest, &err) == BOSC_OK &&
           rest.done,
       "what only prints goes before the values of others");
}

static const struct {
    const char *what, *words[MOST_WORDS];
    const char *message;
} cases[] = {
    {"a letter alone",
     {"run", "-x"},
     "-x: no such option; see bosc run --help"},
    {"a letter before others",
     {"run", "-xq", "job"},
     "-x: no such option; see bosc run --help"},
    {"a letter after others",
     {"run", "-qx", "job"},
     "-x: no such option; see bosc run --help"},
    {"a letter among others",
     {"run", "-qxq", "job"},
     "-x: no such option; see bosc run --help"},
    {"a letter behind a long option",
     {"run", "--quiet", "-xq"},
     "-x: no such option; see bosc run --help"},
    {"a letter behind the job",
     {"run", "job", "-xq"},
     "-x: no such option; see bosc run --help"},
    {"a letter without its value",
     {"run", "-qo"},
     "-o: needs a value; see bosc run --help"},
    {"a letter beyond ASCII",
     {"run", "-\u00e9"},
     "-\u00e9: no such option; see bosc run --help"},
    {"a word",
     {"run", "--frob", "job"},
     "--frob: no such option; see bosc run --help"},
    {"a word behind the job",
     {"run", "job", "--frob=1"},
     "--frob=1: no such option; see bosc run --help"},
    {"a word without its value",
     {"run", "job", "--output"},
     "--output: needs a value; see bosc run --help"},
    {"a word whose code is no letter",
     {"run", "--ranks"},
     "--ranks: needs a value; see bosc run --help"},
    {"a word with a value too many",
     {"run", "--quiet=1", "job"},
     "--quiet=1: takes no value; see bosc run --help"},
    {"a mistyped word",
     {"run", "--ouptut", "a.nc"},
     "--ouptut: no such option; did you mean '--output'?"},
    {"a mistyped word with its value",
     {"run", "--rnaks=3"},
     "--rnaks=3: no such option; did you mean '--ranks'?"},
    {"two words in one",
     {"run", "--qu-iet"},
     "--qu-iet: no such option; did you mean '--quiet'?"},
    {"an option of another command",
     {"run", "--other"},
     "--other: no such option; see bosc run --help"},
    {"an option that users may try",
     {"run", "--np", "4", "job"},
     "--np: no such option; use the launcher"},
    {"the same with its value",
     {"run", "job", "--np=4"},
     "--np: no such option; use the launcher"},
    {"a word like it",
     {"run", "--npp"},
     "--npp: no such option; see bosc run --help"},
    {"bytes without a unit",
     {"run", "--memory", "2"},
     "--memory 2: the unit is missing; write it such as 2GB"},
    {"a number out of range",
     {"run", "--ranks", "65"},
     "--ranks 65: not a whole number from 1 to 64"},
    {"a number below the range",
     {"run", "--seed", "-1"},
     "--seed -1: not a whole number from 0 on"},
    {"a length out of range",
     {"run", "--length", "0.4"},
     "--length 0.4: not a number from 0.5 to 100"},
    {"an unknown choice",
     {"run", "--precision", "fp16"},
     "--precision fp16: unknown; available: fp64, fp32"},
    {"a value that a function refuses",
     {"run", "--call", "bad"},
     "--call is bad"},
    {"a missing argument",
     {"run", "-q"},
     "JOB.yaml is missing; usage: bosc run JOB.yaml [OPTION]..."},
    {"a second argument",
     {"run", "a", "b"},
     "unexpected argument 'b'; give one JOB.yaml"},
};

int main(void)
{
    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        bosc_arguments rest;
        bosc_error err;
        request r;
        const bosc_status st = parse(&run, cases[i].words, &r, &rest, &err);

        if (!ok(st == BOSC_EUSAGE && strcmp(err.text, cases[i].message) == 0,
                "%s is named as written, with a remedy", cases[i].what))
            diag("%s", err.text);
    }
    test_values();
    return done_testing();
}
