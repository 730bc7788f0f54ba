/* cuda_engine.h - the engine of the backend cuda, between what brings a batch
 * to a GPU (cuda_batch.c) and what runs it there (cuda.c).
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_STEP_CUDA_ENGINE_H
#define BOSC_KERNELS_STEP_CUDA_ENGINE_H

#include "kernels/chip/chip_plan.h"
#include "kernels/step/cuda_chip.h"
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
    bosc_chip_plan plan; /* n == 0: nothing on the chip; no images */
    bosc_cuda_chip chip; /* pointers to the device */
    int32_t n_off;       /* groups off the chip, */
    const int32_t *off;  /* [n_off] on the device */
    bosc_chip_event *chip_events, *by_step; /* on the host */
    size_t chip_events_here, by_step_here, chip_event_capacity;
    ptrdiff_t *first_event;  /* [plan.n + 2] on the host */
    ptrdiff_t *chip_first;   /* [plan.n + 1] on the device */
    size_t event_capacity;   /* of step.events */
    bosc_cuda_event *events; /* on the host */
    size_t events_here;      /* capacity of these */
    size_t *values_capacity; /* [n_sets] */
};

/* Room for more on the device, and some to spare; what was there is lost.
 * 'memory' is the address of the pointer, 'capacity' counts elements. */
bosc_status bosc_cuda_grow(void *memory, size_t *capacity, size_t want,
                           size_t size, bosc_error *err);

/* Arrays to be there: *to becomes a copy of n items, or with from == NULL room
 * for them; freed with 'owned'. */
typedef struct bosc_cuda_array {
    void *to; /* the address of a pointer */
    const void *from;
    size_t n, size;
} bosc_cuda_array;
bosc_status bosc_cuda_bring(bosc_engine *engine, const bosc_cuda_array *arrays,
                            size_t n, bosc_error *err);
#define BOSC_BRING(engine, err, ...)                                           \
    bosc_cuda_bring(engine, (const bosc_cuda_array[]){__VA_ARGS__},            \
                    BOSC_LEN(((const bosc_cuda_array[]){__VA_ARGS__})), err)

/* Bring the cell blocks, if there are any, after the rest. */
bosc_status bosc_cuda_bring_chip(bosc_engine *engine, bosc_error *err);

/* Send the events of cell blocks; what is lost is noted. */
bosc_status bosc_cuda_chip_send(bosc_engine *engine,
                                const bosc_step_input *steps, bosc_error *err);

/* Fill engine->step from the batch, its rows and its record.  What was brought
 * is freed with 'owned', also after a failure. */
bosc_status bosc_cuda_bring_all(bosc_engine *engine, bosc_error *err);

#endif
