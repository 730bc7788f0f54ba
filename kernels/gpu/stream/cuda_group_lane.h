/* cuda_group_lane.h - a lane of a group that is streamed, and what its warp
 * does at a time.
 *
 * Included by cuda_group_mech.h and cuda_group_job.h.
 */
#ifndef BOSC_KERNELS_GPU_STREAM_CUDA_GROUP_LANE_H
#define BOSC_KERNELS_GPU_STREAM_CUDA_GROUP_LANE_H

#include "kernels/gpu/host/cuda_mech.h"

/* A lane, and its group. */
typedef struct bosc_cuda_lane {
    const bosc_cuda_step *s;
    const struct bosc_cuda_job_args
        *job; /* NULL: no mechanism of the job's own */
    bosc_cuda_group group;
    int32_t g, k;        /* which group, which lane of it */
    int32_t warp, warps; /* of the team */
    int32_t rows;        /* of its neuron; those past it are padding */
    const int32_t *sides;
    ptrdiff_t step, at; /* of constants: from row to row, of row 0 */
} lane;

/* The number of a thread in its team, and how many there are. */
static __device__ int32_t thread_of(const lane *me)
{
    return me->warp * BOSC_CUDA_WIDTH + me->k;
}

static __device__ int32_t threads_of(const lane *me)
{
    return me->warps * BOSC_CUDA_WIDTH;
}

/* A part of a group, which a warp has by itself: so many rows of 32 slots,
 * counted over all groups. */
typedef struct bosc_cuda_item {
    int32_t row, rows;
} item;

#endif
