/* cuda_mech.h - the built-in mechanisms on a GPU: of one instance, and the
 * loops of a warp over those of a group.
 *
 * Included by the time loops, cuda_loop.cu and cuda_chip.cu.
 */
#ifndef BOSC_KERNELS_STEP_CUDA_MECH_H
#define BOSC_KERNELS_STEP_CUDA_MECH_H

#include "kernels/mech/builtin.h"
#include "kernels/step/cuda_step.h"

/* A lane of a warp, and its group. */
typedef struct bosc_cuda_lane {
    const bosc_cuda_step *s;
    bosc_cuda_group group;
    int32_t g, k; /* which group, which lane of it */
    int32_t rows; /* of its neuron; those past it are padding */
    const int32_t *parent;
    ptrdiff_t step, at; /* of constants: from row to row, of row 0 */
} lane;

static __device__ double value_of(const bosc_cuda_value *value, ptrdiff_t i)
{
    return value->at == NULL ? value->all : __ldg(&value->at[i]);
}

#define LOAD(count, to, from)                                                  \
    BOSC_UNROLL for (int j = 0; j < (int)(count); ++j) to[j] = from;

/* --- one instance ---------------------------------------------------------
 *
 * State j of it is at x[j * step]. */

#define LOOPS(NAME)                                                            \
    static __device__ __forceinline__ void current_of_##NAME(                  \
        const bosc_cuda_block *block, ptrdiff_t i, const double *x,            \
        ptrdiff_t step, double v, double *d, double *b)                        \
    {                                                                          \
        double p[BOSC_LEN(bosc_##NAME##_params)];                              \
        double s[BOSC_##NAME##_STATES + 1], g, ge;                             \
                                                                               \
        LOAD(BOSC_LEN(p), p, value_of(&block->p[j], i))                        \
        LOAD(BOSC_##NAME##_STATES, s, x[j * step])                             \
        bosc_##NAME##_current(p, s, v, &g, &ge);                               \
        *d = fma(block->scale[i], g, *d);                                      \
        *b = fma(block->scale[i], ge, *b);                                     \
    }                                                                          \
                                                                               \
    static __device__ __forceinline__ void advance_of_##NAME(                  \
        const bosc_cuda_block *block, ptrdiff_t i, double *x, ptrdiff_t step,  \
        double v)                                                              \
    {                                                                          \
        double p[BOSC_LEN(bosc_##NAME##_params)];                              \
        double k[BOSC_##NAME##_CONSTANTS + 1];                                 \
        double s[BOSC_##NAME##_STATES + 1];                                    \
                                                                               \
        LOAD(BOSC_LEN(p), p, value_of(&block->p[j], i))                        \
        LOAD(BOSC_##NAME##_CONSTANTS, k, value_of(&block->k[j], i))            \
        LOAD(BOSC_##NAME##_STATES, s, x[j * step])                             \
        bosc_##NAME##_advance(p, k, v, s);                                     \
        BOSC_UNROLL for (int j = 0; j < BOSC_##NAME##_STATES; ++j)             \
            x[j * step] = s[j];                                                \
    }
#define POINT(NAME)                                                            \
    LOOPS(NAME)                                                                \
                                                                               \
    static __device__ void receive_of_##NAME(const bosc_cuda_block *block,     \
                                             ptrdiff_t i, double *x,           \
                                             ptrdiff_t step, double weight)    \
    {                                                                          \
        double k[BOSC_##NAME##_CONSTANTS + 1], s[BOSC_##NAME##_STATES + 1];    \
                                                                               \
        LOAD(BOSC_##NAME##_CONSTANTS, k, value_of(&block->k[j], i))            \
        LOAD(BOSC_##NAME##_STATES, s, x[j * step])                             \
        bosc_##NAME##_receive(k, weight, s);                                   \
        BOSC_UNROLL for (int j = 0; j < BOSC_##NAME##_STATES; ++j)             \
            x[j * step] = s[j];                                                \
    }
#define STATIC(NAME)
#define MAKE(name, kind) kind(name)
BOSC_BUILTIN_MECHS(MAKE)
#undef LOOPS
#undef POINT

/* --- all of a group, by a warp -------------------------------------------- */

/* The instances of a group, so many of a lane at a time: exponentials take
 * long. */
#define EACH(times, block, me, i)                                              \
    const ptrdiff_t end = block->first[me->g + 1];                             \
    _Pragma(times) for (ptrdiff_t i = block->first[me->g] + threadIdx.x;       \
                        i < end; i += BOSC_CUDA_WIDTH)

#define LOOPS(NAME)                                                            \
    static __device__ void current_##NAME(const bosc_cuda_block *block,        \
                                          const lane *me)                      \
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
                                          const lane *me)                      \
    {                                                                          \
        EACH("unroll 2", block, me, i)                                         \
        advance_of_##NAME(block, i, block->state + i, block->n,                \
                          me->s->v[me->group.first + block->at[i]]);           \
    }
#define POINT(NAME) LOOPS(NAME)
BOSC_BUILTIN_MECHS(MAKE)
#undef LOOPS
#undef POINT
#define LOOPS(NAME)                                                            \
    case BOSC_MECH_##NAME:                                                     \
        CALL(NAME);                                                            \
        break;
#define POINT(NAME) LOOPS(NAME)

static __device__ void current(const bosc_cuda_block *block, const lane *me)
{
#define CALL(NAME) current_##NAME(block, me)
    switch (block->mech) {
        BOSC_BUILTIN_MECHS(MAKE)
    }
#undef CALL
}

static __device__ void advance(const bosc_cuda_block *block, const lane *me)
{
#define CALL(NAME) advance_##NAME(block, me)
    switch (block->mech) {
        BOSC_BUILTIN_MECHS(MAKE)
    }
#undef CALL
}

static __device__ __forceinline__ void current_at(const bosc_cuda_block *block,
                                                  ptrdiff_t i, const double *x,
                                                  double v, double *d,
                                                  double *b)
{
#define CALL(NAME) current_of_##NAME(block, i, x, 1, v, d, b)
    switch (block->mech) {
        BOSC_BUILTIN_MECHS(MAKE)
    }
#undef CALL
}

static __device__ __forceinline__ void
advance_at(const bosc_cuda_block *block, ptrdiff_t i, double *x, double v)
{
#define CALL(NAME) advance_of_##NAME(block, i, x, 1, v)
    switch (block->mech) {
        BOSC_BUILTIN_MECHS(MAKE)
    }
#undef CALL
}

#undef LOOPS
#define LOOPS(NAME)
#undef POINT
#define POINT(NAME)                                                            \
    case BOSC_MECH_##NAME:                                                     \
        receive_of_##NAME(block, i, x, step, weight);                          \
        break;

/* Let instance i, whose state j is at x[j * step], receive an event. */
static __device__ void receive(const bosc_cuda_block *block, ptrdiff_t i,
                               double *x, ptrdiff_t step, double weight)
{
    switch (block->mech) {
        BOSC_BUILTIN_MECHS(MAKE)
    }
}

#endif
