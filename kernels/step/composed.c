/* composed.c - the composed step on the host: assemble, solve, update, where
 * 'solve' is any solver of trees (kernels/solve/solver.h), in its own layout.
 *
 * The batch has the slots of the solver, so the system is assembled where the
 * solver wants it, and the solution is read where it leaves it.  Assembly and
 * update are those of cpu.c.  A step is three passes over all neurons, where
 * that of cpu.c is one over each tile: this is how the papers' methods are
 * compared with each other in a whole simulation, not how to be fast.
 */
#include "kernels/step/composed.h"

#include <omp.h>
#include <stdlib.h>

#include "kernels/base/isa.h"
#include "kernels/levels/level_layout.h"
#include "kernels/solve/solver_cpu.h"
#include "kernels/step/cpu.h"
#include "kernels/step/engine.h"
#include "kernels/thomas/thomas.h"
#include "src/base/mem.h"
#include "src/base/progress.h"

struct bosc_engine {
    bosc_cpu cpu;
    bosc_cpu_step *step;
    int threads;
    bosc_systems systems; /* u is the engine's */
    bosc_solver *solver;
    bosc_solver_arrays system; /* the solver's, in the slots of the batch */
    bosc_stages stages;
};

static bosc_cpu_step *const step_codes[] = BOSC_ISA_TABLES(bosc_cpu);

/* Of a variant: its solver, and whether its lanes are sections. */
static const struct {
    const bosc_cpu_family *family;
    int variant;
    bool by_section;
} kinds[] = {
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

static bosc_solver_options options_of(const bosc_grouping *grouping)
{
    return (bosc_solver_options){.threads = grouping->threads,
                                 .block = grouping->block,
                                 .loop = true,
                                 .from_root = grouping->from_root};
}

/* --- the layout ----------------------------------------------------------- */

static bosc_status make_layout(const bosc_grouping *grouping, int32_t n_neurons,
                               const int32_t *shape, const bosc_tree *trees,
                               bosc_layout *layout, bosc_error *err)
{
    const bosc_cpu_family *family = kinds[grouping->variant].family;
    const bosc_solver_options options = options_of(grouping);
    bosc_systems systems = {
        .n_neurons = n_neurons, .shape = shape, .trees = trees};

    for (int32_t i = 0; i < n_neurons; ++i)
        if (shape[i] >= systems.n_trees)
            systems.n_trees = shape[i] + 1;
    return family->lay_out(kinds[grouping->variant].variant, &systems, &options,
                           layout, err);
}

static void group(int variant, bosc_grouping *grouping)
{
    grouping->width = 1;
    grouping->by_section = kinds[variant].by_section;
    grouping->variant = variant;
    grouping->make = make_layout;
}

static int32_t composed_width(int variant)
{
    (void)variant;
    return 1;
}

/* --- create and destroy --------------------------------------------------- */

static void composed_destroy(bosc_engine *engine)
{
    if (engine == NULL)
        return;
    bosc_cpu_solvers.destroy(engine->solver);
    free((void *)engine->systems.u);
    bosc_cpu_clear(&engine->cpu);
    free(engine);
}

/* Every row is assembled, and none is constant. */
static bosc_status assemble_all(bosc_batch *batch, bosc_rows *rows,
                                bosc_error *err)
{
    const bosc_layout *layout = &batch->layout;
    const size_t n = (size_t)layout->n_groups;
    const bosc_batch_system *system = &batch->system;

    const bosc_status st = BOSC_ALLOC(
        err, "the rows", BOSC_ARRAY(rows->first_assembled, n + 1),
        BOSC_ARRAY(rows->assembled, n), BOSC_ARRAY(rows->constant_from, n),
        BOSC_ARRAY(rows->constants, n));

    for (int32_t g = 0; st == BOSC_OK && g < layout->n_groups; ++g) {
        const ptrdiff_t at = layout->first[g];

        rows->first_assembled[g + 1] = g + 1;
        rows->assembled[g] = (bosc_row_range){0, layout->rows[g]};
        rows->constant_from[g] = layout->rows[g];
        rows->constants[g] = (bosc_constants){
            .d = system->d + at, .c = system->c + at, .e = system->e + at};
    }
    return st;
}

/* The batch's u in flat order; NULL without memory. */
static double *flat_u(const bosc_batch *batch, const bosc_systems *systems)
{
    double *u = bosc_alloc((size_t)bosc_systems_size(systems), sizeof *u);
    ptrdiff_t at = 0;

    for (int32_t k = 0; u != NULL && k < systems->n_neurons; ++k)
        for (int32_t i = 0; i < systems->trees[systems->shape[k]].n; ++i)
            u[at++] = batch->system.u[bosc_slot(&batch->layout, k, i)];
    return u;
}

/* Does the solver have the slots of the batch? */
static bool has_slots_of(const bosc_engine *engine)
{
    const bosc_batch *batch = engine->cpu.batch;
    ptrdiff_t at = 0;

    for (int32_t k = 0; k < engine->systems.n_neurons; ++k)
        for (int32_t i = 0; i < batch->trees[batch->shape[k]].n; ++i)
            if (engine->system.slot[at++] != bosc_slot(&batch->layout, k, i))
                return false;
    return engine->system.n_slots == batch->layout.n_slots;
}

static bosc_status make_solver(bosc_engine *engine, int variant,
                               bosc_error *err)
{
    const bosc_batch *batch = engine->cpu.batch;
    const bosc_layout *layout = &batch->layout;
    const bosc_solver_options options = {
        .threads = engine->threads,
        .block = layout->pieces == NULL ? layout->block : 0,
        .loop = true,
        .from_root = layout->pieces != NULL && layout->pieces->from_root};
    bosc_systems *systems = &engine->systems;
    bosc_status st;

    *systems = (bosc_systems){.n_neurons = layout->n_neurons,
                              .shape = batch->shape,
                              .n_trees = batch->n_trees,
                              .trees = batch->trees};
    systems->u = flat_u(batch, systems);
    if (systems->u == NULL)
        return bosc_no_memory(err, "a solver");
    st = bosc_cpu_solvers.create(kinds[variant].family, kinds[variant].variant,
                                 systems, &options, &engine->solver, err);
    if (st == BOSC_OK)
        st = bosc_cpu_solvers.arrays(engine->solver, &engine->system, err);
    if (st == BOSC_OK && !has_slots_of(engine))
        st = bosc_fail(err, BOSC_EINTERNAL,
                       "the solver has another layout than the batch; internal "
                       "error, please report");
    return st;
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
    engine->stages.levels =
        batch->layout.pieces != NULL ? batch->layout.pieces->n_levels : 0;
    st = bosc_cpu_begin(&engine->cpu, batch, threads, err);
    if (st == BOSC_OK)
        st = assemble_all(batch, &engine->cpu.rows, err);
    if (st == BOSC_OK)
        st = make_solver(engine, variant, err);
    if (st != BOSC_OK) {
        composed_destroy(engine);
        return st;
    }
    *out = engine;
    return BOSC_OK;
}

/* --- a step --------------------------------------------------------------- */

/* Parts of a step of all tiles. */
static void go_over(bosc_engine *engine, int64_t step, int parts)
{
    bosc_cpu *cpu = &engine->cpu;
    const ptrdiff_t *first = cpu->batch->layout.first;

#pragma omp parallel for num_threads(engine->threads) schedule(dynamic)
    for (int32_t i = 0; i < cpu->n_tiles; ++i) {
        const bosc_tile *tile = &cpu->tiles[i];
        bosc_scratch scratch = {engine->system.d + first[tile->g],
                                engine->system.b + first[tile->g],
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
    const double *b = engine->system.b;
    double *v = batch->v;

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
    st = bosc_cpu_solvers.enqueue(engine->solver, err);
    at[2] = bosc_now();
    take_solution(engine);
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

const bosc_engine_ops bosc_composed_engine = {
    .width = composed_width,
    .group = group,
    .create = composed_create,
    .advance = composed_advance,
    .download = composed_download,
    .stages = composed_stages,
    .destroy = composed_destroy,
};
