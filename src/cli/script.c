#include "src/cli/script.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/cli/program.h"

bosc_status bosc_script_find(const char *name, char **out, bosc_error *err)
{
    char folder[PATH_MAX];

    bosc_program_folder(folder);

    char *places[] = {bosc_format("%s/%s", folder, name),
                      bosc_format("%s/../share/bosc/%s", folder, name),
                      bosc_format("%s/%s", BOSC_PKGDATADIR, name)};

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
                           "%s, nor in %s; install bosc again with 'make "
                           "install'",
                           name, folder, BOSC_PKGDATADIR);
}

const char *bosc_script_python(void)
{
    const char *chosen = getenv("BOSC_PYTHON");

    return chosen != NULL && chosen[0] != '\0' ? chosen : "python3";
}
