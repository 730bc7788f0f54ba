/* plan_table.c - plans for people, and tab-separated for programs. */
#include <stdio.h>

#include "config.h"
#include "kernels/backend.h"
#include "src/plan.h"
#include "src/progress.h"

static void print_costs(const bosc_plan *plan)
{
    const bosc_job *job = plan->job;
    const bosc_backend *backend = bosc_backend_find(job->backend);

    if (plan->lesson != NULL) {
        printf("  costs            %s\n", plan->lesson->path);
        return;
    }
    printf("  costs            %s%s\n", plan->machine->source,
           plan->machine->built_in
               ? " of an ordinary machine; 'bosc bench machine' measures this "
                 "one"
               : "");
    if (!plan->measured)
        printf("                   they are of %s %s, so seconds of %s %s are "
               "a guess\n",
               plan->machine->devices[0].backend,
               plan->machine->devices[0].method, backend->name,
               backend->methods[bosc_method_find(backend, job->method)].name);
}

static void print_threads(const bosc_plan *plan)
{
    const int n = bosc_plan_threads(plan);

    if (n == 0)
        printf("  threads          a rank's share of its node's %d "
               "processor%s\n",
               plan->machine->processors,
               plan->machine->processors == 1 ? "" : "s");
    else
        printf("  threads          %d a rank (%s)\n", n,
               plan->request->threads > 0 ? "--threads"
               : plan->job->threads > 0   ? "the job's"
                                          : "OMP_NUM_THREADS");
}

/* What the plan cannot know. */
static void print_unknown(const bosc_plan *plan)
{
    const bosc_job *job = plan->job;

    for (int p = 0; p < job->n_populations; ++p)
        if (plan->demand.habits[p].unknown)
            printf("  not counted      connections onto '%s' that a file "
                   "lists\n",
                   job->populations[p].name);
    if (plan->request->gpus_per_node > 0)
        puts("  GPUs             time loops do not run on them yet: seconds "
             "are of the costs above");
}

void bosc_plan_print_job(const bosc_plan *plan)
{
    const bosc_job *job = plan->job;
    double compartments = 0, sections = 0, connections = 0;
    char a[32], b[32], c[32];

    for (int32_t k = 0; k < plan->roster->n_cohorts; ++k) {
        const bosc_cohort *cohort = &plan->roster->cohorts[k];
        const bool alike = bosc_census_alike(&plan->census, k);

        for (int64_t i = 0; i < (alike ? 1 : cohort->count); ++i) {
            const bosc_size size = bosc_census_size(&plan->census, k, i);
            const double n = alike ? (double)cohort->count : 1;

            compartments += n * size.compartments;
            sections += n * size.sections;
        }
        connections += (double)cohort->count *
                       plan->demand.habits[cohort->population].connections;
    }
    printf("%s: plan of %s\n", PACKAGE_STRING, job->name);
    printf("  in all           %s neuron%s, %s compartments in %s sections",
           bosc_human_count(plan->roster->n_neurons, a),
           plan->roster->n_neurons == 1 ? "" : "s",
           bosc_human_count((int64_t)compartments, b),
           bosc_human_count((int64_t)sections, c));
    if (job->n_projections > 0)
        printf(", about %s connections",
               bosc_human_count((int64_t)connections, a));
    printf("\n  time             %g ms in %s steps of %g ms\n", job->tstop,
           bosc_human_count(job->n_steps, a), job->dt);
    print_threads(plan);
    print_costs(plan);
    print_unknown(plan);
}

void bosc_plan_print_titles(const bosc_plan *plan)
{
    if (plan->request->tsv && plan->request->per_rank)
        puts("ranks\trank\tneurons\tcompartments\tsetup_s\tsteps_s\t"
             "over_mean\tbytes\tdevice_bytes\tpadding");
    else if (plan->request->tsv)
        puts("ranks\tnodes\tthreads\tneurons\tcompartments\tsetup_s\tloop_s\t"
             "total_s\timbalance\tpadding\tlane_use\trank_bytes\tnode_bytes\t"
             "all_bytes\tdevice_bytes\tspeedup");
    else
        printf("\n%8s %6s %8s %8s %8s %8s %7s %7s %6s %9s %9s %9s\n", "ranks",
               "nodes", "set-up", "steps", "in all", "speed-up", "imbal-",
               "padding", "lanes", "a rank", "a node",
               plan->request->gpus_per_node > 0 ? "a GPU" : "in all");
}

static void print_tsv(const bosc_plan *plan, const bosc_plan_row *row,
                      double speedup)
{
    double compartments = 0;

    for (int32_t r = 0; r < row->ranks; ++r)
        compartments += (double)row->shares[r].compartments;
    printf("%d\t%d\t%d\t%lld\t%.0f\t%.6g\t%.6g\t%.6g\t%.6f\t%.6f\t%.6f\t"
           "%.0f\t%.0f\t%.0f\t%.0f\t%.6g\n",
           (int)row->ranks, (int)row->nodes, row->threads,
           (long long)plan->roster->n_neurons, compartments, row->setup,
           row->loop, row->setup + row->loop, row->imbalance, row->padding,
           row->lane_use, row->most_bytes, row->node_bytes, row->all_bytes,
           row->device_bytes, speedup);
}

void bosc_plan_print_row(const bosc_plan *plan, const bosc_plan_row *row,
                         double speedup)
{
    char a[32], b[32], c[32], d[32], e[32], f[32];

    if (plan->request->tsv) {
        print_tsv(plan, row, speedup);
        return;
    }
    printf("%8d %6d %8s %8s %8s %8.4g %7.3f %7.3f %4.0f %% %9s %9s %9s\n",
           (int)row->ranks, (int)row->nodes, bosc_human_seconds(row->setup, a),
           bosc_human_seconds(row->loop, b),
           bosc_human_seconds(row->setup + row->loop, c), speedup,
           row->imbalance, row->padding, 100 * row->lane_use,
           bosc_human_bytes(row->most_bytes, d),
           bosc_human_bytes(row->node_bytes, e),
           bosc_human_bytes(plan->request->gpus_per_node > 0 ? row->device_bytes
                                                             : row->all_bytes,
                            f));
}

void bosc_plan_print_ranks(const bosc_plan *plan, const bosc_plan_row *row)
{
    const bool tsv = plan->request->tsv;
    char a[32], b[32], c[32];

    if (!tsv)
        puts("\n    rank    neurons compartments   set-up    steps  over mean"
             "     bytes  padding");
    for (int32_t r = 0; r < row->ranks; ++r) {
        const bosc_share *s = &row->shares[r];
        const double mean = row->loop / row->imbalance;
        const double over = mean > 0 ? row->seconds[r] / mean : 1;
        const double padding = s->compartments > 0
                                   ? (double)s->slots / (double)s->compartments
                                   : 1;
        const double bytes = bosc_plan_rank_bytes(plan, row, r);

        if (tsv)
            printf("%d\t%d\t%lld\t%lld\t%.6g\t%.6g\t%.6f\t%.0f\t%.0f\t"
                   "%.6f\n",
                   (int)row->ranks, (int)r, (long long)s->neurons,
                   (long long)s->compartments, row->before[r], row->seconds[r],
                   over, bytes, s->bytes, padding);
        else
            printf("%8d %10lld %12lld %8s %8s %10.3f %9s %8.3f\n", (int)r,
                   (long long)s->neurons, (long long)s->compartments,
                   bosc_human_seconds(row->before[r], a),
                   bosc_human_seconds(row->seconds[r], b), over,
                   bosc_human_bytes(bytes, c), padding);
    }
}
