/* chip_map.c - where the slots of a batch are in a cell block, and the terms of
 * its readings.
 */
#include <string.h>

#include "kernels/gpu/chip/chip_build.h"

void bosc_chip_write_map(const bosc_chip_builder *b, uint32_t *map)
{
    const int32_t places =
        (b->columns.constant + b->columns.changing) * BOSC_CHIP_LANES;

    memset(map, 0xff, (size_t)places * sizeof *map);
    for (int32_t q = 0; q < b->n_neurons; ++q)
        for (int32_t l = 0; l < bosc_chip_lanes(b); ++l) {
            const bosc_chip_neuron n = bosc_chip_neuron_of(b, q, l);
            const int32_t width = bosc_layout_width(&b->batch->layout, n.g);
            const int32_t *address = b->row.address + n.first;
            const uint8_t *kind = b->row.kind + n.first;
            uint32_t slot = (uint32_t)bosc_chip_slot(b, &n, 0);

            for (int32_t i = 0; i < n.tree->n; ++i, slot += (uint32_t)width) {
                if (bosc_chip_is_tip(b, &n, i))
                    continue;
                const bool constant = (kind[i] & BOSC_ROW_CONSTANT) != 0;
                const int32_t at =
                    (constant ? address[i] : address[i] - b->block.changes) +
                    (b->shared ? l : 0);
                const int32_t row = at / bosc_chip_row_step(b, !constant) +
                                    (constant ? 0 : b->columns.constant);

                map[row * BOSC_CHIP_LANES + at % BOSC_CHIP_LANES] = slot;
            }
        }
}

void bosc_chip_write_terms(const bosc_chip_builder *b, uint32_t *const *out)
{
    const bosc_layout *layout = &b->batch->layout;

    for (int32_t k = 0; k < b->batch->n_sets; ++k)
        for (int32_t q = 0; q < b->n_neurons; ++q)
            for (int32_t l = 0; l < bosc_chip_lanes(b); ++l) {
                const bosc_chip_neuron n = bosc_chip_neuron_of(b, q, l);
                const bosc_chip_list *list = &b->items->terms[k];
                const ptrdiff_t *first =
                    list->first + layout->lane[n.g] + n.lane;

                for (ptrdiff_t j = first[0]; j < first[1]; ++j) {
                    const uint32_t t = list->item[j];

                    if (b->batch->sets[k].term[t].array != BOSC_ARRAY_V)
                        continue;

                    const int32_t row =
                        bosc_chip_place_of(b->batch, list, n.g, t) /
                        bosc_layout_width(layout, n.g);

                    out[k][t] = (uint32_t)(b->row.address[n.first + row] +
                                           (b->shared ? l : 0));
                }
            }
}
