/* elementary.h - log, pow, tanh, erf and their like, with the same bits on all
 * instruction sets and devices, as bosc_exp().
 *
 * They have no branch and no conversion of integers, so that loops with them
 * are vectors.  Errors are those of tests/unit/kernels/elementary.c: below 2
 * units in the last place.  Polynomials are fitted at Chebyshev's nodes.
 *
 * Special numbers give what C's functions give, NAN for NAN, but for these: no
 * function sets errno or raises a flag; bosc_pow() gives 0 where the result is
 * below exp(-708), 3e-308; bosc_sinh() stays at its value of 709 from there on,
 * and bosc_cosh() at that of 700, as bosc_exp() does, also for infinite x.
 *
 * Sums of two numbers: where |a| >= |b|, s = a + b and (a - s) + b is what s
 * has lost (Dekker, 1971); x y loses fma(x, y, -x y).
 */
#ifndef BOSC_KERNELS_BASE_ELEMENTARY_H
#define BOSC_KERNELS_BASE_ELEMENTARY_H

#include "kernels/base/formula.h"

/* x = m 2^k with m between sqrt(1/2) and sqrt(2), of a positive finite x. */
typedef struct bosc_split {
    double m, k; /* k a whole number, -1074 to 1024 */
} bosc_split;

/* By the bits of x; of 0, negative and infinite numbers and NAN the result is
 * some number, which the caller replaces. */
BOSC_HD static inline bosc_split bosc_split_of(double x)
{
    const bool small = x < 0x1p-1022; /* it has fewer bits */
    uint64_t bits, power;
    bosc_split s;

    x = small ? x * 0x1p54 : x;
    memcpy(&bits, &x, sizeof bits);
    power = bits >> 52 | 0x4330000000000000; /* 2^52 + k + 1023 */
    bits = (bits & 0x000fffffffffffff) | 0x3ff0000000000000;
    memcpy(&s.m, &bits, sizeof bits);
    memcpy(&s.k, &power, sizeof power);
    s.k = s.k - 0x1p52 - (small ? 1077.0 : 1023.0);

    const bool large = s.m > 0x1.6a09e667f3bcdp0;

    s.m = large ? 0.5 * s.m : s.m;
    s.k = large ? s.k + 1.0 : s.k;
    return s;
}

/* ln 2 in two parts, */
#define BOSC_LN2_HIGH 0x1.62e42fee00000p-1 /* 33 bits: k times it is exact */
#define BOSC_LN2_LOW 0x1.a39ef35793c76p-33

/* log(x): -HUGE_VAL of 0, NAN of what is less.
 *
 * With s = f / (2 + f), log(1 + f) = 2 atanh(s) = f - s (f - r), where r is 2
 * (atanh(s) - s) / s. */
BOSC_HD static inline double bosc_log(double x)
{
    const bosc_split at = bosc_split_of(x);
    const double f = at.m - 1.0, s = f / (2.0 + f), z = s * s, z2 = z * z;
    const double p01 = fma(0x1.99999999952d7p-2, z, 0x1.5555555555558p-1);
    const double p23 = fma(0x1.c71c62e3f11e6p-3, z, 0x1.2492492df281ap-2);
    const double p45 = fma(0x1.39fe51a7c18f9p-3, z, 0x1.7462b51cb66b1p-3);
    const double p46 = fma(z2, 0x1.2b5900de53b32p-3, p45);
    const double r = z * fma(z2, fma(z2, p46, p23), p01);
    const double half = 0.5 * f * f;
    const double low = fma(s, half + r, at.k * BOSC_LN2_LOW);
    const double y = fma(at.k, BOSC_LN2_HIGH, f - (half - low));

    return x > 0 ? (x > 0x1.fffffffffffffp1023 ? x : y)
                 : (x == 0 ? -HUGE_VAL : NAN);
}

/* The logarithm to base 10, as log(x) / ln 10 with 1 / ln 10 in two parts.  As
 * bosc_log() where x is not positive. */
BOSC_HD static inline double bosc_log10(double x)
{
    const double y = bosc_log(x);

    return fma(y, 0x1.bcb7b1526e50ep-2, y * 0x1.95355baaafad3p-57);
}

/* A number as the sum of two, the second much smaller. */
typedef struct bosc_twofold {
    double high, low;
} bosc_twofold;

/* log(x) of a positive finite x, within 2^-63 of itself: what bosc_pow() needs,
 * since y times its error is one of the result.  As in bosc_log() with s = f /
 * (2 + f), log(1 + f) = 2 atanh(s) = 2 s + s z (2/3 + z q(z)), z = s^2; what
 * roundings of s, z and the sums lose goes along in x_low. */
BOSC_HD static inline bosc_twofold bosc_log_pair(double x)
{
    const bosc_split at = bosc_split_of(x);
    const double f = at.m - 1.0, sum = 1.0 + at.m;
    const double sum_low = at.m - (sum - 1.0), inverse = 1.0 / sum;
    const double s = f * inverse;
    const double s_low = (fma(-s, sum, f) - s * sum_low) * inverse;
    const double z = s * s, z_low = fma(s, s, -z) + 2.0 * (s * s_low);
    const double z2 = z * z, z4 = z2 * z2;
    const double q01 = fma(0x1.2492492492521p-2, z, 0x1.999999999999ap-2);
    const double q23 = fma(0x1.745d177a96056p-3, z, 0x1.c71c71c6eaa10p-3);
    const double q45 = fma(0x1.1118c7e4b0917p-3, z, 0x1.3b1395d2190c1p-3);
    const double q67 = fma(0x1.e02e6fff27908p-4, z, 0x1.df7cc8e5fa539p-4);
    const double q = fma(z4, fma(z2, q67, q45), fma(z2, q23, q01));
    /* 2 s + s z (2/3 + z q), the part with 2/3 in two numbers */
    const double third = 0x1.5555555555555p-1 * z;
    const double third_low =
        fma(0x1.5555555555555p-1, z, -third) +
        fma(0x1.5555555555555p-55, z, 0x1.5555555555555p-1 * z_low);
    const double t = third + z2 * q;
    const double t_low = (third - t) + z2 * q + third_low;
    const double st = s * t;
    const double st_low = fma(s, t, -st) + fma(s, t_low, s_low * t);
    const double a = 2.0 * s + st; /* |2 s| > |st| */
    const double a_low = (2.0 * s - a) + st + fma(2.0, s_low, st_low);
    /* k ln 2 is 0 or larger */
    const double kl = at.k * BOSC_LN2_HIGH, b = kl + a;
    const double b_low = (kl - b) + a + fma(at.k, BOSC_LN2_LOW, a_low);
    bosc_twofold y;

    y.high = at.k == 0 ? a + a_low : b + b_low;
    y.low = at.k == 0 ? (a - y.high) + a_low : (b - y.high) + b_low;
    return y;
}

/* x^y = exp(y log(x)) as C's pow(), also where x is negative and y a whole
 * number: then an odd y keeps the sign.  HUGE_VAL where the result is too
 * large, 0 where it is below exp(-708). */
BOSC_HD static inline double bosc_pow(double x, double y)
{
    const double size = fabs(x);
    const bosc_twofold l = bosc_log_pair(size);
    const double high = y * l.high;
    const double low = fma(y, l.high, -high) + y * l.low;
    const double near = high > 709.5 ? 709.5 : high < -708.0 ? -708.0 : high;
    const double shifted = fma(near, 0x1.71547652b82fep0, 0x1.8p52);
    const double k = shifted - 0x1.8p52;
    const double r = fma(-k, BOSC_LN2_LOW, fma(-k, BOSC_LN2_HIGH, near)) + low;
    uint64_t bits;
    double scale, z;

    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1022) << 52; /* 2^(k - 1): k may be 1024 */
    memcpy(&scale, &bits, sizeof scale);
    z = bosc_exp_near_0(r) * scale * 2.0;
    z = high > 709.78 ? HUGE_VAL : high < -708.0 ? 0.0 : z;

    /* an odd whole number is one whose half is none */
    const double half = 0.5 * y, tie = floor(half) == half ? 1.0 : -1.0;
    const double sign = floor(y) == y ? tie : NAN;
    const double of_0 = y > 0 ? 0.0 : HUGE_VAL;
    const double of_infinity = y > 0 ? HUGE_VAL : 0.0;

    z = x < 0 ? sign * z : z;
    z = size == 0 ? of_0 : z;
    z = x > 0x1.fffffffffffffp1023 ? of_infinity : z;
    z = x < -0x1.fffffffffffffp1023 ? (sign < 0 ? -of_infinity : of_infinity)
                                    : z;
    z = x != x ? x : z;
    z = y != y ? y : z;
    z = y == 0 ? 1.0 : z;
    return x == 1.0 ? 1.0 : z;
}

/* exp(x) - 1 as the sum of two numbers; for x < -60 and x > 709 the values
 * there: -1 but for 1e-26, and 8e307.
 *
 * Cody and Waite (1980): x = k ln 2 + r with |r| <= ln 2 / 2, exp(r) - 1 = r +
 * r^2 (1/2 + r p(r)), and exp(x) - 1 = 2^k (exp(r) - 1) + (2^k - 1). */
BOSC_HD static inline bosc_twofold bosc_expm1_pair(double x)
{
    const double above = x > 709.0 ? 709.0 : x;
    const double within = above < -60.0 ? -60.0 : above;
    const double shifted = fma(within, 0x1.71547652b82fep0, 0x1.8p52);
    const double k = shifted - 0x1.8p52;
    const double rest = fma(-k, BOSC_LN2_HIGH, within);
    const double r = fma(-k, BOSC_LN2_LOW, rest);
    const double r_low = fma(-k, BOSC_LN2_LOW, rest - r);
    const double r2 = r * r, r4 = r2 * r2;
    const double p01 = fma(0x1.5555555555555p-5, r, 0x1.5555555555556p-3);
    const double p23 = fma(0x1.6c16c16c167e1p-10, r, 0x1.11111111109b3p-7);
    const double p45 = fma(0x1.a01a01a47b054p-16, r, 0x1.a01a01a7c41d5p-13);
    const double p67 = fma(0x1.27e4e1f48534fp-22, r, 0x1.71de0dae63bb3p-19);
    const double p89 = fma(0x1.1f66df7fca49fp-29, r, 0x1.af38a9b0ec855p-26);
    const double p =
        fma(r4, fma(r4, p89, fma(r2, p67, p45)), fma(r2, p23, p01));
    const double t = r2 * fma(r, p, 0.5), e = r + t;
    const double e_low = (r - e) + t + fma(r, r_low, r_low);
    uint64_t bits;
    double scale;
    bosc_twofold y;

    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    memcpy(&scale, &bits, sizeof scale);

    /* scale e + (scale - 1) */
    const double a = scale * e, b = scale - 1.0, sum = a + b;
    const double part = sum - a;

    y.low = fma(scale, e_low, (a - (sum - part)) + (b - part));
    y.high = sum + y.low;
    y.low = (sum - y.high) + y.low;
    return y;
}

/* tanh(|x|) = -e / (2 + e) with e = exp(-2 |x|) - 1, and one correction of the
 * quotient by its rest; the sign is that of x. */
BOSC_HD static inline double bosc_tanh(double x)
{
    const bosc_twofold e = bosc_expm1_pair(-2.0 * fabs(x));
    const double sum = 2.0 + e.high, sum_low = (2.0 - sum) + e.high + e.low;
    const double y = -e.high / sum;
    const double rest = fma(-y, sum, -e.high) - fma(y, sum_low, e.low);
    const double best = fma(rest, 0.5, y); /* 1 / sum is 0.5 to 1 */

    return x < 0 ? -best : best;
}

/* sinh(|x|) = (e + e / (e + 1)) / 2 with e = exp(|x|) - 1, which keeps all
 * digits of a small x. */
BOSC_HD static inline double bosc_sinh(double x)
{
    const bosc_twofold e = bosc_expm1_pair(fabs(x));
    const double y = 0.5 * (e.high + (e.low + e.high / (e.high + 1.0)));

    return x < 0 ? -y : y;
}

/* (exp(|x|) + exp(-|x|)) / 2 */
BOSC_HD static inline double bosc_cosh(double x)
{
    const double e = bosc_exp(fabs(x));

    return 0.5 * (e + 1.0 / e);
}

/* erf(x) of 0 <= x < 1: x + x p(x^2) */
BOSC_HD static inline double bosc_erf_near(double x)
{
    const double z = x * x, z2 = z * z, z4 = z2 * z2;
    const double p01 = fma(-0x1.812746b0379e6p-2, z, 0x1.06eba8214db69p-3);
    const double p23 = fma(-0x1.b82ce31284e00p-6, z, 0x1.ce2f21a042b30p-4);
    const double p45 = fma(-0x1.c02db3dac435fp-11, z, 0x1.565bcd0dbaa38p-8);
    const double p67 = fma(-0x1.f4d1e3183f7aep-17, z, 0x1.f9a321d5b8e1ep-14);
    const double p89 = fma(-0x1.5f1ecb6f0764cp-23, z, 0x1.b9df224ca4b97p-20);
    const double pab = fma(-0x1.389d4f2641625p-30, z, 0x1.f7b4bf3b13964p-27);
    const double pac = fma(z2, 0x1.05ffd737fb32ep-34, pab);
    const double p8 = fma(z2, pac, p89);
    const double p4 = fma(z2, p67, p45), p0 = fma(z2, p23, p01);

    return fma(x, fma(z4, fma(z4, p8, p4), p0), x);
}

/* erf(x) of 1 <= x <= 6: the rest to 1 is exp(-x^2) times a polynomial of
 * (x - 3) / (x + 3). */
BOSC_HD static inline double bosc_erf_far(double x)
{
    const double u = (x - 3.0) / (x + 3.0);
    const double u2 = u * u, u4 = u2 * u2, u8 = u4 * u4;
    const double p01 = fma(-0x1.4e102b9cf850fp-2, u, 0x1.6e9827d229d2dp-3);
    const double p23 = fma(-0x1.336ffbef0a823p-3, u, 0x1.f6ff2041058eap-3);
    const double p45 = fma(-0x1.8fa58ea7ba0edp-6, u, 0x1.258b13b01a9f9p-4);
    const double p67 = fma(0x1.730fdab4a2c4fp-11, u, 0x1.17c83aa91d39ap-8);
    const double p89 = fma(0x1.78cc80fea146ep-15, u, -0x1.390ebe753b427p-11);
    const double pab = fma(-0x1.0c0c9fdebd3fbp-16, u, 0x1.072dec1f5b65ap-14);
    const double pcd = fma(-0x1.b918d7c745e5ep-20, u, -0x1.a480c78819b5fp-17);
    const double p4 = fma(u2, p67, p45), p0 = fma(u2, p23, p01);
    const double p8 = fma(u4, pcd, fma(u2, pab, p89));
    const double p = fma(u8, p8, fma(u4, p4, p0));

    return 1.0 - bosc_exp_within(-(x * x)) * p;
}

/* The error function 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x;
 * from |x| = 6 on it is 1 in doubles. */
BOSC_HD static inline double bosc_erf(double x)
{
    const double size = fabs(x);
    const double near = bosc_erf_near(size);
    const double far = bosc_erf_far(size > 6.0 ? 6.0 : size);

    return copysign(size < 1.0 ? near : far, x);
}

#endif
