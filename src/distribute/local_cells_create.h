/* local_cells_create.h - read the morphologies of a job and divide its neurons.
 *
 * Reading is divided like everything else: every file is read and cut by one
 * rank (and one of its threads), all ranks learn its size, the neurons are
 * divided by what they cost, and each template travels to the ranks that have a
 * neuron of it.  So a file is read once in the whole job, and a template is
 * kept once on a rank.  Synthetic neurons, all different, are made where they
 * live.
 */
#ifndef BOSC_SRC_DISTRIBUTE_LOCAL_CELLS_CREATE_H
#define BOSC_SRC_DISTRIBUTE_LOCAL_CELLS_CREATE_H

#include "src/comm/comm.h"
#include "src/distribute/distribution.h"
#include "src/distribute/rank_speed.h"
#include "src/model/local_cells.h"
#include "src/model/template_table.h"

/* What is to be divided, and how. */
typedef struct bosc_local_cells_spec {
    const bosc_job *job;
    const bosc_gid_table *gid_table;

    /* Called once all ranks know the sizes of all templates: how fast ranks
     * are, which may depend on them.  Collective, like bosc_local_cells_create;
     * *out is the callee's, and outlives the call. */
    bosc_status (*speed)(void *what, const bosc_template_table *sizes,
                         const bosc_rank_speed **out, bosc_error *err);
    void *what;
} bosc_local_cells_spec;

/* Read, cut and divide, with OpenMP's threads.  Of several files that cannot be
 * read the message names the first in the gid table.  A job that cannot fit the
 * machine's memory is refused before any of it is taken.  Collective: every
 * rank returns BOSC_OK, or every rank the same status and message. */
bosc_status bosc_local_cells_create(const bosc_comm *comm,
                                    const bosc_local_cells_spec *spec,
                                    bosc_local_cells **out,
                                    bosc_distribution *about, bosc_error *err);

#endif
