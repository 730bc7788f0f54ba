/* lockstep_isa.c - strips of neurons, row by row, for one instruction set.
 *
 * Compiled once for each set with its -march and -DBOSC_ISA=NAME;
 * kernels/base/isa.h chooses at run time.
 */
#include "kernels/hines_batch/lockstep.h"

#include "kernels/hines/hines.h"

#define INLINE static inline __attribute__((always_inline))
#define JOIN_OF(a, b) a##_##b
#define JOIN(a, b) JOIN_OF(a, b)

#define REAL double
#include "kernels/hines_batch/lockstep_rows.h"
#undef REAL

#define REAL float
#include "kernels/hines_batch/lockstep_rows.h"

const bosc_lockstep_codes JOIN(bosc_lockstep, BOSC_ISA) = {
    {solve_double, solve_float},
};
