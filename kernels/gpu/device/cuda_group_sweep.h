/* cuda_group_sweep.h - the sweeps through a group that is streamed: each lane
 * of a warp through its neuron, or its lone one.
 *
 * A sweep takes a batch of rows at a time: it asks for the codes of the next
 * batch, for the numbers of this one, then computes.  solve() is what the time
 * step calls; the other functions are one loop, compiled for
 *     width  lanes of the group: numbers from a row to the next
 *     step   the same for constants: 1 where all lanes share them
 *     rows   of a batch, on the way up and on the way down
 *     plain  most batches are plain (cuda_step.h): these are asked first, and
 *            take a short way
 * Stacks of a lane are width apart, so that the lanes of a warp touch one line
 * of memory or all banks.  Arrays are those of bosc_cuda_step: v in mV, d in
 * uS, b in nA.
 *
 * Included by cuda_group.h.
 */
#ifndef BOSC_KERNELS_GPU_DEVICE_CUDA_GROUP_SWEEP_H
#define BOSC_KERNELS_GPU_DEVICE_CUDA_GROUP_SWEEP_H

#include "kernels/gpu/device/cuda_group_rows.h"
#if defined(BOSC_GROUP_RING)
#include "kernels/gpu/device/cuda_group_ring.h"
#endif

static_assert(BOSC_CUDA_ROWS_UP == 4 && BOSC_CUDA_ROWS_DOWN == 8,
              "codes come four by four");

/* Sweep up through a lane's neuron, 'batch' rows at a time, from the last row
 * to the first: f and w of rows that change into d and b, of constant rows w
 * into b. width: lanes of the group; step: numbers from row to row of its
 * constants, 1 where they are shared.  With 'plain' most batches are, and are
 * asked first. */
template <int width, int step, int batch, bool plain>
static __device__ __forceinline__ void sweep_up(const lane *me, places stack)
{
    const int32_t n = me->group.rows;
    reader of = reader_of<width, step>(me, n - 1);
    boundaries<step> boundary(me, of.boundary, plain);
    tops top = {stack.b, 0, stack.d};
    upward up = {bosc_pivot_none(), 0};
    int32_t code[batch];

    read_codes<-width, batch>(of.code, n, code);
#pragma unroll 1
    for (int32_t left = n; left > 0; left -= batch) {
        const uint32_t now = together<batch>(code);
        const uint8_t *later = of.code - batch * width;

        if (plain && plain_up(now)) {
            plain_row row[batch];

            BOSC_UNROLL
            for (int j = 0; j < batch; ++j)
                row[j] = plain_row{left - 1 - j,
                                   code_of(&now, j),
                                   __ldg(&of.c[-j * step]),
                                   of.v[-j * width],
                                   __ldg(&of.f[-j * step]),
                                   __ldg(&of.r[-j * step])};
            read_codes<-width, batch>(later, left - batch, code);
            BOSC_UNROLL
            for (int j = 0; j < batch; ++j)
                up_plain<width, step>(me, &row[j], &up, &boundary, &top,
                                      &of.b[-j * width]);
        } else {
            ahead row[batch];

            if (plain) {
                stack = all_of<width>(&top);
                of.boundary = boundary.at - me->s->streamed.constants;
            }
            read_batch_up<width, step, batch>(me, &of, left, now, row);
            read_codes<-width, batch>(later, left - batch, code);
            batch_up<width, batch>(row, left, &up, &stack, &of);
            if (plain) {
                top = tops_of<width>(stack);
                boundary = boundaries<step>(me, of.boundary, plain);
            }
        }
        move<width, step>(&of, -batch);
    }
}

/* Sweep down, from the first row to the last: with x what b becomes, v is the
 * voltage x, or by the second-order method 2 x - v. */
template <int width, int step, int batch, bool plain>
static __device__ __forceinline__ void sweep_down(const lane *me, places stack)
{
    const bool second_order = me->s->second_order;
    const int32_t n = me->group.rows;
    reader of = reader_of<width, step>(me, 0);
    tops top = {stack.b, 0, NULL};
    double x = 0;
    int32_t code[batch];

    read_codes<width, batch>(of.code, n, code);
#pragma unroll 1
    for (int32_t first = 0; first < n; first += batch) {
        enum { WORD = batch < 4 ? batch : 4 };
        const uint32_t now[] = {together<WORD>(code),
                                together<WORD>(code + batch - WORD)};
        const uint8_t *later = of.code + batch * width;
        const int32_t left = n - first;

        if (plain && !second_order && plain_down(now)) {
            double f[batch], w[batch];

            BOSC_UNROLL
            for (int j = 0; j < batch; ++j) {
                f[j] = __ldg(&of.f[j * step]);
                w[j] = of.b[j * width];
            }
            read_codes<width, batch>(later, left - batch, code);
            BOSC_UNROLL
            for (int j = 0; j < batch; ++j)
                down_plain<width>(code_of(now, j), f[j], w[j], &top, &x,
                                  &of.v[j * width]);
        } else {
            below row[batch];

            if (plain)
                stack = all_of<width>(&top);
            read_batch_down<width, step, batch>(me, &of, first, now, row);
            read_codes<width, batch>(later, left - batch, code);
            batch_down<width, batch>(row, left, second_order, &stack, &x, of.v);
            if (plain)
                top = tops_of<width>(stack);
        }
        move<width, step>(&of, batch);
    }
}

/* The stacks of a lane in a room that all lanes share: (levels + 1) width
 * numbers, products of b from its begin, those of d from its end. */
template <int width>
static __device__ __forceinline__ places stacks_in(const lane *me, double *room,
                                                   int32_t levels)
{
    return places{room + me->k, room + levels * width + me->k};
}

/* Both sweeps, with stacks in 'room', [levels + 1][width], and batches of so
 * many rows. */
template <int width, int step, int rows_up, int rows_down, bool plain>
static __device__ __forceinline__ void sweep(const lane *me, double *room,
                                             int32_t levels)
{
    const places stack = stacks_in<width>(me, room, levels);

    sweep_up<width, step, rows_up, plain>(me, stack);
    sweep_down<width, step, rows_down, plain>(me, stack);
}

/* The loops that there are, bits of BOSC_SWEEP_BIT(): a job's text says it. */
#if !defined(BOSC_GROUP_SWEEPS)
#define BOSC_GROUP_SWEEPS (~0u)
#endif

static __device__ __forceinline__ constexpr bool
has_sweep(bosc_cuda_sweep sweep, bosc_cuda_lanes lanes)
{
    return (BOSC_GROUP_SWEEPS & BOSC_SWEEP_BIT(sweep, lanes)) != 0;
}

/* The loop for a group that is swept in this way, rows_up and rows_down at a
 * time. */
template <int width, bosc_cuda_sweep way, int rows_up, int rows_down>
static __device__ __forceinline__ void sweep_group(const lane *me, double *room,
                                                   int32_t levels)
{
    constexpr bool plain = way == BOSC_SWEEP_PLAIN;

    if (!plain && has_sweep(way, BOSC_LANES_LONE) && me->group.width == 1)
        sweep<1, 1, rows_up, rows_down, plain>(me, room, levels);
    else if (has_sweep(way, BOSC_LANES_SHARED) && me->group.shared)
        sweep<width, 1, rows_up, rows_down, plain>(me, room, levels);
    else if (has_sweep(way, BOSC_LANES_OWN))
        sweep<width, width, rows_up, rows_down, plain>(me, room, levels);
}

/* The rings of a block's groups, and their stacks, if they are small. */
extern __shared__ __align__(16) double near_room[];

/* Solve the system of the lane's neuron: by a ring, with stacks in shared
 * memory, or with stacks in the device's memory, as the host has decided
 * (bosc_cuda_room). */
template <int width>
static __device__ __forceinline__ void solve(const lane *me)
{
    enum { UP = BOSC_CUDA_ROWS_UP, DOWN = BOSC_CUDA_ROWS_DOWN };
    const bosc_cuda_room room = me->s->streamed.rooms[me->g];
    const uint32_t group =
        threadIdx.x / (uint32_t)(me->s->streamed.team * BOSC_CUDA_WIDTH);
    double *near =
        near_room + group * (me->s->streamed.near_room / sizeof *near_room);

#if defined(BOSC_GROUP_RING)
    if (width == BOSC_CUDA_WIDTH && room.ring) {
        const places stack = stacks_in<BOSC_CUDA_WIDTH>(
            me, near + BOSC_CUDA_RING / sizeof *near, room.levels);

        if (me->group.shared)
            ring_sweep<true>(me, near, stack);
        else
            ring_sweep<false>(me, near, stack);
        return;
    }
#endif
    if (room.plain)
        sweep_group<width, BOSC_SWEEP_PLAIN, UP, DOWN>(me, near, room.levels);
    else if (room.far >= 0)
        sweep_group<width, BOSC_SWEEP_FAR, UP, DOWN>(
            me, me->s->streamed.far_room + room.far, room.levels);
    else if (me->group.rows > BOSC_CUDA_FEW_ROWS)
        sweep_group<width, BOSC_SWEEP_NEAR, UP, DOWN>(me, near, room.levels);
    else
        sweep_group<width, BOSC_SWEEP_FEW, 1, 1>(me, near, room.levels);
}

#endif
