/* hines.h - the operations every method does to a row, in this order.
 *
 * Elimination (from the last node to the first), row i with parent p:
 *     inv = 1 / (d_i - u_i);  f_i = u_i inv;  w_i = b_i inv
 *     d_p -= u_i d_i inv;  b_p -= u_i w_i    children in descending order
 * Substitution (from the first node on):
 *     v_i = w_i - f_i v_p                     (the root: u = 0, v = w)
 *
 * One division a row.  Hines (1984), Int. J. Biomed. Comput. 15:69-76, written
 * for the symmetric matrix in totals, with d the sum of a row: the diagonal
 * less the axial conductances, u <= 0.  Since d >= 0, sums of d never cancel.
 * With the diagonal itself they do where compartments are short: its rounding
 * acts as a leak of 1e-16 times the axial conductances, which moved the
 * voltages of Rallpack 3 by 5e-7 mV; this way it is 7e-10 mV.
 *
 * Numbering is depth-first, so most rows hand their part on to row i - 1, the
 * very next: a method may keep it in registers.  A row that has nothing to
 * subtract may subtract +0, which changes no bits.
 */
#ifndef BOSC_KERNELS_HINES_HINES_H
#define BOSC_KERNELS_HINES_HINES_H

#include "kernels/base/formula.h"

/* The operations for 'real': double, float, or a vector of them. */
#define BOSC_HINES(real, row, eliminate, substitute)                           \
    /* An eliminated row: f and w, and what its parent's d and b lose. */      \
    typedef struct row {                                                       \
        real f, w, d, b;                                                       \
    } row;                                                                     \
                                                                               \
    BOSC_HD static inline row eliminate(real d, real u, real b)                \
    {                                                                          \
        const real inv = 1 / (d - u);                                          \
        row e;                                                                 \
                                                                               \
        e.f = u * inv;                                                         \
        e.w = b * inv;                                                         \
        e.d = u * d * inv;                                                     \
        e.b = u * e.w;                                                         \
        return e;                                                              \
    }                                                                          \
                                                                               \
    BOSC_HD static inline real substitute(real f, real w, real v_parent)       \
    {                                                                          \
        return w - f * v_parent;                                               \
    }

BOSC_HINES(double, bosc_row, bosc_eliminate, bosc_substitute)

#endif
