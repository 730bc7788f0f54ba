/* relayout_cuda.cu - a block of threads changes the layout of a tile of 32
 * neurons by 32 rows, by way of shared memory. */
#include "bench/papers/relayout.h"

#include <cuda_runtime.h>

#include "kernels/base/cuda.h"

static __global__ void change_tiles(bosc_relayout change, const double *in,
                                    double *out)
{
    __shared__ bosc_relayout_tile tile;
    const int32_t first[2] = {(int32_t)blockIdx.x * BOSC_RELAYOUT_TILE,
                              (int32_t)blockIdx.y * BOSC_RELAYOUT_TILE};
    const int32_t lane = (int32_t)threadIdx.x;

    for (int32_t line = (int32_t)threadIdx.y; line < BOSC_RELAYOUT_TILE;
         line += BOSC_RELAYOUT_LINES) {
        const bosc_relayout_line at =
            bosc_relayout_line_at(&change, change.from, first, line);

        if (lane < at.lanes)
            *bosc_relayout_cell(&at, lane, tile) = in[at.slot + lane];
    }
    __syncthreads();
    for (int32_t line = (int32_t)threadIdx.y; line < BOSC_RELAYOUT_TILE;
         line += BOSC_RELAYOUT_LINES) {
        const bosc_relayout_line at =
            bosc_relayout_line_at(&change, change.to, first, line);

        if (lane < at.lanes)
            out[at.slot + lane] = *bosc_relayout_cell(&at, lane, tile);
    }
}

bosc_status bosc_relayout_cuda(const bosc_relayout *change, const double *in,
                               double *out, bosc_error *err)
{
    const unsigned tile = BOSC_RELAYOUT_TILE;
    const dim3 blocks(((unsigned)change->neurons + tile - 1) / tile,
                      ((unsigned)change->rows + tile - 1) / tile);
    const dim3 threads(tile, BOSC_RELAYOUT_LINES);

    change_tiles<<<blocks, threads>>>(*change, in, out);
    return bosc_cuda_launched("a change of layout", err);
}
