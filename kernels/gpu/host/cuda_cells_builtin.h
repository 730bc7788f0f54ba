/* cuda_cells_builtin.h - built-in mechanisms in cell blocks, by their numbers;
 * made of the mod files in kernels/mech when bosc is built (src/nmodl/print.c).
 */
#ifndef BOSC_KERNELS_GPU_HOST_CUDA_CELLS_BUILTIN_H
#define BOSC_KERNELS_GPU_HOST_CUDA_CELLS_BUILTIN_H

#include "kernels/gpu/host/cuda_builtin.h"

/* Add what instance i gives, whose states are side by side. */
static __device__ __forceinline__ void
current_at(const bosc_cuda_block *block, ptrdiff_t i, const double *x,
           double scale, double v, bosc_cuda_sum *sum)
{
    switch (block->mech) {
    case BOSC_MECH_hh:
        current_of_hh(block, i, x, 1, scale, v, &sum->d, &sum->b);
        break;
    case BOSC_MECH_ExpSyn:
        current_of_ExpSyn(block, i, x, 1, scale, v, &sum->d, &sum->b);
        break;
    case BOSC_MECH_Exp2Syn:
        current_of_Exp2Syn(block, i, x, 1, scale, v, &sum->d, &sum->b);
        break;
    default:
        break;
    }
}

/* Advance it. */
static __device__ __forceinline__ void
advance_at(const bosc_cuda_block *block, ptrdiff_t i, double *x, double v)
{
    switch (block->mech) {
    case BOSC_MECH_hh:
        advance_of_hh(block, i, x, 1, v);
        break;
    case BOSC_MECH_ExpSyn:
        advance_of_ExpSyn(block, i, x, 1, v);
        break;
    case BOSC_MECH_Exp2Syn:
        advance_of_Exp2Syn(block, i, x, 1, v);
        break;
    default:
        break;
    }
}

/* Let instance i of a block, whose state j is at x[j * step], receive an
 * event. */
static __device__ void
receive(const bosc_cuda_block *block, ptrdiff_t i, double *x,
        ptrdiff_t step, double weight)
{
    switch (block->mech) {
    case BOSC_MECH_ExpSyn:
        receive_of_ExpSyn(block, i, x, step, weight);
        break;
    case BOSC_MECH_Exp2Syn:
        receive_of_Exp2Syn(block, i, x, step, weight);
        break;
    default:
        break;
    }
}

#endif
