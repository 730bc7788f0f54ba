/* verify.h - 'verify: N': while a job runs, 'ref' computes N of its neurons
 * again, with the events that they get in the run, and the results are to be
 * the same bits.
 *
 * The neurons are drawn by the job's seed, so they are the same on any number
 * of ranks; each rank computes its own again.  Of neurons that are coupled all
 * that belong together are computed.  Compared are, after each range of steps,
 * the spikes and probes of these neurons, and, where they are on the host, the
 * voltages of all their compartments; at checkpoints and in the end the states
 * of all their mechanisms, too.  The run is not changed by it.
 */
#ifndef BOSC_SRC_VERIFY_VERIFY_H
#define BOSC_SRC_VERIFY_VERIFY_H

#include "kernels/step/engine.h"
#include "src/batch/batch_build.h"
#include "src/comm/comm.h"

typedef struct bosc_verify bosc_verify;

/* Choose the neurons, and build them again: of a rank whose batch is built and
 * has its couplings, with the network's files in the model.  Model, but for
 * these files, and batch must outlive it.  Collective. */
bosc_status bosc_verify_create(const bosc_comm *comm, const bosc_model *model,
                               const bosc_built_batch *run, int threads,
                               bosc_verify **out, bosc_error *err);
void bosc_verify_destroy(bosc_verify *verify);

/* Before the run has an engine: begin at step 'from', above 0 with the state
 * that a checkpoint has left in its batch.  'method' is what the run's engine
 * is called in messages, to outlive it; on_host: that advances batch->v in
 * place. Not collective, as all that follows. */
bosc_status bosc_verify_start(bosc_verify *verify, int64_t from,
                              const char *method, bool on_host,
                              bosc_error *err);

/* As bosc_epochs_spec.beside; *st becomes BOSC_EINTERNAL where something
 * differs. */
void bosc_verify_range(bosc_verify *verify, const bosc_step_input *steps,
                       const bosc_step_output *record, bosc_status *st,
                       bosc_error *err);

/* Compare the states of mechanisms and voltages at 'step', which the run's
 * batch has (bosc_engine_ops.download). */
bosc_status bosc_verify_state(const bosc_verify *verify, int64_t step,
                              bosc_error *err);

/* How many neurons were drawn, and how many were computed besides, as these are
 * coupled with them, on all ranks; and the seconds that this one took in
 * the time loop. */
typedef struct bosc_verify_report {
    int64_t drawn, coupled;
    double seconds;
} bosc_verify_report;

bosc_verify_report bosc_verify_look(const bosc_verify *verify);

#endif
