/* events.h - spikes and their connections become events, in the order in which
 * they are received.
 *
 * No MPI.  All threads of OpenMP take part; a call from within a parallel
 * region has one.  The order is that of keys, so the number of threads changes
 * nothing:
 *
 *     ranges   of each spike, in their order, the connections of these steps
 *     deal     each thread makes some events and counts those of each bucket,
 *              which has some groups and steps, then writes them there, behind
 *              those of the threads before it
 *     buckets  each sorted by (group, step) alone, by counting; then events of
 *              mod files, which know when in a step they come, by that time
 *
 * An event is moved three times in all, or four where a bucket has few of them
 * in many groups.
 */
#ifndef BOSC_SRC_NETWORK_EVENTS_H
#define BOSC_SRC_NETWORK_EVENTS_H

#include <stdint.h>

#include "kernels/batch/batch.h"
#include "src/base/status.h"

typedef struct bosc_connection {
    int32_t instance; /* of the batch's point processes and mechanisms, counted
                         through all blocks: bosc_connection_table_instance() */
    int32_t delay;    /* steps, >= 0 */
    double weight;    /* uS */
} bosc_connection;

/* Sort spikes by (source, order, late).  BOSC_ENOMEM. */
bosc_status bosc_spikes_sort(bosc_spike *spikes, size_t n, bosc_error *err);

/* The connections that a spike reaches in a range of steps. */
typedef struct bosc_reached {
    int64_t first; /* of them, which are in the order of delays */
    size_t before; /* events of the spikes before it */
} bosc_reached;

/* Spikes that reach connections in a range of steps. */
typedef struct bosc_arriving {
    size_t n;
    const bosc_spike *spike;     /* [n] */
    const bosc_reached *reached; /* [n + 1], the last with 'before' alone */
    const bosc_connection *connection; /* of all spikes */
    const double *rest; /* of each of these (connection_table.h); NULL: no spike
                           is late */
} bosc_arriving;

/* How many steps later than its connection's delay says the event of a spike
 * comes that is 'late' (ms), 0 or 1, and in *after how much later than the
 * start of its step (ms). */
int64_t bosc_steps_later(double late, double rest, double dt, double *after);

typedef struct bosc_event_maker bosc_event_maker;

/* For the instances of a batch, which has all its blocks and must outlive the
 * maker; block_first: [blocks + 1] instances before each, the caller's.
 * BOSC_ENOMEM. */
bosc_status bosc_event_maker_create(const bosc_batch *batch,
                                    const ptrdiff_t *block_first,
                                    bosc_event_maker **out, bosc_error *err);
void bosc_event_maker_destroy(bosc_event_maker *maker);

/* Bytes for groups, kinds of synapses, and the events of a range. */
double bosc_event_maker_bytes(double groups, double kinds, double events);

/* The events of steps from..to - 1 that spikes bring, spike after spike.  They
 * stay valid until the call after the next.  BOSC_ENOMEM. */
bosc_status bosc_event_maker_make(bosc_event_maker *maker, int64_t from,
                                  int64_t to, const bosc_arriving *arriving,
                                  bosc_events *events, bosc_error *err);

#endif
