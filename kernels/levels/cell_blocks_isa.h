/* cell_blocks_isa.h - between the cell blocks of neurons and the loops that
 * solve them, compiled for each instruction set.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_LEVELS_CELL_BLOCKS_ISA_H
#define BOSC_KERNELS_LEVELS_CELL_BLOCKS_ISA_H

#include "kernels/hines/pattern.h"

/* Numbers that are needed for each section besides its rows. */
enum { BOSC_CELL_BLOCK_PAIRS = 6 };

/* Of one cell block, double or float; at the end b is the solution. */
typedef struct bosc_cell_block_numbers {
    const void *u; /* [n_slots] */
    void *d, *b;   /* [n_slots] */
    void *pairs;   /* [BOSC_CELL_BLOCK_PAIRS * n_sections] */
} bosc_cell_block_numbers;

/* Solve one cell block, on one thread.  Nothing fails. */
typedef void bosc_cell_block_solve(const bosc_pattern *pattern,
                                   const bosc_cell_block_numbers *numbers);

/* [0] of doubles, [1] of floats. */
typedef struct bosc_cell_block_code {
    bosc_cell_block_solve *solve[2];
} bosc_cell_block_code;

/* For SSE2, for AVX2 and for AVX-512, of which a build may have the first
 * alone.
 */
extern const bosc_cell_block_code bosc_cell_block_base, bosc_cell_block_v3,
    bosc_cell_block_v4;

#endif
