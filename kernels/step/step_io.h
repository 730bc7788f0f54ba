/* step_io.h - what a group of neurons takes in and gives out during a range of
 * steps: drives, events, detectors, readings.  Shared by the backends on the
 * host.
 *
 * Internal to kernels.  Different groups may be advanced by different threads
 * at the same time; findings belong to one thread.
 */
#ifndef BOSC_KERNELS_STEP_STEP_IO_H
#define BOSC_KERNELS_STEP_STEP_IO_H

#include <math.h>

#include "kernels/step/engine.h"
#include "kernels/step/frames.h"

/* What a thread finds during a range. */
typedef struct bosc_findings {
    size_t n, capacity;
    bosc_spike *spikes;   /* [n] */
    bool short_of_memory; /* for a spike */
    bool not_finite;      /* some voltage, */
    int32_t broken;       /* of this neuron, counted from 1; 0: v shows which */
    bool lost_event;      /* one that no step of the range has taken */
    bool crowded;         /* more self events than have room */
    bool stray;           /* net_move() without an event to move */
    bool any_beyond;
    bosc_beyond beyond; /* where there is any */
} bosc_findings;

/* The readings of one set, and the frames of the current range. */
typedef struct bosc_frames {
    ptrdiff_t *first; /* [n_groups + 1] into order */
    ptrdiff_t *order; /* [n] readings sorted by group */
    int64_t begin;    /* number of the first frame of the range */
} bosc_frames;

typedef struct bosc_step_io {
    bosc_batch *batch;
    bosc_step_input steps;     /* the current range */
    ptrdiff_t *detector_first; /* [n_groups + 1] */
    bool *above;               /* [n_detectors] v was above the threshold */
    ptrdiff_t *next_event;     /* [n_groups] the first not yet received */
    const double **array;      /* [arrays of the batch] reading.h */
    bosc_frames *frames;       /* [n_sets] */
    int64_t *n_frames;         /* [n_sets] */
    double *const *values;     /* [n_sets] the caller's room, or */
    bosc_frame_room own;
    int n_found;
    bosc_findings *found; /* [n_found] a thread's each, during a range */
    bosc_findings all;    /* of all threads, after the range; what is
                             beyond the limit, of all ranges */
    size_t room_capacity;
    bosc_spike *room; /* [room_capacity] for sorting spikes */
} bosc_step_io;

/* For so many threads, each with its findings in rec->found[]. */
bosc_status bosc_step_io_init(bosc_step_io *rec, bosc_batch *batch, int threads,
                              bosc_error *err);
void bosc_step_io_clear(bosc_step_io *rec);

/* Bytes for so many groups, detectors, and values that are recorded. */
double bosc_step_io_bytes(double n_groups, double n_detectors, double n_values);

/* Let the batch's detectors know what they have seen. */
void bosc_step_io_detected(const bosc_step_io *rec);

/* Begin a range of steps: no spikes, and room for its frames. */
bosc_status bosc_step_io_begin(bosc_step_io *rec, const bosc_step_input *steps,
                               bosc_error *err);

/* Let the synapses of group g receive the events of 'step'; spikes that
 * artificial cells then send are found. */
void bosc_step_io_deliver(bosc_step_io *rec, int32_t g, int64_t step,
                          bosc_findings *found);

/* Add what drives group g to its row sums d and right-hand side b, which begin
 * at the group's first slot. */
void bosc_step_io_drive(const bosc_step_io *rec, int32_t g, double *d,
                        double *b);

/* Test the detectors of group g on v at 'step'. */
void bosc_step_io_detect(bosc_step_io *rec, int32_t g, int64_t step,
                         bosc_findings *found);

/* Write the readings of group g into the frames that fall on 'step', before
 * which a step has ended, if it is not 0. */
void bosc_step_io_frame(bosc_step_io *rec, int32_t g, int64_t step);

/* Note whether a voltage of group g is not finite, or an event is left over, at
 * the end of the range. */
void bosc_step_io_check(const bosc_step_io *rec, int32_t g,
                        bosc_findings *found);

/* Is v to be watched after the step that starts at 'step'? */
static inline bool bosc_step_io_watches(const bosc_step_io *rec, int64_t step)
{
    const int32_t every = rec->batch->watch.every;

    return every > 0 && (step + 1) % every == 0 && !rec->all.any_beyond;
}

/* Is any of n voltages farther from 0 than the limit?  What is no number is
 * not.
 */
static inline bool bosc_is_beyond(const double *v, ptrdiff_t n, double limit)
{
    int64_t beyond = 0; /* as wide as a double: vectors of both are alike */

#pragma omp simd reduction(| : beyond)
    for (ptrdiff_t i = 0; i < n; ++i)
        beyond |= fabs(v[i]) > limit;
    return beyond != 0;
}

/* Note which voltages of group g, those of 'step', are beyond the limit. */
void bosc_step_io_note_beyond(const bosc_step_io *rec, int32_t g, int64_t step,
                              bosc_findings *found);

/* Note one of them; its gid is set here. */
void bosc_step_io_note(const bosc_step_io *rec, bosc_beyond beyond,
                       bosc_findings *found);

/* The same as note_beyond, in vectors where there is none: inline, for the
 * backend's code. */
static inline void bosc_step_io_watch(const bosc_step_io *rec, int32_t g,
                                      int64_t step, bosc_findings *found)
{
    const bosc_batch *batch = rec->batch;
    const ptrdiff_t from = batch->layout.first[g];

    if (bosc_is_beyond(batch->v + from, batch->layout.first[g + 1] - from,
                       batch->watch.limit))
        bosc_step_io_note_beyond(rec, g, step, found);
}

/* End the range: the findings of all threads become one, their spikes sorted
 * into *record; fails where memory was short or a voltage is not finite. */
bosc_status bosc_step_io_end(bosc_step_io *rec, bosc_step_output *record,
                             bosc_error *err);

#endif
