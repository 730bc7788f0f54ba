/* cuda_job.c - mechanisms of the job's own, as arguments of the kernel
 * (cuda_step.h). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/gpu/host/cuda_engine.h"
#include "src/base/mem.h"

static bool is_bit(uint32_t mask, int j)
{
    return (mask >> j & 1u) != 0;
}

/* --- the arguments -------------------------------------------------------- */

static int n_ions(const bosc_mech *mech)
{
    return mech->n_ions;
}

static size_t bytes_of(const bosc_mech *mech)
{
    return sizeof(bosc_cuda_mech_args) +
           (size_t)n_ions(mech) * sizeof(double *) +
           ((size_t)mech->n_params + (size_t)mech->n_constants) *
               sizeof(bosc_cuda_value);
}

/* Where there are instances, at most one at a slot; no block: nowhere. */
static bosc_status bring_masks(bosc_engine *engine,
                               const bosc_mech_block *block,
                               const bosc_cuda_slot_mask **there,
                               bosc_error *err)
{
    const bosc_layout *layout = &engine->batch->layout;
    size_t n = 0, row = 0;
    bosc_cuda_slot_mask *masks;
    bosc_status st;

    for (int32_t g = 0; g < layout->n_groups; ++g)
        n += (size_t)bosc_cuda_rows(layout, g);
    masks = bosc_alloc(n, sizeof *masks);
    if (masks == NULL)
        return bosc_no_memory(err, "GPU mechanism tables");
    for (int32_t g = 0; g < layout->n_groups; ++g) {
        const ptrdiff_t end = block != NULL ? block->first[g + 1] : 0;
        ptrdiff_t i = block != NULL ? block->first[g] : 0;

        for (int32_t r = 0; r < bosc_cuda_rows(layout, g); ++r, ++row) {
            const int64_t from = (int64_t)r * BOSC_CUDA_WIDTH;

            masks[row].first = (uint32_t)i;
            for (; i < end && block->at[i] < from + BOSC_CUDA_WIDTH; ++i)
                masks[row].lanes |= 1u << (block->at[i] - from);
        }
    }
    st = BOSC_BRING(engine, err, {there, masks, n, sizeof *masks});
    free(masks);
    return st;
}

/* Where a variable of the host's is on the device: in which block. */
static double *find_there(const bosc_engine *engine, const double *state)
{
    const bosc_batch *batch = engine->batch;

    for (int32_t m = 0; m < batch->n_blocks; ++m) {
        const bosc_mech_block *block = &batch->blocks[m];

        for (int j = 0;
             block->mech->kind == BOSC_MECH_ION && j < block->mech->n_states;
             ++j)
            if (block->state[j] == state)
                return engine->state[m] + j * block->n;
    }
    assert(!"the block of an ion");
    return NULL;
}

/* uS per S/cm2 of each slot, which is the same for all that are there and are
 * no point processes. */
static bosc_status bring_scale(bosc_engine *engine, const double **there,
                               bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const bosc_layout *layout = &batch->layout;
    double *scale = bosc_alloc((size_t)layout->n_slots, sizeof *scale);
    bosc_status st;

    if (scale == NULL)
        return bosc_no_memory(err, "GPU mechanism tables");
    for (int32_t m = 0; m < batch->n_blocks; ++m) {
        const bosc_mech_block *block = &batch->blocks[m];

        if (!bosc_cuda_is_job_density(batch, block->mech))
            continue;
#pragma omp parallel for schedule(dynamic, 64)
        for (int32_t g = 0; g < layout->n_groups; ++g)
            for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i)
                scale[layout->first[g] + block->at[i]] = block->scale[i];
    }
    st = BOSC_BRING(engine, err,
                    {there, scale, (size_t)layout->n_slots, sizeof *scale});
    free(scale);
    return st;
}

/* Diameters and areas, which mechanisms share. */
static bosc_status bring_shape(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const size_t slots = (size_t)batch->layout.n_slots;

    if (engine->diam != NULL)
        return BOSC_OK;
    return BOSC_BRING(engine, err,
                      {&engine->diam, batch->diam, slots, sizeof(double)},
                      {&engine->area, batch->area, slots, sizeof(double)});
}

/* What a mechanism that is not plain has besides. */
static bosc_status bring_full(bosc_engine *engine, const bosc_mech_block *block,
                              bosc_cuda_mech_args *head, double **ion,
                              bosc_error *err)
{
    const bosc_mech *mech = block->mech;
    const size_t n = (size_t)block->n;
    const bool point = block->mech->kind == BOSC_MECH_POINT;
    bosc_status st = BOSC_OK;

    head->idle = block->idle;
    for (int j = 0; j < mech->n_ions; ++j) {
        ion[j] = find_there(engine, block->ion[j]);
        if (mech->ions[j].variable == BOSC_ION_CURRENT &&
            !is_bit(block->idle, j))
            head->currents |= 1u << j;
    }
    if (mech->geometry || (point && n > 0)) {
        st = bring_shape(engine, err);
        head->diam = engine->diam;
        head->area = engine->area;
    }
    if (st == BOSC_OK && mech->draws)
        st = BOSC_BRING(engine, err,
                        {&head->stream, block->stream,
                         4 * (n + (size_t)block->n_points),
                         sizeof *block->stream});
    if (st == BOSC_OK && point)
        st = BOSC_BRING(engine, err,
                        {&head->scratch, NULL, (2 + (size_t)mech->n_ions) * n,
                         sizeof(double)});
    return st;
}

/* Write the arguments of block m at 'to': the head, and behind it ion[], p and
 * k.  There: the block as it is on the device. */
static bosc_status fill_args(bosc_engine *engine, int32_t m,
                             const bosc_cuda_block *there, void *to,
                             bosc_error *err)
{
    const bosc_mech_block *block = &engine->batch->blocks[m];
    const bosc_mech *mech = block->mech;
    bosc_cuda_mech_args *head = to;
    double **ion = (double **)(head + 1);
    bosc_cuda_value *p = (bosc_cuda_value *)(ion + n_ions(mech));
    bosc_cuda_value *k = p + mech->n_params;
    bosc_status st = BOSC_OK;

    head->n = (uint64_t)block->n;
    head->first = there->first;
    head->at = there->at;
    head->scale = there->scale;
    head->state = there->state;
    if (mech->kind != BOSC_MECH_POINT)
        st = bring_masks(engine, block, &head->masks, err);
    if (st == BOSC_OK && !mech->plain)
        st = bring_full(engine, block, head, ion, err);
    if (st == BOSC_OK)
        st = bosc_cuda_bring_values(engine, block, &block->p, mech->n_params, p,
                                    err);
    if (st == BOSC_OK)
        st = bosc_cuda_bring_values(engine, block, &block->k, mech->n_constants,
                                    k, err);
    for (int j = 0; j < mech->n_params; ++j)
        head->varies |= p[j].at != NULL;
    for (int j = 0; j < mech->n_constants; ++j)
        head->varies |= k[j].at != NULL;
    return st;
}

/* May there be several blocks of a full point process?  Then its code finds
 * what each has in memory. */
static bool is_multi_block(const bosc_batch *batch, const bosc_mech *mech)
{
    return !mech->plain && mech->kind == BOSC_MECH_POINT &&
           (batch->program.multi_block >>
                bosc_mechs_find(batch->mechs, mech->name) &
            1u) != 0;
}

/* Bring those blocks. */
static bosc_status bring_multi_block(bosc_engine *engine,
                                     bosc_cuda_block *blocks, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    bosc_status st = BOSC_OK;

    for (int32_t m = 0; m < batch->n_blocks && st == BOSC_OK; ++m) {
        const bosc_mech *mech = batch->blocks[m].mech;
        bosc_cuda_mech_extra extra = {0};
        void *args;

        if (!is_multi_block(batch, mech))
            continue;
        args = bosc_alloc(bytes_of(mech), 1);
        st = args == NULL ? bosc_no_memory(err, "GPU mechanism tables")
                          : fill_args(engine, m, &blocks[m], args, err);
        if (st == BOSC_OK)
            st =
                BOSC_BRING(engine, err, {&extra.args, args, bytes_of(mech), 1});
        if (st == BOSC_OK)
            st = BOSC_BRING(engine, err,
                            {&blocks[m].extra, &extra, 1, sizeof extra});
        free(args);
    }
    return st;
}

static int32_t find_block(const bosc_batch *batch, const bosc_mech *mech)
{
    for (int32_t m = 0; m < batch->n_blocks; ++m)
        if (batch->blocks[m].mech == mech)
            return m;
    return -1;
}

/* Has the batch a density of the job's own? */
static bool has_job_density(const bosc_batch *batch)
{
    for (int32_t m = 0; m < batch->n_blocks; ++m)
        if (bosc_cuda_is_job_density(batch, batch->blocks[m].mech))
            return true;
    return false;
}

bosc_status bosc_cuda_bring_job(bosc_engine *engine, bosc_cuda_block *there,
                                bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const bosc_mechs *mechs = batch->mechs;
    const uint64_t used = batch->program.used;
    const double *scale = NULL;
    size_t bytes = 0, at = 0;
    bosc_status st;

    for (int i = 0; i < mechs->n; ++i)
        if ((used >> i & 1u) != 0)
            bytes += bytes_of(mechs->mech[i]);
    engine->job_args = bosc_alloc(bytes, 1);
    if (engine->job_args == NULL)
        return bosc_no_memory(err, "GPU mechanism tables");
    st = has_job_density(batch) ? bring_scale(engine, &scale, err) : BOSC_OK;
    for (int i = 0; i < mechs->n && st == BOSC_OK; ++i) {
        const bosc_mech *mech = mechs->mech[i];
        const int32_t m = find_block(batch, mech);

        if ((used >> i & 1u) == 0)
            continue;
        bosc_cuda_mech_args *args =
            (bosc_cuda_mech_args *)(engine->job_args + at);

        if (m >= 0 && !is_multi_block(batch, mech))
            st = fill_args(engine, m, &there[m], args, err);
        else if (bosc_cuda_is_job_density(batch, mech))
            st = bring_masks(engine, NULL, &args->masks, err);
        if (bosc_cuda_is_job_density(batch, mech))
            args->scale = scale;
        at += bytes_of(mech);
    }
    if (st == BOSC_OK)
        st = bring_multi_block(engine, there, err);
    engine->step.job.args = engine->job_args;
    if (st != BOSC_OK || bytes <= BOSC_CUDA_MAX_ARGS_BYTES)
        return st;
    engine->step.job.args = &engine->job_args_device;
    return BOSC_BRING(engine, err,
                      {&engine->job_args_device, engine->job_args, bytes, 1});
}
