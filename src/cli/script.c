#include "src/cli/script.h"

#include <limits.h>
#include <stdlib.h>

#include "src/text/path.h"

bosc_status bosc_script_find(const char *name, char **out, bosc_error *err)
{
    char folder[PATH_MAX];

    *out = bosc_path_of_bosc(name);
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
