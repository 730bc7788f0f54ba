/* numbers.h - tridiagonal systems to be solved, and their solutions.
 *
 * Serial code; the numbers of a row depend on its system and place alone.
 */
#ifndef BOSC_BENCH_TRIDIAG_NUMBERS_H
#define BOSC_BENCH_TRIDIAG_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/status.h"

/* The four numbers of a row, in the order of a block. */
enum { BOSC_LOWER, BOSC_DIAGONAL, BOSC_UPPER, BOSC_RIGHT, BOSC_NUMBERS };

/* Kinds of matrices, and their names. */
typedef enum bosc_chain_matrix {
    BOSC_DOMINANT, /* off-diagonals of -1 to 1, diagonal 1.1 of their sum */
    BOSC_LAPLACE,  /* -1 2 -1: its condition grows as the square of the size */
    BOSC_RANDOM,   /* all of -1 to 1: wants rows to be exchanged */
    BOSC_MATRICES
} bosc_chain_matrix;

extern const char *const bosc_chain_matrices[BOSC_MATRICES];

/* Systems one after the other, with all rows in flat order. */
typedef struct bosc_chains {
    int32_t n;           /* systems */
    int32_t least, most; /* rows of a system, the fewest and the most */
    int32_t *rows;       /* [n] */
    size_t *first;       /* [n + 1] flat index of row 0 */
    bool single;         /* numbers are rounded to float */
    double *number[BOSC_NUMBERS]; /* [first[n]] */
    long double *x;               /* [first[n]] solution of these numbers */
} bosc_chains;

/* n systems of 'least' to 'most' rows; BOSC_ENOMEM.  Solved in long double, by
 * elimination that exchanges rows. */
bosc_status bosc_chains_create(bosc_chain_matrix matrix, bool single, int32_t n,
                               int32_t least, int32_t most, bosc_chains *out,
                               bosc_error *err);
void bosc_chains_clear(bosc_chains *systems);

/* The largest error of x, [first[n]] in flat order, of any system: relative to
 * the largest element of its solution; infinite where x is not finite. */
double bosc_chains_error(const bosc_chains *systems, const double *x);

/* Where a solver has the numbers of such systems: in four arrays, 'apart' from
 * each other in one block; row i of system s is at first[s] + i * step. */
typedef struct bosc_chain_places {
    size_t elements; /* of an array */
    size_t apart, step;
    size_t *first; /* [n] */
} bosc_chain_places;

/* Flat, or with 'interleaved' row i of all systems side by side. */
bosc_status bosc_chain_places_create(const bosc_chains *systems,
                                     bool interleaved, bosc_chain_places *out,
                                     bosc_error *err);

/* Bytes of the block. */
size_t bosc_chain_places_bytes(const bosc_chain_places *places, bool single);

/* All numbers of the systems to a block, of float or double, and x back. */
void bosc_chain_places_fill(const bosc_chain_places *places,
                            const bosc_chains *systems, void *block);
void bosc_chain_places_read(const bosc_chain_places *places,
                            const bosc_chains *systems, const void *block,
                            double *x);

#endif
