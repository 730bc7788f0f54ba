/* cuda_group_builtin.h - built-in mechanisms in groups, by their numbers;
 * made of the mod files in kernels/mech when bosc is built (src/nmodl/print.c).
 */
#ifndef BOSC_KERNELS_GPU_STREAM_CUDA_GROUP_BUILTIN_H
#define BOSC_KERNELS_GPU_STREAM_CUDA_GROUP_BUILTIN_H

#include "kernels/gpu/host/cuda_builtin.h"
#include "kernels/gpu/stream/cuda_group_job.h"
#include "kernels/gpu/stream/cuda_group_mech.h"


/* What the job has of its own mechanisms. */
struct bosc_cuda_job_args {
};

/* Add what a block, or all densities of the job, give in a part. */
static __device__ __forceinline__ void
current(const bosc_cuda_job_args *job, bosc_cuda_work work,
        const lane *me, const item *it, int64_t step)
{
    const bosc_cuda_block *block = &me->s->blocks[work.block];

    switch (work.mech) {
    case BOSC_MECH_hh:
        current_block<current_of_hh>(block, me, it);
        break;
    case BOSC_MECH_ExpSyn:
        current_block<current_of_ExpSyn>(block, me, it);
        break;
    case BOSC_MECH_Exp2Syn:
        current_block<current_of_Exp2Syn>(block, me, it);
        break;
    case BOSC_MECH_IClamp:
        stimulus_block<stimulus_of_IClamp>(block, me, it, step);
        break;
    default:
        break;
    }
}

/* Advance them. */
static __device__ __forceinline__ void
advance(const bosc_cuda_job_args *job, bosc_cuda_work work,
        const lane *me, const item *it, int64_t step)
{
    const bosc_cuda_block *block = &me->s->blocks[work.block];

    switch (work.mech) {
    case BOSC_MECH_hh:
        advance_block<advance_of_hh>(block, me, it);
        break;
    case BOSC_MECH_ExpSyn:
        advance_block<advance_of_ExpSyn>(block, me, it);
        break;
    case BOSC_MECH_Exp2Syn:
        advance_block<advance_of_Exp2Syn>(block, me, it);
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

/* Let an instance of a full mechanism receive an event. */
static __device__ void
receive_full(const lane *me, const bosc_cuda_self *event)
{
    /* no mechanism does */
}

/* Let the instances of block m look at what they watch, at a time (ms). */
static __device__ void
watch_full(const lane *me, int32_t m, double now)
{
    /* no mechanism does */
}

#endif
