/* reciprocal.h - 1 / y of two numbers by one division, with the bits of two.
 *
 * With u = 2^-53 and E = 1 - y q of a q near 1 / y, 1 / y is q / (1 - E) =
 * q (1 + E + E^2 + ..), so
 *     e = fma(-y, q, 1);   g = e (1 + 2 u);   q' = fma(q, fma(e, g, e), q)
 * is 1 / y, rounded as a division rounds it, for every y where |E| < 3.5 u and
 * nothing leaves the range of normal numbers.  Proof, for 1 <= y < 2 (a power
 * of two changes nothing), where y is a multiple of 2^-52 and q of 2^-54:
 *   - e is E but for 2^-105, fma(e, g, e) is e + e^2 but for 2^-104, and E^3 is
 *     nothing.  So what is rounded to q' is 1 / y but for q (2^-105 + 2^-104),
 *     which is less than 8 * 2^-106 / y.
 *   - q' may be wrong only where a number m half-way between two doubles is as
 *     near to 1 / y as that.  m is an odd multiple of 2^-54, and so y m one of
 *     2^-106: y m = 1 - j 2^-106 with |j| < 8, in integers Y M = 2^106 - j.
 *   - The prime factors of these 16 numbers are known.  For each of their
 *     divisors Y tests/unit/kernels/reciprocal.c tries every q with such an E.
 * Without g the result is wrong for one mantissa, that of ones (which Newton's
 * method does not reach, either); without e^2 for 51.  The q of a pair, y2 (1 /
 * (y1 y2)), has three roundings: |E| < 3 u (1 + u).
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_HINES_RECIPROCAL_H
#define BOSC_KERNELS_HINES_RECIPROCAL_H

#include "kernels/base/formula.h"

/* The operations for 'real', as those of pivot_real.h: q corrected to 1 / y,
 * and 1 / y of two. */
#define BOSC_RECIPROCALS(real, fma_of, invert, correct, invert_two)            \
    static inline real correct(real q, real y)                                 \
    {                                                                          \
        const real one = (real){0} + 1, e = fma_of(-y, q, one);                \
                                                                               \
        return fma_of(q, fma_of(e, e * (1 + 0x1p-52), e), q);                  \
    }                                                                          \
                                                                               \
    /* y[0] y[1] and its reciprocal are normal numbers. */                     \
    static inline void invert_two(const real y[2], real inverse[2])            \
    {                                                                          \
        const real both = invert(y[0] * y[1]);                                 \
                                                                               \
        inverse[0] = correct(both * y[1], y[0]);                               \
        inverse[1] = correct(both * y[0], y[1]);                               \
    }

#endif
