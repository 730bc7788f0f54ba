/* read_i_mem.c - the current through the membrane of a compartment (nA,
 * positive outward), by Kirchhoff's law: what flows in from its neighbours, and
 * through electrodes there,
 *
 *     i_mem_i = sum over neighbours j of g_ij (v_j - v_i) + electrodes at i
 *
 * It is what ions and charging the membrane take, and what synapses, gap
 * junctions and other point processes let out.  As NEURON's i_membrane_, v is
 * that of the end of the step.  An ELECTRODE_CURRENT of a POINT_PROCESS without
 * NET_RECEIVE, current clamps among them, is what it has computed for the
 * middle of the step at the voltage at its beginning, and what probes record of
 * it; NEURON adds its slope.  That of a SUFFIX, or with NET_RECEIVE, counts
 * as current through the membrane.
 *
 * The terms: v of the compartment itself, with minus the sum of the
 * conductances, then of its parent, of its children ascending, and electrodes.
 * The conductances are those of the matrix, before an engine takes it over.
 */
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/batch/build_read.h"

/* The neuron's tree, downward. */
typedef struct branches {
    const bosc_tree *tree;
    int32_t *child; /* [tree->n] the first child of a node, 0: none */
    int32_t *next;  /* [tree->n] the next child of its parent, 0: none */
} branches;

static bosc_status find_children(const bosc_read_from *from, branches *b,
                                 bosc_error *err)
{
    const bosc_tree *tree =
        &from->batch->trees[from->batch->shape[from->neuron]];
    const bosc_status st =
        BOSC_ALLOC(err, "the probes", BOSC_ARRAY(b->child, (size_t)tree->n),
                   BOSC_ARRAY(b->next, (size_t)tree->n));

    b->tree = tree;
    for (int32_t i = tree->n - 1; st == BOSC_OK && i > 0; --i) {
        b->next[i] = b->child[tree->parent[i]];
        b->child[tree->parent[i]] = i;
    }
    return st;
}

/* The voltages of a node and of its neighbours. */
static bosc_status add_axial(const bosc_read_from *from, const branches *b,
                             int32_t node, bosc_reading_list *list,
                             bosc_error *err)
{
    const bosc_layout *layout = &from->batch->layout;
    const double *u =
        from->batch->system.u; /* minus the conductance to the parent */
    const ptrdiff_t slot = bosc_slot(layout, from->neuron, node);
    double sum = node > 0 ? u[slot] : 0, g;
    bosc_status st;

    for (int32_t i = b->child[node]; i > 0; i = b->next[i])
        sum += u[bosc_slot(layout, from->neuron, i)];
    st = bosc_reading_list_add(list, BOSC_ARRAY_V, slot, &sum, err);
    g = -u[slot];
    if (node > 0 && st == BOSC_OK)
        st = bosc_reading_list_add(
            list, BOSC_ARRAY_V,
            bosc_slot(layout, from->neuron, b->tree->parent[node]), &g, err);
    for (int32_t i = b->child[node]; i > 0 && st == BOSC_OK; i = b->next[i]) {
        const ptrdiff_t below = bosc_slot(layout, from->neuron, i);

        g = -u[below];
        st = bosc_reading_list_add(list, BOSC_ARRAY_V, below, &g, err);
    }
    return st;
}

static bool injects(const bosc_mech *mech)
{
    for (int j = 0; j < mech->n_own; ++j)
        if (mech->states[j].injected)
            return true;
    return false;
}

/* What electrodes let in: instances of a block at one slot stand
 * together. */
bosc_status bosc_read_injected(const bosc_read_from *from, int32_t node,
                               const double *weight, bosc_reading_list *list,
                               bosc_error *err)
{
    const bosc_batch *batch = from->batch;
    const ptrdiff_t slot = bosc_slot(&batch->layout, from->neuron, node);
    const int32_t g = bosc_layout_group(&batch->layout, slot);
    bosc_status st = BOSC_OK;

    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        const bosc_mech_block *block = &batch->blocks[b];
        const bosc_mech *mech = block->mech;
        ptrdiff_t i = injects(mech) ? bosc_block_find(batch, b, slot) : -1;

        for (; i >= 0 && i < block->first[g + 1] &&
               block->at[i] == slot - batch->layout.first[g];
             ++i)
            for (int j = 0; j < mech->n_own && st == BOSC_OK; ++j)
                if (mech->states[j].injected)
                    st = bosc_reading_list_add(
                        list, bosc_batch_array(batch, b, j), i, weight, err);
    }
    return st;
}

bosc_status bosc_read_i_mem(const bosc_read_from *from, bosc_reading_list *list,
                            bosc_error *err)
{
    branches b = {0};
    bosc_status st = find_children(from, &b, err);

    for (int64_t c = 0; c < from->n && st == BOSC_OK; ++c) {
        const int32_t node = from->column[c].node;

        st = add_axial(from, &b, node, list, err);
        if (st == BOSC_OK)
            st = bosc_read_injected(from, node, &(double){1}, list, err);
        bosc_reading_list_end(list);
    }
    free(b.child);
    free(b.next);
    return st;
}
