/* build_matrix.c - matrix, voltage and mechanisms of a batch.
 *
 * Entry: bosc_build_fill.  Its phases, in order:
 *   fill         group after group, the matrix of each neuron
 *   list_blocks  which mechanisms with which parameters there are
 *   count, fill_blocks
 *                the instances of each
 *   set_voltage  v
 *
 * A template that is made for its neuron is made once, in fill, and gone after
 * it.  What mechanisms need of it is left behind at the slots: the region, and
 * in v, which is set last, the area.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/first_error.h"
#include "src/base/mem.h"
#include "src/batch/build_parts.h"

enum { NONE = -1 };

/* What is at a slot. */
enum { PADDING, NO_MEMBRANE, FIRST_REGION };

/* The constant part of a region's membrane. */
typedef struct passive {
    double cm, g, ge; /* uF/cm2, S/cm2, mA/cm2 */
} passive;

/* Which block holds mechanism m of region r of population p. */
typedef int32_t block_table[BOSC_N_REGIONS][BOSC_N_MECHS];

typedef struct filler {
    const bosc_job *job;
    const bosc_local_cells *cells;
    bosc_built_batch *packed;
    bosc_batch *batch;                   /* of packed */
    passive (*membrane)[BOSC_N_REGIONS]; /* [n_populations] */
    block_table *table;                  /* [n_populations] */
    uint8_t *at;                         /* [n_slots] PADDING ... */
} filler;

/* --- the matrix ----------------------------------------------------------- */

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

static void list_membranes(filler *f)
{
    for (int p = 0; p < f->job->n_populations; ++p)
        for (int r = 0; r < BOSC_N_REGIONS; ++r) {
            const bosc_region_spec *region = &f->job->populations[p].region[r];
            passive *membrane = &f->membrane[p][r];

            membrane->cm = region->cm;
            constant_part(region, &membrane->g, &membrane->ge);
        }
}

static void fill_neuron(const filler *f, int32_t neuron,
                        const bosc_cable *cable)
{
    const bosc_layout *layout = &f->batch->layout;
    const passive *membrane = f->membrane[f->cells->population[neuron]];
    const double per_step = (f->job->second_order ? 2e-5 : 1e-5) / f->job->dt;
    const int32_t width = bosc_layout_width(layout, layout->group[neuron]);
    const bosc_batch *batch = f->batch;
    ptrdiff_t s = bosc_slot(layout, neuron, 0);

    for (int32_t i = 0; i < cable->n; ++i, s += width) {
        const int32_t region = cable->sections[cable->section[i]].region;
        const double area = cable->area[i];

        batch->u[s] = -cable->g_axial[i];
        batch->c[s] = area * membrane[region].cm * per_step;
        batch->d[s] = batch->c[s] + area * membrane[region].g * 1e-2;
        batch->e[s] = area * membrane[region].ge * 1e-2;
        batch->v[s] = area;
        f->at[s] = (uint8_t)(area > 0 ? FIRST_REGION + region : NO_MEMBRANE);
    }
}

/* Of a template that is not kept the solvers need the tree. */
static void keep_parents(const filler *f, int32_t neuron,
                         const bosc_cable *cable)
{
    const bosc_tree *tree = &f->batch->trees[f->batch->shape[neuron]];
    int32_t *parents = f->packed->parents;

    assert(tree->n == cable->n);
    memcpy(parents + (tree->parent - parents), cable->parent,
           (size_t)cable->n * sizeof *parents);
}

static bosc_status use_template(const filler *f, int32_t neuron,
                                bosc_error *err)
{
    bosc_acquired_cable acquired;
    const bosc_status st =
        bosc_local_cells_acquire(f->cells, neuron, &acquired, err);

    if (st != BOSC_OK)
        return st;
    fill_neuron(f, neuron, acquired.cable);
    f->packed->area[neuron] = acquired.cable->area_total;
    if (acquired.own != NULL)
        keep_parents(f, neuron, acquired.cable);
    bosc_local_cells_release(&acquired);
    return BOSC_OK;
}

static bosc_status fill(const filler *f, bosc_error *err)
{
    const bosc_layout *layout = &f->batch->layout;
    bosc_first_error first = {0};

#pragma omp parallel for schedule(dynamic, 4)
    for (int32_t g = 0; g < layout->n_groups; ++g)
        for (int32_t k = 0; k < bosc_layout_width(layout, g); ++k) {
            const int32_t neuron = bosc_layout_neuron(layout, g, k);
            bosc_error local;

            if (neuron >= 0)
                bosc_first_error_note(&first, neuron,
                                      use_template(f, neuron, &local), &local);
        }
    return bosc_first_error_get(&first, err);
}

/* --- the mechanisms ------------------------------------------------------- */

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

/* Visit the instances of group g in slot order.  Of each block, first[] of the
 * group after it counts them, or first[] of the group itself says where the
 * next one goes. */
static void visit_group(const filler *f, int32_t g, bool place)
{
    const bosc_layout *layout = &f->batch->layout;
    const ptrdiff_t first = layout->first[g];
    const int32_t slots = bosc_layout_slots(layout, g);
    const int32_t width = bosc_layout_width(layout, g);

    for (int32_t at = 0; at < slots; ++at) {
        const int region = f->at[first + at] - FIRST_REGION;

        if (region < 0)
            continue;

        const int32_t neuron = bosc_layout_neuron(layout, g, at % width);
        const int32_t *blocks = f->table[f->cells->population[neuron]][region];

        for (int m = 0; m < BOSC_N_MECHS; ++m) {
            if (blocks[m] == NONE)
                continue;

            bosc_mech_block *block = &f->batch->blocks[blocks[m]];

            if (place) {
                const ptrdiff_t k = block->first[g]++;

                block->at[k] = at;
                block->scale[k] = f->batch->v[first + at] * 1e-2;
            } else {
                ++block->first[g + 1];
            }
        }
    }
}

static void visit_groups(const filler *f, bool place)
{
#pragma omp parallel for schedule(dynamic, 16)
    for (int32_t g = 0; g < f->batch->layout.n_groups; ++g)
        visit_group(f, g, place);
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
#pragma omp parallel for schedule(static)
        for (ptrdiff_t k = 0; k < block->n; ++k)
            block->state[j][k] = s[j];
}

static bosc_status count(const filler *f, bosc_error *err)
{
    const int32_t n_groups = f->batch->layout.n_groups;
    bosc_status st = BOSC_OK;

    for (int32_t b = 0; b < f->batch->n_blocks; ++b) {
        bosc_mech_block *block = &f->batch->blocks[b];

        block->first = bosc_alloc((size_t)n_groups + 1, sizeof *block->first);
        if (block->first == NULL)
            return bosc_no_memory(err, "the mechanisms");
    }
    visit_groups(f, false);
    for (int32_t b = 0; b < f->batch->n_blocks && st == BOSC_OK; ++b) {
        bosc_mech_block *block = &f->batch->blocks[b];

        for (int32_t g = 0; g < n_groups; ++g)
            block->first[g + 1] += block->first[g];
        block->n = block->first[n_groups];
        st = alloc_block(block, err);
    }
    return st;
}

static void fill_blocks(const filler *f)
{
    visit_groups(f, true);
    for (int32_t b = 0; b < f->batch->n_blocks; ++b) {
        bosc_mech_block *block = &f->batch->blocks[b];

        /* each has come to where the next one began */
        for (int32_t g = f->batch->layout.n_groups; g > 0; --g)
            block->first[g] = block->first[g - 1];
        block->first[0] = 0;
        init_states(f->job, block);
    }
}

static void set_voltage(const filler *f)
{
#pragma omp parallel for schedule(static)
    for (ptrdiff_t s = 0; s < f->batch->layout.n_slots; ++s)
        f->batch->v[s] = f->at[s] == PADDING ? 0 : f->job->v_init;
}

static bool filler_alloc(filler *f)
{
    const size_t n = (size_t)f->job->n_populations;

    f->membrane = bosc_alloc(n, sizeof *f->membrane);
    f->table = bosc_alloc(n, sizeof *f->table);
    f->at = bosc_alloc((size_t)f->batch->layout.n_slots, sizeof *f->at);
    f->packed->area = bosc_alloc((size_t)f->cells->n, sizeof *f->packed->area);
    return f->membrane != NULL && f->table != NULL && f->at != NULL &&
           f->packed->area != NULL;
}

bosc_status bosc_build_fill(const bosc_model *model, bosc_built_batch *packed,
                            bosc_error *err)
{
    filler f = {model->job, model->cells, packed, &packed->batch,
                NULL,       NULL,         NULL};
    bosc_status st =
        filler_alloc(&f) ? BOSC_OK : bosc_no_memory(err, "filling the batch");

    if (st == BOSC_OK) {
        list_membranes(&f);
        st = fill(&f, err);
    }
    if (st == BOSC_OK)
        st = list_blocks(f.job, f.batch, f.table, err);
    if (st == BOSC_OK)
        st = count(&f, err);
    if (st == BOSC_OK) {
        fill_blocks(&f);
        set_voltage(&f);
    }
    free(f.membrane);
    free(f.table);
    free(f.at);
    return st;
}
