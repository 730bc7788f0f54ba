/* gather.h - probes and spikes of all ranks, epoch by epoch, to rank 0 and
 * from there into the store.
 */
#ifndef BOSC_SRC_GATHER_H
#define BOSC_SRC_GATHER_H

#include <mpi.h>

#include "kernels/backend.h"
#include "src/pack.h"
#include "src/store.h"

typedef struct bosc_gather_plan bosc_gather_plan;

/* Learn where every rank's columns belong in the file, which has them in
 * (gid, compartment) order.  'packed' and what 'scene' shows must outlive the
 * plan. Collective; fails everywhere if a probe records nothing on any rank. */
bosc_status bosc_gather_plan_create(MPI_Comm comm, const bosc_scene *scene,
                                    const bosc_packed *packed,
                                    bosc_gather_plan **out, bosc_error *err);

void bosc_gather_plan_destroy(bosc_gather_plan *plan);

/* At rank 0: the job's probes as the store wants them, [n_probes]; owned by
 * the plan. */
const bosc_store_probes *bosc_gather_probes(const bosc_gather_plan *plan);

/* Bytes that one frame of everything takes at rank 0; the same on all ranks. */
int64_t bosc_gather_frame_bytes(const bosc_gather_plan *plan);

/* Bytes of all frames of a run, before compression; the same on all ranks. */
double bosc_gather_bytes(const bosc_gather_plan *plan, int64_t n_steps);

/* What the steps from..to - 1 produced goes into 'store' (rank 0; NULL
 * elsewhere).  Collective.  A failure of the writer is returned on rank 0
 * alone, and is for the caller to agree on. */
bosc_status bosc_gather_epoch(bosc_gather_plan *plan, const bosc_record *record,
                              int64_t from, int64_t to, bosc_store *store,
                              bosc_error *err);

/* Spikes and seconds so far: all spikes at rank 0, own ones elsewhere, and of
 * each population at rank 0 ([n_populations], owned by the plan); the time
 * spent moving and writing. */
int64_t bosc_gather_spikes(const bosc_gather_plan *plan);
const int64_t *bosc_gather_fired(const bosc_gather_plan *plan);
double bosc_gather_seconds(const bosc_gather_plan *plan, double *writing);

#endif
