/* mechanisms.h - the mechanisms that a job brings along (src/mods/), before the
 * job itself is read. */
#ifndef BOSC_SRC_SIM_MECHANISMS_H
#define BOSC_SRC_SIM_MECHANISMS_H

#include "kernels/batch/batch.h"
#include "kernels/methods.h"
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
struct bosc_sim;

/* Make the engine of a method for the batch of each rank.  Where the batch of
 * any rank has mechanisms of the job's own, engines on GPUs get their code as
 * batch->program: compiled at rank 0, or taken from the cache there.
 * Collective; after a failure *out is an engine or unchanged. */
bosc_status bosc_mechanisms_create_engine(const struct bosc_sim *sim,
                                          bosc_batch *batch,
                                          const bosc_method *method,
                                          bosc_engine **out, bosc_error *err);

/* Find them at rank 0, and load them into the set of each rank, as
 * bosc_mods_load().  *compiled (src/sim/sim.h) is set at rank 0.  Collective.
 */
bosc_status bosc_mechanisms_load(const bosc_comm *comm,
                                 const bosc_job_source *job, bosc_mechs *mechs,
                                 struct bosc_compiled *compiled,
                                 bosc_error *err);

#endif
