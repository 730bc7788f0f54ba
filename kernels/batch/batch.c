#include "kernels/batch/batch.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/search.h"

bosc_status bosc_batch_alloc(bosc_batch *batch, bosc_error *err)
{
    const size_t n = (size_t)batch->layout.n_slots;
    double **arrays[] = {&batch->system.u, &batch->system.d, &batch->system.c,
                         &batch->system.e, &batch->v};

    for (size_t k = 0; k < BOSC_LEN(arrays); ++k)
        if ((*arrays[k] = bosc_alloc(n, sizeof **arrays[k])) == NULL)
            return bosc_fail(err, BOSC_ENOMEM,
                             "out of memory for a batch of %zu slots (%zu MB); "
                             "use more ranks or nodes",
                             n, n * 5 * sizeof(double) >> 20);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; ++i)
        batch->system.d[i] = 1;
    return BOSC_OK;
}

double bosc_batch_bytes(double n_slots)
{
    const bosc_batch b = {0};

    return n_slots * (sizeof *b.system.u + sizeof *b.system.d +
                      sizeof *b.system.c + sizeof *b.system.e + sizeof *b.v);
}

bosc_status bosc_batch_prepare(bosc_batch *batch, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int32_t b = 0; b < batch->n_blocks && st == BOSC_OK; ++b)
        st = bosc_block_prepare(&batch->blocks[b], batch->celsius, batch->dt,
                                err);
    return st;
}

void bosc_batch_copy(const bosc_batch *batch, double *numbers)
{
    const bosc_layout *layout = &batch->layout;

#pragma omp parallel for schedule(static)
    for (int32_t g = 0; g < layout->n_groups; ++g)
        if (bosc_batch_copies(batch, g))
            memcpy(numbers + layout->first[g],
                   numbers + layout->first[batch->like[g]],
                   (size_t)bosc_layout_slots(layout, g) * sizeof *numbers);
}

static void clear_blocks(bosc_batch *batch)
{
    for (int32_t b = 0; b < batch->n_blocks; ++b)
        bosc_block_clear(&batch->blocks[b]);
    free(batch->blocks);
}

void bosc_batch_clear(bosc_batch *batch)
{
    double *arrays[] = {batch->system.u, batch->system.d, batch->system.c,
                        batch->system.e, batch->v,        batch->diam,
                        batch->area};

    for (size_t k = 0; k < BOSC_LEN(arrays); ++k)
        free(arrays[k]);
    clear_blocks(batch);
    for (int32_t g = 0; batch->self != NULL && g < batch->layout.n_groups;
         ++g) {
        free(batch->self[g].event);
        free(batch->self[g].spike);
    }
    free(batch->self);
    for (int32_t s = 0; s < batch->n_sets; ++s) {
        free(batch->sets[s].group);
        free(batch->sets[s].first);
        free(batch->sets[s].term);
        free(batch->sets[s].weight);
    }
    free(batch->sets);
    free(batch->detectors);
    free(batch->trees);
    free(batch->shape);
    free(batch->like);
    for (int i = 0; i < BOSC_PROGRAM_KERNELS; ++i)
        free(batch->program.image[i]);
    bosc_layout_clear(&batch->layout);
    *batch = (bosc_batch){0};
}

ptrdiff_t bosc_block_from(const bosc_mech_block *block, int32_t g, int32_t at)
{
    const ptrdiff_t first = block->first[g];

    return first + (ptrdiff_t)bosc_lower_bound(
                       block->at + first, block->first[g + 1] - first,
                       sizeof *block->at, &at, bosc_before_int32);
}

ptrdiff_t bosc_block_find(const bosc_batch *batch, int32_t block,
                          ptrdiff_t slot)
{
    const bosc_mech_block *b = &batch->blocks[block];
    const int32_t g = bosc_layout_group(&batch->layout, slot);
    const int32_t at = (int32_t)(slot - batch->layout.first[g]);
    const ptrdiff_t i = bosc_block_from(b, g, at);

    return i < b->first[g + 1] && b->at[i] == at ? i : -1;
}

int32_t bosc_batch_array(const bosc_batch *batch, int32_t block, int state)
{
    int32_t array = BOSC_ARRAY_STATES + state;

    for (int32_t b = 0; b < block; ++b)
        array += batch->blocks[b].mech->n_states;
    return array;
}

int32_t bosc_batch_arrays(const bosc_batch *batch)
{
    return bosc_batch_array(batch, batch->n_blocks, 0);
}

bosc_array_state bosc_batch_array_state(const bosc_batch *batch, int32_t array)
{
    int32_t state = array - BOSC_ARRAY_STATES, b = 0;

    if (state < 0)
        return (bosc_array_state){-1, 0};
    while (state >= batch->blocks[b].mech->n_states)
        state -= batch->blocks[b++].mech->n_states;
    return (bosc_array_state){b, state};
}

int32_t bosc_term_slot(const bosc_batch *batch, int32_t g, bosc_term term)
{
    const ptrdiff_t first = batch->layout.first[g];

    if (term.array == BOSC_ARRAY_V)
        return (int32_t)((ptrdiff_t)term.at - first);

    const int32_t block = bosc_batch_array_state(batch, term.array).block;

    return batch->blocks[block].at[term.at];
}
