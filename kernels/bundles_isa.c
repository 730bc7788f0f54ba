/* bundles_isa.c - the loops over bundles of neurons for one instruction set.
 *
 * Compiled once for each set with its -march and -DBOSC_ISA=NAME;
 * solver_bundles.c chooses at run time.
 */
#include "kernels/bundles_isa.h"
#include "kernels/hines.h"

#define real double
#define REAL(name) name##_double
#include "kernels/bundles_rows.h"
#undef real
#undef REAL
#define real float
#define REAL(name) name##_single
#include "kernels/bundles_rows.h"
#undef real
#undef REAL

#define JOIN_OF(a, b) a##b
#define JOIN(a, b) JOIN_OF(a, b)

const bosc_bundle_code JOIN(bosc_bundle_, BOSC_ISA) = {
    .solve = {solve_double, solve_single},
};
