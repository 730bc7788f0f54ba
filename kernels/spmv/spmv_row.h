/* spmv_row.h - one row of a matrix times a vector, for each format: what a
 * thread of a GPU does.
 *
 * Internal to kernels.  The pointers are those of bosc_spmv.
 */
#ifndef BOSC_KERNELS_SPMV_SPMV_ROW_H
#define BOSC_KERNELS_SPMV_SPMV_ROW_H

#include "kernels/base/formula.h"

#define real double
#define ROW(name) bosc_##name
#include "kernels/spmv/spmv_row_real.h"
#undef real

/* C++ has the same names for float, C others. */
#ifndef __cplusplus
#undef ROW
#define ROW(name) bosc_##name##_single
#endif
#define real float
#include "kernels/spmv/spmv_row_real.h"
#undef real
#undef ROW

#endif
