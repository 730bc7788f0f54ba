/* checkpoint.h - the state of a run in a file, from which another run goes on
 * with the same bits, however many ranks and threads either has.
 *
 * The file has everything by neuron, in the order of gids, and of compartments
 * within one (items.h): voltages, states of mechanisms, detectors.  Spikes on
 * their way are those that neurons have sent and that can still bring events;
 * the events themselves, and what sources send, follow from these and from the
 * job.  Couplings have no state: they begin each step with the voltages.
 *
 *     item               what of each neuron
 *     v_count            compartments
 *     v                  mV
 *     membrane.hh_count, membrane.hh.m, synapse.fast.g
 *     detector           1 where v was above the threshold
 *     self.time ...      events that mechanisms have sent to themselves
 *     flight_step, flight_source, flight_late  spikes on their way, by
 *                                  (step, source)
 *     fired              spikes of each population so far
 *     attributes         format, step, job_values, source (version), spikes (so
 *                        far), delivered (events), warnings, told
 *
 * Behind these follows what it keeps of the unfinished result:
 * bosc_result_skeleton().
 *
 * Rank 0 reads and writes, and moves some of it at a time.  All functions are
 * collective unless they say otherwise.
 */
#ifndef BOSC_SRC_CHECKPOINT_CHECKPOINT_H
#define BOSC_SRC_CHECKPOINT_CHECKPOINT_H

#include <stdbool.h>

#include "src/checkpoint/parts.h"
#include "src/checkpoint/state_file.h"

/* What rank 0 adds. */
typedef struct bosc_checkpoint_head {
    int64_t step;        /* steps before it are done */
    char *values;        /* of the job */
    char *version;       /* of bosc; not to be set for writing */
    char *warnings;      /* since the first step, one a line */
    bool warned_v_limit; /* a voltage beyond the limit was reported */
    int64_t spikes;      /* in the result so far */
    int64_t *fired;      /* [n_populations] of these */
    int64_t delivered;   /* events before 'step' */
    int32_t n_populations;
} bosc_checkpoint_head;

/* Spikes on their way. */
typedef struct bosc_flying {
    size_t n;
    bosc_spike *spikes; /* [n] */
} bosc_flying;

void bosc_checkpoint_head_clear(bosc_checkpoint_head *head);

/* Write a file at 'path', in place of another one; n spikes on their way are
 * this rank's.  'writer' and *out are rank 0's: *out is to be finished, or
 * after a failure closed, by the writer's thread where there is one, else by
 * the caller; it may be NULL after a failure. */
bosc_status bosc_checkpoint_write(const char *path,
                                  const bosc_checkpoint_parts *parts,
                                  const bosc_checkpoint_head *head,
                                  const bosc_flying *flying,
                                  struct bosc_writer *writer,
                                  bosc_state_file **out, bosc_error *err);

/* Rank 0 alone: open a file and read its head, to be cleared whatever is
 * returned. */
bosc_status bosc_checkpoint_open(const char *path, int32_t n_populations,
                                 bosc_state_file **out,
                                 bosc_checkpoint_head *head, bosc_error *err);

/* Set the batch's voltages, states and detectors before an engine takes it;
 * 'file' is rank 0's. */
bosc_status bosc_checkpoint_restore(bosc_state_file *file,
                                    const bosc_checkpoint_parts *parts,
                                    bosc_error *err);

/* The spikes on their way, of all ranks, on every rank; to be freed.  They are
 * of steps before 'step' and sources before 'end', else BOSC_EFORMAT. */
bosc_status bosc_checkpoint_flying(bosc_state_file *file, const bosc_comm *comm,
                                   int64_t step, int64_t end, bosc_flying *out,
                                   bosc_error *err);

#endif
