/* build_parts.h - which neurons and nodes a selection and a place mean; the
 * probes.  Internal to build_*.c.
 */
#ifndef BOSC_SRC_BATCH_BUILD_PARTS_H
#define BOSC_SRC_BATCH_BUILD_PARTS_H

#include "src/batch/batch_build.h"

/* With the layout made: the matrix, the voltages, the mechanisms of regions,
 * and what is kept of templates that are not. */
bosc_status bosc_build_fill(const bosc_model *model, bosc_built_batch *packed,
                            bosc_error *err);

/* What is watched for spikes: every soma, and the places of projections. */
bosc_status bosc_build_detectors(const bosc_model *model,
                                 bosc_built_batch *packed, bosc_error *err);

/* Columns and sets of all probes. */
bosc_status bosc_build_probes(const bosc_model *model, bosc_built_batch *packed,
                              bosc_error *err);

#endif
