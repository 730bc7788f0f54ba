/* spmv_isa.h - between the product of spmv.h and the loops that make it,
 * compiled for each instruction set.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_SPMV_SPMV_ISA_H
#define BOSC_KERNELS_SPMV_SPMV_ISA_H

#include "kernels/spmv/spmv.h"

/* Rows from..to - 1 of out = A in. */
typedef void bosc_spmv_block(const bosc_spmv *a, const void *in, void *out,
                             int32_t from, int32_t to);

/* By format; [0] of doubles, [1] of floats. */
typedef struct bosc_spmv_code {
    bosc_spmv_block *block[BOSC_N_SPMV_FORMATS][2];
} bosc_spmv_code;

/* For SSE2, for AVX2 and for AVX-512, of which a build may have the first
 * alone. */
extern const bosc_spmv_code bosc_spmv_base, bosc_spmv_v3, bosc_spmv_v4;

#endif
