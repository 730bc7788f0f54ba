/* voltage_exchange.h - the voltages of couplings travel to all ranks while a
 * step is computed: a non-blocking collective on a communicator of its own.
 *
 * Each rank sends first whether it has failed, then the voltages that others
 * need, so that no other agreement is needed inside the time loop.  Every rank
 * sends and receives in turn.
 */
#ifndef BOSC_SRC_COMM_VOLTAGE_EXCHANGE_H
#define BOSC_SRC_COMM_VOLTAGE_EXCHANGE_H

#include <stdbool.h>

#include "src/comm/comm.h"

/* Seconds so far. */
typedef struct bosc_exchange_times {
    double travelling; /* from the begin of sending until the calling thread
                          knows that all have arrived */
    double waiting;    /* of the calling thread: to send, and for what has not
                          arrived when it is needed */
    double beside;     /* from having sent to beginning to wait: for so long
                          something else could be computed */
    int64_t steps;     /* in which voltages travelled */
} bosc_exchange_times;

/* The arrays are made by the couplings (src/network/coupling.c), and freed by
 * bosc_voltages_clear(). */
typedef struct bosc_voltage_exchange {
    bosc_comm *comm;
    double *sent;    /* [counts[rank]], unchanged until received */
    double *arrived; /* of all ranks, valid when received */
    int *counts;     /* [ranks] numbers of each rank's message, 1 or more */
    int *displaced;  /* [ranks] where it begins in 'arrived' */

    enum { BOSC_VOLTAGES_IDLE, BOSC_VOLTAGES_AWAY, BOSC_VOLTAGES_HERE } phase;
    bosc_comm_request request;
    double began, sent_at; /* s, of sending: its begin and end */
    bosc_exchange_times times;
} bosc_voltage_exchange;

/* Send sent[1..]; sending, with what it took to take them, began at 'began'
 * (s).  Returns at once. */
void bosc_voltages_send(bosc_voltage_exchange *exchange, bool failed,
                        double began);

/* Let them move on, if any are on their way, without waiting. */
void bosc_voltages_poll(bosc_voltage_exchange *exchange);

/* Wait for those of all ranks.  False where any had failed when it sent. */
bool bosc_voltages_receive(bosc_voltage_exchange *exchange);

/* Wait for those on their way, and free all.  Collective where any are. */
void bosc_voltages_clear(bosc_voltage_exchange *exchange);

#endif
