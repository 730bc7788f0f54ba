/* ion.h - ions: what mechanisms share in a compartment.
 *
 * An ion is a mechanism of kind BOSC_MECH_ION, called as in NEURON, "ca_ion".
 * Its parameters are the reversal potential and the concentrations at the
 * start, its states the variables of bosc_ion_variable at every slot of a
 * batch: instance i is slot i.
 *
 * As in NEURON (nrnoc/eion.cpp), in each step: currents become 0, potentials of
 * style BOSC_ION_ALWAYS follow from Nernst's equation; then mechanisms add
 * their currents; after the new voltages, concentrations are advanced by who
 * writes them.  Mechanisms that write concentrations come before the others.
 */
#ifndef BOSC_KERNELS_MECH_ION_H
#define BOSC_KERNELS_MECH_ION_H

#include "kernels/base/elementary.h"
#include "kernels/mech/registry.h"

/* mV: Nernst's equation, with R T / z F in mV, 0 of an ion without charge; ends
 * as in NEURON. */
BOSC_HD static inline double bosc_nernst(double per_e, double inside,
                                         double outside)
{
    if (inside <= 0)
        return per_e == 0 ? 0 : 1e6;
    if (outside <= 0)
        return per_e == 0 ? 0 : -1e6;
    return per_e * bosc_log(outside / inside);
}

/* Add an ion, which the set owns, unless it is there.  A valence of NAN is that
 * of na, k, ca or cl, or an error; one of 0 has no potential.  BOSC_EVALUE
 * where it has another one, BOSC_ENOMEM. */
bosc_status bosc_ion_add(bosc_mechs *mechs, const char *ion, double valence,
                         bosc_error *err);

/* The number of the ion's mechanism, or -1. */
int bosc_ion_find(const bosc_mechs *mechs, const char *ion);

/* R T / z F of an ion's block, in mV. */
double bosc_ion_per_e(const bosc_mech_block *block);

/* Potentials of the styles from 'style' on at slots from..to - 1. */
void bosc_ion_potentials(const bosc_mech_block *block, int style,
                         ptrdiff_t from, ptrdiff_t to);

/* Begin a step at these slots. */
void bosc_ion_begin(const bosc_mech_block *block, ptrdiff_t from, ptrdiff_t to);

/* Does a mechanism write a concentration of the ion (NULL: of any)?  Read
 * one? */
bool bosc_ion_is_written(const bosc_mech *mech, const char *ion);
bool bosc_ion_is_read(const bosc_mech *mech, const char *ion);

#endif
