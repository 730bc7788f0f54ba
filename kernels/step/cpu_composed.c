/* cpu_composed.c - the composed step on the host: assemble, solve, update,
 * where 'solve' is any solver of trees (kernels/solve/solver.h), in its own
 * layout.
 *
 * The batch has the slots of the solver, so the system is assembled where the
 * solver wants it, and the solution is read where it leaves it.  Assembly and
 * update are those of cpu.c, tile by tile, or slot by slot where a layout has
 * fewer tiles than threads.  A step is three passes over all neurons, where
 * that of cpu.c is one over each tile: this is how the papers' methods are
 * compared with each other in a whole simulation, not how to be fast.
 */
#include <omp.h>
#include <stdlib.h>

#include "kernels/base/isa.h"
#include "kernels/solve/solver_cpu.h"
#include "kernels/step/composed.h"
#include "kernels/step/cpu.h"
#include "kernels/step/engine.h"
#include "kernels/thomas/thomas.h"
#include "src/base/mem.h"
#include "src/base/progress.h"

struct bosc_engine {
    bosc_cpu cpu;
    bosc_cpu_step *step;         /* of a tile by one thread, */
    bosc_cpu_together *together; /* or of all by all threads; else NULL */
    int threads;
    bosc_composed_solver composed;
    bosc_stages stages;
};

static bosc_cpu_step *const step_codes[] = BOSC_ISA_TABLES(bosc_cpu);
static bosc_cpu_together *const together_codes[] =
    BOSC_ISA_TABLES(bosc_cpu_together);

/* Of a variant: its solver, and whether its lanes are sections. */
static const bosc_composed_kind variants[BOSC_COMPOSED_KINDS] = {
    [BOSC_COMPOSED_INTERLEAVED] = {&bosc_lockstep_family, BOSC_CPU_INTERLEAVED,
                                   false},
    [BOSC_COMPOSED_BLOCK] = {&bosc_lockstep_family, BOSC_CPU_BLOCK, false},
    [BOSC_COMPOSED_BLOCK_SHARED] = {&bosc_lockstep_family,
                                    BOSC_CPU_BLOCK_SHARED, false},
    [BOSC_COMPOSED_VBATCH_CP] = {&bosc_lockstep_family, BOSC_CPU_VBATCH_CP,
                                 false},
    [BOSC_COMPOSED_VBATCH_NCP] = {&bosc_lockstep_family, BOSC_CPU_VBATCH_NCP,
                                  false},
    [BOSC_COMPOSED_LEVELS_CP] = {&bosc_level_schedule_family, BOSC_THOMAS_CP,
                                 true},
    [BOSC_COMPOSED_LEVELS_NCP] = {&bosc_level_schedule_family, BOSC_THOMAS_NCP,
                                  true},
    [BOSC_COMPOSED_LEVELS_SLICED] = {&bosc_level_schedule_family,
                                     BOSC_THOMAS_SLICED, true},
};
static const bosc_composed_kinds kinds = {&bosc_cpu_solvers, variants};

static bosc_status make_layout(const bosc_grouping *grouping, int32_t n_neurons,
                               const int32_t *shape, const bosc_tree *trees,
                               bosc_layout *layout, bosc_error *err)
{
    return bosc_composed_lay_out(grouping, n_neurons, shape, trees, &kinds,
                                 layout, err);
}

static void group(int variant, bosc_grouping *grouping)
{
    grouping->width = 1;
    grouping->by_section = variants[variant].by_section;
    grouping->variant = variant;
    grouping->make = make_layout;
}

static int32_t composed_width(int variant)
{
    (void)variant;
    return 1;
}

static void composed_destroy(bosc_engine *engine)
{
    if (engine == NULL)
        return;
    bosc_composed_solver_clear(&engine->composed);
    bosc_cpu_clear(&engine->cpu);
    free(engine);
}

/* Does a step go slot by slot?  Where few tiles would leave threads without
 * any, as those of a layout of one group, and where padding is left out. */
static bool works_together(const bosc_engine *engine)
{
    enum { TILES = 4 }; /* of a thread, so that others may take longer */

    return engine->composed.used != NULL ||
           (engine->threads > 1 &&
            engine->cpu.n_tiles < TILES * engine->threads);
}

static bosc_status composed_create(bosc_batch *batch, int variant, int threads,
                                   bosc_engine **out, bosc_error *err)
{
    bosc_status st = bosc_isa_available(err);
    bosc_engine *engine;

    if (st != BOSC_OK)
        return st;
    engine = bosc_alloc(1, sizeof *engine);
    if (engine == NULL)
        return bosc_no_memory(err, "the composed step");
    engine->step = step_codes[bosc_isa()];
    engine->threads = threads;
    st = bosc_cpu_begin(&engine->cpu, batch, threads, err);
    if (st == BOSC_OK)
        st = bosc_composed_rows(batch, &engine->cpu.rows, err);
    if (st == BOSC_OK)
        st = bosc_composed_solver_create(batch, &kinds, variant, threads,
                                         &engine->composed, err);
    if (st != BOSC_OK) {
        composed_destroy(engine);
        return st;
    }
    if (works_together(engine))
        engine->together = together_codes[bosc_isa()];
    *out = engine;
    return BOSC_OK;
}

/* --- a step --------------------------------------------------------------- */

/* Parts of a step of all slots. */
static void go_together(bosc_engine *engine, int64_t step, int parts)
{
    bosc_cpu *cpu = &engine->cpu;
    const bosc_composed_solver *composed = &engine->composed;

#pragma omp parallel num_threads(engine->threads)
    engine->together(cpu,
                     &(bosc_cpu_team){omp_get_thread_num(),
                                      omp_get_num_threads(), composed->system.d,
                                      composed->system.b, composed->n_used,
                                      composed->used,
                                      &cpu->rec.found[omp_get_thread_num()]},
                     step, parts);
}

/* Parts of a step of all tiles. */
static void go_over(bosc_engine *engine, int64_t step, int parts)
{
    bosc_cpu *cpu = &engine->cpu;
    const ptrdiff_t *first = cpu->batch->layout.first;

    if (engine->together != NULL) {
        go_together(engine, step, parts);
        return;
    }

#pragma omp parallel for num_threads(engine->threads) schedule(dynamic)
    for (int32_t i = 0; i < cpu->n_tiles; ++i) {
        const bosc_tile *tile = &cpu->tiles[i];
        bosc_scratch scratch = {engine->composed.system.d + first[tile->g],
                                engine->composed.system.b + first[tile->g],
                                &cpu->rec.found[omp_get_thread_num()]};

        engine->step(cpu, &scratch, tile, step, parts);
    }
}

/* Voltages from the solution; by the second-order method it is that of the
 * middle of the step. */
static void take_solution(bosc_engine *engine)
{
    const bosc_batch *batch = engine->cpu.batch;
    const bool second = batch->second_order;
    const double *b = engine->composed.system.b;
    const ptrdiff_t *used = engine->composed.used;
    double *v = batch->v;

    if (used != NULL) {
#pragma omp parallel for num_threads(engine->threads) schedule(static)
        for (ptrdiff_t k = 0; k < engine->composed.n_used; ++k) {
            const ptrdiff_t i = used[k];

            v[i] = second ? 2 * b[i] - v[i] : b[i];
        }
        return;
    }
#pragma omp parallel for simd num_threads(engine->threads) schedule(static)
    for (ptrdiff_t i = 0; i < batch->layout.n_slots; ++i)
        v[i] = second ? 2 * b[i] - v[i] : b[i];
}

static bosc_status do_step(bosc_engine *engine, const bosc_step_input *steps,
                           int64_t step, bosc_error *err)
{
    double *seconds = engine->stages.seconds;
    double at[BOSC_N_STAGES + 1];
    bosc_status st;

    at[0] = bosc_now();
    go_over(engine, step, BOSC_CPU_ASSEMBLE);
    at[1] = bosc_now();
    st = bosc_cpu_solvers.enqueue(engine->composed.solver, err);
    at[2] = bosc_now();
    take_solution(engine);
    if (steps->sent != NULL)
        steps->sent(steps->what);
    if (steps->between != NULL)
        steps->between(steps->what);
    go_over(engine, step, BOSC_CPU_ADVANCE);
    go_over(engine, step, BOSC_CPU_LOOK); /* readings may be of many lanes */
    at[3] = bosc_now();
    for (int k = 0; k < BOSC_N_STAGES; ++k)
        seconds[k] += at[k + 1] - at[k];
    if (steps->poll != NULL)
        steps->poll(steps->what);
    return st;
}

static bosc_status composed_advance(bosc_engine *engine,
                                    const bosc_step_input *steps,
                                    bosc_step_output *record, bosc_error *err)
{
    bosc_step_io *rec = &engine->cpu.rec;
    const int32_t n_groups = engine->cpu.batch->layout.n_groups;
    bosc_status st = bosc_step_io_begin(rec, steps, err);

    for (int32_t g = 0; g < n_groups && st == BOSC_OK && steps->from == 0; ++g)
        bosc_step_io_frame(rec, g, 0);
    for (int64_t step = steps->from; step < steps->to && st == BOSC_OK; ++step)
        st = do_step(engine, steps, step, err);
    for (int32_t g = 0; g < n_groups && st == BOSC_OK; ++g)
        bosc_step_io_check(rec, g, rec->found);
    return st == BOSC_OK ? bosc_step_io_end(rec, record, err) : st;
}

static bosc_status composed_download(bosc_engine *engine, bosc_error *err)
{
    (void)err; /* integrated in place */
    bosc_step_io_detected(&engine->cpu.rec);
    return BOSC_OK;
}

static bosc_stages composed_stages(const bosc_engine *engine)
{
    return engine->stages;
}

const bosc_engine_ops bosc_cpu_composed_engine = {
    .width = composed_width,
    .group = group,
    .create = composed_create,
    .advance = composed_advance,
    .download = composed_download,
    .stages = composed_stages,
    .destroy = composed_destroy,
};
