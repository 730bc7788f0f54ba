/* cuda_composed.h - composed steps on a GPU.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_GPU_HOST_CUDA_COMPOSED_H
#define BOSC_KERNELS_GPU_HOST_CUDA_COMPOSED_H

#include "kernels/gpu/host/cuda_engine.h"

/* As bosc_engine_ops has it. */
void bosc_cuda_group_neurons(int variant, bosc_grouping *grouping);
bosc_stages bosc_cuda_stages(const bosc_engine *engine);

/* Make the solver of a variant of BOSC_ENGINE_COMPOSED, in whose arrays the
 * system of each step is from then on. */
bosc_status bosc_cuda_make_solver(bosc_engine *engine, int variant, int threads,
                                  bosc_error *err);

/* The warps of a team; and what units are counted by: those of composed steps,
 * else groups. */
int32_t bosc_cuda_composed_team(const bosc_batch *batch);
int32_t bosc_cuda_units(const bosc_engine *engine);

/* The first unit of group g. */
static inline int32_t bosc_cuda_first_unit(const bosc_engine *engine, int32_t g)
{
    return engine->first_unit != NULL ? engine->first_unit[g] : g;
}

/* Bring what composed steps need besides. */
bosc_status bosc_cuda_bring_composed(bosc_engine *engine, bosc_error *err);

/* Launch the steps from..to - 1, with 'last' the end of a range. */
bosc_status bosc_cuda_composed_run(bosc_engine *engine, int64_t from,
                                   int64_t to, bool last, bosc_error *err);

#endif
