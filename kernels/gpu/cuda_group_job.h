/* cuda_group_job.h - the mechanisms of a job's mod files in a group that is
 * streamed, with the operations of ref.c.
 *
 * Where their instances are, numbers that are the same for all of them, and
 * where the others are, are arguments of the kernel: an instruction reads these
 * as fast as registers.  Of a mechanism at most one instance is at a slot, and
 * lanes take 32 slots at a time.  Several instances of a point process may be
 * at one, and what they add has the order of instances: so each leaves its
 * numbers in memory first, and the lane of the first one at a slot adds those
 * of all.
 *
 * Included by cuda_group_mech.h.
 */
#ifndef BOSC_KERNELS_GPU_CUDA_GROUP_JOB_H
#define BOSC_KERNELS_GPU_CUDA_GROUP_JOB_H

#include "kernels/gpu/cuda_group_lane.h"
#include "kernels/mech/full.h"
#include "kernels/mech/ion.h"

/* --- arguments of the kernel ---------------------------------------------- */

#define OWN(NAME, n_ions, n_params)                                            \
    typedef struct bosc_cuda_own_##NAME {                                      \
        bosc_cuda_own head;                                                    \
        double *ion[(n_ions) + 1];                                             \
        bosc_cuda_value p[(n_params) + 1];                                     \
        bosc_cuda_value k[BOSC_##NAME##_CONSTANTS + 1];                        \
    } bosc_cuda_own_##NAME;
#define LOOPS(NAME) OWN(NAME, 0, BOSC_LEN(bosc_##NAME##_params))
#define POINT(NAME) LOOPS(NAME)
#define FULL(NAME) OWN(NAME, BOSC_##NAME##_IONS, BOSC_##NAME##_PARAMS)
#define FULL_PLACED(NAME) FULL(NAME)
#define FULL_POINT(NAME) FULL(NAME)
#define FULL_WATCH(NAME) FULL(NAME)
BOSC_JOB_MECHS(MAKE)
#undef OWN
#undef LOOPS
#undef FULL
#define LOOPS(NAME) bosc_cuda_own_##NAME of_##NAME;
#define FULL(NAME) LOOPS(NAME)

struct bosc_cuda_job {
    BOSC_JOB_MECHS(MAKE)
};
#undef LOOPS
#undef POINT
#undef FULL
#undef FULL_PLACED
#undef FULL_POINT
#undef FULL_WATCH

template <bool near> struct bosc_cuda_argument {
    bosc_cuda_job job;
    __device__ const bosc_cuda_job *get() const
    {
        return &job;
    }
};
template <> struct bosc_cuda_argument<false> {
    const bosc_cuda_job *job;
    __device__ const bosc_cuda_job *get() const
    {
        return job;
    }
};
typedef bosc_cuda_argument<sizeof(bosc_cuda_job) <= BOSC_CUDA_NEAR_JOB>
    bosc_cuda_job_argument;

/* --- what an instance gives ----------------------------------------------- */

static __device__ __forceinline__ bool is_bit(uint32_t mask, int j)
{
    return (mask >> j & 1u) != 0;
}

/* Give variable j of an ion at a slot what is 'written' there. */
static __device__ __forceinline__ void give(const bosc_cuda_own *of,
                                            double *const *ion, int j,
                                            ptrdiff_t slot, double written)
{
    if (is_bit(of->currents, j))
        ion[j][slot] += written;
    else if (!is_bit(of->idle, j))
        ion[j][slot] = written;
}

/* The same of a point process, which counts in totals. */
static __device__ __forceinline__ void give_total(const bosc_cuda_own *of,
                                                  double *const *ion, int j,
                                                  ptrdiff_t slot,
                                                  double written)
{
    if (is_bit(of->currents, j))
        written = written * 1e2 / of->area[slot];
    give(of, ion, j, slot, written);
}

/* Where instance i leaves number j for who adds it: g, g E, variables of
 * ions. */
static __device__ __forceinline__ double *left(const bosc_cuda_own *of, int j,
                                               ptrdiff_t i)
{
    return &of->scratch[(ptrdiff_t)j * (ptrdiff_t)of->n + i];
}

/* What the instances of an item have left is added, slot by slot. */
static __device__ __forceinline__ void add_left(const bosc_cuda_own *of,
                                                double *const *ion, int n_ions,
                                                const lane *me, const item *it,
                                                uint32_t written)
{
    const bosc_cuda_step *s = me->s;
    const ptrdiff_t begin = of->first[it->row];
    const ptrdiff_t end = of->first[it->row + it->rows];

    __syncwarp();
    for (ptrdiff_t i = begin + me->k; i < end; i += BOSC_CUDA_WIDTH) {
        const int32_t at = of->at[i];
        const ptrdiff_t slot = me->group.first + at;

        if (i > begin && of->at[i - 1] == at)
            continue;
        for (ptrdiff_t k = i; k < end && of->at[k] == at; ++k) {
            s->d[slot] = fma(of->scale[k], *left(of, 0, k), s->d[slot]);
            s->b[slot] = fma(of->scale[k], *left(of, 1, k), s->b[slot]);
            BOSC_UNROLL for (int j = 0; j < n_ions; ++j) if (is_bit(written, j))
                give_total(of, ion, j, slot, *left(of, 2 + j, k));
        }
    }
}

/* Is instance i the last one at its slot? */
static __device__ __forceinline__ bool is_last(const bosc_cuda_own *of,
                                               const item *it, ptrdiff_t i)
{
    return i + 1 == of->first[it->row + it->rows] || of->at[i + 1] != of->at[i];
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

/* --- instances ------------------------------------------------------------ */

/* The rows of 32 slots of an item, where at most one instance is at a slot. */
#define EACH_ROW(it, row)                                                      \
    _Pragma("unroll 1") for (int32_t row = (it)->row;                          \
                             row < (it)->row + (it)->rows; ++row)

/* The instance of lane k, or -1. */
static __device__ __forceinline__ ptrdiff_t
instance_at(const bosc_cuda_here *at, int32_t k)
{
    const uint2 here = __ldg((const uint2 *)at);
    const uint32_t before = here.y & ((1u << k) - 1);

    return (here.y >> k & 1u) != 0 ? (ptrdiff_t)(here.x + __popc(before)) : -1;
}

/* The lane's slot in a row of 32. */
static __device__ __forceinline__ ptrdiff_t slot_of(const lane *me, int32_t row)
{
    return me->group.first + ((row - me->group.row) * BOSC_CUDA_WIDTH + me->k);
}

/* Values of instance i: a number of all, or from an array. */
#define OWN_VALUES(of, count, to, from, i)                                     \
    LOAD(count, to, (from)[j].all)                                             \
    if ((of)->head.varies != 0)                                                \
        BOSC_UNROLL for (int j = 0; j < (int)(count);                          \
                         ++j) if ((from)[j].at != NULL) to[j] =                \
            __ldg(&(from)[j].at[i]);

/* --- without ions --------------------------------------------------------- */

#define LOOPS(NAME)                                                            \
    static __device__ __forceinline__ void current_##NAME(                     \
        const bosc_cuda_own_##NAME *of, const lane *me, item *it, int64_t)     \
    {                                                                          \
        const bosc_cuda_own *head = &of->head;                                 \
        const bosc_cuda_step *s = me->s;                                       \
                                                                               \
        EACH_ROW(it, row)                                                      \
        {                                                                      \
            const ptrdiff_t i = instance_at(&head->here[row], me->k);          \
            const ptrdiff_t slot = slot_of(me, row);                           \
            double p[BOSC_LEN(bosc_##NAME##_params)];                          \
            double x[BOSC_##NAME##_STATES + 1], g, ge;                         \
            const double *from = head->state + i;                              \
                                                                               \
            if (i < 0)                                                         \
                continue;                                                      \
            OWN_VALUES(of, BOSC_LEN(p), p, of->p, i)                           \
            LOAD(BOSC_##NAME##_STATES, x, from[j * head->n])                   \
            bosc_##NAME##_current(p, x, s->v[slot], &g, &ge);                  \
            wait_turn(me, it);                                                 \
            s->d[slot] = fma(head->scale[slot], g, s->d[slot]);                \
            s->b[slot] = fma(head->scale[slot], ge, s->b[slot]);               \
        }                                                                      \
    }                                                                          \
                                                                               \
    static __device__ __forceinline__ void advance_##NAME(                     \
        const bosc_cuda_own_##NAME *of, const lane *me, const item *it,        \
        int64_t)                                                               \
    {                                                                          \
        const bosc_cuda_own *head = &of->head;                                 \
                                                                               \
        EACH_ROW(it, row)                                                      \
        {                                                                      \
            const ptrdiff_t i = instance_at(&head->here[row], me->k);          \
            const ptrdiff_t slot = slot_of(me, row);                           \
            double p[BOSC_LEN(bosc_##NAME##_params)];                          \
            double k[BOSC_##NAME##_CONSTANTS + 1];                             \
            double x[BOSC_##NAME##_STATES + 1], *to = head->state + i;         \
                                                                               \
            if (i < 0)                                                         \
                continue;                                                      \
            OWN_VALUES(of, BOSC_LEN(p), p, of->p, i)                           \
            OWN_VALUES(of, BOSC_##NAME##_CONSTANTS, k, of->k, i)               \
            LOAD(BOSC_##NAME##_STATES, x, to[j * head->n])                     \
            bosc_##NAME##_advance(p, k, me->s->v[slot], x);                    \
            BOSC_UNROLL for (int j = 0; j < BOSC_##NAME##_STATES; ++j)         \
                to[j * head->n] = x[j];                                        \
        }                                                                      \
    }

/* --- full ones ------------------------------------------------------------ */

#define FULL_STATES(NAME) (BOSC_##NAME##_STATES + BOSC_##NAME##_WEIGHTS)

/* Instance i in arrays of constant length, which become registers. */
#define FULL_ARRAYS(NAME, of, me, i, slot, time)                               \
    double p[BOSC_##NAME##_PARAMS + 1], k[BOSC_##NAME##_CONSTANTS + 1];        \
    double x[BOSC_##NAME##_STATES + 1], ion[BOSC_##NAME##_IONS + 1];           \
    double *state = (of)->head.state + (i);                                    \
    const double here[] = {(me)->s->v[slot], time,                             \
                           BOSC_##NAME##_GEOMETRY ? (of)->head.diam[slot] : 0, \
                           BOSC_##NAME##_GEOMETRY ? (of)->head.area[slot]      \
                                                  : 0};                        \
    const uint32_t *stream =                                                   \
        BOSC_##NAME##_DRAWS ? (of)->head.stream + 4 * (i) : NULL;              \
                                                                               \
    (void)stream;                                                              \
    OWN_VALUES(of, BOSC_##NAME##_PARAMS, p, (of)->p, i)                        \
    OWN_VALUES(of, BOSC_##NAME##_CONSTANTS, k, (of)->k, i)                     \
    LOAD(BOSC_##NAME##_STATES, x, state[j * (of)->head.n])                     \
    LOAD(BOSC_##NAME##_IONS, ion,                                              \
         is_bit(BOSC_##NAME##_READS, j) ? (of)->ion[j][slot] : 0)

#define FULL_KEEP(NAME, of)                                                    \
    BOSC_UNROLL for (int j = 0; j < BOSC_##NAME##_STATES; ++j)                 \
        state[j * (of)->head.n] = x[j];
#define FULL_GIVE(NAME, of, slot, mask)                                        \
    BOSC_UNROLL for (int j = 0; j < BOSC_##NAME##_IONS;                        \
                     ++j) if (is_bit(mask, j))                                 \
        give(&(of)->head, (of)->ion, j, slot, ion[j]);

#define FULL(NAME)                                                             \
    static __device__ __forceinline__ void current_##NAME(                     \
        const bosc_cuda_own_##NAME *of, const lane *me, item *it,              \
        int64_t step)                                                          \
    {                                                                          \
        const bosc_cuda_own *head = &of->head;                                 \
        const bosc_cuda_step *s = me->s;                                       \
        const double t = ((double)step + 0.5) * s->dt;                         \
                                                                               \
        if (!BOSC_##NAME##_FLOWS)                                              \
            return;                                                            \
        EACH_ROW(it, row)                                                      \
        {                                                                      \
            const ptrdiff_t i = instance_at(&head->here[row], me->k);          \
            const ptrdiff_t slot = slot_of(me, row);                           \
            double g, ge;                                                      \
                                                                               \
            if (i < 0)                                                         \
                continue;                                                      \
            FULL_ARRAYS(NAME, of, me, i, slot, t)                              \
            bosc_##NAME##_current(p, k, here, ion, x, &g,                      \
                                  &ge BOSC_##NAME##_STREAM);                   \
            if (BOSC_##NAME##_CURRENT_STATES)                                  \
                FULL_KEEP(NAME, of)                                            \
            wait_turn(me, it);                                                 \
            s->d[slot] = fma(head->scale[slot], g, s->d[slot]);                \
            s->b[slot] = fma(head->scale[slot], ge, s->b[slot]);               \
            FULL_GIVE(NAME, of, slot, BOSC_##NAME##_CURRENT_IONS)              \
        }                                                                      \
    }                                                                          \
                                                                               \
    static __device__ __forceinline__ void advance_##NAME(                     \
        const bosc_cuda_own_##NAME *of, const lane *me, const item *it,        \
        int64_t step)                                                          \
    {                                                                          \
        const bosc_cuda_own *head = &of->head;                                 \
        const double t = ((double)step + 1) * me->s->dt;                       \
                                                                               \
        if (!BOSC_##NAME##_EVOLVES)                                            \
            return;                                                            \
        EACH_ROW(it, row)                                                      \
        {                                                                      \
            const ptrdiff_t i = instance_at(&head->here[row], me->k);          \
            const ptrdiff_t slot = slot_of(me, row);                           \
                                                                               \
            if (i < 0)                                                         \
                continue;                                                      \
            FULL_ARRAYS(NAME, of, me, i, slot, t)                              \
            bosc_##NAME##_advance(p, k, here, ion, x BOSC_##NAME##_STREAM);    \
            FULL_KEEP(NAME, of)                                                \
            FULL_GIVE(NAME, of, slot, BOSC_##NAME##_ADVANCE_IONS)              \
        }                                                                      \
    }

/* --- point processes ------------------------------------------------------ */

/* Instance i, at a slot, at time t; and its states back. */
#define FULL_INSTANCE(NAME)                                                    \
    static __device__ __forceinline__ void load_##NAME(                        \
        const bosc_cuda_own_##NAME *of, const lane *me, ptrdiff_t i,           \
        ptrdiff_t slot, double t, bosc_mech_instance *one)                     \
    {                                                                          \
        const bosc_cuda_own *head = &of->head;                                 \
        const double *state = head->state + i;                                 \
                                                                               \
        OWN_VALUES(of, BOSC_##NAME##_PARAMS, one->p, of->p, i)                 \
        OWN_VALUES(of, BOSC_##NAME##_CONSTANTS, one->k, of->k, i)              \
        LOAD(FULL_STATES(NAME), one->s, state[j * head->n])                    \
        LOAD(BOSC_##NAME##_IONS, one->ion,                                     \
             is_bit(BOSC_##NAME##_READS, j) ? of->ion[j][slot] : 0)            \
        one->here[0] = me->s->v[slot];                                         \
        one->here[1] = t;                                                      \
        one->here[2] = BOSC_##NAME##_GEOMETRY ? head->diam[slot] : 0;          \
        one->here[3] = BOSC_##NAME##_GEOMETRY ? head->area[slot] : 0;          \
        one->stream = BOSC_##NAME##_DRAWS ? head->stream + 4 * i : NULL;       \
        one->sent.n = 0;                                                       \
    }                                                                          \
                                                                               \
    static __device__ __forceinline__ void keep_##NAME(                        \
        const bosc_cuda_own_##NAME *of, ptrdiff_t i,                           \
        const bosc_mech_instance *one)                                         \
    {                                                                          \
        double *state = of->head.state + i;                                    \
                                                                               \
        BOSC_UNROLL for (int j = 0; j < FULL_STATES(NAME); ++j)                \
            state[j * of->head.n] = one->s[j];                                 \
    }

#define FULL_PLACED(NAME)                                                      \
    FULL_INSTANCE(NAME)                                                        \
                                                                               \
    static __device__ __forceinline__ void current_##NAME(                     \
        const bosc_cuda_own_##NAME *of, const lane *me, item *it,              \
        int64_t step)                                                          \
    {                                                                          \
        const bosc_cuda_own *head = &of->head;                                 \
        const double t = ((double)step + 0.5) * me->s->dt;                     \
                                                                               \
        if (!BOSC_##NAME##_FLOWS)                                              \
            return;                                                            \
        EACH("unroll 1", head, me, it, i)                                      \
        {                                                                      \
            const ptrdiff_t slot = me->group.first + head->at[i];              \
            bosc_mech_instance one;                                            \
            double g, ge;                                                      \
                                                                               \
            load_##NAME(of, me, i, slot, t, &one);                             \
            bosc_##NAME##_current_one(&one, &g, &ge);                          \
            if (BOSC_##NAME##_CURRENT_STATES)                                  \
                keep_##NAME(of, i, &one);                                      \
            *left(head, 0, i) = g;                                             \
            *left(head, 1, i) = ge;                                            \
            BOSC_UNROLL for (int j = 0; j < BOSC_##NAME##_IONS;                \
                             ++j) if (is_bit(BOSC_##NAME##_CURRENT_IONS, j)) * \
                left(head, 2 + j, i) = one.ion[j];                             \
        }                                                                      \
        wait_turn(me, it);                                                     \
        add_left(head, of->ion, BOSC_##NAME##_IONS, me, it,                    \
                 BOSC_##NAME##_CURRENT_IONS);                                  \
    }                                                                          \
                                                                               \
    static __device__ __forceinline__ void advance_##NAME(                     \
        const bosc_cuda_own_##NAME *of, const lane *me, const item *it,        \
        int64_t step)                                                          \
    {                                                                          \
        const bosc_cuda_own *head = &of->head;                                 \
        const double t = ((double)step + 1) * me->s->dt;                       \
                                                                               \
        if (!BOSC_##NAME##_EVOLVES)                                            \
            return;                                                            \
        EACH("unroll 1", head, me, it, i)                                      \
        {                                                                      \
            const ptrdiff_t slot = me->group.first + head->at[i];              \
            bosc_mech_instance one;                                            \
                                                                               \
            load_##NAME(of, me, i, slot, t, &one);                             \
            bosc_##NAME##_advance_one(&one);                                   \
            keep_##NAME(of, i, &one);                                          \
            BOSC_UNROLL for (int j = 0; j < BOSC_##NAME##_IONS;                \
                             ++j) if (is_bit(BOSC_##NAME##_ADVANCE_IONS, j) && \
                                      is_last(head, it, i))                    \
                give_total(head, of->ion, j, slot, one.ion[j]);                \
        }                                                                      \
    }

/* One that receives events. */
#define FULL_POINT(NAME)                                                       \
    FULL_PLACED(NAME)                                                          \
                                                                               \
    static __device__ void receive_full_##NAME(const lane *me,                 \
                                               const bosc_cuda_self *event)    \
    {                                                                          \
        const bosc_cuda_own_##NAME *of = &me->job->of_##NAME;                  \
        const ptrdiff_t i = event->instance;                                   \
        const ptrdiff_t slot = me->group.first + of->head.at[i];               \
        bosc_mech_instance one;                                                \
                                                                               \
        load_##NAME(of, me, i, slot, event->t, &one);                          \
        bosc_##NAME##_receive_one(&one, event->flag);                          \
        keep_##NAME(of, i, &one);                                              \
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
        const bosc_cuda_own_##NAME *of = &me->job->of_##NAME;                  \
        const bosc_cuda_group *g = &me->group;                                 \
        const ptrdiff_t end = of->head.first[g->row + g->all_rows];            \
                                                                               \
        for (ptrdiff_t i = of->head.first[g->row]; i < end; ++i) {             \
            const bosc_cuda_self from = {now, 0, i, m};                        \
            const int32_t at = of->head.at[i];                                 \
            bosc_mech_instance one;                                            \
                                                                               \
            if (at % g->width != me->k)                                        \
                continue;                                                      \
            load_##NAME(of, me, i, g->first + at, now, &one);                  \
            bosc_##NAME##_watch_one(&one);                                     \
            keep_##NAME(of, i, &one);                                          \
            send(me, &from, &one.sent);                                        \
        }                                                                      \
    }

#define POINT(NAME)
BOSC_JOB_MECHS(MAKE)
#undef LOOPS
#undef POINT
#undef FULL
#undef FULL_PLACED
#undef FULL_POINT
#undef FULL_WATCH

#endif
