/* cuda_group_mech.h - the mechanisms of a group that is streamed, by their
 * numbers: those that are built in and simple point processes as loops over
 * their instances, with the operations of ref.c; ions; those of the job
 * (cuda_group_job.h).
 *
 * Included by cuda_group.h.
 */
#ifndef BOSC_KERNELS_GPU_STREAM_CUDA_GROUP_MECH_H
#define BOSC_KERNELS_GPU_STREAM_CUDA_GROUP_MECH_H

#include "kernels/gpu/stream/cuda_group_job.h"

/* --- loops over instances ------------------------------------------------- */

#define LOOPS(NAME)                                                            \
    static __device__ __forceinline__ void current_##NAME(                     \
        const bosc_cuda_block *block, const lane *me, const item *it)          \
    {                                                                          \
        const bosc_cuda_step *s = me->s;                                       \
                                                                               \
        EACH("unroll 4", block, me, it, i)                                     \
        {                                                                      \
            const ptrdiff_t at = me->group.first + block->at[i];               \
                                                                               \
            current_of_##NAME(block, i, block->state + i, block->n,            \
                              block->scale[i], s->v[at], &s->d[at],            \
                              &s->b[at]);                                      \
        }                                                                      \
    }                                                                          \
                                                                               \
    static __device__ __forceinline__ void advance_##NAME(                     \
        const bosc_cuda_block *block, const lane *me, const item *it)          \
    {                                                                          \
        EACH("unroll 2", block, me, it, i)                                     \
        advance_of_##NAME(block, i, block->state + i, block->n,                \
                          me->s->v[me->group.first + block->at[i]]);           \
    }
#define POINT(NAME) LOOPS(NAME)
BOSC_BUILTIN_MECHS(MAKE)
#undef POINT

/* Of the job, those that cuda_group_job.h does not have. */
#define ONLY_POINTS(name, kind) ONLY_##kind(name)
#define ONLY_POINT(NAME) LOOPS(NAME)
#define ONLY_LOOPS(NAME)
#define ONLY_FULL(NAME)
#define ONLY_FULL_PLACED(NAME)
#define ONLY_FULL_POINT(NAME)
#define ONLY_FULL_WATCH(NAME)
BOSC_JOB_MECHS(ONLY_POINTS)
#undef ONLY_POINTS
#undef ONLY_POINT
#undef ONLY_LOOPS
#undef ONLY_FULL
#undef ONLY_FULL_PLACED
#undef ONLY_FULL_POINT
#undef ONLY_FULL_WATCH
#undef LOOPS

/* --- ions ----------------------------------------------------------------- */

/* Begin a step for an ion at the slots of the group. */
static __device__ void begin_ion(const bosc_cuda_block *ion, const lane *me)
{
    const bosc_cuda_more more = *ion->more;
    const ptrdiff_t end =
        me->group.first + (ptrdiff_t)me->group.rows * me->group.width;

    for (ptrdiff_t i = me->group.first + thread_of(me); i < end;
         i += threads_of(me)) {
        if (!more.idle)
            ion->state[BOSC_ION_CURRENT * ion->n + i] = 0;
        if (more.follows && more.style[i] >= BOSC_ION_ALWAYS)
            ion->state[BOSC_ION_E * ion->n + i] = bosc_nernst(
                more.nernst, ion->state[BOSC_ION_INSIDE * ion->n + i],
                ion->state[BOSC_ION_OUTSIDE * ion->n + i]);
    }
}

/* --- by their numbers ----------------------------------------------------- */

#define CASE(NAME, ...)                                                        \
    case BOSC_MECH_##NAME:                                                     \
        __VA_ARGS__;                                                           \
        break;
#define POINT(NAME) CASE(NAME, CALL(NAME))
#define FULL(NAME)
#define FULL_POINT(NAME) FULL_PLACED(NAME)
#define FULL_WATCH(NAME) FULL_PLACED(NAME)

/* Add what a block, or all of the job's densities, gives in a part. */
static __device__ __forceinline__ void current(const bosc_cuda_job *job,
                                               bosc_cuda_work work,
                                               const lane *me, const item *it,
                                               int64_t step)
{
#define CALL(NAME) current_##NAME(&me->s->blocks[work.block], me, it)
    switch (work.mech) {
#define LOOPS(NAME) POINT(NAME)
        BOSC_BUILTIN_MECHS(MAKE)
#undef LOOPS
#define LOOPS(NAME)
#define FULL_PLACED(NAME)                                                      \
    CASE(NAME, current_##NAME(OWN_OF(NAME, job, me, work.block), me, it, step))
        BOSC_JOB_MECHS(MAKE)
#undef FULL_PLACED
#undef LOOPS
#define SERIES(NAME, ALL) CASE(NAME, currents_from_##NAME(job, me, it, step))
        BOSC_JOB_SERIES(SERIES)
#undef SERIES
    }
#undef CALL
}

static __device__ __forceinline__ void advance(const bosc_cuda_job *job,
                                               bosc_cuda_work work,
                                               const lane *me, const item *it,
                                               int64_t step)
{
#define CALL(NAME) advance_##NAME(&me->s->blocks[work.block], me, it)
    switch (work.mech) {
#define LOOPS(NAME) POINT(NAME)
        BOSC_BUILTIN_MECHS(MAKE)
#undef LOOPS
#define LOOPS(NAME)
#define FULL_PLACED(NAME)                                                      \
    CASE(NAME, advance_##NAME(OWN_OF(NAME, job, me, work.block), me, it, step))
        BOSC_JOB_MECHS(MAKE)
#undef FULL_PLACED
#undef LOOPS
#define SERIES(NAME, ALL) CASE(NAME, advances_from_##NAME(job, me, it, step))
        BOSC_JOB_SERIES(SERIES)
#undef SERIES
    }
#undef CALL
}

#undef POINT
#undef FULL_POINT
#undef FULL_WATCH
#define LOOPS(NAME)
#define POINT(NAME)
#define FULL_PLACED(NAME)
#define FULL_WATCH(NAME) FULL_POINT(NAME)
#define FULL_POINT(NAME) CASE(NAME, receive_full_##NAME(me, event))

/* Let an instance receive an event. */
static __device__ void receive_full(const lane *me, const bosc_cuda_self *event)
{
    switch (me->s->blocks[event->block].mech) {
        BOSC_JOB_MECHS(MAKE)
    }
}

#undef FULL_POINT
#undef FULL_WATCH
#define FULL_POINT(NAME)
#define FULL_WATCH(NAME) CASE(NAME, watch_##NAME(me, m, now))

/* Let the instances of block m look at what they watch. */
static __device__ void watch_full(const lane *me, int32_t m, double now)
{
    switch (me->s->blocks[m].mech) {
        BOSC_JOB_MECHS(MAKE)
    }
}

#undef CASE
#undef LOOPS
#undef POINT
#undef FULL
#undef FULL_PLACED
#undef FULL_POINT
#undef FULL_WATCH

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

#endif
