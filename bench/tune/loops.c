/* loops.c - the time loop of a batch by each method: whole runs are set up, and
 * their engines advance in turn.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/loop/bench_loop_job.h"
#include "bench/tune/kinds.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/mpi/mpi_comm.h"
#include "src/run/run.h"

static const double DT = 0.025; /* ms */

/* What membranes have: at most pas, hh and so many kinds of synapses, which are
 * twelve mechanisms. */
enum { PASSIVE, SOMA, SYNAPSES, MORE_SYNAPSES, EVERYWHERE, N_MEMBRANES };
enum { MOST_KINDS = 10 };

/* The batch of a point. */
typedef struct batch {
    bosc_loop_cells cells;
    int membrane, threads;
    int kinds, synapses; /* of each kind on a neuron */
    const char *backend, *method;
    int32_t epoch; /* steps */
} batch;

/* ---- from a point to a batch ---- */

/* From low to high, evenly by the logarithm. */
static double spread_over(double u, double low, double high)
{
    return low * pow(high / low, u);
}

static int32_t whole(double x, double low, double high)
{
    return (int32_t)fmax(low, fmin(high, floor(x + 0.5)));
}

/* Sections of a neuron from 2 of any length to as many as there can be. */
static int32_t sections_of(double u, int32_t compartments)
{
    const int32_t most = (compartments - 1) / 2;

    return whole(spread_over(u, 2, most), 2, most);
}

/* A neuron of three compartments is a soma alone, of one section. */
static bosc_synthetic_range sizes_of(const double *u, double size)
{
    const double wide = spread_over(u[2], 1, 4);
    bosc_synthetic_range sizes = {
        .compartments = {3, 3}, .sections = {1, 1}, .seed = 1};

    if (size < 5)
        return sizes;
    sizes.compartments[0] = whole(size / wide, 5, 20000);
    sizes.compartments[1] = whole(size * wide, 5, 20000);
    for (int k = 0; k < 2; ++k)
        sizes.sections[k] = sections_of(u[3], sizes.compartments[k]);
    return sizes;
}

/* Up to 200 on a neuron; 'u' has two numbers, one behind the other. */
static void find_synapses(double u, batch *b)
{
    const double second = fmod(100 * u, 1);
    const int all = whole(spread_over(u, 1, 200), 1, 200);

    b->kinds = b->membrane == SYNAPSES ? 1
               : b->membrane == MORE_SYNAPSES
                   ? 2 + (int)(second * (MOST_KINDS - 1))
               : b->membrane == EVERYWHERE ? (int)(second * (MOST_KINDS + 1))
                                           : 0;
    b->synapses = b->kinds > 0 && all > b->kinds ? all / b->kinds : 1;
}

/* What a step takes, about.  On a GPU the rows of a neuron wait for each other,
 * longer where they change. */
static double seconds_of(const batch *b, double size, bool on_gpu)
{
    const double row = b->membrane <= SOMA ? 1e-6 : 5e-6;

    return on_gpu ? b->cells.sizes.compartments[1] * row +
                        0.1e-9 * size * b->cells.neurons
                  : 10e-9 * size * b->cells.neurons;
}

static batch batch_of(const double *u, const bosc_tune_limits *limits)
{
    const bool on_gpu = limits->backend->on_gpu;
    batch b = {.membrane = (int)(u[5] * N_MEMBRANES),
               .backend = limits->backend->name};
    const double size = spread_over(u[1], 3, 20000);
    const double most = fmax(1, limits->compartments / size);

    b.cells.neurons =
        whole(spread_over(u[0], 1, fmin(262144, most)), 1, 262144);
    b.cells.sizes = sizes_of(u, size);
    find_synapses(fmod(u[5] * N_MEMBRANES, 1), &b);
    b.cells.shapes = u[4] < 0.25 ? 1
                     : u[4] < 0.5
                         ? whole(spread_over(4 * u[4] - 1, 2, 16), 2, 16)
                         : 0;
    b.cells.shapes = b.cells.shapes < b.cells.neurons ? b.cells.shapes : 0;
    b.threads = on_gpu ? limits->threads
                       : whole(spread_over(u[7], 1, limits->threads), 1,
                               limits->threads);
    b.epoch = whole(fmin(spread_over(u[6], 1, 200),
                         0.02 * limits->seconds / seconds_of(&b, size, on_gpu)),
                    1, 200);
    return b;
}

/* ---- its job ---- */

static void print_synapses(FILE *file, const batch *b)
{
    fputs("synapses:\n", file);
    for (int k = 0; k < b->kinds; ++k)
        fprintf(file, "  - {name: s%d, type: %s}\n", k,
                k % 2 == 0 ? "ExpSyn" : "Exp2Syn");
    fputs("sources: [{name: s, type: regular, interval: 1e4}]\n"
          "projections:\n",
          file);
    for (int k = 0; k < b->kinds; ++k)
        fprintf(file,
                "  - {name: p%d, from: s, to: cells, synapse: s%d, rule: "
                "fixed_indegree, indegree: %d, weight: 1e-4, delay: %.17g, "
                "at: {region: all}}\n",
                k, k, b->synapses, 2 * b->epoch * DT);
}

static void print_job(FILE *file, const void *of)
{
    static const char *const regions[N_MEMBRANES] = {
        [PASSIVE] = "all: {pas: {}}",
        [SOMA] = "all: {pas: {}}, soma: {hh: {}}",
        [SYNAPSES] = "all: {pas: {}}, soma: {hh: {}}",
        [MORE_SYNAPSES] = "all: {pas: {}}, soma: {hh: {}}",
        [EVERYWHERE] = "all: {pas: {}, hh: {}}"};
    const batch *b = of;

    fprintf(file, "dt: %g\ntstop: 1e4\nbackend: %s\nmethod: %s\nthreads: %d\n",
            DT, b->backend, b->method, b->threads);
    bosc_loop_print_cells(file, &b->cells);
    fprintf(file, "    regions: {%s}\n", regions[b->membrane]);
    if (b->kinds > 0)
        print_synapses(file, b);
}

/* ---- measuring ---- */

static const char *method_at(const bosc_backend *backend, int k)
{
    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        if (bosc_is_candidate(m, backend) && k-- == 0)
            return m->name;
    return NULL;
}

/* A run that is set up, and how far it is. */
typedef struct running {
    bosc_run run;
    int64_t at;
} running;

/* Advance some epochs; the seconds of a step. */
static bosc_status advance(running *r, int32_t epoch, int64_t epochs,
                           double *seconds, bosc_error *err)
{
    const double from = bosc_now();
    bosc_status st = BOSC_OK;

    for (int64_t k = 0; k < epochs && st == BOSC_OK; ++k) {
        const bosc_step_input steps = {.from = r->at, .to = r->at + epoch};
        bosc_step_output output;

        st = r->run.sim.method->engine.ops->advance(r->run.sim.engine, &steps,
                                                    &output, err);
        r->at += epoch;
    }
    *seconds = (bosc_now() - from) / (double)(epochs * epoch);
    return st;
}

/* Epochs that take long enough to be measured, of the slowest method. */
static bosc_status find_epochs(running *runs, int n, int32_t epoch,
                               int64_t *epochs, bosc_error *err)
{
    const double enough = 3e-4;
    double most = 0;
    bosc_status st = BOSC_OK;

    for (int m = 0; m < n && st == BOSC_OK; ++m) {
        double first, seconds = 0;

        st = advance(&runs[m], epoch, 1, &first, err);
        if (st == BOSC_OK)
            st = advance(&runs[m], epoch, 1, &seconds, err);
        most = fmax(most, seconds);
    }
    *epochs = most > 0 ? 1 + (int64_t)(enough / (most * epoch)) : 1;
    *epochs = *epochs < 10000 / epoch + 1 ? *epochs : 10000 / epoch + 1;
    return st;
}

/* Runs, and how far they are advanced at a time. */
typedef struct timed {
    running *runs;
    int32_t epoch;
    int64_t epochs;
} timed;

static bosc_status advance_one(void *of, int m, double *seconds, double *took,
                               bosc_error *err)
{
    const timed *t = of;
    const bosc_status st =
        advance(&t->runs[m], t->epoch, t->epochs, seconds, err);

    *took = *seconds * (double)(t->epoch * t->epochs);
    return st;
}

static bosc_status time_runs(running *runs, int n, int32_t epoch,
                             bosc_tuned *out, bosc_error *err)
{
    timed t = {runs, epoch, 1};
    const bosc_status st = find_epochs(runs, n, epoch, &t.epochs, err);

    return st == BOSC_OK ? bosc_tune_time(advance_one, &t, n, out->seconds, err)
                         : st;
}

static bosc_status measure(const bosc_tune_limits *limits, bosc_tuned *out,
                           bosc_error *err)
{
    batch b = batch_of(out->point, limits);
    bosc_loop_folder folder;
    running *runs = bosc_alloc(BOSC_TUNE_METHODS, sizeof *runs);
    int n = 0;
    bosc_status st = bosc_loop_folder_create(&folder, err);

    if (st == BOSC_OK && runs == NULL)
        st = bosc_no_memory(err, "runs");

    const bosc_run_request request = {.comm = bosc_mpi_world(),
                                      .path = folder.job,
                                      .output = folder.result,
                                      .command = "bosc-bench tune",
                                      .quiet = true,
                                      .dry = true,
                                      .overwrite = true,
                                      .epoch = b.epoch,
                                      .started = bosc_now()};

    if (st == BOSC_OK)
        st = bosc_loop_write_shapes(&folder, &b.cells, err);
    for (; st == BOSC_OK && n < BOSC_TUNE_METHODS &&
           (b.method = method_at(limits->backend, n)) != NULL;
         ++n) {
        st = bosc_loop_write_file(folder.job, &b, print_job, err);
        bosc_run_begin(&runs[n].run, &request, 0);
        if (st == BOSC_OK)
            st = bosc_run_all(&runs[n].run, err);
    }
    if (st == BOSC_OK) {
        memcpy(out->feature, runs[0].run.sim.chosen.choice.features.of,
               sizeof runs[0].run.sim.chosen.choice.features.of);
        out->feature[BOSC_FEATURE_epoch] = b.epoch; /* not the job's */
        st = time_runs(runs, n, b.epoch, out, err);
    }
    for (int m = 0; m < n; ++m)
        bosc_run_end(&runs[m].run);
    free(runs);
    bosc_loop_folder_clear(&folder);
    return st;
}

const bosc_tune_kind bosc_tune_loops = {
    .name = "loops",
    .what = "time loops",
    .n_features = BOSC_N_FEATURES,
    .features = bosc_feature_names,
    .meanings = bosc_feature_meanings,
    .method = method_at,
    .measure = measure,
};
_Static_assert((int)BOSC_N_FEATURES <= (int)BOSC_TUNE_FEATURES,
               "a measured batch has room for all features");
