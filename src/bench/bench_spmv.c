/* bench_spmv.c - 'bosc bench spmv': the product that couplings need at every
 * step, in all formats on all devices.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "src/base/mem.h"
#include "src/bench/bench.h"
#include "src/bench/bench_matrix.h"
#include "src/text/csv.h"
#include "src/text/number.h"
#include "src/text/options.h"

enum { MOST_NEURONS = 200000 };

typedef bosc_bench_request request;

/* A device, and what its memory can do. */
typedef struct place {
    const bosc_backend *backend;
    double bandwidth; /* bytes/s of a copy, read plus written */
} place;

typedef struct places {
    int n;
    place place[BOSC_BENCH_DEVICES];
} places;

/* A format on a device, for one matrix. */
typedef struct row {
    const char *format, *backend;
    double bandwidth, neurons, entries, bytes, vectors; /* bytes */
    bosc_spread seconds;
    int repeats;
    double error;
} row;

/* --- the table -------------------------------------------------------------
 */

static double neurons(const row *r)
{
    return r->neurons;
}

static double density(const row *r)
{
    return 100 * r->entries / (r->neurons * r->neurons);
}

static double mean_row(const row *r)
{
    return r->entries / r->neurons;
}

static double median(const row *r)
{
    return 1e3 * r->seconds.median;
}

static double least(const row *r)
{
    return 1e3 * r->seconds.least;
}

static double most(const row *r)
{
    return 1e3 * r->seconds.most;
}

static double rate(const row *r)
{
    return 2e-9 * r->entries / r->seconds.median;
}

static double traffic(const row *r)
{
    return 1e-9 * (r->bytes + r->vectors) / r->seconds.median;
}

static double of_copy(const row *r)
{
    return 1e9 * traffic(r) / r->bandwidth;
}

static double memory(const row *r)
{
    return 1e-6 * r->bytes;
}

static double error(const row *r)
{
    return r->error;
}

static double repeats(const row *r)
{
    return r->repeats;
}

static const struct {
    const char *name;     /* for programs */
    const char *title[2]; /* for people; NULL: not shown to them */
    int width;
    double (*value)(const row *r);
    const char *format;
} columns[] = {
    {"neurons", {"", "neurons"}, 8, neurons, "%.0f"},
    {"density_percent", {"density", "%"}, 7, density, "%.3g"},
    {"mean_row", {"entries", "a row"}, 8, mean_row, "%.1f"},
    {"median_ms", {"median", "ms"}, 9, median, "%.4g"},
    {"least_ms", {NULL, NULL}, 0, least, "%.4g"},
    {"most_ms", {NULL, NULL}, 0, most, "%.4g"},
    {"GFLOP_per_s", {"", "GFLOP/s"}, 7, rate, "%.4g"},
    {"traffic_GB_per_s", {NULL, NULL}, 0, traffic, "%.4g"},
    {"of_copy_bandwidth", {"of", "copy"}, 5, of_copy, "%.2f"},
    {"memory_MB", {"matrix", "MB"}, 8, memory, "%.4g"},
    {"error", {NULL, NULL}, 0, error, "%.1e"},
    {"repeats", {NULL, NULL}, 0, repeats, "%.0f"},
};

static void print_titles(bool tsv)
{
    for (int line = tsv ? 1 : 0; line < 2; ++line) {
        printf(tsv ? "%s\t%s" : "%-8s %-8s", line == 0 ? "" : "format",
               line == 0 ? "" : "backend");
        for (size_t k = 0; k < BOSC_LEN(columns); ++k)
            if (tsv)
                printf("\t%s", columns[k].name);
            else if (columns[k].width > 0)
                printf(" %*s", columns[k].width, columns[k].title[line]);
        putchar('\n');
    }
}

static void print_row(const row *r, bool tsv)
{
    char text[32];

    printf(tsv ? "%s\t%s" : "%-8s %-8s", r->format, r->backend);
    for (size_t k = 0; k < BOSC_LEN(columns); ++k) {
        const double value = columns[k].value(r);

        snprintf(text, sizeof text, columns[k].format, value);
        if (tsv)
            printf("\t%.9g", value);
        else if (columns[k].width > 0)
            printf(" %*s", columns[k].width, text);
    }
    putchar('\n');
    fflush(stdout); /* the next one may take a while */
}

/* --- one product -----------------------------------------------------------
 */

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

/* A matrix, as it is given and in a format, on one device. */
static bosc_status measure(const request *q, const place *at,
                           const bosc_sparse *given, const bosc_spmv *a,
                           const double *x, row *out, bosc_error *err)
{
    const bosc_product_ops *ops = at->backend->products;
    double *y = bosc_alloc((size_t)a->n_rows, sizeof *y);
    bosc_product *product = NULL;
    bosc_status st = y == NULL
                         ? bosc_no_memory(err, "a vector")
                         : ops->create(a, q->solver.threads, &product, err);

    if (st == BOSC_OK)
        st = ops->load(product, x, err);
    if (st == BOSC_OK)
        st = bosc_bench_time(multiply_once, &(multiplying){ops, product},
                             q->repeat, &out->seconds, &out->repeats, err);
    if (st == BOSC_OK)
        st = ops->fetch(product, y, err);
    if (st == BOSC_OK)
        out->error = bosc_bench_product_error(given, x, y, q->solver.single);
    ops->destroy(product);
    free(y);
    return st;
}

static bosc_status measure_format(const request *q, const places *on,
                                  const bosc_sparse *given,
                                  bosc_spmv_format format, const double *x,
                                  bosc_error *err)
{
    bosc_spmv a;
    bosc_status st = bosc_spmv_create(given, format, q->solver.single, &a, err);

    for (int i = 0; i < on->n && st == BOSC_OK; ++i) {
        const place *at = &on->place[i];
        row r = {
            .format = bosc_spmv_format_names[format],
            .backend = at->backend->name,
            .bandwidth = at->bandwidth,
            .neurons = a.n_rows,
            .entries = (double)given->first[given->n_rows],
            .bytes = a.bytes,
            .vectors = 2. * a.n_rows * (q->solver.single ? 4 : 8),
        };

        if ((at->backend->products->formats & 1u << format) == 0)
            continue;
        st = measure(q, at, given, &a, x, &r, err);
        if (st == BOSC_OK)
            print_row(&r, q->tsv);
    }
    bosc_spmv_clear(&a);
    return st;
}

static bosc_status measure_matrix(const request *q, const places *on, int32_t n,
                                  const bosc_bench_filling *filling,
                                  bosc_error *err)
{
    bosc_sparse given;
    double *x = bosc_alloc((size_t)n, sizeof *x);
    bosc_status st = x == NULL
                         ? bosc_no_memory(err, "a vector")
                         : bosc_bench_matrix_create(n, filling, &given, err);

    if (st == BOSC_OK) {
        bosc_bench_vector(n, x);
        for (int f = BOSC_SPMV_CSR; f < BOSC_N_SPMV_FORMATS && st == BOSC_OK;
             ++f)
            if (bosc_csv_has(q->format, "all") ||
                bosc_csv_has(q->format, bosc_spmv_format_names[f]))
                st = measure_format(q, on, &given, (bosc_spmv_format)f, x, err);
        bosc_sparse_clear(&given);
    }
    free(x);
    return st;
}

/* --- all of them -----------------------------------------------------------
 */

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
static bosc_status filling_at(const request *q, int k, bosc_bench_filling *out,
                              bool *more, bosc_error *err)
{
    char word[32];
    int64_t entries = 0;
    bosc_status st;

    *out = (bosc_bench_filling){0};
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

/* With n neurons; 'measuring' false: only read the options. */
static bosc_status each_filling(const request *q, const places *on, int32_t n,
                                bool measuring, bosc_error *err)
{
    bosc_bench_filling filling;
    bosc_status st = BOSC_OK;
    bool more = true;

    for (int k = 0; st == BOSC_OK; ++k) {
        st = filling_at(q, k, &filling, &more, err);
        if (st != BOSC_OK || !more)
            break;
        if (filling.row > n)
            return bosc_fail(err, BOSC_EUSAGE,
                             "--row %d: there are only %d neurons", filling.row,
                             n);
        if (measuring)
            st = measure_matrix(q, on, n, &filling, err);
    }
    return st;
}

static bosc_status each_size(const request *q, const places *on, bool measuring,
                             bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int k = 0; st == BOSC_OK && k < q->n_sizes; ++k)
        st = each_filling(q, on, q->sizes[k], measuring, err);
    return st;
}

/* --- devices ---------------------------------------------------------------
 */

/* What a backend runs on; the bandwidth is measured once a processor. */
static bosc_status describe(const request *q, const places *on, place *at,
                            bosc_error *err)
{
    const bosc_processor *processor = at->backend->processor;
    const bool is_host = on->n == 0;
    char name[160];
    bosc_status st;

    if (!is_host && on->place[on->n - 1].backend->processor == processor) {
        at->bandwidth = on->place[on->n - 1].bandwidth;
        return BOSC_OK;
    }
    st = processor->bandwidth(q->solver.threads, &at->bandwidth, err);
    if (st != BOSC_OK)
        return st;
    processor->name(name, sizeof name);
    bosc_bench_print_device(q->tsv ? "# " : "  ",
                            is_host ? "host" : at->backend->name, name,
                            is_host ? q->solver.threads : 0, at->bandwidth);
    return BOSC_OK;
}

static bosc_status add_place(const request *q, const bosc_backend *backend,
                             places *on, bosc_error *err)
{
    place *at = &on->place[on->n];
    bosc_status st = bosc_backend_available(backend, err);

    if (st == BOSC_ENOSUP && !bosc_csv_has(q->backends, backend->name)) {
        bosc_bench_print_note(q->tsv ? "# " : "  ", "%s: %s", backend->name,
                              err->text);
        return BOSC_OK;
    }
    *at = (place){backend, 0};
    if (st == BOSC_OK)
        st = describe(q, on, at, err);
    on->n += st == BOSC_OK;
    return st;
}

static bosc_status add_places(const request *q, places *on, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int i = 0; bosc_backends[i] != NULL && st == BOSC_OK; ++i)
        if (bosc_backends[i]->multiplies &&
            bosc_bench_is_chosen(q->backends, bosc_backends[i]))
            st = add_place(q, bosc_backends[i], on, err);
    return st;
}

/* --- the command line ------------------------------------------------------
 */

static bosc_status check_request(const request *q, bosc_error *err)
{
    const char *formats[BOSC_N_SPMV_FORMATS] = {"all"};
    bosc_status st;

    for (int f = BOSC_SPMV_CSR; f < BOSC_N_SPMV_FORMATS; ++f)
        formats[f] = bosc_spmv_format_names[f];
    st = bosc_bench_check_words("format", q->format, BOSC_LEN(formats), formats,
                                err);
    if (st == BOSC_OK)
        st = bosc_bench_check_backends(q->backends, true, err);
    return st == BOSC_OK ? each_size(q, NULL, false, err) : st;
}

bosc_status bosc_bench_spmv(request *q, bosc_error *err)
{
    static const int32_t standard[] = {1000, 5000, 10000};
    places on = {0};
    bosc_status st;

    if (q->n_sizes == 0) {
        q->n_sizes = BOSC_LEN(standard);
        memcpy(q->sizes, standard, sizeof standard);
    }
    if ((st = check_request(q, err)) != BOSC_OK)
        return st;
    printf("%s%s: sparse matrices times vectors, %s\n", q->tsv ? "# " : "",
           PACKAGE_STRING, q->solver.single ? "fp32" : "fp64");
    st = add_places(q, &on, err);
    if (st == BOSC_OK) {
        print_titles(q->tsv);
        st = each_size(q, &on, true, err);
    }
    return st;
}
