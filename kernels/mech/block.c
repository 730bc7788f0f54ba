#include "kernels/mech/mech.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/random.h"

static bosc_status no_room(const bosc_mech_block *block, bosc_error *err)
{
    return bosc_fail(err, BOSC_ENOMEM, "out of memory for %td instances of %s",
                     block->n, block->mech->name);
}

bosc_status bosc_block_create(const bosc_mech *mech, const double *p,
                              int32_t n_groups, bosc_mech_block *block,
                              bosc_error *err)
{
    const size_t n_params = (size_t)mech->n_params;

    *block = (bosc_mech_block){.mech = mech, .id = bosc_hash(mech->name)};
    block->first = bosc_alloc((size_t)n_groups + 1, sizeof *block->first);
    block->p.all = bosc_alloc(n_params, sizeof *block->p.all);
    block->k.all = bosc_alloc((size_t)mech->n_constants, sizeof *block->k.all);
    block->state = bosc_alloc((size_t)mech->n_states, sizeof *block->state);
    if (block->first == NULL || block->p.all == NULL || block->k.all == NULL ||
        block->state == NULL)
        return no_room(block, err);
    memcpy(block->p.all, p, n_params * sizeof *p);
    return BOSC_OK;
}

bosc_status bosc_block_alloc(bosc_mech_block *block, ptrdiff_t n,
                             bosc_error *err)
{
    const bosc_mech *mech = block->mech;
    const size_t ions = mech->kind == BOSC_MECH_ION ? (size_t)n : 0;
    bool enough;

    block->n = n;
    block->at = bosc_alloc((size_t)n, sizeof *block->at);
    block->scale = bosc_alloc((size_t)n, sizeof *block->scale);
    block->style = bosc_alloc(ions, sizeof *block->style);
    block->stream =
        bosc_alloc(mech->draws ? 4 * (size_t)n : 0, sizeof *block->stream);
    block->ion = bosc_alloc((size_t)mech->n_ions, sizeof *block->ion);
    block->steady = bosc_alloc((size_t)mech->n_ions, sizeof *block->steady);
    block->pointers =
        bosc_alloc((size_t)mech->n_pointers, sizeof *block->pointers);
    enough = block->pointers != NULL && block->style != NULL &&
             block->ion != NULL && block->steady != NULL &&
             block->stream != NULL;
    for (int k = 0; enough && k < mech->n_pointers; ++k) {
        block->pointers[k].to =
            bosc_alloc((size_t)n, sizeof *block->pointers[k].to);
        enough = block->pointers[k].to != NULL;
    }
    for (int s = 0; s < mech->n_states; ++s) {
        block->state[s] = bosc_alloc((size_t)n, sizeof *block->state[s]);
        enough = enough && block->state[s] != NULL;
    }
    return enough && block->at != NULL && block->scale != NULL
               ? BOSC_OK
               : no_room(block, err);
}

/* --- values that differ from instance to instance ------------------------- */

static void clear_columns(bosc_mech_values *values, int count)
{
    for (int j = 0; values->column != NULL && j < count; ++j)
        free(values->column[j]);
    free(values->column);
    free(values->varies);
    values->column = NULL;
    values->varies = NULL;
}

/* A column of n numbers, all as given. */
static double *new_column(size_t n, double value)
{
    double *column = bosc_alloc(n, sizeof *column);

    for (size_t i = 0; column != NULL && i < n; ++i)
        column[i] = value;
    return column;
}

/* Columns of equal numbers. */
static bool add_columns(bosc_mech_values *values, int count)
{
    bool enough;

    values->column = bosc_alloc((size_t)count, sizeof *values->column);
    values->varies = bosc_alloc((size_t)count, sizeof *values->varies);
    enough = values->column != NULL && values->varies != NULL;
    for (int j = 0; enough && j < count; ++j) {
        values->column[j] = new_column(BOSC_MECH_CHUNK, values->all[j]);
        enough = values->column[j] != NULL;
    }
    return enough;
}

/* Let value j have a number for each of n instances. */
static bool vary(bosc_mech_values *values, int j, ptrdiff_t n)
{
    double *column;

    if (values->varies[j])
        return true;
    if ((column = new_column((size_t)n, values->all[j])) == NULL)
        return false;
    free(values->column[j]);
    values->column[j] = column;
    return values->varies[j] = true;
}

bosc_status bosc_block_vary(bosc_mech_block *block, int j, bosc_error *err)
{
    bosc_mech_values *p = &block->p;

    if ((p->column == NULL && !add_columns(p, block->mech->n_params)) ||
        !vary(p, j, block->n))
        return no_room(block, err);
    return BOSC_OK;
}

static void get_params(const bosc_mech_block *block, ptrdiff_t i, double *p)
{
    for (int j = 0; j < block->mech->n_params; ++j)
        p[j] = bosc_mech_value(&block->p, j, i);
}

/* --- states and constants ------------------------------------------------- */

void bosc_block_init(bosc_mech_block *block, double v, double celsius)
{
    const bosc_mech *mech = block->mech;
    bosc_mech_instance one = {.here = {v}, .celsius = celsius};

    if (!mech->plain) /* needs more: bosc_batch_start() */
        return;
    for (ptrdiff_t i = 0; block->p.column != NULL && i < block->n; ++i) {
        get_params(block, i, one.p);
        mech->formula.init(&one);
        for (int j = 0; j < mech->n_states; ++j)
            block->state[j][i] = one.s[j];
    }
    if (block->p.column != NULL)
        return;
    get_params(block, 0, one.p);
    mech->formula.init(&one);
    for (int j = 0; j < mech->n_states; ++j)
#pragma omp parallel for schedule(static)
        for (ptrdiff_t i = 0; i < block->n; ++i)
            block->state[j][i] = one.s[j];
}

void bosc_block_init_one(bosc_mech_block *block, ptrdiff_t i, double v,
                         double celsius)
{
    bosc_mech_instance one = {.here = {v}, .celsius = celsius};

    if (!block->mech->plain)
        return;
    get_params(block, i, one.p);
    block->mech->formula.init(&one);
    for (int j = 0; j < block->mech->n_states; ++j)
        block->state[j][i] = one.s[j];
}

/* Those of every instance, in columns of their own where they differ.  k is
 * that of the first instance, which is in k.all as well. */
static bool prepare_each(bosc_mech_block *block, double celsius, double dt,
                         double *p, double *k)
{
    const bosc_mech *mech = block->mech;
    bool enough = add_columns(&block->k, mech->n_constants);

    for (ptrdiff_t i = 0; enough && i < block->n; ++i) {
        get_params(block, i, p);
        mech->formula.prepare(p, celsius, dt, k);
        for (int j = 0; enough && j < mech->n_constants; ++j) {
            if (k[j] != block->k.all[j])
                enough = vary(&block->k, j, block->n);
            if (enough && block->k.varies[j])
                block->k.column[j][i] = k[j];
        }
    }
    return enough;
}

static bool any_varies(const bosc_mech_values *values, int count)
{
    for (int j = 0; j < count; ++j)
        if (values->varies[j])
            return true;
    return false;
}

bosc_status bosc_block_prepare(bosc_mech_block *block, double celsius,
                               double dt, bosc_error *err)
{
    const bosc_mech *mech = block->mech;
    double *p, *k;
    bosc_status st = BOSC_OK;

    clear_columns(&block->k, mech->n_constants);
    mech->formula.prepare(block->p.all, celsius, dt, block->k.all);
    if (bosc_mech_is_own(mech) && block->p.column == NULL) {
        /* its loops always take columns */
        return add_columns(&block->p, mech->n_params) &&
                       add_columns(&block->k, mech->n_constants)
                   ? BOSC_OK
                   : no_room(block, err);
    }
    if (block->p.column == NULL)
        return BOSC_OK;
    if (!any_varies(&block->p, mech->n_params))
        return add_columns(&block->k, mech->n_constants) ? BOSC_OK
                                                         : no_room(block, err);
    p = bosc_alloc((size_t)mech->n_params, sizeof *p);
    k = bosc_alloc((size_t)mech->n_constants, sizeof *k);
    if (p == NULL || k == NULL || !prepare_each(block, celsius, dt, p, k))
        st = no_room(block, err);
    free(p);
    free(k);
    return st;
}

void bosc_block_clear(bosc_mech_block *block)
{
    if (block->mech == NULL)
        return;
    clear_columns(&block->p, block->mech->n_params);
    clear_columns(&block->k, block->mech->n_constants);
    for (int s = 0; block->state != NULL && s < block->mech->n_states; ++s)
        free(block->state[s]);
    free(block->state);
    free(block->p.all);
    free(block->k.all);
    free(block->first);
    free(block->at);
    free(block->cell);
    free(block->scale);
    for (int j = 0; block->steady != NULL && j < block->mech->n_ions; ++j)
        free(block->steady[j]);
    free(block->steady);
    for (int k = 0; block->pointers != NULL && k < block->mech->n_pointers;
         ++k) {
        free(block->pointers[k].to);
        free(block->pointers[k].first);
        free(block->pointers[k].weight);
    }
    free(block->pointers);
    free(block->ion);
    free(block->style);
    free(block->stream);
    *block = (bosc_mech_block){0};
}

size_t bosc_block_bytes(const bosc_mech *mech, int n_varying)
{
    const int constants = n_varying > 0 ? mech->n_constants : 0;
    const size_t pointers = (size_t)mech->n_pointers * sizeof(double *);
    const size_t more = mech->kind == BOSC_MECH_ION ? 1
                        : mech->draws               ? 4 * sizeof(uint32_t)
                                                    : 0;

    const int scale = mech->kind != BOSC_MECH_ION; /* which nobody writes */

    return sizeof(int32_t) * (mech->artificial ? 2 : 1) + more + pointers +
           (size_t)(scale + mech->n_states + n_varying + constants) *
               sizeof(double);
}
