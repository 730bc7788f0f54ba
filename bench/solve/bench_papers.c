/* bench_papers.c - 'bosc-bench papers': the experiments that the literature
 * measures these methods with.
 *
 * An experiment is a list of shapes; a shape is measured at several numbers of
 * neurons and gives one table, methods down and numbers of neurons across.
 */
#include "bench/solve/bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/solve/csv.h"
#include "config.h"
#include "src/base/lock.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/io/result.h"
#include "src/io/result_table.h"

enum { SHAPES = 8, SAMPLE = 16 };

/* Forests of more are left out, unless their sizes were asked for: one solve of
 * them measures nothing new. */
static const double MOST_COMPARTMENTS = 200e6;

static const int32_t papers_sizes[] = {256, 2560, 25600, 256000};

static const struct experiment {
    const char *name, *what;
    int32_t distinct;           /* trees */
    const char *shapes[SHAPES]; /* the rest NULL */
} experiments[] = {
    {"classes",
     "neurons of one shape, six sizes",
     1,
     {"small-low", "small-high", "medium-low", "medium-high", "big-low",
      "big-high"}},
    {"tridiagonal",
     "chains of one length",
     1,
     {"chain:64", "chain:128", "chain:256", "chain:512", "chain:1024",
      "chain:2048", "chain:4096", "chain:8192"}},
    {"variable", "chains of random lengths", 512, {"chain:256-512"}},
    {"levels",
     "512 compartments in sections of 2, 3 and 4 levels",
     1,
     {"levels:2", "levels:3", "levels:4"}},
    {"mix", "all neurons different", BOSC_BENCH_DISTINCT, {"mix"}},
};

/* A measurement. */
typedef struct result {
    const char *experiment, *shape, *device, *precision;
    int32_t trees; /* different ones */
    bosc_bench_row row;
} result;

/* What an experiment works with. */
typedef struct session {
    const bosc_bench_request *request;
    bosc_bench_plan plan;
    const char *command;
    size_t n, room;
    result *results;
    bosc_lock *lock; /* of the output; NULL: none */
    bool tells;      /* how far it is, on a terminal */
} session;

/* The shape being measured: results from 'first' on are of it. */
typedef struct part {
    const struct experiment *experiment;
    const char *word;
    bosc_bench_shape shape;
    int n_sizes;
    int32_t sizes[BOSC_BENCH_SIZES];
    size_t first;
} part;

/* ---- which ---- */

/* Compartments of a neuron, from the first few. */
static bosc_status mean_size(const bosc_bench_shape *shape, double *mean,
                             bosc_error *err)
{
    bosc_status st = BOSC_OK;

    *mean = 0;
    for (int32_t k = 0; k < SAMPLE && st == BOSC_OK; ++k) {
        bosc_tree tree = {0};

        st = bosc_bench_shape_tree(shape, k, &tree, err);
        *mean += (double)tree.n / SAMPLE;
        free((void *)tree.parent);
    }
    return st;
}

static bosc_status choose_sizes(const bosc_bench_request *request, part *p,
                                bosc_error *err)
{
    double mean;
    const bosc_status st = mean_size(&p->shape, &mean, err);
    char count[32];

    p->n_sizes = request->n_sizes;
    memcpy(p->sizes, request->sizes, sizeof p->sizes);
    if (request->n_sizes > 0)
        return st;
    for (size_t i = 0; i < BOSC_LEN(papers_sizes) && st == BOSC_OK; ++i)
        if (mean * bosc_bench_total(request->ranks, papers_sizes[i]) <=
            MOST_COMPARTMENTS)
            p->sizes[p->n_sizes++] = papers_sizes[i];
        else
            printf("%s, %s neurons: left out, over %.0f million compartments\n",
                   p->word, bosc_human_count(papers_sizes[i], count),
                   1e-6 * MOST_COMPARTMENTS);
    return st;
}

static int32_t largest(const part *p)
{
    int32_t most = 0;

    for (int i = 0; i < p->n_sizes; ++i)
        most = p->sizes[i] > most ? p->sizes[i] : most;
    return most;
}

/* Leave out the largest size. */
static void drop_largest(part *p)
{
    const int32_t most = largest(p);
    int kept = 0;

    for (int i = 0; i < p->n_sizes; ++i)
        if (p->sizes[i] < most)
            p->sizes[kept++] = p->sizes[i];
    p->n_sizes = kept;
}

/* Leave out sizes of fewer neurons than ranks. */
static void drop_few(const bosc_bench_ranks *ranks, part *p)
{
    int kept = 0;

    for (int i = 0; i < p->n_sizes; ++i)
        if (bosc_bench_total(ranks, p->sizes[i]) >=
            bosc_bench_comm(ranks)->ranks)
            p->sizes[kept++] = p->sizes[i];
    p->n_sizes = kept;
}

/* ---- measuring ---- */

static void keep_rows(session *s, const part *p, int32_t trees,
                      const bosc_bench_row *rows)
{
    for (int i = 0; i < s->plan.n; ++i)
        s->results[s->n++] = (result){
            .experiment = p->experiment->name,
            .shape = p->word,
            .device = s->plan.device[s->plan.entry[i].device].name,
            .precision = s->request->solver.single ? "fp32" : "fp64",
            .trees = trees,
            .row = rows[i],
        };
}

static bosc_status measure_size(session *s, const part *p,
                                const bosc_bench_cells *forest, int32_t n,
                                bosc_error *err)
{
    bosc_bench_row rows[BOSC_BENCH_ENTRIES];
    bosc_bench_point of = {.neurons = n};
    bosc_status st = BOSC_OK;

    snprintf(of.of, sizeof of.of, "%s: %s", p->experiment->name, p->word);

    if (!bosc_grow(&s->results, &s->room, s->n + (size_t)s->plan.n,
                   sizeof *s->results))
        st = bosc_no_memory(err, "the results");
    st = bosc_bench_agree(s->request->ranks, st, err);
    if (s->tells)
        fprintf(stderr, "\r%s: %" PRId32 " neurons\033[K", p->word, n);
    if (st == BOSC_OK)
        st = bosc_bench_measure(&s->plan, s->request, forest, &of, NULL, rows,
                                err);
    if (s->tells)
        fputs("\r\033[K", stderr);
    if (st == BOSC_OK)
        keep_rows(
            s, p,
            bosc_bench_count_trees(
                forest, bosc_bench_cells_count(
                            forest, bosc_bench_total(s->request->ranks, n))),
            rows);
    return st;
}

/* Cells that the machine has no memory for are left out, with a message. */
static bosc_status make_forest(const bosc_bench_ranks *ranks, part *p,
                               bosc_bench_cells *out, bosc_error *err)
{
    const bosc_comm *comm = bosc_bench_comm(ranks);
    bosc_status st = BOSC_ENOMEM;

    while (st == BOSC_ENOMEM && p->n_sizes > 0) {
        const bosc_bench_spec spec = {.neurons =
                                          bosc_bench_total(ranks, largest(p)),
                                      .distinct = p->experiment->distinct,
                                      .rank = comm->rank,
                                      .ranks = comm->ranks};

        st = bosc_bench_agree(
            ranks, bosc_bench_cells_create(&p->shape, &spec, out, err), err);
        if (st != BOSC_OK)
            bosc_bench_cells_clear(out);
        if (st == BOSC_ENOMEM) {
            bosc_bench_print_note("", "%s, left out: %s", p->word, err->text);
            drop_largest(p);
        }
    }
    return p->n_sizes > 0 ? st : BOSC_OK;
}

/* ---- tables ---- */

/* The result of entry i at size k. */
static const result *result_at(const session *s, const part *p, int i, int k)
{
    return &s->results[p->first + (size_t)(k * s->plan.n + i)];
}

/* "0.512 (9.3)", or "~12.5 (0.4)", reckoned from a share of the neurons. */
static void print_cell(const bosc_bench_row *row, int32_t neurons)
{
    const double all = (double)neurons / row->neurons;
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

/* Sizes first..end - 1 of method i. */
static void print_method(const session *s, const part *p, int i,
                         const int range[2])
{
    const bosc_bench_row *last = &result_at(s, p, i, p->n_sizes - 1)->row;

    printf("%-*s %-*s", BOSC_BENCH_METHOD, last->method, BOSC_BENCH_BACKEND,
           last->backend);
    for (int k = range[0]; k < range[1]; ++k)
        print_cell(&result_at(s, p, i, k)->row,
                   bosc_bench_total(s->request->ranks, p->sizes[k]));
    if (last->why[0] == '\0')
        printf(" %6.1f\n",
               last->facts.memory / (double)last->facts.compartments);
    else
        printf(" %6s\n", "-");
}

static bool can_do(const session *s, const part *p, int i)
{
    for (int k = 0; k < p->n_sizes; ++k)
        if (result_at(s, p, i, k)->row.why[0] == '\0')
            return true;
    return false;
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
static void print_sizes(const session *s, const part *p, const int range[2])
{
    char count[32], by[48];

    printf("\n%s, %s%s; median ms (speed-up over OpenMP Hines), memory\n",
           p->word, s->request->solver.single ? "fp32" : "fp64",
           say_ranks(s->request->ranks, by));
    printf("%-*s %-*s", BOSC_BENCH_METHOD, "method", BOSC_BENCH_BACKEND,
           "backend");
    for (int k = range[0]; k < range[1]; ++k)
        printf(" %19s", bosc_human_count(p->sizes[k], count));
    printf(" %6s\n", "B/comp");
    for (int i = 0; i < s->plan.n; ++i)
        if (can_do(s, p, i))
            print_method(s, p, i, range);
}

/* Methods that cannot do it at all, one line each, are below the table. */
static void print_table(const session *s, const part *p)
{
    enum { ACROSS = 2 };

    for (int k = 0; k < p->n_sizes; k += ACROSS)
        print_sizes(s, p,
                    (const int[2]){k, k + ACROSS < p->n_sizes ? k + ACROSS
                                                              : p->n_sizes});
    for (int i = 0; i < s->plan.n; ++i)
        if (!can_do(s, p, i))
            bosc_bench_print_row(&result_at(s, p, i, 0)->row, false);
    fflush(stdout);
}

/* ---- the file ---- */

/* What could not be measured has a reason in why_not, and no times (0). */
#define TEXT(name, of, meaning)                                                \
    {                                                                          \
        name, NULL, meaning, BOSC_RESULT_TEXT, offsetof(result, of)            \
    }
#define NUMBER(name, units, type, of, meaning)                                 \
    {                                                                          \
        name, units, meaning, BOSC_RESULT_##type, offsetof(result, of)         \
    }

static const bosc_result_column columns[] = {
    TEXT("experiment", experiment, "experiment"),
    TEXT("shape", shape, "shape of the neurons"),
    TEXT("precision", precision, "precision of the solve"),
    TEXT("method", row.method, "method"),
    TEXT("backend", row.backend, "backend"),
    TEXT("device", device, "what it ran on"),
    NUMBER("why_not", NULL, CHARS, row.why, "why it could not be measured"),
    NUMBER("neurons", "1", INT, row.neurons, "neurons"),
    NUMBER("trees", "1", INT, trees, "different trees among them"),
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
           "largest residual, relative to the largest term of its row"),
    NUMBER("over_sequential", "1", DOUBLE, row.over_sequential,
           "speed-up over sequential Hines"),
    NUMBER("over_openmp", "1", DOUBLE, row.over_openmp,
           "speed-up over OpenMP Hines"),
    NUMBER("ranks", "1", INT, row.ranks, "ranks that have divided the neurons"),
    NUMBER("over_one_rank", "1", DOUBLE, row.over_one,
           "speed-up over one rank; 0: not known"),
};

static bosc_status save(const session *s, bosc_error *err)
{
    const bosc_bench_ranks *ranks = s->request->ranks;
    const bool several = bosc_bench_several(ranks);
    const char *scaling = several && ranks->weak ? "weak" : "strong";
    char host[200];
    const bosc_result_attribute attributes[] = {
        {"host", host}, {"driver", s->plan.driver}, {"scaling", scaling}};

    if (s->request->output == NULL)
        return BOSC_OK;
    snprintf(host, sizeof host, "%.160s, %d threads", s->plan.device[0].name,
             s->request->solver.threads);
    return bosc_result_table_write(
        s->request->output,
        &(bosc_result_table){.title = "bosc-bench papers",
                             .command = s->command,
                             .dimension = "measurement",
                             .n_attributes =
                                 BOSC_LEN(attributes) - (several ? 0 : 1),
                             .attributes = attributes,
                             .n_columns = BOSC_LEN(columns),
                             .columns = columns,
                             .n = s->n,
                             .size = sizeof *s->results,
                             .rows = s->results,
                             .lock = s->lock},
        err);
}

/* ---- all of it ---- */

static bosc_status run_shape(session *s, const struct experiment *experiment,
                             const char *word, bosc_error *err)
{
    part p = {.experiment = experiment, .word = word, .first = s->n};
    bosc_bench_cells forest = {0};
    bosc_status st = bosc_bench_shape_create(word, &p.shape, err);

    if (st == BOSC_OK)
        st = choose_sizes(s->request, &p, err);
    st = bosc_bench_agree(s->request->ranks, st, err);
    drop_few(s->request->ranks, &p);
    if (st == BOSC_OK)
        st = make_forest(s->request->ranks, &p, &forest, err);
    for (int k = 0; k < p.n_sizes && st == BOSC_OK; ++k)
        st = measure_size(s, &p, &forest, p.sizes[k], err);
    bosc_bench_cells_clear(&forest);
    bosc_bench_shape_clear(&p.shape);
    if (st == BOSC_OK && p.n_sizes > 0) {
        print_table(s, &p);
        st = bosc_bench_agree(s->request->ranks, save(s, err), err);
    }
    return st;
}

static bosc_status run_experiments(void *of, bosc_error *err)
{
    session *s = of;
    bosc_status st =
        bosc_bench_plan_create(s->request, BOSC_BENCH_SOLVES, &s->plan, err);

    if (st != BOSC_OK)
        return st;
    if (bosc_bench_comm(s->request->ranks)->ranks == 1)
        printf("%s: the papers' experiments\n", PACKAGE_STRING);
    else
        putchar('\n');
    bosc_bench_print_machine(&s->plan, s->request, "  ");
    for (size_t i = 0; i < BOSC_LEN(experiments) && st == BOSC_OK; ++i) {
        if (s->request->only != NULL &&
            !bosc_csv_has(s->request->only, experiments[i].name))
            continue;
        printf("\n%s: %s\n", experiments[i].name, experiments[i].what);
        for (int k = 0;
             k < SHAPES && experiments[i].shapes[k] != NULL && st == BOSC_OK;
             ++k)
            st = run_shape(s, &experiments[i], experiments[i].shapes[k], err);
    }
    return st;
}

bosc_status bosc_bench_papers(const bosc_bench_request *request,
                              const char *command, bosc_error *err)
{
    const char *names[BOSC_LEN(experiments)];
    session s = {.request = request, .command = command};
    bosc_status st;

    s.tells =
        bosc_bench_comm(request->ranks)->rank == 0 && isatty(STDERR_FILENO);

    for (size_t i = 0; i < BOSC_LEN(experiments); ++i)
        names[i] = experiments[i].name;
    st = bosc_bench_check_words("only", request->only, BOSC_LEN(names), names,
                                err);
    if (st == BOSC_OK && request->output != NULL)
        st = bosc_result_check(request->output, err);
    if (st == BOSC_OK && request->output != NULL)
        st = bosc_lock_take(request->output, BOSC_LOCK_WATCHED, &s.lock, err);
    st = bosc_bench_agree(request->ranks, st, err);
    if (st == BOSC_OK)
        st = bosc_bench_ranks_each(request->ranks, run_experiments, &s, err);
    if (st == BOSC_OK)
        bosc_bench_print_series(request->ranks, "");
    if (st == BOSC_OK && request->output != NULL)
        printf("\nwrote %s: %zu measurements\n", request->output, s.n);
    bosc_lock_release(s.lock);
    free(s.results);
    return st;
}
