/* mech_pas.h - the passive leak of NEURON: i = g (v - e). */
#ifndef BOSC_KERNELS_MECH_PAS_H
#define BOSC_KERNELS_MECH_PAS_H

#include "kernels/formula.h"

enum { BOSC_pas_STATES = 0, BOSC_pas_PARAMS = 2 };

static const bosc_mech_param bosc_pas_params[] = {
    {"g", "S/cm2", "leak conductance density", 0.001, 0, 1e3},
    {"e", "mV", "reversal potential", -70, -200, 200},
};

static const char *const bosc_pas_state_names[] = {NULL};

BOSC_HD static inline void bosc_pas_constant(const double *p, double *g,
                                             double *ge)
{
    *g = p[0];
    *ge = p[0] * p[1];
}

BOSC_HD static inline double bosc_pas_q10(double celsius)
{
    (void)celsius;
    return 1.0;
}

BOSC_HD static inline void bosc_pas_current(const double *p, const double *s,
                                            double v, double *g, double *ge)
{
    (void)p, (void)s, (void)v;
    *g = *ge = 0.0;
}

BOSC_HD static inline void bosc_pas_init(const double *p, double v,
                                         double celsius, double *s)
{
    (void)p, (void)v, (void)celsius, (void)s;
}

BOSC_HD static inline void bosc_pas_advance(const double *p, double v,
                                            double dt, double q10, double *s)
{
    (void)p, (void)v, (void)dt, (void)q10, (void)s;
}

#endif
