/* cuda_chip_batch.c - cell blocks and their readings, brought to a GPU. */
#include <stdlib.h>
#include <string.h>

#include "kernels/base/cuda.h"
#include "kernels/gpu/host/cuda_engine.h"
#include "src/base/mem.h"

/* --- cell blocks ---------------------------------------------------------- */

bosc_status bosc_cuda_plan_chip(bosc_engine *engine, bosc_error *err)
{
    bosc_chip_plan *plan = &engine->on_chip.plan;
    bosc_chip_class classes[BOSC_CHIP_CLASSES];
    bosc_cuda_store *store = NULL;
    bosc_chip_store as;
    bosc_status st = bosc_cuda_store_create(engine, &store, &as, err);

    if (st != BOSC_OK)
        return st;
    bosc_cuda_chip_classes(engine->batch->n_blocks, classes);
    st = bosc_chip_plan_create(
        &(bosc_chip_plan_input){engine->batch, &engine->rows, &engine->rec,
                                classes, &as},
        plan, err);
    st = bosc_cuda_store_end(store, st, err);
    for (int32_t i = 0; i < plan->n && st == BOSC_OK; ++i)
        plan->cells[i].block.image =
            bosc_cuda_store_find(store, &plan->cells[i]);
    bosc_cuda_store_destroy(store);
    return st;
}

static bosc_status bring_cells(bosc_engine *engine, bosc_error *err)
{
    bosc_chip_plan *plan = &engine->on_chip.plan;
    bosc_chip_block *blocks = bosc_alloc((size_t)plan->n, sizeof *blocks);
    bosc_status st;

    if (blocks == NULL)
        return bosc_no_memory(err, "neurons on the chip");
    for (int32_t i = 0; i < plan->n; ++i)
        blocks[i] = plan->cells[i].block;
    st = BOSC_BRING(engine, err,
                    {&engine->on_chip.chip.blocks, blocks, (size_t)plan->n,
                     sizeof *blocks});
    free(blocks);
    free(plan->cells);
    plan->cells = NULL;
    return st;
}

/* The groups that stay off the chip. */
static bosc_status bring_off(bosc_engine *engine, bosc_error *err)
{
    const int32_t n_groups = engine->batch->layout.n_groups;
    int32_t *off = bosc_alloc((size_t)n_groups, sizeof *off), n = 0;
    bosc_status st;

    if (off == NULL)
        return bosc_no_memory(err, "neurons off the chip");
    for (int32_t g = 0; g < n_groups; ++g)
        if (bosc_cuda_streams(engine, g))
            off[n++] = g;
    st =
        BOSC_BRING(engine, err,
                   {&engine->step.streamed.group, off, (size_t)n, sizeof *off});
    free(off);
    return st;
}

static bosc_status bring_done(bosc_engine *engine, bosc_error *err)
{
    const size_t n = (size_t)engine->on_chip.plan.n;
    uint32_t *none = bosc_alloc(n, sizeof *none);
    bosc_status st;

    if (none == NULL)
        return bosc_no_memory(err, "neurons on the chip");
    st = BOSC_BRING(engine, err,
                    {&engine->on_chip.chip.done, none, n, sizeof *none});
    free(none);
    return st;
}

/* Which of n <= 32 slots have no membrane, by their c. */
static uint32_t bare_of(const double *c, ptrdiff_t n)
{
    uint32_t bare = 0;

    for (ptrdiff_t i = 0; i < n; ++i)
        bare |= (uint32_t) !(c[i] > 0) << i;
    return bare;
}

/* The same of all slots. */
static bosc_status bring_bare(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const ptrdiff_t n = batch->layout.n_slots, words = (n + 31) / 32;
    uint32_t *bare = bosc_alloc((size_t)words, sizeof *bare);
    bosc_status st;

    if (bare == NULL)
        return bosc_no_memory(err, "neurons on the chip");
#pragma omp parallel for schedule(static)
    for (ptrdiff_t w = 0; w < words; ++w)
        bare[w] = bare_of(batch->system.c + 32 * w,
                          n - 32 * w < 32 ? n - 32 * w : 32);
    st = BOSC_BRING(engine, err,
                    {&engine->step.bare, bare, (size_t)words, sizeof *bare});
    free(bare);
    return st;
}

/* --- readings ------------------------------------------------------------- */

/* The cell block of reading i of a set; -1: off the chip. */
static int32_t find_cells(const bosc_engine *engine,
                          const bosc_reading_set *set, ptrdiff_t i)
{
    const bosc_batch *batch = engine->batch;
    const bosc_layout *layout = &batch->layout;
    const int32_t g = set->group[i], width = bosc_layout_width(layout, g);
    const bosc_term term = set->term[bosc_reading_first(set, i)];
    const int32_t lane = bosc_term_slot(batch, g, term) % width;

    return engine->on_chip.plan.where[bosc_layout_neuron(layout, g, lane)];
}

/* The address of term t of set k in its cell block. */
static uint32_t find_term(const bosc_engine *engine, int32_t k, ptrdiff_t t)
{
    const bosc_term term = engine->batch->sets[k].term[t];
    const bosc_array_state state =
        bosc_batch_array_state(engine->batch, term.array);

    if (state.block < 0)
        return engine->on_chip.plan.term[k][t];

    const bosc_mech *mech = engine->batch->blocks[state.block].mech;

    return mech->kind == BOSC_MECH_ION ||
                   bosc_cuda_is_job_density(engine->batch, mech)
               ? BOSC_CHIP_ELSEWHERE
               : engine->on_chip.plan.state[state.block][term.at] +
                     (uint32_t)state.state;
}

/* The addresses of the terms of a set of sums. */
static bosc_status bring_terms(bosc_engine *engine, int32_t k,
                               bosc_cuda_chip_set *to, bosc_error *err)
{
    const bosc_reading_set *set = &engine->batch->sets[k];
    const size_t n = (size_t)bosc_reading_terms(set);
    uint32_t *term = bosc_alloc(n, sizeof *term);
    bosc_status st;

    if (term == NULL)
        return bosc_no_memory(err, "probes");
    for (ptrdiff_t i = 0; i < set->n; i += set->width)
        for (ptrdiff_t t = bosc_reading_first(set, i);
             t < bosc_reading_first(set, i + set->width) &&
             find_cells(engine, set, i) >= 0;
             ++t)
            term[t] = find_term(engine, k, t);
    st = BOSC_BRING(engine, err, {&to->term, term, n, sizeof *term});
    free(term);
    return st;
}

static bosc_status bring_set(bosc_engine *engine, int32_t k,
                             bosc_cuda_chip_set *to, bosc_error *err)
{
    const bosc_reading_set *set = &engine->batch->sets[k];
    const size_t n = (size_t)engine->on_chip.plan.n;
    ptrdiff_t *first = NULL;
    bosc_chip_reading *reading = NULL;
    bosc_status st = BOSC_ALLOC(err, "probes", BOSC_ARRAY(first, n + 2),
                                BOSC_ARRAY(reading, set->n));

    if (st == BOSC_OK) {
        for (ptrdiff_t i = 0; i < set->n; ++i) {
            const int32_t cells = find_cells(engine, set, i);

            if (cells >= 0)
                ++first[cells + 2];
        }
        for (size_t i = 2; i < n + 2; ++i)
            first[i] += first[i - 1];
        for (ptrdiff_t i = 0; i < set->n; ++i) {
            const int32_t cells = find_cells(engine, set, i);

            if (cells >= 0)
                reading[first[cells + 1]++] = (bosc_chip_reading){
                    .value = (uint32_t)i,
                    .at = set->first == NULL ? find_term(engine, k, i) : 0};
        }
        st = BOSC_BRING(
            engine, err, {&to->first, first, n + 1, sizeof *first},
            {&to->reading, reading, (size_t)set->n, sizeof *reading});
    }
    free(first);
    free(reading);
    return st == BOSC_OK && set->first != NULL ? bring_terms(engine, k, to, err)
                                               : st;
}

static bosc_status bring_sets(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    bosc_cuda_chip_set *sets = bosc_alloc((size_t)batch->n_sets, sizeof *sets);
    bosc_status st = sets == NULL ? bosc_no_memory(err, "probes") : BOSC_OK;

    for (int32_t k = 0; k < batch->n_sets && st == BOSC_OK; ++k)
        st = bring_set(engine, k, &sets[k], err);
    if (st == BOSC_OK)
        st = BOSC_BRING(engine, err,
                        {&engine->on_chip.chip.sets, sets,
                         (size_t)batch->n_sets, sizeof *sets});
    free(sets);
    return st;
}

bosc_status bosc_cuda_bring_chip(bosc_engine *engine, bosc_error *err)
{
    const bosc_chip_plan *plan = &engine->on_chip.plan;
    bosc_status st;

    if (plan->n == 0)
        return BOSC_OK;
    engine->on_chip.chip.n = plan->n;
    engine->on_chip.chip.room = bosc_cuda_chip_room(engine->batch->n_blocks);
    memcpy(engine->on_chip.chip.first, plan->first, sizeof plan->first);
    memcpy(engine->on_chip.chip.bytes, plan->bytes, sizeof plan->bytes);
    st = bring_sets(engine, err);
    if (st == BOSC_OK)
        st = bosc_cuda_bring_chains(engine, err);
    if (st == BOSC_OK)
        st = bring_done(engine, err);
    if (st == BOSC_OK)
        st = bring_off(engine, err);
    if (st == BOSC_OK)
        st = bring_bare(engine, err);
    return st == BOSC_OK ? bring_cells(engine, err) : st;
}
