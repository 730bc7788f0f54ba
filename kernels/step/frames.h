/* frames.h - room for the frames of a range of steps: what the readings of a
 * batch give when their set is recorded.
 *
 * Who asks an engine for steps owns the room, and the engine writes into it, so
 * that no frame is copied on its way out of an engine.  Serial code.
 */
#ifndef BOSC_KERNELS_STEP_FRAMES_H
#define BOSC_KERNELS_STEP_FRAMES_H

#include "kernels/batch/batch.h"

/* The frames of a set in the steps from..to - 1: those in (from, to], and frame
 * 0 when from is 0. */
typedef struct bosc_frame_span {
    int64_t begin, n; /* number of the first one; of frames */
} bosc_frame_span;

static inline bosc_frame_span bosc_frames_of(const bosc_frame_steps *at,
                                             int64_t from, int64_t to)
{
    const int64_t begin = from == 0 ? 0 : bosc_frames_until(at, from);

    return (bosc_frame_span){begin, bosc_frames_until(at, to) - begin};
}

/* All zero: empty.  Of one batch at a time. */
typedef struct bosc_frame_room {
    int32_t n_sets;   /* of the batch */
    size_t *capacity; /* [n_sets] */
    double **values;  /* [n_sets] -> [frames][bosc_reading_given()] */
    size_t spike_capacity;
    bosc_spike *spikes; /* [spike_capacity] the owner's, of the same range */
} bosc_frame_room;

/* Make room for the frames of the steps from..to - 1; what was there is lost.
 * BOSC_ENOMEM, with the number of frames in the message. */
bosc_status bosc_frame_room_reserve(bosc_frame_room *room,
                                    const bosc_batch *batch, int64_t from,
                                    int64_t to, bosc_error *err);

void bosc_frame_room_clear(bosc_frame_room *room);

/* Bytes of a room for so many values. */
double bosc_frame_room_bytes(double n_values);

#endif
