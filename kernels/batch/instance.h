/* instance.h - one instance of a mechanism, and what it adds to a compartment:
 * shared by the engines on the host, for the same bits.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_BATCH_INSTANCE_H
#define BOSC_KERNELS_BATCH_INSTANCE_H

#include "kernels/batch/batch.h"
#include "kernels/mech/ion.h"

/* Begin a step for the ions at the slots of group g. */
static inline void bosc_ions_begin(const bosc_batch *batch, int32_t g)
{
    for (int32_t b = 0; b < batch->n_blocks; ++b)
        if (batch->blocks[b].mech->kind == BOSC_MECH_ION)
            bosc_ion_begin(&batch->blocks[b], batch->layout.first[g],
                           batch->layout.first[g + 1]);
}

/* Is variable j of the mechanism's ions a current that its 'current' adds to?
 */
static inline bool bosc_mech_adds(const bosc_mech *mech, int j)
{
    return (mech->ion_bits.currents >> j & 1u) != 0 &&
           mech->ions[j].variable == BOSC_ION_CURRENT;
}

/* The density (mA/cm2) at a slot of a current, which point processes give in nA
 * and densities in mA/cm2. */
static inline double bosc_instance_density(const bosc_batch *batch,
                                           const bosc_mech_block *block,
                                           ptrdiff_t slot, double current)
{
    return block->mech->kind == BOSC_MECH_POINT
               ? current * 1e2 / batch->area[slot]
               : current;
}

/* Bring the copies of what POINTERs of instances from..from + n - 1 stand for
 * up to date; then, after formulas, give what they have assigned to those.  A
 * pointer stands for a number of the same neuron, or for one that nobody
 * changes during a call of an engine. */
void bosc_pointers_take(const bosc_mech_block *block, ptrdiff_t from,
                        ptrdiff_t n);
void bosc_pointers_give(const bosc_mech_block *block, ptrdiff_t from,
                        ptrdiff_t n);

/* Load instance i of a block, which is at a slot, at time t (ms): parameters,
 * constants, states, variables of ions, what its pointers stand for. */
void bosc_instance_load(const bosc_batch *batch, const bosc_mech_block *block,
                        ptrdiff_t i, ptrdiff_t slot, double t,
                        bosc_mech_instance *one);

/* Store the states of instance i of a block, and what its pointers stand for
 * where formulas assign to it. */
static inline void bosc_instance_keep(const bosc_mech_block *block, ptrdiff_t i,
                                      const bosc_mech_instance *one)
{
    const int n_own = block->mech->n_own;
    const ptrdiff_t owner = bosc_mech_owner(block, i);

    for (int j = 0; j < n_own; ++j)
        block->state[j][owner] = one->s[j];
    for (int j = n_own; j < block->mech->n_states; ++j)
        block->state[j][i] = one->s[j];
    if (block->mech->n_pointers > 0)
        bosc_pointers_give(block, i, 1);
}

/* Store in the variables of ions at a slot what an instance has written in
 * x[j], for each bit j of 'written': a current is added. */
static inline void bosc_instance_give(const bosc_batch *batch,
                                      const bosc_mech_block *block,
                                      ptrdiff_t slot, const double *x,
                                      uint32_t written)
{
    const bosc_mech *mech = block->mech;

    for (int j = 0; j < mech->n_ions; ++j) {
        if ((written >> j & 1u) == 0)
            continue;
        if (mech->ions[j].variable == BOSC_ION_CURRENT)
            block->ion[j][slot] +=
                bosc_instance_density(batch, block, slot, x[j]);
        else
            block->ion[j][slot] = x[j];
    }
}

/* The middle of a step (ms). */
static inline double bosc_step_middle(const bosc_batch *batch, int64_t step)
{
    return ((double)step + 0.5) * batch->dt;
}

/* The end of a step (ms). */
static inline double bosc_step_end(const bosc_batch *batch, int64_t step)
{
    return ((double)step + 1) * batch->dt;
}

#endif
