/* pivot.h - the operations of the time loop on a row, in this order.
 *
 * d is the sum of a row of a symmetric system in totals: the diagonal less the
 * axial conductances; u <= 0 is minus the one to its parent, b the right-hand
 * side (uS, nA).  A row hands on to its parent's d the fraction num / den:
 *
 * Elimination (from the last node to the first), row i with parent p; num',
 * den' are of row i + 1 if that is its child, else 0 and 1, and so b' and f':
 *     x   = fma(d_i, den', num')           so x / den' is d with that child
 *     y   = fma(-u_i, den', x);  num = -u_i x;  den = y, or 1 where x is 0
 *     r   = den' (1 / y)                   which is 1 / (d - u)
 *     b   = fma(-f', b', b_i);   f = u_i r;   w = r b
 *     a branch, p < i - 1:       d_p += num (1 / y);   b_p -= f b
 * Substitution (from the first node on):
 *     v_i = fma(-f_i, v_p, w_i)            (the root: u = 0, v = w)
 *
 * The way from row to row has two fma and no division: 1 / y is rounded as a
 * division rounds it, but nothing waits for it.  A tip without membrane has x =
 * 0 and hands on what no child does, so whoever likes leaves it out.  No term
 * is negative, so nothing cancels: errors are those of hines.h, which divides
 * on the way.  As there, r and f of a row whose d, and all below it, never
 * change are constants, and whether they are kept or computed again, the bits
 * are the same.  Branches come in descending order, and what they hand on to d
 * is a rounded product, so that it can wait for the parent as one number.
 *
 * Powers of two: multiplying num and den by one changes no bit of r, so whoever
 * sweeps does it when he likes, but at least in every fourth row: with d (where
 * it is not 0), d - u and -u from 1e-57 to 1e57 uS nothing leaves the range of
 * numbers then.  Cells have axial conductances from 1e-30 to 1e30 (others are
 * refused, src/morphology).  A greater d, as an exp() of a mechanism may make,
 * gives a voltage that is not finite, and the run ends with an error.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_HINES_PIVOT_H
#define BOSC_KERNELS_HINES_PIVOT_H

#include "kernels/hines/hines.h"

/* Rows that a sweep may go on without bringing den near 1. */
enum { BOSC_PIVOT_ROWS = 4 };

#define PIVOT_REAL double
#define PIVOT_ROW bosc_pivot
#define PIVOT(name) bosc_pivot_##name
#define PIVOT_FMA BOSC_FMA
#define PIVOT_INVERT BOSC_RECIPROCAL
#define PIVOT_HANDED(x, y) ((x) == 0 ? 1 : (y))
#include "kernels/hines/pivot_real.h"

/* 2^-e for x = 2^e m with |m| from 1 to 2. */
BOSC_HD static inline double bosc_pivot_scale(double x)
{
    uint64_t bits;
    double scale;

    memcpy(&bits, &x, sizeof bits);
    bits = 0x7fe0000000000000u - (bits & 0x7ff0000000000000u);
    memcpy(&scale, &bits, sizeof scale);
    return scale;
}

/* Bring den near 1. */
BOSC_HD static inline void bosc_pivot_rescale(bosc_pivot *row)
{
    const double scale = bosc_pivot_scale(row->den);

    row->num *= scale;
    row->den *= scale;
}

/* 1, or NaN where den has overflowed; the w of a root is multiplied by it.  The
 * row above another that has overflowed gets NaN by itself, but none is above a
 * root, whose r would be 0. */
#define BOSC_PIVOT_CHECK(den) (1 + 0 * (den))

/* The row's branch has handed on: its parent is not the row that comes. */
BOSC_HD static inline void bosc_pivot_leave(bosc_pivot *row)
{
    row->num = 0;
    row->den = 1;
    row->f = 0;
}

#endif
