/* list.h - a table of the sections of one neuron.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_MORPHOLOGY_SECTIONS_LIST_H
#define BOSC_SRC_MORPHOLOGY_SECTIONS_LIST_H

#include "src/morphology/cable.h"
#include "src/morphology/section.h"

/* Print a line for each section on standard output: name, SWC type, parent and
 * where on it, length (um), diameter (um) of the compartment in the middle,
 * area (um2), compartments, path length from the middle of the soma to its own
 * (um), branch points on the way.  With 'tsv' tab-separated, the file first,
 * numbers so that they read back the same, "header" the line of names before;
 * else for people.  'cable' is what the sections are cut into.  BOSC_ENOMEM. */
bosc_status bosc_sections_list(const char *path, const bosc_sections *all,
                               const bosc_cable *cable, bool tsv, bool header,
                               bosc_error *err);

#endif
