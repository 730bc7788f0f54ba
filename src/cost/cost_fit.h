/* cost_fit.h - rates from measurements.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_COST_COST_FIT_H
#define BOSC_SRC_COST_COST_FIT_H

#include "src/cost/costs.h"

/* A measurement: what was done, and the ns of one thread that it took. */
typedef struct bosc_measure {
    bosc_work work;
    double ns; /* > 0 */
} bosc_measure;

/* Change rate[BOSC_MAX_WORKS] such that sums of work agree with n measurements:
 * least squares of the relative errors, plus 'trust' times those of the rates
 * themselves against what they were.  No rate becomes negative, and one that
 * was zero stays so.  What no measurement has stays as it was. */
void bosc_cost_fit(int n, const bosc_measure *measure, double trust,
                   double rate[BOSC_MAX_WORKS]);

/* Multiply all rates by the one number that fits best; returns it. */
double bosc_cost_scale(int n, const bosc_measure *measure,
                       double rate[BOSC_MAX_WORKS]);

#endif
