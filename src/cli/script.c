#include "src/cli/script.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/text/path.h"

bosc_status bosc_script_find(const char *name, char **out, bosc_error *err)
{
    char folder[PATH_MAX];

    if (!bosc_path_of_bosc(name, out))
        return bosc_no_memory(err, name);
    if (*out != NULL)
        return BOSC_OK;
    bosc_path_program_folder(folder);
    return bosc_fail(err, BOSC_EIO,
                     "its script %s is neither beside the program, in %s, nor "
                     "in %s; install bosc again with 'make install'",
                     name, folder, BOSC_PKGDATADIR);
}

const char *bosc_script_python(void)
{
    const char *chosen = getenv("BOSC_PYTHON");

    return chosen != NULL && chosen[0] != '\0' ? chosen : "python3";
}

bosc_status bosc_script_become(const char *name, const char *command, int n,
                               char *const *words, bosc_error *err)
{
    const char *python = bosc_script_python();
    char **all = bosc_alloc((size_t)n + 3, sizeof *all);
    char folder[PATH_MAX], program[PATH_MAX + 6];
    char *script = NULL;
    bosc_status st = all == NULL ? bosc_no_memory(err, "the arguments")
                                 : bosc_script_find(name, &script, err);

    if (st == BOSC_OK) {
        all[0] = (char *)python;
        all[1] = script;
        memcpy(all + 2, words, (size_t)n * sizeof *all);
        bosc_path_program_folder(folder);
        snprintf(program, sizeof program, "%s/bosc", folder);
        setenv("BOSC_COMMAND", command, 1);
        setenv("BOSC_PROGRAM", program, 1);
        execvp(python, all);
        st = bosc_fail(err, BOSC_ENOSUP,
                       "cannot start %s: %s; install Python with its packages "
                       "(Debian, Ubuntu: apt install python3-netcdf4 "
                       "python3-matplotlib), or name another one in the "
                       "environment: BOSC_PYTHON=/usr/bin/python3 %s ...",
                       python, strerror(errno), command);
    }
    free(all);
    free(script);
    return st;
}
