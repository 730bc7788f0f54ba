/* calibrate_gpu.c - the part of 'bosc calibrate' about GPUs.
 *
 * Few neurons take as long as the one with the most work waits, many as long as
 * all of them keep the GPU busy (bosc_rates has the formula).  So the latencies
 * are fitted to forests of few neurons, and then the other rates to what these
 * leave of forests of many.
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

enum { FEW = 256 };

/* Of FEW neurons, epochs of 1 ms. */
static const bosc_trial few[] = {
    {"different trees", MIXED_SIZES, "", "", false, FEW, 40},
    {"smaller trees", SMALL_SIZES, "", "", false, FEW, 40},
    {"hh in somata", MIXED_SIZES, SOMA_HH, "", false, FEW, 40},
    {"hh everywhere", SMALL_SIZES, ALL_HH, "", false, FEW, 40},
    {"100 ExpSyn each", SMALL_SIZES, "", SYNAPSES("ExpSyn", "0"), false, FEW,
     40},
    {"100 Exp2Syn each", SMALL_SIZES, "", SYNAPSES("Exp2Syn", "0"), false, FEW,
     40},
};

/* And of more than keep a GPU busy. */
static const bosc_trial many[] = {
    {"24,576 different trees", MIXED_SIZES, "", "", false, 24576, 40},
    {"24,576 smaller trees", SMALL_SIZES, "", "", false, 24576, 40},
    {"32,768 equal trees", EQUAL_SIZES, "", "", true, 32768, 40},
    {"8,192, hh in somata", MIXED_SIZES, SOMA_HH, "", false, 8192, 40},
    {"8,192, hh everywhere", SMALL_SIZES, ALL_HH, "", false, 8192, 40},
    {"100 ExpSyn each", SMALL_SIZES, "", SYNAPSES("ExpSyn", "0"), false, 8192,
     40},
    {"100 Exp2Syn each", SMALL_SIZES, "", SYNAPSES("Exp2Syn", "0"), false, 8192,
     40},
    {"with 2,560 events a step", SMALL_SIZES, "", SYNAPSES("ExpSyn", "1000"),
     false, 1024, 40},
    {"all recorded", SMALL_SIZES, "", RECORDED, false, 512, 40},
};

enum {
    N_FEW = BOSC_LEN(few),
    N_MANY = BOSC_LEN(many),
    PASSES = 3,
    START = BOSC_WORK_LEVEL /* in the fit of latencies: one a step */
};

/* What is measured, and for whom. */
typedef struct meter {
    const bosc_gpu *gpu;
    int32_t n_gpus;
    const bosc_mechs *mechs;
    const bosc_costs *host;
    double seconds;
    const bosc_method *method;
} meter;

/* ns of a step of each trial, the median of some passes, and its work. */
static bosc_status run_trials(const meter *m, int n, const bosc_trial *trials,
                              bosc_trial_result *results, bosc_error *err)
{
    double ns[N_FEW + N_MANY][PASSES];
    bosc_status st = BOSC_OK;

    for (int pass = 0; pass < PASSES; ++pass)
        for (int t = 0; t < n && st == BOSC_OK; ++t) {
            st = bosc_trial_run(&trials[t], m->method, m->host->threads,
                                m->seconds, &results[t], err);
            ns[t][pass] = results[t].step.ns;
        }
    for (int t = 0; t < n && st == BOSC_OK; ++t)
        results[t].step.ns = bosc_spread_of(ns[t], PASSES).median;
    return st;
}

/* The latencies, from few neurons, which keep no GPU busy.  A row takes as long
 * whether a neuron has equal ones, different ones or none beside it. */
static void fit_latencies(const bosc_trial_result *results, bosc_rates *rates)
{
    const double trust = 1e-10;
    bosc_measure measures[N_FEW];

    for (int t = 0; t < N_FEW; ++t) {
        measures[t] =
            (bosc_measure){results[t].work.longest, results[t].step.ns};
        measures[t].work.of[START] = 1;
    }
    rates->latency[START] = rates->start;
    bosc_cost_fit(N_FEW, measures, trust, rates->latency);
    rates->start = rates->latency[START];
    rates->latency[START] = 0;
    rates->latency[BOSC_WORK_EQUAL] = rates->latency[BOSC_WORK_DIFFERENT];
    rates->latency[BOSC_WORK_ALONE] = rates->latency[BOSC_WORK_DIFFERENT];
}

/* The other rates, from what the latencies leave of the time of many. */
static void fit_steps(const bosc_trial_result *results, bosc_rates *rates)
{
    const double trust = 1e-10, least = 0.1;
    bosc_measure measures[N_MANY];

    for (int t = 0; t < N_MANY; ++t) {
        const double ns = results[t].step.ns;
        const double chain =
            fmin(ns, bosc_chain_ns(&results[t].work.longest, rates));

        measures[t] =
            (bosc_measure){results[t].work.all,
                           fmax(least * ns, sqrt(ns * ns - chain * chain))};
    }
    bosc_cost_fit(N_MANY, measures, trust, rates->step);
    rates->step[BOSC_WORK_ALONE] = rates->step[BOSC_WORK_DIFFERENT];
}

static void print_results(int n, const bosc_trial *trials,
                          const bosc_trial_result *results,
                          const bosc_rates *rates)
{
    for (int t = 0; t < n; ++t)
        printf("  %-24s %12.3f %8.3f\n", trials[t].what,
               results[t].step.ns * 1e-3,
               bosc_step_ns(&results[t].work, rates) / results[t].step.ns);
}

static bosc_status measure(meter *m, bool shown, bosc_machine_device *device,
                           bosc_error *err)
{
    const bosc_costs usual =
        bosc_costs_of_gpu(m->mechs, m->method->engine.limits != NULL);
    bosc_trial_result of_few[N_FEW], of_many[N_MANY];
    bosc_costs *costs = &device->costs;
    bosc_status st = run_trials(m, N_FEW, few, of_few, err);

    if (st == BOSC_OK)
        st = run_trials(m, N_MANY, many, of_many, err);
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
    costs->rates = usual.rates;
    fit_latencies(of_few, &costs->rates);
    fit_steps(of_many, &costs->rates);
    if (shown) {
        printf("  %s, %s\n  %-24s %12s %8s\n", m->gpu->name, m->method->name,
               "256 neurons", "us a step", "fitted");
        print_results(N_FEW, few, of_few, &costs->rates);
        printf("  %-24s\n", "more neurons");
        print_results(N_MANY, many, of_many, &costs->rates);
    }
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
        if (m.method->backend->on_gpu && m.method->engine.ops != NULL &&
            !bosc_method_is_composed(m.method)) {
            st = measure(&m, shown, &devices[*n], err);
            *n += st == BOSC_OK;
        }
    free(gpus);
    return st;
}
