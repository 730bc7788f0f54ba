/* chip_joins.c - the records by which a run hands on to the row above it.
 */
#include <string.h>

#include "kernels/gpu/chip/chip_build.h"

/* num of a constant row whose parent changes, and behind it, with this stride,
 * den. */
static const double *boundary_of(const bosc_chip_builder *b,
                                 const bosc_chip_neuron *n, int32_t row,
                                 int32_t *stride)
{
    const bosc_constants *k = &b->rows->constants[n->g];
    const int32_t width = bosc_layout_width(&b->batch->layout, n->g);

    *stride = k->shared ? n->tree->n : 1;
    return k->shared
               ? k->boundary + row
               : k->boundary +
                     (ptrdiff_t)b->row.boundaries[n->first + row] * 2 * width +
                     2 * n->lane;
}

void bosc_chip_write_join(const bosc_chip_builder *b, const bosc_chip_run *run,
                          const bosc_chip_slice *slice, int32_t above,
                          double *x)
{
    const bosc_chip_neuron *n = &b->neurons[run->neuron];
    const int32_t step = bosc_chip_lanes(b);
    double *join = x + slice->join;

    for (int32_t l = 0; l < bosc_chip_lanes(b); ++l) {
        const int64_t address = above + l;

        memcpy(&join[BOSC_JOIN_UP * step + l], &address, sizeof address);
        if (run->changes)
            continue;
        const bosc_constants *k = &b->rows->constants[n->g];
        const int32_t p = n->tree->parent[run->top];

        join[BOSC_JOIN_F * step + l] = k->f[bosc_chip_index(b, n, run->top)];
        join[BOSC_JOIN_DEN * step + l] = 1;
        if (!bosc_chip_is_constant(b, n, p)) {
            int32_t stride;
            const double *hands_on = boundary_of(b, n, run->top, &stride);

            join[BOSC_JOIN_NUM * step + l] = hands_on[0];
            join[BOSC_JOIN_DEN * step + l] = hands_on[stride];
        }
    }
}

void bosc_chip_write_zero_join(const bosc_chip_builder *b, double *x)
{
    const int32_t step = bosc_chip_lanes(b);

    for (int32_t l = 0; l < step; ++l)
        x[b->image.zero_join + BOSC_JOIN_DEN * step + l] = 1;
}

bool bosc_chip_is_branch(const bosc_chip_builder *b, const bosc_chip_run *run,
                         const bosc_chip_slice *slice)
{
    const int32_t top = run->top;

    return slice->next < 0 && top > 0 &&
           b->neurons[run->neuron].tree->parent[top] != top - 1;
}
