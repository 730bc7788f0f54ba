/* formula.h - what the shared formulas need: the host/device mark and the exact
 * exponential.
 *
 * Every result of bosc must have the same bits for any vector width, thread,
 * rank or device.  So the formulas use only + - * /, fma() where it is written
 * (the compiler contracts nothing), and bosc_exp(), which is made of those.
 *
 * BOSC_ARITHMETIC counts the changes of these operations or of their order, and
 * of how files become compartments: two versions of bosc with the same number
 * give the same bits.
 */
#ifndef BOSC_KERNELS_BASE_FORMULA_H
#define BOSC_KERNELS_BASE_FORMULA_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { BOSC_ARITHMETIC = 10 };

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

/* 1 / x of what rows have: from 2^-1021 to 2^1021.  A GPU has no instruction
 * for it; the compiler's way has these operations, and a test for numbers
 * beyond, with a call that no row makes, but all wait for. */
#if defined(__CUDA_ARCH__)
static __device__ __forceinline__ double bosc_reciprocal(double x)
{
    double y, e;

    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    /* With this lower half a mantissa of ones is rounded right, too. */
    y = __hiloint2double(__double2hiint(y), __double2hiint(x) + 0x300402);
    e = fma(-x, y, 1.0);
    e = fma(e, e, e);
    y = fma(y, e, y);
    e = fma(-x, y, 1.0);
    return fma(y, e, y);
}

static __device__ __forceinline__ float bosc_reciprocal(float x)
{
    return 1 / x;
}

#define BOSC_RECIPROCAL(x) bosc_reciprocal(x)
#else
#define BOSC_RECIPROCAL(x) (1 / (x))
#endif

/* Before a loop of fixed length: unroll it on a GPU, where an array indexed by
 * its counter then stands in registers. */
#if defined(__CUDA_ARCH__)
#define BOSC_UNROLL _Pragma("unroll")
#else
#define BOSC_UNROLL
#endif

/* Before a loop that a GPU is to leave as it is: short code stays in the
 * cache of instructions, and waits for those take longer than loops do. */
#if defined(__CUDA_ARCH__)
#define BOSC_ROLLED _Pragma("unroll 1")
#else
#define BOSC_ROLLED
#endif

/* Numbers of polynomials.  A GPU has them among its constants, too: there an
 * instruction reads them as fast as registers, into which it would have to
 * bring each number first. */
#if defined(__CUDACC__)
#define BOSC_NUMBERS(name, ...)                                                \
    static const double name[] = {__VA_ARGS__};                                \
    static __constant__ double name##_there[] = {__VA_ARGS__};
#else
#define BOSC_NUMBERS(name, ...) static const double name[] = {__VA_ARGS__};
#endif
#if defined(__CUDA_ARCH__)
#define BOSC_NUMBER(name, i) name##_there[i]
#else
#define BOSC_NUMBER(name, i) name[i]
#endif

BOSC_NUMBERS(bosc_exp_q, 0x1.000000000000ap-1, 0x1.55555555554fap-3,
             0x1.555555555087dp-5, 0x1.1111111127be6p-7, 0x1.6c16c1842a09fp-10,
             0x1.a01a012a57064p-13, 0x1.a0199a0c78972p-16,
             0x1.71df255430ed3p-19, 0x1.28ad72bf7e407p-22,
             0x1.ad7f6b5dc2ef6p-26)

/* 1 / ln 2, and ln 2 in two parts, the first of 33 bits: k times it is exact.
 */
BOSC_NUMBERS(bosc_exp_ln2, 0x1.71547652b82fep0, 0x1.62e42fee00000p-1,
             0x1.a39ef35793c76p-33)

/* exp(r) for |r| <= ln 2 / 2: 1 + r + r^2 q(r) with the q of degree 9 whose
 * greatest relative error there is least, 2^-57.9 (Remez).  It has the bits of
 * bosc_exp(r). */
BOSC_HD static inline double bosc_exp_near_0(double r)
{
    /* Pairs of terms: shorter chains of dependent operations than Horner's. */
    const double r2 = r * r;
    const double q01 =
        fma(BOSC_NUMBER(bosc_exp_q, 1), r, BOSC_NUMBER(bosc_exp_q, 0));
    const double q23 =
        fma(BOSC_NUMBER(bosc_exp_q, 3), r, BOSC_NUMBER(bosc_exp_q, 2));
    const double q45 =
        fma(BOSC_NUMBER(bosc_exp_q, 5), r, BOSC_NUMBER(bosc_exp_q, 4));
    const double q67 =
        fma(BOSC_NUMBER(bosc_exp_q, 7), r, BOSC_NUMBER(bosc_exp_q, 6));
    const double q89 =
        fma(BOSC_NUMBER(bosc_exp_q, 9), r, BOSC_NUMBER(bosc_exp_q, 8));
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
    const double shifted = fma(x, BOSC_NUMBER(bosc_exp_ln2, 0), shifter);
    const double k = shifted - shifter;
    const double rest = fma(-k, BOSC_NUMBER(bosc_exp_ln2, 1), x);
    const double y =
        bosc_exp_near_0(fma(-k, BOSC_NUMBER(bosc_exp_ln2, 2), rest));
    uint64_t bits;
    double scale;

    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    memcpy(&scale, &bits, sizeof scale);
    return y * scale;
}

/* exp(x); for x < -708 and x > 700 the values of these ends.  The upper one is
 * that of NEURON's hoc_Exp(): products of a few such numbers stay finite, so
 * that exp(x) / (1 + exp(x)) and its slope do.  NaN stays NaN. */
BOSC_HD static inline double bosc_exp(double x)
{
    x = x < -708.0 ? -708.0 : x;
    return bosc_exp_within(x > 700.0 ? 700.0 : x);
}

#endif
