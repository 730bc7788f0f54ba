/* cpu.c - the backend cpu: threads over groups of neurons, vectors inside.
 *
 * Neurons only meet between two calls of advance.  So a thread takes one tile,
 * a group or two, and integrates it over the whole range of steps: groups of
 * some hundred rows stay in the L2 cache.  Tiles are dealt out as threads
 * become free, the longest first; no result depends on who takes which.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/backends.h"
#include "kernels/cpu.h"
#include "kernels/isa.h"
#include "src/mem.h"

/* u, d, c, e, v, and the system, of a slot. */
enum { SLOT_BYTES = 7 * sizeof(double) };

struct bosc_engine {
    bosc_cpu cpu;
    const bosc_cpu_code *code;
    int threads;
    bosc_scratch *scratch; /* [threads] */
    int32_t n_tiles;
    bosc_tile *tiles; /* [n_tiles] */
};

enum { STREAM, FLAT };

static const bosc_method methods[] = {
    [STREAM] = {"stream", "a neuron in each lane of a vector"},
    [FLAT] = {"hines-flat", "a neuron after another in each thread"},
};

static const bosc_cpu_code *const codes[] = BOSC_ISA_TABLES(bosc_cpu);

static int32_t cpu_width(int method)
{
    const int isa = bosc_isa();

    return isa >= 0 && method == STREAM ? codes[isa]->lanes : 1;
}

static int32_t parent_of(const bosc_batch *batch, int32_t neuron, int32_t i)
{
    const bosc_tree *tree =
        neuron < 0 ? NULL : &batch->trees[batch->shape[neuron]];

    /* Past a neuron's end, rows hand on their zeros like any other. */
    return tree == NULL || i >= tree->n ? i - 1 : tree->parent[i];
}

/* Bit k: lane k of row i turns. */
static uint8_t turn_mask(const bosc_batch *batch, const int32_t *neurons,
                         int32_t width, int32_t i)
{
    unsigned mask = 0;

    for (int32_t k = 0; k < width; ++k)
        if (parent_of(batch, neurons[k], i) != i - 1)
            mask |= 1u << k;
    return (uint8_t)mask;
}

/* The turns of group g; where the arrays are not there yet, only counts. */
static void make_turns(const bosc_batch *batch, int32_t g, bosc_turns *turns)
{
    const bosc_layout *layout = &batch->layout;
    const int32_t width = bosc_layout_width(layout, g);
    const int32_t rows = layout->uniform[g] ? 0 : layout->rows[g];
    const int32_t *neurons = layout->lane_neuron + layout->lane[g];
    ptrdiff_t up = turns->up_first[g];

    for (int32_t i = 0; i < rows; ++i) {
        const uint8_t mask = i == 0 ? 0 : turn_mask(batch, neurons, width, i);

        if (turns->mask != NULL)
            turns->mask[turns->mask_first[g] + i] = mask;
        if (mask == 0)
            continue;
        for (int32_t k = 0; turns->up != NULL && k < width; ++k)
            turns->up[up + k] = parent_of(batch, neurons[k], i) * width + k;
        up += width;
    }
    turns->mask_first[g + 1] = turns->mask_first[g] + rows;
    turns->up_first[g + 1] = up;
}

static bool fill_turns(const bosc_batch *batch, bosc_turns *turns)
{
    const int32_t n = batch->layout.n_groups;

    turns->mask_first = bosc_alloc((size_t)n + 1, sizeof *turns->mask_first);
    turns->up_first = bosc_alloc((size_t)n + 1, sizeof *turns->up_first);
    if (turns->mask_first == NULL || turns->up_first == NULL)
        return false;
    for (int32_t g = 0; g < n; ++g)
        make_turns(batch, g, turns);
    turns->mask = bosc_alloc((size_t)turns->mask_first[n], sizeof *turns->mask);
    turns->up = bosc_alloc((size_t)turns->up_first[n], sizeof *turns->up);
    if (turns->mask == NULL || turns->up == NULL)
        return false;
    for (int32_t g = 0; g < n; ++g)
        make_turns(batch, g, turns);
    return true;
}

static double q10_of(const bosc_batch *batch, int mech)
{
#define Q10(name)                                                              \
    if (mech == BOSC_MECH_##name)                                              \
        return bosc_##name##_q10(batch->celsius);
    BOSC_MECH_DYNAMIC(Q10)
#undef Q10
    return 1;
}

static ptrdiff_t tile_slots(const bosc_layout *layout, const bosc_tile *tile)
{
    return layout->first[tile->g + tile->n] - layout->first[tile->g];
}

/* Slots that fill half the L2 cache; 1 MB where the system does not know. */
static ptrdiff_t cached_slots(void)
{
    const long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);

    return (l2 > 0 ? l2 : 1 << 20) / 2 / SLOT_BYTES;
}

/* May the next group join that of the tile?  Not if that leaves threads without
 * work, nor if it pushes the tile out of the cache. */
static bool may_join(const bosc_engine *engine, const bosc_tile *tile,
                     ptrdiff_t fitting)
{
    const bosc_layout *layout = &engine->cpu.batch->layout;
    const int32_t g = tile->g, next = tile->g + 1;
    const bosc_tile joined = {.g = g, .n = 2};

    return next < layout->n_groups &&
           bosc_layout_width(layout, next) == bosc_layout_width(layout, g) &&
           layout->n_groups > 4 * engine->threads &&
           layout->uniform[next] == layout->uniform[g] &&
           (tile_slots(layout, &joined) <= fitting ||
            tile_slots(layout, tile) > fitting);
}

static int by_cost(const void *a, const void *b)
{
    const bosc_tile *x = a, *y = b;

    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    return (x->g > y->g) - (x->g < y->g);
}

static bool fill_tiles(bosc_engine *engine, size_t *room)
{
    const bosc_layout *layout = &engine->cpu.batch->layout;
    const ptrdiff_t fitting = cached_slots();

    engine->tiles = bosc_alloc((size_t)layout->n_groups, sizeof *engine->tiles);
    if (engine->tiles == NULL)
        return false;
    for (int32_t g = 0; g < layout->n_groups;) {
        bosc_tile tile = {.g = g, .n = 1};
        size_t slots;

        if (may_join(engine, &tile, fitting))
            ++tile.n;
        slots = (size_t)tile_slots(layout, &tile);
        *room = slots > *room ? slots : *room;
        for (; g < tile.g + tile.n; ++g)
            tile.cost +=
                bosc_layout_cost(bosc_layout_width(layout, g), layout->rows[g]);
        engine->tiles[engine->n_tiles++] = tile;
    }
    qsort(engine->tiles, (size_t)engine->n_tiles, sizeof *engine->tiles,
          by_cost);
    return true;
}

static bool fill_engine(bosc_engine *engine)
{
    const bosc_batch *batch = engine->cpu.batch;
    size_t room = 0;

    engine->scratch =
        bosc_alloc((size_t)engine->threads, sizeof *engine->scratch);
    engine->cpu.q10 =
        bosc_alloc((size_t)batch->n_blocks, sizeof *engine->cpu.q10);
    if (engine->scratch == NULL || engine->cpu.q10 == NULL ||
        !fill_turns(batch, &engine->cpu.turns) || !fill_tiles(engine, &room))
        return false;
    for (int32_t k = 0; k < batch->n_blocks; ++k)
        engine->cpu.q10[k] = q10_of(batch, batch->blocks[k].mech);
    for (int t = 0; t < engine->threads; ++t) {
        bosc_scratch *s = &engine->scratch[t];

        s->d = bosc_alloc(room, sizeof *s->d);
        s->b = bosc_alloc(room, sizeof *s->b);
        if (s->d == NULL || s->b == NULL)
            return false;
    }
    return true;
}

static void cpu_destroy(bosc_engine *engine)
{
    if (engine == NULL)
        return;
    for (int t = 0; engine->scratch != NULL && t < engine->threads; ++t) {
        free(engine->scratch[t].d);
        free(engine->scratch[t].b);
        free(engine->scratch[t].found.spikes);
    }
    free(engine->scratch);
    free(engine->tiles);
    free(engine->cpu.q10);
    free(engine->cpu.turns.mask_first);
    free(engine->cpu.turns.mask);
    free(engine->cpu.turns.up_first);
    free(engine->cpu.turns.up);
    bosc_recorder_clear(&engine->cpu.rec);
    free(engine);
}

static bosc_status cpu_create(bosc_batch *batch, int method, int threads,
                              bosc_engine **out, bosc_error *err)
{
    bosc_status st = bosc_isa_available(err);
    bosc_engine *engine;

    if (st != BOSC_OK)
        return st;
    if (batch->layout.width != cpu_width(method))
        return bosc_fail(
            err, BOSC_EVALUE, "%s wants a layout of width %d, not %d",
            methods[method].name, cpu_width(method), batch->layout.width);
    engine = bosc_alloc(1, sizeof *engine);
    if (engine == NULL)
        return bosc_fail(err, BOSC_ENOMEM, "out of memory for a backend");
    engine->code = codes[bosc_isa()];
    engine->threads = threads;
    engine->cpu.batch = batch;
    st = bosc_recorder_init(&engine->cpu.rec, batch, err);
    if (st == BOSC_OK && !fill_engine(engine))
        st = bosc_fail(err, BOSC_ENOMEM,
                       "out of memory for %d threads on %d neurons", threads,
                       batch->layout.n_neurons);
    if (st != BOSC_OK) {
        cpu_destroy(engine);
        return st;
    }
    *out = engine;
    return BOSC_OK;
}

static bosc_status cpu_advance(bosc_engine *engine, int64_t from, int64_t to,
                               bosc_record *record, bosc_error *err)
{
    bosc_cpu *cpu = &engine->cpu;
    const bosc_status st = bosc_recorder_begin(&cpu->rec, from, to, err);

    if (st != BOSC_OK)
        return st;
#pragma omp parallel for num_threads(engine->threads) schedule(dynamic)
    for (int32_t i = 0; i < engine->n_tiles; ++i) {
        const bosc_tile *tile = &engine->tiles[i];
        bosc_scratch *scratch = &engine->scratch[omp_get_thread_num()];

        for (int32_t g = tile->g; from == 0 && g < tile->g + tile->n; ++g)
            bosc_recorder_frame(&cpu->rec, g, 0);
        for (int64_t step = from; step < to; ++step)
            engine->code->step(cpu, scratch, tile, step);
        for (int32_t g = tile->g; g < tile->g + tile->n; ++g)
            bosc_recorder_check(&cpu->rec, g, &scratch->found);
    }
    for (int t = 0; t < engine->threads; ++t)
        bosc_recorder_collect(&cpu->rec, &engine->scratch[t].found);
    return bosc_recorder_end(&cpu->rec, record, err);
}

static bosc_status cpu_solve(bosc_engine *engine, const double *d,
                             const double *b, double *x, bosc_error *err)
{
    const bosc_layout *layout = &engine->cpu.batch->layout;

    (void)err;
#pragma omp parallel for num_threads(engine->threads) schedule(dynamic)
    for (int32_t i = 0; i < engine->n_tiles; ++i) {
        const bosc_tile *tile = &engine->tiles[i];
        const ptrdiff_t base = layout->first[tile->g];
        const size_t bytes = (size_t)tile_slots(layout, tile) * sizeof(double);
        bosc_scratch *scratch = &engine->scratch[omp_get_thread_num()];

        memcpy(scratch->d, d + base, bytes);
        memcpy(scratch->b, b + base, bytes);
        engine->code->solve(&engine->cpu, tile, scratch->d, scratch->b);
        memcpy(x + base, scratch->b, bytes);
    }
    return BOSC_OK;
}

static bosc_status cpu_download(bosc_engine *engine, bosc_error *err)
{
    (void)engine, (void)err; /* integrated in place */
    return BOSC_OK;
}

const bosc_backend bosc_cpu_backend = {
    .name = "cpu",
    .what = "threads and vectors",
    .n_methods = BOSC_LEN(methods),
    .methods = methods,
    .available = bosc_isa_available,
    .width = cpu_width,
    .create = cpu_create,
    .advance = cpu_advance,
    .solve = cpu_solve,
    .download = cpu_download,
    .destroy = cpu_destroy,
};
