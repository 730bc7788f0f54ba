/* Exp2Syn.h - NEURON's Exp2Syn (nrnoc/exp2syn.mod): a synaptic conductance
 * that rises with tau1 and decays with tau2.
 *
 *     i = (B - A) (v - e),  A' = -A / tau1,  B' = -B / tau2
 *     an event of weight w: A += w f, B += w f, with f such that the greatest
 *     conductance after it is w
 *
 * A point process: weights, A and B are totals in uS.  Since it is linear, all
 * synapses with the same parameters at one compartment are one instance.
 */
#ifndef BOSC_KERNELS_MECH_EXP2SYN_H
#define BOSC_KERNELS_MECH_EXP2SYN_H

#include <math.h>

#include "kernels/mech/describe.h"

enum {
    BOSC_Exp2Syn_STATES = 2,
    BOSC_Exp2Syn_CONSTANTS = 3,
    BOSC_Exp2Syn_NS = 6
};

enum { BOSC_EXP2SYN_TAU1, BOSC_EXP2SYN_TAU2, BOSC_EXP2SYN_E };

static const bosc_mech_param bosc_Exp2Syn_params[] = {
    {"tau1", "ms", "time constant of the rise", 0.1, 1e-9, 1e9},
    {"tau2", "ms", "time constant of the decay, longer than tau1", 10, 1e-9,
     1e9},
    {"e", "mV", "reversal potential", 0, -200, 200},
};

static inline bosc_status bosc_Exp2Syn_check(const double *p, int *param,
                                             bosc_error *err)
{
    *param = BOSC_EXP2SYN_TAU1;
    if (p[BOSC_EXP2SYN_TAU1] < p[BOSC_EXP2SYN_TAU2])
        return BOSC_OK;
    return bosc_fail(err, BOSC_EVALUE,
                     "%.15g ms is not less than tau2, %.15g ms; with one time "
                     "constant the type is ExpSyn",
                     p[BOSC_EXP2SYN_TAU1], p[BOSC_EXP2SYN_TAU2]);
}

static const bosc_mech_state bosc_Exp2Syn_states[] = {
    {"A", "uS", "part of the conductance that ends with the rise"},
    {"B", "uS", "part of the conductance that decays"},
};

BOSC_HD static inline void bosc_Exp2Syn_constant(const double *p, double *g,
                                                 double *ge)
{
    (void)p;
    *g = *ge = 0;
}

BOSC_HD static inline void bosc_Exp2Syn_current(const double *p,
                                                const double *s, double v,
                                                double *g, double *ge)
{
    (void)v;
    *g = s[1] - s[0];
    *ge = *g * p[BOSC_EXP2SYN_E];
}

BOSC_HD static inline void bosc_Exp2Syn_init(const double *p, double v,
                                             double celsius, double *s)
{
    (void)p, (void)v, (void)celsius;
    s[0] = s[1] = 0;
}

/* k[0], k[1]: what is left of A and B after a step; k[2]: f.  As NEURON does,
 * tau1 is kept a little below tau2, where the formula for f divides by 0. */
static inline void bosc_Exp2Syn_prepare(const double *p, double celsius,
                                        double dt, double *k)
{
    const double tau2 = p[BOSC_EXP2SYN_TAU2];
    const double tau1 = p[BOSC_EXP2SYN_TAU1] / tau2 > 0.9999
                            ? 0.9999 * tau2
                            : p[BOSC_EXP2SYN_TAU1];
    const double peak = tau1 * tau2 / (tau2 - tau1) * log(tau2 / tau1);

    (void)celsius;
    k[0] = bosc_exp(-dt / tau1);
    k[1] = bosc_exp(-dt / tau2);
    k[2] = 1 / (bosc_exp(-peak / tau2) - bosc_exp(-peak / tau1));
}

BOSC_HD static inline void
bosc_Exp2Syn_advance(const double *p, const double *k, double v, double *s)
{
    (void)p, (void)v;
    s[0] *= k[0];
    s[1] *= k[1];
}

BOSC_HD static inline void bosc_Exp2Syn_receive(const double *k, double weight,
                                                double *s)
{
    s[0] += weight * k[2];
    s[1] += weight * k[2];
}

BOSC_MECH_RECEIVE(Exp2Syn)
BOSC_MECH_DESCRIBE(Exp2Syn, BOSC_MECH_POINT_PROCESS(Exp2Syn),
                   .check = bosc_Exp2Syn_check)

#endif
