/* spmv_blocks.h - the product in each format, in one precision.
 *
 * Included by spmv_isa.c for each: 'real' is its type, REAL(name) a name
 * that has it, CSR_ROW() the row and TERM() the entry of spmv_row.h.  Where
 * entries of neighbouring rows are neighbours, all these rows go from column to
 * column together, in vectors; ellpack's filling adds 0.
 */
/* Rows from..to - 1 of y = A x for csr: a row at a time, as its entries have no
 * neighbours in the row after. */
static void REAL(csr)(const bosc_spmv *a, const void *in, void *out,
                      int32_t from, int32_t to)
{
    real *y = out;

    for (int32_t i = from; i < to; ++i)
        y[i] = CSR_ROW(a->first, a->column, a->value, in, i);
}

/* The same rows for ellpack: up to the longest of these rows; shorter ones add
 * value 0 times x[0]. */
static void REAL(ellpack)(const bosc_spmv *a, const void *in, void *out,
                          int32_t from, int32_t to)
{
    const real *x = in, *value = a->value;
    const int32_t *column = a->column;
    real *restrict y = out;
    int32_t width = 0;

    for (int32_t i = from; i < to; ++i) {
        width = a->length[i] > width ? a->length[i] : width;
        y[i] = 0;
    }
    for (int32_t k = 0; k < width;
         ++k, value += a->n_rows, column += a->n_rows) {
#pragma omp simd
        for (int32_t i = from; i < to; ++i)
            y[i] += TERM(value[i], x[column[i]]);
    }
}

/* The same rows for a dense matrix, AT_ONCE columns at a time, so that y is
 * loaded and stored once for these. */
static void REAL(dense)(const bosc_spmv *a, const void *in, void *out,
                        int32_t from, int32_t to)
{
    const real *x = in, *value = a->value;
    const ptrdiff_t n = a->n_rows;
    real *restrict y = out;
    int32_t j = 0;

    for (int32_t i = from; i < to; ++i)
        y[i] = 0;
    for (; j + AT_ONCE <= a->n_columns; j += AT_ONCE, value += AT_ONCE * n) {
#pragma omp simd
        for (int32_t i = from; i < to; ++i)
            y[i] = y[i] + TERM(value[i], x[j]) + TERM(value[i + n], x[j + 1]) +
                   TERM(value[i + 2 * n], x[j + 2]) +
                   TERM(value[i + 3 * n], x[j + 3]);
    }
    for (; j < a->n_columns; ++j, value += n) {
#pragma omp simd
        for (int32_t i = from; i < to; ++i)
            y[i] = y[i] + TERM(value[i], x[j]);
    }
}
