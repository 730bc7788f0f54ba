/* spike_exchange.h - the spikes of an epoch travel to all ranks while the next
 * epoch is computed.
 *
 * Two non-blocking collectives, on a communicator of their own: how many spikes
 * each rank has, then the spikes.  A failure travels with the count, so that
 * no other agreement is needed inside the time loop.
 *
 * Every rank starts, and finishes, the same exchanges in the same order; one at
 * a time.
 */
#ifndef BOSC_SRC_SIM_SPIKE_EXCHANGE_H
#define BOSC_SRC_SIM_SPIKE_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/comm/comm.h"
#include "src/network/connection_table.h"

typedef struct bosc_spike_exchange bosc_spike_exchange;

/* Collective. */
bosc_status bosc_spike_exchange_create(const bosc_comm *comm,
                                       bosc_spike_exchange **out,
                                       bosc_error *err);
void bosc_spike_exchange_destroy(bosc_spike_exchange *exchange);

/* Bytes for so many ranks. */
double bosc_spike_exchange_bytes(double ranks);

/* Send n spikes, which are copied, and whether this rank has failed.  A rank
 * without memory for them fails with bosc_spike_exchange_status(). */
void bosc_spike_exchange_start(bosc_spike_exchange *exchange, size_t n,
                               const bosc_network_spike *spikes, bool failed);

/* Move on as far as possible without waiting; true when it is over. */
bool bosc_spike_exchange_poll(bosc_spike_exchange *exchange);

/* Wait until it is over, without holding the core. */
void bosc_spike_exchange_finish(bosc_spike_exchange *exchange);

/* After it: whether any rank has failed; whether this rank has failed in the
 * exchange itself (BOSC_ENOMEM); if none has, the spikes of all ranks. */
bool bosc_spike_exchange_failed(const bosc_spike_exchange *exchange);
bosc_status bosc_spike_exchange_status(const bosc_spike_exchange *exchange,
                                       bosc_error *err);
const bosc_network_spike *
bosc_spike_exchange_spikes(const bosc_spike_exchange *exchange, size_t *n);

#endif
