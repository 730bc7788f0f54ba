/* ExpSyn.h - NEURON's ExpSyn (nrnoc/expsyn.mod): a synaptic conductance
 * that jumps and decays.
 *
 *     i = g (v - e),  g' = -g / tau;  an event of weight w: g += w
 *
 * A point process: weights and g are totals in uS.  Since it is linear, all
 * synapses with the same tau and e at one compartment are one instance.
 */
#ifndef BOSC_KERNELS_MECH_EXPSYN_H
#define BOSC_KERNELS_MECH_EXPSYN_H

#include "kernels/mech/describe.h"

enum { BOSC_ExpSyn_STATES = 1, BOSC_ExpSyn_CONSTANTS = 1, BOSC_ExpSyn_NS = 5 };

enum { BOSC_EXPSYN_TAU, BOSC_EXPSYN_E };

static const bosc_mech_param bosc_ExpSyn_params[] = {
    {"tau", "ms", "time constant of the decay", 0.1, 1e-9, 1e9},
    {"e", "mV", "reversal potential", 0, -200, 200},
};

static const bosc_mech_state bosc_ExpSyn_states[] = {
    {"g", "uS", "conductance of the synapses"},
};

BOSC_HD static inline void bosc_ExpSyn_constant(const double *p, double *g,
                                                double *ge)
{
    (void)p;
    *g = *ge = 0;
}

BOSC_HD static inline void bosc_ExpSyn_current(const double *p, const double *s,
                                               double v, double *g, double *ge)
{
    (void)v;
    *g = s[0];
    *ge = s[0] * p[BOSC_EXPSYN_E];
}

BOSC_HD static inline void bosc_ExpSyn_init(const double *p, double v,
                                            double celsius, double *s)
{
    (void)p, (void)v, (void)celsius;
    s[0] = 0;
}

/* k[0]: what is left of g after a step. */
static inline void bosc_ExpSyn_prepare(const double *p, double celsius,
                                       double dt, double *k)
{
    (void)celsius;
    k[0] = bosc_exp(-dt / p[BOSC_EXPSYN_TAU]);
}

BOSC_HD static inline void bosc_ExpSyn_advance(const double *p, const double *k,
                                               double v, double *s)
{
    (void)p, (void)v;
    s[0] *= k[0];
}

BOSC_HD static inline void bosc_ExpSyn_receive(const double *k, double weight,
                                               double *s)
{
    (void)k;
    s[0] += weight;
}

BOSC_MECH_RECEIVE(ExpSyn)
BOSC_MECH_DESCRIBE(ExpSyn, BOSC_MECH_POINT_PROCESS(ExpSyn))

#endif
