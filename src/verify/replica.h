/* replica.h - some neurons of this rank once more, in a batch of their own,
 * which 'ref' integrates with the events that the neurons get in the run.
 *
 * A replica is built from the same cells by the same code as the batch of the
 * run, and has nothing else from it but its events, and, where the run goes on
 * from a checkpoint, its state then.  Not collective but where a function says
 * so.
 *
 * Order of calls: create, match, take or not, start, then advance and compare.
 */
#ifndef BOSC_SRC_VERIFY_REPLICA_H
#define BOSC_SRC_VERIFY_REPLICA_H

#include "kernels/step/engine.h"
#include "src/batch/batch_build.h"
#include "src/network/coupling.h"
#include "src/verify/difference.h"

typedef struct bosc_replica {
    const bosc_job *job;    /* the model's */
    bosc_local_cells cells; /* whose templates are the rank's */
    int32_t *neuron;        /* [cells.n] in the rank, ascending */
    bosc_built_batch *built;
    bosc_coupling *coupling; /* NULL: the job has none */
    bosc_engine *engine;     /* 'ref', from the start on */
    int64_t n_connections;   /* onto these neurons */

    /* Where the same is in the run, after match: */
    const bosc_built_batch *run;
    ptrdiff_t **instance; /* [n_blocks][instances] */
    int32_t ***own;       /* [cells.n][n_blocks][instances of the neuron's group
                             in the run] that of the neuron's group here, from
                             1; 0: it is another neuron's */
    int32_t *source;      /* [detectors] by source, ascending */
    ptrdiff_t *detector;  /* [detectors] here, by source */
    ptrdiff_t **value;    /* [n_sets][entries] */

    /* Of the current range: */
    bosc_event *event; /* as they arrive */
    size_t event_capacity;
    ptrdiff_t *first; /* [groups + 1] of them */
    size_t next;      /* spike of the run to be compared */
} bosc_replica;

/* The neurons neuron[n] of the model's rank, ascending.  The model's job and
 * cells must outlive it, its files need not. */
bosc_status bosc_replica_create(const bosc_model *model, int32_t n,
                                const int32_t *neuron, bosc_replica **out,
                                bosc_error *err);
void bosc_replica_destroy(bosc_replica *replica);

/* Couple its neurons, which have all that they are coupled with among them, on
 * this rank or on others.  Collective. */
bosc_status bosc_replica_couple(const bosc_comm *comm, const bosc_model *model,
                                bosc_replica *replica, bosc_error *err);

/* Find them in the batch of the run, which must outlive it. */
bosc_status bosc_replica_match(bosc_replica *replica,
                               const bosc_built_batch *run, bosc_error *err);

/* The source here of a spike of the run, -1: it is another neuron's. */
int32_t bosc_replica_source(const bosc_replica *replica, int32_t there);

/* Take the state of the run's batch, as a checkpoint has left it there. */
bosc_status bosc_replica_take(bosc_replica *replica, bosc_error *err);

/* Make its engine. */
bosc_status bosc_replica_start(bosc_replica *replica, bosc_error *err);

/* Do the steps of the run's range with the run's events, and compare the
 * output of the run: *differs tells whether *first is what differs.  Where the
 * couplings talk, a range is one step, and *st and the call are as those of
 * bosc_coupling_step().  False: this rank or another one has failed, and the
 * replica is not at the end of the range. */
bool bosc_replica_advance(bosc_replica *replica, const bosc_step_input *steps,
                          const bosc_step_output *record, bool *differs,
                          bosc_difference *first, bosc_status *st,
                          bosc_error *err);

/* Compare the voltages with those of the run at 'step', and the states of
 * mechanisms unless they are left out. */
bool bosc_replica_differs(const bosc_replica *replica, int64_t step,
                          bool with_states, bosc_difference *first);

#endif
