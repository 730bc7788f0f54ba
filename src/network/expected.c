#include "src/network/expected.h"

#include <math.h>

#include "src/model/model.h"

enum { SAMPLES = 512 };

static double distance(const double a[3], const double b[3])
{
    double square = 0;

    for (int i = 0; i < 3; ++i)
        square += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(square);
}

/* The mean probability of a rule by distance, of some pairs. */
static double mean_probability(const bosc_model *model,
                               const bosc_projection_spec *spec,
                               const bosc_expected *e)
{
    const int n = (int)fmin(SAMPLES, e->sources);
    const int m = (int)fmin(SAMPLES, e->targets);
    double from[SAMPLES][3], sum = 0;

    for (int i = 0; i < n; ++i)
        bosc_network_position(model, spec->from_index,
                              (int64_t)(i * e->sources / n), from[i]);
    for (int k = 0; k < m; ++k) {
        double to[3];

        bosc_network_position(model, spec->to_index,
                              (int64_t)(k * e->targets / m), to);
        for (int i = 0; i < n; ++i)
            sum += exp(-distance(from[i], to) / spec->length);
    }
    return spec->probability * sum / ((double)n * m);
}

/* Positions that are in a file, which is read when neurons have their ranks. */
static bool is_placed_by_file(const bosc_model *model, int population)
{
    return model->job->populations[population].positions != NULL &&
           model->files == NULL;
}

bosc_expected bosc_network_expect(const bosc_model *model, int link,
                                  double rows)
{
    const bosc_projection_spec *spec = bosc_job_link(model->job, link);
    const int64_t *to = model->gid_table->first_gid + spec->to_index;
    bosc_expected e = {.known = true,
                       .sources = (double)bosc_network_n_sources(model, spec),
                       .targets = (double)(to[1] - to[0]),
                       .indegree = 1,
                       .kind = BOSC_DRAWN};

    switch (spec->rule) {
    case BOSC_RULE_ALL_TO_ALL:
        e.kind = BOSC_APART;
        e.indegree = e.sources;
        break;
    case BOSC_RULE_FIXED_INDEGREE:
        e.indegree = (double)spec->indegree;
        break;
    case BOSC_RULE_FIXED_PROBABILITY:
        e.kind = BOSC_APART;
        e.indegree = e.sources * spec->probability;
        break;
    case BOSC_RULE_DISTANCE:
        e.known = !is_placed_by_file(model, spec->from_index) &&
                  !is_placed_by_file(model, spec->to_index);
        e.indegree =
            e.known ? e.sources * mean_probability(model, spec, &e) : 0;
        break;
    case BOSC_RULE_LIST:
        e.known = rows >= 0;
        e.indegree = e.known ? rows / e.targets : 0;
        break;
    default: /* one_to_one, ring */
        e.kind = BOSC_PAIRED;
    }
    return e;
}

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
