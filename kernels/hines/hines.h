/* hines.h - the operations every solver does to a row, in this order; those of
 * the time loop are in pivot.h.
 *
 * Elimination (from the last node to the first), row i with parent p:
 *     r_i = 1 / (d_i - u_i);  f_i = u_i r_i;  w_i = r_i b_i
 *     a branch, p < i - 1:    d_p -= f_i d_i;  b_p -= f_i b_i
 *     then row p + 1 itself:  d_p = fma(-f_i, d_i, d_p);  b_p likewise
 * Substitution (from the first node on):
 *     v_i = fma(-f_i, v_p, w_i)               (the root: u = 0, v = w)
 *
 * One division a row; and where d never changes, in a row and in all below it,
 * r and f are constants: whether they are kept or computed again, the bits are
 * the same.  Branches come in descending order, and what they hand on is a
 * rounded product, so that it can wait for the parent as one pair of numbers;
 * the row after p is the last to hand on, and most rows have no other child.
 *
 * Hines (1984), Int. J. Biomed. Comput. 15:69-76, written for the symmetric
 * matrix in totals, with d the sum of a row: the diagonal less the axial
 * conductances, u <= 0.  Since d >= 0, sums of d never cancel.  With the
 * diagonal itself they do where compartments are short: its rounding acts as a
 * leak of 1e-16 times the axial conductances, which moved the voltages of
 * Rallpack 3 by 5e-7 mV; this way it is 4e-10 mV.
 *
 * A row that gets nothing may take +0, or a product with f = 0: no bit changes.
 */
#ifndef BOSC_KERNELS_HINES_HINES_H
#define BOSC_KERNELS_HINES_HINES_H

#include "kernels/base/formula.h"

/* The operations for 'real': double, float, or a vector of them, with its
 * fma. */
#define BOSC_HINES(real, fma_of, row, eliminate, substitute)                   \
    /* An eliminated row: f and w, and d and b as they were. */                \
    typedef struct row {                                                       \
        real f, w, d, b;                                                       \
    } row;                                                                     \
                                                                               \
    /* Row i, given its own d, u and b, after branches; 'next' is row i + 1 if \
     * that is its child, else its f is 0. */                                  \
    BOSC_HD static inline row eliminate(real d, real u, real b, row next)      \
    {                                                                          \
        row e;                                                                 \
                                                                               \
        e.d = fma_of(-next.f, next.d, d);                                      \
        e.b = fma_of(-next.f, next.b, b);                                      \
        const real r = BOSC_RECIPROCAL(e.d - u);                               \
        e.f = u * r;                                                           \
        e.w = r * e.b;                                                         \
        return e;                                                              \
    }                                                                          \
                                                                               \
    BOSC_HD static inline real substitute(real f, real w, real v_parent)       \
    {                                                                          \
        return fma_of(-f, v_parent, w);                                        \
    }

BOSC_HINES(double, BOSC_FMA, bosc_row, bosc_eliminate, bosc_substitute)

#endif
