/* build_matrix.c - matrix, voltage and mechanisms of a batch.
 *
 * Entry: bosc_build_fill.  Its phases, in order:
 *   find_copies       which groups are copies of others
 *   fill              neuron after neuron, the matrix of each
 *   bosc_fill_blocks  the mechanisms (build_blocks.c)
 *
 * A template that is made for its neuron is made once, in fill, and gone after
 * it.  What mechanisms need of it is left behind at the slots: the region, and
 * in v, which is set last, the area.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/memo.h"
#include "src/base/first_error.h"
#include "src/base/mem.h"
#include "src/batch/build_fill.h"

/* --- the matrix ----------------------------------------------------------- */

/* Constant conductance (S/cm2) and sum of g E (mA/cm2) of a mechanism. */
static void add_constant(const bosc_mech *mech, const double *p,
                         bosc_passive *to)
{
    double g = 0, ge = 0;

    mech->formula.constant(p, &g, &ge);
    to->g += g;
    to->ge += ge;
}

static void list_membranes(const bosc_filler *f)
{
    const bosc_mechs *mechs = f->job->mechs;

    for (int32_t k = 0; k < f->membranes.n; ++k) {
        const bosc_region_spec *spec = &f->membranes.all[k]->spec;
        bosc_passive *to = &f->passive[k];

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
static bosc_status set_varying(const bosc_filler *f, int32_t neuron,
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

static void list_keys(bosc_filler *f)
{
    const bosc_membranes *all = &f->membranes;
    int k = 0;

    for (int m = BOSC_OF_CABLE; m < f->job->mechs->n; ++m) {
        while (k < all->n_keys && all->keys[k].mech == m)
            ++k;
        f->first_key[m - BOSC_OF_CABLE + 1] = k;
    }
    for (k = 0; k < f->first_key[1]; ++k)
        f->Ra_varies = f->Ra_varies || (all->keys[k].param == BOSC_RA &&
                                        all->keys[k].by_neuron);
}

/* The constant part of one compartment. */
static bosc_passive make_passive(const bosc_filler *f, int32_t membrane,
                                 ptrdiff_t s)
{
    const bosc_mechs *mechs = f->job->mechs;
    const bosc_region_spec *spec = &f->membranes.all[membrane]->spec;
    bosc_passive here = {.cm = bosc_filler_cable(f, membrane, BOSC_CM, s)};
    double room[BOSC_MECH_MOST];

    for (int m = 0; m < mechs->n; ++m)
        if (spec->mech[m].has)
            add_constant(mechs->mech[m],
                         bosc_filler_params(f, m, spec->mech[m].p, s, room),
                         &here);
    return here;
}

/* The same, which few compartments have for themselves. */
static bosc_passive passive_at(const bosc_filler *f, int32_t membrane,
                               ptrdiff_t s, bosc_memo *memo)
{
    bool known;
    double *is;

    if (!f->passive[membrane].varies)
        return f->passive[membrane];
    memo->key[0] = membrane;
    for (int k = 0; k < f->membranes.n_keys; ++k)
        memo->key[1 + k] = f->varying[k][s];
    is = bosc_memo_find(memo, &known);
    if (!known) {
        const bosc_passive made = make_passive(f, membrane, s);

        is[0] = made.cm;
        is[1] = made.g;
        is[2] = made.ge;
    }
    return (bosc_passive){.cm = is[0], .g = is[1], .ge = is[2]};
}

static void fill_compartment(const bosc_filler *f, ptrdiff_t s, double area,
                             bosc_passive membrane)
{
    const double per_step = (f->job->second_order ? 2e-5 : 1e-5) / f->job->dt;
    const bosc_batch *batch = f->batch;

    batch->system.c[s] = area * membrane.cm * per_step;
    batch->system.d[s] = batch->system.c[s] + area * membrane.g * 1e-2;
    batch->system.e[s] =
        area > 0 ? membrane.ge * 1e-2 / (membrane.cm * per_step) : 0;
    batch->v[s] = area;
}

static bosc_status fill_neuron(const bosc_filler *f, int32_t neuron,
                               const bosc_cable *cable, bosc_memo *memo,
                               bosc_error *err)
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
        if (shaped && f->Ra_varies && st == BOSC_OK)
            st = bosc_membranes_Ra(membranes, neuron, cable, i, &ratio, err);
        batch->system.u[s] = -cable->g_axial[i] / ratio;
        fill_compartment(f, s, area,
                         shaped && area > 0 ? passive_at(f, k, s, memo)
                                            : f->passive[k]);
        if (batch->diam != NULL) {
            batch->area[s] = area;
            batch->diam[s] = area > 0 ? cable->diameter[i] : 0;
        }
        f->at[s] = area > 0 ? BOSC_FILL_MEMBRANE + k : -1 - k;
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

static bosc_status use_template(const bosc_filler *f, int32_t neuron,
                                bosc_memo *memo, bosc_error *err)
{
    bosc_acquired_cable acquired;
    bosc_status st = bosc_local_cells_acquire(f->cells, neuron, &acquired, err);

    if (st != BOSC_OK)
        return st;
    if (!bosc_batch_copies(f->batch, f->batch->layout.group[neuron]))
        st = fill_neuron(f, neuron, acquired.cable, memo, err);
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

/* Is the neuron in lane a a copy of the one in lane b? */
static bool is_alike(const bosc_filler *f, int32_t a, int32_t b)
{
    const bosc_local_cells *cells = f->cells;
    const bosc_membranes *m = &f->membranes;
    const int32_t i = f->batch->layout.lane_neuron[a];
    const int32_t j = f->batch->layout.lane_neuron[b];

    if (i < 0 || j < 0)
        return i == j;
    return cells->template_index[i] == cells->template_index[j] &&
           cells->population[i] == cells->population[j] &&
           bosc_local_cells_cable(cells, i) != NULL &&
           m->shape[i] == m->shape[j] &&
           (m->shape[i] < 0 || !m->shapes[m->shape[i]].by_neuron);
}

/* Is group g a copy of a group before it? */
static bool is_copy_of(const bosc_filler *f, int32_t g, int32_t like)
{
    const bosc_layout *layout = &f->batch->layout;
    const int32_t width = bosc_layout_width(layout, g);

    if (width != bosc_layout_width(layout, like) ||
        layout->rows[g] != layout->rows[like])
        return false;
    for (int32_t k = 0; k < width; ++k)
        if (!is_alike(f, layout->lane[g] + k, layout->lane[like] + k))
            return false;
    return true;
}

/* Those of one template stand together. */
static void find_copies(const bosc_filler *f)
{
    int32_t *like = f->batch->like;

    for (int32_t g = 0; g < f->batch->layout.n_groups; ++g)
        like[g] = g > 0 && f->batch->layout.pieces == NULL &&
                          is_copy_of(f, g, like[g - 1])
                      ? like[g - 1]
                      : g;
}

/* The numbers of slots of groups that are copies. */
static void copy_slots(const bosc_filler *f)
{
    const bosc_batch *batch = f->batch;
    double *const of[] = {batch->system.u, batch->system.d, batch->system.c,
                          batch->system.e, batch->diam,     batch->area};

    for (size_t k = 0; k < BOSC_LEN(of); ++k)
        if (of[k] != NULL)
            bosc_batch_copy(batch, of[k]);
}

static bosc_status fill(const bosc_filler *f, bosc_error *err)
{
    const bosc_layout *layout = &f->batch->layout;
    bosc_first_error first = {0};
    bool enough = true;

#pragma omp parallel reduction(&& : enough)
    {
        bosc_memo memo;

        enough = bosc_memo_create(&memo, 1 + f->membranes.n_keys, 3,
                                  layout->n_slots);
#pragma omp for schedule(dynamic, 16)
        for (int32_t k = 0; k < layout->lane[layout->n_groups]; ++k) {
            const int32_t neuron = layout->lane_neuron[k];
            bosc_error local;

            if (enough && neuron >= 0 && layout->place[neuron] == k)
                bosc_first_error_note(&first, neuron,
                                      use_template(f, neuron, &memo, &local),
                                      &local);
        }
        bosc_memo_clear(&memo);
    }
    copy_slots(f);
    return enough ? bosc_first_error_get(&first, err)
                  : bosc_no_memory(err, "filling the batch");
}

static bool filler_alloc(bosc_filler *f)
{
    const size_t n_slots = (size_t)f->batch->layout.n_slots;

    f->passive = bosc_alloc((size_t)f->membranes.n, sizeof *f->passive);
    f->varying = bosc_alloc((size_t)f->membranes.n_keys, sizeof *f->varying);
    for (int k = 0; f->varying != NULL && k < f->membranes.n_keys; ++k)
        if ((f->varying[k] = bosc_alloc(n_slots, sizeof **f->varying)) == NULL)
            return false;
    f->at = bosc_alloc((size_t)f->batch->layout.n_slots, sizeof *f->at);
    f->batch->like =
        bosc_alloc((size_t)f->batch->layout.n_groups, sizeof *f->batch->like);
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
           f->batch->like != NULL && f->packed->area != NULL &&
           f->packed->soma_area != NULL;
}

double bosc_build_bytes(double n_slots)
{
    const bosc_filler f = {0};

    return n_slots * sizeof *f.at;
}

bosc_status bosc_build_fill(const bosc_model *model, bosc_built_batch *packed,
                            bosc_error *err)
{
    bosc_filler f = {.job = model->job,
                     .cells = model->cells,
                     .packed = packed,
                     .batch = &packed->batch};
    bosc_status st = bosc_membranes_create(model, &f.membranes, err);

    if (st == BOSC_OK && !filler_alloc(&f))
        st = bosc_no_memory(err, "filling the batch");
    if (st == BOSC_OK) {
        list_keys(&f);
        list_membranes(&f);
        find_copies(&f);
        st = fill(&f, err);
    }
    if (st == BOSC_OK)
        st = bosc_fill_blocks(&f, err);
    for (int k = 0; f.varying != NULL && k < f.membranes.n_keys; ++k)
        free(f.varying[k]);
    free(f.varying);
    free(f.passive);
    free(f.first_present);
    free(f.present);
    free(f.columns);
    free(f.at);
    bosc_membranes_clear(&f.membranes);
    return st;
}
