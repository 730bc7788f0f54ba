/* cuda_chains.c - which densities of a job's own may be computed side by side
 * at a row on the chip: those that share no variable of an ion that one of them
 * writes.  Others are a chain, in the order of the set.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/base/cuda.h"
#include "kernels/gpu/host/cuda_engine.h"

/* Densities that have something to do in a phase, and the chain of each: the
 * index of its first one. */
typedef struct members {
    int32_t n;
    const bosc_mech_block *block[BOSC_MAX_MECHS];
    int32_t mech[BOSC_MAX_MECHS], chain[BOSC_MAX_MECHS];
} members;

static bool has_work(const bosc_mech *mech, bosc_cuda_phase phase)
{
    return phase == BOSC_CUDA_ADVANCE ? mech->evolves : mech->flows;
}

static members list_members(const bosc_batch *batch, bosc_cuda_phase phase)
{
    members all = {.n = 0};

    for (int32_t m = 0; m < batch->n_blocks; ++m) {
        const bosc_mech_block *block = &batch->blocks[m];

        if (!bosc_cuda_is_job_density(batch, block->mech) ||
            !has_work(block->mech, phase))
            continue;
        all.block[all.n] = block;
        all.mech[all.n] = bosc_mechs_find(batch->mechs, block->mech->name);
        all.chain[all.n] = all.n;
        ++all.n;
    }
    return all;
}

/* The variables of ions that a block writes in a phase: bits of ion[]. */
static uint32_t written(const bosc_mech_block *block, bosc_cuda_phase phase)
{
    return (phase == BOSC_CUDA_ADVANCE ? block->mech->ion_bits.advances
                                       : block->mech->ion_bits.currents) &
           ~block->idle;
}

/* Does a write what b reads or writes? */
static bool gives(const bosc_mech_block *a, const bosc_mech_block *b,
                  bosc_cuda_phase phase)
{
    const uint32_t to = b->mech->ion_bits.reads | written(b, phase);

    for (int j = 0; j < a->mech->n_ions; ++j)
        for (int k = 0; k < b->mech->n_ions; ++k)
            if ((written(a, phase) >> j & 1u) != 0 && (to >> k & 1u) != 0 &&
                a->ion[j] == b->ion[k])
                return true;
    return false;
}

/* Join the chains of those that are to wait for each other. */
static void join_chains(members *all, bosc_cuda_phase phase)
{
    for (int32_t i = 0; i < all->n; ++i)
        for (int32_t j = 0; j < i; ++j) {
            const int32_t a = all->chain[j], b = all->chain[i];

            if (a == b || (!gives(all->block[i], all->block[j], phase) &&
                           !gives(all->block[j], all->block[i], phase)))
                continue;
            for (int32_t k = 0; k < all->n; ++k)
                if (all->chain[k] == a || all->chain[k] == b)
                    all->chain[k] = a < b ? a : b;
        }
}

/* A chain, and about what it takes. */
typedef struct costly {
    int32_t chain;
    double ns;
} costly;

static int compare_costs(const void *pa, const void *pb)
{
    const costly *a = pa, *b = pb;

    return a->ns != b->ns ? (a->ns < b->ns) - (a->ns > b->ns)
                          : (a->chain > b->chain) - (a->chain < b->chain);
}

/* The chains, those that take long first; returns how many. */
static int32_t sort_chains(const members *all, costly *chains)
{
    int32_t n = 0;

    for (int32_t i = 0; i < all->n; ++i) {
        if (all->chain[i] != i)
            continue;
        chains[n] = (costly){i, 0};
        for (int32_t k = i; k < all->n; ++k)
            chains[n].ns += all->chain[k] == i ? all->block[k]->mech->ns : 0;
        ++n;
    }
    qsort(chains, (size_t)n, sizeof *chains, compare_costs);
    return n;
}

static bosc_status bring_phase(bosc_engine *engine, bosc_cuda_phase phase,
                               bosc_error *err)
{
    members all = list_members(engine->batch, phase);
    int32_t first[BOSC_MAX_MECHS + 1] = {0}, mech[BOSC_MAX_MECHS], at = 0;
    bosc_cuda_chains *to = &engine->on_chip.chip.chains[phase];
    costly chains[BOSC_MAX_MECHS];

    join_chains(&all, phase);
    to->n = sort_chains(&all, chains);
    for (int32_t c = 0; c < to->n; ++c) {
        for (int32_t k = 0; k < all.n; ++k)
            if (all.chain[k] == chains[c].chain)
                mech[at++] = all.mech[k];
        first[c + 1] = at;
    }
    return BOSC_BRING(engine, err,
                      {&to->first, first, (size_t)to->n + 1, sizeof *first},
                      {&to->mech, mech, (size_t)at, sizeof *mech});
}

bosc_status bosc_cuda_bring_chains(bosc_engine *engine, bosc_error *err)
{
    const members all = list_members(engine->batch, BOSC_CUDA_CURRENT);
    bosc_status st = BOSC_OK;

    for (int32_t k = 0; k < all.n; ++k)
        engine->on_chip.chip.flows |= UINT64_C(1) << all.mech[k];
    for (int phase = 0; phase < BOSC_CUDA_PHASES && st == BOSC_OK; ++phase)
        st = bring_phase(engine, (bosc_cuda_phase)phase, err);
    return st;
}
