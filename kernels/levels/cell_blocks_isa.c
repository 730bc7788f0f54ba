/* cell_blocks_isa.c - the loops over cell blocks of neurons for one instruction
 * set.
 *
 * Compiled once for each set with its -march and -DBOSC_ISA=NAME;
 * solver_cell_blocks.c chooses at run time.
 */
#include "kernels/hines/hines.h"
#include "kernels/levels/cell_blocks_isa.h"

#define real double
#define REAL(name) name##_double
#include "kernels/levels/cell_blocks_rows.h"
#undef real
#undef REAL
#define real float
#define REAL(name) name##_single
#include "kernels/levels/cell_blocks_rows.h"
#undef real
#undef REAL

#define JOIN_OF(a, b) a##b
#define JOIN(a, b) JOIN_OF(a, b)

const bosc_cell_block_code JOIN(bosc_cell_block_, BOSC_ISA) = {
    .solve = {solve_double, solve_single},
};
