/* hh.h - the squid axon of Hodgkin and Huxley (1952), as NEURON's hh with
 * usetable_hh = 0: the rates are computed, not interpolated.
 *
 *     i = gnabar m^3 h (v - ena) + gkbar n^4 (v - ek) + gl (v - el)
 *
 * The conductances do not depend on temperature, the rates by q10 = 3.
 */
#ifndef BOSC_KERNELS_MECH_HH_H
#define BOSC_KERNELS_MECH_HH_H

#include "kernels/mech/describe.h"

enum { BOSC_hh_STATES = 3, BOSC_hh_CONSTANTS = 1, BOSC_hh_NS = 20 };

enum {
    BOSC_HH_GNABAR,
    BOSC_HH_GKBAR,
    BOSC_HH_GL,
    BOSC_HH_EL,
    BOSC_HH_ENA,
    BOSC_HH_EK
};

static const bosc_mech_param bosc_hh_params[] = {
    {"gnabar", "S/cm2", "largest sodium conductance density", 0.12, 0, 1e3},
    {"gkbar", "S/cm2", "largest potassium conductance density", 0.036, 0, 1e3},
    {"gl", "S/cm2", "leak conductance density", 0.0003, 0, 1e3},
    {"el", "mV", "leak reversal potential", -54.3, -200, 200},
    {"ena", "mV", "sodium reversal potential", 50, -200, 200},
    {"ek", "mV", "potassium reversal potential", -77, -200, 200},
};

static const bosc_mech_state bosc_hh_states[] = {
    {"m", "1", "activation of the sodium channels"},
    {"h", "1", "inactivation of the sodium channels"},
    {"n", "1", "activation of the potassium channels"},
};

/* Opening and closing rate (1/ms) of a gate at 6.3 degC. */
typedef struct bosc_hh_rate {
    double a, b;
} bosc_hh_rate;

typedef struct bosc_hh_rates {
    bosc_hh_rate m, h, n;
} bosc_hh_rates;

/* 10 z / (exp(z) - 1), given exp(z); a series where that is almost 0 / 0. */
BOSC_HD static inline double bosc_hh_trap(double z, double exp_z)
{
    const bool small = z < 1e-4 && z > -1e-4;
    const double rest = small ? 1.0 : exp_z - 1.0;

    return small ? 10 - z * (5 - z * (5.0 / 6)) : 10 * z / rest;
}

/* The rates at v, as NEURON writes them:
 *     am = 0.1 vtrap(-(v + 40), 10)    bm = 4 exp(-(v + 65) / 18)
 *     ah = 0.07 exp(-(v + 65) / 20)    bh = 1 / (exp(-(v + 35) / 10) + 1)
 *     an = 0.01 vtrap(-(v + 55), 10)   bn = 0.125 exp(-(v + 65) / 80)
 * Exponentials whose arguments differ by a constant or a factor are shared. */
BOSC_HD static inline bosc_hh_rates bosc_hh_rates_at(double v)
{
    const double z = (v + 40) * -0.1, exp_z = bosc_exp(z);
    const double slow = bosc_exp((v + 65) * (-1.0 / 80)), slow2 = slow * slow;
    bosc_hh_rates r;

    r.m.a = 0.1 * bosc_hh_trap(z, exp_z);
    r.m.b = 4 * bosc_exp((v + 65) * (-1.0 / 18));
    r.h.a = 0.07 * (slow2 * slow2);
    r.h.b = 1 / (exp_z * 1.6487212707001282 + 1); /* e^0.5 */
    r.n.a = 0.01 * bosc_hh_trap((v + 55) * -0.1,
                                exp_z * 0.22313016014842982); /* e^-1.5 */
    r.n.b = 0.125 * slow;
    return r;
}

BOSC_HD static inline double bosc_hh_q10(double celsius)
{
    return bosc_exp(1.0986122886681098 * ((celsius - 6.3) / 10)); /* 3^(...) */
}

BOSC_HD static inline void bosc_hh_constant(const double *p, double *g,
                                            double *ge)
{
    *g = p[BOSC_HH_GL];
    *ge = p[BOSC_HH_GL] * p[BOSC_HH_EL];
}

BOSC_HD static inline void bosc_hh_current(const double *p, const double *s,
                                           double v, double *g, double *ge)
{
    const double m = s[0], h = s[1], n2 = s[2] * s[2];
    const double gna = p[BOSC_HH_GNABAR] * (m * m * m * h);
    const double gk = p[BOSC_HH_GKBAR] * (n2 * n2);

    (void)v;
    *g = gna + gk;
    *ge = gna * p[BOSC_HH_ENA] + gk * p[BOSC_HH_EK];
}

BOSC_HD static inline void bosc_hh_init(const double *p, double v,
                                        double celsius, double *s)
{
    const bosc_hh_rates r = bosc_hh_rates_at(v);

    (void)p, (void)celsius;
    s[0] = r.m.a / (r.m.a + r.m.b);
    s[1] = r.h.a / (r.h.a + r.h.b);
    s[2] = r.n.a / (r.n.a + r.n.b);
}

/* NEURON's cnexp: exact for rates frozen over the step. */
BOSC_HD static inline double bosc_hh_gate(double x, bosc_hh_rate rate,
                                          double dt_q10)
{
    const double sum = rate.a + rate.b;

    return x + (1.0 - bosc_exp(-dt_q10 * sum)) * (rate.a / sum - x);
}

/* k[0]: the step in units in which the rates are those of 6.3 degC. */
static inline void bosc_hh_prepare(const double *p, double celsius, double dt,
                                   double *k)
{
    (void)p;
    k[0] = dt * bosc_hh_q10(celsius);
}

BOSC_HD static inline void bosc_hh_advance(const double *p, const double *k,
                                           double v, double *s)
{
    const bosc_hh_rates r = bosc_hh_rates_at(v);

    (void)p;
    s[0] = bosc_hh_gate(s[0], r.m, k[0]);
    s[1] = bosc_hh_gate(s[1], r.h, k[0]);
    s[2] = bosc_hh_gate(s[2], r.n, k[0]);
}

BOSC_MECH_DESCRIBE(hh, BOSC_MECH_DYNAMIC(hh))

#endif
