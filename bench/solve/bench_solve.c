/* bench_solve.c - 'bosc-bench solve': one forest, all methods. */
#include <inttypes.h>
#include <stdio.h>

#include "bench/solve/bench.h"
#include "config.h"
#include "src/base/progress.h"

enum { NEURONS = 2560 }; /* default */

/* Of several ranks: that of the first one. */
static void print_forest(const bosc_bench_request *r,
                         const bosc_bench_cells *forest, int32_t n)
{
    const int32_t trees =
        bosc_bench_count_trees(forest, bosc_bench_cells_count(forest, n));
    int32_t least = INT32_MAX, most = 0;
    char a[32], b[32], range[40] = "";

    for (int32_t t = 0; t < trees; ++t) {
        const int32_t size = forest->trees[t].n;

        least = size < least ? size : least;
        most = size > most ? size : most;
    }
    if (least < most)
        snprintf(range, sizeof range, "%" PRId32 " to ", least);
    if (!r->tsv)
        putchar('\n');
    bosc_bench_print_note(
        r->tsv ? "# " : "",
        "%s, %s%s%s%s: %s neuron%s of %s tree%s, %s%" PRId32 " compartments%s",
        r->shape, r->solver.single ? "fp32" : "fp64",
        r->solver.loop ? ", order of the loop" : "",
        r->solver.from_root ? ", levels from the root" : "",
        r->shared_u ? ", off-diagonals shared" : "", bosc_human_count(n, a),
        n == 1 ? "" : "s", bosc_human_count(trees, b), trees == 1 ? "" : "s",
        range, most, least < most ? "" : " each");
}

static bosc_status solve_size(const bosc_bench_plan *plan,
                              const bosc_bench_request *r,
                              const bosc_bench_cells *forest, int32_t n,
                              bosc_error *err)
{
    const int32_t total = bosc_bench_total(r->ranks, n);
    bosc_bench_row rows[BOSC_BENCH_ENTRIES];
    bosc_bench_point of = {.of = ""};
    bosc_status st;

    if (total < bosc_bench_comm(r->ranks)->ranks) {
        bosc_bench_print_note(r->tsv ? "# " : "",
                              "%" PRId32 " neurons: left out, fewer than ranks",
                              total);
        return BOSC_OK;
    }
    print_forest(r, forest, total);
    if (!r->tsv)
        bosc_bench_print_titles(bosc_bench_with(r), false);
    of.neurons = n;
    snprintf(of.of, sizeof of.of, "%s", r->shape);
    st = bosc_bench_measure(plan, r, forest, &of, bosc_bench_print_row, rows,
                            err);
    if (st == BOSC_OK && !r->tsv && rows[BOSC_BENCH_SEQUENTIAL].neurons < total)
        puts("(sequential Hines solved the first neurons only; speeds are "
             "compared)");
    return st;
}

/* What the ranks that measure now do. */
typedef struct solving {
    const bosc_bench_request *request;
    const bosc_bench_shape *shape;
} solving;

static bosc_status solve_sizes(const bosc_bench_request *r,
                               const bosc_bench_cells *forest, bosc_error *err)
{
    const bool first = bosc_bench_comm(r->ranks)->ranks == 1;
    bosc_bench_plan plan;
    bosc_status st = bosc_bench_plan_create(r, BOSC_BENCH_SOLVES, &plan, err);

    if (st != BOSC_OK)
        return st;
    if (first)
        printf("%s%s: solvers of %s\n", r->tsv ? "# " : "", PACKAGE_STRING,
               r->shape);
    else if (!r->tsv)
        putchar('\n');
    bosc_bench_print_machine(&plan, r, r->tsv ? "# " : "  ");
    if (r->tsv && first)
        bosc_bench_print_titles(bosc_bench_with(r), true);
    for (int i = 0; st == BOSC_OK && i < r->n_sizes; ++i)
        st = solve_size(&plan, r, forest, r->sizes[i], err);
    return st;
}

static bosc_status solve_all(void *of, bosc_error *err)
{
    const solving *s = of;
    const bosc_bench_request *r = s->request;
    const bosc_comm *comm = bosc_bench_comm(r->ranks);
    bosc_bench_cells forest = {0};
    bosc_bench_spec spec = {.distinct = r->distinct,
                            .shared_u = r->shared_u,
                            .rank = comm->rank,
                            .ranks = comm->ranks};
    bosc_status st;

    for (int i = 0; i < r->n_sizes; ++i)
        spec.neurons = r->sizes[i] > spec.neurons ? r->sizes[i] : spec.neurons;
    spec.neurons = bosc_bench_total(r->ranks, spec.neurons);
    st = bosc_bench_agree(
        r->ranks, bosc_bench_cells_create(s->shape, &spec, &forest, err), err);
    if (st == BOSC_OK)
        st = solve_sizes(r, &forest, err);
    bosc_bench_cells_clear(&forest);
    return st;
}

bosc_status bosc_bench_solve(bosc_bench_request *r, bosc_error *err)
{
    bosc_bench_shape shape = {0};
    bosc_status st = bosc_bench_agree(
        r->ranks, bosc_bench_shape_create(r->shape, &shape, err), err);

    if (st == BOSC_OK && r->n_sizes == 0) {
        r->n_sizes = 1;
        r->sizes[0] = shape.gid_table != NULL
                          ? (int32_t)shape.gid_table->n_neurons
                          : NEURONS;
    }
    if (st == BOSC_OK)
        st = bosc_bench_ranks_each(r->ranks, solve_all, &(solving){r, &shape},
                                   err);
    if (st == BOSC_OK)
        bosc_bench_print_series(r->ranks, r->tsv ? "# " : "");
    bosc_bench_shape_clear(&shape);
    return st;
}
