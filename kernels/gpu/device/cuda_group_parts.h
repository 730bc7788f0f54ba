/* cuda_group_parts.h - the parts of a composed step on a GPU that mechanisms
 * have: events, currents, states.
 *
 * Between two parts all neurons wait for each other, as a launch ends with one.
 * A group may have any number of lanes, and a team any number of warps, in
 * several blocks; a lane of 'unit' is a neuron, or a section of one.
 *
 * The host launches a part with a thread for each lane of what it works on:
 * BOSC_CUDA_DELIVER with a warp for each unit, BOSC_CUDA_CURRENTS and the
 * states with a team for each group.  Threads past the last one do nothing.
 * Order of parts in a step: kernels/README.md.
 *
 * Included by cuda_composed.cu, and by the text that is compiled when a job
 * brings mechanisms, after cuda_group.h.
 */
#ifndef BOSC_KERNELS_GPU_DEVICE_CUDA_GROUP_PARTS_H
#define BOSC_KERNELS_GPU_DEVICE_CUDA_GROUP_PARTS_H

#include "kernels/gpu/device/cuda_group.h"

/* The number of a thread's warp, counted over all blocks. */
static __device__ __forceinline__ int32_t warp_number(void)
{
    return (int32_t)((blockIdx.x * blockDim.x + threadIdx.x) / BOSC_CUDA_WIDTH);
}

/* What this thread is in the team of a group.  Its lane is no neuron's: from,
 * lanes, rows and node are 0; of a thread past the last team g is n_groups or
 * more, and 'group' is not set. */
static __device__ lane lane_of_team(const bosc_cuda_step *s,
                                    const bosc_cuda_job_args *job)
{
    const int32_t warp = warp_number();
    lane me;

    me.s = s;
    me.job = job;
    me.g = me.unit = warp / s->streamed.team;
    me.k = (int32_t)threadIdx.x % BOSC_CUDA_WIDTH;
    me.warp = warp % s->streamed.team;
    me.warps = s->streamed.team;
    me.from = me.lanes = me.node = me.rows = 0;
    me.sides = NULL;
    me.step = me.at = 0;
    if (me.g < s->n_groups)
        me.group = s->groups[me.g];
    return me;
}

/* What this thread is in unit 'number', less than n_units: 32 lanes of a group,
 * or its last ones, which one warp walks. */
static __device__ lane lane_of_unit(const bosc_cuda_step *s,
                                    const bosc_cuda_job_args *job,
                                    int32_t number)
{
    const bosc_cuda_unit unit = s->composed.units[number];
    lane me;

    me.s = s;
    me.job = job;
    me.g = unit.g;
    me.unit = number;
    me.group = s->groups[unit.g];
    me.k = (int32_t)threadIdx.x % BOSC_CUDA_WIDTH;
    me.warp = 0;
    me.warps = 1;
    me.from = unit.from;
    me.lanes = me.group.width - unit.from < BOSC_CUDA_WIDTH
                   ? me.group.width - unit.from
                   : BOSC_CUDA_WIDTH;
    me.rows = me.node = 0;
    me.sides = NULL;
    me.step = me.group.width;
    me.at = unit.from + me.k;
    if (me.k < me.lanes) {
        me.rows = s->lane_rows[lane_number(&me)];
        me.node = s->composed.lane_from == NULL
                      ? 0
                      : s->composed.lane_from[lane_number(&me)];
    }
    return me;
}

/* The part s->composed.part of the step that starts at 'step'. */
static __device__ __forceinline__ void
do_part(const bosc_cuda_step *s, const bosc_cuda_job_args *job, int64_t step)
{
    if (s->composed.part == BOSC_CUDA_DELIVER) {
        if (warp_number() >= s->composed.n_units)
            return;
        const lane me = lane_of_unit(s, job, warp_number());

        deliver(&me, step);
        return;
    }
    const lane me = lane_of_team(s, job);

    if (me.g >= s->n_groups)
        return;
    if (s->composed.part == BOSC_CUDA_CURRENTS)
        do_items<BOSC_CUDA_CURRENT>(job, &me, step);
    else
        do_items<BOSC_CUDA_ADVANCE>(job, &me, step);
}

#endif
