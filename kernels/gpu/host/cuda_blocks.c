/* cuda_blocks.c - the mechanisms of a batch, brought to a GPU. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/gpu/host/cuda_engine.h"
#include "kernels/mech/builtin.h"
#include "kernels/mech/ion.h"
#include "src/base/mem.h"

/* --- values --------------------------------------------------------------- */

/* Values of the instances of a block, however many, as an array there. */
static bosc_status bring_many(bosc_engine *engine, const bosc_mech_block *b,
                              const bosc_mech_values *values, int count,
                              const bosc_cuda_value **there, bosc_error *err)
{
    bosc_cuda_value *all = bosc_alloc((size_t)count, sizeof *all);
    bosc_status st = all == NULL ? bosc_no_memory(err, "GPU mechanism tables")
                                 : bosc_cuda_bring_values(engine, b, values,
                                                          count, all, err);

    if (st == BOSC_OK)
        st = BOSC_BRING(engine, err, {there, all, (size_t)count, sizeof *all});
    free(all);
    return st;
}

/* --- rows of groups ------------------------------------------------------- */

/* Where the instances of each row of 32 slots begin. */
static bosc_status bring_first(bosc_engine *engine,
                               const bosc_mech_block *block,
                               const ptrdiff_t **there, bosc_error *err)
{
    const bosc_layout *layout = &engine->batch->layout;
    size_t n = 0, row = 0;
    ptrdiff_t *first;
    bosc_status st;

    for (int32_t g = 0; g < layout->n_groups; ++g)
        n += (size_t)bosc_cuda_rows(layout, g);
    first = bosc_alloc(n + 1, sizeof *first);
    if (first == NULL)
        return bosc_no_memory(err, "GPU mechanism tables");
    for (int32_t g = 0; g < layout->n_groups; ++g) {
        ptrdiff_t i = block->first[g];

        for (int32_t r = 0; r < bosc_cuda_rows(layout, g); ++r, ++row) {
            while (i < block->first[g + 1] &&
                   block->at[i] < (int64_t)r * BOSC_CUDA_WIDTH)
                ++i;
            first[row] = i;
        }
    }
    first[n] = block->n;
    st = BOSC_BRING(engine, err, {there, first, n + 1, sizeof *first});
    free(first);
    return st;
}

/* --- blocks --------------------------------------------------------------- */

static bosc_status bring_more(bosc_engine *engine, const bosc_mech_block *block,
                              bosc_cuda_block *to, bosc_error *err)
{
    const bosc_mech *mech = block->mech;
    bosc_cuda_mech_extra extra = {0};
    bosc_status st =
        bring_many(engine, block, &block->p, mech->n_params, &extra.p, err);

    if (st == BOSC_OK)
        st = bring_many(engine, block, &block->k, mech->n_constants, &extra.k,
                        err);
    return st == BOSC_OK
               ? BOSC_BRING(engine, err, {&to->extra, &extra, 1, sizeof extra})
               : st;
}

/* The states, and of an ion all. */
static bosc_status bring_states(bosc_engine *engine, int32_t m,
                                bosc_cuda_block *to, bosc_error *err)
{
    const bosc_mech_block *block = &engine->batch->blocks[m];
    const size_t n = (size_t)block->n;
    bosc_cuda_mech_extra extra = {0};
    bosc_status st = BOSC_BRING(
        engine, err,
        {&to->state, NULL, n * (size_t)block->mech->n_states, sizeof(double)});

    to->mech = bosc_mechs_find(engine->batch->mechs, block->mech->name);
    to->n = block->n;
    to->n_states = block->mech->n_states;
    engine->state[m] = to->state;
    for (int j = 0; j < to->n_states && st == BOSC_OK; ++j)
        st = bosc_cuda_bring_to(engine, to->state + j * block->n,
                                block->state[j], n * sizeof(double), err);
    if (block->mech->kind != BOSC_MECH_ION || st != BOSC_OK)
        return st;
    st = BOSC_BRING(engine, err,
                    {&extra.style, block->style, n, sizeof *block->style});
    extra.nernst = bosc_ion_per_e(block);
    extra.idle = block->idle != 0;
    extra.follows = block->follows;
    return st == BOSC_OK
               ? BOSC_BRING(engine, err, {&to->extra, &extra, 1, sizeof extra})
               : st;
}

static bosc_status bring_block(bosc_engine *engine, int32_t m,
                               bosc_cuda_block *to, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const bosc_mech_block *block = &batch->blocks[m];
    const bosc_mech *mech = block->mech;
    const size_t n = (size_t)block->n;
    const bool streams = engine->step.streamed.n > 0;
    bosc_status st;

    to->is_full = bosc_mech_is_own(mech) && mech->text != NULL;
    if (bosc_cuda_is_job_density(batch, mech))
        return BOSC_OK; /* cuda_job.c brings the rest */
    st = BOSC_BRING(engine, err,
                    {&to->at, block->at, streams ? n : 0, sizeof *block->at},
                    {&to->scale, block->scale, n, sizeof *block->scale});
    if (to->is_full)
        return st == BOSC_OK && streams
                   ? bring_first(engine, block, &to->first, err)
                   : st;
    to->p_varies = block->p.column != NULL;
    to->k_varies = block->k.column != NULL;
    if (st == BOSC_OK && mech->n_params <= BOSC_CUDA_VALUES)
        st = bosc_cuda_bring_values(engine, block, &block->p, mech->n_params,
                                    to->p, err);
    if (st == BOSC_OK && mech->n_constants <= BOSC_CUDA_VALUES)
        st = bosc_cuda_bring_values(engine, block, &block->k, mech->n_constants,
                                    to->k, err);
    return st == BOSC_OK && to->mech >= BOSC_N_BUILTIN_MECHS
               ? bring_more(engine, block, to, err)
               : st;
}

static bosc_status bring_ions(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    int32_t ions[BOSC_MAX_MECHS], n = 0;

    for (int32_t m = 0; m < batch->n_blocks; ++m) {
        const bosc_mech_block *block = &batch->blocks[m];

        if (block->mech->kind == BOSC_MECH_ION && bosc_cuda_begins(block))
            ions[n++] = m;
    }
    engine->step.work.n_ions = n;
    return BOSC_BRING(engine, err,
                      {&engine->step.work.ions, ions, (size_t)n, sizeof *ions});
}

bosc_status bosc_cuda_bring_blocks(bosc_engine *engine, bosc_error *err)
{
    const int32_t n = engine->batch->n_blocks;
    bosc_cuda_block *blocks = bosc_alloc((size_t)n, sizeof *blocks);
    bosc_status st = BOSC_OK;

    engine->state = bosc_alloc((size_t)n, sizeof *engine->state);
    if (blocks == NULL || engine->state == NULL)
        st = bosc_no_memory(err, "GPU mechanism tables");
    for (int32_t m = 0; m < n && st == BOSC_OK; ++m)
        st = bring_states(engine, m, &blocks[m], err);
    for (int32_t m = 0; m < n && st == BOSC_OK; ++m)
        if (engine->batch->blocks[m].mech->kind != BOSC_MECH_ION)
            st = bring_block(engine, m, &blocks[m], err);
    if (st == BOSC_OK && engine->step.streamed.n > 0)
        st = bosc_cuda_bring_items(engine, err);
    if (st == BOSC_OK)
        st = bring_ions(engine, err);
    if (st == BOSC_OK)
        st = bosc_cuda_bring_job(engine, blocks, err);
    if (st == BOSC_OK)
        st = BOSC_BRING(
            engine, err,
            {&engine->step.blocks, blocks, (size_t)n, sizeof *blocks});
    free(blocks);
    return st;
}

const char *bosc_cuda_own_mech(const bosc_batch *batch)
{
    const char *name = NULL;

    for (int32_t m = 0; m < batch->n_blocks; ++m)
        if (batch->blocks[m].mech->text != NULL)
            name = batch->blocks[m].mech->name;
    return name;
}

void bosc_cuda_want_kernels(bosc_engine *engine)
{
    bosc_mech_program *program = &engine->batch->program;
    const bosc_chip_plan *plan = &engine->on_chip.plan;

    static_assert(BOSC_PROGRAM_KERNELS == 1 + BOSC_CHIP_CLASSES,
                  "a kernel for each class");
    program->kernels = 0;
    if (bosc_cuda_own_mech(engine->batch) == NULL)
        return;
    program->kernels = engine->composed != NULL || engine->step.streamed.n > 0;
    for (int k = 0; k < BOSC_CHIP_CLASSES && plan->n > 0; ++k)
        if (plan->first[k] < plan->first[k + 1])
            program->kernels |= 2u << k;
}

bosc_status bosc_cuda_load_kernels(bosc_engine *engine, bosc_error *err)
{
    const bosc_mech_program *program = &engine->batch->program;
    bosc_status st = BOSC_OK;

    for (int i = 0; i < BOSC_PROGRAM_KERNELS && st == BOSC_OK; ++i) {
        char name[32];

        if ((program->kernels >> i & 1u) == 0)
            continue;
        if (program->image[i] == NULL)
            return bosc_fail(err, BOSC_ENOSUP,
                             "%s has not been compiled for GPUs; use backend "
                             "cpu",
                             bosc_cuda_own_mech(engine->batch));
        snprintf(name, sizeof name, "bosc_job_%s_%d", i > 0 ? "cells" : "steps",
                 i > 0 ? i - 1 : (int)program->width);
        st = bosc_cuda_program_load(
            program->image[i], name, &engine->library[i],
            i > 0 ? &engine->on_chip.kernels.kernel[i - 1]
                  : &engine->step.job.kernel,
            err);
    }
    return st;
}
