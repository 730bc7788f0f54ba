/* emitted.h - what the text of a mechanism needs that is made of a mod file
 * (src/nmodl/emit/emit.h).
 *
 * Such a text has formulas for CPUs and GPUs, loops over instances where
 * BOSC_MECH_LOOPS is defined (it is then compiled for one instruction set,
 * BOSC_ISA), and a description, bosc_NAME, for CPUs.
 */
#ifndef BOSC_KERNELS_MECH_EMITTED_H
#define BOSC_KERNELS_MECH_EMITTED_H

#include "kernels/base/circular.h"
#include "kernels/base/elementary.h"
#include "kernels/base/formula.h"
#include "kernels/base/isa.h"
#include "kernels/base/random.h"
#include "kernels/mech/mech.h"
#include "kernels/mech/relax.h"

#define BOSC_MECH_JOIN_OF(a, b) a##_##b
#define BOSC_MECH_JOIN(a, b) BOSC_MECH_JOIN_OF(a, b)

/* bosc_mech.made and .text: defined where a mechanism is loaded. */
#if !defined(BOSC_MECH_MADE)
#define BOSC_MECH_MADE NULL
#define BOSC_MECH_TEXT NULL
#endif

/* bosc_mech.loops: tests that have one instruction set define it. */
#if !defined(BOSC_MECH_TABLES)
#define BOSC_MECH_TABLES(loops) BOSC_ISA_TABLES(loops)
#endif

/* A loop with a call in it is no vector; gcc is not to find that a formula is
 * too long to be inlined twice. */
#define BOSC_MECH_LOOP static __attribute__((flatten))

/* Instances that tell which form to begin with (kernels/mech/relax.h). */
enum { BOSC_MECH_TRIED = 16 };

/* Instances that rounds of Newton's method are done for together on a CPU. */
enum { BOSC_MECH_LANES = 16 };

/* A conductance and its sum g E. */
typedef struct bosc_mech_sum {
    double g, ge;
} bosc_mech_sum;

/* Powers of whole numbers are products, in one order everywhere. */
BOSC_HD static inline double bosc_nm_power(double x, int n)
{
    const int m = n < 0 ? -n : n;
    const double x2 = x * x, x4 = x2 * x2;
    double y = m & 1 ? x : 1.0;

    y = m & 2 ? y * x2 : y;
    y = m & 4 ? y * x4 : y;
    y = m & 8 ? y * (x4 * x4) : y;
    return n < 0 ? 1.0 / y : y;
}

/* 1 where Newton's method changed x by more than that share of it, else what
 * was known before.  A round squares the error, so what a smaller change leaves
 * of it is below 1e-12 of x, and another round would find it zero.  NAN is
 * none. */
#define BOSC_NM_CLOSE 1e-6

BOSC_HD static inline double bosc_nm_moved(double moved, double change,
                                           double x)
{
    return fabs(change) > BOSC_NM_CLOSE * fabs(x) ? 1.0 : moved;
}

/* Which of n elements: the nearest one there is. */
BOSC_HD static inline int bosc_nm_element(double k, int n)
{
    return k >= n - 1 ? n - 1 : k > 0 ? (int)k : 0;
}

/* The number at t (ms) in the table of an instance: on straight lines between
 * its points, and beyond them that of the nearest one, as NEURON plays a
 * Vector. own[0] is where it begins, in points from here on, own[1] how many it
 * has. */
BOSC_HD static inline double bosc_nm_played(const uint32_t *own, double t)
{
    const uint32_t *table = own + 4 * (ptrdiff_t)own[0];
    uint32_t low = 0, high = own[1] - 1;
    double a[2], b[2]; /* the points there */

    memcpy(a, table, sizeof a);
    memcpy(b, table + 4 * (ptrdiff_t)high, sizeof b);
    if (!(t > a[0]))
        return a[1];
    if (t >= b[0])
        return b[1];
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        double x[2];

        memcpy(x, table + 4 * (ptrdiff_t)middle, sizeof x);
        if (x[0] <= t) {
            low = middle;
            a[0] = x[0], a[1] = x[1];
        } else {
            high = middle;
            b[0] = x[0], b[1] = x[1];
        }
    }
    return fma(b[1] - a[1], (t - a[0]) / (b[0] - a[0]), a[1]);
}

/* A bound of a FROM loop, cut to an int as in C.  What no int holds is NAN: a
 * loop with such a bound runs no round. */
BOSC_HD static inline double bosc_nm_bound(double x)
{
    return x > -2147483649.0 && x < 2147483648.0 ? trunc(x) : NAN;
}

/* What a call leaves to be sent; those beyond the room are counted. */
BOSC_HD static inline void bosc_nm_send(bosc_mech_sent *sent, double delay,
                                        double flag)
{
    if (sent->n < BOSC_MECH_SENT) {
        sent->delay[sent->n] = delay;
        sent->flag[sent->n] = flag;
    }
    ++sent->n;
}

BOSC_HD static inline void bosc_nm_spike(bosc_mech_sent *sent, double t)
{
    (void)t; /* it is now */
    ++sent->spikes;
}

BOSC_HD static inline void bosc_nm_move(bosc_mech_sent *sent, double t)
{
    sent->moves = true;
    sent->move_to = t;
}

#endif
