/* array.h - the elements of a batch job that is an array: element k runs group
 * k of a sweep (bosc run --group k).
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_SLURM_ARRAY_H
#define BOSC_SRC_SLURM_ARRAY_H

#include <stdbool.h>

#include "src/slurm/record.h"

/* Was the job submitted as an array? */
bool bosc_is_array(const bosc_record *record);

/* Print a pattern of the logs of an array, and the log of each element that has
 * failed: it began, SLURM has it no longer, nobody writes its result, and that
 * is missing, unfinished or has members that failed. */
bosc_status bosc_array_print(const bosc_record *record, bosc_error *err);

#endif
