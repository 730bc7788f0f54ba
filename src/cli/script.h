/* script.h - scripts in Python that belong to bosc, and run by its commands. */
#ifndef BOSC_SRC_CLI_SCRIPT_H
#define BOSC_SRC_CLI_SCRIPT_H

#include "src/base/status.h"

/* The path of a script, "jobs/plot-run", the caller's to free, as
 * bosc_path_of_bosc() finds it.  BOSC_EIO. */
bosc_status bosc_script_find(const char *name, char **out, bosc_error *err);

/* The Python to run it: $BOSC_PYTHON, or else "python3". */
const char *bosc_script_python(void);

/* Become the script, with n words behind its name, in the place of the command
 * "bosc plot", which begins its messages ($BOSC_COMMAND).  It finds this
 * program by $BOSC_PROGRAM.  Comes back only where that fails: BOSC_ENOSUP,
 * BOSC_EIO, BOSC_ENOMEM. */
bosc_status bosc_script_become(const char *name, const char *command, int n,
                               char *const *words, bosc_error *err);

#endif
