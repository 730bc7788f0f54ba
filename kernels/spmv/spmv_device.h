/* spmv_device.h - the product of spmv.h on the host, on a GPU, and by cuSPARSE,
 * behind one interface: for measuring.
 *
 * A leaf: no MPI, no files.  Order of calls: create, load a vector, then
 * multiply as often as wanted, fetch, destroy.  On one thread at a time.
 *
 * On a GPU a thread walks a row of ellpack and dense: the bits of the host.  In
 * csr a warp shares a row, so sums have another order, and bosc's own csr and
 * cuSPARSE's agree with the host only to rounding.
 */
#ifndef BOSC_KERNELS_SPMV_SPMV_DEVICE_H
#define BOSC_KERNELS_SPMV_SPMV_DEVICE_H

#include "kernels/spmv/spmv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A matrix on a device, with its vectors: what every backend has first in a
 * struct of its own.  Internal to kernels. */
typedef struct bosc_product {
    const bosc_spmv *a;
    void *x, *y; /* on the device */
} bosc_product;

/* The operations of the products of one backend. */
typedef struct bosc_product_ops {
    unsigned formats; /* a bit 1 << format for each */

    /* 'a' must outlive the product.  threads of the host, >= 1. */
    bosc_status (*create)(const bosc_spmv *a, int threads, bosc_product **out,
                          bosc_error *err);

    /* x[n_columns], on the host. */
    bosc_status (*load)(bosc_product *product, const double *x,
                        bosc_error *err);

    /* Multiply once, and wait for the end.  *seconds is the time of that alone:
     * by device events on a GPU, by the monotonic clock on the host. */
    bosc_status (*multiply)(bosc_product *product, double *seconds,
                            bosc_error *err);

    /* y[n_rows] of the last product, on the host. */
    bosc_status (*fetch)(bosc_product *product, double *y, bosc_error *err);

    void (*destroy)(bosc_product *product); /* NULL is allowed */
} bosc_product_ops;

extern const bosc_product_ops bosc_host_products;
/* With CUDA. */
extern const bosc_product_ops bosc_cuda_products, bosc_cusparse_products;

/* Internal to kernels: n numbers into 'to', which are float or double, and
 * back. */
void bosc_vector_fill(bool single, int32_t n, const double *from, void *to);
void bosc_vector_read(bool single, int32_t n, const void *from, double *to);

#ifdef __cplusplus
}
#endif

#endif
