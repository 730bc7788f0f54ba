/* lockstep_isa.c - strips of neurons, row by row, for one instruction set.
 *
 * Compiled once for each set with its -march and -DBOSC_ISA=NAME;
 * kernels/base/isa.h chooses at run time.
 */
#include "kernels/hines_batch/lockstep.h"

#define INLINE static inline __attribute__((always_inline))
#define JOIN_OF(a, b) a##_##b
#define JOIN(a, b) JOIN_OF(a, b)

#define LOOP 0
#define real double
#define REAL(name) name##_double
#include "kernels/hines/order.h"
#include "kernels/hines_batch/lockstep_rows.h"
#undef real
#undef REAL
#define real float
#define REAL(name) name##_single
#include "kernels/hines/order.h"
#include "kernels/hines_batch/lockstep_rows.h"
#undef real
#undef REAL
#undef LOOP
#define LOOP 1
#define real double
#define REAL(name) name##_loop
#include "kernels/hines/order.h"
#include "kernels/hines_batch/lockstep_rows.h"

const bosc_lockstep_codes JOIN(bosc_lockstep, BOSC_ISA) = {
    {solve_double, solve_single, solve_loop},
};
