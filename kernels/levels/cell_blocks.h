/* cell_blocks.h - the neurons of a systems in cell blocks: few enough that one
 * thread block or one cache holds what a cell block's solve works on.
 *
 * A cell block takes the time of its longest section in each level.  So neurons
 * are sorted by levels, then by the rows that those have, most first, then by
 * tree, and taken one after another as long as there is room; one that alone
 * needs more has a cell block to itself.  Neurons of one tree stand together,
 * and many of them make cell blocks that share a pattern, and with shared_u the
 * numbers u.
 */
#ifndef BOSC_KERNELS_LEVELS_CELL_BLOCKS_H
#define BOSC_KERNELS_LEVELS_CELL_BLOCKS_H

#include "kernels/hines/pattern.h"
#include "kernels/solve/solver.h"

/* The first slots are multiples of it: 128 bytes of doubles. */
enum { BOSC_CELL_BLOCK_ALIGN = 16 };

/* The cell blocks of all neurons.  Owns its arrays; constant once created. */
typedef struct bosc_cell_blocks {
    int32_t n, n_patterns;  /* cell blocks; patterns of these */
    bosc_pattern *patterns; /* [n_patterns] */
    int32_t *pattern;       /* [n] ascending: equal ones follow each other */
    int32_t *neuron;        /* [n_neurons] sorted */
    int32_t *lane;          /* [n + 1] first of 'neuron' of each cell block */
    ptrdiff_t *first;       /* [n + 1] first slot of d, b and the solution */
    ptrdiff_t *first_u;     /* [n + 1] first slot of u: one's own, or with
                               shared_u the pattern's; the last: all */
} bosc_cell_blocks;

/* Cell blocks in whose 'room' the neurons fit; each takes the cost of its tree,
 * [n_trees], in the unit of 'room' (bytes on a GPU, slots on a CPU).  BOSC_OK,
 * or BOSC_ENOMEM with *out untouched. */
bosc_status bosc_cell_blocks_create(const bosc_systems *systems,
                                    const int64_t *cost, int64_t room,
                                    bosc_cell_blocks *out, bosc_error *err);
/* Free the arrays; zeroed cell blocks are allowed. */
void bosc_cell_blocks_clear(bosc_cell_blocks *cell_blocks);

/* The slot of each compartment, in flat order: [bosc_systems_size()].  BOSC_OK
 * or BOSC_ENOMEM. */
bosc_status bosc_cell_blocks_slots(const bosc_cell_blocks *cell_blocks,
                                   const bosc_systems *systems, ptrdiff_t *slot,
                                   bosc_error *err);

/* The systems's u (uS) in slots of u, [first_u[n]], double or with 'single'
 * float; slots of padding are left as they are.  BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_cell_blocks_fill_u(const bosc_cell_blocks *cell_blocks,
                                    const bosc_systems *systems, bool single,
                                    void *u, bosc_error *err);

#endif
