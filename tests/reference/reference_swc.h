/* reference_swc.h - for tests: the neuron of a reference folder made anew, from
 * the SWC file that NEURON imported, by the program's own reader, sections and
 * cable.
 *
 * Only the mechanisms and capacitances are NEURON's, taken from its node at the
 * same place of the same section.  model.json says the rest: "swc", the file's
 * name; "Ra_ohm_cm"; "nseg_rule", "d_lambda 0.1 at 100 Hz" or a number of
 * compartments for each section.
 */
#ifndef BOSC_TESTS_REFERENCE_REFERENCE_SWC_H
#define BOSC_TESTS_REFERENCE_REFERENCE_SWC_H

#include "tests/reference/reference_model.h"

/* The SWC file of a folder with one cell, in its ../swc, whether it is there or
 * not; free().  NULL if none is named. */
char *reference_swc_path(const reference_model *m);

/* A copy of m with the neuron from SWC.  It shares all else with m, which must
 * outlive it; to be cleared by reference_swc_clear().  Fails, with *made
 * untouched, where the file is refused or gives other nodes than NEURON's. */
bosc_status reference_swc_make(const reference_model *m, const char *path,
                               reference_model *made, bosc_error *err);
void reference_swc_clear(reference_model *made);

/* Integrate NEURON's tree and that from SWC, side by side, over the whole time
 * of the case without its synapses.  The current clamps come twice: also after
 * half their delay, for more spikes.  The differences are those between the
 * two, of all nodes at all frames and of all gates at the end. */
bosc_status reference_swc_compare(const reference_model *m,
                                  const reference_model *made,
                                  const bosc_method *method,
                                  reference_result *r, bosc_error *err);

#endif
