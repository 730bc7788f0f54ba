/* regions.h - regions of a population and the membranes that they make.
 *
 * Serial code: no MPI.  Regions are applied in an order, 'all' first, then as
 * the job has them; each says some numbers and mechanisms, and overrides what
 * earlier ones said.  Compartments that are in the same regions have the same
 * membrane.  Those that are known without a neuron, of the types of sections
 * and of single regions of the user's own, stand in the population; others are
 * made where a neuron has them (membrane.h).
 */
#ifndef BOSC_SRC_JOB_REGION_REGIONS_H
#define BOSC_SRC_JOB_REGION_REGIONS_H

#include "src/job/job_keys.h"
#include "src/job/membrane.h"

/* Insert a mechanism with its defaults, unless it is there. */
bosc_status bosc_region_insert(const bosc_mech *mech, bosc_region_mech *own,
                               bosc_error *err);

/* Read what one entry of 'regions' says into its spec, which is empty but for
 * room for the mechanisms. */
bosc_status bosc_region_read(const bosc_schema *schema, const bosc_yaml *node,
                             bosc_region_entry *region, bosc_error *err);

/* Set what 'to' has as the region says. */
bosc_status bosc_region_apply(const bosc_mechs *mechs,
                              const bosc_region_spec *region,
                              bosc_region_spec *to, bosc_error *err);

/* Multiply the numbers of a membrane, once, by the factors that its regions
 * give for spines. */
bosc_status bosc_region_add_spines(const bosc_mechs *mechs,
                                   bosc_region_spec *spec, bosc_error *err);

/* The membrane of these regions without its ions. */
bosc_status bosc_membrane_apply(const bosc_mechs *mechs,
                                const bosc_population_spec *population,
                                bosc_region type, uint64_t regions,
                                bosc_membrane *out, bosc_error *err);

/* Free what is in it; the owner's varying numbers as well. */
void bosc_region_spec_clear(bosc_region_spec *spec, int n_mechs, bool owner);

/* Insert the ions that a membrane's mechanisms use, and note how; with 'check'
 * refuse what does not go together. */
bosc_status bosc_membrane_complete(const bosc_job *job,
                                   const bosc_population_spec *population,
                                   bosc_region_spec *membrane, bool check,
                                   bosc_error *err);

/* --- texts of a job's identity (bosc_job_values) -------------------------- */

/* A place; "vgap=v of cells 3 at soma". */
void bosc_location_print(FILE *file, const bosc_location *at);
void bosc_pointers_print(FILE *file, const bosc_mechs *mechs,
                         const bosc_pointers *pointers);

/* What each type of section has, then what regions of the user's own say; lines
 * begin with 'name', the population. */
void bosc_regions_print(FILE *file, const bosc_mechs *mechs, const char *name,
                        const bosc_population_spec *population);

#endif
