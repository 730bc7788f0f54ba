#include "kernels/hines_batch/relayout.h"

int32_t bosc_relayout_whole(int32_t neurons)
{
    return (neurons + BOSC_RELAYOUT_TILE - 1) / BOSC_RELAYOUT_TILE *
           BOSC_RELAYOUT_TILE;
}

ptrdiff_t bosc_relayout_slots(int32_t neurons, int32_t rows, int32_t width)
{
    return (ptrdiff_t)((neurons + width - 1) / width) * width * rows;
}

/* One tile, as a block of threads does it on a GPU. */
static void change_tile(const bosc_relayout *change, bosc_relayout_at first,
                        const double *in, double *out)
{
    bosc_relayout_tile tile;
    int32_t at[2];

    for (at[0] = 0; at[0] < BOSC_RELAYOUT_TILE; ++at[0])
        for (at[1] = 0; at[1] < BOSC_RELAYOUT_TILE; ++at[1])
            bosc_relayout_bring(change, first, at, in, tile);
    for (at[0] = 0; at[0] < BOSC_RELAYOUT_TILE; ++at[0])
        for (at[1] = 0; at[1] < BOSC_RELAYOUT_TILE; ++at[1])
            bosc_relayout_take(change, first, at, tile, out);
}

void bosc_relayout_host(const bosc_relayout *change, int threads,
                        const double *in, double *out)
{
#pragma omp parallel for num_threads(threads) collapse(2)
    for (int32_t k = 0; k < change->neurons; k += BOSC_RELAYOUT_TILE)
        for (int32_t i = 0; i < change->rows; i += BOSC_RELAYOUT_TILE)
            change_tile(change, (bosc_relayout_at){k, i}, in, out);
}
