/* spmv_row.h - one row of a matrix times a vector, for each format: what a
 * thread of a GPU does.
 *
 * Internal to kernels.  The pointers are those of bosc_spmv.
 */
#ifndef BOSC_KERNELS_SPMV_SPMV_ROW_H
#define BOSC_KERNELS_SPMV_SPMV_ROW_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/base/formula.h"

/* The rows for 'real': double or float. */
#define BOSC_SPMV_ROWS(real, csr_row, ellpack_row, dense_row)                  \
    BOSC_HD static inline real csr_row(                                        \
        const int64_t *first, const int32_t *column, const real *value,        \
        const real *x, int32_t i)                                              \
    {                                                                          \
        real sum = 0;                                                          \
                                                                               \
        for (int64_t k = first[i]; k < first[i + 1]; ++k)                      \
            sum += value[k] * x[column[k]];                                    \
        return sum;                                                            \
    }                                                                          \
                                                                               \
    /* column, value: those of the row's first entry; 'stride' entries on is   \
     * the next one. */                                                        \
    BOSC_HD static inline real ellpack_row(const int32_t *column,              \
                                           const real *value, const real *x,   \
                                           int32_t length, ptrdiff_t stride)   \
    {                                                                          \
        real sum = 0;                                                          \
                                                                               \
        for (int32_t k = 0; k < length; ++k)                                   \
            sum += value[k * stride] * x[column[k * stride]];                  \
        return sum;                                                            \
    }                                                                          \
                                                                               \
    BOSC_HD static inline real dense_row(const real *value, const real *x,     \
                                         int32_t n_columns, ptrdiff_t stride)  \
    {                                                                          \
        real sum = 0;                                                          \
                                                                               \
        for (int32_t j = 0; j < n_columns; ++j)                                \
            sum += value[j * stride] * x[j];                                   \
        return sum;                                                            \
    }

BOSC_SPMV_ROWS(double, bosc_csr_row, bosc_ellpack_row, bosc_dense_row)
#ifdef __cplusplus
BOSC_SPMV_ROWS(float, bosc_csr_row, bosc_ellpack_row, bosc_dense_row)
#else
BOSC_SPMV_ROWS(float, bosc_csr_row_single, bosc_ellpack_row_single,
               bosc_dense_row_single)
#endif

#endif
