/* cuda_group_lane.h - a lane of a group that is streamed, and what its warp
 * does at a time.
 *
 * Included by cuda_group_mech.h and cuda_group_job.h.
 */
#ifndef BOSC_KERNELS_GPU_DEVICE_CUDA_GROUP_LANE_H
#define BOSC_KERNELS_GPU_DEVICE_CUDA_GROUP_LANE_H

#include "kernels/gpu/device/cuda_mech.h"

/* A lane of a team, and its group; made for each phase of a step. */
typedef struct bosc_cuda_lane {
    const bosc_cuda_step *s;
    /* of the job's own mechanisms; NULL: there are none */
    const struct bosc_cuda_job_args *job;
    bosc_cuda_group group;
    int32_t g, k;        /* number of the group; lane of its warp, 0 .. 31 */
    int32_t warp, warps; /* number of its warp in the team; warps of the team */
    int32_t unit;        /* what events and 'watched' count: the group, or of
                            composed steps the unit */
    int32_t from, lanes; /* first lane of the warp in its group; how many */
    int32_t node;        /* compartment in row 0 */
    int32_t rows;        /* of its neuron; rows past these are padding */
    const int32_t *sides; /* [rows] number of sides of each row */
    ptrdiff_t step, at;   /* of constants: from row to row; of row 0 */
} lane;

/* The number of a thread in its team. */
static __device__ int32_t thread_of(const lane *me)
{
    return me->warp * BOSC_CUDA_WIDTH + me->k;
}

/* The number of its neuron's lane, counted over all groups. */
static __device__ __forceinline__ ptrdiff_t lane_number(const lane *me)
{
    return me->group.lane + me->from + me->k;
}

/* The number of threads of a team. */
static __device__ int32_t threads_of(const lane *me)
{
    return me->warps * BOSC_CUDA_WIDTH;
}

typedef bosc_cuda_item item;

#endif
