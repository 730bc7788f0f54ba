/* cmd_report.c - 'bosc report' and 'bosc plot': scripts in Python that read a
 * result.  They are looked for beside the program, where it was built; where it
 * was installed, also where that was moved to; and where it was to be
 * installed.
 */
#include "src/cli/commands.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"

/* The folder of this program into folder[PATH_MAX]; "" if it is not known. */
static void find_program(char *folder)
{
    const ssize_t n = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    char *end;

    folder[n > 0 ? n : 0] = '\0';
    end = strrchr(folder, '/');
    if (end != NULL)
        *end = '\0';
}

/* The path of a script, the caller's to free. */
static bosc_status find_script(const char *name, char **out, bosc_error *err)
{
    char folder[PATH_MAX];

    find_program(folder);

    char *places[] = {bosc_format("%s/jobs/%s", folder, name),
                      bosc_format("%s/../share/bosc/jobs/%s", folder, name),
                      bosc_format("%s/jobs/%s", BOSC_PKGDATADIR, name)};

    *out = NULL;
    for (size_t i = 0; i < BOSC_LEN(places); ++i)
        if (places[i] != NULL && *out == NULL && access(places[i], R_OK) == 0)
            *out = places[i];
        else
            free(places[i]);
    return *out != NULL
               ? BOSC_OK
               : bosc_fail(err, BOSC_EIO,
                           "its script %s is neither beside the program, in "
                           "%s/jobs, nor in %s/jobs; install bosc again with "
                           "'make install'",
                           name, folder, BOSC_PKGDATADIR);
}

/* Become the script, with the arguments of the command. */
static bosc_status run_script(const char *name, const char *command, int argc,
                              char **argv, bosc_error *err)
{
    const char *chosen = getenv("BOSC_PYTHON");
    const char *python =
        chosen != NULL && chosen[0] != '\0' ? chosen : "python3";
    char **words = bosc_alloc((size_t)argc + 2, sizeof *words);
    char *script = NULL;
    bosc_status st = words == NULL ? bosc_no_memory(err, "the arguments")
                                   : find_script(name, &script, err);

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
    return run_script("report-run", "bosc report", argc, argv, err);
}

bosc_status bosc_cmd_plot(int argc, char **argv, bosc_error *err)
{
    return run_script("plot-run", "bosc plot", argc, argv, err);
}
