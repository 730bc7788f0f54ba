#include "bench/tune/draw.h"

#include <math.h>

void bosc_draw_point(int64_t number, double point[BOSC_TUNE_DIMENSIONS])
{
    double phi = 2, factor = 1;

    /* the root of x^(d + 1) = x + 1 */
    for (int k = 0; k < 60; ++k)
        phi = pow(1 + phi, 1.0 / (BOSC_TUNE_DIMENSIONS + 1));
    for (int d = 0; d < BOSC_TUNE_DIMENSIONS; ++d) {
        double whole;

        factor /= phi;
        point[d] = modf(0.5 + (double)(number + 1) * factor, &whole);
    }
}

/* ---- doubt ---- */

enum { NEAREST = 6 };

typedef struct neighbour {
    double distance;
    const bosc_tuned *tuned;
} neighbour;

static double distance_of(const double *a, const double *b)
{
    double sum = 0;

    for (int d = 0; d < BOSC_TUNE_DIMENSIONS; ++d)
        sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sqrt(sum);
}

static int find_nearest(const double *point, int64_t n, const bosc_tuned *tuned,
                        neighbour near[NEAREST])
{
    int found = 0;

    for (int64_t i = 0; i < n; ++i) {
        const neighbour one = {distance_of(point, tuned[i].point), &tuned[i]};
        int at = found < NEAREST ? found++ : NEAREST;

        for (; at > 0 && near[at - 1].distance > one.distance; --at)
            if (at < NEAREST)
                near[at] = near[at - 1];
        if (at < NEAREST)
            near[at] = one;
    }
    return found;
}

static int best_of(const bosc_tuned *t, int methods, double *margin)
{
    int best = 0;
    double second = INFINITY;

    for (int m = 1; m < methods; ++m)
        if (t->seconds[m].median < t->seconds[best].median)
            best = m;
    for (int m = 0; m < methods; ++m)
        if (m != best)
            second = fmin(second, t->seconds[m].median);
    *margin = log(second / t->seconds[best].median);
    return best;
}

double bosc_draw_doubt(const double point[BOSC_TUNE_DIMENSIONS], int64_t n,
                       const bosc_tuned *tuned, int methods)
{
    const double clear = 0.1; /* of a margin: 10 % */
    neighbour near[NEAREST];
    double vote[BOSC_TUNE_METHODS] = {0}, all = 0, margins = 0, most = 0;
    const int found = find_nearest(point, n, tuned, near);

    if (found == 0)
        return 2;
    for (int k = 0; k < found; ++k) {
        const double weight = 1 / (near[k].distance + 0.05);
        double margin;
        const int best = best_of(near[k].tuned, methods, &margin);

        vote[best] += weight;
        margins += weight * margin;
        all += weight;
    }
    for (int m = 0; m < methods; ++m)
        most = fmax(most, vote[m]);
    return 1 - most / all + exp(-margins / all / clear) +
           0.2 * near[0].distance;
}

int64_t bosc_draw_ask(int64_t from, int64_t n, const bosc_tuned *tuned,
                      int methods)
{
    int64_t best = from;
    double most = -1;

    for (int64_t k = from; k < from + BOSC_DRAW_ASKED; ++k) {
        double point[BOSC_TUNE_DIMENSIONS];

        bosc_draw_point(k, point);

        const double doubt = bosc_draw_doubt(point, n, tuned, methods);

        if (doubt > most) {
            most = doubt;
            best = k;
        }
    }
    return best;
}
