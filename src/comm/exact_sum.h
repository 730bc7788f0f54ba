/* exact_sum.h - sums of numbers of all ranks, with the same bits for any number
 * of ranks and any distribution of the numbers.
 */
#ifndef BOSC_SRC_COMM_EXACT_SUM_H
#define BOSC_SRC_COMM_EXACT_SUM_H

#include "src/comm/comm.h"

/* Rows of n numbers of this rank, and where each belongs. */
typedef struct bosc_addends {
    int64_t n_rows; /* on all ranks the same */
    ptrdiff_t n;
    const double *values;  /* [n_rows][n]; NULL: this rank has failed, and the
                              sums are of no use */
    const int64_t *column; /* [n] the number of a sum each; NULL: i % n_columns
                            */
    int64_t n_columns;     /* sums of a row, on all ranks the same */
} bosc_addends;

/* (*sums)[n_rows][n_columns], a growing array with that room.  A sum with a
 * number that is not finite, or beyond 1e12, is NaN.  Collective; every rank
 * has the sums. */
bosc_status bosc_sum_exact(const bosc_comm *comm, const bosc_addends *of,
                           double **sums, size_t *room, bosc_error *err);

#endif
