/* cable_theory.c - the cable equation against its closed forms: one
 * compartment and Rallpacks 1 and 2 (Bhalla, Bilitch and Bower 1992, Trends in
 * Neurosciences 15:453-458); Rallpack 3 has none and is compared with NEURON.
 *
 * The bounds are NEURON's own largest errors with the same compartments and dt,
 * which are known to two digits: half a unit of the second is added.
 */
#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "tests/lib/model_cells.h"
#include "tests/lib/shared.h"
#include "tests/lib/tap.h"
#include "tests/lib/tsv.h"

static const double PI = 3.14159265358979323846;

/* The Rallpacks' membrane: 4 ohm m2, 1 uF/cm2, 100 ohm cm, at rest at -65. */
static const double RM = 40000, RA = 100, REST = -65, TAU = 40; /* ms */

enum { EVERY = 4, N_STEPS = 10000, N_FRAMES = N_STEPS / EVERY + 1 };

/* Node i: a cylinder's compartment of length l and diameter d (um), 'halves'
 * half lengths from its parent. */
static void cylinder(forest_shape *s, int32_t i, double l, double d,
                     double halves)
{
    s->area[i] = PI * d * l;
    s->C[i] = s->area[i] * 1e-5;
    s->has[i] = 1;
    s->g_axial[i] = 1 / (halves * 1e-2 * RA * (l / 2) / (PI * d * d / 4));
}

/* 1,000 compartments of 1 um x 1 um, sealed at both ends. */
static forest_shape make_cable(void)
{
    forest_shape s = forest_shape_create(1002);

    for (int32_t i = 1; i < s.n; ++i)
        s.parent[i] = i - 1;
    for (int32_t i = 1; i < s.n - 1; ++i)
        cylinder(&s, i, 1, 1, i == 1 ? 1 : 2);
    s.g_axial[s.n - 1] = s.g_axial[1];
    return s;
}

/* A branch of one compartment at 'parent', and the branches that hang on its
 * end, thinner and shorter as the 3/2 law wants; returns the next free node. */
static int32_t grow(forest_shape *s, int32_t next, int32_t parent, int level)
{
    const double l = 32 * pow(2, -level / 3.0);
    const double d = 16 * pow(2, -2 * level / 3.0);
    const int32_t end = next + 1;

    s->parent[next] = parent;
    cylinder(s, next, l, d, 1);
    s->parent[end] = next;
    s->g_axial[end] = s->g_axial[next];
    next += 2;
    for (int k = 0; k < 2 && level < 9; ++k)
        next = grow(s, next, end, level + 1);
    return next;
}

/* 1,023 branches in 10 levels, one compartment each. */
static forest_shape make_tree(void)
{
    forest_shape s = forest_shape_create(2047);

    grow(&s, 1, 0, 0);
    return s;
}

/* The neuron with 0.1 nA into node 0, its first and last node recorded. */
typedef struct experiment {
    forest f;
    forest_clamp clamp;
    forest_detector detectors[2];
    forest_probe probes[2];
    int32_t shape[1];
} experiment;

static void set_up(experiment *e, const forest_shape *s, const forest_set *set)
{
    *e = (experiment){
        .clamp = {0, 0, 0, 1e9, 0.1},
        .detectors = {{0, 0, 0, -20}, {0, s->n - 1, 1, -20}},
        .probes = {{0, 0}, {0, s->n - 1}},
    };
    e->f = (forest){.n_shapes = 1,
                    .shapes = s,
                    .n_sets = 1,
                    .sets = set,
                    .n_neurons = 1,
                    .shape = e->shape,
                    .dt = 0.025,
                    .celsius = 6.3,
                    .v_init = REST,
                    .every = EVERY,
                    .n_clamps = 1,
                    .clamps = &e->clamp,
                    .n_detectors = 2,
                    .detectors = e->detectors,
                    .n_probes = 2,
                    .probes = e->probes};
}

/* A running experiment, and what it recorded. */
typedef struct trial {
    bosc_batch batch;
    bosc_engine *engine;
    bosc_step_output record;
    bool good;
} trial;

static void perform(trial *t, const forest *f, int64_t n_steps)
{
    const bosc_method *method = &bosc_methods[0];
    const bosc_engine_ops *ops = method->engine.ops;
    bosc_error err;

    *t = (trial){.batch = forest_pack_for(f, method)};
    t->good =
        ops->create(&t->batch, method->engine.variant, 1, &t->engine, &err) ==
            BOSC_OK &&
        ops->advance(t->engine, &(bosc_step_input){.from = 0, .to = n_steps},
                     &t->record, &err) == BOSC_OK;
    if (!t->good)
        diag("%s", err.text);
}

static void finish(trial *t)
{
    bosc_methods[0].engine.ops->destroy(t->engine);
    bosc_batch_clear(&t->batch);
}

/* A sealed cable of electrotonic length L, a current step at X = 0, T = t/tau
 * later: steady state less its decaying modes.  'v_inf' is what the current
 * makes of a semi-infinite cable (mV). */
static double cable(double X, double T, double L, double v_inf)
{
    double v = cosh(L - X) / sinh(L) - exp(-T) / L, modes = 0;

    for (int n = 1; n < 20000; ++n) {
        const double q = 1 + (n * PI / L) * (n * PI / L);

        if (q * T > 60)
            break;
        modes += cos(n * PI * X / L) * exp(-q * T) / q;
    }
    return v_inf * (v - 2 / L * modes);
}

/* Rallpack: the cylinder, and NEURON's largest error (mV). */
typedef struct rallpack {
    const char *name;
    forest_shape (*make)(void);
    double d, l;                   /* um */
    double at_start, soon, at_end; /* at x = 0; there after 1 ms; at the end */
} rallpack;

static void test_rallpack(const rallpack *r)
{
    const forest_set leak = {BOSC_MECH_pas, {1 / RM, REST}};
    const double lambda = sqrt(RM * r->d * 1e-4 / (4 * RA)); /* cm */
    const double L = r->l * 1e-4 / lambda;
    const double axial = RA / (PI * r->d * r->d * 1e-8 / 4); /* ohm/cm */
    const double v_inf = 0.1e-9 * lambda * axial * 1e3;
    forest_shape s = r->make();
    experiment e;
    trial t;
    double start = 0, soon = 0, end = 0;

    set_up(&e, &s, &leak);
    perform(&t, &e.f, N_STEPS);
    for (int k = 1; t.good && k < N_FRAMES; ++k) {
        const double ms = k * EVERY * e.f.dt;
        const double *v = t.record.values[0] + 2 * k;
        const double at_0 = fabs(v[0] - REST - cable(0, ms / TAU, L, v_inf));

        start = fmax(start, at_0);
        soon = fmax(soon, ms > 1.05 ? at_0 : 0);
        end = fmax(end, fabs(v[1] - REST - cable(L, ms / TAU, L, v_inf)));
    }
    ok(t.good && start <= r->at_start && soon <= r->soon,
       "%s: within %g mV at x = 0, %g mV after 1 ms (%.4f, %.4f)", r->name,
       r->at_start, r->soon, start, soon);
    ok(t.good && end <= r->at_end, "%s: within %g mV at the end (%.4f)",
       r->name, r->at_end, end);
    finish(&t);
    forest_shape_clear(&s);
}

/* One passive compartment, 0.05 nA from 5 to 45 ms. */
static void test_compartment(void)
{
    const forest_set leak = {BOSC_MECH_pas, {1e-4, REST}};
    const double R = 1 / (1e-4 * PI * 400 * 1e-2), tau = 10; /* Mohm, ms */
    forest_shape s = forest_shape_create(1);
    experiment e;
    trial t;
    double worst = 0;

    s.area[0] = PI * 20 * 20;
    s.C[0] = s.area[0] * 1e-5;
    s.has[0] = 1;
    set_up(&e, &s, &leak);
    e.clamp = (forest_clamp){0, 0, 5, 40, 0.05};
    e.f.every = 1;
    perform(&t, &e.f, 2400);
    for (int k = 0; t.good && k <= 2400; ++k) {
        const double ms = k * e.f.dt;
        const double on = ms > 5 ? 1 - exp(-(fmin(ms, 45) - 5) / tau) : 0;
        const double off = ms > 45 ? exp(-(ms - 45) / tau) : 1;
        const double want = REST + 0.05 * R * on * off;

        worst = fmax(worst, fabs(t.record.values[0][2 * k] - want));
    }
    ok(t.good && worst <= 0.0185, "one compartment: within 0.0185 mV (%.4f)",
       worst);
    finish(&t);
    forest_shape_clear(&s);
}

/* Second order: halving dt divides the error of a smooth trace by four. */
static void test_order(void)
{
    const forest_set leak = {BOSC_MECH_pas, {1e-3, -60}};
    forest_shape s = forest_shape_create(1);
    double error[2][2];

    s.area[0] = 100;
    s.C[0] = 1e-3;
    s.has[0] = 1;
    for (int second = 0; second < 2; ++second)
        for (int half = 0; half < 2; ++half) {
            experiment e;
            trial t;

            set_up(&e, &s, &leak);
            e.f.n_clamps = 0;
            e.f.second_order = second;
            e.f.dt = half ? 0.05 : 0.1;
            e.f.every = half ? 20 : 10;
            perform(&t, &e.f, e.f.every); /* to 1 ms, which is tau */
            error[second][half] =
                t.good ? t.record.values[0][2] - (-60 - 5 * exp(-1)) : 1;
            finish(&t);
        }
    ok(fabs(error[0][0] / error[0][1] - 2) < 0.1,
       "backward Euler is of first order in dt");
    ok(fabs(error[1][0] / error[1][1] - 4) < 0.1,
       "second_order is of second order in dt");
    forest_shape_clear(&s);
}

/* Times of NEURON's spikes that have no partner among ours. */
static int missing_spikes(const tsv *spikes, const trial *t)
{
    int missing = abs((int)spikes->n - (int)t->record.n_spikes);

    for (size_t i = 0; i < spikes->n; ++i) {
        bool found = false;

        for (size_t k = 0; k < t->record.n_spikes; ++k)
            found = found ||
                    (fabs(bosc_spike_time(&t->record.spikes[k], t->batch.dt) -
                          tsv_number(spikes, i, 0)) < 1e-6 &&
                     t->record.spikes[k].source == tsv_number(spikes, i, 1));
        missing += !found;
    }
    return missing;
}

static void test_rallpack3(void)
{
    const forest_set axon = {BOSC_MECH_hh,
                             {0.12, 0.036, 1 / RM, REST, 50, -77}};
    char *folder = shared_folder("reference/c4_rallpack3");
    forest_shape s;
    experiment e;
    tsv traces, spikes;
    trial t;
    double worst = 0;

    if (folder == NULL || !tsv_read(folder, "traces.tsv", &traces)) {
        skip("Rallpack 3: recorded NEURON traces are not at hand");
        free(folder);
        return;
    }
    tsv_read(folder, "spikes.tsv", &spikes);
    s = make_cable();
    set_up(&e, &s, &axon);
    perform(&t, &e.f, N_STEPS);
    for (size_t i = 0; t.good && i < traces.n; ++i)
        for (size_t k = 0; k < 2; ++k)
            worst = fmax(worst, fabs(t.record.values[0][2 * i + k] -
                                     tsv_number(&traces, i, 1 + k)));
    ok(t.good && worst <= 1e-6, "Rallpack 3: within 1e-6 mV of NEURON (%.1e)",
       worst);
    ok(t.good && spikes.n == 35 && missing_spikes(&spikes, &t) == 0,
       "Rallpack 3: NEURON's 35 spikes within 1e-6 ms");
    finish(&t);
    forest_shape_clear(&s);
    tsv_clear(&traces);
    tsv_clear(&spikes);
    free(folder);
}

int main(void)
{
    static const rallpack rallpacks[] = {
        {"Rallpack 1", make_cable, 1, 1000, 0.225, 0.0695, 0.0215},
        {"Rallpack 2", make_tree, 16, 320, 0.00265, 0.00265, 0.00265},
    };

    test_compartment();
    test_order();
    for (size_t i = 0; i < BOSC_LEN(rallpacks); ++i)
        test_rallpack(&rallpacks[i]);
    test_rallpack3();
    return done_testing();
}
