/* workload_rows.c - instances of mechanisms on a neuron, and the rows that
 * change for them.
 */
#include <math.h>

#include "src/cost/workload.h"

/* Synapses of all kinds at random places of a region of such a neuron. */
static double spread(const bosc_workload *workload, int32_t population,
                     const bosc_template_size *size, int region)
{
    const bosc_population_workload *p = &workload->per_population[population];
    double n = 0;

    for (int k = 0; k < p->n_scattered; ++k) {
        const bosc_scattered *s = &p->scattered[k];
        const double sites = bosc_template_sites(size, s->among);

        if (s->among[region] && sites > 0)
            n += s->n * size->membrane[region] / sites;
    }
    return n;
}

double bosc_workload_instances(const bosc_workload *workload,
                               int32_t population,
                               const bosc_template_size *size, int m)
{
    const bosc_job *job = workload->template_table->job;
    const bosc_population_spec *spec = &job->populations[population];
    const bosc_population_workload *p = &workload->per_population[population];
    double n = p->synapses[m];

    if (!bosc_mech_has_block(job->mechs->mech[m]))
        return 0;
    if (job->mechs->mech[m]->kind == BOSC_MECH_ION) /* at all, if at any */
        return workload->is_there[m] ? size->compartments : 0;
    n += bosc_template_instances(size, spec, m);
    for (int k = 0; k < p->n_scattered; ++k) {
        const bosc_scattered *s = &p->scattered[k];
        const double sites = bosc_template_sites(size, s->among);

        if (s->m == m && sites > 0)
            n += s->own ? s->n : sites * -expm1(-s->n / sites);
    }
    return n;
}

/* Half of all sections end in a tip; where branches meet by twos there are as
 * many as branch points, and one for each stem. */
double bosc_workload_tips(const bosc_template_size *size)
{
    return fmax(fmin((size->sections + 5) / 2, size->compartments - 1), 0);
}

/* Of the rows of a tree of sections that grow by the tips, a random one at a
 * time, those with one of 'places' random places at or below them; *joining of
 * those with several sections below.  In such a tree with t tips 2 t / (k (k +
 * 1)) sections have k of them below, with 2 k - 2 sections: those with k to 2 k
 * - 1 tips are taken together.  Shares of all rows, and of all sections; the
 * row at the end of a tip has no membrane, and never changes. */
static double reached(double sections, double length, double places,
                      double *joining)
{
    const double tips = (sections + 1) / 2;
    double rows = 0, all = 0, joins = 0, some = 0;

    for (double k = 1; k <= tips; k *= 2) {
        const double end = fmin(2 * k, tips + 1);
        const double part = 2 * (1 / k - 1 / end);
        const double mean = end - k <= 1 ? k : log(end / k) / (1 / k - 1 / end);
        const double below = fmin((2 * mean - 1.5) / sections, 1);
        const double hit = -expm1(-places * below);
        const double own = part * (k > 1 ? length : length - 1);

        rows += own * hit;
        all += own;
        joins += k > 1 ? part * hit : 0;
        some += part;
    }
    *joining = some > 0 ? joins / some : 0;
    return all > 0 ? rows / all : 0;
}

/* Region by region: all rows, or those on the ways to the soma. */
bosc_changing_rows bosc_workload_changing(const bosc_workload *workload,
                                          int32_t population,
                                          const bosc_template_size *size,
                                          double together)
{
    const double sections = size->sections, tips = bosc_workload_tips(size);
    const double rows = fmax(size->compartments - tips, 1);
    bosc_changing_rows n = {0};
    double membrane = 0;

    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        membrane += size->membrane[r];
    for (int r = 0; r < BOSC_N_REGIONS; ++r) {
        const double share = membrane > 0 ? size->membrane[r] / membrane : 0;
        const double places = together * spread(workload, population, size, r);
        const bool all = workload->per_population[population].active[r];
        double joining = 0.5, part = 1; /* half of the sections are tips */

        if (share <= 0 || (!all && places <= 0))
            continue;
        if (r == BOSC_SOMA) {
            n.all += size->membrane[r];
            continue;
        }
        if (!all)
            part = reached(sections, size->compartments / fmax(sections, 1),
                           places / share, &joining);
        n.all += share * rows * part;
        n.ways += all ? 0 : share * rows * part;
        n.joining += share * sections * joining;
    }
    if (n.all > 0 && sections > 1) {
        n.all += 1;
        n.joining += 2; /* at the soma */
    }
    n.all = fmin(n.all, rows);
    return n;
}
