/* status.h - 'bosc status': the state of a job, from SLURM where it knows
 * something, and from the files of the run.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_SLURM_STATUS_H
#define BOSC_SRC_SLURM_STATUS_H

#include "src/base/status.h"

/* Print the state of a job: 'what' is the number of a batch job, a result, or a
 * job file, of which the last submission counts; NULL: a line for each of the
 * last jobs submitted. */
bosc_status bosc_status_print(const char *what, bosc_error *err);

#endif
