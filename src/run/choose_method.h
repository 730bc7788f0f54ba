/* choose_method.h - which method a run takes, and which formats its couplings
 * have, and 'bosc plan' says: both ask here.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_RUN_CHOOSE_METHOD_H
#define BOSC_SRC_RUN_CHOOSE_METHOD_H

#include "src/model/template_table.h"
#include "src/select/choose.h"
#include "src/select/choose_format.h"

/* For one of 'ranks' ranks of so many threads, where all are alike, or on a GPU
 * of those that have one; the sizes of all templates are known.
 * formats[n_couplings] of the job, NULL: only the method.  BOSC_ENOMEM,
 * BOSC_EVALUE as bosc_workload_create(). */
bosc_status bosc_choose_method(const bosc_template_table *sizes, int32_t ranks,
                               int threads, bosc_choice *out,
                               bosc_format_choice *formats, bosc_error *err);

#endif
