/* t_mech.c - the exponential and the mechanisms, against the C library. */
#include <math.h>
#include <string.h>

#include "kernels/mech.h"
#include "src/status.h"
#include "tests/forest.h"
#include "tests/tap.h"

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
        {"of everything finite", -708, 709},
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
        if (!ok(worst <= 1, "exp of arguments %s is within 1 ulp",
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
    ok(bosc_exp(1000) == bosc_exp(709) && isfinite(bosc_exp(709)) &&
           bosc_exp(INFINITY) == bosc_exp(709),
       "exp saturates above 709 at a finite number");
    ok(isnan(bosc_exp(NAN)) && isnan(bosc_exp(-NAN)), "exp of NaN is NaN");
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

static void test_hh_rates(void)
{
    double worst = 0, near = 0, a[3], b[3];

    for (double v = -120; v < 120; v += 0.37) {
        const bosc_hh_rates all = bosc_hh_rates_at(v);
        const bosc_hh_rate r[3] = {all.m, all.h, all.n};

        plain_rates(v, a, b);
        for (int k = 0; k < 3; ++k)
            worst = fmax(worst,
                         fmax(relative(r[k].a, a[k]), relative(r[k].b, b[k])));
    }
    ok(worst < 1e-14, "hh rates are those of the formulas (%.1e)", worst);

    for (double dv = -1e-4; dv <= 1e-4; dv += 1e-6) {
        plain_rates(-40 + dv, a, b);
        near = fmax(near, relative(bosc_hh_rates_at(-40 + dv).m.a, a[0]));
        plain_rates(-55 + dv, a, b);
        near = fmax(near, relative(bosc_hh_rates_at(-55 + dv).n.a, a[2]));
    }
    ok(near < 1e-9 && bosc_hh_rates_at(-40).m.a == 1.0 &&
           bosc_hh_rates_at(-55).n.a == 0.1,
       "hh rates are smooth where their formula divides 0 by 0");
}

static void test_hh_gates(void)
{
    double worst = 0, drift = 0;
    const double dt = 0.025, q10 = bosc_hh_q10(16);
    double k16[BOSC_MECH_MAX_CONSTANTS];

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
    ok(worst < 1e-15, "gates follow the exponential of frozen rates");
    ok(drift < 1e-15, "gates at rest stay there");
    ok(relative(bosc_hh_q10(6.3), 1) < 1e-15 &&
           relative(bosc_hh_q10(36.3), 27) < 1e-14,
       "hh rates grow threefold in 10 degrees");
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

static void test_table(void)
{
    int good = 1, named = 1;

    ok(bosc_mech_find("hh") == BOSC_MECH_hh &&
           bosc_mech_find("pas") == BOSC_MECH_pas &&
           bosc_mech_find("HH") == -1 && bosc_mech_find("") == -1,
       "mechanisms are found by their exact name");
    for (int m = 0; m < BOSC_N_MECHS; ++m) {
        const bosc_mech *mech = &bosc_mechs[m];

        for (int k = 0; k < mech->n_params; ++k) {
            const bosc_mech_param *p = &mech->params[k];

            good &= p->low <= p->standard && p->standard <= p->high;
            named &= p->name[0] && p->unit[0] && p->meaning[0];
        }
        for (int k = 0; k < mech->n_states; ++k) {
            const bosc_mech_state *s = &mech->states[k];

            named &= s->name[0] && s->unit[0] && s->meaning[0];
        }
    }
    ok(good, "every default is within its range");
    ok(named, "every parameter and state says what it is");
}

int main(void)
{
    test_exp_error();
    test_exp_ends();
    test_exp_vector();
    test_hh_rates();
    test_hh_gates();
    test_hh_current();
    test_table();
    return done_testing();
}
