/* cable_file.h - for tests: the template of an SWC file, and its nodes by the
 * names that NEURON gives their sections.
 */
#ifndef BOSC_TESTS_LIB_CABLE_FILE_H
#define BOSC_TESTS_LIB_CABLE_FILE_H

#include "src/morphology/cable.h"
#include "src/morphology/section.h"
#include "src/morphology/swc.h"

/* The forest of an SWC file, as bosc_swc_parse(); the program only reads its
 * sections (src/morphology/morphology.h). */
bosc_status swc_file_read(const char *path, bool strict, bosc_swc **out,
                          bosc_error *err);

/* Read a file strictly and cut it; freed by bosc_cable_destroy().  On failure
 * *out is untouched. */
bosc_status cable_file_read(const char *path, const bosc_cable_spec *spec,
                            bosc_cable **out, bosc_error *err);

/* The region of a section such as "dend[12]"; BOSC_N_REGIONS if none. */
int cable_file_region(const char *section);

/* The node of that section that stands at x; -1 if none does. */
int32_t cable_file_node(const bosc_cable *c, const char *section, double x);

#endif
