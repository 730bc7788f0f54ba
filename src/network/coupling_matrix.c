/* coupling_matrix.c - the halves of a coupling as a matrix, and what it does.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/formula.h"
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

/* By row; in a row by what is felt, whoever is on which rank. */
static int half_order(const void *a, const void *b)
{
    const bosc_coupling_end *x = a, *y = b;
    const int felt = bosc_endpoint_order(&x->felt, &y->felt);

    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    if (felt != 0)
        return felt;
    return (x->index > y->index) - (x->index < y->index);
}

size_t bosc_endpoints_sort(bosc_endpoint *ports, size_t n)
{
    size_t kept = 0;

    if (n > 0)
        qsort(ports, n, sizeof *ports, bosc_endpoint_order);
    for (size_t i = 0; i < n; ++i)
        if (kept == 0 || bosc_endpoint_order(&ports[kept - 1], &ports[i]) != 0)
            ports[kept++] = ports[i];
    return kept;
}

static int32_t find_column(const bosc_coupling_matrix *mesh,
                           const bosc_endpoint *felt)
{
    const bosc_endpoint *found =
        bsearch(felt, mesh->felt, (size_t)mesh->matrix.n_columns,
                sizeof *mesh->felt, bosc_endpoint_order);

    return (int32_t)(found - mesh->felt);
}

/* Rows and their entries from sorted halves; those of one pair of compartments
 * are one entry, their sum. */
static void fill_matrix(bosc_coupling_matrix *mesh, size_t n,
                        const bosc_coupling_end *halves)
{
    bosc_sparse *a = &mesh->matrix;
    int64_t entries = 0;

    for (size_t i = 0; i < n; ++i) {
        const bosc_coupling_end *half = &halves[i],
                                *last = i > 0 ? half - 1 : NULL;

        if (last == NULL || last->slot != half->slot)
            mesh->slot[a->n_rows++] = half->slot;
        else if (bosc_endpoint_order(&last->felt, &half->felt) == 0) {
            a->value[entries - 1] += half->conductance;
            continue;
        }
        a->column[entries] = find_column(mesh, &half->felt);
        a->value[entries] = half->conductance;
        a->first[a->n_rows] = ++entries;
    }
    for (int32_t i = 0; i < a->n_rows; ++i)
        for (int64_t k = a->first[i]; k < a->first[i + 1]; ++k)
            mesh->sum[i] += a->value[k];
}

/* The compartments that are felt, each once. */
static bosc_status list_columns(bosc_coupling_matrix *mesh, size_t n,
                                const bosc_coupling_end *halves,
                                bosc_error *err)
{
    bosc_endpoint *felt = bosc_alloc(n, sizeof *felt);
    size_t columns;

    if (felt == NULL)
        return bosc_no_memory(err, "the couplings");
    for (size_t i = 0; i < n; ++i)
        felt[i] = halves[i].felt;
    columns = bosc_endpoints_sort(felt, n);
    mesh->matrix.n_columns = (int32_t)columns;
    mesh->felt = bosc_alloc(columns, sizeof *mesh->felt);
    if (mesh->felt != NULL && columns > 0)
        memcpy(mesh->felt, felt, columns * sizeof *felt);
    free(felt);
    return mesh->felt != NULL ? BOSC_OK : bosc_no_memory(err, "the couplings");
}

/* Room for what n sorted halves make. */
static bosc_status alloc_mesh(bosc_coupling_matrix *mesh, size_t n,
                              const bosc_coupling_end *halves, bosc_error *err)
{
    bosc_sparse *a = &mesh->matrix;
    const size_t columns = (size_t)a->n_columns;
    size_t rows = 0, entries = 0;

    for (size_t i = 0; i < n; ++i) {
        const bool row = i == 0 || halves[i - 1].slot != halves[i].slot;

        rows += row;
        entries += row || bosc_endpoint_order(&halves[i - 1].felt,
                                              &halves[i].felt) != 0;
    }
    a->first = bosc_alloc(rows + 1, sizeof *a->first);
    a->column = bosc_alloc(entries, sizeof *a->column);
    a->value = bosc_alloc(entries, sizeof *a->value);
    mesh->slot = bosc_alloc(rows, sizeof *mesh->slot);
    mesh->sum = bosc_alloc(rows, sizeof *mesh->sum);
    mesh->push = bosc_alloc(rows, sizeof *mesh->push);
    mesh->y = bosc_alloc(rows, sizeof *mesh->y);
    mesh->from = bosc_alloc(columns, sizeof *mesh->from);
    mesh->x = bosc_alloc(columns, sizeof *mesh->x);
    if (a->first == NULL || a->column == NULL || a->value == NULL ||
        mesh->slot == NULL || mesh->sum == NULL || mesh->push == NULL ||
        mesh->y == NULL || mesh->from == NULL || mesh->x == NULL)
        return bosc_no_memory(err, "the couplings");
    return BOSC_OK;
}

bosc_status bosc_coupling_matrix_create(const bosc_coupling_spec *spec,
                                        size_t n, bosc_coupling_end *halves,
                                        bosc_coupling_matrix *out,
                                        bosc_error *err)
{
    bosc_sparse *a = &out->matrix;
    bosc_status st;

    *out = (bosc_coupling_matrix){.spec = spec};
    if (n > 0)
        qsort(halves, n, sizeof *halves, half_order);
    st = list_columns(out, n, halves, err);
    if (st == BOSC_OK)
        st = alloc_mesh(out, n, halves, err);
    if (st != BOSC_OK)
        return st;
    fill_matrix(out, n, halves);
    st = bosc_spmv_create(a, spec->format, false, &out->conductance, err);
    bosc_sparse_clear(a);
    return st;
}

bosc_bytes bosc_coupling_matrix_bytes(const bosc_coupling_size *size)
{
    const bosc_spmv_size *m = &size->matrix;
    const bosc_coupling_matrix mesh = {0};
    const double n = size->halves;
    const double matrix =
        (m->rows + 1) * sizeof *mesh.matrix.first +
        m->entries * (sizeof *mesh.matrix.column + sizeof *mesh.matrix.value);
    const double kept =
        m->rows * (sizeof *mesh.slot + sizeof *mesh.sum + sizeof *mesh.push +
                   sizeof *mesh.y) +
        m->columns * (sizeof *mesh.felt + sizeof *mesh.from + sizeof *mesh.x) +
        bosc_spmv_bytes(size->format, false, m);
    const double sorting = bosc_qsort_bytes(n, sizeof(bosc_coupling_end));
    const double listing =
        n * sizeof(bosc_endpoint) + bosc_qsort_bytes(n, sizeof(bosc_endpoint));

    return (bosc_bytes){kept, fmax(matrix, fmax(sorting, listing) - kept)};
}

void bosc_coupling_matrix_clear(bosc_coupling_matrix *mesh)
{
    bosc_sparse_clear(&mesh->matrix);
    bosc_spmv_clear(&mesh->conductance);
    free(mesh->slot);
    free(mesh->sum);
    free(mesh->felt);
    free(mesh->from);
    free(mesh->push);
    free(mesh->x);
    free(mesh->y);
    *mesh = (bosc_coupling_matrix){0};
}

/* --- a step --------------------------------------------------------------- */

/* How open a graded synapse is. */
static double opening(const bosc_coupling_spec *spec, double v)
{
    return 1 / (1 + bosc_exp((spec->half - v) / spec->slope));
}

static void take_voltages(const bosc_coupling_matrix *mesh, const double *v,
                          const double *arrived)
{
    const bool graded = mesh->spec->type == BOSC_COUPLING_GRADED;

    for (int32_t j = 0; j < mesh->conductance.n_columns; ++j) {
        const ptrdiff_t from = mesh->from[j];
        const double felt = from >= 0 ? v[from] : arrived[-1 - from];

        mesh->x[j] = graded ? opening(mesh->spec, felt) : felt;
    }
}

void bosc_coupling_matrix_push(const bosc_coupling_matrix *mesh,
                               const double *v, const double *arrived,
                               int threads, bosc_injection *push)
{
    const bool graded = mesh->spec->type == BOSC_COUPLING_GRADED;

    take_voltages(mesh, v, arrived);
    bosc_spmv_multiply(&mesh->conductance, mesh->x, mesh->y, threads);
    for (int32_t i = 0; i < mesh->conductance.n_rows; ++i) {
        bosc_injection *to = &push[mesh->push[i]];

        to->conductance = graded ? mesh->y[i] : mesh->sum[i];
        to->current = graded ? mesh->y[i] * mesh->spec->e : mesh->y[i];
    }
}
