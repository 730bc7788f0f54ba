/* coupling_matrix.c - the ends of a coupling as a matrix, and what it does.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/network/coupling_build.h"
#include "src/network/coupling_size.h"

int bosc_endpoint_order(const void *a, const void *b)
{
    const bosc_endpoint *x = a, *y = b;

    if (x->coupling != y->coupling)
        return x->coupling < y->coupling ? -1 : 1;
    if (x->gid != y->gid)
        return x->gid < y->gid ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* By row; in a row by partner, whichever rank it is on. */
static int end_order(const void *a, const void *b)
{
    const bosc_coupling_end *x = a, *y = b;
    const int partner = bosc_endpoint_order(&x->other, &y->other);

    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    if (partner != 0)
        return partner;
    return (x->index > y->index) - (x->index < y->index);
}

size_t bosc_endpoints_sort(bosc_endpoint *endpoints, size_t n)
{
    size_t kept = 0;

    if (n > 0)
        qsort(endpoints, n, sizeof *endpoints, bosc_endpoint_order);
    for (size_t i = 0; i < n; ++i)
        if (kept == 0 ||
            bosc_endpoint_order(&endpoints[kept - 1], &endpoints[i]) != 0)
            endpoints[kept++] = endpoints[i];
    return kept;
}

static int32_t find_column(const bosc_coupling_matrix *matrix,
                           const bosc_endpoint *partner)
{
    const bosc_endpoint *found =
        bsearch(partner, matrix->endpoint, (size_t)matrix->sparse.n_columns,
                sizeof *matrix->endpoint, bosc_endpoint_order);

    return (int32_t)(found - matrix->endpoint);
}

/* Rows and their entries from sorted ends; those of one pair of compartments
 * are one entry, their sum. */
static void fill_matrix(bosc_coupling_matrix *matrix, size_t n,
                        const bosc_coupling_end *ends)
{
    bosc_sparse *a = &matrix->sparse;
    int64_t entries = 0;

    for (size_t i = 0; i < n; ++i) {
        const bosc_coupling_end *end = &ends[i], *last = i > 0 ? end - 1 : NULL;

        if (last == NULL || last->slot != end->slot)
            matrix->slot[a->n_rows++] = end->slot;
        else if (bosc_endpoint_order(&last->other, &end->other) == 0) {
            a->value[entries - 1] += end->conductance;
            continue;
        }
        a->column[entries] = find_column(matrix, &end->other);
        a->value[entries] = end->conductance;
        a->first[a->n_rows] = ++entries;
    }
    for (int32_t i = 0; i < a->n_rows; ++i)
        for (int64_t k = a->first[i]; k < a->first[i + 1]; ++k)
            matrix->sum[i] += a->value[k];
}

/* The partners, each once. */
static bosc_status list_columns(bosc_coupling_matrix *matrix, size_t n,
                                const bosc_coupling_end *ends, bosc_error *err)
{
    bosc_endpoint *partner = bosc_alloc(n, sizeof *partner);
    size_t columns;

    if (partner == NULL)
        return bosc_no_memory(err, "the couplings");
    for (size_t i = 0; i < n; ++i)
        partner[i] = ends[i].other;
    columns = bosc_endpoints_sort(partner, n);
    matrix->sparse.n_columns = (int32_t)columns;
    matrix->endpoint = bosc_alloc(columns, sizeof *matrix->endpoint);
    if (matrix->endpoint != NULL && columns > 0)
        memcpy(matrix->endpoint, partner, columns * sizeof *partner);
    free(partner);
    return matrix->endpoint != NULL ? BOSC_OK
                                    : bosc_no_memory(err, "the couplings");
}

/* Room for what n sorted ends make. */
static bosc_status alloc_matrix(bosc_coupling_matrix *matrix, size_t n,
                                const bosc_coupling_end *ends, bosc_error *err)
{
    bosc_sparse *a = &matrix->sparse;
    const size_t columns = (size_t)a->n_columns;
    size_t rows = 0, entries = 0;

    for (size_t i = 0; i < n; ++i) {
        const bool row = i == 0 || ends[i - 1].slot != ends[i].slot;

        rows += row;
        entries +=
            row || bosc_endpoint_order(&ends[i - 1].other, &ends[i].other) != 0;
    }
    return BOSC_ALLOC(
        err, "the couplings", BOSC_ARRAY(a->first, rows + 1),
        BOSC_ARRAY(a->column, entries), BOSC_ARRAY(a->value, entries),
        BOSC_ARRAY(matrix->slot, rows), BOSC_ARRAY(matrix->sum, rows),
        BOSC_ARRAY(matrix->injection, rows), BOSC_ARRAY(matrix->y, rows),
        BOSC_ARRAY(matrix->from, columns), BOSC_ARRAY(matrix->x, columns));
}

/* What the job names, or what was chosen by the size that was expected: unless
 * a row is so long that the others would be padding mostly. */
static bosc_spmv_format format_of(const bosc_coupling_spec *spec,
                                  const bosc_sparse *a)
{
    int64_t longest = 0;

    for (int32_t i = 0; i < a->n_rows; ++i)
        if (a->first[i + 1] - a->first[i] > longest)
            longest = a->first[i + 1] - a->first[i];
    if (spec->format != BOSC_SPMV_AUTO)
        return spec->format;
    return spec->chosen == BOSC_SPMV_ELLPACK &&
                   longest * a->n_rows > 4 * a->first[a->n_rows]
               ? BOSC_SPMV_CSR
               : spec->chosen;
}

bosc_status bosc_coupling_matrix_create(const bosc_coupling_spec *spec,
                                        size_t n, bosc_coupling_end *ends,
                                        bosc_coupling_matrix *out,
                                        bosc_error *err)
{
    bosc_sparse *a = &out->sparse;
    bosc_status st;

    *out = (bosc_coupling_matrix){.spec = spec};
    if (n > 0)
        qsort(ends, n, sizeof *ends, end_order);
    st = list_columns(out, n, ends, err);
    if (st == BOSC_OK)
        st = alloc_matrix(out, n, ends, err);
    if (st != BOSC_OK)
        return st;
    fill_matrix(out, n, ends);
    st = bosc_spmv_create(a, format_of(spec, a), false, &out->conductance, err);
    bosc_sparse_clear(a);
    return st;
}

bosc_bytes bosc_coupling_matrix_bytes(const bosc_coupling_size *size)
{
    const bosc_spmv_size *m = &size->matrix;
    const bosc_coupling_matrix matrix = {0};
    const double n = size->ends;
    const double making = (m->rows + 1) * sizeof *matrix.sparse.first +
                          m->entries * (sizeof *matrix.sparse.column +
                                        sizeof *matrix.sparse.value);
    const double kept =
        m->rows * (sizeof *matrix.slot + sizeof *matrix.sum +
                   sizeof *matrix.injection + sizeof *matrix.y) +
        m->columns *
            (sizeof *matrix.endpoint + sizeof *matrix.from + sizeof *matrix.x) +
        bosc_spmv_bytes(size->format, false, m);
    const double sorting = bosc_qsort_bytes(n, sizeof(bosc_coupling_end));
    const double listing =
        n * sizeof(bosc_endpoint) + bosc_qsort_bytes(n, sizeof(bosc_endpoint));

    return (bosc_bytes){kept, fmax(making, fmax(sorting, listing) - kept)};
}

void bosc_coupling_matrix_clear(bosc_coupling_matrix *matrix)
{
    bosc_sparse_clear(&matrix->sparse);
    bosc_spmv_clear(&matrix->conductance);
    free(matrix->slot);
    free(matrix->sum);
    free(matrix->endpoint);
    free(matrix->from);
    free(matrix->injection);
    free(matrix->x);
    free(matrix->y);
    *matrix = (bosc_coupling_matrix){0};
}

/* --- a step --------------------------------------------------------------- */

bosc_drive_link bosc_coupling_matrix_link(const bosc_coupling_matrix *matrix)
{
    const bosc_coupling_spec *spec = matrix->spec;

    return (bosc_drive_link){
        .conductance = &matrix->conductance,
        .sum = matrix->sum,
        .from = matrix->from,
        .to = matrix->injection,
        .graded = spec->type == BOSC_COUPLING_GRADED,
        .half = spec->half,
        .slope = spec->slope,
        .e = spec->e,
    };
}

static void take_voltages(const bosc_coupling_matrix *matrix, const double *v,
                          const double *arrived)
{
    const bosc_coupling_spec *spec = matrix->spec;
    const bool graded = spec->type == BOSC_COUPLING_GRADED;

    for (int32_t j = 0; j < matrix->conductance.n_columns; ++j) {
        const ptrdiff_t from = matrix->from[j];
        const double partner = from >= 0 ? v[from] : arrived[-1 - from];

        matrix->x[j] =
            graded ? bosc_drive_opening(spec->half, spec->slope, partner)
                   : partner;
    }
}

void bosc_coupling_matrix_inject(const bosc_coupling_matrix *matrix,
                                 const double *v, const double *arrived,
                                 int threads, bosc_injection *injection)
{
    const bool graded = matrix->spec->type == BOSC_COUPLING_GRADED;

    take_voltages(matrix, v, arrived);
    bosc_spmv_multiply(&matrix->conductance, matrix->x, matrix->y, threads);
    for (int32_t i = 0; i < matrix->conductance.n_rows; ++i) {
        bosc_injection *to = &injection[matrix->injection[i]];

        to->conductance = graded ? matrix->y[i] : matrix->sum[i];
        to->current = graded ? matrix->y[i] * matrix->spec->e : matrix->y[i];
    }
}
