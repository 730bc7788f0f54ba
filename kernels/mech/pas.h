/* pas.h - the passive leak of NEURON: i = g (v - e). */
#ifndef BOSC_KERNELS_MECH_PAS_H
#define BOSC_KERNELS_MECH_PAS_H

#include "kernels/mech/describe.h"

static const bosc_mech_param bosc_pas_params[] = {
    {"g", "S/cm2", "leak conductance density", 0.001, 0, 1e3},
    {"e", "mV", "reversal potential", -70, -200, 200},
};

BOSC_HD static inline void bosc_pas_constant(const double *p, double *g,
                                             double *ge)
{
    *g = p[0];
    *ge = p[0] * p[1];
}

BOSC_MECH_DESCRIBE(pas, BOSC_MECH_STATIC(pas))

#endif
