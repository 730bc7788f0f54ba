/* cuda_mech.h - an instance of a mechanism on a GPU.
 *
 * Included by the time loops, cuda_group.h and cuda_cells.cu.  They know the
 * built-in mechanisms, and those that BOSC_JOB_MECHS lists, with their headers
 * included before.
 */
#ifndef BOSC_KERNELS_GPU_HOST_CUDA_MECH_H
#define BOSC_KERNELS_GPU_HOST_CUDA_MECH_H

#include "kernels/gpu/host/cuda_step.h"
#include "kernels/mech/builtin.h"

/* X(name, kind), as in builtin.h.  FULL are full ones: cuda_group_job.h has
 * these, and LOOPS of a job.  FULL_PLACED are point processes, FULL_POINT
 * receive events, too, and FULL_WATCH watch something.  BOSC_JOB_SERIES,
 * X(first, all), has the first of the densities, and all(X) lists them, each as
 * X(name, the next one). */
#if !defined(BOSC_JOB_MECHS)
#define BOSC_JOB_MECHS(X)
#define BOSC_JOB_SERIES(X)
#endif
#define BOSC_CUDA_MECHS(X) BOSC_BUILTIN_MECHS(X) BOSC_JOB_MECHS(X)

/* The group of a slot. */
static __device__ int32_t group_of(const bosc_cuda_step *s, ptrdiff_t slot)
{
    int32_t g = 0, end = s->n_groups;

    while (end - g > 1) {
        const int32_t middle = g + (end - g) / 2;

        if (s->groups[middle].first <= slot)
            g = middle;
        else
            end = middle;
    }
    return g;
}

/* Tell that a voltage is not finite. */
static __device__ void note_broken(const bosc_cuda_step *s, ptrdiff_t slot)
{
    const bosc_cuda_group *group = &s->groups[group_of(s, slot)];
    const int32_t k = (int32_t)((slot - group->first) % group->width);
    const int32_t neuron = s->lane_neuron[group->lane + k];

    if (neuron >= 0)
        atomicMax(&s->found->broken, BOSC_CUDA_BROKEN - (uint32_t)neuron);
}

#define LOAD(count, to, from)                                                  \
    BOSC_UNROLL for (int j = 0; j < (int)(count); ++j) to[j] = from;

/* The values p or k of a block's instances, of which there are so many. */
#define VALUES(block, which, count)                                            \
    ((int)(count) <= BOSC_CUDA_VALUES ? (block)->which : (block)->more->which)

/* Those of instance i.  Most jobs have one number for all instances: then each
 * is one read. */
#define LOAD_VALUES(count, to, block, which, i)                                \
    LOAD(count, to, VALUES(block, which, count)[j].all)                        \
    if ((block)->which##_varies != 0)                                          \
        BOSC_UNROLL for (int j = 0; j < (int)(count); ++j)                     \
        {                                                                      \
            const bosc_cuda_value *value = &VALUES(block, which, count)[j];    \
                                                                               \
            if (value->at != NULL)                                             \
                to[j] = __ldg(&value->at[i]);                                  \
        }

/* What an instance adds to. */
typedef struct bosc_cuda_sum {
    double d, b;
} bosc_cuda_sum;

/* State j of an instance is at x[j * step]. */

#define LOOPS(NAME)                                                            \
    static __device__ __forceinline__ void current_of_##NAME(                  \
        const bosc_cuda_block *block, ptrdiff_t i, const double *x,            \
        ptrdiff_t step, double scale, double v, double *d, double *b)          \
    {                                                                          \
        double p[BOSC_LEN(bosc_##NAME##_params)];                              \
        double s[BOSC_##NAME##_STATES + 1], g, ge;                             \
                                                                               \
        LOAD_VALUES(BOSC_LEN(p), p, block, p, i)                               \
        LOAD(BOSC_##NAME##_STATES, s, x[j * step])                             \
        bosc_##NAME##_current(p, s, v, &g, &ge);                               \
        *d = fma(scale, g, *d);                                                \
        *b = fma(scale, ge, *b);                                               \
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
        LOAD_VALUES(BOSC_LEN(p), p, block, p, i)                               \
        LOAD_VALUES(BOSC_##NAME##_CONSTANTS, k, block, k, i)                   \
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
        LOAD_VALUES(BOSC_##NAME##_CONSTANTS, k, block, k, i)                   \
        LOAD(BOSC_##NAME##_STATES, s, x[j * step])                             \
        bosc_##NAME##_receive(k, weight, s);                                   \
        BOSC_UNROLL for (int j = 0; j < BOSC_##NAME##_STATES; ++j)             \
            x[j * step] = s[j];                                                \
    }
#define STATIC(NAME)
#define FULL(NAME)
#define FULL_PLACED(NAME)
#define FULL_POINT(NAME)
#define FULL_WATCH(NAME)
#define MAKE(name, kind) kind(name)
BOSC_CUDA_MECHS(MAKE)
#undef LOOPS
#undef POINT

#define LOOPS(NAME)                                                            \
    case BOSC_MECH_##NAME:                                                     \
        CALL(NAME);                                                            \
        break;
#define POINT(NAME) LOOPS(NAME)

static __device__ __forceinline__ void current_at(const bosc_cuda_block *block,
                                                  ptrdiff_t i, const double *x,
                                                  double scale, double v,
                                                  bosc_cuda_sum *sum)
{
#define CALL(NAME) current_of_##NAME(block, i, x, 1, scale, v, &sum->d, &sum->b)
    switch (block->mech) {
        BOSC_CUDA_MECHS(MAKE)
    }
#undef CALL
}

static __device__ __forceinline__ void
advance_at(const bosc_cuda_block *block, ptrdiff_t i, double *x, double v)
{
#define CALL(NAME) advance_of_##NAME(block, i, x, 1, v)
    switch (block->mech) {
        BOSC_CUDA_MECHS(MAKE)
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
        BOSC_CUDA_MECHS(MAKE)
    }
}

#undef LOOPS
#undef POINT
#undef FULL
#undef FULL_PLACED
#undef FULL_POINT
#undef FULL_WATCH

#endif
