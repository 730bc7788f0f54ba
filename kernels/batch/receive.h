/* receive.h - events that mechanisms receive: from outside, and their own.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_BATCH_RECEIVE_H
#define BOSC_KERNELS_BATCH_RECEIVE_H

#include "kernels/batch/batch.h"

/* Let the instance receive an event at its time (ms), with its flag or, of a
 * plain mechanism, its weight; what it sends is kept in batch->self. */
void bosc_receive(bosc_batch *batch, int32_t g, bosc_self_event event);

/* Let instances of group g look at what they watch, at time 'now' (ms). */
void bosc_receive_watched(bosc_batch *batch, int32_t g, double now);

/* Let instances of group g receive what they have sent to themselves for up to
 * 'until' (ms), or before that. */
void bosc_receive_self(bosc_batch *batch, int32_t g, double until);

#endif
