#include "src/cost/costs.h"

#include <math.h>
#include <stddef.h>

static const bosc_cost_name works[BOSC_WORK_MECH] = {
    [BOSC_WORK_NEURON] = {"neuron", "a neuron"},
    [BOSC_WORK_EQUAL] = {"equal", "a compartment among equal trees"},
    [BOSC_WORK_DIFFERENT] = {"different", "a compartment among other trees"},
    [BOSC_WORK_ALONE] = {"alone", "a compartment of a lone neuron"},
    [BOSC_WORK_SECTION] = {"section", "a section among other trees"},
    [BOSC_WORK_LEVEL] = {"level", "a level of a tree"},
    [BOSC_WORK_WAIT] = {"wait", "a row of a vector with none beside it"},
    [BOSC_WORK_VISIT] = {"visit", "a mechanism of a vector's neurons"},
    [BOSC_WORK_FETCH] = {"fetch", "a compartment into the cache, an epoch"},
    [BOSC_WORK_EVENT] = {"event", "an event received"},
    [BOSC_WORK_SAMPLE] = {"sample", "a value recorded"},
    [BOSC_WORK_WAY] = {"way", "a row from a synapse to the soma, on a GPU"},
    [BOSC_WORK_SECOND] = {"second", "a compartment of second order, on a GPU"},
    [BOSC_WORK_PRODUCT] = {"product", "a ns of couplings as rules count them"},
};

const bosc_cost_name bosc_setups[BOSC_N_SETUPS] = {
    [BOSC_SETUP_READ] = {"read", "a compartment read from a file"},
    [BOSC_SETUP_MAKE] = {"make", "a compartment of a synthetic neuron"},
    [BOSC_SETUP_PACK] = {"pack", "a compartment packed"},
    [BOSC_SETUP_CONNECT] = {"connect", "a connection"},
};

int bosc_n_works(const bosc_mechs *mechs)
{
    return BOSC_WORK_MECH + mechs->n;
}

const char *bosc_work_name(const bosc_mechs *mechs, int kind)
{
    const int m = kind - BOSC_WORK_MECH;

    if (kind < BOSC_WORK_MECH)
        return works[kind].name;
    return bosc_mech_has_block(mechs->mech[m]) ? mechs->mech[m]->name : NULL;
}

const char *bosc_work_meaning(int kind)
{
    return kind < BOSC_WORK_MECH ? works[kind].meaning : "an instance";
}

double bosc_costs_speedup(const bosc_costs *costs, int threads, int busy)
{
    const int most = costs->threads;
    double each = 1; /* speed of a thread, of one by itself */

    if (most > 1 && busy > 1)
        each = 1 - (1 - costs->speedup / most) * (busy - 1) / (most - 1);
    /* nothing was measured beyond, and no more cores are known of */
    if (busy > most)
        each = costs->speedup / busy;
    return threads * each;
}

double bosc_work_ns(const bosc_work *work, const double *rates)
{
    double ns = 0;

    for (int k = 0; k < BOSC_MAX_WORKS; ++k)
        ns += work->of[k] * rates[k];
    return ns;
}

double bosc_chain_ns(const bosc_work *longest, const bosc_rates *rates)
{
    return rates->start + bosc_work_ns(longest, rates->latency);
}

double bosc_step_ns(const bosc_step_work *work, const bosc_rates *rates)
{
    const double ns = bosc_work_ns(&work->all, rates->step);

    return ns > 0 ? hypot(bosc_chain_ns(&work->longest, rates), ns) : 0;
}

void bosc_step_work_add_neuron(const bosc_work *neuron, double times,
                               bosc_step_work *sum)
{
    for (int k = 0; k < BOSC_MAX_WORKS; ++k) {
        sum->all.of[k] += neuron->of[k] * times;
        sum->longest.of[k] = fmax(sum->longest.of[k], neuron->of[k]);
    }
}

void bosc_step_work_add(const bosc_step_work *more, bosc_step_work *sum)
{
    for (int k = 0; k < BOSC_MAX_WORKS; ++k) {
        sum->all.of[k] += more->all.of[k];
        sum->longest.of[k] = fmax(sum->longest.of[k], more->longest.of[k]);
    }
}

bosc_pace bosc_costs_pace(const bosc_costs *costs, const bosc_step_work *work,
                          int threads, int busy)
{
    const double ns = bosc_work_ns(&work->all, costs->rates.step);
    const double speedup =
        costs->on_gpu ? 1 : bosc_costs_speedup(costs, threads, busy);

    return (bosc_pace){bosc_chain_ns(&work->longest, &costs->rates),
                       ns > 0 ? ns / speedup : 1};
}

/* A step that ends after t ns has time for (t - start) / all at each rank that
 * takes part, and these are n in sum; who would start later takes no part,
 * which makes t later for the others. */
void bosc_pace_parts(int32_t n, const bosc_pace *pace, double *part)
{
    double end = INFINITY, before;

    do {
        double starts = 0, rates = 0;

        before = end;
        for (int32_t r = 0; r < n; ++r)
            if (pace[r].start < before) {
                starts += pace[r].start / pace[r].all;
                rates += 1 / pace[r].all;
            }
        end = (n + starts) / rates;
    } while (end < before);
    for (int32_t r = 0; r < n; ++r)
        part[r] = pace[r].start < end ? (end - pace[r].start) / pace[r].all : 0;
}

/* ---- an ordinary machine ---- */

/* Measured on a core of an AMD EPYC of 2024, with AVX2. */
bosc_costs bosc_costs_standard(const bosc_mechs *mechs)
{
    bosc_costs costs = {
        .n_works = bosc_n_works(mechs),
        .lanes = 4,
        .threads = 1,
        .speedup = 1,
        .base = 25e6,
        .rates.step = {[BOSC_WORK_NEURON] = 8,
                       [BOSC_WORK_EQUAL] = 1.5,
                       [BOSC_WORK_DIFFERENT] = 1.5,
                       [BOSC_WORK_ALONE] = 4.6,
                       [BOSC_WORK_SECTION] = 0.7,
                       [BOSC_WORK_LEVEL] = 0, /* streams have none */
                       [BOSC_WORK_WAIT] = 5.6,
                       [BOSC_WORK_VISIT] = 10,
                       [BOSC_WORK_FETCH] = 2.5,
                       [BOSC_WORK_EVENT] = 25,
                       [BOSC_WORK_SAMPLE] = 1.6,
                       [BOSC_WORK_PRODUCT] = 1},
        .setup = {[BOSC_SETUP_READ] = 220,
                  [BOSC_SETUP_MAKE] = 540,
                  [BOSC_SETUP_PACK] = 110,
                  [BOSC_SETUP_CONNECT] = 200},
    };

    for (int m = 0; m < mechs->n; ++m)
        costs.rates.step[BOSC_WORK_MECH + m] = mechs->mech[m]->ns;
    return costs;
}

/* ns of a GPU for a unit, and of the neuron with the most of them.  What stands
 * in 'core' are ns of a mechanism for each that a core takes. */
typedef struct gpu_rate {
    double step, latency;
} gpu_rate;

typedef struct gpu_rates {
    double start;
    gpu_rate compartment, section, way, second, event, core;
    double mod; /* times as long as built-in ones, mod files take */
} gpu_rates;

/* Fitted to 65 jobs of the kinds that src/calibrate/calibrate_gpu.c lists, on
 * one H100. */
static const gpu_rates streaming = {
    .start = 2300,
    .compartment = {0.014, 232},
    .section = {0.041, 0},
    .way = {0.236, 974},
    .second = {0.019, 42},
    .event = {28, 10},
    .core = {0.0122, 43},
    .mod = 2.4,
};
static const gpu_rates on_the_chip = {
    .start = 6200,
    .compartment = {0.0049, 7.4},
    .section = {0.028, 0},
    .way = {0.055, 158},
    .second = {0.019, 0},
    .event = {28, 10},
    .core = {0.0049, 3.7},
    .mod = 2.4,
};

static void set_rate(bosc_rates *rates, int kind, const gpu_rate *rate)
{
    rates->step[kind] = rate->step;
    rates->latency[kind] = rate->latency;
}

static bosc_rates rates_of(const gpu_rates *gpu, const bosc_mechs *mechs)
{
    bosc_rates rates = {
        .start = gpu->start,
        .step = {[BOSC_WORK_SAMPLE] = 1.1, [BOSC_WORK_PRODUCT] = 1}};

    set_rate(&rates, BOSC_WORK_EQUAL, &gpu->compartment);
    set_rate(&rates, BOSC_WORK_DIFFERENT, &gpu->compartment);
    set_rate(&rates, BOSC_WORK_ALONE, &gpu->compartment);
    set_rate(&rates, BOSC_WORK_SECTION, &gpu->section);
    set_rate(&rates, BOSC_WORK_WAY, &gpu->way);
    set_rate(&rates, BOSC_WORK_SECOND, &gpu->second);
    set_rate(&rates, BOSC_WORK_EVENT, &gpu->event);
    for (int m = 0; m < mechs->n; ++m) {
        const bosc_mech *mech = mechs->mech[m];
        const double times = mech->ns * (mech->text != NULL ? gpu->mod : 1);

        set_rate(
            &rates, BOSC_WORK_MECH + m,
            &(gpu_rate){gpu->core.step * times, gpu->core.latency * mech->ns});
    }
    return rates;
}

bosc_costs bosc_costs_of_gpu(const bosc_mechs *mechs, bool on_chip)
{
    bosc_costs costs = bosc_costs_standard(mechs);

    costs.on_gpu = true;
    costs.base = BOSC_GPU_BASE;
    costs.streamed = rates_of(&streaming, mechs);
    costs.rates = on_chip ? rates_of(&on_the_chip, mechs) : costs.streamed;
    return costs;
}
