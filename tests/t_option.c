/* t_option.c - the name of a refused option, as it was written. */
#include <getopt.h>
#include <string.h>

#include "src/option.h"
#include "src/status.h"
#include "tests/tap.h"

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
        int code;
        const char *name;
    } cases[] = {
        {"a letter alone", {"run", "-x"}, '?', "-x"},
        {"a letter before others", {"run", "-xq", "job"}, '?', "-x"},
        {"a letter after others", {"run", "-qx", "job"}, '?', "-x"},
        {"a letter among others", {"run", "-qxq", "job"}, '?', "-x"},
        {"a letter behind a long option", {"run", "--quiet", "-xq"}, '?', "-x"},
        {"a letter behind the job", {"run", "job", "-xq"}, '?', "-x"},
        {"a letter without its value", {"run", "-qo"}, ':', "-o"},
        {"a letter beyond ASCII", {"run", "-\u00e9"}, '?', "-\u00e9"},
        {"a word", {"run", "--frob", "job"}, '?', "--frob"},
        {"a word behind the job", {"run", "job", "--frob=1"}, '?', "--frob=1"},
        {"a word without its value",
         {"run", "job", "--output"},
         ':',
         "--output"},
        {"a word whose code is no letter", {"run", "--ranks"}, ':', "--ranks"},
        {"a word with a value too many",
         {"run", "--quiet=1", "job"},
         '?',
         "--quiet=1"},
    };

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        char *argv[MOST_WORDS + 1] = {NULL}, letter[3];
        int argc = 0;

        for (; cases[i].words[argc] != NULL; ++argc)
            argv[argc] = (char *)cases[i].words[argc];
        const int code = refuse(argc, argv);
        const char *name = code != 0 ? bosc_option_refused(argv, letter) : "";

        if (!ok(code == cases[i].code && strcmp(name, cases[i].name) == 0,
                "%s is named as written", cases[i].what))
            diag("'%s'", name);
    }
    return done_testing();
}
