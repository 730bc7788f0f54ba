/* calibrate.c - 'bosc calibrate': what things cost here.
 *
 * Forests that each have more of one kind of work than the others are set up
 * and integrated for real, and their times taken apart by least squares.  Under
 * a launcher every rank measures at the same time, as it will compute, and the
 * first rank of every node writes that node's file.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "src/base/mem.h"
#include "src/calibrate/calibrate.h"
#include "src/calibrate/calibrate_gpu.h"
#include "src/calibrate/spread.h"
#include "src/calibrate/trial.h"
#include "src/comm/cpuset.h"
#include "src/comm/rank_threads.h"
#include "src/cost/machine.h"
#include "src/mpi/mpi_comm.h"
#include "src/text/wrap.h"

#define SYNAPSES(type, onto, degree)                                           \
    "synapses: [{name: s, type: " type "}]\n"                                  \
    "sources: [{name: x, type: poisson, count: 100, rate: " degree "}]\n"      \
    "projections: [{from: x, to: p, synapse: s, rule: fixed_indegree,"         \
    " indegree: 100, weight: 1e-6, at: " onto "}]\n"
#define EACH_STEP "probes: [{name: all, at: everywhere}]\n"
#define SOMA_HH "soma: {hh: {}}"
#define ALL_HH "axon: {hh: {}}, dendrite: {hh: {}}, apical: {hh: {}}"
#define ALL "{region: all}"
#define SILENT "0"
#define LOUD "1000"

#define SIZES(compartments, sections)                                          \
    "compartments: " #compartments ", sections: " #sections
#define MIXED_SIZES "compartments: [76, 691], sections: [7, 341]"

/* Small enough to stay in the cache, but for the last one. */
static const bosc_trial trials[] = {
    {"equal trees", SIZES(319, 60), "", "", true, 48, 0},
    {"equal bushy trees", SIZES(319, 157), "", "", true, 48, 0},
    {"different trees", SIZES(305, 30), "", "", false, 48, 0},
    {"bushy trees", SIZES(319, 157), "", "", false, 48, 0},
    {"sizes mixed", MIXED_SIZES, "", "", false, 48, 0},
    {"one vector", SIZES(319, 60), "", "", false, BOSC_TRIAL_VECTOR, 0},
    {"small trees", SIZES(76, 7), "", "", false, 192, 0},
    {"somata", SIZES(3, 1), "", "", false, 1024, 0},
    {"one long tree", SIZES(9001, 900), "", "", false, 1, 0},
    {"hh in somata", SIZES(76, 7), SOMA_HH, "", false, 192, 0},
    {"hh and nothing else", SIZES(3, 1), SOMA_HH, "", false, 512, 0},
    {"hh everywhere", SIZES(305, 30), ALL_HH, "", false, 12, 0},
    {"ExpSyn", SIZES(305, 30), "", SYNAPSES("ExpSyn", ALL, SILENT), false, 24,
     0},
    {"Exp2Syn", SIZES(305, 30), "", SYNAPSES("Exp2Syn", ALL, SILENT), false, 24,
     0},
    {"ExpSyn at somata", SIZES(76, 7), "", SYNAPSES("ExpSyn", "soma", SILENT),
     false, 192, 0},
    {"events", SIZES(76, 7), "", SYNAPSES("ExpSyn", "soma", LOUD), false, 192,
     0},
    {"all recorded", SIZES(305, 30), "", EACH_STEP, false, 24, 0},
    {"out of the cache", MIXED_SIZES, "", "", false, BOSC_TRIAL_LARGE, 1},
};

enum { N_TRIALS = BOSC_LEN(trials), MIXED = 4, PASSES = 3 };

static const bosc_method *const cpu = &bosc_methods[0];
static const double DOUBTFUL = 1.25; /* a fit so far off */

typedef struct calibration {
    const bosc_comm *comm;
    bosc_comm *node;
    int rank, ranks, local, locals; /* local: on this node */
    int threads;
    const char *output; /* as asked for, or NULL */
    char *path;         /* of the file */
    double seconds;
    bosc_trial_result result[N_TRIALS];
    bosc_mechs *mechs;
    bosc_machine *machine; /* of this rank alone */
    int n_gpus;            /* devices that are the node's GPU */
    bosc_machine_device gpus[BOSC_CALIBRATE_GPUS];
} calibration;

/* ---- measuring ---- */

/* A rate of the set-up: the median of the trials that have it. */
static double median_setup(const calibration *c, int kind, double standard)
{
    double found[N_TRIALS];
    int n = 0;

    for (int t = 0; t < N_TRIALS; ++t)
        if (c->result[t].setup[kind] > 0 && trials[t].neurons >= 64)
            found[n++] = c->result[t].setup[kind];
    if (n == 0)
        return standard;
    bosc_spread_of(found, n); /* sorts them */
    return found[n / 2];
}

/* The middle one of what the passes have found. */
static double middle(double found[PASSES])
{
    return bosc_spread_of(found, PASSES).median;
}

/* All threads against one, on a forest that no cache holds; what a busy machine
 * makes of it is cut off. */
static bosc_status measure_threads(const calibration *c, bosc_costs *costs,
                                   bosc_error *err)
{
    const bosc_trial large = {"threads", MIXED_SIZES,      "", "",
                              false,     BOSC_TRIAL_LARGE, 16};
    double one[PASSES], all[PASSES];
    bosc_status st = BOSC_OK;

    costs->threads = c->threads * c->locals;
    costs->speedup = costs->threads;
    if (c->threads == 1)
        return BOSC_OK;
    for (int pass = 0; pass < PASSES && st == BOSC_OK; ++pass) {
        bosc_trial_result result;

        st = bosc_trial_run(&large, cpu, 1, c->seconds, &result, err);
        one[pass] = result.step.ns;
        if (st == BOSC_OK)
            st = bosc_trial_run(&large, cpu, c->threads, c->seconds, &result,
                                err);
        all[pass] = result.step.ns;
    }
    if (st == BOSC_OK)
        costs->speedup = fmin(fmax(c->locals * middle(one) / middle(all), 1),
                              (double)costs->threads);
    return st;
}

/* Measure all trials so often, apart from each other in time. */
static bosc_status run_trials(calibration *c, bosc_error *err)
{
    double ns[N_TRIALS][PASSES];
    bosc_status st = BOSC_OK;

    for (int pass = 0; pass < PASSES; ++pass)
        for (int t = 0; t < N_TRIALS && st == BOSC_OK; ++t) {
            st = bosc_trial_run(&trials[t], cpu, 1, c->seconds, &c->result[t],
                                err);
            ns[t][pass] = c->result[t].step.ns;
        }
    for (int t = 0; t < N_TRIALS && st == BOSC_OK; ++t)
        c->result[t].step.ns = middle(ns[t]);
    return st;
}

static bosc_status measure(calibration *c, bosc_error *err)
{
    const double trust = 1e-5;
    bosc_costs *costs = &c->machine->devices[0].costs;
    bosc_measure measures[N_TRIALS];
    bosc_status st;

    costs->base = bosc_peak_bytes();
    st = run_trials(c, err);
    if (st == BOSC_OK)
        st = measure_threads(c, costs, err);
    if (st == BOSC_OK)
        st = bosc_trial_read(&costs->setup[BOSC_SETUP_READ], err);
    if (st != BOSC_OK)
        return st;
    for (int t = 0; t < N_TRIALS; ++t)
        measures[t] = c->result[t].step;
    bosc_cost_fit(N_TRIALS, measures, trust, costs->rates.step);
    for (int k = BOSC_SETUP_MAKE; k < BOSC_N_SETUPS; ++k)
        costs->setup[k] = median_setup(c, k, costs->setup[k]);
    return BOSC_OK;
}

/* ---- the file ---- */

/* What the ranks of a node have found becomes devices: neighbours that are
 * about equally fast, by the ns of a step of the mixed forest, are one. */
static bosc_status write_file(calibration *c, const bosc_costs *all,
                              bosc_error *err)
{
    const double alike = 1.15;
    const bosc_work *work = &c->result[MIXED].step.work;
    bosc_machine *m = c->machine;
    bosc_machine_device *device =
        bosc_alloc(BOSC_MACHINE_DEVICES, sizeof *device);
    bosc_status st;

    if (device == NULL)
        return bosc_no_memory(err, "the devices");
    device[0] = m->devices[0];
    device[0].costs = all[0];
    free(m->devices);
    m->devices = device;
    for (int r = 1; r < c->locals; ++r) {
        bosc_machine_device *last = &device[m->n_devices - 1];
        const double ratio = bosc_work_ns(work, all[r].rates.step) /
                             bosc_work_ns(work, last->costs.rates.step);

        if ((ratio < alike && ratio > 1 / alike) ||
            m->n_devices == BOSC_MACHINE_DEVICES - BOSC_CALIBRATE_GPUS)
            last->ranks++;
        else
            device[m->n_devices++] =
                (bosc_machine_device){.name = bosc_strdup(last->name),
                                      .backend = bosc_strdup(last->backend),
                                      .method = bosc_strdup(last->method),
                                      .solver = last->solver,
                                      .ranks = 1,
                                      .costs = all[r]};
    }
    for (int k = 0; k < c->n_gpus; ++k)
        device[m->n_devices++] = c->gpus[k];
    c->n_gpus = 0; /* they are the machine's from here on */
    st = bosc_machine_write(m, c->path, err);
    if (st == BOSC_OK)
        printf("wrote %s\n", c->path);
    return st;
}

/* Collective: the first rank of each node writes its file. */
static bosc_status save(calibration *c, bosc_error *err)
{
    void *all = NULL;
    bosc_status st = bosc_gather(c->node, &c->machine->devices[0].costs,
                                 sizeof(bosc_costs), &all, NULL, err);

    if (st == BOSC_OK && c->local == 0)
        st = write_file(c, all, err);
    free(all);
    return bosc_agree(c->comm, st, err);
}

/* ---- the command ---- */

/* A name fits one file, and it is better known before that no file can be made.
 */
static bosc_status check_output(calibration *c, bosc_error *err)
{
    if (c->output == NULL || c->locals == c->ranks) {
        c->path =
            c->output != NULL ? bosc_strdup(c->output) : bosc_machine_path();
        if (c->path == NULL)
            return bosc_no_memory(err, "the machine's file");
        return c->local == 0 ? bosc_machine_write(NULL, c->path, err) : BOSC_OK;
    }
    return bosc_fail(err, BOSC_EUSAGE,
                     "--output %s: the %d ranks are on several nodes, each of "
                     "which needs a file of its own; leave the option out",
                     c->output, c->ranks);
}

static void print_result(const calibration *c)
{
    const bosc_costs *costs = &c->machine->devices[0].costs;
    double worst = 1;

    printf("  %-18s %12s %8s\n", "forest", "us a step", "fitted");
    for (int t = 0; t < N_TRIALS; ++t) {
        const bosc_measure *m = &c->result[t].step;
        const double fitted = bosc_work_ns(&m->work, costs->rates.step) / m->ns;

        printf("  %-18s %12.3f %8.3f\n", trials[t].what, m->ns * 1e-3, fitted);
        worst = fmax(worst, fmax(fitted, 1 / fitted));
    }
    if (c->threads > 1)
        printf("  %d threads are %.2f times as fast as one\n", costs->threads,
               costs->speedup);
    if (costs->threads < c->machine->processors)
        bosc_wrap_print(stdout, 2, "",
                        "Only %d of %d processors were at work, and the speed "
                        "of more of them is unknown: unset OMP_NUM_THREADS, or "
                        "start one rank a core.",
                        costs->threads, c->machine->processors);
    if (worst > DOUBTFUL)
        bosc_wrap_print(stdout, 2, "", "%s",
                        "The rates fit some of these badly: measure again when "
                        "the machine does nothing else.");
}

/* Processors that the ranks of this node may run on together, however they are
 * bound.  Collective. */
static int count_processors(const calibration *c)
{
    const bosc_cpuset mine = bosc_cpuset_mine();
    bosc_cpuset all = mine;

    for (int r = 0; r < c->locals; ++r) {
        bosc_cpuset theirs = mine;

        bosc_bcast(c->node, &theirs, sizeof theirs, r);
        for (size_t i = 0; i < BOSC_LEN(all.bits); ++i)
            all.bits[i] |= theirs.bits[i];
    }
    return bosc_cpuset_count(&all);
}

static void print_head(const calibration *c, int processors)
{
    const int busy = c->threads * c->locals;

    printf("%s: what things cost on %d rank%s of %d thread%s\n", PACKAGE_STRING,
           c->ranks, c->ranks == 1 ? "" : "s", c->threads,
           c->threads == 1 ? "" : "s");
    if (busy > processors)
        bosc_wrap_print(stdout, 2, "",
                        "%d threads share %d processor%s, so that each seems "
                        "slower than it is: start fewer ranks, or lower "
                        "OMP_NUM_THREADS.",
                        busy, processors, processors == 1 ? "" : "s");
}

static bosc_status calibrate(calibration *c, bosc_error *err)
{
    const int processors = count_processors(c);
    bosc_status st = bosc_agree(c->comm, check_output(c, err), err);

    if (st == BOSC_OK)
        st = bosc_rank_threads(c->comm, 0, &c->threads, err);
    if (st != BOSC_OK)
        return st;
    if (c->rank == 0)
        print_head(c, processors);
    st = bosc_mechs_create(&c->mechs, err);
    if (st == BOSC_OK)
        st = bosc_machine_here(c->mechs, &c->machine, err);
    if (st == BOSC_OK) {
        c->machine->processors = processors;
        st = measure(c, err);
    }
    if ((st = bosc_agree(c->comm, st, err)) != BOSC_OK)
        return st;
    if (c->rank == 0)
        print_result(c);
    if (c->local == 0)
        st = bosc_calibrate_gpu(c->machine, c->seconds, c->rank == 0, c->gpus,
                                &c->n_gpus, err);
    st = bosc_agree(c->comm, st, err);
    return st == BOSC_OK ? save(c, err) : st;
}

bosc_status bosc_calibrate(const bosc_calibrate_request *request,
                           bosc_status st, bosc_error *err)
{
    calibration *c = bosc_alloc(1, sizeof *c);
    int provided;

    if (c == NULL)
        return bosc_no_memory(err, "the calibration");
    c->output = request->output;
    c->seconds = request->seconds;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    c->comm = bosc_mpi_world();
    c->rank = c->comm->rank;
    c->ranks = c->comm->ranks;
    st = bosc_agree(c->comm, st, err);
    if (st == BOSC_OK)
        st = bosc_comm_node(c->comm, &c->node, err);
    if (st == BOSC_OK) {
        c->local = c->node->rank;
        c->locals = c->node->ranks;
        st = calibrate(c, err);
    }
    if (st != BOSC_OK && c->rank != 0)
        err->text[0] = '\0';
    bosc_machine_destroy(c->machine);
    bosc_mechs_destroy(c->mechs);
    for (int k = 0; k < c->n_gpus; ++k) {
        free(c->gpus[k].name);
        free(c->gpus[k].backend);
        free(c->gpus[k].method);
    }
    free(c->path);
    bosc_comm_destroy(c->node);
    free(c);
    return st;
}
