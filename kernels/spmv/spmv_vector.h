/* spmv_vector.h - vectors between double, in which they come, and the precision
 * of a product.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_SPMV_SPMV_VECTOR_H
#define BOSC_KERNELS_SPMV_SPMV_VECTOR_H

#include "kernels/spmv/spmv_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* n numbers into to, which are float or double, and back. */
void bosc_vector_fill(bool single, int32_t n, const double *from, void *to);
void bosc_vector_read(bool single, int32_t n, const void *from, double *to);

#ifdef __cplusplus
}
#endif

#endif
