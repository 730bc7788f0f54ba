/* cuda_bundle.h - a bundle of readings (kernels/batch/reading.h), summed by a
 * warp on a GPU: each lane has one reading, so that the warp takes the weights
 * of a term at once, and reads each number once, not once for each reading.
 *
 * Included by cuda_group.h and cuda_cells_frame.h.
 */
#ifndef BOSC_KERNELS_GPU_DEVICE_CUDA_BUNDLE_H
#define BOSC_KERNELS_GPU_DEVICE_CUDA_BUNDLE_H

#include "kernels/gpu/host/cuda_step.h"

/* A warp sums bundles from this width on, else each thread a reading: with
 * half of its lanes a warp is still the faster one. */
enum { BOSC_CUDA_BUNDLE = BOSC_CUDA_WIDTH / 2 };

/* Up to 32 terms from t on: lane k of the warp has the number of term t + k.
 * The next 'n' are added to the lane's sum in their order; 16 of its weights,
 * 'width' apart, are read at once. */
static __device__ __forceinline__ double
bosc_add_terms(double sum, double number, const double *weight, int32_t width,
               int32_t n)
{
    enum { AT_ONCE = 16 };
    double w[AT_ONCE];
    int32_t k = 0;

    BOSC_ROLLED
    for (; k + AT_ONCE <= n; k += AT_ONCE) {
        BOSC_UNROLL
        for (int j = 0; j < AT_ONCE; ++j)
            w[j] = __ldcs(&weight[(ptrdiff_t)(k + j) * width]);
        BOSC_UNROLL
        for (int j = 0; j < AT_ONCE; ++j)
            sum += w[j] * __shfl_sync(0xffffffffu, number, k + j);
    }
    BOSC_ROLLED
    for (; k < n; ++k)
        sum +=
            weight[(ptrdiff_t)k * width] * __shfl_sync(0xffffffffu, number, k);
    return sum;
}

/* The readings of part 'part' of bundle b, up to 32, into values[n of the set],
 * by all lanes of a warp: the bits of bosc_reading_sum().  number(t): the
 * number of term t. */
template <typename numbers>
static __device__ __forceinline__ void
bosc_sum_bundle(const bosc_cuda_set *set, ptrdiff_t b, int32_t part,
                const numbers &number, double *values)
{
    const int32_t width = set->width, from = part * BOSC_CUDA_WIDTH;
    const int32_t lane = (int32_t)(threadIdx.x % BOSC_CUDA_WIDTH);
    const ptrdiff_t end = set->first_term[b + 1];
    const bool is_any = from + lane < width; /* else it is the first's twin */
    const double *weight = set->weight + from + (is_any ? lane : 0);
    ptrdiff_t t = set->first_term[b];
    double sum = 0, next = t + lane < end ? number(t + lane) : 0;

    BOSC_ROLLED
    for (; t < end; t += BOSC_CUDA_WIDTH) {
        const double now = next;
        const ptrdiff_t left = end - t, at = t + BOSC_CUDA_WIDTH + lane;

        next = at < end ? number(at) : 0;
        sum = bosc_add_terms(
            sum, now, weight + t * width, width,
            (int32_t)(left < BOSC_CUDA_WIDTH ? left : BOSC_CUDA_WIDTH));
    }
    if (is_any)
        values[b * width + from + lane] = sum;
}

/* Into how many such parts a bundle falls. */
static __device__ __forceinline__ int32_t
bosc_bundle_parts(const bosc_cuda_set *set)
{
    return (set->width + BOSC_CUDA_WIDTH - 1) / BOSC_CUDA_WIDTH;
}

#endif
