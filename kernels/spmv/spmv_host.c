#include "kernels/spmv/spmv_device.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/progress.h"

/* ---- vectors ---- */

void bosc_vector_fill(bool single, int32_t n, const double *from, void *to)
{
    float *rounded = to;

    if (!single)
        memcpy(to, from, (size_t)n * sizeof *from);
    for (int32_t i = 0; single && i < n; ++i)
        rounded[i] = (float)from[i];
}

void bosc_vector_read(bool single, int32_t n, const void *from, double *to)
{
    const float *rounded = from;

    if (!single)
        memcpy(to, from, (size_t)n * sizeof *to);
    for (int32_t i = 0; single && i < n; ++i)
        to[i] = rounded[i];
}

/* ---- the host ---- */

typedef struct host_product {
    bosc_product base;
    int threads;
} host_product;

static void host_destroy(bosc_product *p)
{
    if (p == NULL)
        return;
    free(p->x);
    free(p->y);
    free(p);
}

static bosc_status host_create(const bosc_spmv *a, int threads,
                               bosc_product **out, bosc_error *err)
{
    const size_t real = a->single ? sizeof(float) : sizeof(double);
    host_product *p = bosc_alloc(1, sizeof *p);

    if (p == NULL)
        return bosc_no_memory(err, "vectors");
    *p = (host_product){{a, bosc_alloc((size_t)a->n_columns, real),
                         bosc_alloc((size_t)a->n_rows, real)},
                        threads};
    if (p->base.x == NULL || p->base.y == NULL) {
        host_destroy(&p->base);
        return bosc_no_memory(err, "vectors");
    }
    *out = &p->base;
    return BOSC_OK;
}

static bosc_status host_load(bosc_product *p, const double *x, bosc_error *err)
{
    (void)err;
    bosc_vector_fill(p->a->single, p->a->n_columns, x, p->x);
    return BOSC_OK;
}

static bosc_status host_multiply(bosc_product *p, double *seconds,
                                 bosc_error *err)
{
    const double start = bosc_now();

    (void)err;
    bosc_spmv_multiply(p->a, p->x, p->y, ((host_product *)p)->threads);
    *seconds = bosc_now() - start;
    return BOSC_OK;
}

static bosc_status host_fetch(bosc_product *p, double *y, bosc_error *err)
{
    (void)err;
    bosc_vector_read(p->a->single, p->a->n_rows, p->y, y);
    return BOSC_OK;
}

const bosc_product_ops bosc_host_products = {
    .formats =
        1u << BOSC_SPMV_CSR | 1u << BOSC_SPMV_ELLPACK | 1u << BOSC_SPMV_DENSE,
    .create = host_create,
    .load = host_load,
    .multiply = host_multiply,
    .fetch = host_fetch,
    .destroy = host_destroy,
};
