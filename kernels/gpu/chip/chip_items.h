/* chip_items.h - clamps, detectors, instances and terms of readings of each
 * neuron.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_GPU_CHIP_CHIP_ITEMS_H
#define BOSC_KERNELS_GPU_CHIP_CHIP_ITEMS_H

#include "kernels/step/step_io.h"

typedef enum bosc_chip_listed {
    BOSC_CHIP_CLAMPS,
    BOSC_CHIP_DETECTORS,
    BOSC_CHIP_INSTANCES,
    BOSC_CHIP_TERMS
} bosc_chip_listed;

/* Those of lane l, counted over all groups, are item[first[l]] ..
 * item[first[l + 1] - 1], ascending; each is a number in the batch, of an
 * instance in its block, of a term in its set. */
typedef struct bosc_chip_list {
    bosc_chip_listed of;
    int32_t index;    /* of the block, or of the set */
    ptrdiff_t *first; /* [lanes + 1] */
    uint32_t *item;
} bosc_chip_list;

typedef struct bosc_chip_items {
    int32_t n_blocks, n_sets;
    bosc_chip_list clamps, detectors;
    bosc_chip_list *instances; /* [n_blocks] */
    bosc_chip_list *terms;     /* [n_sets] */
} bosc_chip_items;

/* The slot, within its group g, of what has number i in the batch. */
int32_t bosc_chip_place_of(const bosc_batch *batch, const bosc_chip_list *list,
                           int32_t g, ptrdiff_t i);

/* False without memory.  To be cleared, whatever is returned. */
bool bosc_chip_items_create(const bosc_batch *batch, const bosc_step_io *io,
                            bosc_chip_items *items);
void bosc_chip_items_clear(bosc_chip_items *items);

#endif
