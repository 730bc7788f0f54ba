/* cuda_engine.h - the engine of the backend cuda, between what brings a batch
 * to a GPU (cuda_batch.c) and what runs it there (cuda.c).
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_STEP_CUDA_ENGINE_H
#define BOSC_KERNELS_STEP_CUDA_ENGINE_H

#include "kernels/step/cuda_step.h"
#include "kernels/step/step_io.h"

/* Room for so many spikes of each detector; it spikes in every other step at
 * most. */
enum { BOSC_CUDA_SPIKES = 20 };

/* What was allocated on the device, and is freed in the end. */
typedef struct bosc_cuda_owned {
    size_t n, capacity;
    void **memory; /* [n] */
} bosc_cuda_owned;

struct bosc_engine {
    bosc_batch *batch;
    bosc_step_io rec;
    bosc_rows rows;
    bosc_findings found;
    bosc_cuda_step step; /* pointers to the device */
    bosc_cuda_set *sets; /* [n_sets] on the host */
    double **state;      /* [n_blocks] on the device */
    bosc_cuda_owned owned;
    size_t event_capacity;   /* of step.events */
    bosc_cuda_event *events; /* on the host */
    size_t events_here;      /* capacity of these */
    size_t *values_capacity; /* [n_sets] */
};

/* Fill engine->step from the batch, its rows and its record.  What was brought
 * is freed with 'owned', also after a failure. */
bosc_status bosc_cuda_bring_all(bosc_engine *engine, bosc_error *err);

#endif
