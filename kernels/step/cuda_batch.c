/* cuda_batch.c - a batch, its rows and all that belongs to it, copied to a GPU.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/base/cuda.h"
#include "kernels/mech/builtin.h"
#include "kernels/step/cuda_engine.h"
#include "src/base/mem.h"

/* --- memory of the device ------------------------------------------------- */

static bosc_status own(bosc_engine *engine, void *memory, bosc_error *err)
{
    bosc_cuda_owned *o = &engine->owned;

    if (!bosc_grow(&o->memory, &o->capacity, o->n + 1, sizeof *o->memory)) {
        bosc_cuda_free(memory);
        return bosc_no_memory(err, "a backend");
    }
    o->memory[o->n++] = memory;
    return BOSC_OK;
}

bosc_status bosc_cuda_bring(bosc_engine *engine, const bosc_cuda_array *arrays,
                            size_t n, bosc_error *err)
{
    for (size_t i = 0; i < n; ++i) {
        const size_t bytes = arrays[i].n * arrays[i].size;
        void *there = NULL;
        bosc_status st = arrays[i].from != NULL
                             ? bosc_cuda_upload(&there, arrays[i].from, bytes,
                                                "neurons", err)
                             : bosc_cuda_alloc(&there, bytes, "neurons", err);

        if (st == BOSC_OK)
            st = own(engine, there, err);
        if (st != BOSC_OK)
            return st;
        memcpy(arrays[i].to, &there, sizeof there);
    }
    return BOSC_OK;
}

/* --- the batch ------------------------------------------------------------ */

/* Where the constants of group g begin among those of the device: u, d, c, e of
 * all slots, the edges, what is shared. */
static void place_constants(const bosc_engine *engine, int32_t g,
                            bosc_cuda_group *group)
{
    const bosc_batch *batch = engine->batch;
    const bosc_rows *rows = &engine->rows;
    const bosc_constants *k = &rows->constants[g];
    const ptrdiff_t n = batch->layout.n_slots, first = batch->layout.first[g];
    const ptrdiff_t shared = 4 * n + rows->n_edges;

    group->shared = k->shared;
    if (k->shared) {
        group->u = shared + (k->u - rows->shared);
        group->d = shared + (k->d - rows->shared);
        group->c = shared + (k->c - rows->shared);
        group->e = shared + (k->e - rows->shared);
        group->f = shared + (k->f - rows->shared);
        group->r = shared + (k->r - rows->shared);
        group->edge = shared + (k->edge - rows->shared);
    } else {
        group->u = group->f = first;
        group->d = group->r = n + first;
        group->c = 2 * n + first;
        group->e = 3 * n + first;
        group->edge = 4 * n + (k->edge_end - rows->edges);
    }
}

static bosc_status bring_constants(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const size_t n = (size_t)batch->layout.n_slots;
    const size_t n_edges = (size_t)engine->rows.n_edges;
    const size_t n_shared = (size_t)engine->rows.n_shared;
    const struct {
        const double *from;
        size_t n;
    } parts[] = {{batch->u, n},
                 {batch->d, n},
                 {batch->c, n},
                 {batch->e, n},
                 {engine->rows.edges, n_edges},
                 {engine->rows.shared, n_shared}};
    double *to = NULL;
    bosc_status st = BOSC_BRING(
        engine, err, {&to, NULL, 4 * n + n_edges + n_shared, sizeof *to});

    engine->step.constants = to;
    for (size_t i = 0; i < BOSC_LEN(parts) && st == BOSC_OK; ++i) {
        st = bosc_cuda_put(to, parts[i].from, parts[i].n * sizeof *to, err);
        to += parts[i].n;
    }
    return st;
}

/* The groups and their lanes. */
static bosc_status bring_groups(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const bosc_layout *layout = &batch->layout;
    const int32_t n_lanes = layout->lane[layout->n_groups];
    bosc_cuda_group *groups =
        bosc_alloc((size_t)layout->n_groups, sizeof *groups);
    int32_t *first = bosc_alloc((size_t)batch->n_trees + 1, sizeof *first);
    int32_t *tree = bosc_alloc((size_t)n_lanes, sizeof *tree);
    int32_t *rows = bosc_alloc((size_t)n_lanes, sizeof *rows);
    int32_t *parent = NULL;
    bosc_status st = BOSC_OK;

    for (int32_t t = 0; first != NULL && t < batch->n_trees; ++t)
        first[t + 1] = first[t] + batch->trees[t].n;
    if (first != NULL)
        parent = bosc_alloc((size_t)first[batch->n_trees], sizeof *parent);
    if (groups == NULL || tree == NULL || rows == NULL || parent == NULL) {
        st = bosc_no_memory(err, "a backend");
    } else {
        for (int32_t t = 0; t < batch->n_trees; ++t)
            memcpy(parent + first[t], batch->trees[t].parent,
                   (size_t)batch->trees[t].n * sizeof *parent);
        for (int32_t k = 0; k < n_lanes; ++k) {
            const int32_t i = layout->lane_neuron[k];

            tree[k] = i < 0 ? 0 : first[batch->shape[i]];
            rows[k] = i < 0 ? 0 : batch->trees[batch->shape[i]].n;
        }
        for (int32_t g = 0; g < layout->n_groups; ++g) {
            groups[g] = (bosc_cuda_group){
                .first = layout->first[g],
                .rows = layout->rows[g],
                .width = bosc_layout_width(layout, g),
                .lane = layout->lane[g],
            };
            place_constants(engine, g, &groups[g]);
        }
        st = BOSC_BRING(
            engine, err,
            {&engine->step.groups, groups, (size_t)layout->n_groups,
             sizeof *groups},
            {&engine->step.lane_tree, tree, (size_t)n_lanes, sizeof *tree},
            {&engine->step.lane_rows, rows, (size_t)n_lanes, sizeof *rows},
            {&engine->step.lane_neuron, layout->lane_neuron, (size_t)n_lanes,
             sizeof *layout->lane_neuron},
            {&engine->step.parent, parent, (size_t)first[batch->n_trees],
             sizeof *parent});
    }
    free(groups);
    free(first);
    free(tree);
    free(rows);
    free(parent);
    return st;
}

/* The codes of lane k of group g, which has this neuron. */
static void code_lane(const bosc_engine *engine, int32_t g, int32_t k,
                      uint8_t *sides, uint8_t *code)
{
    const bosc_batch *batch = engine->batch;
    const bosc_layout *layout = &batch->layout;
    const uint8_t *kind = engine->rows.kind + engine->rows.first[g];
    const int32_t width = bosc_layout_width(layout, g);
    const int32_t neuron = bosc_layout_neuron(layout, g, k);
    const bosc_tree *tree =
        neuron < 0 ? NULL : &batch->trees[batch->shape[neuron]];
    const int32_t n = tree == NULL ? 0 : tree->n;

    for (int32_t i = 0; i < layout->rows[g]; ++i)
        sides[i] = 0;
    for (int32_t i = 1; i < n; ++i)
        if (tree->parent[i] != i - 1 && sides[tree->parent[i]] < 2)
            ++sides[tree->parent[i]];
    for (int32_t i = layout->rows[g] - 1; i >= 0; --i) {
        const int32_t p = bosc_tree_parent(tree, i);
        const bool ready = (kind[i * width + k] & BOSC_ROW_READY) != 0;
        int turn = 0;

        if (p != i - 1) {
            turn = (kind[p * width + k] & BOSC_ROW_READY) != 0 ? BOSC_TO_READY
                   : sides[p] == 1                             ? BOSC_TO_SIDE
                   : sides[p] == 2                             ? BOSC_TO_NEW_SUM
                                                               : BOSC_TO_SUM;
            sides[p] = sides[p] == 2 ? 3 : sides[p];
        }
        code[i * width + k] =
            (uint8_t)(kind[i * width + k] | turn * BOSC_CODE_TURN |
                      (ready           ? 0
                       : sides[i] == 1 ? BOSC_CODE_SIDE
                       : sides[i] == 0 ? 0
                                       : BOSC_CODE_SUM));
    }
}

static bosc_status bring_codes(bosc_engine *engine, bosc_error *err)
{
    const bosc_layout *layout = &engine->batch->layout;
    int32_t longest = 0;
    uint8_t *codes = bosc_alloc((size_t)layout->n_slots, sizeof *codes);
    bosc_status st = codes == NULL ? bosc_no_memory(err, "a backend") : BOSC_OK;

    for (int32_t g = 0; g < layout->n_groups; ++g)
        longest = layout->rows[g] > longest ? layout->rows[g] : longest;
#pragma omp parallel if (st == BOSC_OK)
    {
        uint8_t *sides = malloc((size_t)longest + 1);

#pragma omp for schedule(dynamic, 16)
        for (int32_t g = 0; g < layout->n_groups; ++g)
            for (int32_t k = 0; codes != NULL && sides != NULL &&
                                k < bosc_layout_width(layout, g);
                 ++k)
                code_lane(engine, g, k, sides, codes + layout->first[g]);
        if (sides == NULL) {
#pragma omp critical
            st = BOSC_ENOMEM;
        }
        free(sides);
    }
    if (st == BOSC_ENOMEM)
        st = bosc_no_memory(err, "a backend");
    if (st == BOSC_OK)
        st = BOSC_BRING(engine, err,
                        {&engine->step.code, codes, (size_t)layout->n_slots,
                         sizeof *codes});
    free(codes);
    return st;
}

/* Values of the instances of a block, p or k. */
static bosc_status bring_values(bosc_engine *engine, const bosc_mech_block *b,
                                const bosc_mech_values *values, int count,
                                bosc_cuda_value *to, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int j = 0; j < count && st == BOSC_OK; ++j)
        if (values->column != NULL && values->varies[j])
            st = BOSC_BRING(
                engine, err,
                {&to[j].at, values->column[j], (size_t)b->n, sizeof(double)});
        else
            to[j].all = bosc_mech_value(values, j, 0);
    return st;
}

static bosc_status bring_block(bosc_engine *engine, int32_t m,
                               bosc_cuda_block *to, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const bosc_mech_block *block = &batch->blocks[m];
    const bosc_mech *mech = block->mech;
    const size_t n = (size_t)block->n;
    bosc_status st;

    to->mech = bosc_mech_find(mech->name);
    if (to->mech >= BOSC_N_BUILTIN_MECHS)
        return bosc_fail(err, BOSC_ENOSUP,
                         "mechanism %s has no code for GPUs; use backend cpu",
                         mech->name);
    to->n = block->n;
    to->n_states = mech->n_states;
    st = BOSC_BRING(
        engine, err,
        {&to->first, block->first, (size_t)batch->layout.n_groups + 1,
         sizeof *block->first},
        {&to->at, block->at, n, sizeof *block->at},
        {&to->scale, block->scale, n, sizeof *block->scale},
        {&to->state, NULL, n * (size_t)mech->n_states, sizeof(double)});
    engine->state[m] = to->state;
    for (int j = 0; j < mech->n_states && st == BOSC_OK; ++j)
        st = bosc_cuda_put(to->state + j * block->n, block->state[j],
                           n * sizeof(double), err);
    if (st == BOSC_OK)
        st = bring_values(engine, block, &block->p, mech->n_params, to->p, err);
    if (st == BOSC_OK)
        st = bring_values(engine, block, &block->k, mech->n_constants, to->k,
                          err);
    return st;
}

static bosc_status bring_blocks(bosc_engine *engine, bosc_error *err)
{
    const int32_t n = engine->batch->n_blocks;
    bosc_cuda_block *blocks = bosc_alloc((size_t)n, sizeof *blocks);
    bosc_status st = BOSC_OK;

    engine->state = bosc_alloc((size_t)n, sizeof *engine->state);
    if (blocks == NULL || engine->state == NULL)
        st = bosc_no_memory(err, "a backend");
    for (int32_t m = 0; m < n && st == BOSC_OK; ++m)
        st = bring_block(engine, m, &blocks[m], err);
    if (st == BOSC_OK)
        st = BOSC_BRING(
            engine, err,
            {&engine->step.blocks, blocks, (size_t)n, sizeof *blocks});
    free(blocks);
    return st;
}

/* Clamps, detectors, probes, what is driven. */
static bosc_status bring_places(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const bosc_step_io *rec = &engine->rec;
    const size_t n = (size_t)batch->layout.n_groups + 1;
    const size_t n_detectors = (size_t)batch->n_detectors;
    bosc_cuda_step *s = &engine->step;
    bosc_status st = BOSC_BRING(
        engine, err,
        {&s->first_clamp, rec->clamp_first, n, sizeof *rec->clamp_first},
        {&s->clamps, batch->clamps, (size_t)batch->n_clamps,
         sizeof *batch->clamps},
        {&s->first_detector, rec->detector_first, n,
         sizeof *rec->detector_first},
        {&s->detectors, batch->detectors, n_detectors,
         sizeof *batch->detectors},
        {&s->above, rec->above, n_detectors, sizeof *s->above},
        {&s->spikes, NULL, n_detectors * BOSC_CUDA_SPIKES, sizeof *s->spikes},
        {&s->next_event, NULL, 2 * n, sizeof *s->next_event});

    engine->sets = bosc_alloc((size_t)batch->n_sets, sizeof *engine->sets);
    engine->values_capacity =
        bosc_alloc((size_t)batch->n_sets, sizeof *engine->values_capacity);
    if (engine->sets == NULL || engine->values_capacity == NULL)
        return bosc_no_memory(err, "a backend");
    for (int32_t k = 0; k < batch->n_sets && st == BOSC_OK; ++k) {
        const bosc_probe_set *set = &batch->sets[k];
        bosc_cuda_set *to = &engine->sets[k];

        to->n = set->n;
        to->every = set->every;
        st = BOSC_BRING(
            engine, err,
            {&to->first, rec->frames[k].first, n, sizeof *rec->frames[k].first},
            {&to->order, rec->frames[k].order, (size_t)set->n,
             sizeof *rec->frames[k].order},
            {&to->probe, set->probe, (size_t)set->n, sizeof *set->probe});
    }
    if (st == BOSC_OK)
        st = BOSC_BRING(
            engine, err,
            {&s->sets, NULL, (size_t)batch->n_sets, sizeof *s->sets});
    if (st == BOSC_OK && batch->drive != NULL)
        st = BOSC_BRING(engine, err,
                        {&s->first_push, batch->drive->first, n,
                         sizeof *batch->drive->first},
                        {&s->push, batch->drive->push,
                         (size_t)batch->drive->first[n - 1],
                         sizeof *batch->drive->push});
    return st;
}

bosc_status bosc_cuda_bring_all(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const bosc_layout *layout = &batch->layout;
    const bosc_rows *rows = &engine->rows;
    const int32_t g = layout->n_groups;
    const size_t n = (size_t)layout->n_slots;
    bosc_cuda_step *s = &engine->step;
    uint8_t *zeros = bosc_alloc((size_t)g, sizeof *zeros);
    bosc_beyond *none = bosc_alloc((size_t)layout->lane[g], sizeof *none);
    bosc_status st;

    if (zeros == NULL || none == NULL) {
        free(zeros);
        free(none);
        return bosc_no_memory(err, "a backend");
    }
    s->n_groups = s->n_streamed = g;
    s->n_blocks = batch->n_blocks;
    s->dt = batch->dt;
    s->second_order = batch->second_order;
    s->n_sets = batch->n_sets;
    st = bring_constants(engine, err);
    if (st == BOSC_OK)
        st = bring_groups(engine, err);
    if (st == BOSC_OK)
        st = bring_codes(engine, err);
    if (st == BOSC_OK)
        st = BOSC_BRING(
            engine, err,
            {&s->first_ready, rows->first_ready, (size_t)g + 1,
             sizeof *rows->first_ready},
            {&s->ready, rows->ready, (size_t)rows->first_ready[g],
             sizeof *rows->ready},
            {&s->v, batch->v, n, sizeof *batch->v},
            {&s->d, NULL, n, sizeof *s->d}, {&s->b, NULL, n, sizeof *s->b},
            {&s->beyond, none, (size_t)layout->lane[g], sizeof *s->beyond},
            {&s->watched, zeros, (size_t)g, sizeof *s->watched},
            {&s->found, NULL, 1, sizeof *s->found});
    free(zeros);
    free(none);
    if (st == BOSC_OK)
        st = bring_blocks(engine, err);
    if (st == BOSC_OK)
        st = bring_places(engine, err);
    return st == BOSC_OK ? bosc_cuda_bring_chip(engine, err) : st;
}
