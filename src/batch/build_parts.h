/* build_parts.h - which neurons and nodes a selection and a place mean; the
 * readings; what is sorted by slot.  Internal to build_*.c.
 */
#ifndef BOSC_SRC_BATCH_BUILD_PARTS_H
#define BOSC_SRC_BATCH_BUILD_PARTS_H

#include <stdlib.h>
#include <string.h>

#include "src/base/key_sort.h"
#include "src/base/mem.h"
#include "src/batch/batch_build.h"

/* Sort n items, which begin with their slot, by it, and leave those of a slot
 * as they are.  'items' is the address of the pointer to them, which becomes
 * another.  False without memory. */
static inline bool bosc_sort_by_slot(const bosc_layout *layout, void *items,
                                     size_t n, size_t size)
{
    void *from, *sorted, *room = bosc_alloc(n, size);

    if (room == NULL)
        return false;
    memcpy(&from, items, sizeof from);
    sorted = bosc_key_sort(
        &(bosc_keyed){.n = n,
                      .size = size,
                      .bits = bosc_bits_of((uint64_t)layout->n_slots)},
        from, room);
    free(sorted == room ? from : room);
    memcpy(items, &sorted, sizeof sorted);
    return true;
}

/* The parents of templates that are not kept, for a layout by sections. */
bosc_status bosc_build_parents(const bosc_local_cells *cells,
                               const bosc_built_batch *packed, bosc_error *err);

/* With the layout made: the matrix, the voltages, the mechanisms of regions,
 * and what is kept of templates that are not. */
bosc_status bosc_build_fill(const bosc_model *model, bosc_built_batch *packed,
                            bosc_error *err);

/* An ion's block: an instance at each slot. */
bosc_status bosc_build_ion_block(const bosc_layout *layout,
                                 bosc_mech_block *block, bosc_error *err);

/* The variables of an ion at a slot, its parameters, and its style. */
void bosc_build_ion(bosc_mech_block *block, ptrdiff_t slot, const double *p,
                    int style);

/* What a stimulus that is a potential outside neurons injects into each node of
 * neuron i: nA for 1 of its type (build_outside.c). */
bosc_status bosc_build_outside(const bosc_model *model,
                               const bosc_point_spec *spec,
                               const bosc_batch *batch, int32_t i,
                               double *share, bosc_error *err);

/* Add the blocks of the job's point processes; of one mechanism one block. */
bosc_status bosc_build_points(const bosc_model *model, bosc_built_batch *packed,
                              bosc_error *err);

/* What the job says of the POINTERs of its instances, in their order; 'of' has
 * room for them. */
bosc_status bosc_build_point_pointers(const bosc_model *model,
                                      const bosc_batch *batch, int m,
                                      const bosc_pointers **of,
                                      bosc_error *err);

/* With all blocks there: what POINTERs stand for. */
bosc_status bosc_build_pointers(const bosc_model *model,
                                bosc_built_batch *packed, bosc_error *err);

/* With columns there: what is watched for spikes: every soma, the places of
 * projections, those of probes with a threshold. */
bosc_status bosc_build_detectors(const bosc_model *model,
                                 bosc_built_batch *packed, bosc_error *err);

/* Columns of all probes of the job, and their sets of readings. */
bosc_status bosc_build_readings(const bosc_model *model,
                                bosc_built_batch *packed, bosc_error *err);

#endif
