/* bench_table.c - rows for people and for programs.
 *
 * Every number is one column of one table, which prints itself both ways.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/bench/bench.h"
#include "src/text/wrap.h"

static double neurons(const bosc_bench_row *row)
{
    return row->neurons;
}

static double compartments(const bosc_bench_row *row)
{
    return (double)row->facts.compartments;
}

static double padding(const bosc_bench_row *row)
{
    return (double)row->facts.slots / (double)row->facts.compartments;
}

static double median(const bosc_bench_row *row)
{
    return 1e3 * row->seconds.median;
}

static double least(const bosc_bench_row *row)
{
    return 1e3 * row->seconds.least;
}

static double most(const bosc_bench_row *row)
{
    return 1e3 * row->seconds.most;
}

static double rate(const bosc_bench_row *row)
{
    return 1e-9 * bosc_bench_rate(row);
}

static double traffic(const bosc_bench_row *row)
{
    return 1e-9 * row->facts.least_bytes / row->seconds.median;
}

static double of_copy(const bosc_bench_row *row)
{
    return 1e9 * traffic(row) / row->bandwidth;
}

static double over_sequential(const bosc_bench_row *row)
{
    return row->over_sequential;
}

static double over_openmp(const bosc_bench_row *row)
{
    return row->over_openmp;
}

static double residual(const bosc_bench_row *row)
{
    return row->residual;
}

static double memory(const bosc_bench_row *row)
{
    return row->facts.memory;
}

static double repeats(const bosc_bench_row *row)
{
    return row->repeats;
}

static const struct {
    const char *name;     /* for programs */
    const char *title[2]; /* for people; NULL: not shown to them */
    int width;
    double (*value)(const bosc_bench_row *row);
    const char *format; /* NULL: a whole number with thousands */
} columns[] = {
    {"neurons", {"", "neurons"}, 9, neurons, NULL},
    {"compartments", {NULL, NULL}, 0, compartments, NULL},
    {"padding", {NULL, NULL}, 0, padding, "%.3f"},
    {"median_ms", {"median", "ms"}, 8, median, "%.4g"},
    {"least_ms", {NULL, NULL}, 0, least, "%.4g"},
    {"most_ms", {NULL, NULL}, 0, most, "%.4g"},
    {"compartments_1e9_per_s", {"1e9", "comp./s"}, 7, rate, "%.3g"},
    {"traffic_GB_per_s", {NULL, NULL}, 0, traffic, "%.4g"},
    {"of_copy_bandwidth", {"of", "copy"}, 5, of_copy, "%.2f"},
    {"over_sequential", {"over", "1 core"}, 6, over_sequential, "%.3g"},
    {"over_openmp", {"over", "OpenMP"}, 6, over_openmp, "%.3g"},
    {"residual", {NULL, NULL}, 0, residual, "%.1e"},
    {"memory_byte", {NULL, NULL}, 0, memory, "%.0f"},
    {"repeats", {NULL, NULL}, 0, repeats, "%.0f"},
};

void bosc_bench_print_titles(bool tsv)
{
    if (tsv) {
        fputs("method\tbackend", stdout);
        for (size_t k = 0; k < BOSC_LEN(columns); ++k)
            printf("\t%s", columns[k].name);
        puts("\twhy_not");
        return;
    }
    for (int line = 0; line < 2; ++line) {
        printf("%-*s %-*s", BOSC_BENCH_METHOD, line == 0 ? "" : "method",
               BOSC_BENCH_BACKEND, line == 0 ? "" : "backend");
        for (size_t k = 0; k < BOSC_LEN(columns); ++k)
            if (columns[k].title[line] != NULL)
                printf(" %*s", columns[k].width, columns[k].title[line]);
        putchar('\n');
    }
}

/* "45,923" */
static void print_grouped(double value, int width)
{
    char plain[32], grouped[48], *to = grouped;
    const size_t n = (size_t)snprintf(plain, sizeof plain, "%.0f", value);

    for (size_t i = 0; i < n; ++i) {
        if (i > 0 && (n - i) % 3 == 0)
            *to++ = ',';
        *to++ = plain[i];
    }
    *to = '\0';
    printf(" %*s", width, grouped);
}

/* What is not known is '-'. */
static void print_cell(size_t k, const bosc_bench_row *row)
{
    const double value = columns[k].value(row);
    char text[32] = "-";

    if (columns[k].format == NULL) {
        print_grouped(value, columns[k].width);
        return;
    }
    /* a residual of zero is a result, a speed-up of zero is none */
    if (isfinite(value) && (value > 0 || columns[k].value == residual))
        snprintf(text, sizeof text, value < 1000 ? columns[k].format : "%.0f",
                 value);
    if ((int)strlen(text) > columns[k].width)
        snprintf(text, sizeof text, "%.2g", value);
    printf(" %*s", columns[k].width, text);
}

void bosc_bench_print_why(const bosc_bench_row *row)
{
    bosc_wrap w = bosc_wrap_begin(
        stdout, BOSC_BENCH_METHOD + BOSC_BENCH_BACKEND + 2, "%-*s %-*s",
        BOSC_BENCH_METHOD, row->method, BOSC_BENCH_BACKEND, row->backend);

    bosc_wrap_add(&w, "%s", row->why);
    bosc_wrap_end(&w);
}

void bosc_bench_print_row(const bosc_bench_row *row)
{
    if (row->why[0] != '\0') {
        bosc_bench_print_why(row);
        return;
    }
    printf("%-*s %-*s", BOSC_BENCH_METHOD, row->method, BOSC_BENCH_BACKEND,
           row->backend);
    for (size_t k = 0; k < BOSC_LEN(columns); ++k)
        if (columns[k].title[0] != NULL)
            print_cell(k, row);
    putchar('\n');
    fflush(stdout); /* the next one may take a while */
}

void bosc_bench_print_tsv(const bosc_bench_row *row)
{
    printf("%s\t%s", row->method, row->backend);
    for (size_t k = 0; k < BOSC_LEN(columns); ++k)
        if (row->why[0] != '\0' && columns[k].value != neurons)
            fputs("\tnan", stdout);
        else
            printf("\t%.9g", columns[k].value(row));
    printf("\t%s\n", row->why);
    fflush(stdout);
}

void bosc_bench_print_note(const char *mark, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    char *text = bosc_vformat(format, args);
    va_end(args);
    if (text != NULL && mark[0] == '#')
        printf("%s%s\n", mark, text);
    else if (text != NULL)
        bosc_wrap_print(stdout, (int)strlen(mark), "", "%s", text);
    free(text);
}

void bosc_bench_print_device(const char *mark, const char *what,
                             const char *name, int threads, double bandwidth)
{
    char working[40] = "";

    if (threads > 0)
        snprintf(working, sizeof working, ", %d thread%s", threads,
                 threads == 1 ? "" : "s");
    bosc_bench_print_note(mark, "%s: %s%s; copies %.4g GB/s", what, name,
                          working, 1e-9 * bandwidth);
}

void bosc_bench_print_machine(const bosc_bench_plan *plan,
                              const bosc_bench_request *request,
                              const char *mark)
{
    for (int i = 0; i < plan->n_devices; ++i) {
        const bosc_bench_device *device = &plan->device[i];

        bosc_bench_print_device(
            mark, i == 0 ? "host" : device->backend->name, device->name,
            i == 0 ? request->solver.threads : 0, device->bandwidth);
    }
    if (plan->driver[0] != '\0')
        bosc_bench_print_note(mark, "driver: %s", plan->driver);
    for (int i = 0; i < plan->n_absent; ++i)
        bosc_bench_print_note(mark, "%s", plan->absent[i]);
}
