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
#include "src/model/membranes.h"

#include <math.h>

/* What is at a slot: nothing, a membrane, or, below 0, an end of a section that
 * has the membrane -1 - at. */
enum { PADDING, FIRST_MEMBRANE };

/* The constant part of a membrane. */
typedef struct passive {
    double cm, g, ge; /* uF/cm2, S/cm2, mA/cm2 */
    bool varies;      /* from compartment to compartment */
} passive;

typedef struct filler {
    const bosc_job *job;
    const bosc_local_cells *cells;
    bosc_built_batch *packed;
    bosc_batch *batch; /* of packed */
    bosc_membranes membranes;
    passive *passive; /* [membranes.n] */
    double **varying; /* [membranes.n_keys][n_slots] numbers that vary */
    int mech[BOSC_MAX_MECHS];       /* [n_blocks] of the set */
    const bosc_region_mech **table; /* of each membrane (mechs_of) */
    int32_t *at;                    /* [n_slots] PADDING ... */
    bool *has; /* [FIRST_MEMBRANE + membranes.n] some of it has a block */
} filler;

/* --- the matrix ----------------------------------------------------------- */

/* Constant conductance (S/cm2) and sum of g E (mA/cm2) of a mechanism. */
static void add_constant(const bosc_mech *mech, const double *p, passive *to)
{
    double g = 0, ge = 0;

    mech->formula.constant(p, &g, &ge);
    to->g += g;
    to->ge += ge;
}

static void list_membranes(const filler *f)
{
    const bosc_mechs *mechs = f->job->mechs;

    for (int32_t k = 0; k < f->membranes.n; ++k) {
        const bosc_region_spec *spec = &f->membranes.all[k]->spec;
        passive *to = &f->passive[k];

        to->cm = spec->cable[BOSC_CM];
        to->varies = spec->varying[BOSC_CM] != NULL;
        for (int m = 0; m < mechs->n; ++m) {
            const bosc_region_mech *own = &spec->mech[m];

            if (!own->has)
                continue;
            add_constant(mechs->mech[m], own->p, to);
            for (int j = 0; j < own->n_params; ++j)
                to->varies = to->varies || own->varying[j] != NULL;
        }
    }
}

/* --- numbers that vary ---------------------------------------------------- */

/* The numbers of a compartment that vary, into the arrays of its slot. */
static bosc_status set_varying(const filler *f, int32_t neuron,
                               const bosc_cable *cable, int32_t i, ptrdiff_t s,
                               bosc_error *err)
{
    const bosc_membranes *m = &f->membranes;
    const bosc_region_spec *spec =
        &m->all[bosc_membranes_of(m, neuron, cable, i)]->spec;
    bosc_status st = BOSC_OK;

    for (int k = 0; k < m->n_keys && st == BOSC_OK; ++k)
        if (m->keys[k].mech == BOSC_OF_CABLE ? m->keys[k].param != BOSC_RA
                                             : spec->mech[m->keys[k].mech].has)
            st = bosc_membranes_number(m, neuron, cable, i, k,
                                       &f->varying[k][s], err);
    return st;
}

/* The parameters of a mechanism at a slot, with those that vary. */
static const double *params_at(const filler *f, int m, const double *p,
                               ptrdiff_t s, double *room)
{
    const bosc_membranes *all = &f->membranes;
    bool copied = false;

    for (int k = 0; k < all->n_keys; ++k) {
        if (all->keys[k].mech != m)
            continue;
        if (!copied)
            memcpy(room, p,
                   (size_t)f->job->mechs->mech[m]->n_params * sizeof *p);
        copied = true;
        room[all->keys[k].param] = f->varying[k][s];
    }
    return copied ? room : p;
}

/* A number of the cable at a slot of a membrane. */
static double cable_at(const filler *f, int32_t membrane, bosc_cable_key key,
                       ptrdiff_t s)
{
    for (int k = 0; k < f->membranes.n_keys; ++k)
        if (f->membranes.keys[k].mech == BOSC_OF_CABLE &&
            f->membranes.keys[k].param == (int)key)
            return f->varying[k][s];
    return f->membranes.all[membrane]->spec.cable[key];
}

/* The constant part of one compartment. */
static passive passive_at(const filler *f, int32_t membrane, ptrdiff_t s)
{
    const bosc_mechs *mechs = f->job->mechs;
    const bosc_region_spec *spec = &f->membranes.all[membrane]->spec;
    passive here = {.cm = cable_at(f, membrane, BOSC_CM, s)};
    double room[BOSC_MECH_MOST];

    for (int m = 0; m < mechs->n; ++m)
        if (spec->mech[m].has)
            add_constant(mechs->mech[m],
                         params_at(f, m, spec->mech[m].p, s, room), &here);
    return here;
}

static void fill_compartment(const filler *f, ptrdiff_t s, double area,
                             passive membrane)
{
    const double per_step = (f->job->second_order ? 2e-5 : 1e-5) / f->job->dt;
    const bosc_batch *batch = f->batch;

    batch->system.c[s] = area * membrane.cm * per_step;
    batch->system.d[s] = batch->system.c[s] + area * membrane.g * 1e-2;
    batch->system.e[s] =
        area > 0 ? membrane.ge * 1e-2 / (membrane.cm * per_step) : 0;
    batch->v[s] = area;
}

static bosc_status fill_neuron(const filler *f, int32_t neuron,
                               const bosc_cable *cable, bosc_error *err)
{
    const bosc_neuron_slots slots = bosc_slots_of(&f->batch->layout, neuron);
    const bosc_membranes *membranes = &f->membranes;
    const bool shaped = membranes->shape[neuron] >= 0;
    const bosc_batch *batch = f->batch;
    bosc_status st = BOSC_OK;

    for (int32_t i = 0; i < cable->n && st == BOSC_OK; ++i) {
        const ptrdiff_t s = bosc_slots_at(&slots, i);
        const int32_t k = bosc_membranes_of(membranes, neuron, cable, i);
        const double area = cable->area[i];
        double ratio = 1;

        if (membranes->n_keys > 0 && area > 0)
            st = set_varying(f, neuron, cable, i, s, err);
        if (shaped && st == BOSC_OK)
            st = bosc_membranes_Ra(membranes, neuron, cable, i, &ratio, err);
        batch->system.u[s] = -cable->g_axial[i] / ratio;
        fill_compartment(f, s, area,
                         shaped && area > 0 && f->passive[k].varies
                             ? passive_at(f, k, s)
                             : f->passive[k]);
        if (batch->diam != NULL) {
            batch->area[s] = area;
            batch->diam[s] = area > 0 ? cable->diameter[i] : 0;
        }
        f->at[s] = area > 0 ? FIRST_MEMBRANE + k : -1 - k;
    }
    return st;
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
    bosc_status st = bosc_local_cells_acquire(f->cells, neuron, &acquired, err);

    if (st != BOSC_OK)
        return st;
    st = fill_neuron(f, neuron, acquired.cable, err);
    f->packed->area[neuron] = acquired.cable->area_total;
    f->packed->soma_area[neuron] = acquired.cable->area[acquired.cable->soma];
    if (acquired.own != NULL)
        keep_parents(f->packed, neuron, acquired.cable);
    bosc_local_cells_release(&acquired);
    return st;
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

/* The blocks of a membrane: [n_blocks], NULL where it does not have the
 * mechanism. */
static const bosc_region_mech **mechs_of(const filler *f, int32_t membrane)
{
    return f->table + (ptrdiff_t)membrane * f->batch->n_blocks;
}

/* The first membrane of the job that has mechanism m, NULL: none has. */
static const bosc_region_mech *first_with(const filler *f, int m)
{
    for (int32_t k = 0; k < f->membranes.n_listed; ++k)
        if (f->membranes.all[k]->spec.mech[m].has)
            return &f->membranes.all[k]->spec.mech[m];
    return NULL;
}

/* One block for every mechanism with a step that any membrane has, in the order
 * of the set. */
static bosc_status list_blocks(filler *f, bosc_error *err)
{
    const bosc_job *job = f->job;
    const bosc_mechs *mechs = job->mechs;
    const size_t n = (size_t)f->membranes.n;
    bosc_batch *batch = f->batch;
    bosc_status st = BOSC_OK;

    batch->blocks = bosc_alloc((size_t)mechs->n, sizeof *batch->blocks);
    if (batch->blocks == NULL)
        return bosc_no_memory(err, "the mechanisms");
    for (int m = 0; m < mechs->n && st == BOSC_OK; ++m) {
        const bosc_region_mech *like = first_with(f, m);

        if (like == NULL || !bosc_mech_has_block(mechs->mech[m]))
            continue;
        f->mech[batch->n_blocks] = m;
        st = bosc_block_create(mechs->mech[m], like->p, batch->layout.n_groups,
                               &batch->blocks[batch->n_blocks++], err);
    }
    if (st != BOSC_OK)
        return st;
    f->table = bosc_alloc(n * (size_t)batch->n_blocks, sizeof *f->table);
    f->has = bosc_alloc(FIRST_MEMBRANE + n, sizeof *f->has);
    if (f->table == NULL || f->has == NULL)
        return bosc_no_memory(err, "the mechanisms");
    for (int32_t k = 0; k < f->membranes.n; ++k)
        for (int32_t b = 0; b < batch->n_blocks; ++b) {
            const bosc_region_mech *mech =
                &f->membranes.all[k]->spec.mech[f->mech[b]];

            mechs_of(f, k)[b] = mech->has ? mech : NULL;
            f->has[FIRST_MEMBRANE + k] =
                f->has[FIRST_MEMBRANE + k] || mech->has;
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

/* Place instance b of the membrane at a slot of group g. */
static void place(const filler *f, int32_t g, int32_t at, int32_t b,
                  const bosc_region_mech *mech)
{
    const ptrdiff_t s = f->batch->layout.first[g] + at;
    bosc_mech_block *block = &f->batch->blocks[b];
    double room[BOSC_MECH_MOST];
    const double *p = params_at(f, f->mech[b], mech->p, s, room);

    if (block->mech->kind == BOSC_MECH_ION) {
        bosc_build_ion(block, s, p, mech->style);
    } else {
        const ptrdiff_t i = block->first[g]++;

        block->at[i] = at;
        block->scale[i] = f->batch->v[s] * 1e-2;
        set_params(block, i, p);
    }
}

/* Visit the instances of group g in slot order.  Of each block, first[] of the
 * group after it counts them, or first[] of the group itself says where the
 * next one goes. */
static void visit_group(const filler *f, int32_t g, bool placing)
{
    const bosc_layout *layout = &f->batch->layout;
    const ptrdiff_t first = layout->first[g];
    const int32_t slots = bosc_layout_slots(layout, g);

    for (int32_t at = 0; at < slots; ++at) {
        const int32_t what = f->at[first + at];

        if (what < 0 || !f->has[what])
            continue;

        const bosc_region_mech *const *mechs =
            mechs_of(f, what - FIRST_MEMBRANE);

        for (int32_t b = 0; b < f->batch->n_blocks; ++b)
            if (mechs[b] != NULL && placing)
                place(f, g, at, b, mechs[b]);
            else if (mechs[b] != NULL)
                ++f->batch->blocks[b].first[g + 1];
    }
}

/* Where a slot's voltage begins. */
static double v_at(const filler *f, ptrdiff_t s)
{
    const int32_t at = f->at[s];
    double v;

    if (at == PADDING)
        return 0;
    v = at < 0 ? f->membranes.all[-1 - at]->spec.cable[BOSC_V_INIT]
               : cable_at(f, at - FIRST_MEMBRANE, BOSC_V_INIT, s);
    return isnan(v) ? f->job->v_init : v;
}

/* In the place of areas. */
static void set_voltage(const filler *f)
{
#pragma omp parallel for schedule(static)
    for (ptrdiff_t s = 0; s < f->batch->layout.n_slots; ++s)
        f->batch->v[s] = v_at(f, s);
}

static void visit_groups(const filler *f, bool placing)
{
#pragma omp parallel for schedule(dynamic, 16)
    for (int32_t g = 0; g < f->batch->layout.n_groups; ++g)
        visit_group(f, g, placing);
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
    set_voltage(f);
    for (int32_t b = 0; b < batch->n_blocks && st == BOSC_OK; ++b) {
        bosc_mech_block *block = &batch->blocks[b];

        if (block->mech->kind == BOSC_MECH_ION)
            continue;
        /* each has come to where the next one began */
        for (int32_t g = batch->layout.n_groups; g > 0; --g)
            block->first[g] = block->first[g - 1];
        block->first[0] = 0;
        bosc_batch_init_block(batch, block, job->celsius);
    }
    return st;
}

static bool filler_alloc(filler *f)
{
    const size_t n_slots = (size_t)f->batch->layout.n_slots;

    f->passive = bosc_alloc((size_t)f->membranes.n, sizeof *f->passive);
    f->varying = bosc_alloc((size_t)f->membranes.n_keys, sizeof *f->varying);
    for (int k = 0; f->varying != NULL && k < f->membranes.n_keys; ++k)
        if ((f->varying[k] = bosc_alloc(n_slots, sizeof **f->varying)) == NULL)
            return false;
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
    return f->passive != NULL && f->varying != NULL && f->at != NULL &&
           f->packed->area != NULL && f->packed->soma_area != NULL;
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
    bosc_status st = bosc_membranes_create(model, &f.membranes, err);

    if (st == BOSC_OK && !filler_alloc(&f))
        st = bosc_no_memory(err, "filling the batch");
    if (st == BOSC_OK) {
        list_membranes(&f);
        st = fill(&f, err);
    }
    if (st == BOSC_OK)
        st = list_blocks(&f, err);
    if (st == BOSC_OK)
        st = fill_blocks(&f, err);
    for (int k = 0; f.varying != NULL && k < f.membranes.n_keys; ++k)
        free(f.varying[k]);
    free(f.varying);
    free(f.passive);
    free(f.table);
    free(f.has);
    free(f.at);
    bosc_membranes_clear(&f.membranes);
    return st;
}
