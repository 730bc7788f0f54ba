/* parts.h - whose state a checkpoint has. */
#ifndef BOSC_SRC_CHECKPOINT_PARTS_H
#define BOSC_SRC_CHECKPOINT_PARTS_H

#include "src/batch/batch_build.h"
#include "src/comm/comm.h"

/* All owned by the caller. */
typedef struct bosc_checkpoint_parts {
    const bosc_comm *comm;
    int64_t n_neurons; /* of all ranks */
    const bosc_job *job;
    const bosc_local_cells *cells;
    bosc_built_batch *built; /* as an engine's download() leaves it */
} bosc_checkpoint_parts;

#endif
