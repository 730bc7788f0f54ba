/* chip_plan.h - which neurons of a batch are advanced on the chip, and the
 * images of their cell blocks.
 *
 * A group of 32 equal neurons (rows.h) makes a cell block, or some such groups
 * do, if there is room.  Other neurons are sorted by the rows that they make a
 * sweep wait for, and taken about in that order, those together that have alike
 * runs in each level, as many as there is room for; fewer where all of them
 * would not fill the device.  A neuron that has no room alone is a cell block
 * that is far; if it has none there, its group stays off the chip.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_GPU_CHIP_CHIP_PLAN_H
#define BOSC_KERNELS_GPU_CHIP_CHIP_PLAN_H

#include "kernels/gpu/chip/chip.h"
#include "kernels/step/limits.h"
#include "kernels/step/rows.h"
#include "kernels/step/step_io.h"

/* A cell block on the host. */
typedef struct bosc_chip_cells {
    bosc_chip_block block; /* but for image, which is of the device */
    int32_t in_class;      /* index of the classes */
    int32_t order;         /* of its assignment (chip_assign.h) */
    /* Valid until they are written; with 'own' of the plan as long as it. */
    unsigned char *image; /* [block.whole] */
    uint32_t *map; /* [32 (constant + changing)] slot of the batch of a row; ~0:
                      no row */
    /* Of the store, which sets and reads them (cuda_store.c). */
    int32_t part;
    ptrdiff_t at;
} bosc_chip_cells;

/* Places of a cell block's columns: entries of its map. */
static inline size_t bosc_chip_places(const bosc_chip_block *block)
{
    return (size_t)(block->constant + block->changing) * BOSC_CHIP_LANES;
}

/* Where images and maps go. */
typedef struct bosc_chip_store {
    void *what; /* passed to the functions */

    /* Set image and map of a cell block, the image all zero; the calling thread
     * writes them before it calls again.  False without memory. */
    bool (*room)(void *what, bosc_chip_cells *cells);

    /* Begin: about so many bytes will be asked for in all.  Images and maps
     * from before are not needed. */
    void (*begin)(void *what, double bytes);
} bosc_chip_store;

/* The cell blocks of a batch.  It owns its arrays (bosc_chip_plan_clear). */
typedef struct bosc_chip_plan {
    int32_t n;              /* number of cell blocks */
    bosc_chip_cells *cells; /* [n] by class, then in the order of assignment */
    int32_t first[BOSC_CHIP_CLASSES + 1]; /* first cell block of each class */
    int64_t bytes[BOSC_CHIP_CLASSES]; /* of the largest image of a class, with
                                         what lanes read before and after it */
    int32_t *where;          /* [n_neurons] cell block; -1: off the chip */
    const bosc_limit *limit; /* why a neuron is off the chip; NULL: none is */
    uint32_t **state;        /* [n_blocks] -> [n] address of an instance's
                                states in its cell block */
    uint32_t **term; /* [n_sets] -> [terms] address of a term that is a voltage
                      */
    int32_t n_blocks, n_sets; /* of the batch */
    bool own;                 /* images and maps are freed with the plan */
} bosc_chip_plan;

/* What is planned for; all of it is the caller's. */
typedef struct bosc_chip_plan_input {
    const bosc_batch *batch;
    const bosc_rows *rows;
    const bosc_step_io *io;
    const bosc_chip_class *classes; /* [BOSC_CHIP_CLASSES] */
    const bosc_chip_store *store;   /* NULL: the plan keeps images and maps */
} bosc_chip_plan_input;

/* Plan the cell blocks and write their images.  Threads of OpenMP take part;
 * the result does not depend on their number.  BOSC_ENOMEM; then *plan is
 * empty. */
bosc_status bosc_chip_plan_create(const bosc_chip_plan_input *job,
                                  bosc_chip_plan *plan, bosc_error *err);
void bosc_chip_plan_clear(bosc_chip_plan *plan);

#endif
