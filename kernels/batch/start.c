/* start.c - the beginning of mechanisms that are not plain: ions, INITIAL,
 * first events. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/batch/instance.h"
#include "kernels/batch/known.h"
#include "kernels/mech/ion.h"
#include "src/base/mem.h"

/* --- plain mechanisms ----------------------------------------------------- */

/* The voltage at an instance, in group g. */
static double voltage_at(const bosc_batch *batch, const bosc_mech_block *block,
                         int32_t g, ptrdiff_t i)
{
    return batch->v[batch->layout.first[g] + block->at[i]];
}

/* Do all instances begin with that voltage? */
static bool begins_with(const bosc_batch *batch, const bosc_mech_block *block,
                        double v)
{
    bool equal = true;

#pragma omp parallel for schedule(static) reduction(&& : equal)
    for (int32_t g = 0; g < batch->layout.n_groups; ++g)
        for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i)
            equal = equal && voltage_at(batch, block, g, i) == v;
    return equal;
}

/* The states of instance i, which follow from its voltage and parameters. */
static void init_plain(bosc_known *known, bosc_mech_block *block, ptrdiff_t i,
                       ptrdiff_t slot, double celsius)
{
    bool is_known;
    double *s = bosc_known_find(known, i, slot, &is_known);

    if (!is_known)
        bosc_block_init_one(block, i, known->batch->v[slot], celsius);
    for (int j = 0; j < block->mech->n_states; ++j)
        if (is_known)
            block->state[j][i] = s[j];
        else
            s[j] = block->state[j][i];
}

void bosc_batch_init_block(const bosc_batch *batch, bosc_mech_block *block,
                           double celsius)
{
    const bosc_layout *layout = &batch->layout;
    int32_t begin = 0; /* the first group with an instance */

    if (!block->mech->plain) /* needs more: bosc_batch_start() */
        return;
    while (begin < layout->n_groups && block->first[begin + 1] == 0)
        ++begin;
    if (begin == layout->n_groups)
        return;

    const double v = voltage_at(batch, block, begin, 0);

    if (block->p.column == NULL && begins_with(batch, block, v)) {
        bosc_block_init(block, v, celsius);
        return;
    }
#pragma omp parallel
    {
        bosc_known known = {batch, block, BOSC_KNOWN_V, {0}};
        const bool enough = bosc_known_create(&known, block->mech->n_states);

#pragma omp for schedule(guided)
        for (int32_t g = begin; g < layout->n_groups; ++g)
            for (ptrdiff_t i = block->first[g];
                 i < block->first[g + 1] && !bosc_block_copies(block, g); ++i)
                if (enough)
                    init_plain(&known, block, i,
                               layout->first[g] + block->at[i], celsius);
                else
                    bosc_block_init_one(
                        block, i, voltage_at(batch, block, g, i), celsius);
        bosc_memo_clear(&known.memo);
    }
    for (int j = 0; j < block->mech->n_states; ++j)
        bosc_block_copy(block, block->state[j]);
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

    if (mech->draws && !mech->reads_table)
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

/* The currents of ions and electrodes, and what is shown, at t = 0: they may be
 * recorded. */
static void flow_one(bosc_batch *batch, int32_t b, int32_t g, ptrdiff_t i,
                     bosc_mech_instance *one)
{
    const bosc_mech_block *block = &batch->blocks[b];
    const ptrdiff_t slot = batch->layout.first[g] + block->at[i];
    double conductance, ge;

    bosc_instance_load(batch, block, i, slot, 0, one);
    block->mech->formula.current(one, &conductance, &ge);
    bosc_instance_give(batch, block, slot, one->ion,
                       block->mech->ion_bits.currents);
    bosc_instance_keep(block, i, one);
}

/* One of the two, */
typedef void visit(bosc_batch *batch, int32_t b, int32_t g, ptrdiff_t i,
                   bosc_mech_instance *one);

/* of an instance whose like may have been visited: what it leaves is its states
 * and variables of ions. */
static void visit_known(bosc_known *known, bosc_batch *batch, int32_t b,
                        int32_t g, ptrdiff_t i, bosc_mech_instance *one)
{
    const bosc_mech_block *block = &batch->blocks[b];
    const bosc_mech *mech = block->mech;
    const ptrdiff_t slot = batch->layout.first[g] + block->at[i];
    const bool flows = (known->from & BOSC_KNOWN_STATES) != 0;
    bool is_known;
    double *left = bosc_known_find(known, i, slot, &is_known);

    if (!is_known) {
        (flows ? flow_one : start_one)(batch, b, g, i, one);
        memcpy(left, one->s, (size_t)mech->n_states * sizeof *left);
        memcpy(left + mech->n_states, one->ion,
               (size_t)mech->n_ions * sizeof *left);
        return;
    }
    for (int j = 0; j < mech->n_states; ++j)
        block->state[j][i] = left[j];
    left += mech->n_states;
    if (flows)
        bosc_instance_give(batch, block, slot, left, mech->ion_bits.currents);
    for (int j = 0; !flows && j < mech->n_ions; ++j)
        if (mech->ions[j].writes && mech->ions[j].variable != BOSC_ION_CURRENT)
            block->ion[j][slot] = left[j];
}

/* Visit all instances of block b.  They change what is of their own group,
 * unless they have pointers.  BOSC_ENOMEM. */
static bosc_status visit_block(bosc_batch *batch, int32_t b, visit *of,
                               bosc_error *err)
{
    const bosc_mech_block *block = &batch->blocks[b];
    const bool is_known = bosc_is_known(block);
    bool enough = true;

#pragma omp parallel if (block->mech->n_pointers == 0) reduction(&& : enough)
    {
        bosc_mech_instance *one = bosc_alloc(1, sizeof *one);
        bosc_known known = {batch, block, BOSC_KNOWN_V, {0}};

        known.from |= of == flow_one ? BOSC_KNOWN_STATES : 0;
        enough = bosc_known_create(&known, block->mech->n_states +
                                               block->mech->n_ions) &&
                 one != NULL;
#pragma omp for schedule(guided)
        for (int32_t g = 0; g < batch->layout.n_groups; ++g)
            for (ptrdiff_t i = block->first[g];
                 enough && i < block->first[g + 1] &&
                 !bosc_block_copies(block, g);
                 ++i)
                if (is_known)
                    visit_known(&known, batch, b, g, i, one);
                else
                    of(batch, b, g, i, one);
        bosc_memo_clear(&known.memo);
        free(one);
    }
    return enough ? BOSC_OK : bosc_no_memory(err, block->mech->name);
}

static void potentials(const bosc_batch *batch)
{
    const bosc_layout *layout = &batch->layout;

    for (int32_t b = 0; b < batch->n_blocks; ++b)
        if (batch->blocks[b].mech->kind == BOSC_MECH_ION)
#pragma omp parallel for schedule(guided)
            for (int32_t g = 0; g < layout->n_groups; ++g)
                if (!bosc_batch_copies(batch, g))
                    bosc_ion_potentials(&batch->blocks[b], BOSC_ION_ONCE,
                                        layout->first[g], layout->first[g + 1]);
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

/* May its formulas act on others of the neuron, but in a way that follows from
 * more than these? */
static bool spoils_copies(const bosc_mech_block *block)
{
    return bosc_mech_is_own(block->mech) && !bosc_is_known(block) &&
           (block->mech->kind == BOSC_MECH_DENSITY || block->mech->n_ions > 0 ||
            block->mech->n_pointers > 0);
}

/* Groups with such instances are no copies any more; the first of those without
 * stands for others.  BOSC_ENOMEM. */
static bosc_status settle_copies(bosc_batch *batch, bosc_error *err)
{
    const int32_t n = batch->layout.n_groups;
    int32_t *first; /* [n] 1 + the group that stands for those of this one */

    if (batch->like == NULL)
        return BOSC_OK;
    if ((first = bosc_alloc((size_t)n, sizeof *first)) == NULL)
        return bosc_no_memory(err, "what neurons share");
    for (int32_t g = 0; g < n; ++g) {
        const int32_t of = batch->like[g];
        bool is_spoilt = false;

        for (int32_t b = 0; b < batch->n_blocks && !is_spoilt; ++b) {
            const bosc_mech_block *block = &batch->blocks[b];

            is_spoilt =
                block->first[g + 1] > block->first[g] && spoils_copies(block);
        }
        if (!is_spoilt && first[of] == 0)
            first[of] = 1 + g;
        batch->like[g] = is_spoilt ? g : first[of] - 1;
    }
    free(first);
    return BOSC_OK;
}

/* Copies get what those have that they are copies of. */
static void copy_states(const bosc_batch *batch)
{
    for (int32_t b = 0; b < batch->n_blocks && batch->like != NULL; ++b) {
        const bosc_mech_block *block = &batch->blocks[b];

        for (int j = 0; j < block->mech->n_states; ++j)
            bosc_block_copy(block, block->state[j]);
    }
}

bosc_status bosc_batch_start(bosc_batch *batch, bosc_error *err)
{
    bool any = false, sends = false;
    bosc_status st = BOSC_OK;

    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        const bosc_mech *mech = batch->blocks[b].mech;

        any = any || bosc_mech_is_own(mech) || bosc_mech_shows(mech) ||
              mech->kind == BOSC_MECH_ION;
        sends = sends || mech->sends;
    }
    if (!any)
        return BOSC_OK;
    if (sends && (batch->self = bosc_alloc((size_t)batch->layout.n_groups,
                                           sizeof *batch->self)) == NULL)
        return bosc_no_memory(err, "events of mechanisms");
    st = settle_copies(batch, err);
    if (st == BOSC_OK)
        st = bosc_batch_prepare(batch, err);
    if (st != BOSC_OK)
        return st;
    potentials(batch);
    for (int32_t b = 0; b < batch->n_blocks && st == BOSC_OK; ++b)
        st = find_cells(batch, &batch->blocks[b], err);
    if (st != BOSC_OK)
        return st;
    for (int32_t b = 0; b < batch->n_blocks && st == BOSC_OK; ++b) {
        const bosc_mech *mech = batch->blocks[b].mech;

        if (!bosc_mech_is_own(mech))
            continue;
        link_ions(batch, &batch->blocks[b]);
        st = visit_block(batch, b, start_one, err);
        if (bosc_ion_is_written(mech, NULL))
            potentials(batch);
    }
    for (int32_t b = 0; b < batch->n_blocks && st == BOSC_OK; ++b)
        if ((bosc_mech_is_own(batch->blocks[b].mech) ||
             bosc_mech_shows(batch->blocks[b].mech)) &&
            batch->blocks[b].mech->flows)
            st = visit_block(batch, b, flow_one, err);
    copy_states(batch);
    return st;
}
