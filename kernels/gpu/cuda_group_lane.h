/* cuda_group_lane.h - a lane of a group that is streamed, and what its warp
 * does at a time.
 *
 * Included by cuda_group_job.h.
 */
#ifndef BOSC_KERNELS_GPU_CUDA_GROUP_LANE_H
#define BOSC_KERNELS_GPU_CUDA_GROUP_LANE_H

#include "kernels/gpu/cuda_mech.h"

/* A lane, and its group. */
typedef struct bosc_cuda_lane {
    const bosc_cuda_step *s;
    const struct bosc_cuda_job *job; /* NULL: no mechanism of the job's own */
    bosc_cuda_group group;
    int32_t g, k;        /* which group, which lane of it */
    int32_t warp, warps; /* of the team */
    int32_t rows;        /* of its neuron; those past it are padding */
    const int32_t *sides;
    ptrdiff_t step, at; /* of constants: from row to row, of row 0 */
} lane;

/* A block of instances in a part of a group, or, where a warp is alone, in all
 * of it.  Items are numbered part by part, and dealt to the team's warps. */
typedef struct bosc_cuda_item {
    int32_t number;
    int32_t row, rows; /* of 32 slots, counted over all groups */
    bool turn;         /* the item before it must add to its slots first */
} item;

/* The last item that each warp of the team has done. */
static __device__ __forceinline__ int32_t *done_items(void)
{
    static __shared__ int32_t done[BOSC_CUDA_WARPS];

    return done;
}

/* Wait until a warp has done an item.  It may wait for earlier ones only. */
static __device__ __forceinline__ void wait_for(int32_t warp, int32_t number)
{
    while (atomicAdd(done_items() + warp, 0) < number)
        __nanosleep(20);
    __threadfence_block();
}

/* Wait for items of a part, bits of their blocks. */
static __device__ __forceinline__ void
wait_for_all(const lane *me, int32_t first, uint64_t blocks)
{
    for (; blocks != 0; blocks &= blocks - 1) {
        const int32_t number = first + __ffsll((long long)blocks) - 1;

        wait_for(number % me->warps, number);
    }
}

/* Wait until the item may add to its slots. */
static __device__ __forceinline__ void wait_turn(const lane *me, item *it)
{
    if (it->turn)
        wait_for((me->warp == 0 ? me->warps : me->warp) - 1, it->number - 1);
    it->turn = false;
}

static __device__ __forceinline__ void end_item(const lane *me, const item *it)
{
    __threadfence_block();
    __syncwarp();
    if (me->k == 0)
        atomicExch(done_items() + me->warp, it->number);
}

/* The instances of an item, so many of a lane at a time: exponentials take
 * long. */
#define EACH(times, block, me, it, i)                                          \
    const ptrdiff_t end = (block)->first[(it)->row + (it)->rows];              \
    _Pragma(times) for (ptrdiff_t i = (block)->first[(it)->row] + (me)->k;     \
                        i < end; i += BOSC_CUDA_WIDTH)

#endif
