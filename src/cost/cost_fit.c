/* cost_fit.c - least squares with x >= 0, one unknown after another.
 *
 * With a[r][k] = work k of measurement r at its present rate over the measured
 * time, the multipliers x[k] minimise
 *     sum over r of (sum over k of a[r][k] x[k] - 1)^2
 *     + trust * sum over k of (x[k] - 1)^2
 * and the minimum in x[k] alone is known; x[k] goes there, cut off at zero, so
 * often until nothing moves.
 */
#include "src/cost/cost_fit.h"

#include <math.h>

static double part(const bosc_measure *m, const double *rate, int k)
{
    return m->work.of[k] * rate[k] / m->ns;
}

static double reckoned(const bosc_measure *m, const double *rate,
                       const double *x)
{
    double sum = 0;

    for (int k = 0; k < BOSC_N_WORKS; ++k)
        sum += part(m, rate, k) * x[k];
    return sum;
}

/* Move x[k] to its best place; returns how far. */
static double improve(int n, const bosc_measure *measure, const double *rate,
                      double trust, int k, double *x)
{
    double square = trust, slope = trust * (1 - x[k]), best;

    for (int r = 0; r < n; ++r) {
        const double a = part(&measure[r], rate, k);

        square += a * a;
        slope += a * (1 - reckoned(&measure[r], rate, x));
    }
    if (square <= trust) /* no measurement has any of it */
        return 0;
    best = x[k] + slope / square;
    best = best > 0 ? best : 0;

    const double moved = fabs(best - x[k]);

    x[k] = best;
    return moved;
}

void bosc_cost_fit(int n, const bosc_measure *measure, double trust,
                   double rate[BOSC_N_WORKS])
{
    enum { ROUNDS = 20000 };
    double x[BOSC_N_WORKS], moved = 1;

    for (int k = 0; k < BOSC_N_WORKS; ++k)
        x[k] = 1;
    for (int round = 0; round < ROUNDS && moved > 1e-9; ++round) {
        moved = 0;
        for (int k = 0; k < BOSC_N_WORKS; ++k)
            moved = fmax(moved, improve(n, measure, rate, trust, k, x));
    }
    for (int k = 0; k < BOSC_N_WORKS; ++k)
        rate[k] *= x[k];
}

double bosc_cost_scale(int n, const bosc_measure *measure,
                       double rate[BOSC_N_WORKS])
{
    double square = 0, sum = 0, scale = 1;
    double one[BOSC_N_WORKS];

    for (int k = 0; k < BOSC_N_WORKS; ++k)
        one[k] = 1;
    for (int r = 0; r < n; ++r) {
        const double a = reckoned(&measure[r], rate, one);

        square += a * a;
        sum += a;
    }
    if (square > 0)
        scale = sum / square;
    for (int k = 0; k < BOSC_N_WORKS; ++k)
        rate[k] *= scale;
    return scale;
}
