/* spmv.c - a sparse matrix times a vector: every format against long double,
 * and against each other bit for bit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/spmv/spmv.h"
#include "kernels/spmv/spmv_row.h"
#include "src/base/mem.h"
#include "tests/lib/tap.h"

static uint64_t state = 20251;

static double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

/* What the rows of a case are. */
typedef struct shape {
    const char *name;
    int32_t n_rows, n_columns;
    double density; /* of all rows but those below */
    int32_t full;   /* a row with all columns; -1: none */
    int32_t empty;  /* every so manyeth row has no entry; 0: none */
} shape;

static const shape shapes[] = {
    {"a random matrix", 331, 257, 0.11, -1, 0},
    {"one of many more columns than rows", 5, 3001, 0.3, -1, 0},
    {"one of more rows than columns", 2100, 3, 0.4, -1, 0},
    {"one with empty rows", 200, 100, 0.2, -1, 3},
    {"one whose rows are all empty", 40, 30, 0, -1, 0},
    {"one with a single full row", 120, 500, 0.01, 77, 0},
    {"one with nothing else", 64, 90, 0, 0, 0},
    {"a full one", 230, 230, 1, -1, 0},
    {"one of one entry", 1, 1, 1, -1, 0},
    {"one without columns", 17, 0, 0, -1, 0},
    {"one without rows", 0, 23, 0, -1, 0},
};

static bool is_there(const shape *s, int32_t i)
{
    if (i == s->full)
        return true;
    return (s->empty == 0 || i % s->empty != 0) && uniform() < s->density;
}

static bosc_sparse make(const shape *s)
{
    const size_t most = (size_t)s->n_rows * (size_t)s->n_columns;
    bosc_sparse a = {s->n_rows, s->n_columns,
                     bosc_alloc((size_t)s->n_rows + 1, sizeof *a.first),
                     bosc_alloc(most, sizeof *a.column),
                     bosc_alloc(most, sizeof *a.value)};
    int64_t n = 0;

    for (int32_t i = 0; i < s->n_rows; ++i) {
        for (int32_t j = 0; j < s->n_columns; ++j)
            if (is_there(s, i)) {
                a.column[n] = j;
                a.value[n++] = exp(9 * uniform() - 5) - 1;
            }
        a.first[i + 1] = n;
    }
    return a;
}

/* The largest error of y, relative to the sum of the magnitudes of its row. */
static double error_of(const bosc_sparse *a, const double *x, const double *y)
{
    double worst = 0;

    for (int32_t i = 0; i < a->n_rows; ++i) {
        long double sum = 0, size = 0;

        for (int64_t k = a->first[i]; k < a->first[i + 1]; ++k) {
            const long double term = (long double)a->value[k] * x[a->column[k]];

            sum += term;
            size += fabsl(term);
        }
        if (a->first[i] == a->first[i + 1])
            worst = y[i] == 0 ? worst : INFINITY;
        else
            worst = fmax(worst, (double)(fabsl(sum - y[i]) / size));
    }
    return worst;
}

static bool same(const void *a, const void *b, size_t n)
{
    return n == 0 || memcmp(a, b, n) == 0;
}

/* As the threads of a GPU do it. */
static void multiply_by_row(const bosc_spmv *a, const double *x, double *y)
{
    const double *value = a->value;

    for (int32_t i = 0; i < a->n_rows; ++i)
        switch (a->format) {
        case BOSC_SPMV_ELLPACK:
            y[i] = bosc_ellpack_row(a->column + i, value + i, x, a->length[i],
                                    a->n_rows);
            break;
        case BOSC_SPMV_DENSE:
            y[i] = bosc_dense_row(value + i, x, a->n_columns, a->n_rows);
            break;
        default:
            y[i] = bosc_csr_row(a->first, a->column, value, x, i);
        }
}

static void test_double(const shape *s, const bosc_sparse *a, const double *x)
{
    const size_t bytes = (size_t)a->n_rows * sizeof(double);
    double *first = bosc_alloc((size_t)a->n_rows, sizeof *first);
    double *y = bosc_alloc((size_t)a->n_rows, sizeof *y);

    for (int f = BOSC_SPMV_CSR; f < BOSC_N_SPMV_FORMATS; ++f) {
        const char *name = bosc_spmv_format_names[f];
        bosc_spmv m;
        bool agree = true;

        ok(bosc_spmv_create(a, (bosc_spmv_format)f, false, &m, NULL) == BOSC_OK,
           "%s: %s", s->name, name);
        if (f == BOSC_SPMV_CSR) {
            bosc_spmv_multiply(&m, x, first, 1);
            ok(error_of(a, x, first) < 1e-15 * sqrt(a->n_columns + 1.),
               "%s: right to rounding", s->name);
        }
        for (int threads = 1; threads <= 3; ++threads) {
            memset(y, 0xff, bytes);
            bosc_spmv_multiply(&m, x, y, threads);
            agree = agree && same(first, y, bytes);
        }
        ok(agree, "%s: %s gives the bits of csr on 1, 2, 3 threads", s->name,
           name);
        multiply_by_row(&m, x, y);
        ok(same(first, y, bytes), "%s: %s does so row by row", s->name, name);
        bosc_spmv_clear(&m);
    }
    free(first);
    free(y);
}

static void test_single(const shape *s, const bosc_sparse *a, const double *x)
{
    const size_t n = (size_t)a->n_rows;
    float *single = bosc_alloc((size_t)a->n_columns, sizeof *single);
    float *first = bosc_alloc(n, sizeof *first), *y = bosc_alloc(n, sizeof *y);
    double *wide = bosc_alloc(n, sizeof *wide);
    bool agree = true;

    for (int32_t j = 0; j < a->n_columns; ++j)
        single[j] = (float)x[j];
    for (int f = BOSC_SPMV_CSR; f < BOSC_N_SPMV_FORMATS; ++f) {
        bosc_spmv m;

        bosc_spmv_create(a, (bosc_spmv_format)f, true, &m, NULL);
        bosc_spmv_multiply(&m, single, f == BOSC_SPMV_CSR ? first : y, 2);
        agree = agree && (f == BOSC_SPMV_CSR || same(first, y, n * sizeof *y));
        bosc_spmv_clear(&m);
    }
    for (size_t i = 0; i < n; ++i)
        wide[i] = first[i];
    ok(error_of(a, x, wide) < 6e-7 * sqrt(a->n_columns + 1.),
       "%s: right to rounding in single precision", s->name);
    ok(agree, "%s: the same bits in all formats there", s->name);
    free(single);
    free(first);
    free(y);
    free(wide);
}

/* 'rows' rows of 'columns' columns, with 'entries' of them taken. */
static bosc_spmv_format usual(int32_t rows, int32_t columns, int64_t entries)
{
    const bosc_spmv_size size = {rows, columns, (double)entries, 0};

    return bosc_spmv_usual(&size);
}

static void test_usual(void)
{
    ok(usual(100, 100, 6000) == BOSC_SPMV_DENSE,
       "auto is dense from a density of 0.6 on, where nobody has chosen");
    ok(usual(100, 100, 5999) == BOSC_SPMV_CSR, "else csr");
    ok(usual(0, 10, 0) == BOSC_SPMV_CSR && usual(10, 0, 0) == BOSC_SPMV_CSR,
       "an empty matrix is not full");
}

static void test_memory(void)
{
    const shape s = {"", 10, 20, 0.5, 4, 0};
    bosc_sparse a = make(&s);
    const double n = (double)a.first[10];
    bosc_spmv m;

    bosc_spmv_create(&a, BOSC_SPMV_CSR, false, &m, NULL);
    ok(m.bytes == 12 * n + 8 * 11, "csr: 12 bytes an entry, 8 a row");
    bosc_spmv_clear(&m);
    bosc_spmv_create(&a, BOSC_SPMV_ELLPACK, true, &m, NULL);
    ok(m.width == 20 && m.bytes == 8 * 20 * 10 + 4 * 10,
       "ellpack: every row is as long as the longest");
    bosc_spmv_clear(&m);
    bosc_spmv_create(&a, BOSC_SPMV_DENSE, true, &m, NULL);
    ok(m.bytes == 4 * 20 * 10, "dense: nothing but numbers");
    bosc_spmv_clear(&m);
    bosc_sparse_clear(&a);
}

int main(void)
{
    for (size_t k = 0; k < BOSC_LEN(shapes); ++k) {
        bosc_sparse a = make(&shapes[k]);
        double *x = bosc_alloc((size_t)a.n_columns, sizeof *x);

        for (int32_t j = 0; j < a.n_columns; ++j)
            x[j] = 100 * uniform() - 70;
        test_double(&shapes[k], &a, x);
        test_single(&shapes[k], &a, x);
        free(x);
        bosc_sparse_clear(&a);
    }
    test_usual();
    test_memory();
    return done_testing();
}
