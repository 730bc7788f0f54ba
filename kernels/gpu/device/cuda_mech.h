/* cuda_mech.h - what the mechanisms of a GPU are made of: values and states of
 * an instance, a voltage that is not finite.
 *
 * The functions of each mechanism are printed with it (src/nmodl/emit/emit.h):
 * those that are built in are in cuda_builtin.h.
 */
#ifndef BOSC_KERNELS_GPU_DEVICE_CUDA_MECH_H
#define BOSC_KERNELS_GPU_DEVICE_CUDA_MECH_H

#include "kernels/base/formula.h"
#include "kernels/gpu/host/cuda_step.h"

/* The group of a slot, by bisection of the groups' first slots. */
static __device__ int32_t group_of(const bosc_cuda_step *s, ptrdiff_t slot)
{
    int32_t g = 0, end = s->n_groups;

    while (end - g > 1) {
        const int32_t middle = g + (end - g) / 2;

        if (s->groups[middle].first <= slot)
            g = middle;
        else
            end = middle;
    }
    return g;
}

/* Tell that the voltage at a slot is not finite.  Of all that are told in a
 * launch the neuron with the smallest number stays, whichever thread comes
 * first; padding is no neuron, and tells nothing. */
static __device__ void note_broken(const bosc_cuda_step *s, ptrdiff_t slot)
{
    const bosc_cuda_group *group = &s->groups[group_of(s, slot)];
    const int32_t k = (int32_t)((slot - group->first) % group->width);
    const int32_t neuron = s->lane_neuron[group->lane + k];

    if (neuron >= 0)
        atomicMax(&s->out.found->broken, BOSC_CUDA_BROKEN - (uint32_t)neuron);
}

/* What an instance adds to: d (uS) and b (nA) of a row. */
typedef struct bosc_cuda_sum {
    double d, b;
} bosc_cuda_sum;

/* --- an instance ----------------------------------------------------------
 *
 * n is a constant: the loops are written out, and the arrays are registers. */

/* Values of instance i of a block, parameters or constants, in the units of its
 * mechanism.  varies: of some value each instance has its own.  Most jobs have
 * one number for all instances: then each is one read. */
template <int n>
static __device__ __forceinline__ void load_values(double (&to)[n],
                                                   const bosc_cuda_value *from,
                                                   bool varies, ptrdiff_t i)
{
    BOSC_UNROLL
    for (int j = 0; j < n; ++j)
        to[j] = from[j].all;
    if (varies)
        BOSC_UNROLL
    for (int j = 0; j < n; ++j)
        if (from[j].at != NULL)
            to[j] = __ldg(&from[j].at[i]);
}

/* The parameters of instance i of a block. */
template <int n>
static __device__ __forceinline__ void
load_p(double (&to)[n], const bosc_cuda_block *block, ptrdiff_t i)
{
    load_values(to, n <= BOSC_CUDA_VALUES ? block->p : block->extra->p,
                block->p_varies != 0, i);
}

/* The constants of instance i of a block. */
template <int n>
static __device__ __forceinline__ void
load_k(double (&to)[n], const bosc_cuda_block *block, ptrdiff_t i)
{
    load_values(to, n <= BOSC_CUDA_VALUES ? block->k : block->extra->k,
                block->k_varies != 0, i);
}

/* Load the states of an instance, which are 'step' numbers apart: the number of
 * instances of the block in the device's memory, 1 in a cell block. */
template <int n>
static __device__ __forceinline__ void
load_states(double (&to)[n], const double *from, ptrdiff_t step)
{
    BOSC_UNROLL
    for (int j = 0; j < n; ++j)
        to[j] = from[j * step];
}

/* Store states that are 'step' numbers apart. */
template <int n>
static __device__ __forceinline__ void keep_states(double *to, ptrdiff_t step,
                                                   const double (&from)[n])
{
    BOSC_UNROLL
    for (int j = 0; j < n; ++j)
        to[j * step] = from[j];
}

#endif
