/* calibrate_gpu.c - the part of 'bosc calibrate' about GPUs.
 *
 * A GPU takes some microseconds for a step however few neurons it has, and from
 * some thousand neurons on a time for each compartment.  In the fit that first
 * time is the rate of a kind of work that GPUs have none of, one unit a step.
 */
#include "src/calibrate/calibrate_gpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/gpus.h"
#include "src/base/mem.h"
#include "src/calibrate/spread.h"
#include "src/calibrate/trial.h"

#define MIXED_SIZES "compartments: [76, 691], sections: [7, 341]"
#define EQUAL_SIZES "compartments: 319, sections: 60"
#define SMALL_SIZES "compartments: 305, sections: 30"
#define SOMA_HH "soma: {hh: {}}"
#define ALL_HH SOMA_HH ", axon: {hh: {}}, dendrite: {hh: {}}, apical: {hh: {}}"
#define SYNAPSES(type, rate)                                                   \
    "synapses: [{name: s, type: " type "}]\n"                                  \
    "sources: [{name: x, type: poisson, count: 100, rate: " rate "}]\n"        \
    "projections: [{from: x, to: p, synapse: s, rule: fixed_indegree,"         \
    " indegree: 100, weight: 1e-6, at: {region: all}}]\n"
#define RECORDED "probes: [{name: all, at: everywhere}]\n"

/* Epochs of 1 ms; more and fewer neurons than keep a GPU busy. */
static const bosc_trial trials[] = {
    {"256 neurons", MIXED_SIZES, "", "", false, 256, 40},
    {"1,024 neurons", MIXED_SIZES, "", "", false, 1024, 40},
    {"4,096 neurons", MIXED_SIZES, "", "", false, 4096, 40},
    {"12,288 neurons", MIXED_SIZES, "", "", false, 12288, 40},
    {"8,192 equal trees", EQUAL_SIZES, "", "", true, 8192, 40},
    {"8,192, hh in somata", MIXED_SIZES, SOMA_HH, "", false, 8192, 40},
    {"4,096, hh everywhere", SMALL_SIZES, ALL_HH, "", false, 4096, 40},
    {"100 ExpSyn each", SMALL_SIZES, "", SYNAPSES("ExpSyn", "0"), false, 4096,
     40},
    {"100 Exp2Syn each", SMALL_SIZES, "", SYNAPSES("Exp2Syn", "0"), false, 4096,
     40},
    {"with 25 events a step", SMALL_SIZES, "", SYNAPSES("ExpSyn", "10"), false,
     1024, 40},
    {
        "with 2,560",
        SMALL_SIZES,
        "",
        SYNAPSES("ExpSyn", "1000"),
        false,
        1024,
        40,
    },
    {"all recorded", SMALL_SIZES, "", RECORDED, false, 512, 40},
};

enum { N_TRIALS = BOSC_LEN(trials), PASSES = 3, START = BOSC_WORK_LEVEL };

/* About a GPU of 2023; of what has no rate here it has none. */
static void begin_rates(const bosc_mechs *mechs, double step[BOSC_MAX_WORKS])
{
    memset(step, 0, BOSC_MAX_WORKS * sizeof *step);
    step[START] = 5000;
    step[BOSC_WORK_NEURON] = 0.1;
    step[BOSC_WORK_EQUAL] = 0.004;
    step[BOSC_WORK_DIFFERENT] = 0.007;
    step[BOSC_WORK_EVENT] = 0.1;
    step[BOSC_WORK_SAMPLE] = 0.01;
    step[BOSC_WORK_WAY] = 0.02;
    step[BOSC_WORK_PRODUCT] = 1;
    for (int m = 0; m < mechs->n; ++m)
        step[BOSC_WORK_MECH + m] = 0.003 * mechs->mech[m]->ns;
}

/* What is measured, and for whom. */
typedef struct meter {
    const bosc_gpu *gpu;
    int32_t n_gpus;
    const bosc_mechs *mechs;
    const bosc_costs *host;
    double seconds;
    const bosc_method *method;
    bosc_measure measures[N_TRIALS];
} meter;

static bosc_status run_trials(meter *m, bosc_error *err)
{
    double ns[N_TRIALS][PASSES];
    bosc_status st = BOSC_OK;

    for (int pass = 0; pass < PASSES; ++pass)
        for (int t = 0; t < N_TRIALS && st == BOSC_OK; ++t) {
            bosc_trial_result result;

            st = bosc_trial_run(&trials[t], m->method, m->host->threads,
                                m->seconds, &result, err);
            m->measures[t] = result.step;
            ns[t][pass] = result.step.ns;
        }
    for (int t = 0; t < N_TRIALS && st == BOSC_OK; ++t) {
        m->measures[t].ns = bosc_spread_of(ns[t], PASSES).median;
        m->measures[t].work.of[START] = 1;
    }
    return st;
}

static void print_result(const meter *m, const bosc_costs *costs)
{
    printf("  %s, %s\n  %-24s %12s %8s\n", m->gpu->name, m->method->name,
           "forest", "us a step", "fitted");
    for (int t = 0; t < N_TRIALS; ++t)
        printf("  %-24s %12.3f %8.3f\n", trials[t].what,
               m->measures[t].ns * 1e-3,
               bosc_work_ns(&m->measures[t].work, costs) / m->measures[t].ns);
}

static bosc_status measure(meter *m, bool shown, bosc_machine_device *device,
                           bosc_error *err)
{
    const double trust = 1e-10;
    bosc_costs *costs = &device->costs;
    const bosc_status st = run_trials(m, err);

    if (st != BOSC_OK)
        return st;
    *device =
        (bosc_machine_device){.name = bosc_strdup(m->gpu->name),
                              .backend = bosc_strdup(m->method->backend->name),
                              .method = bosc_strdup(m->method->name),
                              .solver = m->method,
                              .ranks = m->n_gpus,
                              .costs = *m->host};
    costs->on_gpu = true;
    costs->base = fmax(costs->base, BOSC_GPU_BASE);
    costs->lanes = bosc_method_width(m->method);
    begin_rates(m->mechs, costs->step);
    bosc_cost_fit(N_TRIALS, m->measures, trust, costs->step);
    if (shown)
        print_result(m, costs);
    costs->start = costs->step[START];
    costs->step[START] = 0;
    costs->step[BOSC_WORK_ALONE] = costs->step[BOSC_WORK_DIFFERENT];
    return device->name != NULL && device->backend != NULL &&
                   device->method != NULL
               ? BOSC_OK
               : bosc_no_memory(err, "the devices");
}

bosc_status bosc_calibrate_gpu(const bosc_machine *machine, double seconds,
                               bool shown,
                               bosc_machine_device devices[BOSC_CALIBRATE_GPUS],
                               int *n, bosc_error *err)
{
    meter m = {.mechs = machine->mechs,
               .host = &machine->devices[0].costs,
               .seconds = seconds};
    bosc_gpu *gpus = NULL;
    bosc_error why;
    bosc_status st = bosc_gpus_list(&gpus, &m.n_gpus, &why);

    *n = 0;
    if (st == BOSC_ENOSUP)
        return BOSC_OK;
    if (st != BOSC_OK)
        return bosc_fail(err, st, "%s", why.text);
    m.gpu = &gpus[0];
    st = bosc_gpu_use(m.gpu->number, err);
    for (m.method = bosc_methods;
         m.method->name != NULL && *n < BOSC_CALIBRATE_GPUS && st == BOSC_OK;
         ++m.method)
        if (m.method->backend->on_gpu && m.method->engine.ops != NULL) {
            st = measure(&m, shown, &devices[*n], err);
            *n += st == BOSC_OK;
        }
    free(gpus);
    return st;
}
