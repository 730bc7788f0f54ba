/* command.h - a command of SLURM, and what it prints.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_SLURM_COMMAND_H
#define BOSC_SRC_SLURM_COMMAND_H

#include <stdbool.h>

#include "src/base/status.h"

/* Run argv[0] .. NULL, found along PATH, without input.  *text is what it
 * prints on standard output, without the last end of line, to be free()d; what
 * it says on standard error goes to ours, or nowhere where 'quiet'.  *code is
 * its exit status, 127 where there is no such command; *text is then empty. */
bosc_status bosc_command(const char *const *argv, bool quiet, char **text,
                         int *code, bosc_error *err);

#endif
