/* chip_items.h - detectors, instances and terms of readings of each
 * neuron.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_GPU_CHIP_CHIP_ITEMS_H
#define BOSC_KERNELS_GPU_CHIP_CHIP_ITEMS_H

#include "kernels/step/step_io.h"

/* What a list has. */
typedef enum bosc_chip_listed {
    BOSC_CHIP_DETECTORS,
    BOSC_CHIP_INSTANCES,
    BOSC_CHIP_TERMS
} bosc_chip_listed;

/* Items of one kind by lane: those of lane l, counted over all groups, are
 * item[first[l]] .. item[first[l + 1] - 1], ascending. */
typedef struct bosc_chip_list {
    bosc_chip_listed of;
    int32_t index;    /* of instances the block, of terms the set */
    ptrdiff_t *first; /* [lanes + 1] */
    uint32_t *item;   /* [first[lanes]] number in the batch; of an instance in
                         its block, of a term in its set */
} bosc_chip_list;

/* The items of a batch.  It owns its arrays (bosc_chip_items_clear). */
typedef struct bosc_chip_items {
    int32_t n_blocks, n_sets; /* of the batch */
    bosc_chip_list detectors;
    bosc_chip_list *instances; /* [n_blocks] */
    bosc_chip_list *terms;     /* [n_sets] */
    int32_t *of_job; /* [n_blocks] number in the set of a density of the job's
                        own; -1: it is none */
    uint64_t flows;  /* bit m: mechanism m of the set is one that has a current
                      */
    bool has_job;    /* there is any */
    int32_t *slot_row; /* [n_groups] number of the first row of 32 slots of a
                          group, counted over all groups */
} bosc_chip_items;

/* The slot, within its group g, of item i of a list. */
int32_t bosc_chip_place_of(const bosc_batch *batch, const bosc_chip_list *list,
                           int32_t g, ptrdiff_t i);

/* List the items of a batch.  False without memory; cleared in any case. */
bool bosc_chip_items_create(const bosc_batch *batch, const bosc_step_io *io,
                            bosc_chip_items *items);
void bosc_chip_items_clear(bosc_chip_items *items);

#endif
