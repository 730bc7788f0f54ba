#include "kernels/mech/mech.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/memo.h"
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

    *block = (bosc_mech_block){
        .mech = mech, .id = bosc_hash(mech->name), .n_groups = n_groups};
    if (!BOSC_ARRAYS(BOSC_ARRAY(block->first, (size_t)n_groups + 1),
                     BOSC_ARRAY(block->p.all, n_params),
                     BOSC_ARRAY(block->k.all, mech->n_constants),
                     BOSC_ARRAY(block->state, mech->n_states)))
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
    enough = BOSC_ARRAYS(BOSC_ARRAY(block->at, n), BOSC_ARRAY(block->scale, n),
                         BOSC_ARRAY(block->style, ions),
                         BOSC_ARRAY(block->stream, mech->draws ? 4 * n : 0),
                         BOSC_ARRAY(block->ion, mech->n_ions),
                         BOSC_ARRAY(block->steady, mech->n_ions),
                         BOSC_ARRAY(block->pointers, mech->n_pointers));
    for (int k = 0; enough && k < mech->n_pointers; ++k) {
        block->pointers[k].to =
            bosc_alloc((size_t)n, sizeof *block->pointers[k].to);
        enough = block->pointers[k].to != NULL;
    }
    for (int s = 0; s < mech->n_states; ++s) {
        block->state[s] = bosc_alloc((size_t)n, sizeof *block->state[s]);
        enough = enough && block->state[s] != NULL;
    }
    return enough ? BOSC_OK : no_room(block, err);
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

    if (column == NULL || (value == 0 && !signbit(value)))
        return column;
#pragma omp parallel for schedule(static) if (n > BOSC_MECH_CHUNK)
    for (size_t i = 0; i < n; ++i)
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
    bosc_mech_instance one; /* far more than a mechanism uses */

    if (!block->mech->plain)
        return;
    one.here[0] = v;
    one.here[1] = one.here[2] = one.here[3] = 0;
    one.celsius = celsius;
    one.stream = NULL;
    one.sent = (bosc_mech_sent){0};
    memset(one.ion, 0, sizeof one.ion);
    memset(one.s, 0, (size_t)block->mech->n_states * sizeof *one.s);
    memset(one.k, 0, (size_t)block->mech->n_constants * sizeof *one.k);
    get_params(block, i, one.p);
    block->mech->formula.init(&one);
    for (int j = 0; j < block->mech->n_states; ++j)
        block->state[j][i] = one.s[j];
}

void bosc_block_copy(const bosc_mech_block *block, double *numbers)
{
    const ptrdiff_t *first = block->first;

    if (block->like == NULL)
        return;
#pragma omp parallel for schedule(static)
    for (int32_t g = 0; g < block->n_groups; ++g)
        if (bosc_block_copies(block, g))
            memcpy(numbers + first[g], numbers + first[block->like[g]],
                   (size_t)(first[g + 1] - first[g]) * sizeof *numbers);
}

/* What a thread needs to make constants. */
typedef struct preparer {
    bosc_mech_block *block;
    double celsius, dt;
    bosc_memo memo;  /* from the parameters that vary to the constants */
    double *p;       /* [n_params] */
    double **column; /* [n_constants] the block's where one has a number for
                        each instance; NULL: not yet looked for */
} preparer;

/* Constant j differs in some instance: its numbers; NULL without memory. */
static double *column_of(preparer *w, int j)
{
    double *column = NULL;

    if (w->column[j] != NULL)
        return w->column[j];
#pragma omp critical(bosc_block_prepare)
    if (vary(&w->block->k, j, w->block->n))
        column = w->block->k.column[j];
    return w->column[j] = column;
}

static bool prepare_one(preparer *w, ptrdiff_t i)
{
    const bosc_mech_block *block = w->block;
    const bosc_mech *mech = block->mech;
    double *k, *key = w->memo.key;
    bool known;

    for (int j = 0; j < mech->n_params; ++j)
        if (block->p.varies[j])
            *key++ = block->p.column[j][i];
    k = bosc_memo_find(&w->memo, &known);
    if (!known) {
        get_params(block, i, w->p);
        mech->formula.prepare(w->p, w->celsius, w->dt, k);
    }
    for (int j = 0; j < mech->n_constants; ++j)
        if (k[j] != block->k.all[j]) {
            double *column = column_of(w, j);

            if (column == NULL)
                return false;
            column[i] = k[j];
        }
    return true;
}

/* Those of every instance, in columns of their own where they differ from those
 * in k.all. */
static bool prepare_each(bosc_mech_block *block, double celsius, double dt)
{
    const bosc_mech *mech = block->mech;
    bool enough = true;
    int n_varying = 0;

    if (!add_columns(&block->k, mech->n_constants))
        return false;
    for (int j = 0; j < mech->n_params; ++j)
        n_varying += block->p.varies[j];
#pragma omp parallel reduction(&& : enough)
    {
        preparer w = {.block = block, .celsius = celsius, .dt = dt};

        w.p = bosc_alloc((size_t)mech->n_params, sizeof *w.p);
        w.column = bosc_alloc((size_t)mech->n_constants, sizeof *w.column);
        enough =
            enough && w.p != NULL && w.column != NULL &&
            bosc_memo_create(&w.memo, n_varying, mech->n_constants, block->n);
#pragma omp for schedule(guided)
        for (int32_t g = 0; g < block->n_groups; ++g)
            for (ptrdiff_t i = block->first[g];
                 i < block->first[g + 1] && !bosc_block_copies(block, g); ++i)
                enough = enough && prepare_one(&w, i);
        bosc_memo_clear(&w.memo);
        free(w.column);
        free(w.p);
    }
    for (int j = 0; enough && j < mech->n_constants; ++j)
        if (block->k.varies[j])
            bosc_block_copy(block, block->k.column[j]);
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
    return prepare_each(block, celsius, dt) ? BOSC_OK : no_room(block, err);
}

/* --- tables --------------------------------------------------------------- */

bosc_status bosc_block_add_table(bosc_mech_block *block, ptrdiff_t n,
                                 const double *points, bosc_error *err)
{
    const size_t before = (size_t)(block->n + block->n_points);
    const size_t most = UINT32_MAX, all = before + (size_t)n;
    uint32_t *stream =
        all <= most ? realloc(block->stream, 4 * all * sizeof *stream) : NULL;

    if (stream == NULL)
        return bosc_no_memory(err, "the tables of stimuli");
    memcpy(stream + 4 * before, points, 2 * (size_t)n * sizeof *points);
    block->stream = stream;
    block->n_points += n;
    return BOSC_OK;
}

void bosc_block_play(bosc_mech_block *block, ptrdiff_t i, ptrdiff_t first,
                     ptrdiff_t n)
{
    block->stream[4 * i] = (uint32_t)(block->n - i + first);
    block->stream[4 * i + 1] = (uint32_t)n;
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
