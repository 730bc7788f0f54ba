/* cut_template.h - regions on a template, and how they cut it.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_MODEL_CUT_TEMPLATE_H
#define BOSC_SRC_MODEL_CUT_TEMPLATE_H

#include "src/job/job.h"
#include "src/morphology/cable.h"

enum { BOSC_OF_CABLE = -1 }; /* in the place of a mechanism */

/* What a region or a membrane has instead of a number; NULL: it has one. */
const bosc_varying *bosc_varying_of(const bosc_region_spec *spec, int mech,
                                    int param);

/* The parameters of mechanism m of a set, or numbers of the cable. */
int bosc_n_numbers(const bosc_mechs *mechs, int m);

/* Has the population regions of the user's own, or numbers that vary? */
bool bosc_has_shapes(const bosc_job *job,
                     const bosc_population_spec *population);

/* The regions that each node of a template is in, by its compartment:
 * regions[cable->n].  'name' stands for it in messages. */
bosc_status bosc_regions_mark(const bosc_population_spec *population,
                              const bosc_cable *cable, const char *name,
                              uint64_t *regions, bosc_error *err);

/* Where node i of a cable is; distance [cable->n] may be NULL. */
bosc_place bosc_place_of(const bosc_cable *cable, int32_t i,
                         const double *distance, double farthest);

/* The largest of n distances that is finite. */
double bosc_farthest(const double *distance, int32_t n);

/* Cut sections as the population's regions say: Ra and cm are those at the
 * middles of sections. */
bosc_status bosc_template_cut(const bosc_population_spec *population,
                              const struct bosc_sections *sections,
                              const bosc_cable_spec *spec, const char *name,
                              bosc_cable **out, bosc_error *err);

/* Do both populations cut equally as far as their regions decide, and have as
 * many compartments in each region of the user's own? */
bool bosc_regions_cut_same(const bosc_population_spec *a,
                           const bosc_population_spec *b);

#endif
