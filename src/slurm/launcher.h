/* launcher.h - the program that is to start the ranks of a batch job.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_SLURM_LAUNCHER_H
#define BOSC_SRC_SLURM_LAUNCHER_H

#include "src/slurm/site.h"

/* Take the launcher of --launcher, NULL: the site's, and look for its program:
 * BOSC_EUSAGE, BOSC_EFORMAT where there is none.  A path is taken as it is, and
 * so is any where the job begins with modules or commands of the site: these
 * may bring it. */
bosc_status bosc_launcher_take(const char *option, bosc_site *site,
                               bosc_error *err);

#endif
