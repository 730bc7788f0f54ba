/* relayout.h - numbers of many systems of one size go from one layout to
 * another: flat, interleaved, block-interleaved.
 *
 * A leaf: no MPI, no files.  A layout is the width of its groups: 1 is flat, a
 * multiple of 32 a block, the number of neurons rounded up to such a multiple
 * interleaved.  Row i of neuron k is at slot
 *     (k / width * rows + i) * width + k % width
 * 'in' and 'out' do not overlap; padding of 'out' stays what it was.
 */
#ifndef BOSC_KERNELS_HINES_BATCH_RELAYOUT_H
#define BOSC_KERNELS_HINES_BATCH_RELAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/base/formula.h"
#include "src/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bosc_relayout {
    int32_t neurons, rows; /* > 0; rows of each */
    int32_t from, to;      /* widths */
} bosc_relayout;

/* The width of 'interleaved'. */
int32_t bosc_relayout_whole(int32_t neurons);

/* Numbers of an array of this width, with padding. */
ptrdiff_t bosc_relayout_slots(int32_t neurons, int32_t rows, int32_t width);

void bosc_relayout_host(const bosc_relayout *change, int threads,
                        const double *in, double *out);

/* Launch it in the default stream; both are on the device.  Only in a build
 * with CUDA. */
bosc_status bosc_relayout_cuda(const bosc_relayout *change, const double *in,
                               double *out, bosc_error *err);

/* A tile of so many neurons and rows is brought in and taken out, by lines of
 * BOSC_RELAYOUT_LINES at a time: neighbours read and write neighbours. */
enum { BOSC_RELAYOUT_TILE = 32, BOSC_RELAYOUT_LINES = 8 };

typedef double bosc_relayout_tile[BOSC_RELAYOUT_TILE][BOSC_RELAYOUT_TILE + 1];

/* Where a lane is: of the neurons in a line of an interleaved layout, of the
 * rows in one of a flat one. */
typedef struct bosc_relayout_at {
    int32_t neuron, row; /* in the tile */
} bosc_relayout_at;

BOSC_HD static inline bosc_relayout_at
bosc_relayout_lane(int32_t width, int32_t line, int32_t lane)
{
    const bosc_relayout_at along_rows = {line, lane}, across = {lane, line};

    return width == 1 ? along_rows : across;
}

BOSC_HD static inline ptrdiff_t bosc_relayout_slot(int32_t rows, int32_t width,
                                                   int32_t neuron, int32_t row)
{
    return ((ptrdiff_t)(neuron / width) * rows + row) * width + neuron % width;
}

/* Line and lane of the tile whose first neuron and row are 'first'. */
BOSC_HD static inline void bosc_relayout_bring(const bosc_relayout *c,
                                               bosc_relayout_at first,
                                               const int32_t at[2],
                                               const double *in,
                                               bosc_relayout_tile tile)
{
    const bosc_relayout_at to = bosc_relayout_lane(c->from, at[0], at[1]);
    const int32_t k = first.neuron + to.neuron, i = first.row + to.row;

    if (k < c->neurons && i < c->rows)
        tile[to.neuron][to.row] =
            in[bosc_relayout_slot(c->rows, c->from, k, i)];
}

BOSC_HD static inline void
bosc_relayout_take(const bosc_relayout *c, bosc_relayout_at first,
                   const int32_t at[2], bosc_relayout_tile tile, double *out)
{
    const bosc_relayout_at from = bosc_relayout_lane(c->to, at[0], at[1]);
    const int32_t k = first.neuron + from.neuron, i = first.row + from.row;

    if (k < c->neurons && i < c->rows)
        out[bosc_relayout_slot(c->rows, c->to, k, i)] =
            tile[from.neuron][from.row];
}

#ifdef __cplusplus
}
#endif

#endif
