/* flight.h - spikes that this rank's neurons have sent, for as long as they can
 * still bring events: what a checkpoint needs of the network.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_SIM_FLIGHT_H
#define BOSC_SRC_SIM_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/batch/batch.h"

/* All zero: empty. */
typedef struct bosc_flight {
    size_t n, capacity;
    size_t kept;        /* when old ones were dropped last */
    bosc_spike *spikes; /* [n] */
} bosc_flight;

/* Add n spikes; false without memory.  Now and then those are dropped that have
 * been on their way for more than 'reach' steps before 'step'. */
bool bosc_flight_add(bosc_flight *flight, size_t n, const bosc_spike *spikes,
                     int64_t reach, int64_t step);

/* Drop them now. */
void bosc_flight_drop(bosc_flight *flight, int64_t reach, int64_t step);

void bosc_flight_clear(bosc_flight *flight);

#endif
