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

enum { BOSC_hh_STATES = 3, BOSC_hh_CONSTANTS = 1, BOSC_hh_NS = 10 };

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

    const bosc_hh_inverse inverse = {all * yz, one * z, one * y};

    return inverse;
}

/* z / (exp(z) - 1) where that is almost 0 / 0, by its series. */
BOSC_HD static inline bool bosc_hh_small(double z)
{
    return fabs(z) < 1.0 / 16;
}

BOSC_HD static inline double bosc_hh_series(double z)
{
    const double z2 = z * z;

    return fma(z2, fma(z2, fma(z2, 1.0 / 30240, -1.0 / 720), 1.0 / 12),
               fma(z, -0.5, 1.0));
}

/* The rates at v, as NEURON writes them:
 *     am = 0.1 vtrap(-(v + 40), 10)    bm = 4 exp(-(v + 65) / 18)
 *     ah = 0.07 exp(-(v + 65) / 20)    bh = 1 / (exp(-(v + 35) / 10) + 1)
 *     an = 0.01 vtrap(-(v + 55), 10)   bn = 0.125 exp(-(v + 65) / 80)
 * with vtrap(x, y) = x / (exp(x / y) - 1).  All exponentials are powers of one,
 * e = exp(-(v + 65) / 720), and one division serves all: finite for
 * -2,000 <= v <= 40,000 mV, far beyond what is plausible. */
BOSC_HD static inline double bosc_hh_exponent(double v)
{
    return (v + 65) * (-1.0 / 720);
}

BOSC_HD static inline bosc_hh_rates bosc_hh_rates_of(double v, double e)
{
    const double e2 = e * e, e4 = e2 * e2, e9 = e4 * e4 * e, e18 = e9 * e9;
    const double e36 = e18 * e18, e72 = e36 * e36;
    const double z_m = (v + 40) * -0.1, z_n = (v + 55) * -0.1;
    const double rest_m = fma(e72, 12.182493960703473, -1.0); /* e^2.5 */
    const double rest_n = fma(e72, 2.718281828459045, -1.0);  /* e^1 */
    const bosc_hh_inverse inverse = bosc_hh_invert(
        rest_m == 0 ? 1.0 : rest_m, fma(e72, 20.085536923187668, 1.0) /* e^3 */,
        rest_n == 0 ? 1.0 : rest_n);
    bosc_hh_rates r;

    r.m.a = bosc_hh_small(z_m) ? bosc_hh_series(z_m) : z_m * inverse.x;
    r.m.b = 4 * (e36 * e4);
    r.h.a = 0.07 * e36;
    r.h.b = inverse.y;
    r.n.a = 0.1 * (bosc_hh_small(z_n) ? bosc_hh_series(z_n) : z_n * inverse.z);
    r.n.b = 0.125 * e9;
    return r;
}

BOSC_HD static inline bosc_hh_rates bosc_hh_rates_at(double v)
{
    return bosc_hh_rates_of(v, bosc_exp(bosc_hh_exponent(v)));
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

/* (1 - exp(-z)) / z for z >= 0: polynomials that are best (Remez) up to
 * BOSC_HH_M_NEAR and BOSC_HH_NEAR, within 2^-54 and 2^-56. */
#define BOSC_HH_M_NEAR 0.5
#define BOSC_HH_NEAR 0.0625

BOSC_HD static inline double bosc_hh_m_near(double z)
{
    double y = fma(-0x1.d8403298a739cp-23, z, 0x1.6a401c18993ffp-19);

    y = fma(y, z, -0x1.9f8d9ade8b9d8p-16);
    y = fma(y, z, 0x1.a013d9292b3e9p-13);
    y = fma(y, z, -0x1.6c16967524e85p-10);
    y = fma(y, z, 0x1.1111105a2d801p-7);
    y = fma(y, z, -0x1.55555551d5e2ep-5);
    y = fma(y, z, 0x1.555555554ca14p-3);
    y = fma(y, z, -0x1.ffffffffffef3p-2);
    return fma(y, z, 1.0);
}

BOSC_HD static inline double bosc_hh_near(double z)
{
    double y = fma(0x1.94e488a09108fp-13, z, -0x1.6bf8169e74550p-10);

    y = fma(y, z, 0x1.1110e75bdf136p-7);
    y = fma(y, z, -0x1.5555551b0abbfp-5);
    y = fma(y, z, 0x1.555555552e858p-3);
    y = fma(y, z, -0x1.ffffffffffecap-2);
    return fma(y, z, 1.0);
}

/* NEURON's cnexp: exact for rates frozen over the step.  z is the step times
 * the sum of the rates, 'share' is (1 - exp(-z)) / z. */
BOSC_HD static inline double bosc_hh_gate_near(double x, bosc_hh_rate rate,
                                               double share, double dt_q10)
{
    return fma(dt_q10 * share, fma(-(rate.a + rate.b), x, rate.a), x);
}

/* The same for any z; 'inverse' is that of the sum of the rates. */
BOSC_HD static inline double bosc_hh_gate_far(double x, bosc_hh_rate rate,
                                              double inverse, double z)
{
    const double gone = 1.0 - bosc_exp_within(z > 708.0 ? -708.0 : -z);

    return fma(gone, fma(rate.a, inverse, -x), x);
}

/* k[0]: the step in units in which the rates are those of 6.3 degC. */
static inline void bosc_hh_prepare(const double *p, double celsius, double dt,
                                   double *k)
{
    (void)p;
    k[0] = dt * bosc_hh_q10(celsius);
}

/* Do all gates at v take polynomials, with some room?  Within 1/8 mV no rate
 * changes by more than 1.3 %. */
static inline bool bosc_hh_is_near(const double *k, double v)
{
    const bosc_hh_rates r = bosc_hh_rates_at(v);
    const double dt = 1.02 * k[0];

    return dt * (r.m.a + r.m.b) <= BOSC_HH_M_NEAR &&
           dt * (r.h.a + r.h.b) <= BOSC_HH_NEAR &&
           dt * (r.n.a + r.n.b) <= BOSC_HH_NEAR;
}

/* Where bosc_hh_exponent() is between -ln 2 / 2 and ln 2 / 2, too. */
static inline void bosc_hh_calm(const double *k, double *low, double *high)
{
    const double middle = -45, step = 0.25;

    *low = middle;
    *high = middle;
    while (*low > -300 && bosc_hh_is_near(k, *low))
        *low -= step;
    while (*high < 180 && bosc_hh_is_near(k, *high))
        *high += step;
    *low += step;
    *high -= step;
}

BOSC_HD static inline void bosc_hh_advance_near(bosc_hh_rates r, double dt_q10,
                                                double *s)
{
    s[0] = bosc_hh_gate_near(s[0], r.m,
                             bosc_hh_m_near(dt_q10 * (r.m.a + r.m.b)), dt_q10);
    s[1] = bosc_hh_gate_near(s[1], r.h, bosc_hh_near(dt_q10 * (r.h.a + r.h.b)),
                             dt_q10);
    s[2] = bosc_hh_gate_near(s[2], r.n, bosc_hh_near(dt_q10 * (r.n.a + r.n.b)),
                             dt_q10);
}

BOSC_HD static inline void
bosc_hh_advance_calm(const double *p, const double *k, double v, double *s)
{
    (void)p;
    bosc_hh_advance_near(
        bosc_hh_rates_of(v, bosc_exp_near_0(bosc_hh_exponent(v))), k[0], s);
}

BOSC_HD static inline void bosc_hh_advance(const double *p, const double *k,
                                           double v, double *s)
{
    const bosc_hh_rates r = bosc_hh_rates_at(v);
    const double m = r.m.a + r.m.b, h = r.h.a + r.h.b, n = r.n.a + r.n.b;
    const double z_m = k[0] * m, z_h = k[0] * h, z_n = k[0] * n;
    const bool near_m = z_m <= BOSC_HH_M_NEAR, near_h = z_h <= BOSC_HH_NEAR;
    const bool near_n = z_n <= BOSC_HH_NEAR;
    double near[3] = {s[0], s[1], s[2]};

    (void)p;
    bosc_hh_advance_near(r, k[0], near);
#if defined(__CUDA_ARCH__) /* elsewhere a branch would be in a vector's way */
    if (near_m && near_h && near_n) {
        s[0] = near[0];
        s[1] = near[1];
        s[2] = near[2];
        return;
    }
#endif

    const bosc_hh_inverse inverse = bosc_hh_invert(m, h, n);

    s[0] = near_m ? near[0] : bosc_hh_gate_far(s[0], r.m, inverse.x, z_m);
    s[1] = near_h ? near[1] : bosc_hh_gate_far(s[1], r.h, inverse.y, z_h);
    s[2] = near_n ? near[2] : bosc_hh_gate_far(s[2], r.n, inverse.z, z_n);
}

BOSC_MECH_DESCRIBE(hh, BOSC_MECH_DYNAMIC(hh), .calm = bosc_hh_calm)

#endif
