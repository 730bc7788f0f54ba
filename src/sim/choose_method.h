/* choose_method.h - which method a run takes, and which formats its couplings
 * have, and 'bosc plan' says: both ask here.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_SIM_CHOOSE_METHOD_H
#define BOSC_SRC_SIM_CHOOSE_METHOD_H

#include "src/model/template_table.h"
#include "src/select/choose.h"
#include "src/select/choose_format.h"

/* The ranks that a method is chosen for: those with a GPU where others compute
 * on CPUs 'beside' them, or all. */
int32_t bosc_choose_ranks(int32_t ranks, int32_t beside);

/* For one of so many ranks (bosc_choose_ranks) of so many threads; the sizes of
 * all templates are known.  formats[n_couplings] of the job, NULL: only the
 * method.  BOSC_ENOMEM, BOSC_EVALUE as bosc_workload_create(). */
bosc_status bosc_choose_method(const bosc_template_table *sizes, int32_t ranks,
                               int threads, bosc_choice *out,
                               bosc_format_choice *formats, bosc_error *err);

#endif
