/* cuda_group_mech.h - the mechanisms of a group that is streamed: loops of a
 * warp over their instances, with the operations of ref.c.
 *
 * Several instances of a full point process may stand at one slot, and what
 * they add has the order of instances: so each leaves its numbers in memory
 * first, and the lane of the first one at a slot adds those of all.
 *
 * Included by cuda_group.h.  A mechanism that sends events to itself has no
 * code here.
 */
#ifndef BOSC_KERNELS_GPU_CUDA_GROUP_MECH_H
#define BOSC_KERNELS_GPU_CUDA_GROUP_MECH_H

#include "kernels/gpu/cuda_mech.h"
#include "kernels/mech/full.h"
#include "kernels/mech/ion.h"

/* A lane, and its group. */
typedef struct bosc_cuda_lane {
    const bosc_cuda_step *s;
    bosc_cuda_group group;
    int32_t g, k; /* which group, which lane of it */
    int32_t rows; /* of its neuron; those past it are padding */
    const int32_t *sides;
    ptrdiff_t step, at; /* of constants: from row to row, of row 0 */
} lane;

/* The instances of a group, so many of a lane at a time: exponentials take
 * long. */
#define EACH(times, block, me, i)                                              \
    const ptrdiff_t end = block->first[me->g + 1];                             \
    _Pragma(times) for (ptrdiff_t i = block->first[me->g] + threadIdx.x;       \
                        i < end; i += BOSC_CUDA_WIDTH)

/* --- without ions ----------------------------------------------------------
 */

#define LOOPS(NAME)                                                            \
    static __device__ void current_##NAME(const bosc_cuda_block *block,        \
                                          const lane *me, int64_t step)        \
    {                                                                          \
        const bosc_cuda_step *s = me->s;                                       \
                                                                               \
        EACH("unroll 4", block, me, i)                                         \
        {                                                                      \
            const ptrdiff_t at = me->group.first + block->at[i];               \
                                                                               \
            current_of_##NAME(block, i, block->state + i, block->n, s->v[at],  \
                              &s->d[at], &s->b[at]);                           \
        }                                                                      \
    }                                                                          \
                                                                               \
    static __device__ void advance_##NAME(const bosc_cuda_block *block,        \
                                          const lane *me, int64_t step)        \
    {                                                                          \
        EACH("unroll 2", block, me, i)                                         \
        advance_of_##NAME(block, i, block->state + i, block->n,                \
                          me->s->v[me->group.first + block->at[i]]);           \
    }
#define POINT(NAME) LOOPS(NAME)
#define FULL(NAME)
#define FULL_POINT(NAME)
#define FULL_WATCH(NAME)
BOSC_CUDA_MECHS(MAKE)
#undef LOOPS
#undef POINT
#undef FULL
#undef FULL_POINT
#undef FULL_WATCH

/* --- ions ----------------------------------------------------------------- */

static __device__ bool is_ion(const bosc_cuda_block *block)
{
    return block->more != NULL && block->more->style != NULL;
}

static __device__ bool is_full(const bosc_cuda_block *block)
{
    return block->more != NULL && block->more->is_full != 0;
}

/* Begin a step for an ion at the slots of the group. */
static __device__ void begin_ion(const bosc_cuda_block *ion, const lane *me)
{
    const ptrdiff_t end =
        me->group.first + (ptrdiff_t)me->group.rows * me->group.width;

    for (ptrdiff_t i = me->group.first + threadIdx.x; i < end;
         i += BOSC_CUDA_WIDTH) {
        ion->state[BOSC_ION_CURRENT * ion->n + i] = 0;
        if (ion->more->style[i] >= BOSC_ION_ALWAYS)
            ion->state[BOSC_ION_E * ion->n + i] = bosc_nernst(
                ion->more->nernst, ion->state[BOSC_ION_INSIDE * ion->n + i],
                ion->state[BOSC_ION_OUTSIDE * ion->n + i]);
    }
}

/* --- what an instance gives ----------------------------------------------- */

static __device__ __forceinline__ bool is_point(const bosc_cuda_block *block)
{
    return block->more->scratch != NULL;
}

static __device__ __forceinline__ bool is_bit(uint32_t mask, int j)
{
    return (mask >> j & 1u) != 0;
}

/* Where instance i leaves number j for who adds it: g, g E, variables of
 * ions. */
static __device__ __forceinline__ double *left(const bosc_cuda_block *block,
                                               int j, ptrdiff_t i)
{
    return &block->more->scratch[j * block->n + i];
}

/* Give variable j of an ion at a slot what is 'written' there. */
static __device__ __forceinline__ void give(const bosc_cuda_block *block, int j,
                                            ptrdiff_t slot, double written)
{
    const bosc_cuda_more *more = block->more;
    double *to = &more->ion[j][slot];

    if (!is_bit(more->are_currents, j))
        *to = written;
    else if (is_point(block))
        *to += written * 1e2 / more->area[slot];
    else
        *to += written;
}

/* What the instances of the group have left is added, slot by slot. */
static __device__ void add_left(const bosc_cuda_block *block, const lane *me,
                                uint32_t written)
{
    const bosc_cuda_step *s = me->s;
    const ptrdiff_t begin = block->first[me->g], end = block->first[me->g + 1];

    __syncwarp();
    for (ptrdiff_t i = begin + threadIdx.x; i < end; i += BOSC_CUDA_WIDTH) {
        const int32_t at = block->at[i];
        const ptrdiff_t slot = me->group.first + at;

        if (i > begin && block->at[i - 1] == at)
            continue;
        for (ptrdiff_t k = i; k < end && block->at[k] == at; ++k) {
            s->d[slot] = fma(block->scale[k], *left(block, 0, k), s->d[slot]);
            s->b[slot] = fma(block->scale[k], *left(block, 1, k), s->b[slot]);
            for (int j = 0; j < block->more->n_ions; ++j)
                if (is_bit(written, j))
                    give(block, j, slot, *left(block, 2 + j, k));
        }
    }
}

/* Is instance i the last one at its slot? */
static __device__ __forceinline__ bool is_last(const bosc_cuda_block *block,
                                               const lane *me, ptrdiff_t i)
{
    return i + 1 == block->first[me->g + 1] || block->at[i + 1] != block->at[i];
}

/* Keep what an instance of the lane's neuron has sent to itself. */
static __device__ void send(const lane *me, const bosc_cuda_self *from,
                            const bosc_mech_sent *sent)
{
    const bosc_cuda_step *s = me->s;
    const ptrdiff_t k = me->group.lane + me->k, first = s->first_self[k];
    bosc_cuda_self *to = s->self + first;
    int32_t n = s->n_self[k];

    if (sent->n > BOSC_MECH_SENT)
        s->found->crowded = 1;
    for (int i = 0; i < sent->n && i < BOSC_MECH_SENT; ++i) {
        const bosc_cuda_self event = {from->t + sent->delay[i], sent->flag[i],
                                      from->instance, from->block};
        int32_t j = n;

        if (first + n == s->first_self[k + 1]) {
            s->found->no_room = 1;
            break;
        }
        for (++n; j > 0 && to[j - 1].t <= event.t; --j)
            to[j] = to[j - 1];
        to[j] = event;
    }
    s->n_self[k] = n;
}

/* --- a mechanism ---------------------------------------------------------- */

#define FULL_STATES(NAME) (BOSC_##NAME##_STATES + BOSC_##NAME##_WEIGHTS)

/* Its instance i, at a slot, at time t; and its states back. */
#define FULL(NAME)                                                             \
    static __device__ __forceinline__ void load_##NAME(                        \
        const bosc_cuda_block *block, const lane *me, ptrdiff_t i,             \
        ptrdiff_t slot, double t, bosc_mech_instance *one)                     \
    {                                                                          \
        const bosc_cuda_more *more = block->more;                              \
                                                                               \
        LOAD(BOSC_##NAME##_PARAMS, one->p, value_of(&more->p[j], i))           \
        LOAD(BOSC_##NAME##_CONSTANTS, one->k, value_of(&more->k[j], i))        \
        LOAD(FULL_STATES(NAME), one->s, block->state[j * block->n + i])        \
        LOAD(BOSC_##NAME##_IONS, one->ion, more->ion[j][slot])                 \
        one->here[0] = me->s->v[slot];                                         \
        one->here[1] = t;                                                      \
        one->here[2] = BOSC_##NAME##_GEOMETRY ? more->diam[slot] : 0;          \
        one->here[3] = BOSC_##NAME##_GEOMETRY ? more->area[slot] : 0;          \
        one->stream = BOSC_##NAME##_DRAWS ? more->stream + 4 * i : NULL;       \
        one->sent.n = 0;                                                       \
    }                                                                          \
                                                                               \
    static __device__ __forceinline__ void keep_##NAME(                        \
        const bosc_cuda_block *block, ptrdiff_t i,                             \
        const bosc_mech_instance *one)                                         \
    {                                                                          \
        BOSC_UNROLL for (int j = 0; j < FULL_STATES(NAME); ++j)                \
            block->state[j * block->n + i] = one->s[j];                        \
    }                                                                          \
                                                                               \
    static __device__ void current_##NAME(const bosc_cuda_block *block,        \
                                          const lane *me, int64_t step)        \
    {                                                                          \
        const bosc_cuda_step *s = me->s;                                       \
        const double t = ((double)step + 0.5) * s->dt;                         \
                                                                               \
        EACH("unroll 1", block, me, i)                                         \
        {                                                                      \
            const ptrdiff_t slot = me->group.first + block->at[i];             \
            bosc_mech_instance one;                                            \
            double g, ge;                                                      \
                                                                               \
            if (!BOSC_##NAME##_FLOWS)                                          \
                break;                                                         \
            load_##NAME(block, me, i, slot, t, &one);                          \
            bosc_##NAME##_current_one(&one, &g, &ge);                          \
            if (BOSC_##NAME##_CURRENT_STATES)                                  \
                keep_##NAME(block, i, &one);                                   \
            if (is_point(block)) {                                             \
                *left(block, 0, i) = g;                                        \
                *left(block, 1, i) = ge;                                       \
                BOSC_UNROLL for (int j = 0; j < BOSC_##NAME##_IONS;            \
                                 ++j) if (is_bit(BOSC_##NAME##_CURRENT_IONS,   \
                                                 j)) *                         \
                    left(block, 2 + j, i) = one.ion[j];                        \
                continue;                                                      \
            }                                                                  \
            s->d[slot] = fma(block->scale[i], g, s->d[slot]);                  \
            s->b[slot] = fma(block->scale[i], ge, s->b[slot]);                 \
            BOSC_UNROLL for (int j = 0; j < BOSC_##NAME##_IONS;                \
                             ++j) if (is_bit(BOSC_##NAME##_CURRENT_IONS, j))   \
                give(block, j, slot, one.ion[j]);                              \
        }                                                                      \
        if (BOSC_##NAME##_FLOWS && is_point(block))                            \
            add_left(block, me, BOSC_##NAME##_CURRENT_IONS);                   \
    }                                                                          \
                                                                               \
    static __device__ void advance_##NAME(const bosc_cuda_block *block,        \
                                          const lane *me, int64_t step)        \
    {                                                                          \
        const double t = ((double)step + 1) * me->s->dt;                       \
                                                                               \
        EACH("unroll 1", block, me, i)                                         \
        {                                                                      \
            const ptrdiff_t slot = me->group.first + block->at[i];             \
            bosc_mech_instance one;                                            \
                                                                               \
            if (!BOSC_##NAME##_EVOLVES)                                        \
                break;                                                         \
            load_##NAME(block, me, i, slot, t, &one);                          \
            bosc_##NAME##_advance_one(&one);                                   \
            keep_##NAME(block, i, &one);                                       \
            BOSC_UNROLL for (int j = 0; j < BOSC_##NAME##_IONS;                \
                             ++j) if (is_bit(BOSC_##NAME##_ADVANCE_IONS, j) && \
                                      is_last(block, me, i))                   \
                give(block, j, slot, one.ion[j]);                              \
        }                                                                      \
    }

/* One that receives events. */
#define FULL_POINT(NAME)                                                       \
    FULL(NAME)                                                                 \
                                                                               \
    static __device__ void receive_full_##NAME(const lane *me,                 \
                                               const bosc_cuda_self *event)    \
    {                                                                          \
        const bosc_cuda_block *block = &me->s->blocks[event->block];           \
        const ptrdiff_t i = event->instance;                                   \
        const ptrdiff_t slot = me->group.first + block->at[i];                 \
        bosc_mech_instance one;                                                \
                                                                               \
        load_##NAME(block, me, i, slot, event->t, &one);                       \
        bosc_##NAME##_receive_one(&one, event->flag);                          \
        keep_##NAME(block, i, &one);                                           \
        me->s->v[slot] = one.here[0];                                          \
        if (BOSC_##NAME##_SENDS)                                               \
            send(me, event, &one.sent);                                        \
    }

/* One that watches something, too: each lane looks at the instances of its
 * neuron. */
#define FULL_WATCH(NAME)                                                       \
    FULL_POINT(NAME)                                                           \
                                                                               \
    static __device__ void watch_##NAME(const lane *me, int32_t m, double now) \
    {                                                                          \
        const bosc_cuda_block *block = &me->s->blocks[m];                      \
        const ptrdiff_t end = block->first[me->g + 1];                         \
                                                                               \
        for (ptrdiff_t i = block->first[me->g]; i < end; ++i) {                \
            const bosc_cuda_self from = {now, 0, i, m};                        \
            bosc_mech_instance one;                                            \
                                                                               \
            if (block->at[i] % me->group.width != me->k)                       \
                continue;                                                      \
            load_##NAME(block, me, i, me->group.first + block->at[i], now,     \
                        &one);                                                 \
            bosc_##NAME##_watch_one(&one);                                     \
            keep_##NAME(block, i, &one);                                       \
            send(me, &from, &one.sent);                                        \
        }                                                                      \
    }

#define LOOPS(NAME)
#define POINT(NAME)
BOSC_CUDA_MECHS(MAKE)
#undef LOOPS
#undef POINT
#undef FULL
#undef FULL_POINT
#undef FULL_WATCH

/* --- by their numbers ----------------------------------------------------- */

#define LOOPS(NAME)                                                            \
    case BOSC_MECH_##NAME:                                                     \
        CALL(NAME);                                                            \
        break;
#define POINT(NAME) LOOPS(NAME)
#define FULL(NAME) LOOPS(NAME)
#define FULL_POINT(NAME) LOOPS(NAME)
#define FULL_WATCH(NAME) LOOPS(NAME)

/* Add what a block gives in the step 'step'. */
static __device__ void current(const bosc_cuda_block *block, const lane *me,
                               int64_t step)
{
#define CALL(NAME) current_##NAME(block, me, step)
    switch (block->mech) {
        BOSC_CUDA_MECHS(MAKE)
    }
#undef CALL
}

static __device__ void advance(const bosc_cuda_block *block, const lane *me,
                               int64_t step)
{
#define CALL(NAME) advance_##NAME(block, me, step)
    switch (block->mech) {
        BOSC_CUDA_MECHS(MAKE)
    }
#undef CALL
}

#undef LOOPS
#undef POINT
#define LOOPS(NAME)
#define POINT(NAME)
#undef FULL
#undef FULL_POINT
#undef FULL_WATCH
#define FULL(NAME)
#define FULL_WATCH(NAME) FULL_POINT(NAME)
#define FULL_POINT(NAME)                                                       \
    case BOSC_MECH_##NAME:                                                     \
        receive_full_##NAME(me, event);                                        \
        break;

/* Let an instance receive an event. */
static __device__ void receive_full(const lane *me, const bosc_cuda_self *event)
{
    switch (me->s->blocks[event->block].mech) {
        BOSC_CUDA_MECHS(MAKE)
    }
}

#undef FULL_POINT
#undef FULL_WATCH
#define FULL_POINT(NAME)
#define FULL_WATCH(NAME)                                                       \
    case BOSC_MECH_##NAME:                                                     \
        watch_##NAME(me, m, now);                                              \
        break;

/* Let the instances of block m look at what they watch. */
static __device__ void watch_full(const lane *me, int32_t m, double now)
{
    switch (me->s->blocks[m].mech) {
        BOSC_CUDA_MECHS(MAKE)
    }
}

/* Let those of the lane's neuron receive what they have sent to themselves for
 * up to 'until' (ms). */
static __device__ void receive_self(const lane *me, double until)
{
    const bosc_cuda_step *s = me->s;
    const ptrdiff_t k = me->group.lane + me->k, first = s->first_self[k];

    while (s->n_self[k] > 0 && s->self[first + s->n_self[k] - 1].t <= until) {
        const bosc_cuda_self event = s->self[first + --s->n_self[k]];

        receive_full(me, &event);
    }
}

#undef FULL
#undef FULL_POINT
#undef FULL_WATCH
#undef LOOPS
#undef POINT

#endif
