/* cuda_group.h - the time step on a GPU of a group that is streamed: a warp
 * integrates it over a range of steps, and no other reads or writes it.
 *
 * The same operations in the same order as ref.c; between two phases of a step
 * that other lanes' numbers are needed in, the warp meets.
 *
 * Included by cuda_loop.cu, and by the text that is compiled when a job brings
 * mechanisms (src/mods/program.h).
 */
#ifndef BOSC_KERNELS_GPU_CUDA_GROUP_H
#define BOSC_KERNELS_GPU_CUDA_GROUP_H

#include "kernels/gpu/cuda_group_mech.h"
#include "kernels/gpu/cuda_step.h"
#include "kernels/hines/hines.h"

/* --- a step of a group ---------------------------------------------------- */

/* Row i of the lane. */
static __device__ ptrdiff_t row_at(const lane *me, int32_t i)
{
    return me->group.first + (ptrdiff_t)i * me->group.width + me->k;
}

static __device__ double constant(const lane *me, ptrdiff_t of, int32_t i)
{
    return __ldg(&me->s->constants[of + me->at + i * me->step]);
}

static __device__ double own_b(const lane *me, int32_t i)
{
    return constant(me, me->group.c, i) *
           (me->s->v[row_at(me, i)] + constant(me, me->group.e, i));
}

static __device__ void detect(const lane *me, int64_t step)
{
    const bosc_cuda_step *s = me->s;

    for (ptrdiff_t i = s->first_detector[me->g] + threadIdx.x;
         i < s->first_detector[me->g + 1]; i += BOSC_CUDA_WIDTH) {
        const bosc_detector detector = s->detectors[i];
        const bool above = s->v[detector.slot] > detector.threshold;

        if (above && !s->above[i]) {
            const bosc_spike spike = {step, detector.source};

            s->spikes[atomicAdd(&s->found->n_spikes, 1ull)] = spike;
        }
        s->above[i] = above;
    }
}

static __device__ void receive_event(const lane *me,
                                     const bosc_cuda_event *event)
{
    const bosc_cuda_block *block = &me->s->blocks[event->block];
    const bosc_cuda_self late = {(double)event->step * me->s->dt +
                                     event->weight,
                                 0, event->instance, event->block};

    if (!is_full(block)) {
        receive(block, event->instance, block->state + event->instance,
                block->n, event->weight);
        return;
    }
    if (me->s->first_self != NULL)
        receive_self(me, late.t);
    receive_full(me, &late);
}

/* Each lane looks at all events of the group, in order, and takes its own. */
static __device__ void deliver_events(const lane *me, int64_t step)
{
    const bosc_cuda_step *s = me->s;

    if (s->first_event == NULL)
        return;
    const ptrdiff_t end = s->first_event[me->g + 1];
    ptrdiff_t i = s->next_event[me->g];

    for (; i < end && s->events[i].step == step; ++i)
        if (s->events[i].lane == (int32_t)threadIdx.x)
            receive_event(me, &s->events[i]);
    __syncwarp();
    if (threadIdx.x == 0)
        s->next_event[me->g] = i;
}

static __device__ void deliver(const lane *me, int64_t step)
{
    const bosc_cuda_step *s = me->s;
    const bool sends = s->first_self != NULL && me->k < me->group.width;

    for (int32_t m = 0; sends && m < s->n_blocks; ++m)
        watch_full(me, m, (double)step * s->dt);
    deliver_events(me, step);
    if (sends)
        receive_self(me, ((double)step + 0.5) * s->dt);
}

/* d and b of the ready rows of a run, those of some rows at a time. */
static __device__ void assemble_run(const lane *me, bosc_ready run)
{
    enum { AHEAD = 8 };
    const bosc_cuda_step *s = me->s;

    for (int32_t first = run.from; first < run.to; first += AHEAD) {
        bool ready[AHEAD];
        double d[AHEAD], b[AHEAD];

        BOSC_UNROLL
        for (int j = 0; j < AHEAD; ++j)
            ready[j] =
                first + j < run.to &&
                (__ldg(&s->code[row_at(me, first + j)]) & BOSC_ROW_READY) != 0;
        BOSC_UNROLL
        for (int j = 0; j < AHEAD; ++j) {
            d[j] = b[j] = 0;
            if (ready[j]) {
                d[j] = constant(me, me->group.d, first + j);
                b[j] = own_b(me, first + j);
            }
        }
        BOSC_UNROLL
        for (int j = 0; j < AHEAD; ++j)
            if (ready[j]) {
                s->d[row_at(me, first + j)] = d[j];
                s->b[row_at(me, first + j)] = b[j];
            }
    }
}

/* d and b of the rows that are ready before the sweep. */
static __device__ void assemble(const lane *me, int64_t step)
{
    const bosc_cuda_step *s = me->s;
    const double middle = (double)step * s->dt + 0.5 * s->dt;
    const ptrdiff_t base = me->group.first;

    if (me->k < me->group.width)
        for (ptrdiff_t r = s->first_ready[me->g]; r < s->first_ready[me->g + 1];
             ++r)
            assemble_run(me, s->ready[r]);
    for (int32_t m = 0; m < s->n_blocks; ++m)
        if (is_ion(&s->blocks[m]))
            begin_ion(&s->blocks[m], me);
    __syncwarp();
    for (int32_t m = 0; m < s->n_blocks; ++m) {
        current(&s->blocks[m], me, step);
        __syncwarp();
    }
    for (ptrdiff_t i = s->first_clamp[me->g]; i < s->first_clamp[me->g + 1];
         ++i) {
        const bosc_clamp clamp = s->clamps[i];

        if ((clamp.slot - base) % me->group.width == (int32_t)threadIdx.x &&
            clamp.delay <= middle && middle < clamp.delay + clamp.duration)
            s->b[clamp.slot] += clamp.amplitude;
    }
    if (s->first_push == NULL)
        return;
    for (ptrdiff_t i = s->first_push[me->g]; i < s->first_push[me->g + 1];
         ++i) {
        const bosc_injection push = s->push[i];

        if ((push.slot - base) % me->group.width != (int32_t)threadIdx.x)
            continue;
        s->d[push.slot] += push.conductance;
        s->b[push.slot] += push.current;
    }
}

/* --- the sweeps -----------------------------------------------------------
 *
 * Lanes turn in different rows, and a warp waits for all of its lanes: so
 * nothing that a row needs may be far away when its turn comes.  The numbers of
 * some rows are read at a time; what rows that turn hand on is on a stack of
 * each lane, for rows are depth-first (cuda_step.h). */

/* Rows that are read at a time. */
enum { AHEAD_UP = 4, AHEAD_DOWN = 8 };
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

/* Four codes in one word, which the compiler may not take apart: all of them
 * are waited for before what the first one asks for is on its way.  A wait for
 * the second would be one for that, too, as a processor counts few loads
 * apart, and the reads of a batch would come one after another. */
static __device__ __forceinline__ uint32_t together(const int32_t *code)
{
    uint32_t all = (uint32_t)code[0] | (uint32_t)code[1] << 8 |
                   (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;

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
template <int width, int step>
static __device__ __forceinline__ void sweep_up(const lane *me, places stack)
{
    const int32_t end = me->group.rows - 1;
    reader of = reader_of(me, end);
    bosc_row next = {0, 0, 0, 0};
    double e = 0;
    int32_t code[AHEAD_UP];

    BOSC_UNROLL
    for (int j = 0; j < AHEAD_UP; ++j)
        code[j] = j <= end ? __ldg(&of.code[-j * width]) : 0;
    for (int32_t last = end; last >= 0; last -= AHEAD_UP) {
        const uint32_t now[] = {together(code)};
        ahead row[AHEAD_UP];

        BOSC_UNROLL
        for (int j = 0; j < AHEAD_UP; ++j) {
            row[j] = ahead{code_of(now, j), 0, 0, 0, 0, 0, 0, 0};
            if (j <= last)
                read_up<width, step>(me, &of, last - j, j, &row[j]);
            code[j] = j + AHEAD_UP <= last
                          ? __ldg(&of.code[-(j + AHEAD_UP) * width])
                          : 0;
        }
        BOSC_UNROLL
        for (int j = 0; j < AHEAD_UP; ++j)
            if (j <= last)
                up_row<width>(&row[j], &e, &stack, &next, &of.d[-j * width],
                              &of.b[-j * width]);
        move<width, step>(&of, -AHEAD_UP);
    }
}

template <int width, int step>
static __device__ __forceinline__ void sweep_down(const lane *me, places stack)
{
    const bool second_order = me->s->second_order;
    const int32_t n = me->group.rows;
    reader of = reader_of(me, 0);
    double x = 0;
    int32_t code[AHEAD_DOWN];

    BOSC_UNROLL
    for (int j = 0; j < AHEAD_DOWN; ++j)
        code[j] = j < n ? __ldg(&of.code[j * width]) : 0;
    for (int32_t first = 0; first < n; first += AHEAD_DOWN) {
        double f[AHEAD_DOWN], w[AHEAD_DOWN], v[AHEAD_DOWN];
        const uint32_t all[] = {together(code), together(code + 4)};
        int32_t now[AHEAD_DOWN], sides[AHEAD_DOWN];

        BOSC_UNROLL
        for (int j = 0; j < AHEAD_DOWN; ++j) {
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
            code[j] = i + AHEAD_DOWN < n
                          ? __ldg(&of.code[(j + AHEAD_DOWN) * width])
                          : 0;
        }
        BOSC_UNROLL
        for (int j = 0; j < AHEAD_DOWN; ++j) {
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
        move<width, step>(&of, AHEAD_DOWN);
    }
}

template <int width, int step>
static __device__ __forceinline__ void sweep(const lane *me, double *room,
                                             int32_t levels)
{
    const places stack = {room + me->k, room + (levels - 1) * width + me->k};

    sweep_up<width, step>(me, stack);
    sweep_down<width, step>(me, stack);
}

static __device__ __forceinline__ void sweep_in(const lane *me, double *room,
                                                int32_t levels)
{
    if (me->group.width == 1)
        sweep<1, 1>(me, room, levels);
    else if (me->group.shared)
        sweep<BOSC_CUDA_WIDTH, 1>(me, room, levels);
    else
        sweep<BOSC_CUDA_WIDTH, BOSC_CUDA_WIDTH>(me, room, levels);
}

/* A warp's stacks, if they are small. */
extern __shared__ double near_room[];

static __device__ void solve(const lane *me)
{
    const bosc_cuda_room room = me->s->rooms[me->g];

    if (room.far < 0)
        sweep_in(me, near_room, room.levels);
    else
        sweep_in(me, me->s->far_room + room.far, room.levels);
}

static __device__ void advance_states(const lane *me, int64_t step)
{
    for (int32_t m = 0; m < me->s->n_blocks; ++m) {
        advance(&me->s->blocks[m], me, step);
        if (is_full(&me->s->blocks[m]))
            __syncwarp(); /* the next may read what this one writes */
    }
}

static __device__ void frame(const lane *me, int64_t step)
{
    const bosc_cuda_step *s = me->s;

    for (int32_t k = 0; k < s->n_sets; ++k) {
        const bosc_cuda_set *set = &s->sets[k];

        if (step % set->every != 0)
            continue;
        double *values =
            set->values + (step / set->every - set->begin) * set->n;

        for (ptrdiff_t j = set->first[me->g] + threadIdx.x;
             j < set->first[me->g + 1]; j += BOSC_CUDA_WIDTH) {
            const ptrdiff_t i = set->order[j];
            const bosc_probe p = set->probe[i];

            values[i] =
                p.block < 0
                    ? s->v[p.index]
                    : s->blocks[p.block]
                          .state[p.state * s->blocks[p.block].n + p.index];
        }
    }
}

/* A point without membrane is reported only if no other is beyond. */
static __device__ void watch(const lane *me, int64_t step)
{
    const bosc_cuda_step *s = me->s;
    bosc_beyond found;
    bool any = false, bare = false;

    if (s->watched[me->g])
        return;
    for (int32_t i = 0; me->k < me->group.width && i < me->rows; ++i) {
        const double v = s->v[row_at(me, i)];
        const bool is_bare = !(constant(me, me->group.c, i) > 0);

        if (!(fabs(v) > s->v_limit) ||
            (any && (is_bare != bare ? is_bare : fabs(v) <= fabs(found.v))))
            continue;
        any = true;
        bare = is_bare;
        found.step = step;
        found.gid = 0;
        found.neuron = s->lane_neuron[me->group.lane + me->k];
        found.node = i;
        found.v = v;
    }
    if (any) {
        s->beyond[me->group.lane + me->k] = found;
        s->found->beyond = 1;
    }
    if (__any_sync(0xffffffffu, any) && threadIdx.x == 0)
        s->watched[me->g] = 1;
    __syncwarp();
}

static __device__ lane lane_of(const bosc_cuda_step *s, int32_t g)
{
    lane me;

    me.s = s;
    me.g = g;
    me.group = s->groups[me.g];
    me.k = (int32_t)threadIdx.x;
    me.rows = 0;
    me.sides = s->sides;
    me.step = me.group.shared ? 1 : me.group.width;
    me.at = me.group.shared ? 0 : me.k;
    if (me.k < me.group.width) {
        me.rows = s->lane_rows[me.group.lane + me.k];
        me.sides += s->lane_tree[me.group.lane + me.k];
    }
    return me;
}

/* What a lane knows of itself is read again for each phase: the sweeps need the
 * registers. */
static __device__ void do_step(const bosc_cuda_step *s, int32_t g, int64_t step)
{
    {
        const lane me = lane_of(s, g);

        detect(&me, step);
        __syncwarp(); /* a mechanism may change voltages */
        deliver(&me, step);
        __syncwarp();
        assemble(&me, step);
    }
    __syncwarp();
    {
        const lane me = lane_of(s, g);

        if (me.k < me.group.width)
            solve(&me);
    }
    __syncwarp();
    {
        const lane me = lane_of(s, g);

        advance_states(&me, step);
        __syncwarp();
        frame(&me, step + 1);
        if (s->watch_every > 0 && (step + 1) % s->watch_every == 0)
            watch(&me, step + 1);
    }
    __syncwarp();
}

/* The steps from..to - 1 of a block's group; with 'last' a range ends with
 * them. */
static __device__ void do_steps(const bosc_cuda_step *s, int64_t from,
                                int64_t to, bool last)
{
    const int32_t g =
        s->streamed == NULL ? (int32_t)blockIdx.x : s->streamed[blockIdx.x];

    for (int64_t step = from; step < to; ++step)
        do_step(s, g, step);
    if (last && s->first_event != NULL &&
        s->next_event[g] != s->first_event[g + 1])
        s->found->lost_event = 1;
}

#endif
