/* mechanisms.h - the mechanisms that a job brings along (src/mods/), before the
 * job itself is read. */
#ifndef BOSC_SRC_SIM_MECHANISMS_H
#define BOSC_SRC_SIM_MECHANISMS_H

#include "kernels/batch/batch.h"
#include "src/comm/comm.h"
#include "src/mods/mods.h"
#include "src/text/options.h"

/* A job's text, and what the command line sets. */
typedef struct bosc_job_source {
    const char *path, *text;
    const bosc_texts *set;
    bool told, shown; /* as in bosc_mods_how */
    bool every_isa;   /* built for all, for who changes BOSC_ISA later */
} bosc_job_source;

/* bosc_mods_how.isas for this process alone. */
uint64_t bosc_mechanisms_isas(void);

/* Find those of a job; isas as in bosc_mods_how.  The caller clears *mods, also
 * on failure. */
bosc_status bosc_mechanisms_find(const bosc_job_source *job, uint64_t isas,
                                 bosc_mods *mods, bosc_error *err);

struct bosc_compiled;

/* Give the batch of each rank, as batch->program, the code for GPUs of the
 * job's own mechanisms that the batch of any rank has: compiled at rank 0, or
 * taken from the cache there.  capability: of this rank's GPU; 0: it has none.
 * Collective. */
bosc_status bosc_mechanisms_for_gpus(const bosc_comm *comm, bosc_batch *batch,
                                     int capability, bool told,
                                     bosc_error *err);

/* Find them at rank 0, and load them into the set of each rank, as
 * bosc_mods_load().  *compiled (src/sim/sim.h) is set at rank 0.  Collective.
 */
bosc_status bosc_mechanisms_load(const bosc_comm *comm,
                                 const bosc_job_source *job, bosc_mechs *mechs,
                                 struct bosc_compiled *compiled,
                                 bosc_error *err);

#endif
