/* bench_spmv.c - 'bosc-bench spmv': the product that couplings need at every
 * step, in all formats on all devices.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/solve/bench.h"
#include "bench/solve/csv.h"
#include "config.h"
#include "src/base/mem.h"
#include "src/text/number.h"
#include "src/text/options.h"

enum { MOST_NEURONS = 200000 };

typedef bosc_bench_request request;

static const bosc_bench_column columns[] = {
    {"neurons", {"", "neurons"}, 8, "%.0f"},
    {"density_percent", {"density", "%"}, 7, "%.3g"},
    {"mean_row", {"entries", "a row"}, 8, "%.1f"},
    {"median_ms", {"median", "ms"}, 9, "%.4g"},
    {"least_ms", {NULL}, 0, NULL},
    {"most_ms", {NULL}, 0, NULL},
    {"GFLOP_per_s", {"", "GFLOP/s"}, 7, "%.4g"},
    {"traffic_GB_per_s", {NULL}, 0, NULL},
    {"of_copy_bandwidth", {"of", "copy"}, 5, "%.2f"},
    {"memory_MB", {"matrix", "MB"}, 8, "%.4g"},
    {"error", {NULL}, 0, NULL},
    {"repeats", {NULL}, 0, NULL},
};

static const bosc_bench_table table = {.first = "format",
                                       .width = 8,
                                       .plain = true,
                                       .n = BOSC_LEN(columns),
                                       .columns = columns};

/* ---- matrices ---- */

/* What to make: an entry with this probability, or where 'row' is not 0 so many
 * in each row. */
typedef struct filling {
    double density;
    int32_t row;
} filling;

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
static int32_t fill_row(int32_t n, const filling *how, int32_t row,
                        int32_t *column)
{
    uint64_t state = start_of(row);
    int32_t found = 0;

    for (int32_t j = 0; j < n; ++j) {
        const double chance =
            how->row > 0 ? (double)(how->row - found) / (n - j) : how->density;

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
static bosc_status check_memory(int32_t n, const filling *how, bosc_error *err)
{
    const double entries =
        (double)n * (how->row > 0 ? how->row : how->density * n);
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

/* A random matrix of n rows and columns, always the same one; in parallel.
 * BOSC_ENOMEM, also when the machine has too little memory for it and for its
 * formats.  *out is to be cleared, whatever is returned. */
static bosc_status create_matrix(int32_t n, const filling *how,
                                 bosc_sparse *out, bosc_error *err)
{
    bosc_status st = check_memory(n, how, err);

    *out = (bosc_sparse){.n_rows = n, .n_columns = n};
    if (st == BOSC_OK)
        st = BOSC_ALLOC(err, "a matrix", BOSC_ARRAY(out->first, n + 1));
    if (st != BOSC_OK)
        return st;
#pragma omp parallel for schedule(dynamic, 16)
    for (int32_t i = 0; i < n; ++i)
        out->first[i + 1] = fill_row(n, how, i, NULL);
    for (int32_t i = 0; i < n; ++i)
        out->first[i + 1] += out->first[i];
    st = BOSC_ALLOC(err, "a matrix", BOSC_ARRAY(out->column, out->first[n]),
                    BOSC_ARRAY(out->value, out->first[n]));
    if (st != BOSC_OK)
        return st;
#pragma omp parallel for schedule(dynamic, 16)
    for (int32_t i = 0; i < n; ++i) {
        uint64_t state = ~start_of(i);

        fill_row(n, how, i, out->column + out->first[i]);
        for (int64_t k = out->first[i]; k < out->first[i + 1]; ++k)
            out->value[k] = 1e-3 * next(&state);
    }
    return BOSC_OK;
}

/* x[n], from -90 to 40. */
static void fill_vector(int32_t n, double *x)
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

/* The largest error of y = A x: of each row relative to the sum of the
 * magnitudes of its terms.  'single': the matrix and x have been rounded to
 * float.  In parallel. */
static double product_error(const bosc_sparse *a, const double *x,
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

/* ---- one product ---- */

/* A matrix and its vector. */
typedef struct given {
    bosc_sparse a;
    double *x;
} given;

/* What is timed. */
typedef struct multiplying {
    const bosc_product_ops *ops;
    bosc_product *product;
} multiplying;

static bosc_status multiply_once(void *of, double *seconds, bosc_error *err)
{
    const multiplying *m = of;

    return m->ops->multiply(m->product, seconds, err);
}

/* For whoever wants all rows: the shape is the density in per cent. */
static bosc_status keep_row(const request *q, const given *of,
                            const bosc_bench_row *row, bosc_error *err)
{
    const double n = of->a.n_rows;
    char shape[32];

    snprintf(shape, sizeof shape, "%.3g %%",
             100 * (double)row->facts.compartments / (n * n));
    return q->sink == NULL
               ? BOSC_OK
               : q->sink->take(q->sink->of, shape,
                               q->solver.single ? "fp32" : "fp64", row, err);
}

/* A matrix, as it is given and in a format, on one device. */
static bosc_status measure(const request *q, const bosc_backend *backend,
                           double bandwidth, const given *of,
                           const bosc_spmv *a, bosc_error *err)
{
    const bosc_product_ops *ops = backend->products;
    const bool single = q->solver.single;
    double *y = bosc_alloc((size_t)a->n_rows, sizeof *y);
    bosc_product *product = NULL;
    bosc_spread seconds;
    int repeats;
    bosc_status st = y == NULL
                         ? bosc_no_memory(err, "a vector")
                         : ops->create(a, q->solver.threads, &product, err);

    if (st == BOSC_OK)
        st = ops->load(product, of->x, err);
    if (st == BOSC_OK)
        st = bosc_bench_time(multiply_once, &(multiplying){ops, product},
                             q->repeat, &seconds, &repeats, err);
    if (st == BOSC_OK)
        st = ops->fetch(product, y, err);
    if (st == BOSC_OK) {
        const double n = a->n_rows, entries = (double)of->a.first[a->n_rows];
        const double moved = a->bytes + 2 * n * (single ? 4 : 8);
        const double traffic = 1e-9 * moved / seconds.median;
        const double error = product_error(&of->a, of->x, y, single);

        st = keep_row(
            q, of,
            &(bosc_bench_row){
                .method = bosc_spmv_format_names[a->format],
                .backend = backend->name,
                .neurons = a->n_rows,
                .facts = {(int64_t)entries, (int64_t)entries, moved, a->bytes},
                .seconds = seconds,
                .repeats = repeats,
                .bandwidth = bandwidth,
                .residual = error,
            },
            err);
        bosc_bench_table_row(&table, q->tsv, bosc_spmv_format_names[a->format],
                             backend->name, "",
                             (const double[BOSC_LEN(columns)]){
                                 n,
                                 100 * entries / (n * n),
                                 entries / n,
                                 1e3 * seconds.median,
                                 1e3 * seconds.least,
                                 1e3 * seconds.most,
                                 2e-9 * entries / seconds.median,
                                 traffic,
                                 1e9 * traffic / bandwidth,
                                 1e-6 * a->bytes,
                                 error,
                                 repeats,
                             });
    }
    ops->destroy(product);
    free(y);
    return st;
}

static bosc_status measure_format(const request *q, const bosc_bench_plan *on,
                                  const given *of, bosc_spmv_format format,
                                  bosc_error *err)
{
    bosc_spmv a;
    bosc_status st =
        bosc_spmv_create(&of->a, format, q->solver.single, &a, err);

    for (int i = 0; i < on->n && st == BOSC_OK; ++i) {
        const bosc_bench_entry *at = &on->entry[i];

        if ((at->backend->products->formats & 1u << format) != 0)
            st = measure(q, at->backend, on->device[at->device].bandwidth, of,
                         &a, err);
    }
    bosc_spmv_clear(&a);
    return st;
}

static bosc_status measure_matrix(const request *q, const bosc_bench_plan *on,
                                  int32_t n, const filling *how,
                                  bosc_error *err)
{
    given of = {.x = bosc_alloc((size_t)n, sizeof *of.x)};
    bosc_status st = of.x == NULL ? bosc_no_memory(err, "a vector")
                                  : create_matrix(n, how, &of.a, err);

    if (st == BOSC_OK)
        fill_vector(n, of.x);
    for (int f = BOSC_SPMV_CSR; f < BOSC_N_SPMV_FORMATS && st == BOSC_OK; ++f)
        if (bosc_csv_has(q->format, "all") ||
            bosc_csv_has(q->format, bosc_spmv_format_names[f]))
            st = measure_format(q, on, &of, (bosc_spmv_format)f, err);
    bosc_sparse_clear(&of.a);
    free(of.x);
    return st;
}

/* ---- all of them ---- */

static bosc_status read_density(const char *text, double *out, bosc_error *err)
{
    const char *end = strchr(text, '\0');

    if (bosc_number_parse(text, end, out) == end && *out > 0 && *out <= 100) {
        *out /= 100;
        return BOSC_OK;
    }
    return bosc_fail(err, BOSC_EUSAGE,
                     "--density %s: not a number of per cent, more than 0 and "
                     "at most 100",
                     text);
}

/* Number k of the densities, or of the entries a row; *more is false past the
 * last. */
static bosc_status filling_at(const request *q, int k, filling *out, bool *more,
                              bosc_error *err)
{
    char word[32];
    int64_t entries = 0;
    bosc_status st;

    *out = (filling){0};
    *more =
        bosc_csv_at(q->row != NULL ? q->row : q->density, k, word, sizeof word);
    if (!*more)
        return BOSC_OK;
    if (q->row == NULL)
        return read_density(word, &out->density, err);
    st = bosc_option_whole("row", word, 1, MOST_NEURONS, &entries, err);
    out->row = (int32_t)entries;
    return st;
}

/* All matrices; 'on' NULL: only read the options. */
static bosc_status each_matrix(const request *q, const bosc_bench_plan *on,
                               bosc_error *err)
{
    filling how;
    bosc_status st = BOSC_OK;
    bool more;

    for (int size = 0; st == BOSC_OK && size < q->n_sizes; ++size)
        for (int k = 0; st == BOSC_OK; ++k) {
            const int32_t n = q->sizes[size];

            st = filling_at(q, k, &how, &more, err);
            if (st != BOSC_OK || !more)
                break;
            if (how.row > n)
                return bosc_fail(err, BOSC_EUSAGE,
                                 "--row %d: there are only %d neurons", how.row,
                                 n);
            if (on != NULL)
                st = measure_matrix(q, on, n, &how, err);
        }
    return st;
}

bosc_status bosc_bench_spmv(request *q, bosc_error *err)
{
    static const int32_t standard[] = {1000, 5000, 10000};
    const char *formats[BOSC_N_SPMV_FORMATS] = {"all"};
    const char *mark = q->tsv ? "# " : "";
    bosc_bench_plan on;
    bosc_status st;

    for (int f = BOSC_SPMV_CSR; f < BOSC_N_SPMV_FORMATS; ++f)
        formats[f] = bosc_spmv_format_names[f];
    if (q->n_sizes == 0) {
        q->n_sizes = BOSC_LEN(standard);
        memcpy(q->sizes, standard, sizeof standard);
    }
    st = bosc_bench_check_words("format", q->format, BOSC_LEN(formats), formats,
                                err);
    if (st == BOSC_OK)
        st = each_matrix(q, NULL, err);
    if (st == BOSC_OK)
        st = bosc_bench_plan_create(q, BOSC_BENCH_MULTIPLIES, &on, err);
    if (st != BOSC_OK)
        return st;
    if (q->sink == NULL) {
        printf("%s%s: sparse matrices times vectors, %s\n", mark,
               PACKAGE_STRING, q->solver.single ? "fp32" : "fp64");
        bosc_bench_print_machine(&on, q, q->tsv ? mark : "  ");
    }
    bosc_bench_table_titles(&table, q->tsv);
    return each_matrix(q, &on, err);
}
