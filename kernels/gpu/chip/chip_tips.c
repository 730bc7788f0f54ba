/* chip_tips.c - tips without membrane, which need no row on the chip.
 *
 * b of such a row is c (v + e) = 0, and so are its d and what it hands on; its
 * v is fma(-f, v of its parent, 0).  A seventh of the nodes of synthetic
 * neurons are such, half of the sections' end nodes.  That of its parent, which
 * has membrane, is told where voltages are beyond the limit.
 */
#include "kernels/gpu/chip/chip_build.h"

/* Lanes of a group, whose rows have these marks. */
typedef struct lanes {
    int32_t g, from, n;
    uint8_t *mark;
} lanes;

/* Rows where the lanes have something stay rows. */
static void keep(const bosc_batch *batch, const bosc_chip_list *list,
                 const lanes *of)
{
    const bosc_layout *layout = &batch->layout;
    const int32_t width = bosc_layout_width(layout, of->g);
    const ptrdiff_t *first = list->first + layout->lane[of->g] + of->from;

    for (ptrdiff_t k = first[0]; k < first[of->n]; ++k) {
        const int32_t i =
            bosc_chip_place_of(batch, list, of->g, list->item[k]) / width;

        if ((of->mark[i] & BOSC_MARK_BARE) != 0)
            of->mark[i] &= (uint8_t)~BOSC_MARK_TIP;
    }
}

void bosc_chip_find_tips(const bosc_batch *batch, const bosc_chip_items *items,
                         int32_t g, int32_t lane, int32_t n_lanes,
                         uint8_t *mark)
{
    enum { LOOK = BOSC_ROW_CONSTANT | BOSC_ROW_ASSEMBLED | BOSC_MARK_BARE };
    const int32_t neuron = bosc_layout_neuron(&batch->layout, g, lane);
    const bosc_tree *tree = &batch->trees[batch->shape[neuron]];
    const lanes of = {g, lane, n_lanes, mark};

    for (int32_t i = tree->n - 1; i > 0; --i)
        if ((i + 1 == tree->n || tree->parent[i + 1] != i) &&
            (mark[i] & LOOK) == (BOSC_ROW_CONSTANT | BOSC_MARK_BARE) &&
            (mark[tree->parent[i]] & BOSC_MARK_BARE) == 0)
            mark[i] |= BOSC_MARK_TIP;
    keep(batch, &items->detectors, &of);
    for (int32_t m = 0; m < items->n_blocks; ++m)
        keep(batch, &items->instances[m], &of);
    for (int32_t k = 0; k < items->n_sets; ++k)
        keep(batch, &items->terms[k], &of);
}

int32_t bosc_chip_count_tips(const bosc_chip_builder *b)
{
    int32_t n = b->row.n;

    for (int32_t r = 0; r < b->n_runs; ++r) /* all others are in one */
        n -= b->runs[r].rows;
    return n * bosc_chip_lanes(b);
}

void bosc_chip_write_tips(const bosc_chip_builder *b, bosc_chip_tip *tips)
{
    for (int32_t q = 0; q < b->n_neurons; ++q)
        for (int32_t i = 0; i < b->neurons[q].tree->n; ++i)
            for (int32_t l = 0; l < bosc_chip_lanes(b) &&
                                bosc_chip_is_tip(b, &b->neurons[q], i);
                 ++l) {
                const bosc_chip_neuron n = bosc_chip_neuron_of(b, q, l);
                const int32_t above =
                    b->row.address[n.first + n.tree->parent[i]];

                *tips++ = (bosc_chip_tip){
                    .slot = (uint32_t)bosc_chip_slot(b, &n, i),
                    .above = (uint32_t)(above + (b->shared ? l : 0)),
                    .f = b->rows->constants[n.g].f[bosc_chip_index(b, &n, i)]};
            }
}
