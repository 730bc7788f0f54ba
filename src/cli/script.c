#include "src/cli/script.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/slurm/command.h"

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

bosc_status bosc_script_find(const char *name, char **out, bosc_error *err)
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

const char *bosc_script_python(void)
{
    const char *chosen = getenv("BOSC_PYTHON");

    return chosen != NULL && chosen[0] != '\0' ? chosen : "python3";
}

bool bosc_script_run(const char *const *words, bool quiet)
{
    char *text = NULL;
    int code = 0;
    const bosc_status st =
        bosc_command(words, false, &text, &code, &(bosc_error){""});

    if (st == BOSC_OK && !quiet && text[0] != '\0')
        puts(text);
    free(text);
    return st == BOSC_OK && code == 0;
}
