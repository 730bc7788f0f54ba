/* build_parts.h - which neurons and nodes a selection and a place mean; the
 * probes.  Internal to pack*.c.
 */
#ifndef BOSC_SRC_BATCH_BUILD_PARTS_H
#define BOSC_SRC_BATCH_BUILD_PARTS_H

#include "src/batch/batch_build.h"

/* Nodes first..last of a neuron. */
typedef struct bosc_nodes {
    int32_t first, last;
} bosc_nodes;

/* Is neuron i of this rank selected? */
bool bosc_locate_selects(const bosc_model *model,
                         const bosc_selection *selection, int32_t i);

/* The nodes of neuron i that are meant. */
bosc_status bosc_locate_nodes(const bosc_model *model, const bosc_location *at,
                              int32_t i, bosc_nodes *nodes, bosc_error *err);

/* The same of all neurons of this rank that are selected, by all threads.
 * (*nodes)[n] is free()d by the caller; last is less than first where a neuron
 * is not selected.  *total: nodes in all. */
bosc_status bosc_locate_all(const bosc_model *model,
                            const bosc_selection *selection,
                            const bosc_location *at, bosc_nodes **nodes,
                            int64_t *total, bosc_error *err);

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
