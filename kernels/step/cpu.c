/* cpu.c - the backend cpu: threads over groups of neurons, vectors inside.
 *
 * Neurons only meet between two calls of advance.  So a thread takes one tile,
 * some groups, and integrates it over the whole range of steps: groups of some
 * hundred rows stay in the L2 cache.  Tiles are dealt out as threads
 * become free, the longest first; no result depends on who takes which.
 *
 * Where other ranks wait for voltages (bosc_step_input.sent), the tiles that
 * have them come first, and their states last: all else is computed while the
 * messages travel.
 */
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/isa.h"
#include "kernels/step/cpu.h"
#include "kernels/step/engine.h"
#include "src/base/mem.h"

struct bosc_engine {
    bosc_cpu cpu;
    bosc_cpu_step *step;
    int threads;
    bosc_scratch *scratch; /* [threads] */
};

static bosc_cpu_step *const step_codes[] = BOSC_ISA_TABLES(bosc_cpu);
static const bosc_dfs_codes *const codes[] = BOSC_ISA_TABLES(bosc_dfs);

static int32_t cpu_width(int variant)
{
    const int isa = bosc_isa();

    return isa >= 0 && variant == BOSC_ENGINE_DEPTH_FIRST
               ? codes[isa]->of[0].lanes
               : 1;
}

/* Slots of the largest tile. */
static size_t room_for(const bosc_engine *engine)
{
    const bosc_layout *layout = &engine->cpu.batch->layout;
    ptrdiff_t room = 0;

    for (int32_t i = 0; i < engine->cpu.n_tiles; ++i) {
        const ptrdiff_t slots = bosc_tile_slots(layout, &engine->cpu.tiles[i]);

        room = slots > room ? slots : room;
    }
    return (size_t)room;
}

/* What a slot takes of a cache, with what mechanisms that are not plain keep
 * there. */
static size_t slot_bytes(const bosc_batch *batch)
{
    double bytes = 0;

    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        const bosc_mech_block *block = &batch->blocks[b];

        if (!block->mech->plain)
            bytes +=
                (double)block->n * (double)bosc_block_bytes(block->mech, 0);
    }
    return BOSC_STEP_BYTES + (size_t)(bytes / (double)batch->layout.n_slots);
}

/* Tiles, and the chunks of their instances; false without memory. */
static bool make_tiles(bosc_cpu *cpu, int threads)
{
    const bosc_batch *batch = cpu->batch;

    cpu->chunks = bosc_alloc((size_t)batch->n_blocks, sizeof *cpu->chunks);
    if (cpu->chunks == NULL ||
        !bosc_tiles_create(&batch->layout, threads, slot_bytes(batch),
                           &cpu->tiles, &cpu->n_tiles) ||
        (batch->drive != NULL &&
         !bosc_tiles_put_first(&batch->layout, batch->drive->n_sent,
                               batch->drive->sent, cpu->tiles, cpu->n_tiles,
                               &cpu->n_sending)) ||
        !bosc_cpu_spans_create(batch, cpu->tiles, cpu->n_tiles, &cpu->span_end))
        return false;
    for (int m = 0; m < batch->n_blocks; ++m)
        if (!bosc_cpu_chunks_create(batch, m, cpu->span_end, &cpu->chunks[m]))
            return false;
    bosc_cpu_chunks_join(batch, cpu->chunks);
    return true;
}

bosc_status bosc_cpu_begin(bosc_cpu *cpu, bosc_batch *batch, int threads,
                           bosc_error *err)
{
    bosc_status st = bosc_batch_prepare(batch, err);

    cpu->batch = batch;
    cpu->isa = bosc_isa();
    cpu->pairs = bosc_isa_pairs();
    if (st == BOSC_OK)
        st = bosc_batch_skip_unused_ions(batch, err);
    if (st == BOSC_OK)
        st = bosc_step_io_init(&cpu->rec, batch, threads, err);
    if (st == BOSC_OK && !make_tiles(cpu, threads))
        st = bosc_fail(err, BOSC_ENOMEM,
                       "out of memory for %d threads on %d neurons", threads,
                       batch->layout.n_neurons);
    return st;
}

void bosc_cpu_clear(bosc_cpu *cpu)
{
    for (int m = 0; cpu->chunks != NULL && m < cpu->batch->n_blocks; ++m)
        bosc_cpu_chunks_clear(&cpu->chunks[m]);
    free(cpu->chunks);
    free(cpu->span_end);
    free(cpu->tiles);
    bosc_dfs_plan_clear(&cpu->plan);
    bosc_rows_clear(&cpu->rows);
    bosc_step_io_clear(&cpu->rec);
}

/* The systems of tiles; false without memory. */
static bool make_scratch(bosc_engine *engine)
{
    const size_t room = room_for(engine);

    engine->scratch =
        bosc_alloc((size_t)engine->threads, sizeof *engine->scratch);
    for (int t = 0; engine->scratch != NULL && t < engine->threads; ++t) {
        bosc_scratch *s = &engine->scratch[t];

        s->d = bosc_alloc(room, sizeof *s->d);
        s->b = bosc_alloc(room, sizeof *s->b);
        s->found = &engine->cpu.rec.found[t];
        if (s->d == NULL || s->b == NULL)
            return false;
    }
    return engine->scratch != NULL;
}

double bosc_cpu_bytes(int threads, double tile_slots)
{
    const bosc_scratch s = {0};

    return threads * tile_slots * (sizeof *s.d + sizeof *s.b);
}

static void cpu_destroy(bosc_engine *engine)
{
    if (engine == NULL)
        return;
    for (int t = 0; engine->scratch != NULL && t < engine->threads; ++t) {
        free(engine->scratch[t].d);
        free(engine->scratch[t].b);
    }
    free(engine->scratch);
    bosc_cpu_clear(&engine->cpu);
    free(engine);
}

static bosc_status set_up(bosc_engine *engine, bosc_batch *batch,
                          bosc_error *err)
{
    bosc_cpu *cpu = &engine->cpu;
    bosc_status st = bosc_cpu_begin(cpu, batch, engine->threads, err);

    if (st == BOSC_OK)
        st = bosc_dfs_plan_create(&batch->layout, batch->shape, batch->trees,
                                  &cpu->plan, err);
    if (st == BOSC_OK && !make_scratch(engine))
        st = bosc_no_memory(err, "the systems of threads");
    if (st == BOSC_OK)
        st = bosc_rows_create(batch, cpu->tiles, cpu->n_tiles, engine->threads,
                              &cpu->rows, err);
    return st;
}

static bosc_status cpu_create(bosc_batch *batch, int variant, int threads,
                              bosc_engine **out, bosc_error *err)
{
    bosc_status st = bosc_isa_available(err);
    bosc_engine *engine;

    if (st != BOSC_OK)
        return st;
    if (batch->layout.width != cpu_width(variant))
        return bosc_fail(err, BOSC_EVALUE,
                         "the engine needs a layout of width %d, not %d",
                         cpu_width(variant), batch->layout.width);
    engine = bosc_alloc(1, sizeof *engine);
    if (engine == NULL)
        return bosc_fail(err, BOSC_ENOMEM, "out of memory for backend cpu");
    engine->step = step_codes[bosc_isa()];
    engine->threads = threads;
    st = set_up(engine, batch, err);
    if (st != BOSC_OK) {
        cpu_destroy(engine);
        return st;
    }
    *out = engine;
    return BOSC_OK;
}

static void advance_tile(bosc_engine *engine, const bosc_tile *tile,
                         const bosc_step_input *steps, int parts)
{
    const bool begins = (parts & BOSC_CPU_VOLTAGES) != 0 && steps->from == 0;
    const bool ends = (parts & BOSC_CPU_STATES) != 0;
    bosc_cpu *cpu = &engine->cpu;
    bosc_scratch *scratch = &engine->scratch[omp_get_thread_num()];

    for (int32_t g = tile->g; begins && g < tile->g + tile->n; ++g)
        bosc_step_io_frame(&cpu->rec, g, 0);
    for (int64_t step = steps->from; step < steps->to; ++step)
        engine->step(cpu, scratch, tile, step, parts);
    for (int32_t g = tile->g; ends && g < tile->g + tile->n; ++g)
        bosc_step_io_check(&cpu->rec, g, scratch->found);
}

/* All tiles, of the first n_split the voltages alone.  'sent' is called as soon
 * as the tiles that send have theirs. */
static void advance_tiles(bosc_engine *engine, const bosc_step_input *steps,
                          int32_t n_split)
{
    atomic_int left =
        engine->cpu.n_sending; /* tiles that send, not yet ready */
    bool sent = steps->sent == NULL;

    if (!sent && engine->cpu.n_sending == 0) {
        steps->sent(steps->what);
        sent = true;
    }
#pragma omp parallel for num_threads(engine->threads) schedule(monotonic       \
                                                               : dynamic)
    for (int32_t i = 0; i < engine->cpu.n_tiles; ++i) {
        advance_tile(engine, &engine->cpu.tiles[i], steps,
                     i < n_split ? BOSC_CPU_VOLTAGES
                                 : BOSC_CPU_VOLTAGES | BOSC_CPU_STATES);
        if (i < engine->cpu.n_sending)
            atomic_fetch_sub(&left, 1);
        if (omp_get_thread_num() != 0)
            continue;
        if (!sent && atomic_load(&left) == 0) {
            steps->sent(steps->what);
            sent = true;
        }
        if (steps->poll != NULL)
            steps->poll(steps->what);
    }
    if (!sent) /* the last of them was another thread's */
        steps->sent(steps->what);
}

/* The states of the first n_split tiles. */
static void advance_states(bosc_engine *engine, const bosc_step_input *steps,
                           int32_t n_split)
{
#pragma omp parallel for num_threads(engine->threads) schedule(dynamic)
    for (int32_t i = 0; i < n_split; ++i) {
        advance_tile(engine, &engine->cpu.tiles[i], steps, BOSC_CPU_STATES);
        if (steps->poll != NULL && omp_get_thread_num() == 0)
            steps->poll(steps->what);
    }
}

static bosc_status cpu_advance(bosc_engine *engine,
                               const bosc_step_input *steps,
                               bosc_step_output *record, bosc_error *err)
{
    bosc_cpu *cpu = &engine->cpu;
    const int32_t n_split = steps->between != NULL ? engine->cpu.n_tiles
                            : steps->sent != NULL  ? engine->cpu.n_sending
                                                   : 0;
    const bosc_status st = bosc_step_io_begin(&cpu->rec, steps, err);

    if (st != BOSC_OK)
        return st;
    advance_tiles(engine, steps, n_split);
    if (steps->between != NULL)
        steps->between(steps->what);
    if (n_split > 0)
        advance_states(engine, steps, n_split);
    return bosc_step_io_end(&cpu->rec, record, err);
}

static bosc_status cpu_download(bosc_engine *engine, bosc_error *err)
{
    (void)err; /* integrated in place */
    bosc_step_io_detected(&engine->cpu.rec);
    return BOSC_OK;
}

const bosc_engine_ops bosc_cpu_engine = {
    .width = cpu_width,
    .create = cpu_create,
    .advance = cpu_advance,
    .download = cpu_download,
    .destroy = cpu_destroy,
};
