/* cuda_composed.c - composed steps on a GPU: the parts of cuda_composed.cu, and
 * between them a solver of trees in its own layout, which is the batch's.
 */
#include "kernels/gpu/host/cuda_composed.h"

#include <stdlib.h>

#include "kernels/solve/solver_cuda.h"
#include "kernels/step/composed.h"
#include "kernels/thomas/thomas.h"
#include "src/base/mem.h"

/* The solver of each variant of BOSC_COMPOSED_... */
static const bosc_composed_kind variants[BOSC_COMPOSED_KINDS] = {
    [BOSC_COMPOSED_FLAT] = {&bosc_cuda_hines, BOSC_CUDA_FLAT, false},
    [BOSC_COMPOSED_INTERLEAVED] = {&bosc_cuda_hines, BOSC_CUDA_INTERLEAVED,
                                   false},
    [BOSC_COMPOSED_BLOCK] = {&bosc_cuda_hines, BOSC_CUDA_BLOCK, false},
    [BOSC_COMPOSED_BLOCK_SHARED] = {&bosc_cuda_hines, BOSC_CUDA_BLOCK_SHARED,
                                    false},
    [BOSC_COMPOSED_VBATCH_CP] = {&bosc_cuda_hines, BOSC_CUDA_VBATCH_CP, false},
    [BOSC_COMPOSED_VBATCH_NCP] = {&bosc_cuda_hines, BOSC_CUDA_VBATCH_NCP,
                                  false},
    [BOSC_COMPOSED_LEVELS_CP] = {&bosc_cuda_levels, BOSC_THOMAS_CP, true},
    [BOSC_COMPOSED_LEVELS_NCP] = {&bosc_cuda_levels, BOSC_THOMAS_NCP, true},
    [BOSC_COMPOSED_LEVELS_SLICED] = {&bosc_cuda_levels, BOSC_THOMAS_SLICED,
                                     true},
    [BOSC_COMPOSED_CYCLIC] = {&bosc_cuda_cyclic, 0, false},
};
static const bosc_composed_kinds kinds = {&bosc_cuda_solvers, variants};

static bosc_status make_layout(const bosc_grouping *grouping, int32_t n_neurons,
                               const int32_t *shape, const bosc_tree *trees,
                               bosc_layout *layout, bosc_error *err)
{
    return bosc_composed_lay_out(grouping, n_neurons, shape, trees, &kinds,
                                 layout, err);
}

void bosc_cuda_group_neurons(int variant, bosc_grouping *grouping)
{
    grouping->cells = variant == BOSC_ENGINE_CELL_BLOCKS;
    if (variant < BOSC_ENGINE_COMPOSED)
        return;
    grouping->variant = variant - BOSC_ENGINE_COMPOSED;
    grouping->by_section = variants[grouping->variant].by_section;
    grouping->make = make_layout;
}

/* --- create --------------------------------------------------------------- */

bosc_status bosc_cuda_make_solver(bosc_engine *engine, int variant, int threads,
                                  bosc_error *err)
{
    bosc_status st;

    engine->composed = bosc_alloc(1, sizeof *engine->composed);
    if (engine->composed == NULL)
        return bosc_no_memory(err, "a solver");
    st = bosc_composed_solver_create(engine->batch, &kinds,
                                     variant - BOSC_ENGINE_COMPOSED, threads,
                                     engine->composed, err);
    engine->step.d = engine->composed->system.d;
    engine->step.b = engine->composed->system.b;
    return st;
}

void bosc_cuda_composed_destroy(bosc_composed_solver *composed)
{
    if (composed != NULL)
        bosc_composed_solver_clear(composed);
    free(composed);
}

/* Warps for each group: so many that the device is full, and each has some rows
 * of 32 slots. */
int32_t bosc_cuda_composed_team(const bosc_batch *batch)
{
    enum { WARPS = 32, ROWS = 2 }; /* of a multiprocessor; of a warp */
    const bosc_layout *layout = &batch->layout;
    const int64_t wanted = (int64_t)bosc_cuda_processors() * WARPS /
                           (layout->n_groups > 0 ? layout->n_groups : 1);
    int64_t most = 0;

    for (int32_t g = 0; g < layout->n_groups; ++g)
        if (bosc_cuda_rows(layout, g) > most)
            most = bosc_cuda_rows(layout, g);
    most /= ROWS;

    const int64_t team = wanted < most ? wanted : most;

    return team > 1 ? (int32_t)team : 1;
}

static int32_t count_units(const bosc_layout *layout)
{
    int32_t n = 0;

    for (int32_t g = 0; g < layout->n_groups; ++g)
        n += (bosc_layout_width(layout, g) + BOSC_CUDA_WIDTH - 1) /
             BOSC_CUDA_WIDTH;
    return n;
}

int32_t bosc_cuda_units(const bosc_engine *engine)
{
    return engine->composed != NULL ? engine->step.composed.n_units
                                    : engine->batch->layout.n_groups;
}

bosc_status bosc_cuda_bring_composed(bosc_engine *engine, bosc_error *err)
{
    const bosc_layout *layout = &engine->batch->layout;
    const bosc_injected *drive = engine->batch->drive;
    const size_t lanes = (size_t)layout->lane[layout->n_groups];
    const uint64_t none[BOSC_N_STAGES + 1] = {0};
    bosc_cuda_composed *to = &engine->step.composed;
    bosc_cuda_unit *units;
    int32_t n = 0;
    bosc_status st;

    to->n_units = count_units(layout);
    to->n_push = drive != NULL ? drive->first[layout->n_groups] : 0;
    if (!BOSC_ARRAYS(BOSC_ARRAY(units, to->n_units),
                     BOSC_ARRAY(engine->first_unit, layout->n_groups))) {
        free(units);
        return bosc_no_memory(err, "GPU groups");
    }
    for (int32_t g = 0; g < layout->n_groups; ++g) {
        engine->first_unit[g] = n;
        for (int32_t from = 0; from < bosc_layout_width(layout, g);
             from += BOSC_CUDA_WIDTH)
            units[n++] = (bosc_cuda_unit){g, from};
    }
    st = BOSC_BRING(engine, err, {&to->units, units, (size_t)n, sizeof *units},
                    {&to->spent, none, BOSC_N_STAGES + 1, sizeof *none});
    if (st == BOSC_OK && layout->pieces != NULL)
        st = BOSC_BRING(engine, err,
                        {&to->lane_from, layout->pieces->lane_from, lanes,
                         sizeof *layout->pieces->lane_from});
    if (st == BOSC_OK && engine->composed->used != NULL) {
        to->n_used = engine->composed->n_used;
        st = BOSC_BRING(engine, err,
                        {&to->used, engine->composed->used, (size_t)to->n_used,
                         sizeof *to->used});
    }
    free(units);
    return st;
}

/* --- steps ---------------------------------------------------------------- */

/* The parts of a step before the solver, those that have something to do. */
static bosc_status assemble(bosc_engine *engine, int64_t step, bosc_error *err)
{
    bosc_cuda_step *s = &engine->step;
    const bool delivers = s->events.first != NULL || s->self.first != NULL;
    const struct {
        bosc_cuda_part part;
        bool busy;
    } parts[] = {
        {BOSC_CUDA_DETECT, engine->batch->n_detectors > 0},
        {BOSC_CUDA_DELIVER, delivers},
        {BOSC_CUDA_ASSEMBLE, true},
        {BOSC_CUDA_CURRENTS, s->n_blocks > 0},
        {BOSC_CUDA_INJECT, s->composed.n_push > 0},
    };
    bosc_status st = bosc_cuda_stage_note(s, BOSC_STAGE_ASSEMBLE, err);

    for (size_t i = 0; i < BOSC_LEN(parts) && st == BOSC_OK; ++i)
        if (parts[i].busy)
            st = bosc_cuda_part_run(s, parts[i].part, step, err);
    return st;
}

/* Does a set have a frame when a step ends? */
static bool records(const bosc_engine *engine, int64_t step)
{
    for (int32_t k = 0; k < engine->batch->n_sets; ++k)
        if (bosc_frame_falls(&engine->sets[k].at, step + 1))
            return true;
    return false;
}

/* The voltages that other ranks wait for. */
static bosc_status take_boundary(bosc_engine *engine, bosc_error *err)
{
    bosc_cuda_timer *taken = engine->boundary.taken;
    bosc_status st = bosc_cuda_timer_start(taken, NULL, err);

    if (st == BOSC_OK)
        st = bosc_cuda_drive_take(&engine->drive, NULL, engine->step.v, err);
    return st == BOSC_OK ? bosc_cuda_timer_stop(taken, NULL, err) : st;
}

/* Those after it. */
static bosc_status update(bosc_engine *engine, int64_t step, bosc_error *err)
{
    bosc_cuda_step *s = &engine->step;
    const bool watches = s->watch_every > 0 && (step + 1) % s->watch_every == 0;
    bosc_status st = bosc_cuda_part_run(s, BOSC_CUDA_TAKE, step, err);

    if (st == BOSC_OK && engine->boundary.wanted)
        st = take_boundary(engine, err);
    if (st == BOSC_OK && s->n_blocks > 0)
        st = bosc_cuda_part_run(s, BOSC_CUDA_STATES, step, err);
    if (st == BOSC_OK && records(engine, step))
        st = bosc_cuda_part_run(s, BOSC_CUDA_RECORD, step, err);
    if (st == BOSC_OK && watches)
        st = bosc_cuda_part_run(s, BOSC_CUDA_WATCH, step, err);
    return st;
}

static bosc_status do_step(bosc_engine *engine, int64_t step, bosc_error *err)
{
    bosc_cuda_step *s = &engine->step;
    bosc_status st = BOSC_OK;

    if (engine->batch->drive != NULL)
        st = bosc_cuda_drive_run(&engine->drive, s->v, s->driven.push, err);
    if (st == BOSC_OK)
        st = assemble(engine, step, err);
    if (st == BOSC_OK)
        st = bosc_cuda_stage_note(s, BOSC_STAGE_SOLVE, err);
    if (st == BOSC_OK)
        st = bosc_cuda_solvers.enqueue(engine->composed->solver, err);
    if (st == BOSC_OK)
        st = bosc_cuda_stage_note(s, BOSC_STAGE_UPDATE, err);
    if (st == BOSC_OK)
        st = update(engine, step, err);
    return st == BOSC_OK ? bosc_cuda_stage_note(s, BOSC_N_STAGES, err) : st;
}

bosc_status bosc_cuda_composed_run(bosc_engine *engine, int64_t from,
                                   int64_t to, bool last, bosc_error *err)
{
    bosc_cuda_step *s = &engine->step;
    bosc_status st = BOSC_OK;

    if (s->n_groups == 0)
        return BOSC_OK;
    if (from == 0)
        st = bosc_cuda_part_run(s, BOSC_CUDA_RECORD, -1, err);
    for (int64_t step = from; step < to && st == BOSC_OK; ++step)
        st = do_step(engine, step, err);
    return st == BOSC_OK && last && s->events.first != NULL
               ? bosc_cuda_part_run(s, BOSC_CUDA_END, to, err)
               : st;
}

bosc_stages bosc_cuda_stages(const bosc_engine *engine)
{
    bosc_stages stages = {{0}};
    uint64_t spent[BOSC_N_STAGES] = {0};

    if (engine->composed != NULL &&
        bosc_cuda_get(spent, engine->step.composed.spent, sizeof spent, NULL) ==
            BOSC_OK)
        for (int k = 0; k < BOSC_N_STAGES; ++k)
            stages.seconds[k] = 1e-9 * (double)spent[k];
    return stages;
}
