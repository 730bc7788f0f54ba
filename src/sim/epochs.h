/* epochs.h - epochs of a network: while one is integrated, the spikes of the
 * epoch before it travel to all ranks and become events of the epoch after it.
 *
 *     epoch            k-1          k           k+1
 *     integrate        U(k-1)       U(k)        U(k+1)
 *     distribute              D(k-2)      D(k-1)      D(k)
 *     hand over events E(k-1)       E(k)        E(k+1)
 *
 * An epoch is half the smallest delay (or less), so the spikes of k-1 cause no
 * event before k+1.  D(k-1) is the exchange of spikes, then sorting the
 * received spikes into events.  The calling thread does it between two of the
 * backend's tiles, or while a device computes, then with all threads; it
 * finishes it after the integration.  So a device can have the next epoch
 * before it has finished this one.
 *
 * Without projections there is no exchange, and without couplings, too, a range
 * of steps can be integrated at once.  With couplings an epoch is one step.  It
 * sends the voltages that other ranks need in the next one as soon as it has
 * them, computes all else meanwhile, and the next one waits for those of the
 * others:
 *
 *     step       k-1                        k
 *     integrate  V(k-1) of the boundary     V(k) ...
 *                      all else, states
 *     exchange         V(k-1) .......... |  V(k) ...
 *
 * But where none of them go to another rank, engines that compute what
 * couplings drive need no such epochs.  A failure is told with the voltages of
 * the step after it, so other ranks may compute one more step, and fail in it
 * for what has arrived: the ranks agree on the message of the first step
 * (bosc_epochs_failed_at).
 */
#ifndef BOSC_SRC_SIM_EPOCHS_H
#define BOSC_SRC_SIM_EPOCHS_H

#include "kernels/step/engine.h"
#include "kernels/step/frames.h"
#include "src/comm/comm.h"
#include "src/network/connection_table.h"
#include "src/network/coupling.h"
#include "src/network/source.h"
#include "src/sim/away.h"
#include "src/sim/spike_exchange.h"

/* All is owned by the caller, and must outlive the epochs. */
typedef struct bosc_epochs_spec {
    const bosc_comm *comm;
    const bosc_engine_ops *integrator; /* of the engine */
    bosc_engine *engine;
    const bosc_batch *batch;
    bosc_connection_table *connection_table; /* NULL: no rank has projections */
    bosc_sources *sources;    /* of spikes besides neurons; may be NULL */
    bosc_coupling *coupling;  /* NULL: no rank has couplings that end an epoch
                                 after one step */
    bosc_away_exchange *away; /* NULL: no POINTER of any rank stands for another
                                 neuron; else epochs have one step */
    bool sends;               /* some neuron of some rank is a spike source */
    int64_t epoch;            /* steps */
    int64_t reach; /* steps for which a spike can bring events, on any rank: so
                      long it is kept for a checkpoint; -1: none is kept */
    bool whole;    /* without projections and these: a range is one epoch */
    int64_t n_steps;
    int32_t n_neurons; /* here; spikes of detectors below it are recorded, by
                          batch->gid, NULL: by their numbers */
    int32_t first_recorded;  /* those from it on are, too, by */
    const int64_t *recorded; /* [from there on] these; -1: they are not */
    const int64_t *id; /* [detectors] of the source in the network, -1: its
                          spikes are not sent */
    void (*meanwhile)(void *what); /* called now and then by the thread that
                                      integrates; NULL: none */
    void *meanwhile_what;
    /* Called after each range that the engine was asked for, and with each
     * epoch of a network, with what went in and came out; *st is that of the
     * range, or of what has failed here.  On all ranks alike where couplings
     * talk. NULL: none. */
    void (*beside)(void *what, const bosc_step_input *steps,
                   const bosc_step_output *record, bosc_status *st,
                   bosc_error *err);
    void *what;
} bosc_epochs_spec;

typedef struct bosc_epochs bosc_epochs;

/* Collective. */
bosc_status bosc_epochs_create(const bosc_epochs_spec *spec, bosc_epochs **out,
                               bosc_error *err);
void bosc_epochs_destroy(bosc_epochs *epochs);

/* Integrate from..to - 1, which follow the steps before; 'to' is n_steps or a
 * multiple of the epoch.  With 'goes_on' the next call does, so that an engine
 * may begin its steps before this one returns, and nothing is to be asked of it
 * between, but to end.  *record has the output of the whole range, its frames
 * and spikes in *room, which is the caller's, of this batch, and grows as it
 * must; the rest is valid until the next call.  'st' is this rank's status so
 * far. Collective, but each rank returns its own status: when one rank fails,
 * the others stop early, with BOSC_OK or a later failure of their own, and the
 * caller lets the ranks agree (bosc_epochs_failed_at). */
bosc_status bosc_epochs_run(bosc_epochs *epochs, bosc_status st,
                            const int64_t range[2], bool goes_on,
                            bosc_frame_room *room, bosc_step_output *record,
                            bosc_error *err);

/* The first step of the epoch in which this rank has failed; n_steps: it has
 * not.  For bosc_agree_item(): of several failures the first one counts. */
int64_t bosc_epochs_failed_at(const bosc_epochs *epochs);

/* What is on its way between neurons when a range has ended at 'step'. */
typedef struct bosc_epochs_flight {
    size_t n;
    const bosc_spike *spikes; /* [n] of neurons of this rank, each once
                                         on all ranks; until the next call */
    int64_t delivered;        /* events before 'step', here */
} bosc_epochs_flight;

bosc_epochs_flight bosc_epochs_in_flight(bosc_epochs *epochs, int64_t step);

/* Before the first range: begin at 'step', a multiple of the epoch, with the
 * spikes of all ranks on their way.  'mine' is true on one rank, which keeps
 * them as its own.  Sources speak as they have until then.  Not collective. */
bosc_status bosc_epochs_resume(bosc_epochs *epochs, int64_t step,
                               const bosc_epochs_flight *flight, bool mine,
                               bosc_error *err);

/* Seconds so far: of integrating; of distributing; of distributing, what the
 * integration did not hide. */
typedef struct bosc_epochs_times {
    double integrating, distributing, waiting;
} bosc_epochs_times;

bosc_epochs_times bosc_epochs_seconds(const bosc_epochs *epochs);

#endif
