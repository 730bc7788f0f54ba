/* circular.h - sin, cos, tan and their inverses, with the same bits on all
 * instruction sets and devices, as the functions of elementary.h.
 *
 * They have no branch and no conversion of integers, so that loops with them
 * are vectors.  Errors are those of tests/unit/kernels/elementary.c: below 1
 * unit in the last place for sin and cos, 2 for atan and atan2, 3 for the
 * others.  Polynomials are fitted at Chebyshev's nodes.
 */
#ifndef BOSC_KERNELS_BASE_CIRCULAR_H
#define BOSC_KERNELS_BASE_CIRCULAR_H

#include "kernels/base/formula.h"

#define BOSC_PI_HIGH 0x1.921fb54442d18p+1
#define BOSC_PI_LOW 0x1.1a62633145c07p-53

/* Angles (radian) beyond have no sine: doubles are 0.1 apart there. */
#define BOSC_MOST_ANGLE 1e15

/* sin and cos of x, without their signs: of x = k pi/2 + r with |r| <= pi/4. */
typedef struct bosc_sines {
    double of_rest, beside; /* sin(r), cos(r) */
    uint64_t quarter;       /* its two lowest bits are those of k */
} bosc_sines;

/* Cody and Waite (1980), with pi/2 in three parts of 53 bits.  k times the
 * first, taken from x by fma(), is exact: both are multiples of one power of 2,
 * and little is left.  Not of more than BOSC_MOST_ANGLE: NAN. */
BOSC_HD static inline bosc_sines bosc_sines_of(double x)
{
    const double within = fabs(x) <= BOSC_MOST_ANGLE ? x : NAN;
    const double shifted = fma(within, 0x1.45f306dc9c883p-1, 0x1.8p52);
    const double k = shifted - 0x1.8p52;
    const double a = fma(-k, 0.5 * BOSC_PI_HIGH, within);
    const double b = k * (0.5 * BOSC_PI_LOW);
    const double b_low = fma(k, 0.5 * BOSC_PI_LOW, -b);
    /* a - b in two numbers, whichever is larger (Knuth) */
    const double r = a - b, part = r - a;
    const double rest = (a - (r - part)) - (b + part);
    const double low = rest - fma(k, -0x1.f1976b7ed8fbcp-110, b_low);

    const double z = r * r, z2 = z * z, z4 = z2 * z2, half = 0.5 * z;
    const double s01 = fma(0x1.1111111111110p-7, z, -0x1.5555555555555p-3);
    const double s23 = fma(0x1.71de3a545e700p-19, z, -0x1.a01a01a019926p-13);
    const double s45 = fma(0x1.61217c1864fa1p-33, z, -0x1.ae64540f0ba18p-26);
    const double s46 = fma(z2, -0x1.ab161757f0c63p-41, s45);
    const double s = fma(z4, s46, fma(z2, s23, s01));
    const double c01 = fma(-0x1.6c16c16c16960p-10, z, 0x1.5555555555555p-5);
    const double c23 = fma(-0x1.27e4fa15bd814p-22, z, 0x1.a01a019f4d0edp-16);
    const double c45 = fma(-0x1.907c0e63adbb6p-37, z, 0x1.1eeb66b683028p-29);
    const double c = fma(z4, c45, fma(z2, c23, c01));
    const double near_1 = 1.0 - half;
    bosc_sines y;

    y.of_rest = r + fma(r * z, s, low * near_1);
    y.beside = near_1 + (((1.0 - near_1) - half) + fma(z2, c, -(r * low)));
    memcpy(&y.quarter, &shifted, sizeof y.quarter);
    return y;
}

/* sin(x + n pi/2) */
BOSC_HD static inline double bosc_sin_behind(bosc_sines of, uint64_t n)
{
    const uint64_t quarter = of.quarter + n;
    double y = (quarter & 1) != 0 ? of.beside : of.of_rest;
    uint64_t bits;

    memcpy(&bits, &y, sizeof bits);
    bits ^= (quarter & 2) << 62; /* the sign */
    memcpy(&y, &bits, sizeof y);
    return y;
}

/* Of an angle in radian, NAN beyond BOSC_MOST_ANGLE and of what is not finite:
 * C's functions go on, with all digits of pi that this needs. */
BOSC_HD static inline double bosc_sin(double x)
{
    return bosc_sin_behind(bosc_sines_of(x), 0);
}

BOSC_HD static inline double bosc_cos(double x)
{
    return bosc_sin_behind(bosc_sines_of(x), 1);
}

/* sin(x) / cos(x); no double is an odd multiple of pi/2, so none is infinite.
 */
BOSC_HD static inline double bosc_tan(double x)
{
    const bosc_sines of = bosc_sines_of(x);

    return bosc_sin_behind(of, 0) / bosc_sin_behind(of, 1);
}

/* atan(y / x) of x and y from 0 on, 0 of two zeros; what is steeper than pi/8
 * is turned back by pi/4 or pi/2. */
BOSC_HD static inline double bosc_angle(double y, double x)
{
    const double scale = (y > x ? y : x) > 1.0 ? 0.5 : 1.0; /* of their sum */
    const double v = y * scale, h = x * scale;
    const bool far = v > 0x1.3504f333f9de6p+1 * h;
    const bool mid = v >= 0x1.a827999fcef32p-2 * h && v > 0.0;
    const double apart = v == h ? 0.0 : v - h; /* also of two infinities */
    const double up = far ? -h : mid ? apart : v;
    const double along = far ? v : mid ? v + h : h;
    const double base = far   ? 0.5 * BOSC_PI_HIGH
                        : mid ? 0.25 * BOSC_PI_HIGH
                              : 0;
    const double base_low = far   ? 0.5 * BOSC_PI_LOW
                            : mid ? 0.25 * BOSC_PI_LOW
                                  : 0;
    const double t = up / (along == 0.0 ? 1.0 : along);

    const double z = t * t, z2 = z * z, z4 = z2 * z2;
    const double p01 = fma(0x1.9999999999349p-3, z, -0x1.5555555555555p-2);
    const double p23 = fma(0x1.c71c718525179p-4, z, -0x1.2492492435f94p-3);
    const double p45 = fma(0x1.3b1262ac559fcp-4, z, -0x1.745d0b24c84b9p-4);
    const double p67 = fma(0x1.dfe5f37f19c8bp-5, z, -0x1.10fa72be60a88p-4);
    const double p89 = fma(0x1.415dac51cd10bp-5, z, -0x1.a097da67e4438p-5);
    const double p8 = fma(z2, -0x1.3a254249c2220p-6, p89);
    const double p4 = fma(z2, p67, p45), p0 = fma(z2, p23, p01);
    const double p = fma(z4, fma(z4, p8, p4), p0);

    return base + (t + fma(t * z, p, base_low));
}

/* pi - angle, of what is to the left. */
BOSC_HD static inline double bosc_angle_left(double angle)
{
    return (BOSC_PI_HIGH - angle) + BOSC_PI_LOW;
}

/* The angle (radian) whose tangent is x, -pi/2 to pi/2. */
BOSC_HD static inline double bosc_atan(double x)
{
    return copysign(bosc_angle(fabs(x), 1.0), x);
}

/* The angle (radian) of the point (x, y), -pi to pi, with zeros and infinities
 * as C has them: the sign of a 0 counts. */
BOSC_HD static inline double bosc_atan2(double y, double x)
{
    const double angle = bosc_angle(fabs(y), fabs(x));
    const bool is_left = copysign(1.0, x) < 0;

    return copysign(is_left ? bosc_angle_left(angle) : angle, y);
}

/* sqrt(1 - x^2), NAN of what is larger than 1. */
BOSC_HD static inline double bosc_circle(double x)
{
    return sqrt((1.0 - x) * (1.0 + x));
}

/* The angle (radian) whose sine is x, NAN where |x| > 1. */
BOSC_HD static inline double bosc_asin(double x)
{
    return copysign(bosc_angle(fabs(x), bosc_circle(x)), x);
}

/* The angle (radian) whose cosine is x, 0 to pi, NAN where |x| > 1. */
BOSC_HD static inline double bosc_acos(double x)
{
    const double angle = bosc_angle(bosc_circle(x), fabs(x));

    return x < 0 ? bosc_angle_left(angle) : angle;
}

#endif
