/* spmv_isa.c - the product of a sparse matrix for one instruction set.
 *
 * Compiled once for each set with its -march and -DBOSC_ISA=NAME; spmv_create.c
 * chooses at run time.  No product and sum become one fma: the bits of all
 * sets, and of GPUs, are equal.
 */
#include "kernels/spmv/spmv_isa.h"

#include "kernels/spmv/spmv_row.h"

/* Columns of dense that are read at once: their lines are on pages of their
 * own, and come at the same time. */
enum { AT_ONCE = 4 };

#define real double
#define REAL(name) name##_double
#define CSR_ROW bosc_csr_row
#define TERM bosc_entry
#include "kernels/spmv/spmv_blocks.h"
#undef real
#undef REAL
#undef CSR_ROW
#undef TERM
#define real float
#define REAL(name) name##_single
#define CSR_ROW bosc_csr_row_single
#define TERM bosc_entry_single
#include "kernels/spmv/spmv_blocks.h"
#undef real
#undef REAL
#undef CSR_ROW
#undef TERM

#define JOIN_OF(a, b) a##b
#define JOIN(a, b) JOIN_OF(a, b)

const bosc_spmv_code JOIN(bosc_spmv_, BOSC_ISA) = {
    .block = {[BOSC_SPMV_CSR] = {csr_double, csr_single},
              [BOSC_SPMV_ELLPACK] = {ellpack_double, ellpack_single},
              [BOSC_SPMV_DENSE] = {dense_double, dense_single}},
};
