/* pack.c - fill the arrays of a batch.
 *
 * Entry: bosc_pack.  Its phases, in order: lay_out (groups of neurons), fill
 * (matrix and voltage), list_blocks and fill_blocks (mechanisms),
 * bosc_net_create (synapses), add_clamps; then pack_detectors.c and
 * pack_probes.c.
 */
#include "src/pack.h"

#include <stdlib.h>
#include <string.h>

#include "src/mem.h"
#include "src/pack_place.h"

enum { NONE = -1 };

static bosc_status lay_out(const bosc_job *job, const bosc_forest *forest,
                           int32_t width, bosc_batch *batch, bosc_error *err)
{
    batch->dt = job->dt;
    batch->celsius = job->celsius;
    batch->second_order = job->second_order;
    batch->n_trees = forest->n_shapes;
    batch->gid = forest->gid;
    batch->trees = bosc_alloc((size_t)forest->n_shapes, sizeof *batch->trees);
    batch->shape = bosc_alloc((size_t)forest->n, sizeof *batch->shape);
    if (batch->trees == NULL || batch->shape == NULL)
        return bosc_no_memory(err, "the list of shapes");
    for (int32_t s = 0; s < forest->n_shapes; ++s)
        batch->trees[s] =
            (bosc_tree){forest->cable[s]->n, forest->cable[s]->parent};
    for (int32_t i = 0; i < forest->n; ++i)
        batch->shape[i] = forest->shape[i];

    bosc_status st = bosc_layout_create(forest->n, batch->shape, batch->trees,
                                        width, &batch->layout, err);

    return st == BOSC_OK ? bosc_batch_alloc(batch, err) : st;
}

/* The region whose parameters node i has. */
static const bosc_region_spec *region_of(const bosc_job *job,
                                         const bosc_forest *forest,
                                         int32_t neuron, int32_t i)
{
    const bosc_cable *cable = bosc_forest_cable(forest, neuron);
    const int32_t region = cable->sections[cable->section[i]].region;

    return &job->populations[forest->population[neuron]].region[region];
}

/* Constant conductance (S/cm2) and sum of g E (mA/cm2) of a region. */
static void constant_part(const bosc_region_spec *region, double *g, double *ge)
{
    *g = *ge = 0;
    for (int m = 0; m < BOSC_N_MECHS; ++m) {
        double g1 = 0, ge1 = 0;

        if (!region->has[m])
            continue;
        bosc_mechs[m].constant(region->p[m], &g1, &ge1);
        *g += g1;
        *ge += ge1;
    }
}

static void fill_neuron(const bosc_job *job, const bosc_forest *forest,
                        int32_t neuron, bosc_batch *batch)
{
    const bosc_cable *cable = bosc_forest_cable(forest, neuron);
    const double per_step = (job->second_order ? 2e-5 : 1e-5) / job->dt;
    const bosc_layout *layout = &batch->layout;

    for (int32_t i = 0; i < cable->n; ++i) {
        const bosc_region_spec *region = region_of(job, forest, neuron, i);
        const ptrdiff_t s = bosc_slot(layout, neuron, i);
        double g, ge;

        constant_part(region, &g, &ge);
        batch->u[s] = -cable->g_axial[i];
        batch->c[s] = cable->area[i] * region->cm * per_step;
        batch->d[s] = batch->c[s] + cable->area[i] * g * 1e-2;
        batch->e[s] = cable->area[i] * ge * 1e-2;
        batch->v[s] = job->v_init;
    }
}

static void fill(const bosc_job *job, const bosc_forest *forest,
                 bosc_batch *batch)
{
#pragma omp parallel for schedule(dynamic, 16)
    for (int32_t i = 0; i < forest->n; ++i)
        fill_neuron(job, forest, i, batch);
}

/* Which block holds mechanism m of region r of population p. */
typedef int32_t block_table[BOSC_N_REGIONS][BOSC_N_MECHS];

static int32_t find_block(const bosc_batch *batch, int m, const double *p)
{
    for (int32_t b = 0; b < batch->n_blocks; ++b)
        if (batch->blocks[b].mech == m &&
            memcmp(batch->blocks[b].p, p, sizeof batch->blocks[b].p) == 0)
            return b;
    return NONE;
}

/* One block for every mechanism with states and every different set of its
 * parameters, in the order of the mechanisms. */
static bosc_status list_blocks(const bosc_job *job, bosc_batch *batch,
                               block_table *table, bosc_error *err)
{
    const size_t most =
        (size_t)job->n_populations * BOSC_N_REGIONS * BOSC_N_MECHS;

    batch->blocks = bosc_alloc(most, sizeof *batch->blocks);
    if (batch->blocks == NULL)
        return bosc_no_memory(err, "the mechanisms");
    for (int m = 0; m < BOSC_N_MECHS; ++m) {
        for (int p = 0; p < job->n_populations; ++p) {
            for (int r = 0; r < BOSC_N_REGIONS; ++r) {
                const bosc_region_spec *region = &job->populations[p].region[r];

                table[p][r][m] = NONE;
                if (!region->has[m] || bosc_mechs[m].n_states == 0)
                    continue;
                int32_t b = find_block(batch, m, region->p[m]);
                if (b == NONE) {
                    b = batch->n_blocks++;
                    batch->blocks[b].mech = m;
                    memcpy(batch->blocks[b].p, region->p[m],
                           sizeof batch->blocks[b].p);
                }
                table[p][r][m] = b;
            }
        }
    }
    return BOSC_OK;
}

/* Visit the instances of group g in slot order: count them, or fill them in at
 * next[block]. */
static void visit_group(const bosc_forest *forest, bosc_batch *batch,
                        const block_table *table, int32_t g, ptrdiff_t *next,
                        bool fill)
{
    const bosc_layout *layout = &batch->layout;
    const int32_t slots = bosc_layout_slots(layout, g);

    for (int32_t at = 0; at < slots; ++at) {
        const bosc_element element = bosc_layout_at(layout, g, at);
        const int32_t neuron = element.neuron, i = element.i;

        if (neuron < 0 || i >= bosc_forest_cable(forest, neuron)->n)
            continue;
        const bosc_cable *cable = bosc_forest_cable(forest, neuron);
        if (cable->area[i] <= 0) /* a branch point has no membrane */
            continue;
        const int32_t *blocks =
            table[forest->population[neuron]]
                 [cable->sections[cable->section[i]].region];
        for (int m = 0; m < BOSC_N_MECHS; ++m) {
            if (blocks[m] == NONE)
                continue;
            const ptrdiff_t k = next[blocks[m]]++;
            if (fill) {
                batch->blocks[blocks[m]].at[k] = at;
                batch->blocks[blocks[m]].scale[k] = cable->area[i] * 1e-2;
            }
        }
    }
}

static bosc_status alloc_block(bosc_mech_block *block, bosc_error *err)
{
    const int n_states = bosc_mechs[block->mech].n_states;
    bool enough = true;

    block->at = bosc_alloc((size_t)block->n, sizeof *block->at);
    block->scale = bosc_alloc((size_t)block->n, sizeof *block->scale);
    for (int s = 0; s < n_states; ++s) {
        block->state[s] = bosc_alloc((size_t)block->n, sizeof(double));
        enough = enough && block->state[s] != NULL;
    }
    if (!enough || block->at == NULL || block->scale == NULL)
        return bosc_no_memory(err, "the states of mechanisms");
    return BOSC_OK;
}

static void init_states(const bosc_job *job, bosc_mech_block *block)
{
    const bosc_mech *mech = &bosc_mechs[block->mech];
    double s[BOSC_MECH_MAX_STATES];

    mech->init(block->p, job->v_init, job->celsius, s);
    for (int j = 0; j < mech->n_states; ++j)
        for (ptrdiff_t k = 0; k < block->n; ++k)
            block->state[j][k] = s[j];
}

static bosc_status fill_blocks(const bosc_job *job, const bosc_forest *forest,
                               bosc_batch *batch, const block_table *table,
                               bosc_error *err)
{
    const int32_t n_groups = batch->layout.n_groups;
    ptrdiff_t *next = bosc_alloc((size_t)batch->n_blocks, sizeof *next);
    bosc_status st =
        next == NULL ? bosc_no_memory(err, "the mechanisms") : BOSC_OK;

    for (int32_t b = 0; b < batch->n_blocks && st == BOSC_OK; ++b) {
        batch->blocks[b].first =
            bosc_alloc((size_t)n_groups + 1, sizeof(ptrdiff_t));
        if (batch->blocks[b].first == NULL)
            st = bosc_no_memory(err, "the mechanisms");
    }
    for (int32_t g = 0; g < n_groups && st == BOSC_OK; ++g) {
        visit_group(forest, batch, table, g, next, false);
        for (int32_t b = 0; b < batch->n_blocks; ++b)
            batch->blocks[b].first[g + 1] = next[b];
    }
    for (int32_t b = 0; b < batch->n_blocks && st == BOSC_OK; ++b) {
        batch->blocks[b].n = next[b];
        next[b] = 0;
        st = alloc_block(&batch->blocks[b], err);
    }
    for (int32_t g = 0; g < n_groups && st == BOSC_OK; ++g)
        visit_group(forest, batch, table, g, next, true);
    for (int32_t b = 0; b < batch->n_blocks && st == BOSC_OK; ++b)
        init_states(job, &batch->blocks[b]);
    free(next);
    return st;
}

static bosc_status add_mechanisms(const bosc_job *job,
                                  const bosc_forest *forest, bosc_batch *batch,
                                  bosc_error *err)
{
    block_table *table = bosc_alloc((size_t)job->n_populations, sizeof *table);
    bosc_status st = table == NULL ? bosc_no_memory(err, "the mechanisms")
                                   : list_blocks(job, batch, table, err);

    if (st == BOSC_OK)
        st = fill_blocks(job, forest, batch, table, err);
    free(table);
    return st;
}

/* By slot, and clamps at one slot by their values: their sum must not depend on
 * how qsort breaks ties. */
static int clamp_order(const void *a, const void *b)
{
    const bosc_clamp *x = a, *y = b;

    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    if (x->delay != y->delay)
        return x->delay < y->delay ? -1 : 1;
    if (x->duration != y->duration)
        return x->duration < y->duration ? -1 : 1;
    return (x->amplitude > y->amplitude) - (x->amplitude < y->amplitude);
}

static bosc_status add_clamp(const bosc_scene *scene,
                             const bosc_clamp_spec *spec, bosc_batch *batch,
                             size_t *capacity, bosc_error *err)
{
    for (int32_t i = 0; i < scene->forest->n; ++i) {
        bosc_nodes nodes;
        bosc_status st;

        if (!bosc_place_selects(scene, &spec->neurons, i))
            continue;
        st = bosc_place_nodes(scene, &spec->at, i, &nodes, err);
        if (st != BOSC_OK)
            return st;
        if (!bosc_grow(&batch->clamps, capacity,
                       (size_t)(batch->n_clamps + nodes.last - nodes.first + 1),
                       sizeof *batch->clamps))
            return bosc_no_memory(err, "the clamps");
        for (int32_t node = nodes.first; node <= nodes.last; ++node)
            batch->clamps[batch->n_clamps++] =
                (bosc_clamp){bosc_slot(&batch->layout, i, node), spec->delay,
                             spec->duration, spec->amplitude};
    }
    return BOSC_OK;
}

static bosc_status add_clamps(const bosc_scene *scene, bosc_batch *batch,
                              bosc_error *err)
{
    const bosc_job *job = scene->job;
    size_t capacity = 0;
    bosc_status st = BOSC_OK;

    for (int c = 0; c < job->n_clamps && st == BOSC_OK; ++c)
        st = add_clamp(scene, &job->clamps[c], batch, &capacity, err);
    if (batch->n_clamps > 0)
        qsort(batch->clamps, (size_t)batch->n_clamps, sizeof *batch->clamps,
              clamp_order);
    return st;
}

bosc_status bosc_pack(const bosc_scene *scene, int32_t width, bosc_packed **out,
                      bosc_error *err)
{
    const bosc_job *job = scene->job;
    const bosc_forest *forest = scene->forest;
    bosc_packed *packed = bosc_alloc(1, sizeof *packed);
    bosc_status st;

    if (packed == NULL)
        return bosc_no_memory(err, "the batch");
    bosc_batch *batch = &packed->batch;

    st = lay_out(job, forest, width, batch, err);
    if (st == BOSC_OK)
        fill(job, forest, batch);
    if (st == BOSC_OK)
        st = add_mechanisms(job, forest, batch, err);
    if (st == BOSC_OK && job->n_projections > 0)
        st = bosc_net_create(scene, batch, &packed->net, err);
    if (st == BOSC_OK)
        st = add_clamps(scene, batch, err);
    if (st == BOSC_OK)
        st = bosc_pack_detectors(scene, packed, err);
    if (st == BOSC_OK)
        st = bosc_pack_probes(scene, packed, err);
    if (st != BOSC_OK) {
        bosc_packed_destroy(packed);
        return st;
    }
    *out = packed;
    return BOSC_OK;
}

void bosc_packed_destroy(bosc_packed *packed)
{
    if (packed == NULL)
        return;
    for (int32_t p = 0; packed->columns != NULL && p < packed->n_probes; ++p)
        free(packed->columns[p].column);
    for (int32_t s = 0; packed->sets != NULL && s < packed->n_sets; ++s)
        free(packed->sets[s].column);
    free(packed->columns);
    free(packed->sets);
    free(packed->id);
    bosc_net_clear(&packed->net);
    bosc_batch_clear(&packed->batch);
    free(packed);
}
