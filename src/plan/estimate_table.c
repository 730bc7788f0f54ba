/* estimate_table.c - plans for people, and tab-separated for programs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "kernels/gpu/chip/chip_bytes.h"
#include "kernels/methods.h"
#include "src/base/progress.h"
#include "src/plan/estimate.h"
#include "src/select/streamed.h"
#include "src/sweep/models.h"
#include "src/text/wrap.h"

enum { TEXT = 19, FIRST = 8 };

static void print_costs(const bosc_estimate *est)
{
    const bosc_job *job = est->sim.job;
    const bosc_machine_device *device = bosc_machine_device_of(
        est->machine, 0, bosc_job_computing(job, job->compute.solver));
    bosc_wrap w = bosc_wrap_begin(stdout, TEXT, "  costs");

    if (est->calibration != NULL) {
        bosc_wrap_add(&w, "%s", est->calibration->path);
    } else {
        bosc_wrap_add(&w, "%s",
                      est->machine->built_in
                          ? "default cost model; calibrate with 'bosc "
                            "calibrate'"
                          : est->machine->source);
        if (!est->measured)
            bosc_wrap_add(
                &w, "; they are of %s %s, so seconds of %s %s are a guess",
                device->backend, device->method,
                job->compute.solver->backend->name, job->compute.solver->name);
    }
    bosc_wrap_end(&w);
}

static void print_threads(const bosc_estimate *est)
{
    const int n = bosc_estimate_threads(est);

    if (n == 0)
        printf("  threads          a rank's share of its node's %d "
               "processor%s\n",
               est->machine->processors,
               est->machine->processors == 1 ? "" : "s");
    else
        printf("  threads          %d a rank (%s)\n", n,
               est->request->threads > 0           ? "--threads"
               : est->sim.job->compute.threads > 0 ? "the job's"
                                                   : "OMP_NUM_THREADS");
}

/* "cpu depth-first, chosen by rules", and with --why the others. */
static void print_candidate(const bosc_candidate *c)
{
    char a[32], text[BOSC_STREAMED_TEXT];
    bosc_wrap w = bosc_wrap_begin(stdout, TEXT, "%s", "");

    if (isfinite(c->seconds))
        bosc_wrap_add(&w, "%-24s %s a step, predicted", c->method->name,
                      bosc_human_seconds(c->seconds, a));
    else
        bosc_wrap_add(&w, "%-24s no prediction", c->method->name);
    if (c->limit != NULL)
        bosc_wrap_add(&w, "; %s: %s", bosc_streamed_say_all(c->limit, text),
                      c->limit->why);
    bosc_wrap_end(&w);
}

static void print_method(const bosc_estimate *est)
{
    const bosc_choice *choice = &est->choice;
    char text[BOSC_STREAMED_TEXT];
    bosc_wrap w = bosc_wrap_begin(stdout, TEXT, "  method");

    bosc_streamed_say_all(choice->limit, text);
    bosc_wrap_add(&w, "%s %s%s%s, chosen by %s", choice->method->backend->name,
                  choice->method->name, text[0] != '\0' ? ": " : "", text,
                  choice->by);
    bosc_wrap_end(&w);
    if (choice->note[0] != '\0')
        bosc_wrap_print(stdout, TEXT, "", "no model: %s", choice->note);
    for (int k = 0; est->request->why && k < choice->n; ++k)
        print_candidate(&choice->candidate[k]);
}

/* What 'tune: measure' will do. */
static void print_measuring(const bosc_estimate *est)
{
    const bosc_choice *choice = &est->choice;
    const char *why;
    const int n = bosc_choose_rivals(choice, est->sim.job->n_steps, &why);

    if (!est->sim.job->compute.tune)
        return;
    if (n == 0 || est->request->mix) {
        bosc_wrap_print(stdout, TEXT, "", "not measured first: %s",
                        est->request->mix ? "ranks on CPUs have another method"
                                          : why);
        return;
    }

    bosc_wrap w = bosc_wrap_begin(stdout, TEXT, "%s", "");

    bosc_wrap_add(&w, "measured first: ");
    for (int k = 0; k < n; ++k)
        bosc_wrap_add(&w, "%s%s", choice->candidate[k].method->name,
                      k < n - 1 ? ", " : "; the fastest is taken");
    bosc_wrap_end(&w);
}

/* "near: csr, chosen by rules", and with --why the others. */
static void print_formats(const bosc_estimate *est)
{
    for (int k = 0; k < est->sim.job->network.n_couplings; ++k) {
        const bosc_format_choice *choice = &est->formats[k];
        bosc_wrap w = bosc_wrap_begin(stdout, TEXT, k > 0 ? "" : "  formats");
        char a[32];

        bosc_wrap_add(&w, "%s: %s, chosen by %s",
                      est->sim.job->network.couplings[k].link.name,
                      bosc_spmv_format_names[choice->format], choice->by);
        bosc_wrap_end(&w);
        for (int c = 0; est->request->why && c < choice->n; ++c)
            bosc_wrap_print(
                stdout, TEXT, "", "%-24s %s a product, predicted",
                bosc_spmv_format_names[choice->candidate[c].format],
                bosc_human_seconds(choice->candidate[c].seconds, a));
    }
}

/* Populations with connections by a file that was not read: a list in a pipe,
 * or positions. */
static void print_uncounted(const bosc_estimate *est)
{
    const bosc_job *job = est->sim.job;
    int n = 0;

    for (int p = 0; p < job->n_populations; ++p)
        n += est->workload.per_population[p].unknown;
    if (n == 0)
        return;

    bosc_wrap w = bosc_wrap_begin(stdout, TEXT, "  not counted");
    int named = 0;

    bosc_wrap_add(&w, "connections by a file, onto");
    for (int p = 0; p < job->n_populations && named < FIRST; ++p)
        if (est->workload.per_population[p].unknown)
            bosc_wrap_add(&w, "%s '%s'", named++ > 0 ? "," : "",
                          job->populations[p].name);
    if (n > named)
        bosc_wrap_add(&w, " and %d more populations", n - named);
    bosc_wrap_end(&w);
}

/* What is not in the column of a GPU's bytes. */
static void print_context(const bosc_estimate *est)
{
    char a[32];

    if (est->sim.job->compute.solver->backend->on_gpu)
        bosc_wrap_print(stdout, TEXT, "  GPU memory",
                        "besides, about %s a rank for the CUDA context",
                        bosc_human_bytes(BOSC_CUDA_CONTEXT_BYTES, a));
}

/* What the plan cannot know. */
static void print_unknown(const bosc_estimate *est)
{
    print_uncounted(est);
    if (est->request->gpus_per_node > 0 &&
        !est->sim.job->compute.solver->backend->on_gpu)
        bosc_wrap_print(stdout, TEXT, "  GPUs", "%s",
                        "the job's backend does not run on them: seconds and "
                        "bytes are those of the host");
    else if (est->request->gpus_per_node > 0 && !est->costs.on_gpu)
        bosc_wrap_print(stdout, TEXT, "  GPUs", "%s",
                        "seconds are of the costs above, which are of no GPU");
}

/* Connections of all couplings. */
static double coupled(const bosc_estimate *est)
{
    const bosc_job *job = est->sim.job;
    double n = 0;

    for (int k = job->network.n_projections;
         k < bosc_network_n_links(&job->network); ++k)
        n += est->workload.links[k].targets * est->workload.links[k].indegree;
    return n;
}

static void print_sweep(const bosc_sweep *sweep)
{
    if (sweep == NULL)
        return;
    if (sweep->n_groups == 1)
        bosc_wrap_print(stdout, TEXT, "  sweep", "%d member%s in 1 group",
                        sweep->n_members, sweep->n_members == 1 ? "" : "s");
    else
        bosc_wrap_print(stdout, TEXT, "  sweep",
                        "%d members in %d groups, each a run of its own; group "
                        "%d has %d, and --group plans another",
                        sweep->n_all, sweep->n_groups, sweep->group,
                        sweep->n_members);
}

static void print_job(const bosc_estimate *est)
{
    const bosc_job *job = est->sim.job;
    double compartments = 0, sections = 0, connections = 0;
    char a[32], b[32], c[32];

    for (int32_t k = 0; k < est->sim.gid_table->n_gid_ranges; ++k) {
        const bosc_gid_range *gid_range = &est->sim.gid_table->gid_ranges[k];
        const bool alike = bosc_template_table_alike(&est->template_table, k);

        for (int64_t i = 0; i < (alike ? 1 : gid_range->count); ++i) {
            const bosc_template_size size =
                bosc_template_table_size(&est->template_table, k, i);
            const double n = alike ? (double)gid_range->count : 1;

            compartments += n * size.compartments;
            sections += n * size.sections;
        }
        connections +=
            (double)gid_range->count *
            est->workload.per_population[gid_range->population].connections;
    }
    bosc_wrap_print(stdout, 4, PACKAGE_STRING ":", "plan of %s", job->name);
    print_sweep(job->sweep);
    bosc_models_tell(job, TEXT);

    bosc_wrap w = bosc_wrap_begin(stdout, TEXT, "  in all");

    bosc_wrap_add(&w, "%s neuron%s, %s compartments in %s sections",
                  bosc_human_count(est->sim.gid_table->n_neurons, a),
                  est->sim.gid_table->n_neurons == 1 ? "" : "s",
                  bosc_human_count((int64_t)compartments, b),
                  bosc_human_count((int64_t)sections, c));
    if (job->network.n_projections > 0)
        bosc_wrap_add(&w, ", about %s connections",
                      bosc_human_count((int64_t)connections, a));
    bosc_wrap_end(&w);
    if (job->network.n_couplings > 0)
        bosc_wrap_print(stdout, TEXT, "  couplings", "about %s connections",
                        bosc_human_count((int64_t)coupled(est), a));
    printf("  time             %g ms in %s steps of %g ms\n", job->tstop,
           bosc_human_count(job->n_steps, a), job->dt);
    print_threads(est);
    print_method(est);
    print_measuring(est);
    print_formats(est);
    print_costs(est);
    print_context(est);
    print_unknown(est);
}

/* Is there a column of a GPU's bytes? */
static bool tells_gpu(const bosc_estimate *est)
{
    return est->request->gpus_per_node > 0 ||
           est->sim.job->compute.solver->backend->on_gpu;
}

static void print_titles(const bosc_estimate *est)
{
    if (est->request->tsv && est->request->per_rank)
        puts("ranks\trank\tneurons\tcompartments\tsetup_s\tsteps_s\t"
             "over_mean\tbytes\tdevice_bytes\tpadding");
    else if (est->request->tsv)
        puts("ranks\tnodes\tthreads\tneurons\tcompartments\tsetup_s\tloop_s\t"
             "total_s\timbalance\tpadding\tlane_use\trank_bytes\tnode_bytes\t"
             "all_bytes\tdevice_bytes\tspeedup");
    else
        printf("\n%48s%7s%9s\n%7s%7s%9s%9s%9s%7s%7s%8s%8s%8s\n", "speed-",
               "imbal-", "memory", "ranks", "nodes", "set-up", "steps",
               "in all", "up", "ance", "a rank", "a node",
               tells_gpu(est) ? "a GPU" : "in all");
}

/* As bosc_human_seconds(), in at most 8 columns below 10,000 hours. */
static char *short_seconds(double seconds, char *text)
{
    const long whole = (long)(seconds + 0.5);

    if (seconds < 99.5)
        return bosc_human_seconds(seconds, text);
    if (whole < 3600)
        sprintf(text, "%ldm%02lds", whole / 60, whole % 60);
    else
        sprintf(text, "%ldh%02ldm", whole / 3600, whole / 60 % 60);
    return text;
}

static void print_tsv(const bosc_estimate *est, const bosc_estimate_row *row,
                      double speedup)
{
    double compartments = 0;

    for (int32_t r = 0; r < row->ranks; ++r)
        compartments += (double)row->loads[r].compartments;
    printf("%d\t%d\t%d\t%lld\t%.0f\t%.6g\t%.6g\t%.6g\t%.6f\t%.6f\t%.6f\t"
           "%.0f\t%.0f\t%.0f\t%.0f\t%.6g\n",
           (int)row->ranks, (int)row->nodes, row->threads,
           (long long)est->sim.gid_table->n_neurons, compartments, row->setup,
           row->loop, row->setup + row->loop, row->imbalance, row->padding,
           row->lane_use, row->most_bytes, row->node_bytes, row->all_bytes,
           row->device_bytes, speedup);
}

static void print_line(const bosc_estimate *est, const bosc_estimate_row *row,
                       double speedup)
{
    char a[32], b[32], c[32], d[32], e[32], f[32], speed[32];

    if (est->request->tsv) {
        print_tsv(est, row, speedup);
        return;
    }
    snprintf(speed, sizeof speed, speedup < 1000 ? "%.4g" : "%.0f", speedup);
    printf("%7d%7d%9s%9s%9s%7s%7.3f%8s%8s%8s\n", (int)row->ranks,
           (int)row->nodes, short_seconds(row->setup, a),
           short_seconds(row->loop, b),
           short_seconds(row->setup + row->loop, c), speed, row->imbalance,
           bosc_human_bytes(row->most_bytes, d),
           bosc_human_bytes(row->node_bytes, e),
           bosc_human_bytes(tells_gpu(est) ? row->device_bytes : row->all_bytes,
                            f));
}

/* Under the line of some ranks: neurons that are streamed, where it is not for
 * the job that all are. */
static void print_streamed(const bosc_estimate *est,
                           const bosc_estimate_row *row)
{
    const bosc_method *method = est->sim.job->compute.solver;
    char text[BOSC_STREAMED_TEXT];

    if (row->choice.limit == NULL &&
        bosc_streamed_say(&row->streamed, text)[0] != '\0')
        bosc_wrap_print(stdout, TEXT, "", "%s %s: %s; %s",
                        method->backend->name, method->name, text,
                        row->streamed.limit->why);
}

static void print_ranks(const bosc_estimate *est, const bosc_estimate_row *row)
{
    const bool tsv = est->request->tsv;
    char a[32], b[32], c[32];

    if (!tsv)
        puts("\n    rank    neurons compartments   set-up    steps  over mean"
             "   memory  padding");
    for (int32_t r = 0; r < row->ranks; ++r) {
        const bosc_rank_load *s = &row->loads[r];
        const double mean = row->loop / row->imbalance;
        const double over = mean > 0 ? row->rank_loop[r] / mean : 1;
        const double padding = s->compartments > 0
                                   ? (double)s->slots / (double)s->compartments
                                   : 1;
        const double bytes = bosc_estimate_rank_bytes(est, row, r);

        if (tsv)
            printf("%d\t%d\t%lld\t%lld\t%.6g\t%.6g\t%.6f\t%.0f\t%.0f\t"
                   "%.6f\n",
                   (int)row->ranks, (int)r, (long long)s->neurons,
                   (long long)s->compartments, row->rank_setup[r],
                   row->rank_loop[r], over, bytes,
                   s->device > 0 ? s->device : s->bytes, padding);
        else
            printf("%8d %10lld %12lld %8s %8s %10.3f %9s %8.3f\n", (int)r,
                   (long long)s->neurons, (long long)s->compartments,
                   short_seconds(row->rank_setup[r], a),
                   short_seconds(row->rank_loop[r], b), over,
                   bosc_human_bytes(bytes, c), padding);
    }
}

static bosc_status print_row(bosc_estimate *est, int32_t ranks, double *first,
                             bosc_error *err)
{
    const bosc_estimate_request *r = est->request;
    bosc_estimate_row row;
    const bosc_status st = bosc_estimate_ranks(est, ranks, &row, err);

    if (st == BOSC_OK) {
        const double all = row.setup + row.loop;

        if (*first < 0 || (r->per_rank && !r->tsv))
            print_titles(est);
        *first = *first < 0 ? all : *first;
        if (!r->per_rank || !r->tsv)
            print_line(est, &row, all > 0 ? *first / all : 1);
        if (!r->tsv)
            print_streamed(est, &row);
        if (r->per_rank)
            print_ranks(est, &row);
    }
    bosc_estimate_row_clear(&row);
    return st;
}

/* Numbers of ranks that cannot run the job are reported at the end, and
 * only where none can is that a failure. */
static bosc_status print_rows(bosc_estimate *est, bosc_error *err)
{
    const bosc_estimate_request *r = est->request;
    bosc_error why[BOSC_PLAN_SIZES];
    double first = -1;
    int refused[BOSC_PLAN_SIZES], n = 0;

    if (!r->tsv)
        print_job(est);
    fflush(stdout); /* before the warnings, where both go to one terminal */
    bosc_warnings_print(&est->sim.warnings, 0);
    for (int i = 0; i < r->n_sizes; ++i) {
        const bosc_status st = print_row(est, r->ranks[i], &first, &why[n]);

        if (st == BOSC_ENOMEM && r->n_sizes > 1) {
            refused[n++] = i;
        } else if (st != BOSC_OK) {
            *err = why[n];
            return st;
        }
    }
    if (n == r->n_sizes) {
        *err = why[n - 1];
        return BOSC_ENOMEM;
    }
    for (int k = 0; k < n; ++k)
        fprintf(stderr, "bosc plan: not with %d rank%s: %s\n",
                (int)r->ranks[refused[k]], r->ranks[refused[k]] == 1 ? "" : "s",
                why[k].text);
    return BOSC_OK;
}

bosc_status bosc_estimate_print(const bosc_estimate_request *request,
                                bosc_error *err)
{
    bosc_estimate est;
    bosc_status st = bosc_estimate_create(request, &est, err);

    if (st == BOSC_OK)
        st = print_rows(&est, err);
    bosc_estimate_clear(&est);
    return st;
}
