/* relax.h - how far a state goes in a step, for translated mechanisms
 * (src/nmodl/emit/emit.h).
 *
 * Formulas come in three forms.  The wide one holds where the voltage is usual:
 * exponentials without limits, and polynomials for states that go by less than
 * a third of their way.  The near one is the same where all states do so, and
 * has only the polynomials: what both hold for has the same bits.  They note in
 * bosc_far whether they hold; where the wide one does not, the far one is the
 * result.
 *
 * A compiler for GPUs divides with a test for very large and very small
 * numbers, on which all lanes wait.  Densities in programs of a job's
 * mechanisms (src/mods/program.c) divide the quick way: without that test,
 * which bosc_far notes, too.  Where it did not hold, all forms are tried again
 * with plain quotients.  So results do not depend on it.  Cell blocks have no
 * registers to spare for it.
 */
#ifndef BOSC_KERNELS_MECH_RELAX_H
#define BOSC_KERNELS_MECH_RELAX_H

#include "kernels/base/formula.h"

#define BOSC_NEAR_Z 0.5
#define BOSC_NEAR_V 150.0    /* mV */
#define BOSC_NEAR_EXP 0.3465 /* below ln 2 / 2: bosc_exp_near_0() */
#define BOSC_WITHIN_EXP 700.0

/* The sums of all z, and of |z|: equal where none is below 0.  They take less
 * time than comparisons.  'others' counts what else does not hold. */
typedef struct bosc_far {
    double sum, size, others;
    bool quick;   /* quotients are made the quick way, */
    bool extreme; /* and an operand was not between 2^-500 and 2^500 */
} bosc_far;

/* Does the near form not hold, the wide one?  0 or more. */
BOSC_HD static inline double bosc_is_far(const bosc_far *far)
{
    return far->size <= BOSC_NEAR_Z && far->size == far->sum && !far->extreme
               ? far->others
               : 1.0;
}

BOSC_HD static inline double bosc_is_outside(const bosc_far *far)
{
    return far->size == far->sum && !far->extreme ? far->others : 1.0;
}

/* Does it hold for |x| up to 'most'? */
BOSC_HD static inline void bosc_near(double x, double most, bosc_far *far)
{
    far->others += fabs(x) <= most ? 0.0 : 1.0;
}

/* 1 / y and x / y. */
#if defined(BOSC_PROGRAM)
static __device__ __forceinline__ bool bosc_is_extreme(double x)
{
    enum { LOW = 0x20b00000, RANGE = 0x3e800000 }; /* 2^-500 to 2^500 */

    return ((uint32_t)__double2hiint(x) & 0x7fffffff) - LOW >= RANGE;
}

static __device__ __forceinline__ double bosc_per(double y, bosc_far *far)
{
    if (!far->quick)
        return 1.0 / y;
    far->extreme |= bosc_is_extreme(y);
    return BOSC_RECIPROCAL(y);
}

static __device__ __forceinline__ double bosc_over(double x, double y,
                                                   bosc_far *far)
{
    const double per_y = bosc_per(y, far), q = x * per_y;
    const double near = fma(per_y, fma(-y, q, x), q);

    if (!far->quick)
        return x / y;
    far->extreme |= bosc_is_extreme(x) && x != 0;
    /* fma() makes +0 of a quotient of -0 */
    return __hiloint2double(__double2hiint(near) |
                                (__double2hiint(q) & (int)0x80000000),
                            __double2loint(near));
}
#else
BOSC_HD static inline double bosc_per(double y, bosc_far *far)
{
    (void)far;
    return 1.0 / y;
}

BOSC_HD static inline double bosc_over(double x, double y, bosc_far *far)
{
    (void)far;
    return x / y;
}
#endif

BOSC_HD static inline double bosc_exp_near(double x, bosc_far *far)
{
    bosc_near(x, BOSC_WITHIN_EXP, far);
    return bosc_exp_within(x);
}

BOSC_NUMBERS(bosc_relax_q, -0x1.ffffffffffef3p-2, 0x1.555555554ca14p-3,
             -0x1.55555551d5e2ep-5, 0x1.1111105a2d801p-7,
             -0x1.6c16967524e85p-10, 0x1.a013d9292b3e9p-13,
             -0x1.9f8d9ade8b9d8p-16, 0x1.6a401c18993ffp-19,
             -0x1.d8403298a739cp-23)

/* (1 - exp(-z)) / z for 0 <= z <= BOSC_NEAR_Z, within 2^-54 (Remez). */
BOSC_HD static inline double bosc_relax_near(double z, bosc_far *far)
{
    double y =
        fma(BOSC_NUMBER(bosc_relax_q, 8), z, BOSC_NUMBER(bosc_relax_q, 7));

    y = fma(y, z, BOSC_NUMBER(bosc_relax_q, 6));
    y = fma(y, z, BOSC_NUMBER(bosc_relax_q, 5));
    y = fma(y, z, BOSC_NUMBER(bosc_relax_q, 4));
    y = fma(y, z, BOSC_NUMBER(bosc_relax_q, 3));
    y = fma(y, z, BOSC_NUMBER(bosc_relax_q, 2));
    y = fma(y, z, BOSC_NUMBER(bosc_relax_q, 1));
    y = fma(y, z, BOSC_NUMBER(bosc_relax_q, 0));
    far->sum += z;
    far->size += fabs(z);
    return fma(y, z, 1.0);
}

/* The same for any z >= 0. */
BOSC_HD static inline double bosc_relax_wide(double z, bosc_far *far)
{
    const double near = bosc_relax_near(z, far);

    return z <= BOSC_NEAR_Z ? near : (1.0 - bosc_exp(-z)) / z;
}

/* The same for any z; where the quotient is almost 0 / 0, by its series. */
BOSC_HD static inline double bosc_relax(double z)
{
    const bool small = fabs(z) < 1e-4;

    return small ? fma(z, fma(z, 1.0 / 6, -0.5), 1.0)
                 : (1.0 - bosc_exp(-z)) / (small ? 1.0 : z);
}

/* Copies of n numbers. */
#define BOSC_COPY(n, to, from)                                                 \
    BOSC_UNROLL for (int j = 0; j < (n); ++j) to[j] = from[j];
#define BOSC_KEEP(n, to, from)                                                 \
    double to[(n) + 1];                                                        \
    BOSC_COPY(n, to, from)

#endif
