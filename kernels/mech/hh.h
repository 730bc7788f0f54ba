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

/* 1 / x, 1 / y and 1 / z by one division.  Their product must be a number that
 * has a reciprocal. */
typedef struct bosc_hh_inverse {
    double x, y, z;
} bosc_hh_inverse;

BOSC_HD static inline bosc_hh_inverse bosc_hh_invert(double x, double y,
                                                     double z)
{
    const double yz = y * z, all = 1 / (x * yz), one = all * x;

    return (bosc_hh_inverse){all * yz, one * z, one * y};
}

/* z / (exp(z) - 1) where that is almost 0 / 0, by its series. */
BOSC_HD static inline bool bosc_hh_small(double z)
{
    return z < 1e-3 && z > -1e-3;
}

BOSC_HD static inline double bosc_hh_series(double z)
{
    return fma(z, fma(z, 1.0 / 12, -0.5), 1.0);
}

/* The rates at v, as NEURON writes them:
 *     am = 0.1 vtrap(-(v + 40), 10)    bm = 4 exp(-(v + 65) / 18)
 *     ah = 0.07 exp(-(v + 65) / 20)    bh = 1 / (exp(-(v + 35) / 10) + 1)
 *     an = 0.01 vtrap(-(v + 55), 10)   bn = 0.125 exp(-(v + 65) / 80)
 * with vtrap(x, y) = x / (exp(x / y) - 1).  Of exponentials whose arguments
 * differ by a constant or a small factor one is computed, and one division
 * serves all: finite for -2,000 <= v <= 40,000 mV, far beyond what is
 * plausible. */
BOSC_HD static inline bosc_hh_rates bosc_hh_rates_at(double v)
{
    const double slow = bosc_exp((v + 65) * (-1.0 / 80)); /* exp(-(v+65)/80) */
    const double slow2 = slow * slow, slow4 = slow2 * slow2;
    const double exp_m = slow4 * slow4 * 12.182493960703473; /* e^2.5 */
    const double z_m = (v + 40) * -0.1, z_n = (v + 55) * -0.1;
    const bool small_m = bosc_hh_small(z_m), small_n = bosc_hh_small(z_n);
    const double rest_m = small_m ? 1.0 : exp_m - 1.0;
    const double rest_n =
        small_n ? 1.0 : fma(exp_m, 0.22313016014842982, -1.0); /* e^-1.5 */
    const bosc_hh_inverse inverse = bosc_hh_invert(
        rest_m, fma(exp_m, 1.6487212707001282, 1.0) /* e^0.5 */, rest_n);
    bosc_hh_rates r;

    r.m.a = small_m ? bosc_hh_series(z_m) : z_m * inverse.x;
    r.m.b = 4 * bosc_exp((v + 65) * (-1.0 / 18));
    r.h.a = 0.07 * slow4;
    r.h.b = inverse.y;
    r.n.a = 0.1 * (small_n ? bosc_hh_series(z_n) : z_n * inverse.z);
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
    *ge = fma(gna, p[BOSC_HH_ENA], gk * p[BOSC_HH_EK]);
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

/* NEURON's cnexp: exact for rates frozen over the step; 'inverse' is that of
 * their sum. */
BOSC_HD static inline double bosc_hh_gate(double x, bosc_hh_rate rate,
                                          double inverse, double dt_q10)
{
    const double gone = 1.0 - bosc_exp(-dt_q10 * (rate.a + rate.b));

    return fma(gone, fma(rate.a, inverse, -x), x);
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
    const bosc_hh_inverse sum =
        bosc_hh_invert(r.m.a + r.m.b, r.h.a + r.h.b, r.n.a + r.n.b);

    (void)p;
    s[0] = bosc_hh_gate(s[0], r.m, sum.x, k[0]);
    s[1] = bosc_hh_gate(s[1], r.h, sum.y, k[0]);
    s[2] = bosc_hh_gate(s[2], r.n, sum.z, k[0]);
}

BOSC_MECH_DESCRIBE(hh, BOSC_MECH_DYNAMIC(hh))

#endif
