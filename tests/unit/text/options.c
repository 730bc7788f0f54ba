/* t_option.c - what is said of a refused option. */
#include <getopt.h>
#include <string.h>

#include "src/base/status.h"
#include "src/text/options.h"
#include "tests/lib/tap.h"

enum { MOST_WORDS = 6 };

static const struct option options[] = {
    {"output", required_argument, NULL, 'o'},
    {"quiet", no_argument, NULL, 'q'},
    {"ranks", required_argument, NULL, 256},
    {NULL, 0, NULL, 0},
};

/* What getopt_long() returns at the first option it refuses, 0: none. */
static int refuse(int argc, char **argv)
{
    int code;

    optind = 0;
    opterr = 0;
    while ((code = getopt_long(argc, argv, ":o:q", options, NULL)) != -1)
        if (code == '?' || code == ':')
            return code;
    return 0;
}

int main(void)
{
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
    };

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        char *argv[MOST_WORDS + 1] = {NULL};
        bosc_error err = {""};
        int argc = 0;

        for (; cases[i].words[argc] != NULL; ++argc)
            argv[argc] = (char *)cases[i].words[argc];
        const int code = refuse(argc, argv);
        const bosc_status st = bosc_option_fail(code, argv, options, &err);

        if (!ok(code != 0 && st == BOSC_EUSAGE &&
                    strcmp(err.text, cases[i].message) == 0,
                "%s is named as written, with a remedy", cases[i].what))
            diag("%s", err.text);
    }
    return done_testing();
}
