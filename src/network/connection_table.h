/* connection_table.h - what the neurons of this rank receive: connections by
 * source, and the events that spikes become.
 *
 * No MPI.  All threads take part in what an epoch needs (events.h); no result
 * depends on how many there are.
 *
 * Sources are numbered 0 .. n_sources - 1, the same everywhere.  A spike of a
 * source in step k reaches a connection before step k + delay starts.  In one
 * step, a neuron's events are received in the order (source, step of the spike,
 * connection), which no division over ranks changes; a source may spike several
 * times in a step, one after the other.
 *
 * Order of calls: create; count every connection, then reserve; add every
 * connection in the same order, then seal; then, epoch after epoch, enqueue
 * spikes and deliver.
 *
 * Example: source 0 has connections a (delay 3) and b (delay 5), and spikes in
 * steps 10 and 12.  deliver(13, 16) makes the events 13: a, 15: b, 15: a.
 */
#ifndef BOSC_SRC_NETWORK_CONNECTION_TABLE_H
#define BOSC_SRC_NETWORK_CONNECTION_TABLE_H

#include <stdint.h>

#include "src/network/events.h"

typedef struct bosc_connection_table bosc_connection_table;

/* 'batch' must outlive the connection table.  BOSC_ENOMEM. */
bosc_status bosc_connection_table_create(const bosc_batch *batch,
                                         int64_t n_sources,
                                         bosc_connection_table **out,
                                         bosc_error *err);
void bosc_connection_table_destroy(bosc_connection_table *table);

/* Some spikes are late (events.h), so the exact delays of connections count:
 * each takes 8 bytes more.  Before there is room for connections. */
void bosc_connection_table_expect_late(bosc_connection_table *table);

void bosc_connection_table_count(bosc_connection_table *table, int64_t source);

/* Make room for what was counted.  The batch has all its blocks now.
 * BOSC_ENOMEM, or BOSC_EVALUE for more than 2^31 instances. */
bosc_status bosc_connection_table_reserve(bosc_connection_table *table,
                                          bosc_error *err);

/* The number of an instance of a block. */
int32_t bosc_connection_table_instance(const bosc_connection_table *table,
                                       int32_t block, ptrdiff_t index);

void bosc_connection_table_add(bosc_connection_table *table, int64_t source,
                               const bosc_connection *connection);

/* The same of one whose delay is 'rest' (ms) longer than in steps. */
void bosc_connection_table_add_exact(bosc_connection_table *table,
                                     int64_t source,
                                     const bosc_connection *connection,
                                     double rest);

/* Sort every source's connections by delay, otherwise as added. */
bosc_status bosc_connection_table_seal(bosc_connection_table *table,
                                       bosc_error *err);

/* Does any connection here have this source? */
bool bosc_connection_table_has(const bosc_connection_table *table,
                               int64_t source);

/* The connections of a source, once sealed: *n of them. */
const bosc_connection *
bosc_connection_table_of(const bosc_connection_table *table, int64_t source,
                         int64_t *n);

/* The first source with a connection to an instance, -1: there is none.  Looks
 * through all connections. */
int64_t bosc_connection_table_source(const bosc_connection_table *table,
                                     int32_t instance);

/* A source has connections to mirrors (bosc_mech_block.mirror), which do not
 * count, nor do their events.  False: there is no memory. */
bool bosc_connection_table_mirror(bosc_connection_table *table, int64_t source);

/* Connections here, once sealed. */
int64_t bosc_connection_table_connections(const bosc_connection_table *table);

/* Bytes of so many spikes that are on their way. */
double bosc_connection_table_spike_bytes(double spikes);

/* Bytes of connections and sources; those of event makers are in events.h. */
double bosc_connection_table_bytes(double connections, double sources);

/* Add spikes, in any order; those without a connection here are ignored.
 * BOSC_EVALUE for one whose first event should have been delivered already,
 * BOSC_ENOMEM. */
bosc_status bosc_connection_table_enqueue(bosc_connection_table *table,
                                          size_t n, const bosc_spike *spikes,
                                          bosc_error *err);

/* The events of steps from..to - 1, which follow those delivered before.  They
 * stay valid until the call after the next.  BOSC_ENOMEM. */
bosc_status bosc_connection_table_deliver(bosc_connection_table *table,
                                          int64_t from, int64_t to,
                                          bosc_events *events, bosc_error *err);

/* Events delivered so far, and those of them in the latest range. */
int64_t bosc_connection_table_delivered(const bosc_connection_table *table);
int64_t bosc_connection_table_latest(const bosc_connection_table *table);

/* The longest delay of a connection here (steps). */
int64_t bosc_connection_table_reach(const bosc_connection_table *table);

/* Go on where another table has stopped: steps before 'step' count as
 * delivered, with 'delivered' events, and spikes that were enqueued before this
 * call bring only later ones. */
void bosc_connection_table_resume(bosc_connection_table *table, int64_t step,
                                  int64_t delivered);

#endif
