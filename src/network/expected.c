#include "src/network/expected.h"

#include <math.h>

double bosc_expected_outdegree(const bosc_expected *e, double targets)
{
    return e->indegree * targets / e->sources;
}

/* Of those that have 'mean' of n possible connections, the share that has any.
 */
static double any_apart(double mean, double n)
{
    return n > 0 ? 1 - pow(1 - fmin(1, mean / n), n) : 0;
}

double bosc_expected_senders(const bosc_expected *e, double targets)
{
    const double mean = bosc_expected_outdegree(e, targets);

    return e->kind == BOSC_PAIRED  ? fmin(1, mean)
           : e->kind == BOSC_APART ? any_apart(mean, targets)
                                   : -expm1(-mean);
}

double bosc_expected_receivers(const bosc_expected *e, double sources)
{
    const double share = sources / e->sources, mean = e->indegree * share;

    return e->kind == BOSC_PAIRED ? fmin(1, mean)
           : e->kind == BOSC_APART
               ? any_apart(mean, sources)
               : fmin(mean, 1 - pow(1 - share, e->indegree));
}
