/* spmv_cusparse.cu - cuSPARSE's product of a csr matrix, as a yardstick. */
#include <stdlib.h>

#include "kernels/base/cusparse_library.h"
#include "kernels/spmv/spmv_cuda.h"
#include "src/base/mem.h"

struct bosc_product {
    const bosc_spmv *a;
    bosc_spmv_arrays on;
    void *library;
    cusparseHandle_t handle;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t x, y;
    void *multiply, *buffer;
};

/* call(name, arguments...): of the opened library, what they return. */
#define CALL(p, name, what, err, ...)                                          \
    do {                                                                       \
        void *function;                                                        \
        bosc_status status =                                                   \
            bosc_cusparse_library_find(p->library, #name, &function, err);     \
                                                                               \
        if (status == BOSC_OK)                                                 \
            status = bosc_cusparse_library_check(                              \
                ((decltype(&name))function)(__VA_ARGS__), what, err);          \
        if (status != BOSC_OK)                                                 \
            return status;                                                     \
    } while (0)

static bosc_status end_all(bosc_product *p)
{
    if (p->matrix != NULL)
        CALL(p, cusparseDestroySpMat, "ending", NULL, p->matrix);
    if (p->x != NULL)
        CALL(p, cusparseDestroyDnVec, "ending", NULL, p->x);
    if (p->y != NULL)
        CALL(p, cusparseDestroyDnVec, "ending", NULL, p->y);
    if (p->handle != NULL)
        CALL(p, cusparseDestroy, "ending", NULL, p->handle);
    return BOSC_OK;
}

static void vendor_destroy(bosc_product *p)
{
    if (p == NULL)
        return;
    if (p->library != NULL) {
        end_all(p);
        dlclose(p->library);
    }
    bosc_cuda_free(p->buffer);
    bosc_spmv_free(&p->on);
    free(p);
}

static cudaDataType type_of(const bosc_product *p)
{
    return p->a->single ? CUDA_R_32F : CUDA_R_64F;
}

/* alpha and beta, which cuSPARSE wants as numbers of the matrix's type. */
static const double one_double = 1, zero_double = 0;
static const float one_single = 1, zero_single = 0;

static const void *one(const bosc_product *p)
{
    return p->a->single ? (const void *)&one_single : &one_double;
}

static const void *zero(const bosc_product *p)
{
    return p->a->single ? (const void *)&zero_single : &zero_double;
}

static bosc_status describe(bosc_product *p, bosc_error *err)
{
    const bosc_spmv *a = p->a;
    const bosc_spmv_arrays *on = &p->on;
    size_t bytes = 0;

    CALL(p, cusparseCreate, "beginning", err, &p->handle);
    CALL(p, cusparseCreateCsr, "a matrix", err, &p->matrix, a->n_rows,
         a->n_columns, a->n_values, on->first, on->column, on->value,
         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
         type_of(p));
    CALL(p, cusparseCreateDnVec, "a vector", err, &p->x, a->n_columns, on->x,
         type_of(p));
    CALL(p, cusparseCreateDnVec, "a vector", err, &p->y, a->n_rows, on->y,
         type_of(p));
    CALL(p, cusparseSpMV_bufferSize, "asking for its workspace", err, p->handle,
         CUSPARSE_OPERATION_NON_TRANSPOSE, one(p), p->matrix, p->x, zero(p),
         p->y, type_of(p), CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
    return bosc_cuda_alloc(&p->buffer, bytes, "cuSPARSE's workspace", err);
}

static bosc_status vendor_create(const bosc_spmv *a, int threads,
                                 bosc_product **out, bosc_error *err)
{
    bosc_product *p = (bosc_product *)bosc_alloc(1, sizeof *p);
    bosc_status st;

    (void)threads;
    if (p == NULL)
        return bosc_no_memory(err, "a product");
    p->a = a;
    st = bosc_cusparse_library_open(&p->library, err);
    if (st == BOSC_OK)
        st = bosc_spmv_upload(a, &p->on, err);
    if (st == BOSC_OK)
        st = describe(p, err);
    if (st == BOSC_OK)
        st = bosc_cusparse_library_find(p->library, "cusparseSpMV",
                                        &p->multiply, err);
    if (st == BOSC_OK)
        *out = p;
    else
        vendor_destroy(p);
    return st;
}

static bosc_status vendor_load(bosc_product *p, const double *x,
                               bosc_error *err)
{
    return bosc_spmv_put_x(p->a, &p->on, x, err);
}

static bosc_status launch(void *of, bosc_error *err)
{
    const bosc_product *p = (const bosc_product *)of;

    return bosc_cusparse_library_check(
        ((decltype(&cusparseSpMV))p->multiply)(
            p->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, one(p), p->matrix,
            p->x, zero(p), p->y, type_of(p), CUSPARSE_SPMV_ALG_DEFAULT,
            p->buffer),
        "multiplying", err);
}

static bosc_status vendor_multiply(bosc_product *p, double *seconds,
                                   bosc_error *err)
{
    return bosc_cuda_timed(launch, p, seconds, err);
}

static bosc_status vendor_fetch(bosc_product *p, double *y, bosc_error *err)
{
    return bosc_spmv_get_y(p->a, &p->on, y, err);
}

const bosc_product_ops bosc_cusparse_products = {
    1u << BOSC_SPMV_CSR, vendor_create, vendor_load,
    vendor_multiply,     vendor_fetch,  vendor_destroy,
};
