/* cost_fit.c - least squares with x >= 0, one unknown after another.
 *
 * With a[r][k] = work k of measurement r at its present rate over the measured
 * time, the multipliers x[k] minimise
 *     sum over r of (sum over k of a[r][k] x[k] - 1)^2
 *     + trust * sum over k of (x[k] - 1)^2
 * The sums over r are made once (the normal equations).  The minimum in x[k]
 * alone is known; x[k] goes there, cut off at zero, so often until nothing
 * moves.
 */
#include "src/cost/cost_fit.h"

#include <math.h>

/* The normal equations. */
typedef struct sums {
    double square[BOSC_MAX_WORKS][BOSC_MAX_WORKS]; /* of a[r][j] a[r][k] */
    double sum[BOSC_MAX_WORKS];                    /* of a[r][k] */
} sums;

static double part(const bosc_measure *m, const double *rate, int k)
{
    return m->work.of[k] * rate[k] / m->ns;
}

static void add(const bosc_measure *m, const double *rate, sums *s)
{
    double a[BOSC_MAX_WORKS];

    for (int k = 0; k < BOSC_MAX_WORKS; ++k)
        a[k] = part(m, rate, k);
    for (int k = 0; k < BOSC_MAX_WORKS; ++k) {
        s->sum[k] += a[k];
        for (int j = 0; j < BOSC_MAX_WORKS; ++j)
            s->square[j][k] += a[j] * a[k];
    }
}

/* Move x[k] to its best place; returns how far. */
static double improve(const sums *s, double trust, int k, double *x)
{
    double slope = trust * (1 - x[k]) + s->sum[k], best;

    if (!(s->square[k][k] > 0)) /* no measurement has any of it */
        return 0;
    for (int j = 0; j < BOSC_MAX_WORKS; ++j)
        slope -= s->square[j][k] * x[j];
    best = x[k] + slope / (trust + s->square[k][k]);
    best = best > 0 ? best : 0;

    const double moved = fabs(best - x[k]);

    x[k] = best;
    return moved;
}

void bosc_cost_fit(int n, const bosc_measure *measure, double trust,
                   double rate[BOSC_MAX_WORKS])
{
    enum { ROUNDS = 20000 };
    sums s = {{{0}}, {0}};
    double x[BOSC_MAX_WORKS], moved = 1;

    for (int r = 0; r < n; ++r)
        add(&measure[r], rate, &s);
    for (int k = 0; k < BOSC_MAX_WORKS; ++k)
        x[k] = 1;
    for (int round = 0; round < ROUNDS && moved > 1e-9; ++round) {
        moved = 0;
        for (int k = 0; k < BOSC_MAX_WORKS; ++k)
            moved = fmax(moved, improve(&s, trust, k, x));
    }
    for (int k = 0; k < BOSC_MAX_WORKS; ++k)
        rate[k] *= x[k];
}

double bosc_cost_scale(int n, const bosc_measure *measure,
                       double rate[BOSC_MAX_WORKS])
{
    double square = 0, sum = 0, scale = 1;

    for (int r = 0; r < n; ++r) {
        double a = 0;

        for (int k = 0; k < BOSC_MAX_WORKS; ++k)
            a += part(&measure[r], rate, k);
        square += a * a;
        sum += a;
    }
    if (square > 0)
        scale = sum / square;
    for (int k = 0; k < BOSC_MAX_WORKS; ++k)
        rate[k] *= scale;
    return scale;
}
