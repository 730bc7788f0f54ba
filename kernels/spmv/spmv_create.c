#include "kernels/spmv/spmv.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/base/isa.h"
#include "kernels/spmv/spmv_isa.h"
#include "src/base/mem.h"

const char *const bosc_spmv_format_names[BOSC_N_SPMV_FORMATS] = {
    "auto", "csr", "ellpack", "dense"};

void bosc_sparse_clear(bosc_sparse *a)
{
    free(a->first);
    free(a->column);
    free(a->value);
    *a = (bosc_sparse){0};
}

bosc_spmv_format bosc_spmv_usual(const bosc_spmv_size *size)
{
    const double full = 0.6;

    return size->entries > 0 &&
                   size->entries >= full * size->rows * size->columns
               ? BOSC_SPMV_DENSE
               : BOSC_SPMV_CSR;
}

/* --- the formats ---------------------------------------------------------- */

/* Where entry k of 'a', which is of row i, stands among the values. */
static ptrdiff_t place(const bosc_spmv *to, const bosc_sparse *a, int32_t i,
                       int64_t k)
{
    switch (to->format) {
    case BOSC_SPMV_ELLPACK:
        return (ptrdiff_t)(k - a->first[i]) * to->n_rows + i;
    case BOSC_SPMV_DENSE:
        return (ptrdiff_t)a->column[k] * to->n_rows + i;
    default:
        return (ptrdiff_t)k;
    }
}

static void fill(const bosc_sparse *a, bosc_spmv *to)
{
    for (int32_t i = 0; i < a->n_rows; ++i) {
        if (to->format == BOSC_SPMV_CSR)
            to->first[i + 1] = a->first[i + 1];
        if (to->format == BOSC_SPMV_ELLPACK)
            to->length[i] = (int32_t)(a->first[i + 1] - a->first[i]);
        for (int64_t k = a->first[i]; k < a->first[i + 1]; ++k) {
            const ptrdiff_t at = place(to, a, i, k);

            if (to->n_indices > 0)
                to->column[at] = a->column[k];
            if (to->single)
                ((float *)to->value)[at] = (float)a->value[k];
            else
                ((double *)to->value)[at] = a->value[k];
        }
    }
}

static bosc_spmv_size size_of(const bosc_sparse *a)
{
    bosc_spmv_size size = {.rows = a->n_rows, .columns = a->n_columns};

    for (int32_t i = 0; i < a->n_rows; ++i) {
        const double row = (double)(a->first[i + 1] - a->first[i]);

        size.entries += row;
        size.width = row > size.width ? row : size.width;
    }
    return size;
}

/* How long the arrays of a format are. */
typedef struct lengths {
    double first, length, column, value;
} lengths;

static lengths lengths_of(bosc_spmv_format format, const bosc_spmv_size *size)
{
    const double filled = size->width * size->rows;

    switch (format) {
    case BOSC_SPMV_ELLPACK:
        return (lengths){0, size->rows, filled, filled};
    case BOSC_SPMV_DENSE:
        return (lengths){0, 0, 0, size->columns * size->rows};
    default:
        return (lengths){size->rows + 1, 0, size->entries, size->entries};
    }
}

double bosc_spmv_bytes(bosc_spmv_format format, bool single,
                       const bosc_spmv_size *size)
{
    const bosc_spmv a = {0};
    const lengths n = lengths_of(format, size);

    return n.first * sizeof *a.first + n.length * sizeof *a.length +
           n.column * sizeof *a.column +
           n.value * (single ? sizeof(float) : sizeof(double));
}

bosc_status bosc_spmv_create(const bosc_sparse *a, bosc_spmv_format format,
                             bool single, bosc_spmv *out, bosc_error *err)
{
    const size_t real = single ? sizeof(float) : sizeof(double);
    const bosc_spmv_size size = size_of(a);

    if (format == BOSC_SPMV_AUTO)
        format = bosc_spmv_usual(&size);

    const lengths n = lengths_of(format, &size);

    *out = (bosc_spmv){
        .format = format,
        .single = single,
        .n_rows = a->n_rows,
        .n_columns = a->n_columns,
        .width = format == BOSC_SPMV_ELLPACK ? (int32_t)size.width : 0,
        .n_indices = (ptrdiff_t)n.column,
        .n_values = (ptrdiff_t)n.value,
        .bytes = bosc_spmv_bytes(format, single, &size),
    };
    out->first = bosc_alloc((size_t)n.first, sizeof *out->first);
    out->length = bosc_alloc((size_t)n.length, sizeof *out->length);
    out->column = bosc_alloc((size_t)n.column, sizeof *out->column);
    out->value = bosc_alloc((size_t)n.value, real);
    if (out->first == NULL || out->length == NULL || out->column == NULL ||
        out->value == NULL)
        return bosc_fail(err, BOSC_ENOMEM,
                         "out of memory for a matrix of %d rows in the format "
                         "%s (%.3g GB)",
                         a->n_rows, bosc_spmv_format_names[out->format],
                         1e-9 * out->bytes);
    fill(a, out);
    return BOSC_OK;
}

void bosc_spmv_clear(bosc_spmv *a)
{
    free(a->first);
    free(a->length);
    free(a->column);
    free(a->value);
    *a = (bosc_spmv){0};
}

/* --- the product ---------------------------------------------------------- */

static const bosc_spmv_code *const codes[] = BOSC_ISA_TABLES(bosc_spmv);

/* Rows of a block: some for each thread, whole cache lines of y, and not more
 * than keeps y in the L1 cache. */
static int32_t block_rows(int32_t n_rows, int threads)
{
    enum { LINE = 16, MOST = 2048, PARTS = 4 };
    const int32_t rows = n_rows / (PARTS * threads) / LINE * LINE;

    return rows < LINE ? LINE : rows > MOST ? MOST : rows;
}

/* To wake a thread takes as long as some thousand entries. */
static int useful_threads(const bosc_spmv *a, int threads)
{
    enum { SHARE = 1 << 14 };
    const ptrdiff_t most = 1 + a->n_values / SHARE;

    return most < threads ? (int)most : threads;
}

void bosc_spmv_multiply(const bosc_spmv *a, const void *x, void *y, int threads)
{
    const int useful = useful_threads(a, threads);
    const int32_t rows = block_rows(a->n_rows, useful);
    bosc_spmv_block *const multiply =
        codes[bosc_isa()]->block[a->format][a->single];

#pragma omp parallel for num_threads(useful) schedule(dynamic) if (useful > 1)
    for (int32_t from = 0; from < a->n_rows; from += rows)
        multiply(a, x, y, from,
                 a->n_rows - from < rows ? a->n_rows : from + rows);
}
