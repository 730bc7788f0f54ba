/* build_matrix.c - matrix, voltage and mechanisms of a batch.
 *
 * Entry: bosc_build_fill.  Its phases, in order:
 *   fill         group after group, the matrix of each neuron
 *   list_blocks  which mechanisms there are
 *   fill_blocks  the instances of each
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

/* What is at a slot. */
enum { PADDING, NO_MEMBRANE, FIRST_REGION };

/* The constant part of a region's membrane. */
typedef struct passive {
    double cm, g, ge; /* uF/cm2, S/cm2, mA/cm2 */
} passive;

typedef struct filler {
    const bosc_job *job;
    const bosc_local_cells *cells;
    bosc_built_batch *packed;
    bosc_batch *batch;                   /* of packed */
    passive (*membrane)[BOSC_N_REGIONS]; /* [n_populations] */
    int mech[BOSC_MAX_MECHS];            /* [n_blocks] of the set */
    const bosc_region_mech **table;      /* of each region of each population
                                            (mechs_of) */
    uint8_t *at;                         /* [n_slots] PADDING ... */
    bool has[FIRST_REGION + BOSC_N_REGIONS]; /* some of it has a block */
} filler;

/* --- the matrix ----------------------------------------------------------- */

/* Constant conductance (S/cm2) and sum of g E (mA/cm2) of a region. */
static void constant_part(const bosc_mechs *mechs,
                          const bosc_region_spec *region, double *g, double *ge)
{
    *g = *ge = 0;
    for (int m = 0; m < mechs->n; ++m) {
        double g1 = 0, ge1 = 0;

        if (!region->mech[m].has)
            continue;
        mechs->mech[m]->formula.constant(region->mech[m].p, &g1, &ge1);
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
            constant_part(f->job->mechs, region, &membrane->g, &membrane->ge);
        }
}

/* The diameter of a cylinder with the compartment's length and area. */
static void set_shape(const bosc_batch *batch, ptrdiff_t s, double area,
                      const bosc_cable_section *section)
{
    batch->area[s] = area;
    batch->diam[s] =
        area / (3.14159265358979323846 * (section->length / section->n));
}

static void fill_neuron(const filler *f, int32_t neuron,
                        const bosc_cable *cable)
{
    const bosc_layout *layout = &f->batch->layout;
    const passive *membrane = f->membrane[f->cells->population[neuron]];
    const double per_step = (f->job->second_order ? 2e-5 : 1e-5) / f->job->dt;
    const bosc_batch *batch = f->batch;

    for (int32_t i = 0; i < cable->n; ++i) {
        const ptrdiff_t s = bosc_slot(layout, neuron, i);
        const int32_t region = cable->sections[cable->section[i]].region;
        const double area = cable->area[i];

        batch->system.u[s] = -cable->g_axial[i];
        batch->system.c[s] = area * membrane[region].cm * per_step;
        batch->system.d[s] =
            batch->system.c[s] + area * membrane[region].g * 1e-2;
        batch->system.e[s] = area > 0 ? membrane[region].ge * 1e-2 /
                                            (membrane[region].cm * per_step)
                                      : 0;
        batch->v[s] = area;
        if (batch->diam != NULL)
            set_shape(batch, s, area, &cable->sections[cable->section[i]]);
        f->at[s] = (uint8_t)(area > 0 ? FIRST_REGION + region : NO_MEMBRANE);
    }
}

/* Of a template that is not kept the solvers need the tree. */
static void keep_parents(const bosc_built_batch *packed, int32_t neuron,
                         const bosc_cable *cable)
{
    const bosc_tree *tree = &packed->batch.trees[packed->batch.shape[neuron]];
    int32_t *parents = packed->parents;

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
    f->packed->soma_area[neuron] = acquired.cable->area[acquired.cable->soma];
    if (acquired.own != NULL)
        keep_parents(f->packed, neuron, acquired.cable);
    bosc_local_cells_release(&acquired);
    return BOSC_OK;
}

static bosc_status find_parents(const bosc_local_cells *cells,
                                const bosc_built_batch *packed, int32_t neuron,
                                bosc_error *err)
{
    bosc_acquired_cable acquired;
    const bosc_status st =
        bosc_local_cells_acquire(cells, neuron, &acquired, err);

    if (st != BOSC_OK)
        return st;
    if (acquired.own != NULL)
        keep_parents(packed, neuron, acquired.cable);
    bosc_local_cells_release(&acquired);
    return BOSC_OK;
}

bosc_status bosc_build_parents(const bosc_local_cells *cells,
                               const bosc_built_batch *packed, bosc_error *err)
{
    bosc_first_error first = {0};

#pragma omp parallel for schedule(dynamic, 4)
    for (int32_t i = 0; i < cells->n; ++i) {
        bosc_error local;

        bosc_first_error_note(&first, i, find_parents(cells, packed, i, &local),
                              &local);
    }
    return bosc_first_error_get(&first, err);
}

static bosc_status fill(const filler *f, bosc_error *err)
{
    const bosc_layout *layout = &f->batch->layout;
    bosc_first_error first = {0};

#pragma omp parallel for schedule(dynamic, 16)
    for (int32_t k = 0; k < layout->lane[layout->n_groups]; ++k) {
        const int32_t neuron = layout->lane_neuron[k];
        bosc_error local;

        if (neuron >= 0 && layout->place[neuron] == k)
            bosc_first_error_note(&first, neuron,
                                  use_template(f, neuron, &local), &local);
    }
    return bosc_first_error_get(&first, err);
}

/* --- the mechanisms ------------------------------------------------------- */

/* The blocks of a region: [n_blocks], NULL where it does not have the
 * mechanism. */
static const bosc_region_mech **mechs_of(const filler *f, int population,
                                         int region)
{
    return f->table + (size_t)(population * BOSC_N_REGIONS + region) *
                          (size_t)f->batch->n_blocks;
}

/* The first region that has mechanism m, NULL: none has. */
static const bosc_region_mech *first_with(const bosc_job *job, int m)
{
    for (int p = 0; p < job->n_populations; ++p)
        for (int r = 0; r < BOSC_N_REGIONS; ++r)
            if (job->populations[p].region[r].mech[m].has)
                return &job->populations[p].region[r].mech[m];
    return NULL;
}

/* One block for every mechanism with a step that any region has, in the order
 * of the set. */
static bosc_status list_blocks(filler *f, bosc_error *err)
{
    const bosc_job *job = f->job;
    const bosc_mechs *mechs = job->mechs;
    const size_t n_regions = (size_t)job->n_populations * BOSC_N_REGIONS;
    bosc_batch *batch = f->batch;
    bosc_status st = BOSC_OK;

    batch->blocks = bosc_alloc((size_t)mechs->n, sizeof *batch->blocks);
    if (batch->blocks == NULL)
        return bosc_no_memory(err, "the mechanisms");
    for (int m = 0; m < mechs->n && st == BOSC_OK; ++m) {
        const bosc_region_mech *like = first_with(job, m);

        if (like == NULL || !bosc_mech_has_block(mechs->mech[m]))
            continue;
        f->mech[batch->n_blocks] = m;
        st = bosc_block_create(mechs->mech[m], like->p, batch->layout.n_groups,
                               &batch->blocks[batch->n_blocks++], err);
    }
    if (st != BOSC_OK)
        return st;
    f->table =
        bosc_alloc(n_regions * (size_t)batch->n_blocks, sizeof *f->table);
    if (f->table == NULL)
        return bosc_no_memory(err, "the mechanisms");
    for (int p = 0; p < job->n_populations; ++p)
        for (int r = 0; r < BOSC_N_REGIONS; ++r)
            for (int32_t b = 0; b < batch->n_blocks; ++b) {
                const bosc_region_mech *mech =
                    &job->populations[p].region[r].mech[f->mech[b]];

                mechs_of(f, p, r)[b] = mech->has ? mech : NULL;
                f->has[FIRST_REGION + r] =
                    f->has[FIRST_REGION + r] || mech->has;
            }
    return BOSC_OK;
}

/* Set the parameters of instance i that are not the same everywhere. */
static void set_params(bosc_mech_block *block, ptrdiff_t i, const double *p)
{
    for (int j = 0; block->p.column != NULL && j < block->mech->n_params; ++j)
        if (block->p.varies[j])
            block->p.column[j][i] = p[j];
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
        const int what = f->at[first + at];

        if (!f->has[what])
            continue;

        const int region = what - FIRST_REGION;
        const int32_t neuron = bosc_layout_neuron(layout, g, at % width);
        const bosc_region_mech *const *mechs =
            mechs_of(f, f->cells->population[neuron], region);

        for (int32_t b = 0; b < f->batch->n_blocks; ++b) {
            bosc_mech_block *block = &f->batch->blocks[b];

            if (mechs[b] == NULL)
                continue;
            if (block->mech->kind == BOSC_MECH_ION) {
                if (place)
                    bosc_build_ion(block, first + at, mechs[b]);
            } else if (place) {
                const ptrdiff_t i = block->first[g]++;

                block->at[i] = at;
                block->scale[i] = f->batch->v[first + at] * 1e-2;
                set_params(block, i, mechs[b]->p);
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

/* Room for the instances of block b. */
static bosc_status block_alloc(const filler *f, int32_t b, bosc_error *err)
{
    const int32_t n_groups = f->batch->layout.n_groups;
    bosc_mech_block *block = &f->batch->blocks[b];
    bosc_status st;

    if (block->mech->kind == BOSC_MECH_ION)
        return bosc_build_ion_block(&f->batch->layout, block, err);

    for (int32_t g = 0; g < n_groups; ++g)
        block->first[g + 1] += block->first[g];
    st = bosc_block_alloc(block, block->first[n_groups], err);
    for (int j = 0; j < block->mech->n_params && st == BOSC_OK; ++j)
        if (bosc_job_varies(f->job, f->mech[b], j))
            st = bosc_block_vary(block, j, err);
    return st;
}

static bosc_status fill_blocks(const filler *f, bosc_error *err)
{
    const bosc_job *job = f->job;
    const bosc_batch *batch = f->batch;
    bosc_status st = BOSC_OK;

    visit_groups(f, false);
    for (int32_t b = 0; b < batch->n_blocks && st == BOSC_OK; ++b)
        st = block_alloc(f, b, err);
    if (st != BOSC_OK)
        return st;
    visit_groups(f, true);
    for (int32_t b = 0; b < batch->n_blocks && st == BOSC_OK; ++b) {
        bosc_mech_block *block = &batch->blocks[b];

        if (block->mech->kind == BOSC_MECH_ION)
            continue;
        /* each has come to where the next one began */
        for (int32_t g = batch->layout.n_groups; g > 0; --g)
            block->first[g] = block->first[g - 1];
        block->first[0] = 0;
        bosc_block_init(block, job->v_init, job->celsius);
    }
    return st;
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
    f->at = bosc_alloc((size_t)f->batch->layout.n_slots, sizeof *f->at);
    f->packed->area = bosc_alloc((size_t)f->cells->n, sizeof *f->packed->area);
    f->packed->soma_area =
        bosc_alloc((size_t)f->cells->n, sizeof *f->packed->soma_area);
    if (bosc_build_needs_shape(f->job)) {
        const size_t slots = (size_t)f->batch->layout.n_slots;

        f->batch->diam = bosc_alloc(slots, sizeof *f->batch->diam);
        f->batch->area = bosc_alloc(slots, sizeof *f->batch->area);
        if (f->batch->diam == NULL || f->batch->area == NULL)
            return false;
    }
    return f->membrane != NULL && f->at != NULL && f->packed->area != NULL &&
           f->packed->soma_area != NULL;
}

double bosc_build_bytes(double n_slots)
{
    const filler f = {0};

    return n_slots * sizeof *f.at;
}

bosc_status bosc_build_fill(const bosc_model *model, bosc_built_batch *packed,
                            bosc_error *err)
{
    filler f = {.job = model->job,
                .cells = model->cells,
                .packed = packed,
                .batch = &packed->batch};
    bosc_status st =
        filler_alloc(&f) ? BOSC_OK : bosc_no_memory(err, "filling the batch");

    if (st == BOSC_OK) {
        list_membranes(&f);
        st = fill(&f, err);
    }
    if (st == BOSC_OK)
        st = list_blocks(&f, err);
    if (st == BOSC_OK)
        st = fill_blocks(&f, err);
    if (st == BOSC_OK)
        set_voltage(&f);
    free(f.membrane);
    free(f.table);
    free(f.at);
    return st;
}
