/* spmv_cusparse.cu - cuSPARSE's product of a csr matrix, as a yardstick. */
#include <stdlib.h>

#include "kernels/base/cusparse_library.h"
#include "kernels/spmv/spmv_cuda.h"
#include "src/base/mem.h"

/* A product, and what cuSPARSE knows of it. */
typedef struct vendor {
    bosc_cuda_product p;
    void *library;
    cusparseHandle_t handle;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t x, y;
    void *multiply, *buffer;
} vendor;

/* What a function of the opened library, of type F, returns. */
template <class F, class... arguments>
static bosc_status call(const vendor *v, const char *name, const char *what,
                        bosc_error *err, arguments... given)
{
    void *function;
    const bosc_status st =
        bosc_cusparse_library_find(v->library, name, &function, err);

    return st == BOSC_OK
               ? bosc_cusparse_library_check(((F)function)(given...), what, err)
               : st;
}

/* CALL(v, name, what, err, arguments...) */
#define CALL(v, name, ...) call<decltype(&name)>(v, #name, __VA_ARGS__)

static void end_all(vendor *v)
{
    if (v->matrix != NULL)
        CALL(v, cusparseDestroySpMat, "ending", NULL, v->matrix);
    if (v->x != NULL)
        CALL(v, cusparseDestroyDnVec, "ending", NULL, v->x);
    if (v->y != NULL)
        CALL(v, cusparseDestroyDnVec, "ending", NULL, v->y);
    if (v->handle != NULL)
        CALL(v, cusparseDestroy, "ending", NULL, v->handle);
}

static void vendor_destroy(bosc_product *p)
{
    vendor *v = (vendor *)p;

    if (v == NULL)
        return;
    if (v->library != NULL) {
        end_all(v);
        dlclose(v->library);
    }
    bosc_cuda_free(v->buffer);
    bosc_product_clear(&v->p);
    free(v);
}

static cudaDataType type_of(const vendor *v)
{
    return v->p.base.a->single ? CUDA_R_32F : CUDA_R_64F;
}

/* alpha and beta, which cuSPARSE wants as numbers of the matrix's type. */
static const void *number(const vendor *v, int which)
{
    static const double doubles[] = {0, 1};
    static const float floats[] = {0, 1};

    return v->p.base.a->single ? (const void *)&floats[which] : &doubles[which];
}

static bosc_status describe(vendor *v, bosc_error *err)
{
    const bosc_cuda_product *p = &v->p;
    const bosc_spmv *a = p->base.a;
    size_t bytes = 0;
    bosc_status st = CALL(v, cusparseCreate, "beginning", err, &v->handle);

    if (st == BOSC_OK)
        st = CALL(v, cusparseCreateCsr, "a matrix", err, &v->matrix, a->n_rows,
                  a->n_columns, a->n_values, p->first, p->column, p->value,
                  CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                  CUSPARSE_INDEX_BASE_ZERO, type_of(v));
    if (st == BOSC_OK)
        st = CALL(v, cusparseCreateDnVec, "a vector", err, &v->x, a->n_columns,
                  p->base.x, type_of(v));
    if (st == BOSC_OK)
        st = CALL(v, cusparseCreateDnVec, "a vector", err, &v->y, a->n_rows,
                  p->base.y, type_of(v));
    if (st == BOSC_OK)
        st = CALL(v, cusparseSpMV_bufferSize, "asking for its workspace", err,
                  v->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, number(v, 1),
                  v->matrix, v->x, number(v, 0), v->y, type_of(v),
                  CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
    if (st == BOSC_OK)
        st = bosc_cuda_alloc(&v->buffer, bytes, "cuSPARSE's workspace", err);
    return st;
}

static bosc_status vendor_create(const bosc_spmv *a, int threads,
                                 bosc_product **out, bosc_error *err)
{
    vendor *v = (vendor *)bosc_alloc(1, sizeof *v);
    bosc_status st;

    (void)threads;
    if (v == NULL)
        return bosc_no_memory(err, "a product");
    st = bosc_cusparse_library_open(&v->library, err);
    if (st == BOSC_OK)
        st = bosc_product_upload(a, &v->p, err);
    if (st == BOSC_OK)
        st = describe(v, err);
    if (st == BOSC_OK)
        st = bosc_cusparse_library_find(v->library, "cusparseSpMV",
                                        &v->multiply, err);
    if (st == BOSC_OK)
        *out = &v->p.base;
    else
        vendor_destroy(&v->p.base);
    return st;
}

static bosc_status launch(void *of, bosc_error *err)
{
    const vendor *v = (const vendor *)of;

    return bosc_cusparse_library_check(
        ((decltype(&cusparseSpMV))v->multiply)(
            v->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, number(v, 1),
            v->matrix, v->x, number(v, 0), v->y, type_of(v),
            CUSPARSE_SPMV_ALG_DEFAULT, v->buffer),
        "multiplying", err);
}

static bosc_status vendor_multiply(bosc_product *p, double *seconds,
                                   bosc_error *err)
{
    return bosc_cuda_timed(launch, p, seconds, err);
}

const bosc_product_ops bosc_cusparse_products = {
    1u << BOSC_SPMV_CSR, vendor_create,      bosc_product_load,
    vendor_multiply,     bosc_product_fetch, vendor_destroy,
};
