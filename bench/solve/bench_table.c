/* bench_table.c - rows for people and for programs.
 *
 * Every number is one column of one table, which prints itself both ways.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/solve/bench.h"
#include "src/base/mem.h"
#include "src/text/wrap.h"

/* ---- any table ---- */

static void print_names(const bosc_bench_table *table, bool tsv, bool title,
                        const char *name, const char *backend)
{
    if (tsv && table->of[0] != NULL)
        printf("%s\t", table->of[title ? 0 : 1]);
    if (tsv)
        printf("%s\t%s", name, backend);
    else
        printf("%-*s %-*s", table->width, name, BOSC_BENCH_BACKEND, backend);
}

void bosc_bench_table_titles(const bosc_bench_table *table, bool tsv)
{
    for (int line = tsv ? 1 : 0; line < 2; ++line) {
        print_names(table, tsv, true, line == 0 ? "" : table->first,
                    line == 0 ? "" : "backend");
        for (size_t k = 0; k < table->n; ++k)
            if (tsv)
                printf("\t%s", table->columns[k].name);
            else if (table->columns[k].title[line] != NULL)
                printf(" %*s", table->columns[k].width,
                       table->columns[k].title[line]);
        puts(tsv && !table->plain ? "\twhy_not" : "");
    }
}

/* "45,923" */
static void group(double value, char *to)
{
    char plain[32];
    const size_t n = (size_t)snprintf(plain, sizeof plain, "%.0f", value);

    for (size_t i = 0; i < n; ++i) {
        if (i > 0 && (n - i) % 3 == 0)
            *to++ = ',';
        *to++ = plain[i];
    }
    *to = '\0';
}

static void print_cell(const bosc_bench_column *column, bool plain,
                       double value)
{
    char text[48] = "-";

    if (column->format == NULL)
        group(value, text);
    else if (plain || (isfinite(value) && value > 0))
        snprintf(text, sizeof text,
                 plain || value < 1000 ? column->format : "%.0f", value);
    if (!plain && column->format != NULL && (int)strlen(text) > column->width)
        snprintf(text, sizeof text, "%.2g", value);
    printf(" %*s", column->width, text);
}

void bosc_bench_table_row(const bosc_bench_table *table, bool tsv,
                          const char *name, const char *backend,
                          const char *why, const double *value)
{
    if (!tsv && why[0] != '\0') {
        bosc_wrap w = bosc_wrap_begin(
            stdout, table->width + BOSC_BENCH_BACKEND + 2, "%-*s %-*s",
            table->width, name, BOSC_BENCH_BACKEND, backend);

        bosc_wrap_add(&w, "%s", why);
        bosc_wrap_end(&w);
        return;
    }
    print_names(table, tsv, false, name, backend);
    for (size_t k = 0; k < table->n; ++k)
        if (!tsv && table->columns[k].title[0] != NULL)
            print_cell(&table->columns[k], table->plain, value[k]);
        else if (tsv && why[0] != '\0' && k > 0)
            fputs("\tnan", stdout);
        else if (tsv)
            printf("\t%.9g", value[k]);
    if (tsv && !table->plain)
        printf("\t%s", why);
    putchar('\n');
    fflush(stdout); /* the next one may take a while */
}

/* ---- methods ---- */

static const bosc_bench_column columns[] = {
    {"neurons", {"", "neurons"}, 9, NULL},
    {"compartments", {NULL}, 0, NULL},
    {"padding", {NULL}, 0, NULL},
    {"median_ms", {"median", "ms"}, 8, "%.4g"},
    {"least_ms", {NULL}, 0, NULL},
    {"most_ms", {NULL}, 0, NULL},
    {"compartments_1e9_per_s", {"1e9", "comp./s"}, 7, "%.3g"},
    {"traffic_GB_per_s", {NULL}, 0, NULL},
    {"of_copy_bandwidth", {"of", "copy"}, 5, "%.2f"},
    {"over_sequential", {"over", "1 core"}, 6, "%.3g"},
    {"over_openmp", {"over", "OpenMP"}, 6, "%.3g"},
    {"residual", {NULL}, 0, NULL},
    {"memory_byte", {NULL}, 0, NULL},
    {"repeats", {NULL}, 0, NULL},
    {"ranks", {"", "ranks"}, 5, "%.0f"},
    {"over_one_rank", {"over", "1 rank"}, 6, "%.3g"},
    {"occupancy", {"warps", "%"}, 5, "%.3g"},
    {"l2_hits", {"L2", "hits %"}, 6, "%.3g"},
    {"instructions_per_cycle", {"instr./", "cycle"}, 7, "%.3g"},
};

/* Groups of columns, one after the other: of all tables, of several ranks, of
 * counters. */
enum { RANKS = 14, COUNTERS = 16, COLUMNS = BOSC_LEN(columns) };

/* Those of a table, and of 'all' their values; both have room for all. */
static bosc_bench_table methods(unsigned with, bosc_bench_column *chosen,
                                const double *all, double *value)
{
    bosc_bench_table table = {
        .first = "method", .width = BOSC_BENCH_METHOD, .columns = chosen};

    for (int k = 0; k < COLUMNS; ++k) {
        if ((k >= RANKS && k < COUNTERS && (with & BOSC_BENCH_RANKS) == 0) ||
            (k >= COUNTERS && (with & BOSC_BENCH_COUNTERS) == 0))
            continue;
        if (all != NULL)
            value[table.n] = all[k];
        chosen[table.n++] = columns[k];
    }
    return table;
}

void bosc_bench_print_titles(unsigned with, bool tsv)
{
    bosc_bench_column chosen[COLUMNS];
    const bosc_bench_table table = methods(with, chosen, NULL, NULL);

    bosc_bench_table_titles(&table, tsv);
}

static double counter(const bosc_bench_row *row, bosc_counter k)
{
    return row->counted ? row->counter[k] : NAN;
}

void bosc_bench_print_row(const bosc_bench_row *row, bool tsv)
{
    const bosc_solver_facts *facts = &row->facts;
    const double compartments = (double)facts->compartments;
    const double traffic = 1e-9 * facts->least_bytes / row->seconds.median;
    double value[COLUMNS];
    const double all[COLUMNS] = {
        row->neurons,
        compartments,
        (double)facts->slots / compartments,
        1e3 * row->seconds.median,
        1e3 * row->seconds.least,
        1e3 * row->seconds.most,
        1e-9 * bosc_bench_rate(row),
        traffic,
        1e9 * traffic / row->bandwidth,
        row->over_sequential,
        row->over_openmp,
        row->residual,
        facts->memory,
        row->repeats,
        row->ranks,
        row->over_one,
        counter(row, BOSC_COUNTER_OCCUPANCY),
        counter(row, BOSC_COUNTER_L2_HITS),
        counter(row, BOSC_COUNTER_INSTRUCTIONS),
    };
    bosc_bench_column chosen[COLUMNS];
    const bosc_bench_table table = methods(row->with, chosen, all, value);

    bosc_bench_table_row(&table, tsv, row->method, row->backend, row->why,
                         value);
}

/* ---- what was measured where ---- */

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

void bosc_bench_print_machine(const bosc_bench_plan *plan,
                              const bosc_bench_request *request,
                              const char *mark)
{
    char working[40];

    snprintf(working, sizeof working, ", %d thread%s%s",
             request->solver.threads, request->solver.threads == 1 ? "" : "s",
             bosc_bench_several(request->ranks) ? " a rank" : "");
    bosc_bench_print_ranks(request->ranks, request->solver.threads, mark);
    for (int i = 0; i < plan->n_devices; ++i) {
        const bosc_bench_device *device = &plan->device[i];

        bosc_bench_print_note(mark, "%s: %s%s; copies %.4g GB/s",
                              i == 0 ? "host" : device->backend->name,
                              device->name, i == 0 ? working : "",
                              1e-9 * device->bandwidth);
    }
    if (plan->driver[0] != '\0')
        bosc_bench_print_note(mark, "driver: %s", plan->driver);
    for (int i = 0; i < plan->n_absent; ++i)
        bosc_bench_print_note(mark, "%s", plan->absent[i]);
}
