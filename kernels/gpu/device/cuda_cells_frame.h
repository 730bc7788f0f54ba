/* cuda_cells_frame.h - what a cell block records.
 *
 * Included by cuda_cells_run.h.
 */
#ifndef BOSC_KERNELS_GPU_DEVICE_CUDA_CELLS_FRAME_H
#define BOSC_KERNELS_GPU_DEVICE_CUDA_CELLS_FRAME_H

#include "kernels/gpu/device/cuda_bundle.h"
#include "kernels/gpu/device/cuda_cells_block.h"

/* Term t of a set: a number of its cell block, at an address there, or one that
 * stays in the device's memory. */
static __device__ __forceinline__ double
read_term(const bosc_cuda_step *s, const bosc_cuda_set *set, ptrdiff_t t,
          uint32_t address, const double *x)
{
#if defined(BOSC_CELLS_JOB)
    if (address == BOSC_CHIP_ELSEWHERE)
        return s->readings.array[set->term[t].array][set->term[t].at];
#endif
    return x[address];
}

/* A reading of a set, from the numbers x of its cell block: a copy, or a sum as
 * bosc_reading_sum() makes it of addresses. */
static __device__ double read_value(const bosc_cuda_step *s,
                                    const bosc_cuda_set *set,
                                    const uint32_t *term,
                                    bosc_chip_reading reading, const double *x)
{
    if (term == NULL)
        return read_term(s, set, reading.value, reading.at, x);

    const uint32_t width = (uint32_t)set->width, b = reading.value / width;
    const double *weight = set->weight + (reading.value - width * b);
    const ptrdiff_t end = set->first_term[b + 1];
    enum { AT_ONCE = 4 }; /* are read, and then added in their order */
    ptrdiff_t t = set->first_term[b];
    double sum = 0, value[AT_ONCE], w[AT_ONCE];

    BOSC_ROLLED
    for (; t + AT_ONCE <= end; t += AT_ONCE) {
        BOSC_UNROLL
        for (int k = 0; k < AT_ONCE; ++k) {
            value[k] = read_term(s, set, t + k, term[t + k], x);
            w[k] = weight[width * (t + k)];
        }
        BOSC_UNROLL
        for (int k = 0; k < AT_ONCE; ++k)
            sum += w[k] * value[k];
    }
    BOSC_ROLLED
    for (; t < end; ++t)
        sum += weight[width * t] * read_term(s, set, t, term[t], x);
    return sum;
}

/* The bundles of cell block 'number' in a set of sums, into values[n of the
 * set]. */
static __device__ __noinline__ void sum_bundles(const bosc_cuda_step *s,
                                                const bosc_cuda_set *set,
                                                const bosc_cuda_chip_set *own,
                                                int32_t number, const double *x,
                                                double *values)
{
    const ptrdiff_t first = own->first[number];
    const ptrdiff_t n = (own->first[number + 1] - first) / set->width;
    const int32_t parts = bosc_bundle_parts(set);
    const uint32_t *term = own->term;

    for (ptrdiff_t i = threadIdx.x / BOSC_CUDA_WIDTH; i < n * parts;
         i += blockDim.x / BOSC_CUDA_WIDTH) {
        const ptrdiff_t reading =
            own->reading[first + i / parts * set->width].value;

        bosc_sum_bundle(
            set, reading / set->width, (int32_t)(i % parts),
            [=](ptrdiff_t t) { return read_term(s, set, t, term[t], x); },
            values);
    }
}

/* The readings of cell block 'number' that fall on 'step', by all threads. */
static __device__ __noinline__ void frame(const bosc_cuda_step *s,
                                          const bosc_cuda_chip *c,
                                          int32_t number, const double *x,
                                          int64_t step)
{
    for (int32_t k = 0; k < s->readings.n_sets; ++k) {
        const bosc_cuda_set *set = &s->readings.sets[k];
        const bosc_cuda_chip_set *own = &c->sets[k];

        if (!bosc_frame_falls(&set->at, step))
            continue;
        double *values =
            set->values +
            (bosc_frame_number(&set->at, step) - set->begin) * set->n;

        if (set->width >= BOSC_CUDA_BUNDLE) {
            sum_bundles(s, set, own, number, x, values);
            continue;
        }
        for (ptrdiff_t i = own->first[number] + threadIdx.x;
             i < own->first[number + 1]; i += blockDim.x) {
            const bosc_chip_reading reading = own->reading[i];

            values[reading.value] = read_value(s, set, own->term, reading, x);
        }
    }
}

#endif
