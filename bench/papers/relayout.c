#include "bench/papers/relayout.h"

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
static void change_tile(const bosc_relayout *change, const int32_t first[2],
                        const double *in, double *out)
{
    bosc_relayout_tile tile;

    for (int32_t line = 0; line < BOSC_RELAYOUT_TILE; ++line) {
        const bosc_relayout_line at =
            bosc_relayout_line_at(change, change->from, first, line);

        for (int32_t l = 0; l < at.lanes; ++l)
            *bosc_relayout_cell(&at, l, tile) = in[at.slot + l];
    }
    for (int32_t line = 0; line < BOSC_RELAYOUT_TILE; ++line) {
        const bosc_relayout_line at =
            bosc_relayout_line_at(change, change->to, first, line);

        for (int32_t l = 0; l < at.lanes; ++l)
            out[at.slot + l] = *bosc_relayout_cell(&at, l, tile);
    }
}

void bosc_relayout_host(const bosc_relayout *change, int threads,
                        const double *in, double *out)
{
#pragma omp parallel for num_threads(threads) collapse(2)
    for (int32_t k = 0; k < change->neurons; k += BOSC_RELAYOUT_TILE)
        for (int32_t i = 0; i < change->rows; i += BOSC_RELAYOUT_TILE)
            change_tile(change, (const int32_t[2]){k, i}, in, out);
}
