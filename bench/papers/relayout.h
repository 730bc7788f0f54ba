/* relayout.h - numbers of many systems of one size go from one layout to
 * another: flat, interleaved, block-interleaved.
 *
 * A layout is the width of its groups: 1 is flat, a multiple of 32 a block, the
 * number of neurons rounded up to such a multiple interleaved.  Row i of neuron
 * k is at slot
 *     (k / width * rows + i) * width + k % width
 * 'in' and 'out' do not overlap; padding of 'out' stays what it was.
 */
#ifndef BOSC_BENCH_PAPERS_RELAYOUT_H
#define BOSC_BENCH_PAPERS_RELAYOUT_H

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

BOSC_HD static inline ptrdiff_t bosc_relayout_slot(int32_t rows, int32_t width,
                                                   int32_t neuron, int32_t row)
{
    return ((ptrdiff_t)(neuron / width) * rows + row) * width + neuron % width;
}

/* A tile of 32 neurons and rows is brought in and taken out by lines, whose
 * lanes are side by side in memory: neurons of an interleaved layout, rows of a
 * flat one.  A block of threads has 8 lines at a time. */
enum { BOSC_RELAYOUT_TILE = 32, BOSC_RELAYOUT_LINES = 8 };

typedef double bosc_relayout_tile[BOSC_RELAYOUT_TILE][BOSC_RELAYOUT_TILE + 1];

/* A line of the tile that begins with some neuron and row. */
typedef struct bosc_relayout_line {
    ptrdiff_t slot;      /* of lane 0 */
    int32_t lanes;       /* that there are; 0: none */
    int32_t neuron, row; /* of lane 0, in the tile */
    int32_t down, right; /* from lane to lane, neurons and rows */
} bosc_relayout_line;

BOSC_HD static inline bosc_relayout_line
bosc_relayout_line_at(const bosc_relayout *c, int32_t width,
                      const int32_t first[2], int32_t line)
{
    const int32_t along = width == 1, across = !along;
    const int32_t k = first[0] + along * line, i = first[1] + across * line;
    const int32_t left = along ? c->rows - i : c->neurons - k;
    const bosc_relayout_line at = {bosc_relayout_slot(c->rows, width, k, i),
                                   k >= c->neurons || i >= c->rows ? 0
                                   : left < BOSC_RELAYOUT_TILE
                                       ? left
                                       : BOSC_RELAYOUT_TILE,
                                   along * line,
                                   across * line,
                                   across,
                                   along};

    return at;
}

/* Where lane l of a line is in the tile. */
BOSC_HD static inline double *bosc_relayout_cell(const bosc_relayout_line *line,
                                                 int32_t l,
                                                 bosc_relayout_tile tile)
{
    return &tile[line->neuron + l * line->down][line->row + l * line->right];
}

#ifdef __cplusplus
}
#endif

#endif
