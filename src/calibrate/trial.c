#include "src/calibrate/trial.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/methods.h"
#include "src/base/first_error.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/batch/batch_build.h"
#include "src/calibrate/spread.h"
#include "src/cost/workload.h"
#include "src/morphology/morphology.h"
#include "src/morphology/synthetic.h"
#include "src/network/source.h"

/* Everything of one trial. */
typedef struct stage {
    bosc_mechs *mechs;
    bosc_job *job;
    bosc_gid_table *gid_table;
    bosc_template_table template_table;
    bosc_workload workload;
    bosc_local_cells *forest;
    const bosc_method *method;
    bosc_built_batch *packed;
    bosc_engine *engine;
    bosc_sources *sources;
    int64_t at;  /* the next step */
    double host; /* s, of making events, so far */
} stage;

/* Neurons of a forest that is twice as large as the last cache, within limits
 * that keep the measurement short; smaller where it is to be shorter still. */
static int32_t large(double seconds)
{
    enum { NEURON = 18000 }; /* bytes of one of the mixed sizes */
    const double usual = 0.25, part = seconds < usual ? seconds / usual : 1;
    const long l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
    const long least = 128 << 20, most = 256 << 20;
    const long bytes = 2 * l3 < least ? least : 2 * l3 > most ? most : 2 * l3;

    return 1 + (int32_t)(part * (double)(bytes / NEURON));
}

static int32_t count_of(const bosc_trial *trial, const stage *s, double seconds)
{
    return trial->neurons == BOSC_TRIAL_VECTOR  ? bosc_method_width(s->method)
           : trial->neurons == BOSC_TRIAL_LARGE ? large(seconds)
                                                : trial->neurons;
}

static bosc_status write_job(const bosc_trial *trial, int32_t neurons,
                             const bosc_mechs *mechs, bosc_job **out,
                             bosc_error *err)
{
    char *text =
        bosc_format("tstop: 1e6\n"
                    "populations:\n"
                    "  - name: p\n"
                    "    synthetic: {%s, seed: 1}\n"
                    "    count: %d\n"
                    "    regions: {all: {pas: {}}, %s}\n"
                    "%s\n",
                    trial->sizes, (int)neurons, trial->regions, trial->more);
    const bosc_status st =
        text != NULL ? bosc_job_parse(mechs, "trial", text, 0, NULL, out, err)
                     : bosc_no_memory(err, "a trial");

    free(text);
    return st;
}

/* The template table takes all neurons for one shape. */
static void make_equal(stage *s)
{
    s->template_table.n_templates = 1;
    s->template_table.template_of[0] = 0;
    s->template_table.uses[0] = s->gid_table->n_neurons;
    s->template_table.templates[0].size =
        bosc_template_size_of(s->forest->cable[0]);
}

static bosc_status make_neurons(const bosc_local_cells *cells, bosc_error *err)
{
    bosc_first_error first = {0};

#pragma omp parallel for schedule(dynamic)
    for (int32_t i = 0; i < cells->n_templates; ++i) {
        bosc_acquired_cable made;
        bosc_error local;

        bosc_first_error_note(&first, i,
                              bosc_local_cells_acquire(cells, i, &made, &local),
                              &local);
        cells->cable[i] = made.own;
    }
    return bosc_first_error_get(&first, err);
}

static bosc_status make_forest(stage *s, bool equal, bosc_error *err)
{
    const int32_t n = (int32_t)s->gid_table->n_neurons;
    bosc_local_cells *f = s->forest = bosc_alloc(1, sizeof *f);
    bosc_status st = f == NULL ? bosc_no_memory(err, "a trial")
                               : bosc_local_cells_alloc(f, (size_t)n, err);

    if (st != BOSC_OK)
        return st;
    f->n = n;
    f->job = s->job;
    f->gid_table = s->gid_table;
    for (int32_t i = 0; i < n; ++i) {
        f->gid[i] = i;
        f->template_index[i] = equal ? 0 : i;
    }
    f->n_templates = equal ? 1 : n;
    st = make_neurons(f, err);
    for (int32_t i = 0; i < n && st == BOSC_OK; ++i)
        f->n_compartments += bosc_local_cells_cable(f, i)->n;
    return st;
}

static bosc_status create_sources(stage *s, bosc_error *err)
{
    const bosc_network *net = &s->packed->net;
    const bosc_status st = bosc_sources_create(
        s->job, net->source_first, net->connection_table, &s->sources, err);

    if (st == BOSC_OK)
        bosc_sources_seal(s->sources);
    return st;
}

static double per_unit(double from, double units)
{
    return units > 0 ? (bosc_now() - from) * 1e9 / units : 0;
}

static bosc_status set_up(stage *s, const bosc_trial *trial, int threads,
                          double *setup, bosc_error *err)
{
    double from = bosc_now(), connections = 0;
    bosc_status st = make_forest(s, trial->equal, err);

    if (st != BOSC_OK)
        return st;
    if (trial->equal)
        make_equal(s);
    else
        setup[BOSC_SETUP_MAKE] =
            per_unit(from, (double)s->forest->n_compartments);
    from = bosc_now();
    st = bosc_batch_build(
        &(bosc_model){s->job, s->gid_table, s->forest, NULL},
        bosc_method_grouping(s->method, (bosc_grouping){.threads = threads}),
        &s->packed, err);
    if (st == BOSC_OK)
        st = s->method->engine.ops->create(&s->packed->batch,
                                           s->method->engine.variant, threads,
                                           &s->engine, err);
    if (st != BOSC_OK)
        return st;
    if (s->job->network.n_projections > 0) {
        connections = (double)bosc_connection_table_connections(
            s->packed->net.connection_table);
        setup[BOSC_SETUP_CONNECT] =
            s->packed->net.seconds * 1e9 / (connections > 0 ? connections : 1);
        return create_sources(s, err);
    }
    setup[BOSC_SETUP_PACK] = per_unit(from, (double)s->forest->n_compartments);
    return BOSC_OK;
}

static void stage_clear(stage *s)
{
    bosc_sources_destroy(s->sources);
    if (s->engine != NULL)
        s->method->engine.ops->destroy(s->engine);
    bosc_built_batch_destroy(s->packed);
    bosc_local_cells_destroy(s->forest);
    bosc_workload_clear(&s->workload);
    bosc_template_table_clear(&s->template_table);
    bosc_gid_table_destroy(s->gid_table);
    bosc_job_destroy(s->job);
    bosc_mechs_destroy(s->mechs);
}

/* ---- the steps ---- */

/* The events of the next steps, as src/sim/epochs.c makes them. */
static bosc_status make_events(const stage *s, int64_t to, bosc_events *events,
                               bosc_error *err)
{
    bosc_connection_table *connection_table = s->packed->net.connection_table;
    const bosc_spike *spikes;
    size_t n;
    bosc_status st = bosc_sources_emit(s->sources, to, &spikes, &n, err);

    if (st == BOSC_OK)
        st = bosc_connection_table_enqueue(connection_table, n, spikes, err);
    return st == BOSC_OK ? bosc_connection_table_deliver(connection_table,
                                                         s->at, to, events, err)
                         : st;
}

static bosc_status advance(stage *s, int64_t steps, bosc_error *err)
{
    bosc_events events = {0};
    bosc_step_output record;
    bosc_status st = BOSC_OK;

    if (s->sources != NULL) {
        const double from = bosc_now();

        st = make_events(s, s->at + steps, &events, err);
        s->host += bosc_now() - from;
    }
    if (st != BOSC_OK)
        return st;

    const bosc_step_input range = {.from = s->at,
                                   .to = s->at + steps,
                                   .events =
                                       s->sources != NULL ? &events : NULL};

    s->at += steps;
    return s->method->engine.ops->advance(s->engine, &range, &record, err);
}

/* The seconds of a step, the median of short runs: the least of them would be
 * what no long run ever sees. */
static bosc_status time_steps(stage *s, int64_t epoch, double seconds,
                              double *median, bosc_error *err)
{
    enum { FEWEST = 5, MOST = 1000 };
    const double shortest = 1.5e-3, start = bosc_now();
    double each[MOST];
    int64_t rounds = 1;
    int runs = 0;
    bosc_status st = BOSC_OK;

    while (st == BOSC_OK && runs < MOST &&
           (runs < FEWEST || bosc_now() - start < seconds)) {
        const double from = bosc_now(), before = s->host;

        for (int64_t k = 0; k < rounds && st == BOSC_OK; ++k)
            st = advance(s, epoch, err);

        const double took = bosc_now() - from -
                            (s->method->backend->on_gpu ? s->host - before : 0);

        if (took < shortest)
            rounds *= 2; /* too short to be measured */
        else
            each[runs++] = took / (double)(rounds * epoch);
    }
    if (runs > 0)
        bosc_spread_of(each, runs); /* sorts them */
    *median = runs > 0 ? each[runs / 2] : 0;
    return st;
}

bosc_status bosc_trial_run(const bosc_trial *trial, const bosc_method *method,
                           int threads, double seconds, bosc_trial_result *out,
                           bosc_error *err)
{
    enum { LONG = 16 };
    const int64_t never = 1000000000;
    const int before = omp_get_max_threads();
    const int64_t epoch = trial->epoch > 0 ? trial->epoch : LONG;
    stage s = {.method = method};
    const bool all =
        trial->neurons == BOSC_TRIAL_LARGE || s.method->backend->on_gpu;
    double median = 0;
    bosc_status st = bosc_mechs_create(&s.mechs, err);
    bosc_rank_load load;

    *out = (bosc_trial_result){0};
    if (!all)
        omp_set_num_threads(threads);
    if (st == BOSC_OK)
        st = write_job(trial, count_of(trial, &s, seconds), s.mechs, &s.job,
                       err);
    if (st == BOSC_OK)
        st = bosc_gid_table_create(s.job, &s.gid_table, err);
    if (st == BOSC_OK)
        st = bosc_template_table_create(s.job, s.gid_table, &s.template_table,
                                        err);
    if (st == BOSC_OK)
        st = set_up(&s, trial, threads, out->setup, err);
    omp_set_num_threads(threads);
    if (all)
        memset(out->setup, 0, sizeof out->setup);
    if (st == BOSC_OK)
        st =
            bosc_workload_create(&s.template_table, bosc_method_width(s.method),
                                 0, NULL, &s.workload, err);
    if (st == BOSC_OK)
        st = time_steps(&s, epoch, seconds, &median, err);
    if (st == BOSC_OK) {
        s.workload.threads = threads;
        s.workload.epoch = trial->epoch > 0 ? epoch : never;

        const bosc_costs usual = bosc_costs_standard(s.mechs);

        st = bosc_rank_load_of(&s.workload, &usual, s.forest->n, s.forest->gid,
                               &load, err);
    }
    if (st == BOSC_OK) {
        out->step = (bosc_measure){load.work, median * 1e9};
        out->work = (bosc_step_work){load.work, load.in_place.longest};
    }
    stage_clear(&s);
    omp_set_num_threads(before);
    return st;
}

/* ---- reading ---- */

static bosc_status write_swc(FILE *file, const char *path, bosc_error *err)
{
    const bosc_synthetic what = {2001, 200, 1};
    bosc_swc *swc = NULL;
    bosc_status st = bosc_synthetic_create(&what, 0, &swc, err);

    if (st == BOSC_OK)
        st = bosc_synthetic_write(&what, 0, swc, file, path, err);
    bosc_swc_destroy(swc);
    return st;
}

static bosc_status time_reading(const char *path, double *ns, bosc_error *err)
{
    enum { RUNS = 9 };
    bosc_cable_spec spec = bosc_cable_defaults();
    bosc_status st = BOSC_OK;

    *ns = 0;
    spec.policy = BOSC_PER_SAMPLE;
    for (int run = 0; run < RUNS && st == BOSC_OK; ++run) {
        const double from = bosc_now();
        bosc_cable *cable = NULL;

        st = bosc_morphology_cut(path, false, &spec, &cable, err);
        if (st == BOSC_OK) {
            const double each = per_unit(from, cable->n);

            *ns = *ns == 0 || each < *ns ? each : *ns;
        }
        bosc_cable_destroy(cable);
    }
    return st;
}

bosc_status bosc_trial_read(double *ns, bosc_error *err)
{
    const char *folder = getenv("TMPDIR");
    char *path =
        bosc_format("%s/bosc-XXXXXX",
                    folder != NULL && folder[0] != '\0' ? folder : "/tmp");
    const int handle = path != NULL ? mkstemp(path) : -1;
    FILE *file = handle >= 0 ? fdopen(handle, "w") : NULL;
    bosc_status st;

    if (file == NULL) {
        st = bosc_fail(err, BOSC_EIO, "%s: %s; set TMPDIR",
                       path != NULL ? path : "a file", strerror(errno));
    } else {
        st = write_swc(file, path, err);
        if (fclose(file) != 0 && st == BOSC_OK)
            st = bosc_fail(err, BOSC_EIO, "%s: %s; set TMPDIR", path,
                           strerror(errno));
        if (st == BOSC_OK)
            st = time_reading(path, ns, err);
        unlink(path);
    }
    free(path);
    return st;
}
