/* cuda_group_mech.h - blocks of a group that is streamed, with the operations
 * of ref.c: mechanisms that follow v and their own states alone, and stimuli,
 * as loops over their instances; ions.
 *
 * Included by cuda_group_builtin.h, and by the text of a job's mechanisms
 * (src/mods/program.h).
 */
#ifndef BOSC_KERNELS_GPU_DEVICE_CUDA_GROUP_MECH_H
#define BOSC_KERNELS_GPU_DEVICE_CUDA_GROUP_MECH_H

#include "kernels/gpu/device/cuda_group_lane.h"
#include "kernels/mech/ion.h"

/* --- loops over instances -------------------------------------------------
 *
 * A lane takes some instances at a time: exponentials take long.  What is done
 * with one is an argument of the template, current_of_NAME or advance_of_NAME
 * of a mechanism. */

typedef void bosc_cuda_current_of(const bosc_cuda_block *block, ptrdiff_t i,
                                  double *x, ptrdiff_t step, double scale,
                                  double v, double *d, double *b);
typedef void bosc_cuda_advance_of(const bosc_cuda_block *block, ptrdiff_t i,
                                  double *x, ptrdiff_t step, double v);

/* Add what the instances of an item give. */
template <bosc_cuda_current_of *current_of>
static __device__ __forceinline__ void
current_block(const bosc_cuda_block *block, const lane *me, const item *it)
{
    const bosc_cuda_step *s = me->s;

#pragma unroll 4
    for (ptrdiff_t i = it->begin + me->k; i < it->end; i += BOSC_CUDA_WIDTH) {
        const ptrdiff_t at = me->group.first + block->at[i];

        current_of(block, i, block->state + i, block->n, block->scale[i],
                   s->v[at], &s->d[at], &s->b[at]);
    }
}

/* Advance them. */
template <bosc_cuda_advance_of *advance_of>
static __device__ __forceinline__ void
advance_block(const bosc_cuda_block *block, const lane *me, const item *it)
{
#pragma unroll 2
    for (ptrdiff_t i = it->begin + me->k; i < it->end; i += BOSC_CUDA_WIDTH)
        advance_of(block, i, block->state + i, block->n,
                   me->s->v[me->group.first + block->at[i]]);
}

/* What a stimulus injects at t (ms): stimulus_of_NAME. */
typedef double bosc_cuda_stimulus_of(const bosc_cuda_block *block, ptrdiff_t i,
                                     double t);

/* Add what the stimuli of an item inject: the lane of the first one at a slot
 * takes all that are there. */
template <bosc_cuda_stimulus_of *stimulus_of>
static __device__ __forceinline__ void
stimulus_block(const bosc_cuda_block *block, const lane *me, const item *it,
               int64_t step)
{
    const double t = ((double)step + 0.5) * me->s->dt;

#pragma unroll 1
    for (ptrdiff_t i = it->begin + me->k; i < it->end; i += BOSC_CUDA_WIDTH) {
        const int32_t at = block->at[i];
        double *b = &me->s->b[me->group.first + at];
        double sum = *b;

        if (i > it->begin && block->at[i - 1] == at)
            continue;
#pragma unroll 1
        for (ptrdiff_t k = i; k < it->end && block->at[k] == at; ++k) {
            block->state[k] = stimulus_of(block, k, t);
            sum += block->state[k];
        }
        *b = sum;
    }
}

/* --- ions ----------------------------------------------------------------- */

/* Begin a step for an ion at slot i. */
static __device__ __forceinline__ void
begin_ion_at(const bosc_cuda_block *ion, const bosc_cuda_mech_extra &extra,
             ptrdiff_t i)
{
    if (!extra.idle)
        ion->state[BOSC_ION_CURRENT * ion->n + i] = 0;
    if (extra.follows && extra.style[i] >= BOSC_ION_ALWAYS)
        ion->state[BOSC_ION_E * ion->n + i] =
            bosc_nernst(extra.nernst, ion->state[BOSC_ION_INSIDE * ion->n + i],
                        ion->state[BOSC_ION_OUTSIDE * ion->n + i]);
}

/* The same at the slots of the group. */
static __device__ void begin_ion(const bosc_cuda_block *ion, const lane *me)
{
    const bosc_cuda_mech_extra extra = *ion->extra;
    const ptrdiff_t end =
        me->group.first + (ptrdiff_t)me->group.rows * me->group.width;

    for (ptrdiff_t i = me->group.first + thread_of(me); i < end;
         i += threads_of(me))
        begin_ion_at(ion, extra, i);
}

#endif
