/* list_numbers.h - a table of the compartments of neurons, with all numbers of
 * their cables and mechanisms.
 *
 * Serial code: no MPI.  Printed on standard output, with tabs:
 *
 *     #neuron  0  cells  cell.asc           each neuron: population, file
 *     #varies  cells  pas.g  S/cm2  apical  job.yaml:12  1e-4*exp(distance/100)
 *                                           each number that is not one number:
 *                                           unit, region, where it stands, what
 *                                           it is
 *     neuron  population  region  section ...  Ra (ohm cm)  pas.g (S/cm2) ...
 *
 * Columns of compartments are those of src/morphology/sections/list.h; the
 * region is the last of the user's own that a compartment is in, else that of
 * its type; a number is empty where there is no such mechanism, and at the ends
 * of sections.
 */
#ifndef BOSC_SRC_MODEL_LIST_NUMBERS_H
#define BOSC_SRC_MODEL_LIST_NUMBERS_H

#include "src/model/membranes.h"

/* All neurons of the model's cells.  BOSC_EVALUE where a number is out of
 * range; BOSC_ENOMEM. */
bosc_status bosc_numbers_list(const bosc_membranes *membranes, bosc_error *err);

#endif
