/* build_blocks.c - the mechanisms of a batch, and its voltage.
 *
 * Entry: bosc_fill_blocks.  Its phases, in order:
 *   list_blocks    which mechanisms there are
 *   count, place   the instances of each
 *   set_voltage    v
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/batch/build_fill.h"

/* The first membrane of the job that has mechanism m, NULL: none has. */
static const bosc_region_mech *first_with(const bosc_filler *f, int m)
{
    for (int32_t k = 0; k < f->membranes.n_listed; ++k)
        if (f->membranes.all[k]->spec.mech[m].has)
            return &f->membranes.all[k]->spec.mech[m];
    return NULL;
}

/* Which blocks each membrane has. */
static bosc_status list_present(bosc_filler *f, bosc_error *err)
{
    const size_t n = (size_t)f->membranes.n,
                 n_blocks = (size_t)f->batch->n_blocks;
    int32_t at = 0;

    if (BOSC_ALLOC(err, "the mechanisms", BOSC_ARRAY(f->first_present, n + 1),
                   BOSC_ARRAY(f->present, n * n_blocks)) != BOSC_OK)
        return BOSC_ENOMEM;
    for (int32_t k = 0; k < f->membranes.n; ++k) {
        for (int32_t b = 0; b < f->batch->n_blocks; ++b) {
            const bosc_region_mech *mech =
                &f->membranes.all[k]->spec.mech[f->mech[b]];

            if (mech->has)
                f->present[at++] = (bosc_present){b, mech};
        }
        f->first_present[k + 1] = at;
    }
    return BOSC_OK;
}

/* One block for every mechanism with a step that any membrane has, in the order
 * of the set. */
static bosc_status list_blocks(bosc_filler *f, bosc_error *err)
{
    const bosc_job *job = f->job;
    const bosc_mechs *mechs = job->mechs;
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
                               &batch->blocks[batch->n_blocks], err);
        batch->blocks[batch->n_blocks++].like = batch->like;
    }
    if (st != BOSC_OK)
        return st;
    return list_present(f, err);
}

/* Place instance i of what a membrane has, at a slot of group g. */
static void place(const bosc_filler *f, int32_t g, int32_t at, ptrdiff_t i,
                  const bosc_present *what)
{
    const ptrdiff_t s = f->batch->layout.first[g] + at;
    bosc_mech_block *block = &f->batch->blocks[what->block];
    const double *p = what->mech->p;
    double room[3];

    if (block->mech->kind == BOSC_MECH_ION) {
        bosc_build_ion(block, s,
                       bosc_filler_params(f, f->mech[what->block], p, s, room),
                       what->mech->style);
        return;
    }
    block->at[i] = at;
    block->scale[i] = f->batch->v[s] * 1e-2;
    for (int32_t k = f->first_column[what->block];
         k < f->first_column[what->block + 1]; ++k) {
        const bosc_fill_column *own = &f->columns[k];

        own->to[i] = own->key >= 0 ? f->varying[own->key][s] : p[own->param];
    }
}

/* Visit the instances of group g in slot order: of each block count them, or
 * place them. */
static void visit_group(const bosc_filler *f, int32_t g, bool placing)
{
    const bosc_layout *layout = &f->batch->layout;
    const int32_t n_blocks = f->batch->n_blocks;
    bosc_mech_block *blocks = f->batch->blocks;
    ptrdiff_t next[BOSC_MAX_MECHS]; /* of each block */

    for (int32_t b = 0; b < n_blocks; ++b)
        next[b] = placing ? blocks[b].first[g] : 0;
    for (int32_t at = 0; at < bosc_layout_slots(layout, g); ++at) {
        const int32_t membrane =
            f->at[layout->first[g] + at] - BOSC_FILL_MEMBRANE;

        if (membrane < 0)
            continue;
        for (int32_t k = f->first_present[membrane];
             k < f->first_present[membrane + 1]; ++k) {
            const bosc_present *what = &f->present[k];

            if (placing)
                place(f, g, at, next[what->block], what);
            ++next[what->block];
        }
    }
    for (int32_t b = 0; b < n_blocks && !placing; ++b)
        blocks[b].first[g + 1] = next[b];
}

/* Where a slot's voltage begins. */
static double v_at(const bosc_filler *f, ptrdiff_t s)
{
    const int32_t at = f->at[s];
    double v;

    if (at == BOSC_FILL_PADDING)
        return 0;
    v = at < 0 ? f->membranes.all[-1 - at]->spec.cable[BOSC_V_INIT]
               : bosc_filler_cable(f, at - BOSC_FILL_MEMBRANE, BOSC_V_INIT, s);
    return isnan(v) ? f->job->v_init : v;
}

/* In the place of areas. */
static void set_voltage(const bosc_filler *f)
{
    const bosc_layout *layout = &f->batch->layout;

#pragma omp parallel for schedule(guided)
    for (int32_t g = 0; g < layout->n_groups; ++g)
        for (ptrdiff_t s = layout->first[g];
             s < layout->first[g + 1] && !bosc_batch_copies(f->batch, g); ++s)
            f->batch->v[s] = v_at(f, s);
    bosc_batch_copy(f->batch, f->batch->v);
}

static void visit_groups(const bosc_filler *f, bool placing)
{
#pragma omp parallel for schedule(guided)
    for (int32_t g = 0; g < f->batch->layout.n_groups; ++g)
        if (!bosc_batch_copies(f->batch, g))
            visit_group(f, g, placing);
}

/* Which parameters of the blocks are columns. */
static bosc_status list_columns(bosc_filler *f, bosc_error *err)
{
    const bosc_batch *batch = f->batch;
    int32_t n = 0;

    for (int32_t b = 0; b < batch->n_blocks; ++b)
        n += batch->blocks[b].mech->n_params;
    if (BOSC_ALLOC(err, "the mechanisms", BOSC_ARRAY(f->columns, n)) != BOSC_OK)
        return BOSC_ENOMEM;
    n = 0;
    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        const bosc_mech_block *block = &batch->blocks[b];

        for (int j = 0; block->p.column != NULL && j < block->mech->n_params;
             ++j)
            if (block->p.varies[j])
                f->columns[n++] = (bosc_fill_column){
                    block->p.column[j], j, bosc_filler_key(f, f->mech[b], j)};
        f->first_column[b + 1] = n;
    }
    return BOSC_OK;
}

/* Room for the instances of block b. */
static bosc_status block_alloc(const bosc_filler *f, int32_t b, bosc_error *err)
{
    const int32_t n_groups = f->batch->layout.n_groups;
    bosc_mech_block *block = &f->batch->blocks[b];
    bosc_status st;

    if (block->mech->kind == BOSC_MECH_ION)
        return bosc_build_ion_block(&f->batch->layout, block, err);

    for (int32_t g = 0; g < n_groups; ++g) /* they are still counts */
        if (bosc_batch_copies(f->batch, g))
            block->first[g + 1] = block->first[f->batch->like[g] + 1];
    for (int32_t g = 0; g < n_groups; ++g)
        block->first[g + 1] += block->first[g];
    st = bosc_block_alloc(block, block->first[n_groups], err);
    for (int j = 0; j < block->mech->n_params && st == BOSC_OK; ++j)
        if (bosc_job_varies(f->job, f->mech[b], j))
            st = bosc_block_vary(block, j, err);
    return st;
}

/* The instances of groups that are copies. */
static void copy_block(const bosc_batch *batch, const bosc_mech_block *block)
{
    const bool is_ion = block->mech->kind == BOSC_MECH_ION;
    const ptrdiff_t *first = block->first;

#pragma omp parallel for schedule(guided)
    for (int32_t g = 0; g < batch->layout.n_groups; ++g) {
        const int32_t like = batch->like[g];
        const size_t n = (size_t)(first[g + 1] - first[g]);

        if (like == g)
            continue;
        memcpy(block->at + first[g], block->at + first[like],
               n * sizeof *block->at);
        if (is_ion)
            memcpy(block->style + first[g], block->style + first[like],
                   n * sizeof *block->style);
    }
    if (!is_ion)
        bosc_block_copy(block, block->scale);
    for (int j = 0; is_ion && j < block->mech->n_states; ++j)
        bosc_block_copy(block, block->state[j]);
    for (int j = 0; block->p.column != NULL && j < block->mech->n_params; ++j)
        if (block->p.varies[j])
            bosc_block_copy(block, block->p.column[j]);
}

/* Count and place the instances. */
static bosc_status place_all(bosc_filler *f, bosc_error *err)
{
    const bosc_batch *batch = f->batch;
    bosc_status st = BOSC_OK;

    visit_groups(f, false);
    for (int32_t b = 0; b < batch->n_blocks && st == BOSC_OK; ++b)
        st = block_alloc(f, b, err);
    if (st == BOSC_OK)
        st = list_columns(f, err);
    if (st != BOSC_OK)
        return st;
    visit_groups(f, true);
    for (int32_t b = 0; b < batch->n_blocks; ++b)
        copy_block(batch, &batch->blocks[b]);
    return BOSC_OK;
}

bosc_status bosc_fill_blocks(bosc_filler *f, bosc_error *err)
{
    const bosc_batch *batch = f->batch;
    bosc_status st = list_blocks(f, err);

    if (st == BOSC_OK)
        st = place_all(f, err);
    if (st != BOSC_OK)
        return st;
    set_voltage(f);
    for (int32_t b = 0; b < batch->n_blocks; ++b)
        bosc_batch_init_block(batch, &batch->blocks[b], f->job->celsius);
    return BOSC_OK;
}
