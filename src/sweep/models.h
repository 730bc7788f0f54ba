/* models.h - the published models that populations of a job name, before the
 * job itself is read.
 *
 * Serial code: no MPI; rank 0 calls it.
 */
#ifndef BOSC_SRC_SWEEP_MODELS_H
#define BOSC_SRC_SWEEP_MODELS_H

#include "src/base/status.h"
#include "src/text/options.h"

/* Read the files of all models that a job names, also in members of its sweep,
 * and put what they say behind its text (BOSC_JOB_MODELS), which is free()d and
 * made anew; a text that is no job stays as it is.  Errors name the line of the
 * job and the file of the model. */
bosc_status bosc_models_read(const char *path, const bosc_texts *set,
                             char **text, bosc_error *err);

/* Print what populations have of their models, a line each from a column on:
 * "model  cell: fit.json, morphology cell.swc, celsius 34 degC, ...". */
struct bosc_job;
void bosc_models_tell(const struct bosc_job *job, int column);

#endif
