/* list.h - tables of the sections, and of the compartments, of one neuron.
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

/* The columns of a compartment, and its line under them without an end: node i
 * of 'cable' with its distance from the soma.  The parent is -1 where nothing
 * connects it, the resistance that to the middle of the one before in its
 * section or, of the first, to the section's beginning; the ends of sections
 * are compartments without length and area, and without 'placed' or points the
 * coordinates are empty. */
extern const char bosc_compartment_columns[];
void bosc_compartment_print(const bosc_cable *cable, int32_t i, double distance,
                            bool placed);

/* Print a line for each compartment on standard output, with tabs: the file,
 * the region, and these columns.  BOSC_ENOMEM. */
bosc_status bosc_compartments_list(const char *path, const bosc_cable *cable,
                                   bool header, bosc_error *err);

#endif
