/* tridiag.c - which solvers are measured, on which systems, and their table. */
#include "bench/tridiag/tridiag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/solve/bench.h"
#include "bench/solve/csv.h"
#include "config.h"
#include "src/base/mem.h"
#include "src/text/options.h"

enum {
    TOTAL = 1 << 20, /* rows of all systems together, unless asked for */
    FEWEST = 32,     /* systems */
    MOST_ROWS = 1 << 28
};

typedef bosc_gtsv_request request;

static const struct {
    const char *name, *backend;
    const bosc_gtsv_ops *ops;
    int variant;
} methods[] = {
    {"gtsv", "lapack", &bosc_gtsv_lapack, 0}, /* others are compared with it */
    {"flat", "cpu", &bosc_gtsv_cpu, BOSC_TRIDIAG_FLAT},
    {"interleaved", "cpu", &bosc_gtsv_cpu, BOSC_TRIDIAG_INTERLEAVED},
    {"unified", "cpu", &bosc_gtsv_cpu, BOSC_TRIDIAG_UNIFIED},
    {"cp", "cpu", &bosc_gtsv_cpu, BOSC_TRIDIAG_CP},
    {"ncp", "cpu", &bosc_gtsv_cpu, BOSC_TRIDIAG_NCP},
    {"sliced", "cpu", &bosc_gtsv_cpu, BOSC_TRIDIAG_SLICED},
    {"flat", "cuda", &bosc_gtsv_cuda, BOSC_TRIDIAG_FLAT},
    {"interleaved", "cuda", &bosc_gtsv_cuda, BOSC_TRIDIAG_INTERLEAVED},
    {"unified", "cuda", &bosc_gtsv_cuda, BOSC_TRIDIAG_UNIFIED},
    {"cp", "cuda", &bosc_gtsv_cuda, BOSC_TRIDIAG_CP},
    {"ncp", "cuda", &bosc_gtsv_cuda, BOSC_TRIDIAG_NCP},
    {"sliced", "cuda", &bosc_gtsv_cuda, BOSC_TRIDIAG_SLICED},
    {"gtsv2-strided", "cusparse", &bosc_gtsv_cusparse, -1},
    {"gtsv-interleaved-0", "cusparse", &bosc_gtsv_cusparse, 0},
    {"gtsv-interleaved-1", "cusparse", &bosc_gtsv_cusparse, 1},
    {"gtsv-interleaved-2", "cusparse", &bosc_gtsv_cusparse, 2},
};

static const struct {
    const char *name;
    const bosc_gtsv_ops *ops;
} backends[] = {
    {"cpu", &bosc_gtsv_cpu},
    {"lapack", &bosc_gtsv_lapack},
    {"cuda", &bosc_gtsv_cuda},
    {"cusparse", &bosc_gtsv_cusparse},
};

/* Some of the columns below. */
enum { MEDIAN = 3, LEAST, MOST, ERROR = 8, INDEX = 11, WORKSPACE, REPEATS };

static const bosc_bench_column columns[] = {
    {"rows", {"rows", "from"}, 6, NULL},
    {"rows_most", {"", "to"}, 6, NULL},
    {"systems", {"", "systems"}, 7, NULL},
    {"median_ms", {"median", "ms"}, 8, "%.4g"},
    {"least_ms", {NULL}, 0, NULL},
    {"most_ms", {NULL}, 0, NULL},
    {"ns_per_row", {"ns", "a row"}, 7, "%.3g"},
    {"over_lapack", {"over", "LAPACK"}, 6, "%.3g"},
    {"error", {"error", "of x"}, 8, "%.1e"},
    {"zero_pivots", {"zero", "pivots"}, 6, NULL},
    {"arrays_byte", {NULL}, 0, NULL},
    {"index_byte", {"index", "bytes"}, 9, NULL},
    {"workspace_byte", {"workspace", "bytes"}, 11, NULL},
    {"repeats", {NULL}, 0, NULL},
};

/* What is measured: the title names matrix and precision for people, and a
 * column for programs. */
typedef struct table {
    bosc_bench_table table;
    char what[40];
    bool has[BOSC_LEN(backends)]; /* is there, and asked for */
} table;

/* The systems of one size: "512", or "256-512". */
typedef struct sizes {
    int32_t n, least, most;
} sizes;

/* ---- one method ---- */

typedef struct timing {
    const bosc_gtsv_ops *ops;
    void *solver;
} timing;

static bosc_status solve_once(void *of, double *seconds, bosc_error *err)
{
    const timing *t = of;

    return t->ops->solve(t->solver, seconds, err);
}

/* values[BOSC_LEN(columns)] of method m; *lapack is the time of LAPACK, and is
 * set by that. */
static bosc_status measure(const request *r, size_t m, const bosc_chains *on,
                           double *lapack, double *values, bosc_error *err)
{
    const bosc_gtsv_ops *ops = methods[m].ops;
    timing t = {ops, NULL};
    double *x = bosc_alloc(on->first[on->n], sizeof *x);
    bosc_spread seconds;
    int32_t n_zero = 0;
    int repeats = 0;
    bosc_status st =
        x == NULL ? bosc_no_memory(err, "solutions")
                  : ops->create(methods[m].variant, on, r, &t.solver, err);

    if (st == BOSC_OK)
        st =
            bosc_bench_time(solve_once, &t, r->repeat, &seconds, &repeats, err);
    if (st == BOSC_OK)
        st = ops->fetch(t.solver, x, &n_zero, err);
    if (st == BOSC_OK) {
        const bosc_gtsv_bytes bytes = ops->bytes(t.solver);

        if (ops == &bosc_gtsv_lapack)
            *lapack = seconds.median;
        memcpy(values,
               (const double[BOSC_LEN(columns)]){
                   on->least,
                   on->most,
                   on->n,
                   1e3 * seconds.median,
                   1e3 * seconds.least,
                   1e3 * seconds.most,
                   1e9 * seconds.median / (double)on->first[on->n],
                   *lapack / seconds.median,
                   bosc_chains_error(on, x),
                   n_zero,
                   bytes.arrays,
                   bytes.index,
                   bytes.workspace,
                   repeats,
               },
               sizeof columns / sizeof *columns * sizeof *values);
    }
    if (t.solver != NULL)
        ops->destroy(t.solver);
    free(x);
    return st;
}

static bool is_measured(const request *r, const table *t, size_t m)
{
    for (size_t b = 0; b < BOSC_LEN(backends); ++b)
        if (backends[b].ops == methods[m].ops && !t->has[b])
            return false;
    return bosc_csv_has(r->methods, "all") ||
           bosc_csv_has(r->methods, methods[m].name);
}

/* For whoever wants all rows: the shape names matrix and rows, as in
 * "laplace:512". */
static bosc_status keep_row(const request *r, bosc_chain_matrix matrix,
                            const bosc_chains *on, bosc_bench_row *row,
                            const double *values, bosc_error *err)
{
    char shape[40];

    if (r->sink == NULL)
        return BOSC_OK;
    snprintf(shape, sizeof shape, on->least < on->most ? "%s:%d-%d" : "%s:%d",
             bosc_chain_matrices[matrix], (int)on->least, (int)on->most);
    row->neurons = on->n;
    row->facts.compartments = row->facts.slots = (int64_t)on->first[on->n];
    row->facts.memory = values[INDEX] + values[WORKSPACE];
    row->seconds = (bosc_spread){1e-3 * values[MEDIAN], 1e-3 * values[LEAST],
                                 1e-3 * values[MOST]};
    row->repeats = (int)values[REPEATS];
    row->residual = values[ERROR];
    return r->sink->take(r->sink->of, shape, on->single ? "fp32" : "fp64", row,
                         err);
}

/* All methods on the same systems.  One that cannot solve them, or for which
 * there is no memory, has a row that says why. */
static bosc_status measure_size(const request *r, const table *t,
                                bosc_chain_matrix matrix, bool single,
                                const sizes *size, bosc_error *err)
{
    bosc_chains on;
    bosc_status st = bosc_chains_create(matrix, single, size->n, size->least,
                                        size->most, &on, err);
    double lapack = 0;

    if (st != BOSC_OK)
        return st;
    for (size_t m = 0; m < BOSC_LEN(methods) && st == BOSC_OK; ++m) {
        bosc_bench_row row = {.method = methods[m].name,
                              .backend = methods[m].backend};
        double values[BOSC_LEN(columns)] = {size->least};
        bosc_error why = {""};

        if (!is_measured(r, t, m))
            continue;
        if (measure(r, m, &on, &lapack, values, &why) == BOSC_OK)
            why.text[0] = '\0';
        bosc_bench_table_row(&t->table, r->tsv, methods[m].name,
                             methods[m].backend, why.text, values);
        snprintf(row.why, sizeof row.why, "%.190s", why.text);
        st = keep_row(r, matrix, &on, &row, values, err);
    }
    bosc_chains_clear(&on);
    return st;
}

/* ---- all of them ---- */

/* Word k of --rows; *more is false past the last. */
static bosc_status size_at(const request *r, int k, sizes *out, bool *more,
                           bosc_error *err)
{
    int64_t least = 0, most = 0, n = r->systems;
    char word[64];
    bosc_status st;

    *more = bosc_csv_at(r->rows, k, word, sizeof word);
    if (!*more)
        return BOSC_OK;

    char *dash = strchr(word, '-');

    if (dash != NULL)
        *dash = '\0';
    st = bosc_option_whole("rows", word, 1, MOST_ROWS, &least, err);
    most = least;
    if (st == BOSC_OK && dash != NULL)
        st = bosc_option_whole("rows", dash + 1, (double)least, MOST_ROWS,
                               &most, err);
    if (st != BOSC_OK)
        return st;
    if (n == 0)
        n = 2 * (int64_t)TOTAL / (least + most);
    if (r->systems == 0 && n < FEWEST)
        n = FEWEST;
    *out = (sizes){(int32_t)n, (int32_t)least, (int32_t)most};
    return BOSC_OK;
}

static bosc_status measure_matrix(const request *r, table *t,
                                  bosc_chain_matrix matrix, bool single,
                                  bosc_error *err)
{
    bosc_status st = BOSC_OK;
    bool more = true;

    snprintf(t->what, sizeof t->what, "%s\t%s", bosc_chain_matrices[matrix],
             single ? "fp32" : "fp64");
    if (!r->tsv) {
        printf("\n%s, %s\n", bosc_chain_matrices[matrix],
               single ? "fp32" : "fp64");
        bosc_bench_table_titles(&t->table, false);
    }
    for (int k = 0; st == BOSC_OK && more; ++k) {
        sizes size;

        st = size_at(r, k, &size, &more, err);
        if (st == BOSC_OK && more)
            st = measure_size(r, t, matrix, single, &size, err);
    }
    return st;
}

/* Which backends are there; one that is named must be. */
static bosc_status find_backends(const request *r, table *t, bosc_error *err)
{
    for (size_t b = 0; b < BOSC_LEN(backends); ++b) {
        const bool named = bosc_csv_has(r->backends, backends[b].name);
        bosc_error why = {""};

        if (!named && !bosc_csv_has(r->backends, "all"))
            continue;
        if (backends[b].ops->available(r, &why) == BOSC_OK)
            t->has[b] = true;
        else if (named)
            return bosc_fail(err, BOSC_ENOSUP, "--backend %s: %s",
                             backends[b].name, why.text);
        else
            bosc_bench_print_note(r->tsv ? "# " : "  ", "without %s: %s",
                                  backends[b].name, why.text);
    }
    return BOSC_OK;
}

static bosc_status check_words(const request *r, bosc_error *err)
{
    static const char *const matrices[] = {"all", "dominant", "laplace",
                                           "random"};
    static const char *const precisions[] = {"fp64", "fp32"};
    static const char *const names[] = {"all", "cpu", "lapack", "cuda",
                                        "cusparse"};
    const char *known[BOSC_LEN(methods) + 1] = {"all"};
    sizes size;
    bool more = true;
    bosc_status st = bosc_bench_check_words("matrix", r->matrices,
                                            BOSC_LEN(matrices), matrices, err);

    for (size_t m = 0; m < BOSC_LEN(methods); ++m)
        known[m + 1] = methods[m].name;
    if (st == BOSC_OK)
        st = bosc_bench_check_words("precision", r->precision,
                                    BOSC_LEN(precisions), precisions, err);
    if (st == BOSC_OK)
        st = bosc_bench_check_words("backend", r->backends, BOSC_LEN(names),
                                    names, err);
    if (st == BOSC_OK)
        st = bosc_bench_check_words("method", r->methods, BOSC_LEN(known),
                                    known, err);
    for (int k = 0; st == BOSC_OK && more; ++k)
        st = size_at(r, k, &size, &more, err);
    return st;
}

static void print_machine(const request *r)
{
    const char *mark = r->tsv ? "# " : "  ";

    printf("%s%s: tridiagonal systems\n", r->tsv ? "# " : "", PACKAGE_STRING);
    for (int k = 0; bosc_backends[k] != NULL; ++k) {
        const bosc_backend *backend = bosc_backends[k];
        char name[160];

        if (backend->processor == NULL || backend->along != NULL ||
            bosc_backend_available(backend, NULL) != BOSC_OK)
            continue;
        backend->processor->name(name, sizeof name);
        bosc_bench_print_note(mark, "%s: %s", backend->on_gpu ? "GPU" : "host",
                              name);
    }
    bosc_bench_print_note(mark, "threads: %d", r->threads);
}

bosc_status bosc_bench_tridiag(request *r, bosc_error *err)
{
    table t = {.table = {.first = "method",
                         .width = 18,
                         .of = {"matrix\tprecision", t.what},
                         .n = BOSC_LEN(columns),
                         .columns = columns}};
    bosc_status st = check_words(r, err);

    if (st == BOSC_OK)
        st = bosc_bench_threads(&r->threads, err);
    if (st != BOSC_OK)
        return st;
    if (r->sink == NULL)
        print_machine(r);
    st = find_backends(r, &t, err);
    if (st == BOSC_OK && r->tsv)
        bosc_bench_table_titles(&t.table, true);
    for (int m = 0; m < BOSC_MATRICES; ++m)
        for (int single = 0; single < 2; ++single)
            if (st == BOSC_OK &&
                (bosc_csv_has(r->matrices, "all") ||
                 bosc_csv_has(r->matrices, bosc_chain_matrices[m])) &&
                bosc_csv_has(r->precision, single ? "fp32" : "fp64"))
                st = measure_matrix(r, &t, (bosc_chain_matrix)m, single, err);
    return st;
}
