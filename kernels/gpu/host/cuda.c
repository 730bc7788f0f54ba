/* cuda.c - the backend cuda: the whole time loop on a GPU.
 *
 * The batch is copied there once.  A range of steps is a launch for each class
 * of cell blocks and one for the groups that are streamed, or some of them
 * where spikes could fill their buffer (cuda_ranges.c); events go up before it,
 * spikes and frames come down after it.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/base/cuda.h"
#include "kernels/gpu/host/cuda_composed.h"
#include "kernels/gpu/host/cuda_engine.h"
#include "kernels/mech/builtin.h"
#include "kernels/step/composed.h"
#include "src/base/mem.h"

static int32_t cuda_width(int variant)
{
    (void)variant;
    return BOSC_CUDA_WIDTH;
}

static bosc_status check_width(int32_t width, bosc_error *err)
{
#define IS(of) width == of ||
    return BOSC_CUDA_WIDTHS(IS) false
               ? BOSC_OK
               : bosc_fail(err, BOSC_EVALUE,
                           "the engine has no groups of %d neurons", width);
#undef IS
}

/* --- create and destroy --------------------------------------------------- */

static void cuda_destroy(bosc_engine *engine)
{
    if (engine == NULL)
        return;
    for (size_t i = 0; i < engine->owned.n; ++i)
        bosc_cuda_free(engine->owned.memory[i]);
    bosc_cuda_stage_destroy(engine->stage);
    for (int i = 0; i < BOSC_PROGRAM_KERNELS; ++i)
        bosc_cuda_program_unload(engine->library[i]);
    bosc_cuda_ranges_clear(engine);
    bosc_cuda_events_clear(engine);
    bosc_chip_plan_clear(&engine->on_chip.plan);
    free(engine->owned.memory);
    free(engine->drive.links);
    bosc_cuda_boundary_clear(&engine->boundary);
    free(engine->sets);
    free(engine->state);
    free(engine->job_args);
    bosc_cuda_composed_destroy(engine->composed);
    free(engine->first_unit);
    bosc_rows_clear(&engine->rows);
    bosc_step_io_clear(&engine->rec);
    free(engine);
}

static bosc_needs needs_of(const bosc_batch *batch)
{
    bosc_needs needs = {.couplings = batch->drive != NULL,
                        .second_order = batch->second_order,
                        .epoch = batch->range,
                        .width = batch->layout.width,
                        .slots = (double)batch->layout.n_slots};

    for (int32_t m = 0; m < batch->n_blocks; ++m) {
        const bosc_mech *mech = batch->blocks[m].mech;

        needs.own_points =
            needs.own_points ||
            (mech->text != NULL &&
             (mech->kind == BOSC_MECH_POINT || !batch->program.cells));
    }
    return needs;
}

/* Plan cell blocks, if the method has them and the batch meets no limit. */
static bosc_status plan_chip(bosc_engine *engine, int variant, bosc_error *err)
{
    const bosc_needs needs = needs_of(engine->batch);

    engine->on_chip.keeps = variant == BOSC_ENGINE_CELL_BLOCKS;
    if (!engine->on_chip.keeps)
        return BOSC_OK;
    engine->on_chip.limit = bosc_limit_met(bosc_chip_limits, &needs, false);
    return engine->on_chip.limit == NULL ? bosc_cuda_plan_chip(engine, err)
                                         : BOSC_OK;
}

/* What only the device reads from now on. */
static void free_arrays(bosc_engine *engine)
{
    bosc_batch *batch = engine->batch;
    double **arrays[] = {&batch->system.u, &batch->system.d, &batch->system.c,
                         &batch->system.e};

    /* The system takes its time for many pages. */
#pragma omp parallel for
    for (size_t i = 0; i < BOSC_LEN(arrays); ++i) {
        free(*arrays[i]);
        *arrays[i] = NULL;
    }
    bosc_rows_clear(&engine->rows);
}

static bosc_status cuda_create(bosc_batch *batch, int variant, int threads,
                               bosc_engine **out, bosc_error *err)
{
    const bool composed = variant >= BOSC_ENGINE_COMPOSED;
    bosc_status st = composed ? BOSC_OK : check_width(batch->layout.width, err);
    bosc_engine *engine = NULL;

    if (st != BOSC_OK)
        return st;
    engine = bosc_alloc(1, sizeof *engine);
    if (engine == NULL)
        return bosc_no_memory(err, "the GPU engine");
    engine->batch = batch;
    engine->held_before = bosc_cuda_held_now();
    st = bosc_batch_prepare(batch, err);
    if (st == BOSC_OK)
        st = bosc_batch_skip_unused_ions(batch, err);
    if (st == BOSC_OK)
        st = bosc_step_io_init(&engine->rec, batch, 1, err);
    if (st == BOSC_OK)
        st = composed ? bosc_composed_rows(batch, &engine->rows, err)
                      : bosc_rows_create(batch, NULL, 0, threads, &engine->rows,
                                         err);
    if (st == BOSC_OK && composed)
        st = bosc_cuda_make_solver(engine, variant, threads, err);
    if (st == BOSC_OK)
        st = bosc_cuda_stage_begin(engine, err);
    if (st == BOSC_OK)
        st = plan_chip(engine, variant, err);
    if (st == BOSC_OK)
        st = bosc_cuda_bring_all(engine, err);
    bosc_cuda_stage_destroy(engine->stage);
    engine->stage = NULL;
    if (st == BOSC_OK)
        st = bosc_cuda_events_create(engine, err);
    if (st == BOSC_OK)
        st = bosc_cuda_ranges_create(engine, err);
    if (st != BOSC_OK) {
        cuda_destroy(engine);
        return st;
    }
    bosc_cuda_want_kernels(engine);
    free_arrays(engine);
    *out = engine;
    return BOSC_OK;
}

/* --- a range of steps ----------------------------------------------------- */

static bosc_status fetch_beyond(bosc_engine *engine, bosc_error *err)
{
    const bosc_layout *layout = &engine->batch->layout;
    const size_t n = (size_t)layout->lane[layout->n_groups];
    bosc_beyond *beyond = bosc_alloc(n, sizeof *beyond);
    bosc_status st;

    if (beyond == NULL)
        return bosc_no_memory(err, "what is beyond the limit");
    st =
        bosc_cuda_get(beyond, engine->step.out.beyond, n * sizeof *beyond, err);
    for (size_t i = 0; i < n && st == BOSC_OK; ++i)
        if (beyond[i].step > 0)
            bosc_step_io_note(&engine->rec, beyond[i], engine->rec.found);
    free(beyond);
    return st;
}

static bosc_status cuda_download(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    bosc_status st;

    if (engine->progress.n_launched > engine->progress.n_ended)
        return bosc_fail(err, BOSC_EINTERNAL,
                         "the GPU computes steps after those asked for; "
                         "internal error, please report");
    st = bosc_cuda_get(batch->v, engine->step.v,
                       (size_t)batch->layout.n_slots * sizeof *batch->v, err);
    for (int32_t m = 0; m < batch->n_blocks; ++m) {
        const bosc_mech_block *block = &batch->blocks[m];

        for (int j = 0; j < block->mech->n_states && st == BOSC_OK; ++j)
            st = bosc_cuda_get(block->state[j], engine->state[m] + j * block->n,
                               (size_t)block->n * sizeof(double), err);
    }
    if (st == BOSC_OK)
        st = bosc_cuda_get(
            engine->rec.above, engine->step.detectors.above,
            (size_t)batch->n_detectors * sizeof *engine->rec.above, err);
    if (st == BOSC_OK)
        bosc_step_io_detected(&engine->rec);
    return st == BOSC_OK ? bosc_cuda_get_self(engine, err) : st;
}

/* What a set has recorded in a range. */
static bosc_status fetch_values(bosc_engine *engine, double *to,
                                const double *from, size_t bytes,
                                bosc_error *err)
{
    enum { LARGE = 1 << 22 };

    return bytes < LARGE ? bosc_cuda_copy_queue_get(engine->progress.copies, to,
                                                    from, bytes, err)
                         : bosc_cuda_get_large(engine, to, from, bytes, err);
}

/* What a range has given. */
static bosc_status finish(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const bosc_cuda_range *range =
        &engine->progress.ranges[engine->progress.range];
    const bosc_cuda_found *there = &engine->progress.found;
    bosc_findings *found = engine->rec.found;
    bosc_status st = BOSC_OK;

    for (int32_t k = 0; k < batch->n_sets && st == BOSC_OK; ++k) {
        const bosc_cuda_set *set = (bosc_cuda_set *)range->sets.host + k;

        st = fetch_values(engine, engine->rec.values[k],
                          set->n_sums > 0 ? set->addends : set->values,
                          (size_t)(engine->rec.n_frames[k] *
                                   bosc_reading_given(&batch->sets[k])) *
                              sizeof(double),
                          err);
    }
    if (st == BOSC_OK && there->beyond != 0)
        st = fetch_beyond(engine, err);
    found->not_finite = there->broken != 0;
    if (there->broken != 0)
        found->broken = (int32_t)(BOSC_CUDA_BROKEN - there->broken) + 1;
    found->lost_event |= there->lost_event != 0;
    found->crowded |= there->crowded != 0;
    if (st == BOSC_OK && there->no_room != 0)
        st = bosc_fail(err, BOSC_ENOSUP,
                       "mechanisms of a neuron have more events to themselves "
                       "on their way than a GPU has room for; use backend cpu");
    return st;
}

static bosc_status cuda_advance(bosc_engine *engine,
                                const bosc_step_input *steps,
                                bosc_step_output *record, bosc_error *err)
{
    bosc_status st = bosc_step_io_begin(&engine->rec, steps, err);

    if (st == BOSC_OK)
        st = bosc_cuda_take_arrived(engine, err);
    if (st == BOSC_OK)
        st = bosc_cuda_range_run(engine, steps, err);
    if (st == BOSC_OK)
        st = finish(engine, err);
    if (st != BOSC_OK)
        return st;
    return bosc_step_io_end(&engine->rec, record, err);
}

static int64_t cuda_device_bytes(const bosc_engine *engine)
{
    return bosc_cuda_held_most() - engine->held_before;
}

static double cuda_device_seconds(const bosc_engine *engine)
{
    return engine->progress.device_seconds;
}

static bosc_streamed cuda_streamed(const bosc_engine *engine)
{
    const int32_t n = engine->batch->layout.n_neurons;
    bosc_streamed streamed = {.of = n};

    if (!engine->on_chip.keeps)
        return streamed;
    for (int32_t i = 0; i < n; ++i)
        streamed.n +=
            engine->on_chip.plan.n == 0 || engine->on_chip.plan.where[i] < 0;
    if (streamed.n > 0)
        streamed.limit = engine->on_chip.limit != NULL
                             ? engine->on_chip.limit
                             : engine->on_chip.plan.limit;
    return streamed;
}

const bosc_engine_ops bosc_cuda_engine = {
    .width = cuda_width,
    .group = bosc_cuda_group_neurons,
    .create = cuda_create,
    .load = bosc_cuda_load_kernels,
    .advance = cuda_advance,
    .expect = bosc_cuda_expect,
    .voltages = bosc_cuda_voltages,
    .download = cuda_download,
    .device_bytes = cuda_device_bytes,
    .device_seconds = cuda_device_seconds,
    .stages = bosc_cuda_stages,
    .streamed = cuda_streamed,
    .destroy = cuda_destroy,
};
