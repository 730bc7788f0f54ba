/* ions.c - what of the ions needs no work in a step. */
#include <stdlib.h>
#include <string.h>

#include "kernels/batch/instance.h"
#include "kernels/mech/ion.h"
#include "src/base/mem.h"

static int n_ions(const bosc_mech_block *block)
{
    return block->mech->n_ions;
}

static const bosc_mech_ion *use_of(const bosc_mech_block *block, int j)
{
    return &block->mech->ions[j];
}

static int32_t ion_block(const bosc_batch *batch, const char *ion)
{
    const int m = bosc_ion_find(batch->mechs, ion);

    for (int32_t b = 0; m >= 0 && b < batch->n_blocks; ++b)
        if (batch->blocks[b].mech == batch->mechs->mech[m])
            return b;
    return -1;
}

/* Does any mechanism read, or write, that variable of an ion? */
static bool anyone(const bosc_batch *batch, const bosc_mech_ion *of,
                   bool writes)
{
    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        const bosc_mech *mech = batch->blocks[b].mech;

        for (int j = 0; j < mech->n_ions; ++j)
            if (mech->ions[j].variable == of->variable &&
                strcmp(mech->ions[j].ion, of->ion) == 0 &&
                (writes ? mech->ions[j].writes
                        : mech->ions[j].reads ||
                              (mech->ion_bits.reads >> j & 1u) != 0))
                return true;
    }
    return false;
}

static bool is_recorded(const bosc_batch *batch, const bosc_mech_ion *of)
{
    const int32_t block = ion_block(batch, of->ion);

    if (block < 0)
        return false;

    const int32_t array = bosc_batch_array(batch, block, (int)of->variable);

    for (int32_t s = 0; s < batch->n_sets; ++s)
        for (ptrdiff_t t = 0; t < bosc_reading_terms(&batch->sets[s]); ++t)
            if (batch->sets[s].term[t].array == array)
                return true;
    return false;
}

/* Does a POINTER stand for that variable of an ion? */
static bool is_pointed_at(const bosc_batch *batch, const bosc_mech_ion *of)
{
    const int32_t ion = ion_block(batch, of->ion);

    if (ion < 0)
        return false;

    const double *from = batch->blocks[ion].state[of->variable];
    const double *end = from + batch->blocks[ion].n;

    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        const bosc_mech_block *block = &batch->blocks[b];

        for (int k = 0; k < block->mech->n_pointers; ++k) {
            const bosc_pointer *pointer = &block->pointers[k];
            const ptrdiff_t n =
                pointer->first == NULL ? block->n : pointer->first[block->n];

            for (ptrdiff_t t = 0; t < n; ++t)
                if (pointer->to[t] >= from && pointer->to[t] < end)
                    return true;
        }
    }
    return false;
}

/* Is the potential that use j reads one number, in all steps? */
static bool is_steady(const bosc_batch *batch, const bosc_mech_block *block,
                      int j)
{
    const bosc_mech_ion *use = use_of(block, j);
    const int32_t ion = ion_block(batch, use->ion);
    double first = 0;
    bool seen = false;

    if (use->variable != BOSC_ION_E || ion < 0 || anyone(batch, use, true))
        return false;
    for (int32_t g = 0; g < batch->layout.n_groups; ++g)
        for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i) {
            const ptrdiff_t slot = batch->layout.first[g] + block->at[i];
            const double e = block->ion[j][slot];

            if (batch->blocks[ion].style[slot] == BOSC_ION_ALWAYS ||
                (seen && memcmp(&e, &first, sizeof e) != 0))
                return false;
            first = e;
            seen = true;
        }
    return seen;
}

/* An ion's current is needed where one use of it is. */
static void keep_current(const bosc_batch *batch, const bosc_mech_block *block,
                         int j)
{
    const bosc_mech_ion *use = use_of(block, j);
    const int32_t ion = ion_block(batch, use->ion);

    if (use->variable == BOSC_ION_CURRENT && ion >= 0 &&
        (block->idle >> j & 1u) == 0)
        batch->blocks[ion].idle = 0;
}

static bool spare_use(const bosc_batch *batch, bosc_mech_block *block, int j)
{
    const bosc_mech_ion *use = use_of(block, j);

    if (use->variable == BOSC_ION_CURRENT && !anyone(batch, use, false) &&
        !is_recorded(batch, use) && !is_pointed_at(batch, use))
        block->idle |= 1u << j;
    free(block->steady[j]);
    block->steady[j] = NULL;
    if (!is_steady(batch, block, j))
        return true;
    block->steady[j] = bosc_alloc(BOSC_MECH_CHUNK, sizeof **block->steady);
    for (int32_t g = 0; block->steady[j] != NULL; ++g)
        if (block->first[g + 1] > block->first[g]) {
            const ptrdiff_t slot =
                batch->layout.first[g] + block->at[block->first[g]];

            for (int k = 0; k < BOSC_MECH_CHUNK; ++k)
                block->steady[j][k] = block->ion[j][slot];
            break;
        }
    return block->steady[j] != NULL;
}

bosc_status bosc_batch_skip_unused_ions(bosc_batch *batch, bosc_error *err)
{
    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        bosc_mech_block *block = &batch->blocks[b];
        const bool is_ion = block->mech->kind == BOSC_MECH_ION;

        block->idle = is_ion;
        block->follows = false;
        for (ptrdiff_t i = 0; is_ion && i < block->n; ++i)
            block->follows =
                block->follows || block->style[i] == BOSC_ION_ALWAYS;
        for (int j = 0; j < n_ions(block); ++j)
            if (!spare_use(batch, block, j))
                return bosc_no_memory(err, block->mech->name);
    }
    for (int32_t b = 0; b < batch->n_blocks; ++b)
        for (int j = 0; j < n_ions(&batch->blocks[b]); ++j)
            keep_current(batch, &batch->blocks[b], j);
    return BOSC_OK;
}
