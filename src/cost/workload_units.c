/* workload_units.c - the work of a neuron, and of all of them. */

#include "kernels/methods.h"
#include "src/base/team.h"
#include "src/cost/workload.h"

bosc_work bosc_workload_work(const bosc_workload *workload, int32_t population,
                             const bosc_template_size *size, double uses)
{
    const bosc_population_workload *of_population =
        &workload->per_population[population];
    const bool equal = uses >= workload->lanes;
    const int kind = workload->lanes == 1 ? BOSC_WORK_ALONE
                     : equal              ? BOSC_WORK_EQUAL
                                          : BOSC_WORK_DIFFERENT;
    const double n = size->compartments;
    const bosc_job *job = workload->template_table->job;
    bosc_work work = {.of = {[BOSC_WORK_NEURON] = 1}};

    work.of[kind] = n;
    work.of[BOSC_WORK_SECTION] = equal ? 0 : size->sections;
    work.of[BOSC_WORK_LEVEL] = equal ? 0 : size->levels;
    work.of[BOSC_WORK_FETCH] = n / (double)workload->epoch;
    work.of[BOSC_WORK_EVENT] = of_population->events;
    work.of[BOSC_WORK_SAMPLE] =
        of_population->samples + of_population->everywhere * n;
    if (of_population->n_scattered > 0 && job->compute.solver->backend->on_gpu)
        work.of[BOSC_WORK_WAY] =
            bosc_workload_changing(workload, population, size, 1).ways;
    if (job->second_order && job->compute.solver->backend->on_gpu)
        work.of[BOSC_WORK_SECOND] = n;
    for (int m = 0; m < job->mechs->n; ++m) {
        const double some =
            bosc_workload_instances(workload, population, size, m);

        /* a concentration that follows takes a logarithm in each step */
        work.of[BOSC_WORK_MECH + m] =
            workload->follows[m] ? BOSC_ION_FOLLOWS * some : some;
        work.of[BOSC_WORK_VISIT] += some > 0 ? 1. / workload->lanes : 0;
    }
    return work;
}

/* Neurons of a gid range. */
typedef struct some {
    int32_t gid_range;
    int64_t first, n;
} some;

/* Add the work of some neurons of a range, each of them 'times' times. */
static void add_some(const bosc_workload *workload, some of, int32_t ranks,
                     double times, bosc_step_work *sum)
{
    const bosc_template_table *table = workload->template_table;
    const int32_t k = table->template_of[of.gid_range];
    const int32_t p = table->gid_table->gid_ranges[of.gid_range].population;
    const double uses = k >= 0 ? (double)table->uses[k] / ranks : 1;

    for (int64_t i = of.first; i < of.first + of.n; ++i) {
        const bosc_template_size size =
            bosc_template_table_size(table, of.gid_range, i);
        const bosc_work work = bosc_workload_work(workload, p, &size, uses);

        bosc_step_work_add_neuron(&work, times, sum);
    }
}

/* Neurons that differ are added up by parts, whose sums do not depend on how
 * many threads there are. */
static void add_different(const bosc_workload *workload, int32_t gid_range,
                          int64_t n, int32_t ranks, bosc_step_work *sum)
{
    enum { PARTS = 256 };
    bosc_step_work part[PARTS] = {0};

#pragma omp parallel for schedule(static) num_threads(bosc_team((size_t)n))
    for (int k = 0; k < PARTS; ++k) {
        const int64_t first = n * k / PARTS, end = n * (k + 1) / PARTS;

        add_some(workload, (some){gid_range, first, end - first}, ranks, 1,
                 &part[k]);
    }
    for (int k = 0; k < PARTS; ++k)
        bosc_step_work_add(&part[k], sum);
}

bosc_step_work bosc_workload_all(const bosc_workload *workload, int32_t ranks)
{
    const bosc_template_table *table = workload->template_table;
    bosc_step_work sum = {0};

    for (int32_t c = 0; c < table->gid_table->n_gid_ranges; ++c) {
        const int64_t n = table->gid_table->gid_ranges[c].count;

        if (bosc_template_table_alike(table, c))
            add_some(workload, (some){c, 0, 1}, ranks, (double)n, &sum);
        else
            add_different(workload, c, n, ranks, &sum);
    }
    return sum;
}
