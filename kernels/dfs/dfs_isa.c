/* dfs_isa.c - the depth-first sweeps for one instruction set.
 *
 * Compiled once for each set with its -march and -DBOSC_ISA=NAME;
 * kernels/base/isa.h chooses at run time.  BYTES is what a vector register
 * holds.
 */
#include "kernels/dfs/dfs.h"
#include "kernels/hines/hines.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#define BYTES 64
#elif defined(__AVX2__)
#include <immintrin.h>
#define BYTES 32
#else
#define BYTES 16
#endif

#define INLINE static inline __attribute__((always_inline))
#define JOIN_OF(a, b) a##_##b
#define JOIN(a, b) JOIN_OF(a, b)

#define REAL double
#define WORD int64_t
#define MASK __mmask8
#define MASKED(op) _mm512_##op##_pd
#include "kernels/dfs/dfs_sweep.h"
#undef REAL
#undef WORD
#undef MASK
#undef MASKED

#define REAL float
#define WORD int32_t
#define MASK __mmask16
#define MASKED(op) _mm512_##op##_ps
#include "kernels/dfs/dfs_sweep.h"

const bosc_dfs_codes JOIN(bosc_dfs, BOSC_ISA) = {
    {{BYTES / sizeof(double), solve_double},
     {BYTES / sizeof(float), solve_float}},
};
