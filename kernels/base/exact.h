/* exact.h - sums that do not depend on the order of their numbers.
 *
 * Numbers become integers with a fixed point.  A number x is
 *
 *     x = (whole 2^80 + high 2^40 + low) / 2^80
 *
 * within 2^-81, 4e-25, with |high|, |low| below 2^40; the sums of each of the
 * three, of 4 million numbers, fit in 64 bits.  What is not finite, or beyond
 * 2^40, is counted: the sum is then no number.
 *
 * A leaf: the same operations on hosts and GPUs.
 */
#ifndef BOSC_KERNELS_BASE_EXACT_H
#define BOSC_KERNELS_BASE_EXACT_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/base/formula.h"

enum {
    BOSC_EXACT_WHOLE,
    BOSC_EXACT_HIGH,
    BOSC_EXACT_LOW,
    BOSC_EXACT_BAD, /* how many are not finite or beyond */
    BOSC_EXACT_WORDS,
    BOSC_EXACT_BITS = 40,
    BOSC_EXACT_ADDENDS = 2 * BOSC_EXACT_BAD
};

/* Add x to a sum. */
BOSC_HD static inline void bosc_exact_add(int64_t word[BOSC_EXACT_WORDS],
                                          double x)
{
    if (!(fabs(x) < 0x1p40)) {
        ++word[BOSC_EXACT_BAD];
        return;
    }

    const double whole = trunc(x), rest = (x - whole) * 0x1p40;
    const double high = trunc(rest);

    word[BOSC_EXACT_WHOLE] += (int64_t)whole;
    word[BOSC_EXACT_HIGH] += (int64_t)high;
    word[BOSC_EXACT_LOW] += (int64_t)rint((rest - high) * 0x1p40);
}

/* The numbers, 'step' doubles apart, which a sum is the exact sum of: the two
 * halves of its words. */
BOSC_HD static inline void
bosc_exact_addends(const int64_t word[BOSC_EXACT_WORDS], double *to,
                   ptrdiff_t step)
{
    double unit = 1;

    for (int k = BOSC_EXACT_WHOLE; k <= BOSC_EXACT_LOW; ++k) {
        to[2 * k * step] = (double)(word[k] >> 32) * 0x1p32 * unit;
        to[(2 * k + 1) * step] = (double)(word[k] & 0xffffffff) * unit;
        unit *= 0x1p-40;
    }
    if (word[BOSC_EXACT_BAD] != 0)
        to[0] = 0x1p41; /* beyond, too */
}

#endif
