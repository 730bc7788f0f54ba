/* spmv_cuda.h - a matrix and its vectors on the GPU.
 *
 * Internal to kernels, for what nvcc compiles.
 */
#ifndef BOSC_KERNELS_SPMV_SPMV_CUDA_H
#define BOSC_KERNELS_SPMV_SPMV_CUDA_H

#include "kernels/base/cuda.h"
#include "kernels/spmv/spmv_device.h"

/* With the arrays of the matrix on the device, of which csr's 'first' are
 * int32_t. */
typedef struct bosc_cuda_product {
    bosc_product base;
    void *first;  /* csr: int32_t [n_rows + 1] */
    void *length; /* ellpack: int32_t [n_rows] */
    void *column; /* int32_t [n_indices] */
    void *value;  /* [n_values] float or double */
} bosc_cuda_product;

/* Copy the matrix, make room for the vectors.  *p is to be cleared, whatever is
 * returned.  BOSC_ENOMEM, or as bosc_cuda_check(). */
bosc_status bosc_product_upload(const bosc_spmv *a, bosc_cuda_product *p,
                                bosc_error *err);
/* Free what is on the device, not the matrix of the host. */
void bosc_product_clear(bosc_cuda_product *p);

/* As in bosc_product_ops. */
bosc_status bosc_product_load(bosc_product *p, const double *x,
                              bosc_error *err);
bosc_status bosc_product_fetch(bosc_product *p, double *y, bosc_error *err);

#endif
