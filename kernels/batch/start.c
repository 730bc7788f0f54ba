/* start.c - the beginning of mechanisms that are not plain: ions, INITIAL,
 * first events. */
#include <assert.h>

#include "kernels/batch/instance.h"
#include "kernels/mech/ion.h"
#include "src/base/mem.h"

/* --- plain mechanisms ----------------------------------------------------- */

/* The voltage at an instance, in group g. */
static double voltage_at(const bosc_batch *batch, const bosc_mech_block *block,
                         int32_t g, ptrdiff_t i)
{
    return batch->v[batch->layout.first[g] + block->at[i]];
}

/* Do all instances begin with the voltage of the first one? */
static bool begins_equal(const bosc_batch *batch, const bosc_mech_block *block)
{
    double first = 0;
    bool equal = true, any = false;

    for (int32_t g = 0; g < batch->layout.n_groups && equal; ++g)
        for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i) {
            const double v = voltage_at(batch, block, g, i);

            first = any ? first : v;
            any = true;
            equal = equal && v == first;
        }
    return equal;
}

void bosc_batch_init_block(const bosc_batch *batch, bosc_mech_block *block,
                           double celsius)
{
    int32_t begin = 0; /* the first group with an instance */

    while (begin < batch->layout.n_groups && block->first[begin + 1] == 0)
        ++begin;
    if (begin == batch->layout.n_groups)
        return;
    if (begins_equal(batch, block)) {
        bosc_block_init(block, voltage_at(batch, block, begin, 0), celsius);
        return;
    }
#pragma omp parallel for schedule(dynamic, 16)
    for (int32_t g = begin; g < batch->layout.n_groups; ++g)
        for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i)
            bosc_block_init_one(block, i, voltage_at(batch, block, g, i),
                                celsius);
}

/* --- what is shared ------------------------------------------------------- */

static const bosc_mech_block *ion_block(const bosc_batch *batch,
                                        const char *ion)
{
    const int m = bosc_ion_find(batch->mechs, ion);

    for (int32_t b = 0; m >= 0 && b < batch->n_blocks; ++b)
        if (batch->blocks[b].mech == batch->mechs->mech[m])
            return &batch->blocks[b];
    return NULL;
}

static void link_ions(const bosc_batch *batch, bosc_mech_block *block)
{
    const bosc_mech *mech = block->mech;

    for (int j = 0; j < mech->n_ions; ++j) {
        const bosc_mech_block *ion = ion_block(batch, mech->ions[j].ion);

        assert(ion != NULL);
        block->ion[j] = ion->state[mech->ions[j].variable];
    }
}

/* --- instances ------------------------------------------------------------ */

/* Which random numbers are an instance's: gid, compartment, and which one it is
 * there, of which kind. */
static void name_stream(const bosc_batch *batch, const bosc_mech_block *block,
                        int32_t g, ptrdiff_t i)
{
    const bosc_element place = bosc_layout_at(&batch->layout, g, block->at[i]);
    const bosc_neuron_stream own =
        batch->stream != NULL ? batch->stream[place.neuron]
                              : (bosc_neuron_stream){place.neuron, batch->seed};
    const int64_t gid = batch->stream == NULL && batch->gid != NULL
                            ? batch->gid[place.neuron]
                            : own.number;
    uint32_t *stream = block->stream + 4 * i, before = 0;

    while (i > block->first[g] + before &&
           block->at[i - 1 - before] == block->at[i])
        ++before;
    stream[0] = (uint32_t)gid;
    stream[1] = (uint32_t)place.i;
    stream[2] = (block->id ^ (uint32_t)(gid >> 32)) + 0x9E3779B9 * before;
    stream[3] = (uint32_t)(own.seed ^ own.seed >> 32);
}

/* INITIAL, then what a new connection needs. */
static void start_one(bosc_batch *batch, int32_t b, int32_t g, ptrdiff_t i,
                      bosc_mech_instance *one)
{
    const bosc_mech_block *block = &batch->blocks[b];
    const bosc_mech *mech = block->mech;
    const ptrdiff_t slot = batch->layout.first[g] + block->at[i];

    if (mech->draws)
        name_stream(batch, block, g, i);
    bosc_instance_load(batch, block, i, slot, 0, one);
    if (bosc_mech_owner(block, i) == i)
        mech->formula.init(one);
    for (int j = 0; j < mech->n_ions; ++j)
        if (mech->ions[j].writes && mech->ions[j].variable != BOSC_ION_CURRENT)
            block->ion[j][slot] = one->ion[j];
    if (mech->formula.connect != NULL &&
        !(mech->artificial && bosc_mech_owner(block, i) == i))
        mech->formula.connect(one);
    bosc_instance_keep(block, i, one);
    if (one->sent.n > 0 || one->sent.spikes > 0)
        bosc_self_send(
            batch, g,
            (bosc_self_event){.block = b,
                              .instance = (int32_t)(i - block->first[g])},
            &one->sent);
}

/* The currents of ions and electrodes at t = 0, which may be recorded. */
static void flow(bosc_batch *batch, int32_t b, bosc_mech_instance *one)
{
    const bosc_mech_block *block = &batch->blocks[b];
    const bosc_mech *mech = block->mech;
    double g, ge;

    for (int32_t group = 0; group < batch->layout.n_groups; ++group)
        for (ptrdiff_t i = block->first[group]; i < block->first[group + 1];
             ++i) {
            const ptrdiff_t slot = batch->layout.first[group] + block->at[i];

            bosc_instance_load(batch, block, i, slot, 0, one);
            mech->formula.current(one, &g, &ge);
            bosc_instance_give(batch, block, slot, one->ion,
                               mech->ion_bits.currents);
            bosc_instance_keep(block, i, one);
        }
}

static void potentials(const bosc_batch *batch)
{
    for (int32_t b = 0; b < batch->n_blocks; ++b)
        if (batch->blocks[b].mech->kind == BOSC_MECH_ION)
            bosc_ion_potentials(&batch->blocks[b], BOSC_ION_ONCE, 0,
                                batch->layout.n_slots);
}

/* Of artificial cells: the first instance at a slot is the cell, those behind
 * it are connections to it. */
static bosc_status find_cells(const bosc_batch *batch, bosc_mech_block *block,
                              bosc_error *err)
{
    if (!block->mech->artificial)
        return BOSC_OK;
    block->cell = bosc_alloc((size_t)block->n, sizeof *block->cell);
    if (block->cell == NULL)
        return bosc_no_memory(err, "the artificial cells");
    for (int32_t g = 0; g < batch->layout.n_groups; ++g)
        for (ptrdiff_t i = block->first[g] + 1; i < block->first[g + 1]; ++i)
            if (block->at[i] == block->at[i - 1])
                block->cell[i] = block->cell[i - 1] + 1;
    return BOSC_OK;
}

static void start_block(bosc_batch *batch, int32_t b, bosc_mech_instance *one)
{
    const bosc_mech_block *block = &batch->blocks[b];

    for (int32_t g = 0; g < batch->layout.n_groups; ++g)
        for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i)
            start_one(batch, b, g, i, one);
    if (bosc_ion_is_written(block->mech, NULL))
        potentials(batch);
}

bosc_status bosc_batch_start(bosc_batch *batch, bosc_error *err)
{
    bosc_mech_instance one;
    bool any = false, sends = false;
    bosc_status st = BOSC_OK;

    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        const bosc_mech *mech = batch->blocks[b].mech;

        any = any || bosc_mech_is_own(mech) || mech->kind == BOSC_MECH_ION;
        sends = sends || mech->sends;
    }
    if (!any)
        return BOSC_OK;
    if (sends && (batch->self = bosc_alloc((size_t)batch->layout.n_groups,
                                           sizeof *batch->self)) == NULL)
        return bosc_no_memory(err, "events of mechanisms");
    st = bosc_batch_prepare(batch, err);
    if (st != BOSC_OK)
        return st;
    potentials(batch);
    for (int32_t b = 0; b < batch->n_blocks && st == BOSC_OK; ++b)
        st = find_cells(batch, &batch->blocks[b], err);
    if (st != BOSC_OK)
        return st;
    for (int32_t b = 0; b < batch->n_blocks; ++b)
        if (bosc_mech_is_own(batch->blocks[b].mech)) {
            link_ions(batch, &batch->blocks[b]);
            start_block(batch, b, &one);
        }
    for (int32_t b = 0; b < batch->n_blocks; ++b)
        if (bosc_mech_is_own(batch->blocks[b].mech) &&
            batch->blocks[b].mech->flows)
            flow(batch, b, &one);
    return BOSC_OK;
}
