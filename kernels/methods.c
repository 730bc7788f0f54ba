#include "kernels/methods.h"

#include <string.h>

#include "config.h"
#include "kernels/base/cuda.h"
#include "kernels/base/isa.h"
#include "kernels/solve/solver_cpu.h"
#include "kernels/solve/solver_cuda.h"
#include "kernels/solve/solvers.h"
#include "kernels/step/composed.h"
#include "kernels/thomas/thomas.h"

/* What a build without CUDA lacks. */
#ifdef HAVE_CUDA
#define IF_CUDA(of) of
#else
#define IF_CUDA(of) NULL
#endif

static bosc_status always(bosc_error *err)
{
    (void)err;
    return BOSC_OK;
}

static const bosc_backend cpu = {
    "cpu", NULL, &bosc_host,          false,
    NULL,  true, &bosc_host_products, bosc_isa_available};
static const bosc_backend ref = {"ref", "cpu", &bosc_host, false,
                                 NULL,  false, NULL,       always};
static const bosc_backend cuda = {"cuda",
                                  NULL,
                                  IF_CUDA(&bosc_gpu),
                                  true,
                                  bosc_gpu_limits,
                                  true,
                                  IF_CUDA(&bosc_cuda_products),
                                  IF_CUDA(bosc_cuda_available)};
static const bosc_backend cusparse = {"cusparse",
                                      "cuda",
                                      IF_CUDA(&bosc_gpu),
                                      true,
                                      bosc_gpu_limits,
                                      true,
                                      IF_CUDA(&bosc_cusparse_products),
                                      IF_CUDA(bosc_cusparse_available)};

const bosc_backend *const bosc_backends[] = {&cpu, &ref, &cuda, &cusparse,
                                             NULL};

#define CUDA_SOLVERS IF_CUDA(&bosc_cuda_solvers)
#define CUDA_ENGINE IF_CUDA(&bosc_cuda_engine)

/* clang-format off */
/* A row: backend, name, former name, what it does, whether it solves only
 * chains, whether it gives other last bits than ref; its solver; its time
 * loop. */
#define CPU(family, v) {&bosc_cpu_solvers, &bosc_##family##_family, v}
#define CUDA(family, v) {CUDA_SOLVERS, IF_CUDA(&bosc_cuda_##family), v}
#define CUSPARSE(routine) {IF_CUDA(&bosc_cusparse_solvers), NULL, routine}
#define REF {&bosc_ref_solvers, NULL, 0}
#define LOOP(backend, v) {&bosc_##backend##_engine, v, NULL, NULL}
#define CUDA_LOOP(v, limits, instead) {CUDA_ENGINE, v, limits, instead}
#define COMPOSED(v) {&bosc_cpu_composed_engine, BOSC_COMPOSED_##v, NULL, NULL}
#define BY_SECTION(v)                                                          \
    {&bosc_cpu_composed_engine, BOSC_COMPOSED_##v, bosc_section_limits, NULL}
#define CUDA_COMPOSED(v)                                                       \
    CUDA_LOOP(BOSC_ENGINE_COMPOSED + BOSC_COMPOSED_##v, NULL, NULL)
#define CUDA_BY_SECTION(v)                                                     \
    CUDA_LOOP(BOSC_ENGINE_COMPOSED + BOSC_COMPOSED_##v, bosc_section_limits,   \
              NULL)
#define ONLY_SOLVES {NULL, 0, NULL, NULL}

const bosc_method bosc_methods[] = {
{&cpu, "depth-first", "stream",
 "a neuron in each lane of a vector, sorted by size",
 false, false, CPU(dfs, 0), LOOP(cpu, BOSC_ENGINE_DEPTH_FIRST)},
{&cpu, "hines-flat", NULL,
 "a neuron after another in each thread",
 false, false, CPU(flat, 0), LOOP(cpu, BOSC_ENGINE_HINES_FLAT)},
{&cpu, "hines-interleaved", NULL,
 "element i of all neurons adjacent",
 false, false, CPU(lockstep, BOSC_CPU_INTERLEAVED), COMPOSED(INTERLEAVED)},
{&cpu, "hines-block", NULL,
 "interleaved within blocks of neurons",
 false, false, CPU(lockstep, BOSC_CPU_BLOCK), COMPOSED(BLOCK)},
{&cpu, "hines-block-shared", NULL,
 "the same, b in a buffer of the thread",
 false, false, CPU(lockstep, BOSC_CPU_BLOCK_SHARED), COMPOSED(BLOCK_SHARED)},
{&cpu, "hines-vbatch-cp", NULL,
 "32 neurons as given, padding computed",
 false, false, CPU(lockstep, BOSC_CPU_VBATCH_CP), COMPOSED(VBATCH_CP)},
{&cpu, "hines-vbatch-ncp", NULL,
 "32 neurons as given, padding left out",
 false, false, CPU(lockstep, BOSC_CPU_VBATCH_NCP), COMPOSED(VBATCH_NCP)},
{&cpu, "level-schedule-cp", "levels-cp",
 "sections of a level row by row, padding computed",
 false, false, CPU(level_schedule, BOSC_THOMAS_CP), BY_SECTION(LEVELS_CP)},
{&cpu, "level-schedule-ncp", "levels-ncp",
 "the same, padding left out",
 false, false, CPU(level_schedule, BOSC_THOMAS_NCP), BY_SECTION(LEVELS_NCP)},
{&cpu, "level-schedule-sliced", NULL,
 "the same, the sections of a level sorted by length, 32 by 32",
 false, false, CPU(level_schedule, BOSC_THOMAS_SLICED),
 BY_SECTION(LEVELS_SLICED)},
{&cpu, "cell-blocks", "levels-sliced",
 "blocks of neurons, the sections of a level sorted",
 false, false, CPU(cell_blocks, 0), ONLY_SOLVES},
{&cpu, "thomas-batch-flat", NULL,
 "chains, one after another",
 true, false, CPU(level_schedule, BOSC_THOMAS_FLAT), ONLY_SOLVES},
{&cpu, "thomas-batch-interleaved", NULL,
 "chains of one length, row by row",
 true, false, CPU(level_schedule, BOSC_THOMAS_INTERLEAVED), ONLY_SOLVES},
{&cpu, "thomas-batch-unified", NULL,
 "the same, d, u and b of a row side by side",
 true, false, CPU(level_schedule, BOSC_THOMAS_UNIFIED), ONLY_SOLVES},
{&cpu, "thomas-vbatch-cp", NULL,
 "chains row by row, padding computed",
 true, false, CPU(level_schedule, BOSC_THOMAS_CP), ONLY_SOLVES},
{&cpu, "thomas-vbatch-ncp", NULL,
 "the same, padding left out",
 true, false, CPU(level_schedule, BOSC_THOMAS_NCP), ONLY_SOLVES},
{&cpu, "thomas-vbatch-sliced", NULL,
 "chains sorted by length, 32 by 32",
 true, false, CPU(level_schedule, BOSC_THOMAS_SLICED), ONLY_SOLVES},
{&ref, "hines", NULL,
 "the plain Hines algorithm, a neuron after another",
 false, false, REF, LOOP(ref, 0)},
{&cuda, "hines-flat", NULL,
 "a thread for each neuron, each contiguous",
 false, false, CUDA(hines, BOSC_CUDA_FLAT), CUDA_COMPOSED(FLAT)},
{&cuda, "hines-interleaved", NULL,
 "element i of all neurons adjacent",
 false, false, CUDA(hines, BOSC_CUDA_INTERLEAVED),
 CUDA_COMPOSED(INTERLEAVED)},
{&cuda, "hines-block", NULL,
 "interleaved within blocks of neurons",
 false, false, CUDA(hines, BOSC_CUDA_BLOCK), CUDA_COMPOSED(BLOCK)},
{&cuda, "hines-block-shared", NULL,
 "the same, b in shared memory",
 false, false, CUDA(hines, BOSC_CUDA_BLOCK_SHARED),
 CUDA_COMPOSED(BLOCK_SHARED)},
{&cuda, "hines-vbatch-cp", NULL,
 "blocks as given, padding computed",
 false, false, CUDA(hines, BOSC_CUDA_VBATCH_CP), CUDA_COMPOSED(VBATCH_CP)},
{&cuda, "hines-vbatch-ncp", NULL,
 "blocks as given, padding left out",
 false, false, CUDA(hines, BOSC_CUDA_VBATCH_NCP), CUDA_COMPOSED(VBATCH_NCP)},
{&cuda, "cell-blocks", "levels-sliced",
 "blocks of neurons on chip, sections by level",
 false, false, CUDA(cell_blocks, 0),
 CUDA_LOOP(BOSC_ENGINE_CELL_BLOCKS, bosc_chip_limits, "depth-first")},
{&cuda, "depth-first", "stream",
 "a neuron in each thread, a warp of neurons of like size",
 false, false, CUDA(dfs, 0),
 CUDA_LOOP(BOSC_ENGINE_DEPTH_FIRST, NULL, NULL)},
{&cuda, "cyclic-reduction", "team",
 "a block of threads for each neuron",
 false, true, CUDA(cyclic, 0), CUDA_COMPOSED(CYCLIC)},
{&cuda, "level-schedule-cp", "levels-cp",
 "a launch for each level, padding computed",
 false, false, CUDA(levels, BOSC_THOMAS_CP), CUDA_BY_SECTION(LEVELS_CP)},
{&cuda, "level-schedule-ncp", "levels-ncp",
 "the same, padding left out",
 false, false, CUDA(levels, BOSC_THOMAS_NCP), CUDA_BY_SECTION(LEVELS_NCP)},
{&cuda, "level-schedule-sliced", NULL,
 "the same, the sections of a level sorted by length, warp by warp",
 false, false, CUDA(levels, BOSC_THOMAS_SLICED),
 CUDA_BY_SECTION(LEVELS_SLICED)},
{&cuda, "thomas-batch-flat", NULL,
 "a thread for each chain, one after another",
 true, false, CUDA(levels, BOSC_THOMAS_FLAT), ONLY_SOLVES},
{&cuda, "thomas-batch-interleaved", NULL,
 "chains of one length, row by row",
 true, false, CUDA(levels, BOSC_THOMAS_INTERLEAVED), ONLY_SOLVES},
{&cuda, "thomas-batch-unified", NULL,
 "the same, d, u and b of a row side by side",
 true, false, CUDA(levels, BOSC_THOMAS_UNIFIED), ONLY_SOLVES},
{&cuda, "thomas-vbatch-cp", NULL,
 "chains row by row, padding computed",
 true, false, CUDA(levels, BOSC_THOMAS_CP), ONLY_SOLVES},
{&cuda, "thomas-vbatch-ncp", NULL,
 "the same, padding left out",
 true, false, CUDA(levels, BOSC_THOMAS_NCP), ONLY_SOLVES},
{&cuda, "thomas-vbatch-sliced", NULL,
 "chains sorted by length, warp by warp",
 true, false, CUDA(levels, BOSC_THOMAS_SLICED), ONLY_SOLVES},
{&cusparse, "gtsv2-strided", NULL,
 "parallel within each chain",
 true, true, CUSPARSE(-1), ONLY_SOLVES},
{&cusparse, "gtsv-interleaved-0", NULL,
 "interleaved, the Thomas algorithm",
 true, true, CUSPARSE(0), ONLY_SOLVES},
{&cusparse, "gtsv-interleaved-1", NULL,
 "interleaved, LU with pivoting",
 true, true, CUSPARSE(1), ONLY_SOLVES},
{&cusparse, "gtsv-interleaved-2", NULL,
 "interleaved, QR",
 true, true, CUSPARSE(2), ONLY_SOLVES},
{.name = NULL},
};
/* clang-format on */

const bosc_backend *bosc_backend_find(const char *name)
{
    for (int i = 0; bosc_backends[i] != NULL; ++i)
        if (strcmp(bosc_backends[i]->name, name) == 0)
            return bosc_backends[i];
    return NULL;
}

const bosc_method *bosc_method_find(const char *backend, const char *name)
{
    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        if (strcmp(m->backend->name, backend) == 0 &&
            strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

const bosc_method *bosc_method_formerly(const char *name)
{
    const size_t n = strlen(name);

    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        if (m->former != NULL && strncmp(m->former, name, n) == 0 &&
            (m->former[n] == '\0' || m->former[n] == '-'))
            return m;
    return NULL;
}

bosc_status bosc_backend_available(const bosc_backend *backend, bosc_error *err)
{
    if (backend->processor != NULL)
        return backend->available(err);
    return bosc_fail(err, BOSC_ENOSUP,
                     "this bosc was built without CUDA; configure it where "
                     "nvcc is found");
}

const bosc_limit *bosc_backend_limits(const bosc_backend *backend)
{
    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        if (m->backend == backend && m->engine.instead != NULL)
            return m->engine.limits;
    return NULL;
}

const bosc_method *bosc_method_computing(const bosc_method *method,
                                         const bosc_needs *needs)
{
    return method->engine.instead == NULL ||
                   bosc_limit_met(method->engine.limits, needs, false) == NULL
               ? method
               : bosc_method_find(method->backend->name,
                                  method->engine.instead);
}

int32_t bosc_method_width(const bosc_method *method)
{
    return method->engine.ops->width(method->engine.variant);
}

bosc_grouping bosc_method_grouping(const bosc_method *method,
                                   bosc_grouping wanted)
{
    wanted.width = bosc_method_width(method);
    if (method->backend->on_gpu)
        wanted.threads = 1;
    if (method->engine.ops->group != NULL)
        method->engine.ops->group(method->engine.variant, &wanted);
    return wanted;
}

bool bosc_method_is_composed(const bosc_method *method)
{
    bosc_grouping grouping = {0};

    if (method->engine.ops != NULL && method->engine.ops->group != NULL)
        method->engine.ops->group(method->engine.variant, &grouping);
    return grouping.make != NULL;
}

bosc_status bosc_method_solver(const bosc_method *method,
                               const bosc_systems *systems,
                               const bosc_solver_options *options,
                               bosc_solver **out, bosc_error *err)
{
    bosc_status st = bosc_backend_available(method->backend, err);

    if (st == BOSC_OK && options->loop && options->single)
        st = bosc_fail(err, BOSC_EVALUE,
                       "fp32 in the order of the time loop, which has fp64");
    if (st == BOSC_OK)
        st = bosc_systems_check(systems, method->chains, err);
    if (st == BOSC_OK)
        st = method->solver.ops->create(method->solver.family,
                                        method->solver.variant, systems,
                                        options, out, err);
    return st;
}
