/* relayout.c - numbers change their layout, and none is lost. */
#include "bench/papers/relayout.h"

#include <stdlib.h>

#include "src/base/mem.h"
#include "tests/lib/tap.h"

static double number_of(int32_t neuron, int32_t row)
{
    return 1e6 * neuron + row + 0.25;
}

/* True if all numbers are where the layout has them, and padding is 0. */
static bool is_laid(const double *x, int32_t neurons, int32_t rows,
                    int32_t width)
{
    const ptrdiff_t slots = bosc_relayout_slots(neurons, rows, width);
    ptrdiff_t zeros = 0;

    for (ptrdiff_t i = 0; i < slots; ++i)
        zeros += x[i] == 0;
    for (int32_t k = 0; k < neurons; ++k)
        for (int32_t i = 0; i < rows; ++i)
            if (x[bosc_relayout_slot(rows, width, k, i)] != number_of(k, i))
                return false;
    return zeros == slots - (ptrdiff_t)neurons * rows;
}

static void test_change(int32_t neurons, int32_t rows, int32_t from, int32_t to)
{
    const bosc_relayout change = {neurons, rows, from, to};
    const size_t n_in = (size_t)bosc_relayout_slots(neurons, rows, from);
    const size_t n_out = (size_t)bosc_relayout_slots(neurons, rows, to);
    double *in = bosc_alloc(n_in, sizeof *in);
    double *out = bosc_alloc(n_out, sizeof *out);

    for (int32_t k = 0; k < neurons; ++k)
        for (int32_t i = 0; i < rows; ++i)
            in[bosc_relayout_slot(rows, from, k, i)] = number_of(k, i);
    bosc_relayout_host(&change, 2, in, out);
    ok(is_laid(out, neurons, rows, to),
       "%d neurons of %d rows go from groups of %d to groups of %d", neurons,
       rows, from, to);
    free(in);
    free(out);
}

int main(void)
{
    static const int32_t sizes[][2] = {{1, 1}, {70, 33}, {64, 691}, {515, 32}};

    for (size_t s = 0; s < BOSC_LEN(sizes); ++s) {
        const int32_t n = sizes[s][0];
        const int32_t widths[] = {1, 32, 128, bosc_relayout_whole(n)};

        for (size_t a = 0; a < BOSC_LEN(widths); ++a)
            for (size_t b = 0; b < BOSC_LEN(widths); ++b)
                test_change(n, sizes[s][1], widths[a], widths[b]);
    }
    ok(bosc_relayout_whole(32) == 32 && bosc_relayout_whole(33) == 64 &&
           bosc_relayout_slots(33, 10, 32) == 640 &&
           bosc_relayout_slots(33, 10, 1) == 330,
       "groups are filled up");
    return done_testing();
}
