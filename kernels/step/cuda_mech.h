/* cuda_mech.h - the loops of the built-in mechanisms over a group's instances,
 * for the threads of a warp.
 *
 * Included by cuda_loop.cu alone.
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
    return __ldg(&value->at[i * value->step]);
}

#define LOAD(count, to, from)                                                  \
    BOSC_UNROLL for (int j = 0; j < (int)(count); ++j) to[j] = from;

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
            double p[BOSC_LEN(bosc_##NAME##_params)];                          \
            double x[BOSC_##NAME##_STATES + 1], g, ge;                         \
                                                                               \
            LOAD(BOSC_LEN(p), p, value_of(&block->p[j], i))                    \
            LOAD(BOSC_##NAME##_STATES, x, block->state[j * block->n + i])      \
            bosc_##NAME##_current(p, x, s->v[at], &g, &ge);                    \
            s->d[at] = fma(block->scale[i], g, s->d[at]);                      \
            s->b[at] = fma(block->scale[i], ge, s->b[at]);                     \
        }                                                                      \
    }                                                                          \
                                                                               \
    static __device__ void advance_##NAME(const bosc_cuda_block *block,        \
                                          const lane *me)                      \
    {                                                                          \
        const bosc_cuda_step *s = me->s;                                       \
                                                                               \
        EACH("unroll 2", block, me, i)                                         \
        {                                                                      \
            double p[BOSC_LEN(bosc_##NAME##_params)];                          \
            double k[BOSC_##NAME##_CONSTANTS + 1];                             \
            double x[BOSC_##NAME##_STATES + 1];                                \
                                                                               \
            LOAD(BOSC_LEN(p), p, value_of(&block->p[j], i))                    \
            LOAD(BOSC_##NAME##_CONSTANTS, k, value_of(&block->k[j], i))        \
            LOAD(BOSC_##NAME##_STATES, x, block->state[j * block->n + i])      \
            bosc_##NAME##_advance(p, k, s->v[me->group.first + block->at[i]],  \
                                  x);                                          \
            BOSC_UNROLL for (int j = 0; j < BOSC_##NAME##_STATES; ++j)         \
                block->state[j * block->n + i] = x[j];                         \
        }                                                                      \
    }
#define POINT(NAME)                                                            \
    LOOPS(NAME)                                                                \
                                                                               \
    static __device__ void receive_##NAME(const bosc_cuda_block *block,        \
                                          ptrdiff_t i, double weight)          \
    {                                                                          \
        double k[BOSC_##NAME##_CONSTANTS + 1], x[BOSC_##NAME##_STATES + 1];    \
                                                                               \
        LOAD(BOSC_##NAME##_CONSTANTS, k, value_of(&block->k[j], i))            \
        LOAD(BOSC_##NAME##_STATES, x, block->state[j * block->n + i])          \
        bosc_##NAME##_receive(k, weight, x);                                   \
        BOSC_UNROLL for (int j = 0; j < BOSC_##NAME##_STATES; ++j)             \
            block->state[j * block->n + i] = x[j];                             \
    }
#define STATIC(NAME)
#define MAKE(name, kind) kind(name)
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

#undef LOOPS
#undef POINT
#define LOOPS(NAME)
#define POINT(NAME)                                                            \
    case BOSC_MECH_##NAME:                                                     \
        receive_##NAME(block, i, weight);                                      \
        break;

static __device__ void receive(const bosc_cuda_block *block, ptrdiff_t i,
                               double weight)
{
    switch (block->mech) {
        BOSC_BUILTIN_MECHS(MAKE)
    }
}

#endif
