/* main.c - the program bosc-bench: how fast solvers, products and time loops
 * are, and measurements that the choice of a method is learned from.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands.h"
#include "config.h"
#include "src/cli/program.h"
#include "src/mpi/launcher.h"
#include "src/text/did_you_mean.h"
#include "src/text/wrap.h"

static const char program[] = "bosc-bench";

static const struct {
    const char *name;
    bosc_status (*run)(int argc, char **argv, bosc_error *err);
} commands[] = {
    {"solve", bosc_bench_cmd_measure},   {"papers", bosc_bench_cmd_measure},
    {"tridiag", bosc_bench_cmd_tridiag}, {"spmv", bosc_bench_cmd_measure},
    {"loop", bosc_bench_cmd_measure},    {"tune", bosc_bench_cmd_tune},
};

static void print_help(FILE *file)
{
    fputs("usage: bosc-bench COMMAND [OPTION]...\n\n", file);
    for (size_t i = 0; i < BOSC_LEN(commands); ++i) {
        bosc_wrap w = bosc_wrap_begin(file, 12, "  %s", commands[i].name);

        bosc_wrap_add(&w, " %s", bosc_bench_about(commands[i].name));
        bosc_wrap_end(&w);
    }
    fputs("\n'bosc-bench COMMAND --help' shows the options; the manual is "
          "bosc-bench(1).\n",
          file);
}

static bosc_status refuse(const char *word, bosc_error *err)
{
    const char *names[BOSC_LEN(commands)];
    char meant[200];

    for (size_t i = 0; i < BOSC_LEN(commands); ++i)
        names[i] = commands[i].name;
    return bosc_fail(
        err, BOSC_EUSAGE, "'%s' is not a command; %s", word,
        bosc_did_you_mean(word + strspn(word, "-"), BOSC_LEN(names), names,
                          "the commands are", meant, sizeof meant));
}

/* All ranks have the message of a failure, and the first one prints it: before
 * a launcher ends all, since one has ended. */
static int end(const char *command, bosc_status st, bosc_error *err)
{
    if (!bosc_launched_first())
        err->text[0] = '\0';
    return bosc_program_end(program, command, st, err);
}

int main(int argc, char **argv)
{
    bosc_error err = {""};
    bosc_status st = BOSC_OK;

    bosc_program_begin();
    bosc_program_turn_help(argc, argv);
    if (!bosc_launched_first() && freopen("/dev/null", "w", stdout) == NULL)
        return EXIT_FAILURE; /* only the first rank prints */

    const char *name = argc > 1 ? argv[1] : "--help";

    for (size_t i = 0; i < BOSC_LEN(commands); ++i)
        if (strcmp(name, commands[i].name) == 0)
            return end(name, commands[i].run(argc - 1, argv + 1, &err), &err);
    if (strcmp(name, "--version") == 0) {
        printf("%s %s\n", program, PACKAGE_VERSION);
    } else if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 ||
               strcmp(name, "-h") == 0) {
        print_help(argc > 1 ? stdout : stderr);
        st = argc > 1 ? BOSC_OK : BOSC_EUSAGE;
    } else {
        st = refuse(name, &err);
    }
    return end(NULL, st, &err);
}
