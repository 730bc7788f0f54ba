/* cuda_group_sweep.h - the sweeps through a group that is streamed: each lane
 * of a warp through its neuron, or its lone one.
 *
 * Included by cuda_group.h.
 */
#ifndef BOSC_KERNELS_GPU_CUDA_GROUP_SWEEP_H
#define BOSC_KERNELS_GPU_CUDA_GROUP_SWEEP_H

#include "kernels/gpu/cuda_group_lane.h"
#include "kernels/hines/hines.h"

/* Row i of the lane. */
static __device__ ptrdiff_t row_at(const lane *me, int32_t i)
{
    return me->group.first + (ptrdiff_t)i * me->group.width + me->k;
}

static __device__ double constant(const lane *me, ptrdiff_t of, int32_t i)
{
    return __ldg(&me->s->constants[of + me->at + i * me->step]);
}

/* --- the sweeps -----------------------------------------------------------
 *
 * Lanes turn in different rows, and a warp waits for all of its lanes: so
 * nothing that a row needs may be far away when its turn comes.  The numbers of
 * some rows are read at a time; what rows that turn hand on is on a stack of
 * each lane, for rows are depth-first (cuda_step.h). */

/* Rows that are read at a time; a group that has few reads them one by one, so
 * it has fewer instructions to go through. */
enum { AHEAD_UP = 4, AHEAD_DOWN = 8, FEW_ROWS = 8 };
static_assert(AHEAD_UP == 4 && AHEAD_DOWN == 8, "codes come four by four");

/* On the way up products: of b, and from the other end those of d; on the way
 * down voltages.  The next places of a lane. */
typedef struct places {
    double *b, *d;
} places;

/* What is read of a row before its turn comes. */
typedef struct ahead {
    int32_t code, sides;
    double c, v, e, f, r; /* READY: b in the place of c; not KEPT: u and d in
                             those of f and r */
    double edge;
} ahead;

static __device__ int32_t sides_of(const lane *me, int32_t i, int32_t code)
{
    const int32_t n = code / BOSC_CODE_SIDES;

    return n < BOSC_MANY_SIDES ? n : __ldg(&me->sides[i]);
}

/* The arrays, at a row of a lane. */
typedef struct reader {
    const uint8_t *code;
    const double *c, *e, *u, *f, *r;
    double *v, *d, *b;
    ptrdiff_t edge;
} reader;

static __device__ __forceinline__ reader reader_of(const lane *me, int32_t i)
{
    const bosc_cuda_step *s = me->s;
    const bosc_cuda_group *g = &me->group;
    const ptrdiff_t at = row_at(me, i);
    const double *k = s->constants + me->at + i * me->step;

    return reader{s->code + at, k + g->c,
                  k + g->e,     k + g->u,
                  k + g->f,     k + g->r,
                  s->v + at,    s->d + at,
                  s->b + at,    g->edge + (g->shared ? 0 : me->k)};
}

/* 'rows' further. */
template <int width, int step>
static __device__ __forceinline__ void move(reader *of, int32_t rows)
{
    of->code += rows * width;
    of->v += rows * width;
    of->d += rows * width;
    of->b += rows * width;
    of->c += rows * step;
    of->e += rows * step;
    of->u += rows * step;
    of->f += rows * step;
    of->r += rows * step;
}

/* The numbers of row i, j rows before the reader's, which its code asks for. */
template <int width, int step>
static __device__ __forceinline__ void read_up(const lane *me, reader *of,
                                               int32_t i, int j, ahead *row)
{
    const bool shared = width != step;
    const int32_t code = row->code;
    const bool ready = (code & BOSC_ROW_READY) != 0;
    const bool kept = (code & BOSC_ROW_KEPT) != 0;

    row->sides = sides_of(me, i, code);
    row->c = *(ready ? &of->b[-j * width] : &of->c[-j * step]);
    row->v = ready ? 0 : of->v[-j * width];
    row->e = (code & BOSC_CODE_E) != 0 ? of->e[-j * step] : 0;
    row->f = *(shared && !kept ? &of->u[-j * step] : &of->f[-j * step]);
    row->r = *(kept ? &of->r[-j * step] : &of->d[-j * width]);
    if ((code & BOSC_ROW_EDGE) != 0) {
        of->edge -= shared ? 0 : width;
        if (kept && (code & BOSC_CODE_D) != 0)
            row->edge = __ldg(&me->s->constants[of->edge + (shared ? i : 0)]);
    }
}

/* Less the last n products on a stack, the one that came first first. */
static __device__ __forceinline__ double less(double x, const double *from,
                                              ptrdiff_t width, int32_t n)
{
    x -= n > 0 ? from[0] : 0;
#pragma unroll 1
    for (int32_t k = 1; k < n; ++k)
        x -= from[k * width];
    return x;
}

/* e is that of the rows after, but for a row that reads its own, and of one
 * without capacitance it is 0. */
template <int width>
static __device__ __forceinline__ void up_row(const ahead *row, double *e,
                                              places *stack, bosc_row *next,
                                              double *to_d, double *to_b)
{
    double b = row->c;

    *e = (row->code & BOSC_CODE_E) != 0 ? row->e : *e;
    if ((row->code & BOSC_ROW_READY) == 0)
        b *= row->v + (row->c == 0 ? 0 : *e);
    stack->b -= row->sides * width;
    b = less(b, stack->b, width, row->sides);
    if ((row->code & BOSC_ROW_KEPT) != 0) {
        next->b = fma(-next->f, next->b, b);
        next->f = row->f;
        next->d = row->edge;
        *to_b = row->r * next->b;
    } else {
        stack->d += row->sides * width;
        *next = bosc_eliminate(less(row->r, stack->d, -width, row->sides),
                               row->f, b, *next);
        *to_d = next->f;
        *to_b = next->w;
    }
    if ((row->code & BOSC_CODE_TURN) == 0)
        return;
    *stack->b = next->f * next->b;
    stack->b += width;
    if ((row->code & BOSC_CODE_D) != 0) {
        *stack->d = next->f * next->d;
        stack->d -= width;
    }
    next->f = 0;
}

/* Some codes in one word, which the compiler may not take apart: all of them
 * are waited for before what the first one asks for is on its way.  A wait for
 * the second would be one for that, too, as a processor counts few loads
 * apart, and the reads of a batch would come one after another. */
template <int n>
static __device__ __forceinline__ uint32_t together(const int32_t *code)
{
    uint32_t all = 0;

    BOSC_UNROLL
    for (int j = 0; j < n; ++j)
        all |= (uint32_t)code[j] << 8 * j;
    asm volatile("" : "+r"(all));
    return all;
}

/* Code j of some. */
static __device__ __forceinline__ int32_t code_of(const uint32_t *all, int j)
{
    return (int32_t)(all[j / 4] >> 8 * (j % 4) & 0xff);
}

/* Codes are read a batch before their rows: what they ask for is then read at
 * once. */
template <int width, int step, int batch>
static __device__ __forceinline__ void sweep_up(const lane *me, places stack)
{
    const int32_t end = me->group.rows - 1;
    reader of = reader_of(me, end);
    bosc_row next = {0, 0, 0, 0};
    double e = 0;
    int32_t code[batch];

    BOSC_UNROLL
    for (int j = 0; j < batch; ++j)
        code[j] = j <= end ? __ldg(&of.code[-j * width]) : 0;
#pragma unroll 1
    for (int32_t last = end; last >= 0; last -= batch) {
        const uint32_t now[] = {together<batch>(code)};
        ahead row[batch];

        BOSC_UNROLL
        for (int j = 0; j < batch; ++j) {
            row[j] = ahead{code_of(now, j), 0, 0, 0, 0, 0, 0, 0};
            if (j <= last)
                read_up<width, step>(me, &of, last - j, j, &row[j]);
            code[j] =
                j + batch <= last ? __ldg(&of.code[-(j + batch) * width]) : 0;
        }
        BOSC_UNROLL
        for (int j = 0; j < batch; ++j)
            if (j <= last)
                up_row<width>(&row[j], &e, &stack, &next, &of.d[-j * width],
                              &of.b[-j * width]);
        move<width, step>(&of, -batch);
    }
}

template <int width, int step, int batch>
static __device__ __forceinline__ void sweep_down(const lane *me, places stack)
{
    const bool second_order = me->s->second_order;
    const int32_t n = me->group.rows;
    reader of = reader_of(me, 0);
    double x = 0;
    int32_t code[batch];

    BOSC_UNROLL
    for (int j = 0; j < batch; ++j)
        code[j] = j < n ? __ldg(&of.code[j * width]) : 0;
#pragma unroll 1
    for (int32_t first = 0; first < n; first += batch) {
        double f[batch], w[batch], v[batch];
        enum { WORD = batch < 4 ? batch : 4 };
        const uint32_t all[] = {together<WORD>(code),
                                together<WORD>(code + batch - WORD)};
        int32_t now[batch], sides[batch];

        BOSC_UNROLL
        for (int j = 0; j < batch; ++j) {
            const int32_t i = first + j;

            now[j] = code_of(all, j);
            f[j] = w[j] = v[j] = 0;
            sides[j] = 0;
            if (i < n) {
                sides[j] = sides_of(me, i, now[j]);
                f[j] = *((now[j] & BOSC_ROW_KEPT) != 0 ? &of.f[j * step]
                                                       : &of.d[j * width]);
                w[j] = of.b[j * width];
                if (second_order)
                    v[j] = of.v[j * width];
            }
            code[j] = i + batch < n ? __ldg(&of.code[(j + batch) * width]) : 0;
        }
        BOSC_UNROLL
        for (int j = 0; j < batch; ++j) {
            if (first + j >= n)
                break;
            if ((now[j] & BOSC_CODE_TURN) != 0) {
                stack.b -= width;
                x = *stack.b;
            }
            x = bosc_substitute(f[j], w[j], x);
            of.v[j * width] = second_order ? 2 * x - v[j] : x;
#pragma unroll 1
            for (int32_t k = 0; k < sides[j]; ++k) {
                *stack.b = x;
                stack.b += width;
            }
        }
        move<width, step>(&of, batch);
    }
}

template <int width, int step>
static __device__ __forceinline__ void sweep(const lane *me, double *room,
                                             int32_t levels)
{
    const places stack = {room + me->k, room + (levels - 1) * width + me->k};

    if (me->group.rows > FEW_ROWS) {
        sweep_up<width, step, AHEAD_UP>(me, stack);
        sweep_down<width, step, AHEAD_DOWN>(me, stack);
    } else {
        sweep_up<width, step, 1>(me, stack);
        sweep_down<width, step, 1>(me, stack);
    }
}

template <int width>
static __device__ __forceinline__ void sweep_in(const lane *me, double *room,
                                                int32_t levels)
{
    if (me->group.width == 1)
        sweep<1, 1>(me, room, levels);
    else if (me->group.shared)
        sweep<width, 1>(me, room, levels);
    else
        sweep<width, width>(me, room, levels);
}

/* The stacks of a block's groups, if they are small. */
extern __shared__ double near_room[];

template <int width> static __device__ void solve(const lane *me)
{
    const bosc_cuda_room room = me->s->rooms[me->g];
    const uint32_t group =
        threadIdx.x / (uint32_t)(me->s->team * BOSC_CUDA_WIDTH);

    if (room.far < 0)
        sweep_in<width>(
            me, near_room + group * (me->s->near_room / sizeof *near_room),
            room.levels);
    else
        sweep_in<width>(me, me->s->far_room + room.far, room.levels);
}

#endif
