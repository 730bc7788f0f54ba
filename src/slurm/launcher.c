#include "src/slurm/launcher.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/text/did_you_mean.h"

/* Is there a program of that name in a folder of PATH, which a batch job
 * inherits? */
static bool is_program(const char *name)
{
    const char *at = getenv("PATH");
    bool found = false;

    while (at != NULL && !found) {
        const int n = (int)strcspn(at, ":");
        char *path = bosc_format("%.*s/%s", n, at, name);

        found = path == NULL || access(path, X_OK) == 0;
        free(path);
        at = at[n] == ':' ? at + n + 1 : NULL;
    }
    return found;
}

static bosc_status check(const char *where, bosc_status wrong,
                         const bosc_site *site, bosc_error *err)
{
    static const char *const known[] = {"srun", "mpiexec"}; /* of the script */
    const size_t n = strcspn(site->launcher, " ");
    const char *near;
    char name[100];
    bool found = n == 0 || n >= sizeof name || site->modules != NULL ||
                 site->commands != NULL;

    if (found)
        return BOSC_OK;
    memcpy(name, site->launcher, n);
    name[n] = '\0';
    found = strchr(name, '/') != NULL || is_program(name);
    for (size_t k = 0; k < BOSC_LEN(known); ++k)
        found = found || strcmp(name, known[k]) == 0;
    if (found)
        return BOSC_OK;
    near = bosc_suggest(name, BOSC_LEN(known), known);
    return bosc_fail(err, wrong,
                     "%s '%s': there is no program '%s' in PATH; %s%s%sa "
                     "launcher is srun, mpiexec, or the command line of "
                     "another; write the path of one that only compute nodes "
                     "have",
                     where, site->launcher, name,
                     near != NULL ? "did you mean '" : "",
                     near != NULL ? near : "", near != NULL ? "'? " : "");
}

bosc_status bosc_launcher_take(const char *option, bosc_site *site,
                               bosc_error *err)
{
    if (option != NULL) {
        free(site->launcher);
        site->launcher = bosc_strdup(option);
        return site->launcher != NULL
                   ? check("--launcher", BOSC_EUSAGE, site, err)
                   : bosc_no_memory(err, "the script");
    }
    return site->launcher != NULL
               ? check(site->launcher_where, BOSC_EFORMAT, site, err)
               : BOSC_OK;
}
