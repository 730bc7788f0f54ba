/* formula.h - what the shared formulas need: the host/device mark, the exact
 * exponential, and the row of a parameter table.
 *
 * Every result of bosc must have the same bits for any vector width, thread or
 * rank.  So the formulas use only + - * / (compiled without contraction to
 * fused operations) and bosc_exp(), which is made of those and therefore gives
 * the same bits in a scalar loop, in a vector and on a GPU.
 */
#ifndef BOSC_KERNELS_FORMULA_H
#define BOSC_KERNELS_FORMULA_H

#include <stdint.h>
#include <string.h>

#if defined(__CUDACC__)
#define BOSC_HD __host__ __device__
#else
#define BOSC_HD
#endif

/* One parameter of a mechanism, as job files know it. */
typedef struct bosc_mech_param {
    const char *name, *unit, *meaning;
    double standard, low, high; /* default and allowed range */
} bosc_mech_param;

/* exp(x).  Within 1 ulp for -708 <= x <= 709; outside it saturates at the
 * values of these ends (rates never get there).  NaN stays NaN. */
BOSC_HD static inline double bosc_exp(double x);

#endif
