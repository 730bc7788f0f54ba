/* build_points.c - point processes that act without events, clamps among
 * them. */
#include "src/batch/build_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/base/random.h"
#include "src/model/cut_template.h"
#include "src/model/locate.h"

/* One of an entry of the job. */
typedef struct placed {
    ptrdiff_t slot;
    const bosc_point_spec *spec;
    const double *p; /* [n_params] its own, or those of the entry */
} placed;

/* Those of a mechanism. */
typedef struct places {
    placed *all;
    size_t n, room;
    double **own; /* [n_own] parameters of entries where some vary */
    size_t n_own, own_room;
} places;

/* Is the first parameter that differs less in a than in b? */
static bool is_before(const bosc_mech *mech, const placed *a, const placed *b)
{
    for (int j = 0; j < mech->n_params; ++j)
        if (a->p[j] != b->p[j])
            return a->p[j] < b->p[j];
    return false;
}

/* By slot.  Those at one slot are in the order of the job, but stimuli by their
 * parameters: then their sum is the same however a job lists them. */
static bool sort(const bosc_layout *layout, const bosc_mech *mech, places *of)
{
    if (!bosc_sort_by_slot(layout, &of->all, of->n, sizeof *of->all))
        return false;
    for (size_t i = 1; mech->stimulus && i < of->n; ++i)
        for (placed *p = &of->all[i];
             p > of->all && p->slot == p[-1].slot && is_before(mech, p, p - 1);
             --p) {
            const placed own = *p;

            *p = p[-1];
            p[-1] = own;
        }
    return true;
}

/* --- numbers that vary ---------------------------------------------------- */

/* The parameters of an entry at a node of neuron i. */
static bosc_status numbers_at(const bosc_model *model,
                              const bosc_point_process *type, int32_t i,
                              int32_t node, double *p, bosc_error *err)
{
    const bosc_local_cells *cells = model->cells;
    const int n = model->job->mechs->mech[type->mech]->n_params;
    const int32_t population = cells->population[i];
    bosc_acquired_cable acquired;
    bool points = false;
    double *distance;
    bosc_status st;

    for (int j = 0; j < n; ++j)
        points = points || (type->varying[j] != NULL &&
                            bosc_varying_needs_points(type->varying[j]));
    st = (points ? bosc_local_cells_acquire_points
                 : bosc_local_cells_acquire)(cells, i, &acquired, err);
    if (st != BOSC_OK)
        return st;
    distance = bosc_alloc((size_t)acquired.cable->n, sizeof *distance);
    st = distance == NULL ? bosc_no_memory(err, "the stimuli")
                          : bosc_path_distances(acquired.cable, distance, err);
    if (st == BOSC_OK) {
        bosc_place place =
            bosc_place_of(acquired.cable, node, distance,
                          bosc_farthest(distance, acquired.cable->n));

        place.seed = model->job->populations[population].seed;
        place.population = bosc_hash(model->job->populations[population].name);
        place.neuron = cells->gid[i] - model->gid_table->first_gid[population];
        for (int j = 0; j < n && st == BOSC_OK; ++j) {
            p[j] = type->p[j];
            if (type->varying[j] != NULL)
                st = bosc_varying_at(type->varying[j], &place, &p[j], err);
        }
    }
    free(distance);
    bosc_local_cells_release(&acquired);
    return st;
}

bosc_status bosc_point_numbers(const bosc_model *model,
                               const bosc_point_spec *spec, int32_t i,
                               double *p, bosc_error *err)
{
    const int n = model->job->mechs->mech[spec->type.mech]->n_params;
    const bosc_location soma = {.kind = BOSC_AT_SOMA};
    int32_t node;
    bosc_status st;

    for (int j = 0; j < n; ++j)
        p[j] = NAN;
    if (!bosc_locate_selects(model, &spec->neurons, i))
        return BOSC_OK;
    if (spec->type.varying == NULL) {
        memcpy(p, spec->type.p, (size_t)n * sizeof *p);
        return BOSC_OK;
    }
    st = bosc_locate_first(
        model, bosc_is_extracellular(spec) ? &soma : &spec->at, i, &node, err);
    return st == BOSC_OK && node >= 0
               ? numbers_at(model, &spec->type, i, node, p, err)
               : st;
}

/* Of a potential outside neuron i: own[nodes][n_params], those of its soma, of
 * which currents are in proportion to what goes into each node. */
static bosc_status numbers_outside(const bosc_model *model,
                                   const bosc_point_spec *spec,
                                   const bosc_batch *batch, int32_t i,
                                   double *own, bosc_error *err)
{
    const bosc_mech *mech = model->job->mechs->mech[spec->type.mech];
    const int n = mech->n_params;
    const int32_t nodes = batch->trees[batch->shape[i]].n;
    double *share = bosc_alloc((size_t)nodes, sizeof *share), p[BOSC_MECH_MOST];
    bosc_status st = share == NULL ? bosc_no_memory(err, "the stimuli")
                                   : bosc_point_numbers(model, spec, i, p, err);

    if (st == BOSC_OK)
        st = bosc_build_outside(model, spec, batch, i, share, err);
    for (int32_t k = 0; k < nodes && st == BOSC_OK; ++k)
        for (int j = 0; j < n; ++j)
            *own++ =
                bosc_param_scales(&mech->params[j]) ? p[j] * share[k] : p[j];
    free(share);
    return st;
}

/* Room for the parameters of n instances of an entry; NULL: no memory. */
static double *own_numbers(places *to, size_t n, int n_params)
{
    double *own = bosc_alloc(n * (size_t)n_params, sizeof *own);

    if (own == NULL ||
        !bosc_grow(&to->own, &to->own_room, to->n_own + 1, sizeof *to->own)) {
        free(own);
        return NULL;
    }
    return to->own[to->n_own++] = own;
}

static void clear_places(places *found)
{
    for (size_t k = 0; k < found->n_own; ++k)
        free(found->own[k]);
    free(found->own);
    free(found->all);
}

/* --- places --------------------------------------------------------------- */

static bosc_status add_places(const bosc_model *model,
                              const bosc_point_spec *spec,
                              const bosc_batch *batch, places *to,
                              bosc_error *err)
{
    const bool outside = bosc_is_extracellular(spec);
    const int n = model->job->mechs->mech[spec->type.mech]->n_params;
    bosc_located found;
    double *own = NULL;
    bosc_status st =
        bosc_locate_all(model, &spec->neurons, &spec->at, &found, err);

    if (st != BOSC_OK)
        return st;
    if (!bosc_grow(&to->all, &to->room, to->n + (size_t)found.total,
                   sizeof *to->all))
        st = bosc_no_memory(err, "the point processes");
    if (st == BOSC_OK && (outside || spec->type.varying != NULL) &&
        found.total > 0 &&
        (own = own_numbers(to, (size_t)found.total, n)) == NULL)
        st = bosc_no_memory(err, "the stimuli");
    for (int32_t i = found.first; st == BOSC_OK && i < found.end; ++i) {
        const bosc_nodes nodes = bosc_located_at(&found, i);

        if (outside && nodes.n > 0)
            st = numbers_outside(model, spec, batch, i, own, err);
        for (int32_t k = 0; st == BOSC_OK && k < nodes.n; ++k) {
            const int32_t node = bosc_nodes_at(&nodes, k);

            to->all[to->n++] = (placed){bosc_slot(&batch->layout, i, node),
                                        spec, own != NULL ? own : spec->type.p};
            if (own != NULL && !outside)
                st = numbers_at(model, &spec->type, i, node, own, err);
            own = own != NULL ? own + n : NULL;
        }
    }
    bosc_located_clear(&found);
    return st;
}

static void fill(const bosc_layout *layout, const places *from,
                 bosc_mech_block *block)
{
    int32_t g = 0;

    for (size_t i = 0; i < from->n; ++i) {
        for (; layout->first[g + 1] <= from->all[i].slot; ++g)
            block->first[g + 1] = (ptrdiff_t)i;
        block->at[i] = (int32_t)(from->all[i].slot - layout->first[g]);
        block->scale[i] = 1;
        for (int j = 0; block->p.column != NULL && j < block->mech->n_params;
             ++j)
            if (block->p.varies[j])
                block->p.column[j][i] = from->all[i].p[j];
    }
    for (; g < layout->n_groups; ++g)
        block->first[g + 1] = (ptrdiff_t)from->n;
}

/* The tables that entries play, each once. */
static bosc_status add_tables(const bosc_job *job, int m, const places *from,
                              bosc_mech_block *block, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int k = 0; k < job->points.n_stimuli && st == BOSC_OK; ++k) {
        const bosc_point_spec *spec = &job->points.stimuli[k];
        const ptrdiff_t first = block->n_points;

        if (spec->type.mech != m)
            continue;
        st = bosc_block_add_table(block, spec->type.n_points, spec->type.points,
                                  err);
        for (size_t i = 0; st == BOSC_OK && i < from->n; ++i)
            if (from->all[i].spec == spec)
                bosc_block_play(block, (ptrdiff_t)i, first,
                                spec->type.n_points);
    }
    return st;
}

static bosc_status fill_block(const bosc_job *job, const bosc_batch *batch,
                              int m, const places *from, bosc_mech_block *block,
                              bosc_error *err)
{
    char name[200];
    bosc_status st = bosc_block_alloc(block, (ptrdiff_t)from->n, err);

    for (int j = 0; j < block->mech->n_params && st == BOSC_OK; ++j)
        if (bosc_job_varies(job, m, j))
            st = bosc_block_vary(block, j, err);
    if (st == BOSC_OK && block->mech->reads_table)
        st = add_tables(job, m, from, block, err);
    if (st != BOSC_OK)
        return st;
    /* no kind of synapses has such a name */
    snprintf(name, sizeof name, "point_processes.%s", block->mech->name);
    block->id = bosc_hash(name);
    fill(&batch->layout, from, block);
    bosc_batch_init_block(batch, block, job->celsius);
    return BOSC_OK;
}

/* Those of mechanism m, in the order of instances; how many of each entry into
 * 'counts', unless that is NULL. */
static bosc_status find_places(const bosc_model *model, const bosc_batch *batch,
                               int m, places *to, int64_t *counts,
                               bosc_error *err)
{
    const bosc_job *job = model->job;
    bosc_status st = BOSC_OK;

    for (int i = 0; i < bosc_points_n(&job->points) && st == BOSC_OK; ++i) {
        const size_t before = to->n;

        if (bosc_points_at(&job->points, i)->type.mech != m)
            continue;
        st = add_places(model, bosc_points_at(&job->points, i), batch, to, err);
        if (counts != NULL)
            counts[i] = (int64_t)(to->n - before);
    }
    if (st == BOSC_OK && to->n > 0 &&
        !sort(&batch->layout, job->mechs->mech[m], to))
        st = bosc_no_memory(err, "the point processes");
    return st;
}

bosc_status bosc_build_point_pointers(const bosc_model *model,
                                      const bosc_batch *batch, int m,
                                      const bosc_pointers **of, bosc_error *err)
{
    places found = {0};
    const bosc_status st = find_places(model, batch, m, &found, NULL, err);

    for (size_t i = 0; st == BOSC_OK && i < found.n; ++i)
        of[i] = &found.all[i].spec->type.pointers;
    clear_places(&found);
    return st;
}

/* The first one of mechanism m, NULL: there is none. */
static const bosc_point_spec *first_of(const bosc_job *job, int m)
{
    for (int i = 0; i < bosc_points_n(&job->points); ++i)
        if (bosc_points_at(&job->points, i)->type.mech == m)
            return bosc_points_at(&job->points, i);
    return NULL;
}

static bosc_status add_block(const bosc_model *model, int m,
                             const bosc_point_spec *first,
                             bosc_built_batch *packed, bosc_error *err)
{
    const bosc_job *job = model->job;
    bosc_batch *batch = &packed->batch;
    bosc_mech_block *block = &batch->blocks[batch->n_blocks++];
    places found = {0};
    bosc_status st = bosc_block_create(job->mechs->mech[m], first->type.p,
                                       batch->layout.n_groups, block, err);

    if (st == BOSC_OK)
        st = find_places(model, batch, m, &found, packed->placed, err);
    if (st == BOSC_OK)
        st = fill_block(job, batch, m, &found, block, err);
    clear_places(&found);
    return st;
}

bosc_status bosc_build_points(const bosc_model *model, bosc_built_batch *packed,
                              bosc_error *err)
{
    bosc_batch *batch = &packed->batch;
    const bosc_mechs *mechs = batch->mechs;
    const size_t n = (size_t)bosc_points_n(&model->job->points);
    size_t room = (size_t)batch->n_blocks;
    bosc_status st = BOSC_OK;

    if (n == 0)
        return BOSC_OK;
    packed->placed = bosc_alloc(n, sizeof *packed->placed);
    if (packed->placed == NULL ||
        !bosc_grow(&batch->blocks, &room, room + (size_t)mechs->n,
                   sizeof *batch->blocks))
        return bosc_no_memory(err, "the point processes");
    for (int stimuli = 0; stimuli <= 1; ++stimuli)
        for (int m = 0; m < mechs->n && st == BOSC_OK; ++m) {
            const bosc_point_spec *first = first_of(model->job, m);

            if (first != NULL && mechs->mech[m]->stimulus == stimuli)
                st = add_block(model, m, first, packed, err);
        }
    return st;
}
