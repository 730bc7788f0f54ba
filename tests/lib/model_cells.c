#include "tests/lib/mechs.h"
#include "tests/lib/model_cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "tests/lib/tree.h"

void *forest_get(size_t n, size_t size)
{
    void *memory = bosc_alloc(n, size);

    if (memory == NULL) {
        printf("Bail out! out of memory\n");
        exit(1);
    }
    return memory;
}

static void need(bosc_status st, const bosc_error *err)
{
    if (st != BOSC_OK) {
        printf("Bail out! %s\n", err->text);
        exit(1);
    }
}

double forest_uniform(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15; /* splitmix64 */

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

forest_shape forest_shape_create(int32_t n)
{
    const size_t size = (size_t)n;
    forest_shape s = {.n = n};

    s.parent = forest_get(size, sizeof *s.parent);
    s.g_axial = forest_get(size, sizeof *s.g_axial);
    s.area = forest_get(size, sizeof *s.area);
    s.C = forest_get(size, sizeof *s.C);
    s.has = forest_get(size, sizeof *s.has);
    s.parent[0] = -1;
    return s;
}

void forest_shape_clear(forest_shape *shape)
{
    free(shape->parent);
    free(shape->g_axial);
    free(shape->area);
    free(shape->C);
    free(shape->has);
    *shape = (forest_shape){0};
}

forest_shape forest_shape_prefix(const forest_shape *shape, int32_t n)
{
    forest_shape s = forest_shape_create(n);

    for (int32_t i = 0; i < n; ++i) {
        s.parent[i] = shape->parent[i];
        s.g_axial[i] = shape->g_axial[i];
        s.area[i] = shape->area[i];
        s.C[i] = shape->C[i];
        s.has[i] = shape->has[i];
    }
    return s;
}

void forest_shape_dress(forest_shape *shape, uint64_t seed)
{
    for (int32_t i = 0; i < shape->n; ++i) {
        const bool bare = i > 0 && forest_uniform(&seed) < 0.05;

        shape->area[i] = bare ? 0 : 20 + 500 * forest_uniform(&seed);
        shape->C[i] = shape->area[i] * 1e-5;
        shape->g_axial[i] = i == 0 ? 0 : 0.01 + forest_uniform(&seed);
        shape->has[i] = bare ? 0 : i == 0 ? ~0u : 1u;
    }
}

forest_shape forest_shape_of(int32_t n, int32_t (*parent)(int32_t i))
{
    forest_shape s = forest_shape_create(n);

    for (int32_t i = 1; i < n; ++i)
        s.parent[i] = parent(i);
    forest_shape_dress(&s, (uint64_t)n);
    return s;
}

int32_t forest_in_chain(int32_t i)
{
    return i - 1;
}

int32_t forest_in_star(int32_t i)
{
    (void)i;
    return 0;
}

int32_t forest_in_comb(int32_t i)
{
    return i % 2 == 1 ? i - 1 : i - 2;
}

int32_t forest_in_rake(int32_t i)
{
    return i <= 50 ? i - 1 : 101 - i;
}

/* Node i is a child of node i - 1, or of a random earlier one; a new branch
 * makes a tip of i - 1. */
forest_shape forest_shape_random(int32_t n, double branching, uint64_t seed)
{
    forest_shape s = forest_shape_create(n);
    int32_t *order = forest_get((size_t)n, sizeof *order);
    int32_t *parent = forest_get((size_t)n, sizeof *parent);
    bosc_error err;

    parent[0] = -1;
    for (int32_t i = 1; i < n; ++i)
        parent[i] = forest_uniform(&seed) < branching
                        ? (int32_t)(i * forest_uniform(&seed))
                        : i - 1;
    need(tree_order(n, parent, order, &err), &err);
    need(tree_renumber(n, parent, order, s.parent, &err), &err);
    free(order);
    free(parent);
    forest_shape_dress(&s, seed);
    return s;
}

static void pack_neuron(const forest *f, bosc_batch *batch, int32_t neuron)
{
    const forest_shape *s = &f->shapes[f->shape[neuron]];
    const double per_dt = (f->second_order ? 2 : 1) / f->dt;

    for (int32_t i = 0; i < s->n; ++i) {
        const ptrdiff_t slot = bosc_slot(&batch->layout, neuron, i);
        double g = 0, ge = 0, cond, cond_e;

        for (int k = 0; k < f->n_sets; ++k) {
            if (!(s->has[i] >> k & 1))
                continue;
            test_mechs()->mech[f->sets[k].mech]->formula.constant(
                f->sets[k].p, &cond, &cond_e);
            g += cond * s->area[i] * 1e-2;
            ge += cond_e * s->area[i] * 1e-2;
        }
        batch->system.c[slot] = s->C[i] * per_dt;
        batch->system.d[slot] = batch->system.c[slot] + g;
        batch->system.e[slot] =
            batch->system.c[slot] > 0 ? ge / batch->system.c[slot] : 0;
        batch->system.u[slot] = -s->g_axial[i];
        batch->v[slot] = f->v_init;
    }
}

/* Is parameter set k at that element? */
static bool has_set(const forest *f, bosc_element element, int k)
{
    const forest_shape *s =
        element.neuron < 0 ? NULL : &f->shapes[f->shape[element.neuron]];

    return s != NULL && element.i < s->n && (s->has[element.i] >> k & 1) != 0;
}

/* The instances of parameter set k, in the order of their slots. */
static void pack_block(const forest *f, bosc_batch *batch, int k,
                       bosc_mech_block *block)
{
    const bosc_layout *layout = &batch->layout;
    bosc_error err;

    need(bosc_block_create(test_mechs()->mech[f->sets[k].mech], f->sets[k].p,
                           layout->n_groups, block, &err),
         &err);
    need(bosc_block_alloc(block, layout->n_slots, &err), &err);
    block->n = 0;
    for (int32_t g = 0; g < layout->n_groups; ++g) {
        for (int32_t at = 0; at < bosc_layout_slots(layout, g); ++at) {
            const bosc_element element = bosc_layout_at(layout, g, at);

            if (!has_set(f, element, k))
                continue;
            block->at[block->n] = at;
            block->scale[block->n++] =
                f->shapes[f->shape[element.neuron]].area[element.i] * 1e-2;
        }
        block->first[g + 1] = block->n;
    }
    bosc_block_init(block, f->v_init, f->celsius);
}

/* The block of synapses like s, -1: none. */
static int32_t synapse_block(const bosc_batch *batch, const forest_synapse *s)
{
    const bosc_mech *mech = test_mechs()->mech[s->mech];

    for (int32_t b = 0; b < batch->n_blocks; ++b)
        if (batch->blocks[b].mech == mech &&
            memcmp(batch->blocks[b].p.all, s->p,
                   (size_t)mech->n_params * sizeof *s->p) == 0)
            return b;
    return -1;
}

/* Synapses on one slot, with the same parameters, become one instance. */
static void pack_synapse_block(const forest *f, const forest_synapse *like,
                               bosc_batch *batch, bosc_mech_block *block)
{
    const bosc_layout *layout = &batch->layout;
    bool *has = forest_get((size_t)layout->n_slots, sizeof *has);
    bosc_error err;

    need(bosc_block_create(test_mechs()->mech[like->mech], like->p,
                           layout->n_groups, block, &err),
         &err);
    need(bosc_block_alloc(block, f->n_synapses, &err), &err);
    block->n = 0;
    for (int32_t i = 0; i < f->n_synapses; ++i)
        if (f->synapses[i].mech == like->mech &&
            memcmp(f->synapses[i].p, like->p, sizeof like->p) == 0)
            has[bosc_slot(layout, f->synapses[i].neuron, f->synapses[i].node)] =
                true;
    for (int32_t g = 0; g < layout->n_groups; ++g) {
        for (int32_t at = 0; at < bosc_layout_slots(layout, g); ++at)
            if (has[layout->first[g] + at]) {
                block->at[block->n] = at;
                block->scale[block->n++] = 1;
            }
        block->first[g + 1] = block->n;
    }
    free(has);
}

static void pack_synapses(const forest *f, bosc_batch *batch)
{
    for (int m = 0; m < test_mechs()->n; ++m) /* blocks are in this order */
        for (int32_t i = 0; i < f->n_synapses; ++i)
            if (f->synapses[i].mech == m &&
                synapse_block(batch, &f->synapses[i]) < 0)
                pack_synapse_block(f, &f->synapses[i], batch,
                                   &batch->blocks[batch->n_blocks++]);
}

bosc_event forest_event(const forest *f, const bosc_batch *batch,
                        int32_t synapse, int64_t step, double weight)
{
    const forest_synapse *s = &f->synapses[synapse];
    const ptrdiff_t slot = bosc_slot(&batch->layout, s->neuron, s->node);
    const int32_t block = synapse_block(batch, s);
    const int32_t g = bosc_layout_group(&batch->layout, slot);

    return (bosc_event){step, block,
                        (int32_t)(bosc_block_find(batch, block, slot) -
                                  batch->blocks[block].first[g]),
                        weight};
}

static int by_slot(const void *a, const void *b)
{
    const ptrdiff_t x = *(const ptrdiff_t *)a, y = *(const ptrdiff_t *)b;

    return (x > y) - (x < y);
}

/* A clamp with its slot, by which clamps are sorted. */
typedef struct placed_clamp {
    ptrdiff_t slot;
    const forest_clamp *clamp;
} placed_clamp;

static void pack_clamps(const forest *f, bosc_batch *batch)
{
    const bosc_layout *layout = &batch->layout;
    const double p[BOSC_IClamp_PARAMS] = {0};
    placed_clamp *all = forest_get((size_t)f->n_clamps, sizeof *all);
    bosc_mech_block *block = &batch->blocks[batch->n_blocks];
    int32_t g = 0;
    bosc_error err;

    for (int32_t i = 0; i < f->n_clamps; ++i)
        all[i] = (placed_clamp){
            bosc_slot(layout, f->clamps[i].neuron, f->clamps[i].node),
            &f->clamps[i]};
    qsort(all, (size_t)f->n_clamps, sizeof *all, by_slot);
    need(bosc_block_create(test_mechs()->mech[BOSC_MECH_IClamp], p,
                           layout->n_groups, block, &err),
         &err);
    need(bosc_block_alloc(block, f->n_clamps, &err), &err);
    for (int j = 0; j < BOSC_IClamp_PARAMS; ++j)
        need(bosc_block_vary(block, j, &err), &err);
    for (int32_t i = 0; i < f->n_clamps; ++i) {
        const forest_clamp *c = all[i].clamp;

        for (; layout->first[g + 1] <= all[i].slot; ++g)
            block->first[g + 1] = i;
        block->at[i] = (int32_t)(all[i].slot - layout->first[g]);
        block->scale[i] = 1;
        block->p.column[0][i] = c->delay;
        block->p.column[1][i] = c->delay + c->duration;
        block->p.column[2][i] = c->amplitude;
    }
    for (; g < layout->n_groups; ++g)
        block->first[g + 1] = f->n_clamps;
    ++batch->n_blocks;
    free(all);
}

static void pack_points(const forest *f, bosc_batch *batch)
{
    const bosc_layout *layout = &batch->layout;

    if (f->n_clamps > 0)
        pack_clamps(f, batch);
    batch->n_detectors = f->n_detectors;
    batch->detectors =
        forest_get((size_t)f->n_detectors, sizeof *batch->detectors);
    for (int32_t i = 0; i < f->n_detectors; ++i)
        batch->detectors[i] = (bosc_detector){
            bosc_slot(layout, f->detectors[i].neuron, f->detectors[i].node),
            f->detectors[i].source, f->detectors[i].threshold, false};
    qsort(batch->detectors, (size_t)f->n_detectors, sizeof *batch->detectors,
          by_slot);
}

static void pack_probes(const forest *f, bosc_batch *batch)
{
    batch->n_sets = 1;
    batch->sets = forest_get(1, sizeof *batch->sets);

    bosc_reading_set *set = batch->sets;

    set->at = (bosc_frame_steps){0, INT64_MAX, f->every > 0 ? f->every : 1};
    set->n = f->n_probes;
    set->width = 1;
    set->term = forest_get((size_t)f->n_probes, sizeof *set->term);
    set->group = forest_get((size_t)f->n_probes, sizeof *set->group);
    for (int32_t i = 0; i < f->n_probes; ++i) {
        const ptrdiff_t slot =
            bosc_slot(&batch->layout, f->probes[i].neuron, f->probes[i].node);

        set->term[i] = bosc_term_make(BOSC_ARRAY_V, slot);
        set->group[i] = bosc_layout_group(&batch->layout, slot);
    }
}

bosc_batch forest_pack(const forest *f, int32_t width)
{
    return forest_pack_as(f, (bosc_grouping){.width = width, .threads = 1});
}

bosc_batch forest_pack_for(const forest *f, const bosc_method *method)
{
    return forest_pack_as(
        f, bosc_method_grouping(method, (bosc_grouping){.threads = 1}));
}

bosc_batch forest_pack_as(const forest *f, bosc_grouping grouping)
{
    bosc_batch batch = {.mechs = test_mechs(),
                        .n_trees = f->n_shapes,
                        .dt = f->dt,
                        .celsius = f->celsius,
                        .second_order = f->second_order};
    bosc_error err;

    batch.trees = forest_get((size_t)f->n_shapes, sizeof *batch.trees);
    for (int32_t s = 0; s < f->n_shapes; ++s)
        batch.trees[s] = (bosc_tree){f->shapes[s].n, f->shapes[s].parent};
    batch.shape = forest_get((size_t)f->n_neurons, sizeof *batch.shape);
    if (f->n_neurons > 0)
        memcpy(batch.shape, f->shape,
               (size_t)f->n_neurons * sizeof *batch.shape);
    need(bosc_layout_create(f->n_neurons, batch.shape, batch.trees, grouping,
                            &batch.layout, &err),
         &err);
    need(bosc_batch_alloc(&batch, &err), &err);
    for (int32_t i = 0; i < f->n_neurons; ++i)
        pack_neuron(f, &batch, i);
    batch.blocks = forest_get((size_t)f->n_sets + (size_t)f->n_synapses + 1,
                              sizeof *batch.blocks);
    for (int k = 0; k < f->n_sets; ++k)
        if (test_mechs()->mech[f->sets[k].mech]->formula.current != NULL)
            pack_block(f, &batch, k, &batch.blocks[batch.n_blocks++]);
    pack_synapses(f, &batch);
    pack_points(f, &batch);
    pack_probes(f, &batch);
    return batch;
}

double forest_value(const bosc_batch *batch, int32_t neuron, int32_t node,
                    int block, int state)
{
    const ptrdiff_t slot = bosc_slot(&batch->layout, neuron, node);
    ptrdiff_t i;

    if (block < 0)
        return batch->v[slot];
    i = bosc_block_find(batch, block, slot);
    return i < 0 ? 0 : batch->blocks[block].state[state][i];
}

void forest_receivers_create(forest_receivers *to, int32_t n_neurons,
                             int32_t width)
{
    const int32_t n_nodes = FOREST_RECEIVER_NODES, n = n_neurons * n_nodes;

    *to = (forest_receivers){
        .shape = forest_shape_random(n_nodes, 0, 3),
        .shapes = forest_get((size_t)n_neurons, sizeof *to->shapes),
        .synapses = forest_get((size_t)n, sizeof *to->synapses)};
    for (int32_t i = 0; i < n; ++i) {
        const bool last = i % n_nodes == n_nodes - 1;

        to->synapses[i] =
            (forest_synapse){i / n_nodes,
                             i % n_nodes,
                             last ? BOSC_MECH_Exp2Syn : BOSC_MECH_ExpSyn,
                             {2, last ? 5 : 0}};
    }
    to->f = (forest){.n_shapes = 1,
                     .shapes = &to->shape,
                     .n_neurons = n_neurons,
                     .shape = to->shapes,
                     .dt = 0.1,
                     .n_synapses = n,
                     .synapses = to->synapses};
    to->batch = forest_pack(&to->f, width);
}

void forest_receivers_clear(forest_receivers *receivers)
{
    bosc_batch_clear(&receivers->batch);
    forest_shape_clear(&receivers->shape);
    free(receivers->shapes);
    free(receivers->synapses);
}

double *forest_dump(const forest *f, const bosc_batch *batch, size_t *n)
{
    double *all;
    size_t per_node = 1, total = 0;

    for (int32_t b = 0; b < batch->n_blocks; ++b)
        per_node += (size_t)batch->blocks[b].mech->n_states;

    for (int32_t i = 0; i < f->n_neurons; ++i)
        total += (size_t)f->shapes[f->shape[i]].n * per_node;
    all = forest_get(total, sizeof *all);
    *n = 0;
    for (int32_t i = 0; i < f->n_neurons; ++i)
        for (int32_t k = 0; k < f->shapes[f->shape[i]].n; ++k) {
            all[(*n)++] = forest_value(batch, i, k, -1, 0);
            for (int b = 0; b < batch->n_blocks; ++b)
                for (int s = 0; s < batch->blocks[b].mech->n_states; ++s)
                    all[(*n)++] = forest_value(batch, i, k, b, s);
        }
    return all;
}

const char *const forest_isas[] = {"base", "v3", "v4", "v4-pairs", NULL};

bool forest_use_isa(const char *isa)
{
    setenv("BOSC_ISA", isa, 1);
    return bosc_backend_find("cpu")->available(NULL) == BOSC_OK;
}

const bosc_method *forest_next_loop(const bosc_method *after)
{
    const bosc_method *m = after == NULL ? bosc_methods : after + 1;
    bosc_error why;

    while (m->name != NULL &&
           (m->engine.ops == NULL ||
            bosc_backend_available(m->backend, &why) != BOSC_OK))
        ++m;
    return m->name != NULL ? m : NULL;
}
