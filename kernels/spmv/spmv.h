/* spmv.h - a sparse matrix times a vector, y = A x, in three formats.
 *
 * A leaf: no MPI, no files.  Example, rows of 2, 0 and 3 entries:
 *
 *     a . b        csr      first  0 2 2 5     column 0 2 0 1 2
 *     . . .                 value  a b c d e
 *     c d e        ellpack  length 2 0 3       value  a . c  b . d  . . e
 *                  dense                       value  a . c  . . d  b . e
 *
 * ELLPACK-R keeps the length of each row, and entry k of all rows together, so
 * that neighbouring threads read neighbouring numbers; so does dense with its
 * columns.  What has no entry is 0 (column 0).
 *
 * A row is summed from left to right in all formats, and a sum does not change
 * by adding 0 x: the same bits whatever the format and the number of threads,
 * as long as x is finite.
 */
#ifndef BOSC_KERNELS_SPMV_SPMV_H
#define BOSC_KERNELS_SPMV_SPMV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A matrix as it is given, owned by the caller: the columns of a row ascend,
 * each at most once. */
typedef struct bosc_sparse {
    int32_t n_rows, n_columns;
    int64_t *first;  /* [n_rows + 1] into what follows */
    int32_t *column; /* [first[n_rows]] */
    double *value;   /* [first[n_rows]] */
} bosc_sparse;

/* Free the arrays; a zeroed matrix is allowed. */
void bosc_sparse_clear(bosc_sparse *a);

/* The formats.  AUTO leaves it to bosc: a run takes the format of the least
 * predicted time (src/select/choose_format.h).  The order is that of
 * bosc_spmv_format_names. */
typedef enum bosc_spmv_format {
    BOSC_SPMV_AUTO,
    BOSC_SPMV_CSR,
    BOSC_SPMV_ELLPACK,
    BOSC_SPMV_DENSE,
    BOSC_N_SPMV_FORMATS
} bosc_spmv_format;

/* auto, csr, ellpack, dense */
extern const char *const bosc_spmv_format_names[BOSC_N_SPMV_FORMATS];

/* How large a matrix is; numbers that are expected need not be whole. */
typedef struct bosc_spmv_size {
    double rows, columns, entries;
    double width; /* entries of the longest row */
} bosc_spmv_size;

/* The format of a matrix for which none was chosen: dense from a density of 0.6
 * on, for it takes fewer bytes from about there, else csr. */
bosc_spmv_format bosc_spmv_usual(const bosc_spmv_size *size);

/* Bytes of all arrays of a matrix in a format other than auto, what
 * bosc_spmv.bytes will say; 'single': with float values. */
double bosc_spmv_bytes(bosc_spmv_format format, bool single,
                       const bosc_spmv_size *size);

/* A matrix in a format, in numbers of one precision.  All arrays are there, if
 * only as empty ones. */
typedef struct bosc_spmv {
    bosc_spmv_format format; /* not auto */
    bool single;             /* float instead of double */
    int32_t n_rows, n_columns;
    int32_t width;   /* ellpack: entries of the longest row */
    int64_t *first;  /* csr: [n_rows + 1] */
    int32_t *length; /* ellpack: [n_rows] */
    ptrdiff_t n_indices, n_values;
    int32_t *column; /* [n_indices]; ellpack: [width][n_rows] */
    void *value;     /* [n_values]; as column, or dense: [n_columns][n_rows] */
    double bytes;    /* of all arrays */
} bosc_spmv;

/* 'a' is not needed any more afterwards; AUTO is bosc_spmv_usual().
 * BOSC_ENOMEM.  *out is to be cleared, whatever is returned. */
bosc_status bosc_spmv_create(const bosc_sparse *a, bosc_spmv_format format,
                             bool single, bosc_spmv *out, bosc_error *err);
/* Free the arrays; a zeroed matrix is allowed. */
void bosc_spmv_clear(bosc_spmv *a);

/* y[n_rows] = A x[n_columns], numbers of the matrix's precision, on 'threads'
 * threads of the host. */
void bosc_spmv_multiply(const bosc_spmv *a, const void *x, void *y,
                        int threads);

#ifdef __cplusplus
}
#endif

#endif
