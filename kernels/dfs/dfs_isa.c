/* dfs_isa.c - the depth-first sweeps for one instruction set.
 *
 * Compiled once for each set with its -march and -DBOSC_ISA=NAME;
 * kernels/base/isa.h chooses at run time.
 */
#include "kernels/dfs/dfs.h"
#include "kernels/dfs/vector.h"
#include "kernels/hines/hines.h"

#define REAL double
#define WORD int64_t
#define MASK __mmask8
#define OP(op) WIDE(op##_pd)
#include "kernels/dfs/dfs_sweep.h"
#undef REAL
#undef WORD
#undef MASK
#undef OP

#define REAL float
#define WORD int32_t
#define MASK __mmask16
#define OP(op) WIDE(op##_ps)
#include "kernels/dfs/dfs_sweep.h"

const bosc_dfs_codes JOIN(bosc_dfs, BOSC_ISA) = {
    {{BYTES / sizeof(double), solve_double},
     {BYTES / sizeof(float), solve_float}},
};
