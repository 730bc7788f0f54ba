/* spmv_cuda.cu - the product on a GPU: a thread for each row of ellpack and
 * dense, a warp for each row of csr. */
#include "kernels/spmv/spmv_cuda.h"

#include <stdlib.h>
#include <cuda_runtime.h>

#include "kernels/spmv/spmv_row.h"
#include "src/base/mem.h"

/* ---- arrays ---- */

static size_t real_size(const bosc_spmv *a)
{
    return a->single ? sizeof(float) : sizeof(double);
}

/* Entries are fewer than 2^31: so many take 24 GB. */
static bosc_status put_first(const bosc_spmv *a, void **out, bosc_error *err)
{
    const size_t n = a->format == BOSC_SPMV_CSR ? (size_t)a->n_rows + 1 : 0;
    int32_t *first = (int32_t *)bosc_alloc(n, sizeof *first);
    bosc_status st;

    if (first == NULL)
        return bosc_no_memory(err, "a matrix");
    for (size_t i = 0; i < n; ++i)
        first[i] = (int32_t)a->first[i];
    st = bosc_cuda_upload(out, first, n * sizeof *first, "a matrix", err);
    free(first);
    return st;
}

bosc_status bosc_product_upload(const bosc_spmv *a, bosc_cuda_product *p,
                                bosc_error *err)
{
    const size_t real = real_size(a);
    const size_t rows = a->format == BOSC_SPMV_ELLPACK ? (size_t)a->n_rows : 0;
    bosc_status st;

    p->base.a = a;
    if (a->format == BOSC_SPMV_CSR && a->n_values > INT32_MAX)
        return bosc_fail(err, BOSC_ENOSUP,
                         "CUDA: %td entries; csr takes at most 2^31 - 1",
                         a->n_values);
    st = put_first(a, &p->first, err);
    if (st == BOSC_OK)
        st = bosc_cuda_upload(&p->length, a->length, rows * sizeof *a->length,
                              "a matrix", err);
    if (st == BOSC_OK)
        st = bosc_cuda_upload(&p->column, a->column,
                              (size_t)a->n_indices * sizeof *a->column,
                              "a matrix", err);
    if (st == BOSC_OK)
        st = bosc_cuda_upload(&p->value, a->value, (size_t)a->n_values * real,
                              "a matrix", err);
    if (st == BOSC_OK)
        st = bosc_cuda_alloc(&p->base.x, (size_t)a->n_columns * real,
                             "a vector", err);
    if (st == BOSC_OK)
        st = bosc_cuda_alloc(&p->base.y, (size_t)a->n_rows * real, "a vector",
                             err);
    return st;
}

void bosc_product_clear(bosc_cuda_product *p)
{
    bosc_cuda_free(p->first);
    bosc_cuda_free(p->length);
    bosc_cuda_free(p->column);
    bosc_cuda_free(p->value);
    bosc_cuda_free(p->base.x);
    bosc_cuda_free(p->base.y);
}

bosc_status bosc_product_load(bosc_product *p, const double *x, bosc_error *err)
{
    const size_t real = real_size(p->a);
    void *staged = bosc_alloc((size_t)p->a->n_columns, real);
    bosc_status st;

    if (staged == NULL)
        return bosc_no_memory(err, "a vector");
    bosc_vector_fill(p->a->single, p->a->n_columns, x, staged);
    st = bosc_cuda_put(p->x, staged, (size_t)p->a->n_columns * real, err);
    free(staged);
    return st;
}

bosc_status bosc_product_fetch(bosc_product *p, double *y, bosc_error *err)
{
    const size_t real = real_size(p->a);
    void *staged = bosc_alloc((size_t)p->a->n_rows, real);
    bosc_status st;

    if (staged == NULL)
        return bosc_no_memory(err, "a vector");
    st = bosc_cuda_get(staged, p->y, (size_t)p->a->n_rows * real, err);
    if (st == BOSC_OK)
        bosc_vector_read(p->a->single, p->a->n_rows, staged, y);
    free(staged);
    return st;
}

/* ---- kernels ---- */

enum { WARP = 32, THREADS = 128 };

static __device__ int32_t my_number(void)
{
    return (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
}

/* All that a kernel reads and writes. */
template <typename real> struct numbers {
    int32_t n_rows, n_columns;
    const int32_t *first, *length, *column;
    const real *value, *x;
    real *y;
};

/* The threads of a warp take every 32nd entry, then add up what they have. */
template <typename real> static __global__ void csr(numbers<real> a)
{
    const int32_t i = my_number() / WARP, lane = my_number() % WARP;
    real sum = 0;

    if (i >= a.n_rows)
        return;
    for (int32_t k = a.first[i] + lane; k < a.first[i + 1]; k += WARP)
        sum += bosc_entry(a.value[k], a.x[a.column[k]]);
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, apart);
    if (lane == 0)
        a.y[i] = sum;
}

template <typename real> static __global__ void ellpack(numbers<real> a)
{
    const int32_t i = my_number();

    if (i < a.n_rows)
        a.y[i] = bosc_ellpack_row(a.column + i, a.value + i, a.x, a.length[i],
                                  a.n_rows);
}

template <typename real> static __global__ void dense(numbers<real> a)
{
    const int32_t i = my_number();

    if (i < a.n_rows)
        a.y[i] = bosc_dense_row(a.value + i, a.x, a.n_columns, a.n_rows);
}

/* ---- the device ---- */

static void cuda_destroy(bosc_product *p)
{
    if (p == NULL)
        return;
    bosc_product_clear((bosc_cuda_product *)p);
    free(p);
}

static bosc_status cuda_create(const bosc_spmv *a, int threads,
                               bosc_product **out, bosc_error *err)
{
    bosc_cuda_product *p = (bosc_cuda_product *)bosc_alloc(1, sizeof *p);
    bosc_status st;

    (void)threads;
    if (p == NULL)
        return bosc_no_memory(err, "a product");
    st = bosc_product_upload(a, p, err);
    if (st == BOSC_OK)
        *out = &p->base;
    else
        cuda_destroy(&p->base);
    return st;
}

template <typename real> static void launch_kernel(const bosc_cuda_product *p)
{
    const bosc_spmv *matrix = p->base.a;
    const numbers<real> a = {matrix->n_rows,
                             matrix->n_columns,
                             (const int32_t *)p->first,
                             (const int32_t *)p->length,
                             (const int32_t *)p->column,
                             (const real *)p->value,
                             (const real *)p->base.x,
                             (real *)p->base.y};
    const int64_t width = matrix->format == BOSC_SPMV_CSR ? WARP : 1;
    const unsigned blocks =
        (unsigned)((a.n_rows * width + THREADS - 1) / THREADS);

    if (matrix->format == BOSC_SPMV_CSR)
        csr<real><<<blocks, THREADS>>>(a);
    else if (matrix->format == BOSC_SPMV_ELLPACK)
        ellpack<real><<<blocks, THREADS>>>(a);
    else
        dense<real><<<blocks, THREADS>>>(a);
}

static bosc_status launch(void *of, bosc_error *err)
{
    const bosc_cuda_product *p = (const bosc_cuda_product *)of;

    if (p->base.a->n_rows == 0)
        return BOSC_OK;
    if (p->base.a->single)
        launch_kernel<float>(p);
    else
        launch_kernel<double>(p);
    return bosc_cuda_launched("spmv", err);
}

static bosc_status cuda_multiply(bosc_product *p, double *seconds,
                                 bosc_error *err)
{
    return bosc_cuda_timed(launch, p, seconds, err);
}

const bosc_product_ops bosc_cuda_products = {
    1u << BOSC_SPMV_CSR | 1u << BOSC_SPMV_ELLPACK | 1u << BOSC_SPMV_DENSE,
    cuda_create,
    bosc_product_load,
    cuda_multiply,
    bosc_product_fetch,
    cuda_destroy,
};
