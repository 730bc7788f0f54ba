/* membrane.h - what compartments have that are in some regions.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_JOB_MEMBRANE_H
#define BOSC_SRC_JOB_MEMBRANE_H

#include "src/job/job.h"

/* The regions that sections of a type are in without a look at places: bit k is
 * region[k] of the population. */
uint64_t bosc_regions_of_type(const bosc_population_spec *population,
                              bosc_region type);

/* Make the membrane of sections of a type that are in these regions.  Fails
 * where mechanisms of several regions do not go together.  On failure there is
 * nothing to clear. */
bosc_status bosc_membrane_create(const bosc_job *job,
                                 const bosc_population_spec *population,
                                 bosc_region type, uint64_t regions,
                                 bosc_membrane *out, bosc_error *err);
void bosc_membrane_clear(const bosc_job *job, bosc_membrane *membrane);

#endif
