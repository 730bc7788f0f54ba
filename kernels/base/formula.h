/* formula.h - what the shared formulas need: the host/device mark and the exact
 * exponential.
 *
 * Every result of bosc must have the same bits for any vector width, thread,
 * rank or device.  So the formulas use only + - * /, fma() where it is written
 * (the compiler contracts nothing), and bosc_exp(), which is made of those.
 *
 * BOSC_ARITHMETIC counts the changes of these operations or of their order: two
 * versions of bosc with the same number give the same bits.
 */
#ifndef BOSC_KERNELS_BASE_FORMULA_H
#define BOSC_KERNELS_BASE_FORMULA_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { BOSC_ARITHMETIC = 3 };

#if defined(__CUDACC__)
#define BOSC_HD __host__ __device__
#else
#define BOSC_HD
#endif

/* x y + z with one rounding, of doubles or floats.  A processor without the
 * instruction does it in software: the same bits, slowly. */
#if defined(__cplusplus)
#define BOSC_FMA(x, y, z) fma(x, y, z)
#else
#define BOSC_FMA(x, y, z) _Generic((x), float : fmaf, default : fma)(x, y, z)
#endif

/* Before a loop of fixed length: unroll it on a GPU, where an array indexed by
 * its counter then stands in registers. */
#if defined(__CUDA_ARCH__)
#define BOSC_UNROLL _Pragma("unroll")
#else
#define BOSC_UNROLL
#endif

/* exp(r) for |r| <= ln 2 / 2: 1 + r + r^2 q(r) with the q of degree 9 whose
 * greatest relative error there is least, 2^-57.9 (Remez).  It has the bits of
 * bosc_exp(r). */
BOSC_HD static inline double bosc_exp_near_0(double r)
{
    /* Pairs of terms: shorter chains of dependent operations than Horner's. */
    const double r2 = r * r;
    const double q01 = fma(0x1.55555555554fap-3, r, 0x1.000000000000ap-1);
    const double q23 = fma(0x1.1111111127be6p-7, r, 0x1.555555555087dp-5);
    const double q45 = fma(0x1.a01a012a57064p-13, r, 0x1.6c16c1842a09fp-10);
    const double q67 = fma(0x1.71df255430ed3p-19, r, 0x1.a0199a0c78972p-16);
    const double q89 = fma(0x1.ad7f6b5dc2ef6p-26, r, 0x1.28ad72bf7e407p-22);
    const double r4 = r2 * r2;
    const double q47 = fma(r2, q67, q45), q03 = fma(r2, q23, q01);
    const double q = fma(r4, fma(r4, q89, q47), q03);

    return 1.0 + fma(r2, q, r);
}

/* exp(x) for -708 <= x <= 709, within 1.05 ulp.
 *
 * Cody and Waite (1980): x = k ln 2 + r with |r| <= ln 2 / 2.  No branch and no
 * conversion: adding 1.5 * 2^52 rounds to the integer k and leaves it in the
 * low bits, from where a shift makes 2^k. */
BOSC_HD static inline double bosc_exp_within(double x)
{
    const double shifter = 0x1.8p52;
    const double ln2_high = 0x1.62e42fee00000p-1; /* 33 bits: k * it is exact */
    const double ln2_low = 0x1.a39ef35793c76p-33;
    const double shifted = fma(x, 0x1.71547652b82fep0, shifter);
    const double k = shifted - shifter;
    const double y = bosc_exp_near_0(fma(-k, ln2_low, fma(-k, ln2_high, x)));
    uint64_t bits;
    double scale;

    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    memcpy(&scale, &bits, sizeof scale);
    return y * scale;
}

/* exp(x); for x < -708 and x > 709 (rates never get there) the values of these
 * ends.  NaN stays NaN. */
BOSC_HD static inline double bosc_exp(double x)
{
    x = x < -708.0 ? -708.0 : x;
    return bosc_exp_within(x > 709.0 ? 709.0 : x);
}

#endif
