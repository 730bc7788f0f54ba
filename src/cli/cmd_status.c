/* cmd_status.c - 'bosc status': its command line. */
#include "src/slurm/status.h"

#include <stddef.h>

#include "src/cli/commands.h"
#include "src/text/options.h"

static const bosc_options options = {
    .command = "status",
    .argument = "[ID|FILE.nc|JOB.yaml]",
    .optional = true,
    .about = "Show the state of a job: SLURM's queue, progress, "
             "expected end, checkpoint and result.  ID is the number of a "
             "batch job; of a result or a job file the last submission counts. "
             " Without an argument the last jobs submitted are listed.",
    .notes = "Without SLURM, and for jobs that were not submitted by 'bosc "
             "submit', it looks at the files beside the result alone.",
};

bosc_status bosc_cmd_status(int argc, char **argv, bosc_error *err)
{
    bosc_arguments what;
    const bosc_status st =
        bosc_options_parse(&options, argc, argv, &(int){0}, &what, err);

    if (st != BOSC_OK || what.done)
        return st;
    return bosc_status_print(what.n > 0 ? what.word[0] : NULL, err);
}
