/* spmv_blocks.h - the product in each format, in one precision.
 *
 * Included by spmv_create.c for each: 'real' is its type, REAL(name) a name
 * that has it, CSR_ROW() the row and TERM() the entry of spmv_row.h.  Where
 * entries of neighbouring rows are neighbours, all these rows go from column to
 * column together, in vectors; ellpack's filling adds 0.
 */
static void REAL(csr)(const bosc_spmv *a, const void *in, void *out,
                      int32_t from, int32_t to)
{
    real *y = out;

    for (int32_t i = from; i < to; ++i)
        y[i] = CSR_ROW(a->first, a->column, a->value, in, i);
}

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
