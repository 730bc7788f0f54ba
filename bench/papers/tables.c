/* tables.c - the results of a shape for people, and all of them as a file. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bench/papers/papers.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/io/result.h"
#include "src/io/result_table.h"

/* ---- results ---- */

bosc_status bosc_papers_keep(bosc_papers *run, const bosc_papers_result *result,
                             bosc_error *err)
{
    if (!bosc_grow(&run->results, &run->room, run->n + 1, sizeof *run->results))
        return bosc_no_memory(err, "the results");
    run->results[run->n] = *result;
    for (int k = 0; k < BOSC_COUNTERS && !result->row.counted; ++k)
        run->results[run->n].row.counter[k] = NAN;
    ++run->n;
    return BOSC_OK;
}

/* ---- tables ---- */

static bool is_line_of(const bosc_papers_result *a, const bosc_papers_result *b)
{
    return strcmp(a->row.method, b->row.method) == 0 &&
           strcmp(a->row.backend, b->row.backend) == 0 && a->block == b->block;
}

/* The result of a line at size k; NULL: there is none. */
static const bosc_papers_result *result_at(const bosc_papers *run,
                                           const bosc_papers_part *p,
                                           const bosc_papers_result *line,
                                           int k)
{
    for (size_t i = p->first; i < run->n; ++i)
        if (run->results[i].asked == p->sizes[k] &&
            is_line_of(line, &run->results[i]))
            return &run->results[i];
    return NULL;
}

static bool is_first_of_line(const bosc_papers *run, const bosc_papers_part *p,
                             size_t i)
{
    for (size_t k = p->first; k < i; ++k)
        if (is_line_of(&run->results[k], &run->results[i]))
            return false;
    return true;
}

static bool can_do(const bosc_papers *run, const bosc_papers_part *p,
                   const bosc_papers_result *line)
{
    for (int k = 0; k < p->n_sizes; ++k) {
        const bosc_papers_result *at = result_at(run, p, line, k);

        if (at != NULL && at->row.why[0] == '\0')
            return true;
    }
    return false;
}

/* "0.512 (9.3)", or "~12.5 (0.4)", reckoned from a share of the neurons. */
static void print_cell(const bosc_papers_result *result)
{
    const bosc_bench_row *row = &result->row;
    const double all = (double)result->forest / row->neurons;
    char time[24] = "-", text[40];

    if (row->repeats > 0)
        snprintf(time, sizeof time, "%s%.4g", all > 1 ? "~" : "",
                 1e3 * row->seconds.median * all);
    if (row->over_openmp > 0)
        snprintf(text, sizeof text,
                 row->over_openmp < 1000 ? "%s (%.3g)" : "%s (%.0f)", time,
                 row->over_openmp);
    else
        snprintf(text, sizeof text, "%s", time);
    printf(" %19s", text);
}

/* Sizes range[0] to range[1] - 1 of a line. */
static void print_line(const bosc_papers *run, const bosc_papers_part *p,
                       const bosc_papers_result *line, const int range[2])
{
    const bosc_papers_result *last = line;
    char name[BOSC_BENCH_METHOD + 1];

    snprintf(name, sizeof name, line->block > 0 ? "%.18s %" PRId32 : "%.24s",
             line->row.method, line->block);
    printf("%-*s %-*s", BOSC_BENCH_METHOD, name, BOSC_BENCH_BACKEND,
           line->row.backend);
    for (int k = range[0]; k < range[1]; ++k) {
        const bosc_papers_result *at = result_at(run, p, line, k);

        if (at != NULL)
            print_cell(last = at);
        else
            printf(" %19s", "-");
    }
    if (last->row.why[0] == '\0' && last->row.facts.memory > 0)
        printf(" %6.1f\n",
               last->row.facts.memory / (double)last->row.facts.compartments);
    else
        printf(" %6s\n", "-");
}

/* ", 2 ranks", which weak scaling gives as many neurons each. */
static const char *say_ranks(const bosc_bench_ranks *ranks, char by[48])
{
    by[0] = '\0';
    if (bosc_bench_several(ranks))
        snprintf(by, 48, ", %d rank%s%s", ranks->comm->ranks,
                 ranks->comm->ranks == 1 ? "" : "s",
                 ranks->weak ? ", neurons of each" : "");
    return by;
}

/* As many numbers of neurons as 80 columns have room for. */
static void print_sizes(const bosc_papers *run, const bosc_papers_part *p,
                        const int range[2])
{
    char count[32], by[48];

    printf("\n%s, %s%s; median ms%s\n", p->word,
           run->results[p->first].precision, say_ranks(run->request->ranks, by),
           p->figure->kind == BOSC_PAPERS_SOLVES
               ? " (speed-up over OpenMP Hines), memory"
               : "");
    printf("%-*s %-*s", BOSC_BENCH_METHOD, "method", BOSC_BENCH_BACKEND,
           "backend");
    for (int k = range[0]; k < range[1]; ++k)
        printf(" %19s", bosc_human_count(p->sizes[k], count));
    printf(" %6s\n", "B/comp");
    for (size_t i = p->first; i < run->n; ++i)
        if (is_first_of_line(run, p, i) && can_do(run, p, &run->results[i]))
            print_line(run, p, &run->results[i], range);
}

/* Methods that cannot do it at all, one line each, are below the table. */
void bosc_papers_print(const bosc_papers *run, const bosc_papers_part *p)
{
    enum { ACROSS = 2 };

    for (int k = 0; k < p->n_sizes; k += ACROSS)
        print_sizes(run, p,
                    (const int[2]){k, k + ACROSS < p->n_sizes ? k + ACROSS
                                                              : p->n_sizes});
    for (size_t i = p->first; i < run->n; ++i)
        if (is_first_of_line(run, p, i) && !can_do(run, p, &run->results[i]))
            bosc_bench_print_row(&run->results[i].row, false);
    fflush(stdout);
}

/* ---- the file ---- */

/* What could not be measured has a reason in why_not, and no times (0). */
#define TEXT(name, of, meaning)                                                \
    {                                                                          \
        name, NULL, meaning, BOSC_RESULT_TEXT,                                 \
            offsetof(bosc_papers_result, of)                                   \
    }
#define NUMBER(name, units, type, of, meaning)                                 \
    {                                                                          \
        name, units, meaning, BOSC_RESULT_##type,                              \
            offsetof(bosc_papers_result, of)                                   \
    }

static const bosc_result_column columns[] = {
    TEXT("figure", figure, "figure of a paper"),
    NUMBER("shape", NULL, CHARS, shape, "shape of the neurons"),
    TEXT("precision", precision, "precision of the solve"),
    TEXT("method", row.method, "method"),
    TEXT("backend", row.backend, "backend"),
    TEXT("device", device, "what it ran on"),
    NUMBER("why_not", NULL, CHARS, row.why, "why it could not be measured"),
    NUMBER("neurons", "1", INT, row.neurons, "neurons"),
    NUMBER("forest", "1", INT, forest,
           "neurons of the forest, of which these may be a share"),
    NUMBER("trees", "1", INT, trees, "different trees among them"),
    NUMBER("block", "1", INT, block,
           "neurons in a block; 0: the default of the method"),
    NUMBER("repeats", "1", INT, row.repeats, "solves that were timed"),
    NUMBER("compartments", "1", INT64, row.facts.compartments,
           "compartments of all neurons"),
    NUMBER("slots", "1", INT64, row.facts.slots, "compartments and padding"),
    NUMBER("seconds_median", "s", DOUBLE, row.seconds.median,
           "median time of a solve"),
    NUMBER("seconds_least", "s", DOUBLE, row.seconds.least,
           "least time of a solve"),
    NUMBER("seconds_most", "s", DOUBLE, row.seconds.most,
           "largest time of a solve"),
    NUMBER("traffic", "byte", DOUBLE, row.facts.least_bytes,
           "least that a solve must move"),
    NUMBER("memory", "byte", DOUBLE, row.facts.memory,
           "memory that the solver holds"),
    NUMBER("copy_bandwidth", "byte s-1", DOUBLE, row.bandwidth,
           "copy bandwidth of the device, read and written"),
    NUMBER("residual", "1", DOUBLE, row.residual,
           "largest residual, relative to the largest term of its row; of "
           "levels-12 and formats the largest error of the result"),
    NUMBER("over_sequential", "1", DOUBLE, row.over_sequential,
           "speed-up over sequential Hines"),
    NUMBER("over_openmp", "1", DOUBLE, row.over_openmp,
           "speed-up over OpenMP Hines"),
    NUMBER("ranks", "1", INT, row.ranks, "ranks that have divided the neurons"),
    NUMBER("over_one_rank", "1", DOUBLE, row.over_one,
           "speed-up over one rank; 0: not known"),
    NUMBER("occupancy", "percent", DOUBLE, row.counter[BOSC_COUNTER_OCCUPANCY],
           "active warps, of those that a multiprocessor has room for; NaN, "
           "here and below: not read"),
    NUMBER("l2_hits", "percent", DOUBLE, row.counter[BOSC_COUNTER_L2_HITS],
           "sectors asked of the L2 cache that were there"),
    NUMBER("instructions_per_cycle", "1", DOUBLE,
           row.counter[BOSC_COUNTER_INSTRUCTIONS],
           "instructions that a multiprocessor's warps begin in a cycle in "
           "which it is active"),
};

bosc_status bosc_papers_save(const bosc_papers *run, bosc_error *err)
{
    const bosc_bench_ranks *ranks = run->request->ranks;
    const bool several = bosc_bench_several(ranks);
    const char *scaling = several && ranks->weak ? "weak" : "strong";
    char host[200];
    const bosc_result_attribute attributes[] = {
        {"host", host}, {"driver", run->plan.driver}, {"scaling", scaling}};

    if (run->request->output == NULL)
        return BOSC_OK;
    snprintf(host, sizeof host, "%.160s, %d threads", run->plan.device[0].name,
             run->request->solver.threads);
    return bosc_result_table_write(
        run->request->output,
        &(bosc_result_table){.title = "bosc-bench papers",
                             .command = run->command,
                             .dimension = "measurement",
                             .n_attributes =
                                 BOSC_LEN(attributes) - (several ? 0 : 1),
                             .attributes = attributes,
                             .n_columns = BOSC_LEN(columns),
                             .columns = columns,
                             .n = run->n,
                             .size = sizeof *run->results,
                             .rows = run->results,
                             .lock = run->lock},
        err);
}
