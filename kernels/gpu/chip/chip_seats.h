/* chip_seats.h - which neurons are to sit together in a cell block.
 *
 * Internal to kernels: chip_plan.c makes the cell blocks.
 */
#ifndef BOSC_KERNELS_GPU_CHIP_CHIP_SEATS_H
#define BOSC_KERNELS_GPU_CHIP_CHIP_SEATS_H

#include "kernels/gpu/chip/chip_build.h"

/* Neurons that are to make a cell block; with 'shared' the first stands for all
 * of its group. */
typedef struct bosc_chip_seats {
    int32_t first, n; /* into the list of neurons */
    int32_t class;
    int32_t order; /* of all */
} bosc_chip_seats;

/* What a neuron makes each level of a sweep wait for: the rows of its longest
 * run there, at most 255; levels beyond the last are in the last. */
enum { BOSC_CHIP_PROFILE = 16 };
typedef struct bosc_chip_profile {
    uint8_t rows[BOSC_CHIP_PROFILE];
} bosc_chip_profile;

typedef struct bosc_chip_planner {
    const bosc_batch *batch;
    const bosc_rows *rows;
    const bosc_chip_class *classes;
    const struct bosc_chip_store *store; /* chip_plan.h */
    bosc_chip_items items;
    bosc_chip_marks marks;
    struct bosc_chip_plan *plan;
    int32_t *neurons;           /* [n_neurons] of all cell blocks */
    double *bytes;              /* [n_neurons] about, of each, in an image, */
    double behind;              /* and behind all images */
    bosc_chip_profile *profile; /* [n_neurons] */
    double scale;  /* what neurons that differ take, over their bytes */
    bool *shared;  /* [n_groups] goes to a cell block of equal neurons, */
    bool *apart;   /* [n_groups] but not if that has found no room */
    int32_t *left; /* [n_neurons] those that found no room, */
    int32_t n_left;
    bool *off;               /* [n_groups] stays off the chip, */
    bool more_off;           /* as some more do than the seats have known */
    const bosc_limit *limit; /* why groups are off, the first; NULL: none is */
    bosc_chip_seats *seats;
    int32_t n_seats, round; /* seats of rounds before */
    size_t seats_room, cells_room;
    bool short_of_memory;
} bosc_chip_planner;

/* A group is to stay off, as a neuron of it meets a limit. */
void bosc_chip_leave_off(bosc_chip_planner *p, int32_t g,
                         const bosc_limit *limit);

static inline bosc_chip_builder bosc_chip_builder_of(const bosc_chip_planner *p)
{
    return (bosc_chip_builder){.batch = p->batch,
                               .rows = p->rows,
                               .items = &p->items,
                               .marks = &p->marks};
}

/* The class of cell blocks of this size, BOSC_CHIP_CLASSES: none has the room.
 */
int32_t bosc_chip_class_of(const bosc_chip_planner *p, bool shared,
                           double bytes);

/* Find out about the bytes and the way of each neuron, and which groups share.
 */
void bosc_chip_find_bytes(bosc_chip_planner *p);

/* Seats for all of them; for those that were left.  False without memory. */
bool bosc_chip_seat_all(bosc_chip_planner *p);
bool bosc_chip_seat_left(bosc_chip_planner *p);

#endif
