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

#include "kernels/batch/batch.h"
#include "src/comm/comm.h"

typedef struct bosc_spike_exchange bosc_spike_exchange;

/* Collective. */
bosc_status bosc_spike_exchange_create(const bosc_comm *comm,
                                       bosc_spike_exchange **out,
                                       bosc_error *err);
void bosc_spike_exchange_destroy(bosc_spike_exchange *exchange);

/* Bytes for so many ranks. */
double bosc_spike_exchange_bytes(double ranks);

/* Send n spikes, which are lent until it is over, and whether this rank has
 * failed. */
void bosc_spike_exchange_start(bosc_spike_exchange *exchange, size_t n,
                               const bosc_spike *spikes, bool failed);

/* Move on as far as possible without waiting; true when it is over. */
bool bosc_spike_exchange_poll(bosc_spike_exchange *exchange);

/* Wait until it is over, without holding the core. */
void bosc_spike_exchange_finish(bosc_spike_exchange *exchange);

/* After it: whether any rank has failed. */
bool bosc_spike_exchange_failed(const bosc_spike_exchange *exchange);

/* After it: the spikes of all ranks, valid until the next one is started; none
 * where any rank has failed.  BOSC_ENOMEM where this rank has, in the exchange
 * itself. */
bosc_status bosc_spike_exchange_take(const bosc_spike_exchange *exchange,
                                     const bosc_spike **spikes, size_t *n,
                                     bosc_error *err);

#endif
