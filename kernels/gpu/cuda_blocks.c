/* cuda_blocks.c - the mechanisms of a batch, brought to a GPU. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/gpu/cuda_engine.h"
#include "kernels/mech/builtin.h"
#include "kernels/mech/ion.h"
#include "src/base/mem.h"

/* --- values --------------------------------------------------------------- */

/* Values of the instances of a block, p or k. */
static bosc_status bring_values(bosc_engine *engine, const bosc_mech_block *b,
                                const bosc_mech_values *values, int count,
                                bosc_cuda_value *to, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int j = 0; j < count && st == BOSC_OK; ++j)
        if (values->column != NULL && values->varies[j])
            st = BOSC_BRING(
                engine, err,
                {&to[j].at, values->column[j], (size_t)b->n, sizeof(double)});
        else
            to[j].all = bosc_mech_value(values, j, 0);
    return st;
}

/* The same, however many, as an array there. */
static bosc_status bring_many(bosc_engine *engine, const bosc_mech_block *b,
                              const bosc_mech_values *values, int count,
                              const bosc_cuda_value **there, bosc_error *err)
{
    bosc_cuda_value *all = bosc_alloc((size_t)count, sizeof *all);
    bosc_status st = all == NULL
                         ? bosc_no_memory(err, "a backend")
                         : bring_values(engine, b, values, count, all, err);

    if (st == BOSC_OK)
        st = BOSC_BRING(engine, err, {there, all, (size_t)count, sizeof *all});
    free(all);
    return st;
}

/* --- ions ----------------------------------------------------------------- */

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

/* What a full mechanism has beside its values; the blocks of ions are there. */
static bosc_status bring_full(bosc_engine *engine, const bosc_mech_block *block,
                              bosc_cuda_more *more, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const bosc_mech_full *full = block->mech->full;
    const size_t n = (size_t)block->n;
    const size_t slots = (size_t)batch->layout.n_slots;
    const bool point = block->mech->kind == BOSC_MECH_POINT;
    double *ion[BOSC_MECH_MAX_IONS];
    bosc_status st;

    more->is_full = 1;
    more->n_ions = full->n_ions;
    for (int j = 0; j < full->n_ions; ++j) {
        ion[j] = find_there(engine, block->ion[j]);
        if (full->ions[j].variable == BOSC_ION_CURRENT)
            more->are_currents |= 1u << j;
    }
    st = BOSC_BRING(
        engine, err, {&more->ion, ion, (size_t)full->n_ions, sizeof *ion},
        {&more->stream, block->stream, full->draws ? 4 * n : 0,
         sizeof *block->stream},
        {&more->diam, batch->diam, full->geometry ? slots : 0, sizeof(double)},
        {&more->area, batch->area, full->geometry ? slots : 0, sizeof(double)});
    if (st == BOSC_OK && point)
        st = BOSC_BRING(engine, err,
                        {&more->scratch, NULL, (2 + (size_t)full->n_ions) * n,
                         sizeof(double)});
    return st;
}

/* --- blocks --------------------------------------------------------------- */

static bosc_status bring_more(bosc_engine *engine, const bosc_mech_block *block,
                              bosc_cuda_block *to, bosc_error *err)
{
    const bosc_mech *mech = block->mech;
    bosc_cuda_more more = {0};
    bosc_status st =
        bring_many(engine, block, &block->p, mech->n_params, &more.p, err);

    if (st == BOSC_OK)
        st = bring_many(engine, block, &block->k, mech->n_constants, &more.k,
                        err);
    if (st == BOSC_OK && mech->full != NULL)
        st = bring_full(engine, block, &more, err);
    return st == BOSC_OK
               ? BOSC_BRING(engine, err, {&to->more, &more, 1, sizeof more})
               : st;
}

/* The states, and of an ion all. */
static bosc_status bring_states(bosc_engine *engine, int32_t m,
                                bosc_cuda_block *to, bosc_error *err)
{
    const bosc_mech_block *block = &engine->batch->blocks[m];
    const size_t n = (size_t)block->n;
    bosc_cuda_more more = {0};
    bosc_status st = BOSC_BRING(
        engine, err,
        {&to->state, NULL, n * (size_t)block->mech->n_states, sizeof(double)});

    to->mech = bosc_mech_find(block->mech->name);
    to->n = block->n;
    to->n_states = block->mech->n_states;
    engine->state[m] = to->state;
    for (int j = 0; j < to->n_states && st == BOSC_OK; ++j)
        st = bosc_cuda_bring_to(engine, to->state + j * block->n,
                                block->state[j], n * sizeof(double), err);
    if (block->mech->kind != BOSC_MECH_ION || st != BOSC_OK)
        return st;
    st = BOSC_BRING(engine, err,
                    {&more.style, block->style, n, sizeof *block->style});
    more.nernst = bosc_ion_per_e(block);
    return st == BOSC_OK
               ? BOSC_BRING(engine, err, {&to->more, &more, 1, sizeof more})
               : st;
}

static bosc_status bring_block(bosc_engine *engine, int32_t m,
                               bosc_cuda_block *to, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const bosc_mech_block *block = &batch->blocks[m];
    const bosc_mech *mech = block->mech;
    const size_t n = (size_t)block->n;
    const bool streams = engine->n_streamed > 0;
    bosc_status st =
        BOSC_BRING(engine, err,
                   {&to->first, block->first,
                    streams ? (size_t)batch->layout.n_groups + 1 : 0,
                    sizeof *block->first},
                   {&to->at, block->at, streams ? n : 0, sizeof *block->at},
                   {&to->scale, block->scale, n, sizeof *block->scale});

    if (st == BOSC_OK && mech->n_params <= BOSC_CUDA_VALUES)
        st = bring_values(engine, block, &block->p, mech->n_params, to->p, err);
    if (st == BOSC_OK && mech->n_constants <= BOSC_CUDA_VALUES)
        st = bring_values(engine, block, &block->k, mech->n_constants, to->k,
                          err);
    return st == BOSC_OK && to->mech >= BOSC_N_BUILTIN_MECHS
               ? bring_more(engine, block, to, err)
               : st;
}

bosc_status bosc_cuda_bring_blocks(bosc_engine *engine, bosc_error *err)
{
    const int32_t n = engine->batch->n_blocks;
    bosc_cuda_block *blocks = bosc_alloc((size_t)n, sizeof *blocks);
    bosc_status st = BOSC_OK;

    engine->state = bosc_alloc((size_t)n, sizeof *engine->state);
    if (blocks == NULL || engine->state == NULL)
        st = bosc_no_memory(err, "a backend");
    for (int32_t m = 0; m < n && st == BOSC_OK; ++m)
        st = bring_states(engine, m, &blocks[m], err);
    for (int32_t m = 0; m < n && st == BOSC_OK; ++m)
        if (engine->batch->blocks[m].mech->kind != BOSC_MECH_ION)
            st = bring_block(engine, m, &blocks[m], err);
    if (st == BOSC_OK)
        st = BOSC_BRING(
            engine, err,
            {&engine->step.blocks, blocks, (size_t)n, sizeof *blocks});
    free(blocks);
    return st;
}

bosc_status bosc_cuda_bring_program(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const char *needs = NULL;

    for (int32_t m = 0; m < batch->n_blocks; ++m)
        if (batch->blocks[m].mech->made != NULL)
            needs = batch->blocks[m].mech->name;
    if (needs == NULL)
        return BOSC_OK;
    if (bosc_mech_program() == NULL)
        return bosc_fail(err, BOSC_ENOSUP,
                         "%s comes with mod files, and has not been compiled "
                         "for GPUs; use backend cpu",
                         needs);
    return bosc_cuda_program_load(bosc_mech_program(), &engine->step.program,
                                  err);
}
