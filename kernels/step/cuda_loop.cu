/* cuda_loop.cu - the time loop on a GPU: a warp integrates a group over a range
 * of steps, which no other reads or writes.
 *
 * The same operations in the same order as ref.c; between two phases of a step
 * that other lanes' numbers are needed in, the warp meets.
 */
#include "kernels/step/cuda_step.h"

#include <cuda_runtime.h>
#include <sched.h>

#include "kernels/base/cuda.h"
#include "kernels/hines/hines.h"
#include "kernels/step/cuda_mech.h"

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

static __device__ void receive_event(const bosc_cuda_block *block,
                                     const bosc_cuda_event *event)
{
    receive(block, event->instance, block->state + event->instance, block->n,
            event->weight);
}

/* Each lane looks at all events of the group, in order, and takes its own. */
static __device__ void deliver(const lane *me, int64_t step)
{
    const bosc_cuda_step *s = me->s;

    if (s->first_event == NULL)
        return;
    const ptrdiff_t end = s->first_event[me->g + 1];
    ptrdiff_t i = s->next_event[me->g];

    for (; i < end && s->events[i].step == step; ++i)
        if (s->events[i].lane == (int32_t)threadIdx.x)
            receive_event(&s->blocks[s->events[i].block], &s->events[i]);
    __syncwarp();
    if (threadIdx.x == 0)
        s->next_event[me->g] = i;
}

/* d and b of the rows that are ready before the sweep. */
static __device__ void assemble(const lane *me, int64_t step)
{
    const bosc_cuda_step *s = me->s;
    const double middle = (double)step * s->dt + 0.5 * s->dt;
    const ptrdiff_t base = me->group.first;

    for (ptrdiff_t r = s->first_ready[me->g]; r < s->first_ready[me->g + 1];
         ++r)
        for (int32_t i = s->ready[r].from;
             me->k < me->group.width && i < s->ready[r].to; ++i) {
            s->d[row_at(me, i)] = constant(me, me->group.d, i);
            s->b[row_at(me, i)] = own_b(me, i);
        }
    __syncwarp();
    for (int32_t m = 0; m < s->n_blocks; ++m) {
        current(&s->blocks[m], me);
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

/* Rows that are read at a time: memory is far. */
enum { AHEAD_UP = 4, AHEAD_DOWN = 8 };

/* Hand a row that turns on to its parent. */
static __device__ void turn_off(const lane *me, int32_t code, int32_t p,
                                const bosc_row *row)
{
    const bosc_cuda_step *s = me->s;
    const ptrdiff_t at = row_at(me, p);
    const double product = row->f * row->b;

    switch (code / BOSC_CODE_TURN) {
    case BOSC_TO_READY:
        s->b[at] -= product;
        if ((code & (BOSC_ROW_KEPT | BOSC_ROW_EDGE)) != BOSC_ROW_KEPT)
            s->d[at] -= row->f * row->d;
        break;
    case BOSC_TO_SIDE:
        s->b[at] = product;
        break;
    case BOSC_TO_NEW_SUM:
        s->b[at] = own_b(me, p) - product;
        break;
    default:
        s->b[at] -= product;
    }
}

/* What is read of a row before its turn comes. */
typedef struct ahead {
    int32_t code, parent;
    double c, e, v, f, r, b;
} ahead;

/* The code of row i; none, beyond both ends. */
static __device__ int32_t code_of(const lane *me, int32_t i)
{
    return i >= 0 && i < me->group.rows ? __ldg(&me->s->code[row_at(me, i)])
                                        : 0;
}

static __device__ int32_t parent_of(const lane *me, int32_t i, int32_t code)
{
    return code >= BOSC_CODE_TURN ? __ldg(&me->parent[i]) : i - 1;
}

/* The numbers of a row, which its code asks for. */
static __device__ void read_up(const lane *me, int32_t i, ahead *row)
{
    const bosc_cuda_step *s = me->s;
    const int32_t in_b = BOSC_ROW_READY | BOSC_CODE_SIDE | BOSC_CODE_SUM;
    const ptrdiff_t at = row_at(me, i);

    row->c = row->e = row->v = row->b = 0;
    if ((row->code & (BOSC_ROW_READY | BOSC_CODE_SUM)) == 0) {
        row->c = constant(me, me->group.c, i);
        row->e = constant(me, me->group.e, i);
        row->v = s->v[at];
    }
    if ((row->code & in_b) != 0)
        row->b = s->b[at];
    if ((row->code & BOSC_ROW_KEPT) != 0) {
        row->f = constant(me, me->group.f, i);
        row->r = constant(me, me->group.r, i);
    } else { /* u and d, then */
        row->f = constant(me, me->group.u, i);
        row->r = s->d[at];
    }
}

static __device__ void up_row(const lane *me, int32_t i, const ahead *row,
                              ptrdiff_t *edge, bosc_row *next)
{
    const bosc_cuda_step *s = me->s;
    const ptrdiff_t at = row_at(me, i);
    const double own = row->c * (row->v + row->e);
    const double b = (row->code & (BOSC_ROW_READY | BOSC_CODE_SUM)) != 0
                         ? row->b
                         : own - row->b; /* 0, or its branch's product */

    if ((row->code & BOSC_ROW_EDGE) != 0)
        *edge -= me->group.shared ? 0 : me->group.width;
    if ((row->code & BOSC_ROW_KEPT) != 0) {
        next->b = fma(-next->f, next->b, b);
        next->f = row->f;
        s->b[at] = row->r * next->b;
        if ((row->code & BOSC_ROW_EDGE) != 0)
            next->d = s->constants[*edge + (me->group.shared ? i : 0)];
    } else {
        *next = bosc_eliminate(row->r, row->f, b, *next);
        s->d[at] = next->f;
        s->b[at] = next->w;
    }
}

/* Codes are read two batches before their rows, parents one: what they ask for
 * is then read at once. */
static __device__ void sweep_up(const lane *me)
{
    ptrdiff_t edge = me->group.edge + (me->group.shared ? 0 : me->k);
    bosc_row next = {0, 0, 0, 0};
    const int32_t end = me->group.rows - 1;
    int32_t code[AHEAD_UP], parent[AHEAD_UP], later[AHEAD_UP];

    BOSC_UNROLL
    for (int32_t j = 0; j < AHEAD_UP; ++j) {
        code[j] = code_of(me, end - j);
        later[j] = code_of(me, end - AHEAD_UP - j);
    }
    BOSC_UNROLL
    for (int32_t j = 0; j < AHEAD_UP; ++j)
        parent[j] = parent_of(me, end - j, code[j]);
    for (int32_t last = end; last >= 0; last -= AHEAD_UP) {
        ahead row[AHEAD_UP];
        bool stale = false; /* a row of these has handed on to one of these */

        BOSC_UNROLL
        for (int32_t j = 0; j < AHEAD_UP; ++j)
            if (last - j >= 0) {
                row[j].code = code[j];
                row[j].parent = parent[j];
                read_up(me, last - j, &row[j]);
            }
        BOSC_UNROLL
        for (int32_t j = 0; j < AHEAD_UP; ++j) {
            code[j] = later[j];
            parent[j] = parent_of(me, last - AHEAD_UP - j, code[j]);
            later[j] = code_of(me, last - 2 * AHEAD_UP - j);
        }
        BOSC_UNROLL
        for (int32_t j = 0; j < AHEAD_UP; ++j) {
            const int32_t i = last - j;

            if (i < 0)
                break;
            if (stale)
                read_up(me, i, &row[j]);
            up_row(me, i, &row[j], &edge, &next);
            if (row[j].code < BOSC_CODE_TURN)
                continue;
            turn_off(me, row[j].code, row[j].parent, &next);
            stale = stale || row[j].parent > last - AHEAD_UP;
            next.f = 0;
        }
    }
}

static __device__ void sweep_down(const lane *me)
{
    const bosc_cuda_step *s = me->s;
    const double *known = s->second_order ? s->b : s->v;
    double x = 0;
    int32_t code[AHEAD_DOWN], parent[AHEAD_DOWN], later[AHEAD_DOWN];

    BOSC_UNROLL
    for (int32_t j = 0; j < AHEAD_DOWN; ++j) {
        code[j] = code_of(me, j);
        later[j] = code_of(me, AHEAD_DOWN + j);
    }
    BOSC_UNROLL
    for (int32_t j = 0; j < AHEAD_DOWN; ++j)
        parent[j] = parent_of(me, j, code[j]);
    for (int32_t first = 0; first < me->group.rows; first += AHEAD_DOWN) {
        double f[AHEAD_DOWN], w[AHEAD_DOWN], from[AHEAD_DOWN];
        int32_t now[AHEAD_DOWN], up[AHEAD_DOWN];

        BOSC_UNROLL
        for (int32_t j = 0; j < AHEAD_DOWN; ++j)
            if (first + j < me->group.rows) {
                const ptrdiff_t at = row_at(me, first + j);

                now[j] = code[j];
                up[j] = parent[j];
                f[j] = (now[j] & BOSC_ROW_KEPT) != 0
                           ? constant(me, me->group.f, first + j)
                           : s->d[at];
                w[j] = s->b[at];
                from[j] = now[j] >= BOSC_CODE_TURN && up[j] < first
                              ? known[row_at(me, up[j])]
                              : 0;
            }
        BOSC_UNROLL
        for (int32_t j = 0; j < AHEAD_DOWN; ++j) {
            code[j] = later[j];
            parent[j] = parent_of(me, first + AHEAD_DOWN + j, code[j]);
            later[j] = code_of(me, first + 2 * AHEAD_DOWN + j);
        }
        BOSC_UNROLL
        for (int32_t j = 0; j < AHEAD_DOWN; ++j) {
            const int32_t i = first + j;

            if (i >= me->group.rows)
                break;
            const ptrdiff_t at = row_at(me, i);

            if (now[j] >= BOSC_CODE_TURN)
                x = up[j] < first ? from[j] : known[row_at(me, up[j])];
            x = bosc_substitute(f[j], w[j], x);
            s->v[at] = s->second_order ? 2 * x - s->v[at] : x;
            if (s->second_order)
                s->b[at] = x;
        }
    }
}

static __device__ void advance_states(const lane *me)
{
    for (int32_t m = 0; m < me->s->n_blocks; ++m)
        advance(&me->s->blocks[m], me);
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
    me.parent = s->parent;
    me.step = me.group.shared ? 1 : me.group.width;
    me.at = me.group.shared ? 0 : me.k;
    if (me.k < me.group.width) {
        me.rows = s->lane_rows[me.group.lane + me.k];
        me.parent += s->lane_tree[me.group.lane + me.k];
    }
    return me;
}

/* The steps from..to - 1; with 'last' a range ends with them. */
static __global__ void run_steps(bosc_cuda_step s, int64_t from, int64_t to,
                                 bool last)
{
    const lane me = lane_of(&s, s.streamed == NULL ? (int32_t)blockIdx.x
                                                   : s.streamed[blockIdx.x]);
    const bool there = me.k < me.group.width;

    for (int64_t step = from; step < to; ++step) {
        detect(&me, step);
        deliver(&me, step);
        __syncwarp();
        assemble(&me, step);
        __syncwarp();
        if (there) {
            sweep_up(&me);
            sweep_down(&me);
        }
        __syncwarp();
        advance_states(&me);
        __syncwarp();
        frame(&me, step + 1);
        if (s.watch_every > 0 && (step + 1) % s.watch_every == 0)
            watch(&me, step + 1);
        __syncwarp();
    }
    if (last && s.first_event != NULL &&
        s.next_event[me.g] != s.first_event[me.g + 1])
        s.found->lost_event = 1;
}

static __global__ void frames_of_start(bosc_cuda_step s)
{
    const lane me = lane_of(&s, (int32_t)blockIdx.x);

    frame(&me, 0);
}

static __global__ void check(bosc_cuda_step s)
{
    const lane me = lane_of(&s, (int32_t)blockIdx.x);
    bool finite = true;

    for (int32_t i = 0; me.k < me.group.width && i < me.group.rows; ++i)
        finite = finite && isfinite(s.v[row_at(&me, i)]);
    if (!finite)
        s.found->not_finite = 1;
}

bosc_status bosc_cuda_step_run(const bosc_cuda_step *step, int64_t from,
                               int64_t to, bool last, bosc_error *err)
{
    if (step->n_streamed == 0)
        return BOSC_OK;
    run_steps<<<(unsigned)step->n_streamed, BOSC_CUDA_WIDTH>>>(*step, from, to,
                                                               last);
    return bosc_cuda_launched("the time loop", err);
}

bosc_status bosc_cuda_step_check(const bosc_cuda_step *step, bosc_error *err)
{
    if (step->n_groups == 0)
        return BOSC_OK;
    check<<<(unsigned)step->n_groups, BOSC_CUDA_WIDTH>>>(*step);
    return bosc_cuda_launched("the check of voltages", err);
}

bosc_status bosc_cuda_step_frames(const bosc_cuda_step *step, bosc_error *err)
{
    if (step->n_groups == 0)
        return BOSC_OK;
    frames_of_start<<<(unsigned)step->n_groups, BOSC_CUDA_WIDTH>>>(*step);
    return bosc_cuda_launched("the first frames", err);
}

bosc_status bosc_cuda_step_wait(const bosc_step_input *steps, bosc_error *err)
{
    cudaError_t code;

    while ((code = cudaStreamQuery(0)) == cudaErrorNotReady) {
        if (steps->poll != NULL)
            steps->poll(steps->what);
        sched_yield();
    }
    if (code != cudaSuccess)
        return bosc_fail(err, BOSC_ENOSUP, "the time loop on the GPU: %s",
                         cudaGetErrorString(code));
    return BOSC_OK;
}
