/* mech.c - the exponential and the mechanisms, against the C library. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mech/builtin.h"
#include "src/base/status.h"
#include "tests/lib/mechs.h"
#include "tests/lib/model_cells.h"
#include "tests/lib/tap.h"

/* Distance of bosc_exp(x) from exp(x), in units of the last place of a double
 * of that size. */
static double error_ulps(double x)
{
    const long double want = expl((long double)x);
    int exponent;

    frexp((double)want, &exponent);
    return (double)(fabsl((long double)bosc_exp(x) - want) /
                    ldexpl(1, exponent - 53));
}

static void test_exp_error(void)
{
    static const struct {
        const char *name;
        double low, high;
    } ranges[] = {
        {"near 0", -1e-3, 1e-3},
        {"of the reduced range", -0.35, 0.35},
        {"of rates", -20, 20},
        {"up to its ends", -708, 700},
    };
    uint64_t seed = 1;

    for (size_t k = 0; k < BOSC_LEN(ranges); ++k) {
        double worst = 0, at = 0;

        for (int i = 0; i < 300000; ++i) {
            const double x = ranges[k].low + (ranges[k].high - ranges[k].low) *
                                                 forest_uniform(&seed);
            const double e = error_ulps(x);

            if (e > worst) {
                worst = e;
                at = x;
            }
        }
        if (!ok(worst <= 1.05, "exp of arguments %s is within 1.05 ulp",
                ranges[k].name))
            diag("%.3f ulp at %.17g", worst, at);
    }
}

static void test_exp_ends(void)
{
    ok(bosc_exp(0) == 1 && bosc_exp(-0.0) == 1, "exp(0) is 1");
    ok(bosc_exp(-1000) == bosc_exp(-708) && bosc_exp(-708) > 0 &&
           bosc_exp(-INFINITY) == bosc_exp(-708),
       "exp saturates below -708 at a normal number");
    ok(bosc_exp(1000) == bosc_exp(700) && isfinite(1e3 * bosc_exp(700)) &&
           bosc_exp(INFINITY) == bosc_exp(700),
       "exp saturates above 700, where products of it are finite");
    ok(isnan(bosc_exp(NAN)) && isnan(bosc_exp(-NAN)), "exp of NaN is NaN");
}

static void test_exp_near_0(void)
{
    uint64_t seed = 3;
    int differing = 0;

    for (int i = 0; i < 100000; ++i) {
        const double x = log(2) * (forest_uniform(&seed) - 0.5);
        const double near = bosc_exp_near_0(x), any = bosc_exp(x);

        differing += memcmp(&near, &any, sizeof near) != 0;
    }
    ok(differing == 0, "exp near 0 has the bits of exp");
}

static void test_exp_vector(void)
{
    enum { N = 4096 };
    static double x[N], y[N];
    uint64_t seed = 2;
    int differing = 0;

    for (int i = 0; i < N; ++i)
        x[i] = -30 + 60 * forest_uniform(&seed);
#pragma omp simd
    for (int i = 0; i < N; ++i)
        y[i] = bosc_exp(x[i]);
    for (int i = 0; i < N; ++i) {
        const double alone = bosc_exp(x[i]);

        differing += memcmp(&alone, &y[i], sizeof alone) != 0;
    }
    ok(differing == 0, "exp has the same bits in a vector and alone");
}

static double trap(double x, double y)
{
    return fabs(x / y) < 1e-6 ? y * (1 - x / y / 2) : x / (exp(x / y) - 1);
}

/* Opening and closing rates as NEURON's hh.mod writes them. */
static void plain_rates(double v, double a[3], double b[3])
{
    a[0] = 0.1 * trap(-(v + 40), 10);
    b[0] = 4 * exp(-(v + 65) / 18);
    a[1] = 0.07 * exp(-(v + 65) / 20);
    b[1] = 1 / (exp(-(v + 35) / 10) + 1);
    a[2] = 0.01 * trap(-(v + 55), 10);
    b[2] = 0.125 * exp(-(v + 65) / 80);
}

static double relative(double got, double want)
{
    return fabs(got - want) / fabs(want);
}

static void test_hh_rest(void)
{
    double worst = 0, near = 0, a[3], b[3], s[3];

    for (double v = -120; v < 120; v += 0.37) {
        plain_rates(v, a, b);
        bosc_hh_init(NULL, v, 16, s);
        for (int k = 0; k < 3; ++k)
            worst = fmax(worst, relative(s[k], a[k] / (a[k] + b[k])));
    }
    ok(worst < 3e-13, "hh rests where the formulas say (%.1e)", worst);

    for (double dv = -1e-4; dv <= 1e-4; dv += 1e-6) {
        plain_rates(-40 + dv, a, b);
        bosc_hh_init(NULL, -40 + dv, 16, s);
        near = fmax(near, relative(s[0], a[0] / (a[0] + b[0])));
        plain_rates(-55 + dv, a, b);
        bosc_hh_init(NULL, -55 + dv, 16, s);
        near = fmax(near, relative(s[2], a[2] / (a[2] + b[2])));
    }
    ok(near < 1e-9, "smoothly where a formula divides 0 by 0 (%.1e)", near);
}

/* Voltages that are no neuron's any more. */
static void test_hh_range(void)
{
    double k16[BOSC_hh_CONSTANTS];
    int bad = 0;

    bosc_hh_prepare(NULL, 16, 0.025, k16);
    for (double v = -2000; v <= 40000; v += 6.7) {
        double s[3] = {0.2, 0.7, 0.4};

        bosc_hh_advance(NULL, k16, v, s);
        for (int i = 0; i < 3; ++i)
            bad += !(s[i] >= -1e-15 && s[i] <= 1 + 1e-15); /* roundings */
    }
    ok(bad == 0, "gates are from 0 to 1, from -2 to 40 V");
}

static void test_hh_gates(void)
{
    double worst = 0, drift = 0;
    const double dt = 0.025, q10 = pow(3, 0.97);
    double k16[BOSC_hh_CONSTANTS];

    bosc_hh_prepare(NULL, 16, dt, k16);

    for (double v = -110; v < 60; v += 1.7) {
        double a[3], b[3], s[3] = {0.2, 0.7, 0.4}, rest[3], still[3];
        const double start[3] = {0.2, 0.7, 0.4};

        plain_rates(v, a, b);
        bosc_hh_advance(NULL, k16, v, s);
        bosc_hh_init(NULL, v, 16, rest);
        memcpy(still, rest, sizeof still);
        bosc_hh_advance(NULL, k16, v, still);
        for (int k = 0; k < 3; ++k) {
            const double end = a[k] / (a[k] + b[k]);
            const double want =
                end + (start[k] - end) * exp(-dt * q10 * (a[k] + b[k]));

            worst = fmax(worst, fabs(s[k] - want));
            drift = fmax(drift, fabs(still[k] - end));
        }
    }
    ok(worst < 3e-14, "gates follow the exponential of frozen rates (%.1e)",
       worst);
    ok(drift < 1e-13, "gates at rest stay there (%.1e)", drift);
}

/* The form for all voltages, and what the nearer ones say of themselves. */
static void hh_forms(const double *k, double v, const double *start,
                     double near[4], double wide[4], double far[3])
{
    bosc_far of_near = {0}, of_wide = {0};

    for (int j = 0; j < 3; ++j)
        near[j] = wide[j] = far[j] = start[j];
    bosc_hh_advance_near(NULL, k, v, near, &of_near);
    bosc_hh_advance_wide(NULL, k, v, wide, &of_wide);
    bosc_hh_advance_far(NULL, k, v, far);
    near[3] = bosc_is_far(&of_near);
    wide[3] = bosc_is_outside(&of_wide);
}

static void test_hh_forms(void)
{
    static const struct {
        double celsius, dt;
        bool near; /* at -65 mV */
    } cases[] = {{6.3, 0.025, true},
                 {6.3, 0.001, true},
                 {16, 0.025, true},
                 {37, 0.025, false}};
    uint64_t seed = 4;
    double k[BOSC_hh_CONSTANTS];

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        int differing = 0, beyond = 0, holds = 0;
        double worst = 0;

        bosc_hh_prepare(NULL, cases[i].celsius, cases[i].dt, k);
        for (double v = -170; v <= 170; v += 0.0625) {
            const double start[3] = {forest_uniform(&seed),
                                     forest_uniform(&seed),
                                     forest_uniform(&seed)};
            double near[4], wide[4], far[3];

            hh_forms(k, v, start, near, wide, far);
            differing += near[3] == 0 && memcmp(near, wide, sizeof far) != 0;
            beyond += (wide[3] == 0) != (fabs(v) <= 150);
            holds += v == -65 && near[3] == 0;
            for (int j = 0; wide[3] == 0 && j < 3; ++j)
                worst = fmax(worst, fabs(wide[j] - far[j]));
        }
        ok(differing == 0 && holds == cases[i].near,
           "hh at %g degC: near and wide form have the same bits",
           cases[i].celsius);
        ok(beyond == 0 && worst < 1e-14,
           "the wide one is that for all voltages, to 150 mV (%.1e)", worst);
    }
}

/* A chunk of which some instances are near, some not, some beyond. */
static void test_hh_loops(void)
{
    enum { N = 100 };
    static const double celsius[] = {6.3, 37};
    const double p[] = {0.12, 0.036, 0.0003, -54.3, 50, -77};
    const bosc_mech *hh = test_mechs()->mech[BOSC_MECH_hh];
    uint64_t seed = 9;
    bosc_error err;

    for (size_t c = 0; c < BOSC_LEN(celsius); ++c) {
        bosc_mech_block block;
        double v[N], want[N][3];
        int differing = 0;

        if (bosc_block_create(hh, p, 1, &block, &err) != BOSC_OK ||
            bosc_block_alloc(&block, N, &err) != BOSC_OK ||
            bosc_block_prepare(&block, celsius[c], 0.025, &err) != BOSC_OK)
            abort();
        for (int i = 0; i < N; ++i) {
            v[i] = i < 30 ? -65 : -200 + 400 * forest_uniform(&seed);
            for (int j = 0; j < 3; ++j)
                want[i][j] = block.state[j][i] = forest_uniform(&seed);
            bosc_hh_advance(p, block.k.all, v[i], want[i]);
        }
        hh->loops[bosc_isa()]->advance(&block,
                                       &(bosc_mech_chunk){.n = N, .v = v});
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < 3; ++j)
                differing += block.state[j][i] != want[i][j];
        ok(differing == 0,
           "at %g degC a loop gives each instance what it has by itself",
           celsius[c]);
        bosc_block_clear(&block);
    }
}

static void test_hh_current(void)
{
    const double p[] = {0.12, 0.036, 0.0003, -54.3, 50, -77};
    const double s[] = {0.3, 0.5, 0.6}, v = -23.85;
    const double i = 0.12 * pow(0.3, 3) * 0.5 * (v - 50) +
                     0.036 * pow(0.6, 4) * (v + 77) + 0.0003 * (v + 54.3);
    double g, ge, g0, ge0;

    bosc_hh_constant(p, &g0, &ge0);
    bosc_hh_current(p, s, v, &g, &ge);
    ok(relative((g + g0) * v - (ge + ge0), i) < 1e-14,
       "hh current is sodium, potassium and leak");
    bosc_pas_constant((const double[]){0.0025, -68.5}, &g0, &ge0);
    ok(relative(g0 * v - ge0, 0.0025 * (v + 68.5)) < 1e-14,
       "pas current is g (v - e)");
}

/* --- synapses ------------------------------------------------------------ */

/* A synapse that receives w[0] at t = 0 and w[1] after 'second' steps. */
typedef struct course {
    int mech;
    double p[3], w[2];
    int second;
    double dt;
} course;

/* Its states after n steps. */
static void follow(const course *c, int n, double *s)
{
    const bosc_mech *mech = test_mechs()->mech[c->mech];
    bosc_mech_instance one = {.here = {-65}, .celsius = 6.3};

    memcpy(one.p, c->p, sizeof c->p);
    mech->formula.prepare(one.p, 6.3, c->dt, one.k);
    mech->formula.init(&one);
    for (int i = 0; i < n; ++i) {
        if (i == 0 || i == c->second)
            mech->formula.receive(&one, c->w[i > 0]);
        mech->formula.advance(&one);
    }
    memcpy(s, one.s, (size_t)mech->n_states * sizeof *s);
}

static void test_exp_syn(void)
{
    const course c = {
        BOSC_MECH_ExpSyn, {2.385, -7.5}, {0.0123, 0.0045}, 300, 0.025};
    double worst = 0, s[1], g, ge, v = -23.85;

    for (int n = 1; n < 2000; n += 7) {
        const double t = n * c.dt, t2 = (n - c.second) * c.dt;
        const double want = c.w[0] * exp(-t / c.p[0]) +
                            (t2 > 0 ? c.w[1] * exp(-t2 / c.p[0]) : 0);

        follow(&c, n, s);
        worst = fmax(worst, relative(s[0], want));
    }
    ok(worst < 1e-12, "ExpSyn: g jumps by the weights and decays with tau");
    bosc_ExpSyn_current(c.p, s, v, &g, &ge);
    ok(g == s[0] && relative(g * v - ge, s[0] * (v + 7.5)) < 1e-14,
       "its current is g (v - e)");
}

/* Two exponentials with the factor that makes their greatest difference 1. */
static double two_exponentials(double tau1, double tau2, double t)
{
    const double top = tau1 * tau2 / (tau2 - tau1) * log(tau2 / tau1);

    return (exp(-t / tau2) - exp(-t / tau1)) /
           (exp(-top / tau2) - exp(-top / tau1));
}

static void test_exp2_syn(void)
{
    const course c = {
        BOSC_MECH_Exp2Syn, {0.7, 5.3, -80}, {0.0123, 0.0045}, 900, 0.01};
    double worst = 0, peak = 0, s[2], g, ge, v = -23.85;

    for (int n = 1; n < 3000; n += 7) {
        const double t = n * c.dt, t2 = (n - c.second) * c.dt;
        const double want =
            c.w[0] * two_exponentials(c.p[0], c.p[1], t) +
            (t2 > 0 ? c.w[1] * two_exponentials(c.p[0], c.p[1], t2) : 0);

        follow(&c, n, s);
        worst = fmax(worst, fabs(s[1] - s[0] - want));
    }
    ok(worst < 1e-15, "Exp2Syn: g is the difference of two exponentials");
    for (int n = 1; n < c.second; ++n) {
        follow(&c, n, s);
        peak = fmax(peak, s[1] - s[0]);
    }
    ok(peak <= c.w[0] * (1 + 1e-14) && relative(peak, c.w[0]) < 1e-5,
       "its peak is the weight");
    bosc_Exp2Syn_current(c.p, s, v, &g, &ge);
    ok(g == s[1] - s[0] && relative(g * v - ge, g * (v + 80)) < 1e-14,
       "its current is g (v - e)");
}

/* With tau1 = tau2 it would be w t / tau exp(1 - t / tau). */
static void test_equal_taus(void)
{
    static const double near[] = {5, 4.9999, 4.9995};

    for (size_t i = 0; i < BOSC_LEN(near); ++i) {
        const course c = {
            BOSC_MECH_Exp2Syn, {near[i], 5, 0}, {0.0123, 0}, -1, 0.01};
        double worst = 0, peak = 0, s[2];

        for (int n = 1; n < 3000; n += 13) {
            const double x = n * c.dt / 5;

            follow(&c, n, s);
            worst = fmax(worst, fabs(s[1] - s[0] - c.w[0] * x * exp(1 - x)));
            peak = fmax(peak, s[1] - s[0]);
        }
        ok(worst < 1e-4 * c.w[0] && relative(peak, c.w[0]) < 1e-4,
           "Exp2Syn with time constants %g and 5 is nearly an alpha function",
           near[i]);
    }
}

static void test_table(void)
{
    int good = 1, named = 1, points = 0;

    ok(bosc_mechs_find(test_mechs(), "hh") == BOSC_MECH_hh &&
           bosc_mechs_find(test_mechs(), "pas") == BOSC_MECH_pas &&
           bosc_mechs_find(test_mechs(), "HH") == -1 &&
           bosc_mechs_find(test_mechs(), "") == -1,
       "mechanisms are found by their exact name");
    for (int m = 0; m < test_mechs()->n; ++m) {
        const bosc_mech *mech = test_mechs()->mech[m];

        for (int k = 0; k < mech->n_params; ++k) {
            const bosc_mech_param *p = &mech->params[k];

            good &= p->low <= p->standard && p->standard <= p->high;
            named &= p->name[0] && p->unit[0] && p->meaning[0];
        }
        for (int k = 0; k < mech->n_states; ++k) {
            const bosc_mech_state *s = &mech->states[k];

            named &= s->name[0] && s->unit[0] && s->meaning[0];
        }
        points += mech->formula.receive != NULL;
    }
    ok(points == 2 && test_mechs()->mech[BOSC_MECH_hh]->formula.receive == NULL,
       "synapses alone receive events");
    ok(good, "every default is within its range");
    ok(named, "every parameter and state says what it is");
}

int main(void)
{
    test_exp_error();
    test_exp_ends();
    test_exp_near_0();
    test_exp_vector();
    test_hh_rest();
    test_hh_range();
    test_hh_gates();
    test_hh_forms();
    test_hh_loops();
    test_hh_current();
    test_exp_syn();
    test_exp2_syn();
    test_equal_taus();
    test_table();
    return done_testing();
}
