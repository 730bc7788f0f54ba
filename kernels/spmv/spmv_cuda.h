/* spmv_cuda.h - a matrix and its vectors on the GPU.
 *
 * Internal to kernels, for what nvcc compiles.
 */
#ifndef BOSC_KERNELS_SPMV_SPMV_CUDA_H
#define BOSC_KERNELS_SPMV_SPMV_CUDA_H

#include "kernels/base/cuda.h"
#include "kernels/spmv/spmv_vector.h"

/* On the device: the arrays of the matrix, of which csr's 'first' are int32_t,
 * and x and y. */
typedef struct bosc_spmv_arrays {
    void *first, *length, *column, *value, *x, *y;
} bosc_spmv_arrays;

/* Copy the matrix, make room for the vectors.  *out is to be freed, whatever is
 * returned. */
bosc_status bosc_spmv_upload(const bosc_spmv *a, bosc_spmv_arrays *out,
                             bosc_error *err);
void bosc_spmv_free(bosc_spmv_arrays *arrays);

bosc_status bosc_spmv_put_x(const bosc_spmv *a, const bosc_spmv_arrays *arrays,
                            const double *x, bosc_error *err);
bosc_status bosc_spmv_get_y(const bosc_spmv *a, const bosc_spmv_arrays *arrays,
                            double *y, bosc_error *err);

#endif
