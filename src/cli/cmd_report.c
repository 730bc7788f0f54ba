/* cmd_report.c - 'bosc report' and 'bosc plot': scripts in Python that read a
 * result.
 */
#include "src/cli/commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/cli/script.h"

/* Become the script, with the arguments of the command. */
static bosc_status run_script(const char *name, const char *command, int argc,
                              char **argv, bosc_error *err)
{
    const char *python = bosc_script_python();
    char **words = bosc_alloc((size_t)argc + 2, sizeof *words);
    char *script = NULL;
    bosc_status st = words == NULL ? bosc_no_memory(err, "the arguments")
                                   : bosc_script_find(name, &script, err);

    if (st == BOSC_OK) {
        words[0] = (char *)python;
        words[1] = script;
        memcpy(words + 2, argv + 1, (size_t)(argc - 1) * sizeof *words);
        setenv("BOSC_COMMAND", command, 1);
        execvp(python, words);
        st = bosc_fail(err, BOSC_ENOSUP,
                       "cannot start %s: %s; install Python with its packages "
                       "(Debian, Ubuntu: apt install python3-netcdf4 "
                       "python3-matplotlib), or name another one in the "
                       "environment: BOSC_PYTHON=/usr/bin/python3 %s ...",
                       python, strerror(errno), command);
    }
    free(words);
    free(script);
    return st;
}

bosc_status bosc_cmd_report(int argc, char **argv, bosc_error *err)
{
    return run_script("jobs/report-run", "bosc report", argc, argv, err);
}

bosc_status bosc_cmd_plot(int argc, char **argv, bosc_error *err)
{
    return run_script("jobs/plot-run", "bosc plot", argc, argv, err);
}
