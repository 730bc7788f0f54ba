/* chip_assign.h - block assignment: which neurons share a cell block.
 *
 * Order of calls: bosc_chip_find_bytes(), bosc_chip_assign_all(); then the cell
 * blocks are made (chip_plan.c), which puts neurons that do not fit on the list
 * 'deferred'; then bosc_chip_assign_deferred(), and cell blocks again, until
 * the list is empty.  Each call of an assign function begins a pass.
 *
 * Internal to kernels: chip_plan.c makes the cell blocks.
 */
#ifndef BOSC_KERNELS_GPU_CHIP_CHIP_ASSIGN_H
#define BOSC_KERNELS_GPU_CHIP_CHIP_ASSIGN_H

#include "kernels/gpu/chip/chip_build.h"

/* The neurons of one cell block.  In a class of equal neurons ('shared') each
 * of them stands for all 32 neurons of its group. */
typedef struct bosc_chip_assignment {
    int32_t first, n; /* neurons[first] to neurons[first + n - 1] of the planner
                       */
    int32_t class;    /* index of the planner's classes */
    int32_t order;    /* number of the cell block, counted over all passes */
} bosc_chip_assignment;

/* How long a neuron makes other neurons wait in each level of a sweep. */
enum { BOSC_CHIP_PROFILE = 16 };
typedef struct bosc_chip_profile {
    uint8_t rows[BOSC_CHIP_PROFILE]; /* of the neuron's longest run in a level,
                                        at most 255; the last entry is the
                                        longest of all further levels */
} bosc_chip_profile;

/* The state of planning, alive during bosc_chip_plan_create().  chip_plan.c
 * allocates and frees all arrays. */
typedef struct bosc_chip_planner {
    /* Input, constant; the caller's. */
    const bosc_batch *batch;
    const bosc_rows *rows;
    const bosc_chip_class *classes;      /* [BOSC_CHIP_CLASSES] */
    const struct bosc_chip_store *store; /* chip_plan.h */

    /* Constant once they are made, before bosc_chip_find_bytes(). */
    bosc_chip_items items;
    bosc_chip_marks marks; /* bosc_chip_find_bytes() fills them */

    /* Output; grows as cell blocks are made, by several threads. */
    struct bosc_chip_plan *plan;
    size_t cells_room; /* capacity of plan->cells */

    /* Set by bosc_chip_find_bytes(). */
    double *bytes; /* [n_neurons] estimated bytes of a neuron in an image; with
                      'shared' the first neuron has those of its group */
    double behind; /* estimated bytes behind all images together */
    bosc_chip_profile *profile; /* [n_neurons] */
    bool *shared;     /* [n_groups] the group has a cell block of 32 equal
                         neurons */
    bool *not_shared; /* [n_groups] the group may not, as it has found no room
                         or such blocks would leave multiprocessors idle */

    /* Set once cell blocks have been tried (chip_plan.c). */
    double scale; /* measured over estimated bytes of neurons that differ; 1
                     before */

    /* Of the current pass. */
    int32_t *neurons; /* [n_neurons] those to assign, block after block */
    bosc_chip_assignment *assignments; /* [n_assignments] */
    size_t assignments_room;           /* capacity of assignments */
    int32_t n_assignments;
    int32_t n_earlier; /* assignments of all earlier passes */

    /* Written while the cell blocks of a pass are made. */
    int32_t *deferred; /* [n_deferred] neurons that did not fit, for the next
                          pass; room for n_neurons */
    int32_t n_deferred;
    bool *excluded;          /* [n_groups] the group stays off the chip */
    bool more_excluded;      /* a group has been excluded, or may not share, in
                                this pass: plan again */
    const bosc_limit *limit; /* the first one that has excluded a group; NULL:
                                none has */
    bool short_of_memory;    /* never reset */
} bosc_chip_planner;

/* Exclude a group from the chip, as a neuron of it exceeds a limit.  Called by
 * several threads. */
void bosc_chip_exclude_group(bosc_chip_planner *p, int32_t g,
                             const bosc_limit *limit);

/* An empty builder for a thread; bosc_chip_builder_clear() frees it. */
static inline bosc_chip_builder bosc_chip_builder_of(const bosc_chip_planner *p)
{
    return (bosc_chip_builder){.batch = p->batch,
                               .rows = p->rows,
                               .items = &p->items,
                               .marks = &p->marks};
}

/* The smallest class that has room for so many bytes; BOSC_CHIP_CLASSES: none
 * has. */
int32_t bosc_chip_class_of(const bosc_chip_planner *p, bool shared,
                           double bytes);

/* Estimate bytes and profile of each neuron, and decide which groups share.
 * Failure sets p->short_of_memory. */
void bosc_chip_find_bytes(bosc_chip_planner *p);

/* Begin the first pass: assign all neurons whose groups are not excluded.
 * False without memory. */
bool bosc_chip_assign_all(bosc_chip_planner *p);

/* Begin another pass: assign the deferred neurons, and empty their list.  A
 * group that shares gets a cell block by itself.  False without memory. */
bool bosc_chip_assign_deferred(bosc_chip_planner *p);

#endif
