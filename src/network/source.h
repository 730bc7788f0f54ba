/* source.h - what sends events without being a neuron: regular and Poisson
 * trains, and times from files.
 *
 * Serial code: no MPI.
 *
 * An event at time t (ms) is a spike in step ceil(t / dt - 0.5), the first step
 * whose middle is not before it (NEURON's rule; t <= 0: step 0).  So events are
 * rounded to steps before delays are added.  Events after the job's last step
 * are left out, so are those from 'stop' on (INFINITY: never).
 *
 *   regular   NEURON's NetStim: 'number' events, the first at start + noise *
 *             interval * E, each later one (1 - noise) * interval + noise *
 *             interval * E after the one before; E is drawn anew from the
 *             exponential distribution of mean 1
 *   poisson   from start on, E / rate after each other
 *
 * E depends on the seed, the name of the source's spec, the number of the
 * source in it and the number of the event alone, so every rank with a
 * connection from a source makes the same spikes.  Example, with start 5,
 * interval 10, noise 0, number 3 and dt 0.025: steps 200, 600 and 1000.
 *
 * Order of calls: create; add every time from files, then seal; then, epoch
 * after epoch, emit.
 */
#ifndef BOSC_SRC_NETWORK_SOURCE_H
#define BOSC_SRC_NETWORK_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/mem.h"
#include "src/base/status.h"
#include "src/job/job.h"
#include "src/network/connection_table.h"

typedef struct bosc_sources bosc_sources;

/* Of the job's sources those that have a connection in the table, which must
 * be sealed. Source i of spec s has the id first_id[s] + i;
 * first_id[job->n_sources] ends the last.  All three must outlive the result.
 * BOSC_ENOMEM, or BOSC_EVALUE for more than 1000 events of a source in a step.
 */
bosc_status bosc_sources_create(const bosc_job *job, const int64_t *first_id,
                                const bosc_connection_table *connection_table,
                                bosc_sources **out, bosc_error *err);

/* Bytes of sources that send by a rule, and of times from files. */
bosc_bytes bosc_sources_bytes(double sources, double times);

/* An event of a source at a finite time (ms), in any order; ignored
 * without a connection here.  BOSC_ENOMEM. */
bosc_status bosc_sources_add(bosc_sources *sources, int64_t id, double time,
                             bosc_error *err);

/* All times are added: sort them. */
void bosc_sources_seal(bosc_sources *sources);

/* The spikes of steps before 'to' that were not emitted yet, in no order that
 * matters; valid until the next call.  BOSC_ENOMEM. */
bosc_status bosc_sources_emit(bosc_sources *sources, int64_t to,
                              const bosc_spike **spikes, size_t *n,
                              bosc_error *err);

/* NULL is allowed. */
void bosc_sources_destroy(bosc_sources *sources);

#endif
