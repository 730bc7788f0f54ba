/* papers.c - which figures are measured, and how. */
#include "bench/papers/papers.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/solve/csv.h"
#include "config.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/io/result.h"
#include "src/text/wrap.h"

enum { SHARE = 1 << 21 }; /* compartments that sequential Hines solves */

/* ---- which ---- */

static bosc_status choose_sizes(const bosc_papers *run, bosc_papers_part *p,
                                bosc_error *err)
{
    double mean;
    const bosc_status st = bosc_papers_mean(p->word, &mean, err);
    char count[32];

    for (int k = 0; st == BOSC_OK && k < BOSC_BENCH_SIZES; ++k) {
        const int32_t n = bosc_papers_size(run->request, p->figure, k);

        const int32_t all = bosc_bench_total(run->request->ranks, n);

        if (n > 0 && !bosc_papers_is_too_large(run->request, mean * all))
            p->sizes[p->n_sizes++] = n;
        else if (n > 0)
            bosc_bench_print_note("",
                                  "%s, %s neurons: left out, over %.0f million "
                                  "compartments; give --neurons to measure it",
                                  p->word, bosc_human_count(n, count),
                                  1e-6 * BOSC_PAPERS_MOST);
    }
    return st;
}

static int32_t largest(const bosc_papers_part *p)
{
    int32_t most = 0;

    for (int i = 0; i < p->n_sizes; ++i)
        most = p->sizes[i] > most ? p->sizes[i] : most;
    return most;
}

/* Leave out the largest size. */
static void drop_largest(bosc_papers_part *p)
{
    const int32_t most = largest(p);
    int kept = 0;

    for (int i = 0; i < p->n_sizes; ++i)
        if (p->sizes[i] < most)
            p->sizes[kept++] = p->sizes[i];
    p->n_sizes = kept;
}

/* Leave out sizes of fewer neurons than ranks. */
static void drop_few(const bosc_bench_ranks *ranks, bosc_papers_part *p)
{
    int kept = 0;

    for (int i = 0; i < p->n_sizes; ++i)
        if (bosc_bench_total(ranks, p->sizes[i]) >=
            bosc_bench_comm(ranks)->ranks)
            p->sizes[kept++] = p->sizes[i];
    p->n_sizes = kept;
}

/* The methods of a figure, after both that all are compared with; where methods
 * were asked for, these. */
static void choose_methods(const bosc_papers *run,
                           const bosc_papers_figure *figure,
                           bosc_bench_plan *out)
{
    *out = run->plan;
    out->n = BOSC_BENCH_OPENMP + 1;
    for (int i = out->n; i < run->plan.n; ++i)
        if (!bosc_csv_has(run->request->methods, "all") ||
            bosc_csv_has(figure->methods, run->plan.entry[i].method->name))
            out->entry[out->n++] = run->plan.entry[i];
}

/* ---- solves ---- */

static bosc_status keep_rows(bosc_papers *run, const bosc_papers_part *p,
                             const bosc_bench_plan *plan,
                             const bosc_papers_result *common,
                             const bosc_bench_row *rows, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    /* what all are compared with has no blocks: once is enough */
    for (int i = common->block != p->figure->blocks[0] ? BOSC_BENCH_OPENMP + 1
                                                       : 0;
         i < plan->n && st == BOSC_OK; ++i) {
        bosc_papers_result result = *common;

        result.device = plan->device[plan->entry[i].device].name;
        result.block = i > BOSC_BENCH_OPENMP ? common->block : 0;
        result.row = rows[i];
        st = bosc_papers_keep(run, &result, err);
    }
    return st;
}

static bosc_status measure_block(bosc_papers *run, const bosc_papers_part *p,
                                 const bosc_bench_cells *forest, int32_t n,
                                 int32_t block, bosc_error *err)
{
    bosc_bench_row rows[BOSC_BENCH_ENTRIES];
    bosc_bench_request request = *run->request;
    bosc_bench_plan plan;
    const bosc_bench_ranks *ranks = run->request->ranks;
    const int32_t all = bosc_bench_total(ranks, n);
    bosc_papers_result common = {
        .figure = p->figure->name,
        .asked = n,
        .forest = all,
        .block = block,
        .trees = bosc_bench_count_trees(forest,
                                        bosc_bench_cells_count(forest, all))};
    bosc_bench_point of = {.neurons = n};
    bosc_status st;

    snprintf(of.of, sizeof of.of, "%s: %s", p->figure->name, p->word);
    if (block > 0)
        snprintf(of.of, sizeof of.of, "%s: %s, blocks of %d", p->figure->name,
                 p->word, (int)block);

    request.share = SHARE;
    request.solver.single |= p->figure->single;
    if (block > 0)
        request.solver.block = block;
    common.precision = request.solver.single ? "fp32" : "fp64";
    snprintf(common.shape, sizeof common.shape, "%s", p->word);
    choose_methods(run, p->figure, &plan);
    if (run->tells)
        fprintf(stderr, "\r%s: %" PRId32 " neurons\033[K", p->word, n);
    st = bosc_bench_measure(&plan, &request, forest, &of, NULL, rows, err);
    if (run->tells)
        fputs("\r\033[K", stderr);
    if (st == BOSC_OK)
        st = keep_rows(run, p, &plan, &common, rows, err);
    return bosc_bench_agree(ranks, st, err);
}

static bosc_status measure_size(bosc_papers *run, const bosc_papers_part *p,
                                const bosc_bench_cells *forest, int32_t n,
                                bosc_error *err)
{
    const int32_t *blocks = p->figure->blocks;
    bosc_status st = measure_block(run, p, forest, n, blocks[0], err);

    for (int k = 1; k < BOSC_PAPERS_BLOCKS && blocks[k] > 0 && st == BOSC_OK &&
                    !(run->request->quick && k > 1);
         ++k)
        st = measure_block(run, p, forest, n, blocks[k], err);
    return st;
}

/* Cells that the machine has no memory for are left out, with a message. */
static bosc_status make_forest(const bosc_bench_ranks *ranks,
                               bosc_papers_part *p, bosc_bench_cells *out,
                               bosc_error *err)
{
    const bosc_comm *comm = bosc_bench_comm(ranks);
    bosc_bench_shape shape;
    bosc_status st = bosc_bench_shape_create(p->word, &shape, err);

    if (st != BOSC_OK)
        return st;
    st = BOSC_ENOMEM;
    while (st == BOSC_ENOMEM && p->n_sizes > 0) {
        const bosc_bench_spec spec = {.neurons =
                                          bosc_bench_total(ranks, largest(p)),
                                      .distinct = p->figure->distinct,
                                      .rank = comm->rank,
                                      .ranks = comm->ranks};

        st = bosc_bench_agree(
            ranks, bosc_bench_cells_create(&shape, &spec, out, err), err);
        if (st != BOSC_OK)
            bosc_bench_cells_clear(out);
        if (st == BOSC_ENOMEM) {
            bosc_bench_print_note("", "%s, left out: %s", p->word, err->text);
            drop_largest(p);
        }
    }
    bosc_bench_shape_clear(&shape);
    return p->n_sizes > 0 ? st : BOSC_OK;
}

static bosc_status run_shape(bosc_papers *run, const bosc_papers_figure *figure,
                             const char *word, bosc_error *err)
{
    bosc_papers_part p = {.figure = figure, .word = word, .first = run->n};
    bosc_bench_cells forest = {0};
    const bosc_bench_ranks *ranks = run->request->ranks;
    bosc_status st = bosc_bench_agree(ranks, choose_sizes(run, &p, err), err);

    drop_few(ranks, &p);
    if (st == BOSC_OK)
        st = make_forest(ranks, &p, &forest, err);
    for (int k = 0; k < p.n_sizes && st == BOSC_OK; ++k)
        st = measure_size(run, &p, &forest, p.sizes[k], err);
    bosc_bench_cells_clear(&forest);
    if (st == BOSC_OK && p.n_sizes > 0) {
        bosc_papers_print(run, &p);
        st = bosc_bench_agree(ranks, bosc_papers_save(run, err), err);
    }
    return st;
}

/* ---- figures ---- */

static bosc_status measure_figure(bosc_papers *run,
                                  const bosc_papers_figure *figure,
                                  bosc_error *err)
{
    const char *word;
    bosc_status st = BOSC_OK;

    if (figure->kind == BOSC_PAPERS_RELAYOUTS)
        return bosc_papers_relayouts(run, figure, err);
    if (figure->kind != BOSC_PAPERS_SOLVES)
        return bosc_papers_others(run, figure, err);
    for (int k = 0; st == BOSC_OK &&
                    (word = bosc_papers_shape(run->request, figure, k)) != NULL;
         ++k)
        st = run_shape(run, figure, word, err);
    return st;
}

static bosc_status run_figure(bosc_papers *run,
                              const bosc_papers_figure *figure, bosc_error *err)
{
    const double start = bosc_now();
    double seconds = 0;
    bosc_status st = bosc_papers_estimate(run, figure, &seconds, err);

    if (st != BOSC_OK)
        return st;
    putchar('\n');
    bosc_bench_print_note("", "%s (%s): %s; about %.0f s", figure->name,
                          figure->paper, figure->what, ceil(seconds));
    fflush(stdout);
    st = measure_figure(run, figure, err);
    if (st == BOSC_OK)
        printf("\n%s took %.0f s\n", figure->name, ceil(bosc_now() - start));
    return st;
}

static void print_figure(const bosc_papers_figure *figure, double seconds)
{
    bosc_wrap w = bosc_wrap_begin(stdout, 26, "%-16s %5.0f s", figure->name,
                                  ceil(seconds));

    bosc_wrap_add(&w, "  %s: %s", figure->paper, figure->what);
    bosc_wrap_end(&w);
}

/* All methods of the backends that are asked for, whether this machine has them
 * or not: a list tells what a GPU would take, too. */
static bosc_status expect_plan(const bosc_bench_request *request,
                               bosc_bench_plan *out, bosc_error *err)
{
    const char *names[BOSC_BENCH_DEVICES] = {"all"};
    const char *list = request->backends;
    size_t n = 1;

    *out = (bosc_bench_plan){.n = BOSC_BENCH_OPENMP + 1};
    for (int i = 0; bosc_backends[i] != NULL; ++i)
        names[n++] = bosc_backends[i]->name;
    out->entry[BOSC_BENCH_SEQUENTIAL].method = bosc_method_find("ref", "hines");
    out->entry[BOSC_BENCH_OPENMP].method =
        bosc_method_find("cpu", "hines-flat");
    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        if ((bosc_csv_has(list, "all") ||
             bosc_csv_has(list, m->backend->name) ||
             (m->backend->along != NULL &&
              bosc_csv_has(list, m->backend->along))) &&
            m != out->entry[BOSC_BENCH_SEQUENTIAL].method &&
            m != out->entry[BOSC_BENCH_OPENMP].method)
            out->entry[out->n++].method = m;
    for (int i = 0; i < out->n; ++i)
        out->entry[i].backend = out->entry[i].method->backend;
    return bosc_bench_check_words("backend", list, n, names, err);
}

/* The figures, and what they take here. */
static bosc_status list_figures(const bosc_papers *run, bosc_error *err)
{
    double seconds, all = 0;
    bosc_status st = BOSC_OK;

    for (size_t i = 0; i < bosc_papers_n_figures && st == BOSC_OK; ++i) {
        const bosc_papers_figure *figure = &bosc_papers_figures[i];

        if (!bosc_papers_is_chosen(run->request, figure))
            continue;
        st = bosc_papers_estimate(run, figure, &seconds, err);
        all += seconds;
        print_figure(figure, seconds);
    }
    printf("%-16s %5.0f s\n", "all of these", ceil(all));
    return st;
}

/* Of several ranks, figures of solves alone. */
static bosc_status run_figures(void *of, bosc_error *err)
{
    bosc_papers *run = of;
    const bool alone = bosc_bench_comm(run->request->ranks)->ranks == 1;
    bosc_status st = bosc_bench_plan_create(run->request, BOSC_BENCH_SOLVES,
                                            &run->plan, err);

    if (st != BOSC_OK)
        return st;
    if (alone)
        printf("%s: the papers' figures\n", PACKAGE_STRING);
    else
        putchar('\n');
    bosc_bench_print_machine(&run->plan, run->request, "  ");
    for (size_t i = 0; i < bosc_papers_n_figures && st == BOSC_OK; ++i)
        if (bosc_papers_is_chosen(run->request, &bosc_papers_figures[i]) &&
            (alone || bosc_papers_figures[i].kind == BOSC_PAPERS_SOLVES))
            st = run_figure(run, &bosc_papers_figures[i], err);
    return st;
}

/* Names of figures, and the words before their dashes. */
static bosc_status check_figures(const char *list, bosc_error *err)
{
    static const char *const families[] = {"hines", "levels", "thesis"};
    const char *names[32];
    size_t n = 0;

    for (; n < bosc_papers_n_figures; ++n)
        names[n] = bosc_papers_figures[n].name;
    for (size_t i = 0; i < BOSC_LEN(families); ++i)
        names[n++] = families[i];
    return bosc_bench_check_words("figure", list, n, names, err);
}

bosc_status bosc_bench_papers(const bosc_bench_request *request,
                              const char *command, bosc_error *err)
{
    bosc_papers run = {.request = request, .command = command};
    const char *output = request->list ? NULL : request->output;
    bosc_status st = check_figures(request->figures, err);

    if (st == BOSC_OK && output != NULL)
        st = bosc_result_check(output, err);
    if (st == BOSC_OK && output != NULL)
        st = bosc_lock_take(output, BOSC_LOCK_WATCHED, &run.lock, err);
    run.tells =
        bosc_bench_comm(request->ranks)->rank == 0 && isatty(STDERR_FILENO);
    st = bosc_bench_agree(request->ranks, st, err);
    if (st == BOSC_OK && request->list) {
        st = expect_plan(request, &run.plan, err);
        return st == BOSC_OK ? list_figures(&run, err) : st;
    }
    if (st == BOSC_OK)
        st = bosc_bench_ranks_each(request->ranks, run_figures, &run, err);
    if (st == BOSC_OK)
        bosc_bench_print_series(request->ranks, "");
    if (st == BOSC_OK && output != NULL)
        printf("\nwrote %s: %zu measurements\n", output, run.n);
    bosc_lock_release(run.lock);
    free(run.results);
    return st;
}
