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
#ifndef BOSC_KERNELS_GPU_STREAM_CUDA_GROUP_JOB_H
#define BOSC_KERNELS_GPU_STREAM_CUDA_GROUP_JOB_H

#include "kernels/gpu/stream/cuda_group_lane.h"
#include "kernels/mech/emitted.h"
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

/* What block 'block' has, of which there is one, or several. */
#define OWN_OF(NAME, job, me, block)                                           \
    (BOSC_##NAME##_SEVERAL                                                     \
         ? (const bosc_cuda_own_##NAME *)(me)->s->blocks[block].more->own      \
         : &(job)->of_##NAME)

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

/* --- densities ------------------------------------------------------------
 *
 * They come before all point processes: a lane does all of them at its slot,
 * one after another, before its warp goes on to the next 32 slots. */

/* A lane's slot, and what is added there. */
typedef struct bosc_cuda_slot {
    ptrdiff_t slot;
    double v, t; /* ms */
    double scale, d, b;
} slot;

/* Values of instance i: a number of all, or from an array. */
#define OWN_VALUES(of, count, to, from, i)                                     \
    LOAD(count, to, (from)[j].all)                                             \
    if ((of)->head.varies != 0)                                                \
        BOSC_UNROLL for (int j = 0; j < (int)(count);                          \
                         ++j) if ((from)[j].at != NULL) to[j] =                \
            __ldg(&(from)[j].at[i]);

static __device__ __forceinline__ void add(slot *at, double g, double ge)
{
    at->d = fma(at->scale, g, at->d);
    at->b = fma(at->scale, ge, at->b);
}

/* An instance, whose states are read before its turn comes. */
#define ONE(NAME)                                                              \
    typedef struct bosc_cuda_one_##NAME {                                      \
        uint2 here; /* where instances are in the row, bosc_cuda_here */       \
        uint32_t i;                                                            \
        double x[BOSC_##NAME##_STATES + 1];                                    \
    } one_##NAME;                                                              \
                                                                               \
    static __device__ __forceinline__ void read_##NAME(                        \
        const bosc_cuda_job *job, int32_t k, one_##NAME *one)                  \
    {                                                                          \
        const bosc_cuda_own *head = &job->of_##NAME.head;                      \
                                                                               \
        one->i = one->here.x + __popc(one->here.y & ((1u << k) - 1));          \
        LOAD(BOSC_##NAME##_STATES, one->x,                                     \
             is_bit(one->here.y, k) ? head->state[one->i + j * head->n] : 0)   \
    }                                                                          \
                                                                               \
    static __device__ __forceinline__ void keep_one_##NAME(                    \
        const bosc_cuda_own_##NAME *of, const one_##NAME *one)                 \
    {                                                                          \
        BOSC_UNROLL for (int j = 0; j < BOSC_##NAME##_STATES; ++j)             \
            of->head.state[one->i + j * of->head.n] = one->x[j];               \
    }

/* Without ions. */
#define LOOPS(NAME)                                                            \
    ONE(NAME)                                                                  \
                                                                               \
    static __device__ __forceinline__ void current_##NAME(                     \
        const bosc_cuda_job *job, slot *at, one_##NAME *one)                   \
    {                                                                          \
        const bosc_cuda_own_##NAME *of = &job->of_##NAME;                      \
        double p[BOSC_LEN(bosc_##NAME##_params)], g, ge;                       \
                                                                               \
        OWN_VALUES(of, BOSC_LEN(p), p, of->p, one->i)                          \
        bosc_##NAME##_current(p, one->x, at->v, &g, &ge);                      \
        add(at, g, ge);                                                        \
    }                                                                          \
                                                                               \
    static __device__ __forceinline__ bool advance_##NAME(                     \
        const bosc_cuda_job *job, const slot *at, one_##NAME *one, bool quick) \
    {                                                                          \
        const bosc_cuda_own_##NAME *of = &job->of_##NAME;                      \
        double p[BOSC_LEN(bosc_##NAME##_params)];                              \
        double k[BOSC_##NAME##_CONSTANTS + 1];                                 \
                                                                               \
        OWN_VALUES(of, BOSC_LEN(p), p, of->p, one->i)                          \
        OWN_VALUES(of, BOSC_##NAME##_CONSTANTS, k, of->k, one->i)              \
        if (!quick)                                                            \
            bosc_##NAME##_advance(p, k, at->v, one->x);                        \
        else if (!BOSC_##NAME##_QUICKLY(p, k, at->v, one->x))                  \
            return false;                                                      \
        keep_one_##NAME(of, one);                                              \
        return true;                                                           \
    }

/* Full ones, in arrays of constant length, which become registers. */
#define FULL_STATES(NAME) (BOSC_##NAME##_STATES + BOSC_##NAME##_WEIGHTS)
#define FULL_ARRAYS(NAME, of, at, one)                                         \
    double p[BOSC_##NAME##_PARAMS + 1], k[BOSC_##NAME##_CONSTANTS + 1];        \
    double ion[BOSC_##NAME##_IONS + 1];                                        \
    const double here[] = {                                                    \
        (at)->v, (at)->t,                                                      \
        BOSC_##NAME##_GEOMETRY ? (of)->head.diam[at->slot] : 0,                \
        BOSC_##NAME##_GEOMETRY ? (of)->head.area[at->slot] : 0};               \
    const uint32_t *stream = BOSC_##NAME##_DRAWS                               \
                                 ? (of)->head.stream + 4 * (ptrdiff_t)(one)->i \
                                 : NULL;                                       \
                                                                               \
    (void)stream;                                                              \
    OWN_VALUES(of, BOSC_##NAME##_PARAMS, p, (of)->p, (one)->i)                 \
    OWN_VALUES(of, BOSC_##NAME##_CONSTANTS, k, (of)->k, (one)->i)              \
    LOAD(BOSC_##NAME##_IONS, ion,                                              \
         is_bit(BOSC_##NAME##_READS, j) ? (of)->ion[j][(at)->slot] : 0)
#define FULL_GIVE(NAME, of, at, mask)                                          \
    BOSC_UNROLL for (int j = 0; j < BOSC_##NAME##_IONS;                        \
                     ++j) if (is_bit(mask, j))                                 \
        give(&(of)->head, (of)->ion, j, (at)->slot, ion[j]);

#define FULL(NAME)                                                             \
    ONE(NAME)                                                                  \
                                                                               \
    static __device__ __forceinline__ void current_##NAME(                     \
        const bosc_cuda_job *job, slot *at, one_##NAME *one)                   \
    {                                                                          \
        const bosc_cuda_own_##NAME *of = &job->of_##NAME;                      \
        double g, ge;                                                          \
                                                                               \
        if (!BOSC_##NAME##_FLOWS)                                              \
            return;                                                            \
        FULL_ARRAYS(NAME, of, at, one)                                         \
        bosc_##NAME##_current(p, k, here, ion, one->x, &g,                     \
                              &ge BOSC_##NAME##_STREAM);                       \
        if (BOSC_##NAME##_CURRENT_STATES)                                      \
            keep_one_##NAME(of, one);                                          \
        add(at, g, ge);                                                        \
        FULL_GIVE(NAME, of, at, BOSC_##NAME##_CURRENT_IONS)                    \
    }                                                                          \
                                                                               \
    static __device__ __forceinline__ bool advance_##NAME(                     \
        const bosc_cuda_job *job, const slot *at, one_##NAME *one, bool quick) \
    {                                                                          \
        const bosc_cuda_own_##NAME *of = &job->of_##NAME;                      \
                                                                               \
        if (!BOSC_##NAME##_EVOLVES)                                            \
            return true;                                                       \
        FULL_ARRAYS(NAME, of, at, one)                                         \
        if (!quick)                                                            \
            bosc_##NAME##_advance(p, k, here, ion,                             \
                                  one->x BOSC_##NAME##_STREAM);                \
        else if (!BOSC_##NAME##_QUICKLY(p, k, here, ion,                       \
                                        one->x BOSC_##NAME##_STREAM))          \
            return false;                                                      \
        keep_one_##NAME(of, one);                                              \
        FULL_GIVE(NAME, of, at, BOSC_##NAME##_ADVANCE_IONS)                    \
        return true;                                                           \
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
        const bosc_cuda_own_##NAME *of, const lane *me, const item *it,        \
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
        const bosc_cuda_own_##NAME *of =                                       \
            OWN_OF(NAME, me->job, me, event->block);                           \
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
        const bosc_cuda_own_##NAME *of = OWN_OF(NAME, me->job, me, m);         \
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

/* --- all densities -------------------------------------------------------- */

static __device__ __forceinline__ slot slot_of(const lane *me, int32_t row,
                                               double t)
{
    const bosc_cuda_group *g = &me->group;
    const int32_t i = (row - g->row) * BOSC_CUDA_WIDTH + me->k;
    slot at = {g->first + i, 0, t, 0, 0, 0};

    if (i < g->rows * g->width)
        at.v = me->s->v[at.slot];
    return at;
}

/* After the last one. */
typedef struct bosc_cuda_one_0 {
    uint2 here;
} one_0;
static __device__ __forceinline__ void read_0(const bosc_cuda_job *, int32_t,
                                              one_0 *)
{
}

#define FIND(NAME, NEXT)                                                       \
    one_##NAME of_##NAME;                                                      \
    of_##NAME.here = __ldg((const uint2 *)&job->of_##NAME.head.here[row]);
#define ANY(NAME, NEXT) | of_##NAME.here.y
#define CURRENT(NAME, NEXT)                                                    \
    read_##NEXT(job, me->k, &of_##NEXT);                                       \
    if (is_bit(of_##NAME.here.y, me->k))                                       \
        current_##NAME(job, &at, &of_##NAME);
#define ADVANCE(NAME, NEXT)                                                    \
    read_##NEXT(job, me->k, &of_##NEXT);                                       \
    if (is_bit(of_##NAME.here.y, me->k) && left == NONE &&                     \
        !advance_##NAME(job, &at, &of_##NAME, true))                           \
        left = n;                                                              \
    ++n;
#define ADVANCE_PLAINLY(NAME, NEXT)                                            \
    {                                                                          \
        FIND(NAME, NEXT)                                                       \
        read_##NAME(job, k, &of_##NAME);                                       \
        if (n++ >= left && is_bit(of_##NAME.here.y, k))                        \
            advance_##NAME(job, &at, &of_##NAME, false);                       \
    }

/* The rows of 32 slots of an item. */
#define EACH_ROW(it, row)                                                      \
    _Pragma("unroll 1") for (int32_t row = (it)->row;                          \
                             row < (it)->row + (it)->rows; ++row)

/* Where all densities have instances in a row; if nowhere, on to the next. */
#define FIND_ALL(ALL, any)                                                     \
    ALL(FIND)                                                                  \
    one_0 of_0;                                                                \
    const uint32_t any = 0 ALL(ANY);                                           \
                                                                               \
    if (any == 0)                                                              \
        continue;

/* A mechanism whose quick form does not hold leaves its lane's slot to
 * advances_left_, which is hardly ever called; and so do all after it, for they
 * may write what it reads. */
enum { NONE = -1 };

#define SERIES(NAME, ALL)                                                      \
    static __device__ __noinline__ void advances_left_##NAME(                  \
        const bosc_cuda_job *job, int32_t row, int32_t k, slot at,             \
        int32_t left)                                                          \
    {                                                                          \
        int32_t n = 0;                                                         \
                                                                               \
        ALL(ADVANCE_PLAINLY)                                                   \
    }                                                                          \
                                                                               \
    static __device__ __forceinline__ void currents_from_##NAME(               \
        const bosc_cuda_job *job, const lane *me, const item *it,              \
        int64_t step)                                                          \
    {                                                                          \
        const bosc_cuda_step *s = me->s;                                       \
                                                                               \
        EACH_ROW(it, row)                                                      \
        {                                                                      \
            FIND_ALL(ALL, any)                                                 \
            slot at = slot_of(me, row, ((double)step + 0.5) * s->dt);          \
                                                                               \
            read_##NAME(job, me->k, &of_##NAME);                               \
            if (is_bit(any, me->k)) {                                          \
                at.scale = __ldg(&job->of_##NAME.head.scale[at.slot]);         \
                at.d = s->d[at.slot];                                          \
                at.b = s->b[at.slot];                                          \
            }                                                                  \
            ALL(CURRENT)                                                       \
            if (is_bit(any, me->k)) {                                          \
                s->d[at.slot] = at.d;                                          \
                s->b[at.slot] = at.b;                                          \
            }                                                                  \
        }                                                                      \
    }                                                                          \
                                                                               \
    static __device__ __forceinline__ void advances_from_##NAME(               \
        const bosc_cuda_job *job, const lane *me, const item *it,              \
        int64_t step)                                                          \
    {                                                                          \
        EACH_ROW(it, row)                                                      \
        {                                                                      \
            FIND_ALL(ALL, any)                                                 \
            const slot at = slot_of(me, row, ((double)step + 1) * me->s->dt);  \
            int32_t n = 0, left = NONE;                                        \
                                                                               \
            read_##NAME(job, me->k, &of_##NAME);                               \
            ALL(ADVANCE)                                                       \
            if (left != NONE)                                                  \
                advances_left_##NAME(job, row, me->k, at, left);               \
        }                                                                      \
    }
BOSC_JOB_SERIES(SERIES)
#undef SERIES

#endif
