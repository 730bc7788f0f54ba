#include "src/bench/bench_matrix.h"

#include <math.h>
#include <unistd.h>

#include "src/base/mem.h"

/* Random numbers of one row: splitmix64 (Steele, Lea and Flood, 2014). */
static double next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static uint64_t start_of(int32_t row)
{
    return (uint64_t)(row + 1) * 0xd1342543de82ef95u;
}

/* The columns of a row, ascending, into 'column' where that is not NULL; how
 * many these are.  Of those left, each wanted one is as likely as any. */
static int32_t fill_row(int32_t n, const bosc_bench_filling *filling,
                        int32_t row, int32_t *column)
{
    uint64_t state = start_of(row);
    int32_t found = 0;

    for (int32_t j = 0; j < n; ++j) {
        const double chance = filling->row > 0
                                  ? (double)(filling->row - found) / (n - j)
                                  : filling->density;

        if (next(&state) >= chance)
            continue;
        if (column != NULL)
            column[found] = j;
        ++found;
    }
    return found;
}

/* The matrix, its largest format and one on a device or in another precision
 * are there at once. */
static bosc_status check_memory(int32_t n, const bosc_bench_filling *filling,
                                bosc_error *err)
{
    const double entries =
        (double)n * (filling->row > 0 ? filling->row : filling->density * n);
    const double bytes = 3 * entries * 12;
    const double there =
        (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE);

    if (bytes <= there)
        return BOSC_OK;
    return bosc_fail(err, BOSC_ENOMEM,
                     "a matrix of %d rows with %.3g entries needs about %.3g "
                     "GB, this machine has %.3g GB; take fewer",
                     n, entries, 1e-9 * bytes, 1e-9 * there);
}

static bosc_status count_rows(int32_t n, const bosc_bench_filling *filling,
                              bosc_sparse *out, bosc_error *err)
{
    out->first = bosc_alloc((size_t)n + 1, sizeof *out->first);
    if (out->first == NULL)
        return bosc_no_memory(err, "a matrix");
#pragma omp parallel for schedule(dynamic, 16)
    for (int32_t i = 0; i < n; ++i)
        out->first[i + 1] = fill_row(n, filling, i, NULL);
    for (int32_t i = 0; i < n; ++i)
        out->first[i + 1] += out->first[i];
    return BOSC_OK;
}

bosc_status bosc_bench_matrix_create(int32_t n,
                                     const bosc_bench_filling *filling,
                                     bosc_sparse *out, bosc_error *err)
{
    bosc_status st;

    *out = (bosc_sparse){.n_rows = n, .n_columns = n};
    st = check_memory(n, filling, err);
    if (st == BOSC_OK)
        st = count_rows(n, filling, out, err);
    if (st == BOSC_OK) {
        out->column = bosc_alloc((size_t)out->first[n], sizeof *out->column);
        out->value = bosc_alloc((size_t)out->first[n], sizeof *out->value);
        if (out->column == NULL || out->value == NULL)
            st = bosc_no_memory(err, "a matrix");
    }
    if (st != BOSC_OK) {
        bosc_sparse_clear(out);
        return st;
    }
#pragma omp parallel for schedule(dynamic, 16)
    for (int32_t i = 0; i < n; ++i) {
        uint64_t state = ~start_of(i);

        fill_row(n, filling, i, out->column + out->first[i]);
        for (int64_t k = out->first[i]; k < out->first[i + 1]; ++k)
            out->value[k] = 1e-3 * next(&state);
    }
    return BOSC_OK;
}

void bosc_bench_vector(int32_t n, double *x)
{
    uint64_t state = 1;

    for (int32_t j = 0; j < n; ++j)
        x[j] = 130 * next(&state) - 90;
}

static double error_of_row(const bosc_sparse *a, int32_t i, const double *x,
                           double y, bool single)
{
    long double sum = 0, size = 0;

    for (int64_t k = a->first[i]; k < a->first[i + 1]; ++k) {
        const double value = a->value[k], xj = x[a->column[k]];
        const long double term = single ? (long double)(float)value * (float)xj
                                        : (long double)value * xj;

        sum += term;
        size += fabsl(term);
    }
    return size > 0 ? (double)(fabsl(sum - y) / size) : fabs(y);
}

double bosc_bench_product_error(const bosc_sparse *a, const double *x,
                                const double *y, bool single)
{
    double worst = 0;

#pragma omp parallel for reduction(max : worst)
    for (int32_t i = 0; i < a->n_rows; ++i) {
        const double error = error_of_row(a, i, x, y[i], single);

        /* no comparison is true of what is not a number */
        worst = error <= worst ? worst : error;
    }
    return worst;
}
