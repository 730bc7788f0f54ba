/* products.c - a sparse matrix times a vector, in each format. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tune/kinds.h"
#include "kernels/methods.h"
#include "src/base/mem.h"
#include "src/select/features.h"

/* The matrix of a point. */
typedef struct matrix {
    int32_t rows, columns;
    double mean_row;
    double uneven; /* rows have from (1 - uneven) to (1 + uneven) of the mean */
    bool one_long; /* and one has them all */
    int threads;
} matrix;

static double spread_over(double u, double low, double high)
{
    return low * pow(high / low, u);
}

static matrix matrix_of(const double *u, const bosc_tune_limits *limits)
{
    const double places = fmin(limits->bytes / 32, limits->seconds * 5e6);
    matrix m;

    m.rows = (int32_t)spread_over(u[0], 4, 20000);
    m.columns =
        (int32_t)fmin(m.rows * spread_over(u[1], 0.5, 2), places / m.rows);
    m.columns = m.columns > 4 ? m.columns : 4;
    m.mean_row = fmax(1, m.columns * spread_over(u[2], 1e-3, 1));
    m.uneven = u[3] < 0.4 ? 0 : (u[3] - 0.4) / 0.6;
    m.one_long = u[4] > 0.85;
    m.threads = (int)floor(spread_over(u[5], 1, limits->threads) + 0.5);
    return m;
}

/* The finish of splitmix64 (Steele, Lea and Flood, 2014), as a number from 0 to
 * 1. */
static double draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* Entries of a row stand one in each of as many equal parts of it. */
static bosc_status fill(const matrix *m, bosc_sparse *a, bosc_error *err)
{
    uint64_t state = 1;
    bosc_status st;

    *a = (bosc_sparse){.n_rows = m->rows, .n_columns = m->columns};
    if ((st = BOSC_ALLOC(err, "a matrix", BOSC_ARRAY(a->first, m->rows + 1))) !=
        BOSC_OK)
        return st;
    for (int32_t i = 0; i < m->rows; ++i) {
        const double each =
            m->one_long && i == 0
                ? m->columns
                : m->mean_row * (1 + m->uneven * (2 * draw(&state) - 1));

        a->first[i + 1] =
            a->first[i] + (int64_t)fmin(m->columns, fmax(1, floor(each + 0.5)));
    }
    st = BOSC_ALLOC(err, "a matrix", BOSC_ARRAY(a->column, a->first[m->rows]),
                    BOSC_ARRAY(a->value, a->first[m->rows]));
    for (int32_t i = 0; i < m->rows && st == BOSC_OK; ++i) {
        const int64_t n = a->first[i + 1] - a->first[i];

        for (int64_t k = 0; k < n; ++k) {
            const int64_t from = k * m->columns / n;
            const int64_t to = (k + 1) * m->columns / n;

            a->column[a->first[i] + k] =
                (int32_t)(from + (int64_t)(draw(&state) * (double)(to - from)));
            a->value[a->first[i] + k] = draw(&state);
        }
    }
    return st;
}

enum { FORMATS = BOSC_N_SPMV_FORMATS - BOSC_SPMV_CSR };

/* Those that a backend has, as numbers: how many. */
static int formats_of(const bosc_backend *backend,
                      bosc_spmv_format format[FORMATS])
{
    int n = 0;

    for (int f = BOSC_SPMV_CSR; f < BOSC_N_SPMV_FORMATS; ++f)
        if (backend->products != NULL &&
            (backend->products->formats & 1u << f) != 0)
            format[n++] = (bosc_spmv_format)f;
    return n;
}

static const char *format_at(const bosc_backend *backend, int k)
{
    bosc_spmv_format format[FORMATS];

    return k < formats_of(backend, format) ? bosc_spmv_format_names[format[k]]
                                           : NULL;
}

/* A matrix in all formats. */
typedef struct products {
    const bosc_product_ops *ops;
    int n; /* formats */
    bosc_spmv_format format[FORMATS];
    bosc_spmv a[FORMATS];
    bosc_product *product[FORMATS];
    int times; /* that each is multiplied at a time */
} products;

/* Multiply for a while. */
static bosc_status multiply(void *of, int f, double *seconds, double *took,
                            bosc_error *err)
{
    const products *p = of;
    bosc_status st = BOSC_OK;

    *took = 0;
    for (int k = 0; k < p->times && st == BOSC_OK; ++k) {
        double one = 0;

        st = p->ops->multiply(p->product[f], &one, err);
        *took += one;
    }
    *seconds = *took / p->times;
    return st;
}

static bosc_status time_products(products *p, bosc_tuned *out, bosc_error *err)
{
    const double enough = 3e-4;
    double most = 1e-9;
    bosc_status st = BOSC_OK;

    p->times = 2; /* the first brings the matrix into the cache */
    for (int f = 0; f < p->n && st == BOSC_OK; ++f) {
        double seconds = 0, took;

        st = multiply(p, f, &seconds, &took, err);
        most = fmax(most, seconds);
    }
    p->times = 1 + (int)fmin(1000, enough / most);
    return st == BOSC_OK ? bosc_tune_time(multiply, p, p->n, out->seconds, err)
                         : st;
}

static bosc_spmv_size size_of(const bosc_sparse *a)
{
    bosc_spmv_size size = {a->n_rows, a->n_columns, (double)a->first[a->n_rows],
                           0};

    for (int32_t i = 0; i < a->n_rows; ++i)
        size.width = fmax(size.width, (double)(a->first[i + 1] - a->first[i]));
    return size;
}

static bosc_status measure(const bosc_tune_limits *limits, bosc_tuned *out,
                           bosc_error *err)
{
    const matrix m = matrix_of(out->point, limits);
    bosc_sparse a;
    products p = {.ops = limits->backend->products, .times = 1};
    double *x = bosc_alloc((size_t)m.columns, sizeof *x);
    bosc_status st = fill(&m, &a, err);

    if (st == BOSC_OK && x == NULL)
        st = bosc_no_memory(err, "a vector");
    for (int32_t j = 0; st == BOSC_OK && j < m.columns; ++j)
        x[j] = -65 + j % 7;
    p.n = formats_of(limits->backend, p.format);
    for (int f = 0; f < p.n && st == BOSC_OK; ++f) {
        st = bosc_spmv_create(&a, p.format[f], false, &p.a[f], err);
        if (st == BOSC_OK)
            st = p.ops->create(&p.a[f], m.threads, &p.product[f], err);
        if (st == BOSC_OK)
            st = p.ops->load(p.product[f], x, err);
    }
    if (st == BOSC_OK) {
        const bosc_spmv_size size = size_of(&a);
        const bosc_matrix_features f =
            bosc_matrix_features_of(&size, m.threads, bosc_cache_bytes());

        memcpy(out->feature, f.of, sizeof f.of);
        st = time_products(&p, out, err);
    }
    for (int f = 0; f < p.n; ++f) {
        p.ops->destroy(p.product[f]);
        bosc_spmv_clear(&p.a[f]);
    }
    bosc_sparse_clear(&a);
    free(x);
    return st;
}

const bosc_tune_kind bosc_tune_products = {
    .name = "products",
    .what = "products of sparse matrices",
    .n_features = BOSC_N_MATRIX_FEATURES,
    .features = bosc_matrix_feature_names,
    .meanings = bosc_matrix_feature_meanings,
    .method = format_at,
    .measure = measure,
};
