/* receive.h - events that mechanisms receive: from outside, and their own.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_BATCH_RECEIVE_H
#define BOSC_KERNELS_BATCH_RECEIVE_H

#include "kernels/batch/batch.h"

/* Let an instance of group g receive an event at its time (ms).  Its 'flag' is
 * the flag, of a plain mechanism the weight (uS).  What the instance sends to
 * itself is kept in batch->self. */
void bosc_receive(bosc_batch *batch, int32_t g, bosc_self_event event);

/* Let the instances of group g look at what they watch, at time 'now' (ms). */
void bosc_receive_watched(bosc_batch *batch, int32_t g, double now);

/* Let the instances of group g receive the events to themselves whose time is
 * 'until' (ms) or before. */
void bosc_receive_self(bosc_batch *batch, int32_t g, double until);

#endif
