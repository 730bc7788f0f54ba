/* spmv_row_real.h - one row of a matrix times a vector, in one precision.
 *
 * Included by spmv_row.h for each: 'real' is its type, ROW(name) a function's
 * name.
 */
/* An entry of 0 is none, as where a format has no place for it: 0 times what is
 * not finite (a neuron of a member that has failed) would be NaN in the formats
 * that fill rows with zeros alone. */
BOSC_HD static inline real ROW(entry)(real value, real x)
{
    return value != 0 ? value * x : 0;
}

/* Row i of a matrix in csr; first, column and value are those of bosc_spmv. */
BOSC_HD static inline real ROW(csr_row)(const int64_t *first,
                                        const int32_t *column,
                                        const real *value, const real *x,
                                        int32_t i)
{
    real sum = 0;

    for (int64_t k = first[i]; k < first[i + 1]; ++k)
        sum += ROW(entry)(value[k], x[column[k]]);
    return sum;
}

/* A row of 'length' entries in ellpack.  column, value: those of its first
 * entry; 'stride' entries on is the next one. */
BOSC_HD static inline real ROW(ellpack_row)(const int32_t *column,
                                            const real *value, const real *x,
                                            int32_t length, ptrdiff_t stride)
{
    real sum = 0;

    for (int32_t k = 0; k < length; ++k)
        sum += ROW(entry)(value[k * stride], x[column[k * stride]]);
    return sum;
}

/* A row of a dense matrix; value: that of column 0, 'stride' values on is that
 * of column 1. */
BOSC_HD static inline real ROW(dense_row)(const real *value, const real *x,
                                          int32_t n_columns, ptrdiff_t stride)
{
    real sum = 0;

    for (int32_t j = 0; j < n_columns; ++j)
        sum += ROW(entry)(value[j * stride], x[j]);
    return sum;
}
