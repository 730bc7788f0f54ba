/* bench_matrix.h - the matrices that 'bosc bench spmv' multiplies.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_BENCH_BENCH_MATRIX_H
#define BOSC_SRC_BENCH_BENCH_MATRIX_H

#include "kernels/spmv/spmv.h"

/* What to make: an entry with this probability, or where 'row' is not 0 so many
 * in each row. */
typedef struct bosc_bench_filling {
    double density;
    int32_t row;
} bosc_bench_filling;

/* A random matrix of n rows and columns, always the same one; in parallel.
 * BOSC_ENOMEM, also when the machine has too little memory for it and for its
 * formats. */
bosc_status bosc_bench_matrix_create(int32_t n,
                                     const bosc_bench_filling *filling,
                                     bosc_sparse *out, bosc_error *err);

/* x[n], from -90 to 40. */
void bosc_bench_vector(int32_t n, double *x);

/* The largest error of y = A x: of each row relative to the sum of the
 * magnitudes of its terms.  'single': the matrix and x have been rounded to
 * float.  In parallel. */
double bosc_bench_product_error(const bosc_sparse *a, const double *x,
                                const double *y, bool single);

#endif
