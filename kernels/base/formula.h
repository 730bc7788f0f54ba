/* formula.h - what the shared formulas need: the host/device mark and the exact
 * exponential.
 *
 * Every result of bosc must have the same bits for any vector width, thread or
 * rank.  So the formulas use only + - * / (compiled without contraction to
 * fused operations) and bosc_exp(), which is made of those and therefore gives
 * the same bits in a scalar loop, in a vector and on a GPU.
 */
#ifndef BOSC_KERNELS_BASE_FORMULA_H
#define BOSC_KERNELS_BASE_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__CUDACC__)
#define BOSC_HD __host__ __device__
#else
#define BOSC_HD
#endif

/* Before a loop of fixed length: unroll it on a GPU, where an array indexed by
 * its counter then stands in registers. */
#if defined(__CUDA_ARCH__)
#define BOSC_UNROLL _Pragma("unroll")
#else
#define BOSC_UNROLL
#endif

/* exp(x).  Within 1 ulp for -708 <= x <= 709; outside it saturates at the
 * values of these ends (rates never get there).  NaN stays NaN.
 *
 * Cody and Waite (1980): x = k ln 2 + r with |r| <= ln 2 / 2, exp(r) by its
 * Taylor polynomial of degree 13, whose remainder there is below 2^-56.  No
 * branch and no conversion: adding 1.5 * 2^52 rounds to the integer k and
 * leaves it in the low bits, from where a shift makes 2^k. */
BOSC_HD static inline double bosc_exp(double x)
{
    const double shifter = 0x1.8p52;
    const double ln2_high = 0x1.62e42fee00000p-1; /* 33 bits: k * it is exact */
    const double ln2_low = 0x1.a39ef35793c76p-33;

    x = x < -708.0 ? -708.0 : x;
    x = x > 709.0 ? 709.0 : x;

    const double shifted = x * 0x1.71547652b82fep0 + shifter;
    const double k = shifted - shifter;
    const double high = x - k * ln2_high, low = k * ln2_low;
    const double r = high - low, r2 = r * r;

    /* Pairs of terms: shorter chains of dependent operations than Horner's. */
    const double p23 = 0.5 + r * (1.0 / 6);
    const double p45 = 1.0 / 24 + r * (1.0 / 120);
    const double p67 = 1.0 / 720 + r * (1.0 / 5040);
    const double p89 = 1.0 / 40320 + r * (1.0 / 362880);
    const double p1011 = 1.0 / 3628800 + r * (1.0 / 39916800);
    const double p1213 = 1.0 / 479001600 + r * (1.0 / 6227020800.0);
    const double r4 = r2 * r2;
    const double q =
        (p23 + r2 * p45) + r4 * ((p67 + r2 * p89) + r4 * (p1011 + r2 * p1213));
    const double y = 1.0 + (high + (r2 * q - low));
    uint64_t bits;
    double scale;

    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    memcpy(&scale, &bits, sizeof scale);
    return y * scale;
}

#endif
