/* spmv_cuda.h - a matrix and its vectors on the GPU.
 *
 * Internal to kernels, for what nvcc compiles.
 */
#ifndef BOSC_KERNELS_SPMV_SPMV_CUDA_H
#define BOSC_KERNELS_SPMV_SPMV_CUDA_H

#include "kernels/base/cuda.h"
#include "kernels/spmv/spmv_device.h"

/* The arrays of the matrix, of which csr's 'first' are int32_t, and x and y, on
 * the device. */
struct bosc_product {
    const bosc_spmv *a;
    void *first, *length, *column, *value, *x, *y;
};

/* Copy the matrix, make room for the vectors.  *p is to be cleared, whatever is
 * returned. */
bosc_status bosc_product_upload(const bosc_spmv *a, bosc_product *p,
                                bosc_error *err);
void bosc_product_clear(bosc_product *p);

/* As in bosc_product_ops. */
bosc_status bosc_product_load(bosc_product *p, const double *x,
                              bosc_error *err);
bosc_status bosc_product_fetch(bosc_product *p, double *y, bosc_error *err);

#endif
