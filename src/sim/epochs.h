/* epochs.h - epochs of a network: while one is integrated, the spikes of the
 * one before travel, and become the events of the one after.
 *
 *     epoch            k-1          k           k+1
 *     integrate        U(k-1)       U(k)        U(k+1)
 *     distribute              D(k-2)      D(k-1)      D(k)
 *     hand over events E(k-1)       E(k)        E(k+1)
 *
 * An epoch is half the smallest delay (or less), so the spikes of k-1 bring
 * nothing before k+1.  D(k-1) is the exchange, then sorting what was heard into
 * events; the calling thread does it between two of the backend's tiles, and
 * what is left when the integration is over, is waited for.
 *
 * Without projections nothing travels, and without couplings either everything
 * is one epoch.  With couplings an epoch is one step, before which voltages
 * travel, and are waited for.
 */
#ifndef BOSC_SRC_SIM_EPOCHS_H
#define BOSC_SRC_SIM_EPOCHS_H

#include <mpi.h>

#include "kernels/step/engine.h"
#include "src/network/connection_table.h"
#include "src/network/coupling.h"
#include "src/network/source.h"
#include "src/sim/spike_exchange.h"

/* What it is made of; all owned by the caller, and living longer. */
typedef struct bosc_epochs_spec {
    MPI_Comm comm;
    const bosc_engine_ops *integrator; /* of the engine */
    bosc_engine *engine;
    const bosc_batch *batch;
    bosc_connection_table
        *connection_table; /* NULL: there are no projections anywhere */
    bosc_sources *sources; /* what sends besides neurons; may be NULL */
    bosc_coupling *couple; /* NULL: there are no couplings anywhere; else the
                            epoch is one step */
    bool talking;          /* some neuron somewhere is a source */
    int64_t epoch;         /* steps */
    int64_t n_steps;
    int32_t n_neurons; /* here; spikes of detector sources below it are
                          recorded */
    const int64_t *id; /* [detector sources] as what they are sent, -1: not
                          at all */
    void (*meanwhile)(void *what); /* called now and then while it integrates,
                          for work that goes on; NULL: none */
    void *what;
} bosc_epochs_spec;

typedef struct bosc_epochs bosc_epochs;

/* Collective. */
bosc_status bosc_epochs_create(const bosc_epochs_spec *spec, bosc_epochs **out,
                               bosc_error *err);
void bosc_epochs_destroy(bosc_epochs *epochs);

/* Integrate from..to - 1, which follow the steps before; 'to' is n_steps or a
 * multiple of the epoch.  *record is that of the whole range, valid until the
 * next call.  'st' is this rank's status so far.  Collective, but each rank
 * returns its own status: where one has failed the others return BOSC_OK and
 * stop early, and the caller is to agree. */
bosc_status bosc_epochs_run(bosc_epochs *epochs, bosc_status st,
                            const int64_t range[2], bosc_step_output *record,
                            bosc_error *err);

/* Seconds so far: integrating; of distributing, and of it what the integration
 * did not hide. */
typedef struct bosc_epochs_times {
    double integrating, distributing, waiting;
} bosc_epochs_times;

bosc_epochs_times bosc_epochs_seconds(const bosc_epochs *epochs);

#endif
