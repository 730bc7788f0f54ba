/* cmd_former.c - 'bosc bench' and 'bosc tune', which are commands of bosc-bench
 * now, and 'bosc bench machine', now 'bosc calibrate'.
 *
 * For one release they tell the new command and become it.
 */
#include "src/cli/commands.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/mpi/launcher.h"
#include "src/text/path.h"

/* Tell the new command, once for all ranks. */
static void tell(const char *old, const char *new)
{
    if (bosc_launched_first())
        fprintf(stderr,
                "bosc: '%s' is now '%s'; the next release has only the new "
                "command\n",
                old, new);
}

/* Become the program bosc-bench, with words[] behind its name, then NULL. */
static bosc_status become_bench(char **words, bosc_error *err)
{
    char folder[PATH_MAX];

    bosc_path_program_folder(folder);

    char *beside = bosc_format("%s/bosc-bench", folder);

    if (beside == NULL)
        return bosc_no_memory(err, "a path");
    if (access(beside, X_OK) == 0)
        execv(beside, words);
    free(beside);
    execvp("bosc-bench", words);
    return bosc_fail(err, BOSC_ENOSUP,
                     "the program bosc-bench, which has this command now, is "
                     "neither in %s nor in PATH; install bosc again with 'make "
                     "install'",
                     folder);
}

bosc_status bosc_cmd_former(int argc, char **argv, bosc_error *err)
{
    const bool tune = strcmp(argv[0], "tune") == 0;
    const bool named = !tune && argc > 1 && argv[1][0] != '-';

    if (named && strcmp(argv[1], "machine") == 0) {
        static char name[] = "calibrate";

        tell("bosc bench machine", "bosc calibrate");
        argv[1] = name;
        return bosc_cmd_calibrate(argc - 1, argv + 1, err);
    }

    char **words = bosc_alloc((size_t)argc + 2, sizeof *words);
    char *old = bosc_format("bosc %s%s%s", argv[0], named ? " " : "",
                            named ? argv[1] : "");
    char *new = bosc_format("bosc-bench%s%s", tune || named ? " " : "",
                            tune    ? "tune"
                            : named ? argv[1]
                                    : "");
    bosc_status st = words == NULL || old == NULL || new == NULL
                         ? bosc_no_memory(err, "the arguments")
                         : BOSC_OK;

    if (st == BOSC_OK) {
        static char program[] = "bosc-bench";

        words[0] = program;
        memcpy(words + 1, argv + !tune, (size_t)(argc - !tune) * sizeof *words);
        tell(old, new);
        st = become_bench(words, err);
    }
    free(words);
    free(old);
    free(new);
    return st;
}
