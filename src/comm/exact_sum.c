/* exact_sum.c - exact sums (kernels/base/exact.h) over the numbers of all
 * ranks.
 */
#include "src/comm/exact_sum.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "kernels/base/exact.h"
#include "src/base/mem.h"

enum { AT_ONCE = 1 << 20 };

/* Let 'low' and 'high' be 0 or more and below 2^40. */
static void carry(int64_t word[BOSC_EXACT_WORDS])
{
    for (int k = BOSC_EXACT_LOW; k > BOSC_EXACT_WHOLE; --k) {
        const int64_t over =
            word[k] >> BOSC_EXACT_BITS; /* down, also below 0 */

        word[k] -= over * (INT64_C(1) << BOSC_EXACT_BITS);
        word[k - 1] += over;
    }
}

static double value_of(int64_t word[BOSC_EXACT_WORDS])
{
    double sign = 1;

    if (word[BOSC_EXACT_BAD] != 0)
        return NAN;
    carry(word);
    if (word[BOSC_EXACT_WHOLE] < 0) { /* small numbers keep their places */
        for (int k = BOSC_EXACT_WHOLE; k <= BOSC_EXACT_LOW; ++k)
            word[k] = -word[k];
        carry(word);
        sign = -1;
    }
    return sign * ((double)word[BOSC_EXACT_WHOLE] +
                   ((double)word[BOSC_EXACT_HIGH] +
                    (double)word[BOSC_EXACT_LOW] * 0x1p-40) *
                       0x1p-40);
}

/* Columns from..to - 1 of this rank's, of rows r to r + n - 1, to words. */
static void add_columns(const bosc_addends *of, const int64_t rows[2],
                        const ptrdiff_t range[2], int64_t *words)
{
    for (int64_t k = 0; k < rows[1]; ++k) {
        const double *value = of->values + (rows[0] + k) * of->n;
        int64_t *row = words + BOSC_EXACT_WORDS * k * of->n_columns;

        for (ptrdiff_t i = range[0]; i < range[1]; ++i)
            bosc_exact_add(row + BOSC_EXACT_WORDS * (of->column != NULL
                                                         ? of->column[i]
                                                         : i % of->n_columns),
                           value[i]);
    }
}

/* Rows r to r + n - 1 of this rank, by all threads: each has words of its own,
 * and whole numbers have one sum in any order. */
static void add_rows(const bosc_addends *of, int64_t r, int64_t n,
                     int64_t *words)
{
    const int64_t n_words = BOSC_EXACT_WORDS * n * of->n_columns;
    const bool many = of->values != NULL && of->n * n > 16 * n_words;

    for (int64_t i = 0; i < n_words; ++i)
        words[i] = 0;
    if (of->values == NULL)
        return;
#pragma omp parallel if (many)
    {
        const int threads = omp_get_num_threads(), t = omp_get_thread_num();
        const ptrdiff_t range[2] = {of->n * t / threads,
                                    of->n * (t + 1) / threads};
        int64_t *own =
            threads > 1 ? bosc_alloc((size_t)n_words, sizeof *own) : words;

        /* without memory one after the other */
        if (own != NULL && own != words)
            add_columns(of, (const int64_t[2]){r, n}, range, own);
#pragma omp critical(bosc_exact_sum)
        {
            if (own == NULL || own == words)
                add_columns(of, (const int64_t[2]){r, n}, range, words);
            else
                for (int64_t i = 0; i < n_words; ++i)
                    words[i] += own[i];
        }
        if (own != words)
            free(own);
    }
}

bosc_status bosc_sum_exact(const bosc_comm *comm, const bosc_addends *of,
                           double **sums, size_t *room, bosc_error *err)
{
    const int64_t most = AT_ONCE / of->n_columns, few = most > 0 ? most : 1;
    const int64_t some = few < of->n_rows ? few : of->n_rows;
    int64_t *words = bosc_alloc(
        (size_t)(BOSC_EXACT_WORDS * some * of->n_columns), sizeof *words);
    bosc_status st =
        words == NULL ? bosc_no_memory(err, "exact sums") : BOSC_OK;

    if (!bosc_grow(sums, room, (size_t)(of->n_rows * of->n_columns),
                   sizeof **sums))
        st = bosc_no_memory(err, "the electrodes");
    st = bosc_agree(comm, st, err);

    for (int64_t r = 0; st == BOSC_OK && r < of->n_rows; r += some) {
        const int64_t here = of->n_rows - r < some ? of->n_rows - r : some;
        const int64_t n = here * of->n_columns;

        add_rows(of, r, here, words);
        bosc_sum_int64(comm, words, (int)(BOSC_EXACT_WORDS * n));
        for (int64_t i = 0; i < n; ++i)
            (*sums)[r * of->n_columns + i] =
                value_of(words + BOSC_EXACT_WORDS * i);
    }
    free(words);
    return st;
}
