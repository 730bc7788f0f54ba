/* bench_measure.c - one method on one forest: how long a solve takes, and how
 * right it is.
 */
#include "bench/solve/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is timed. */
typedef struct solving {
    const bosc_solver_ops *ops;
    bosc_solver *solver;
    const bosc_bench_ranks *ranks;
} solving;

/* All ranks begin together, and the slowest one's time counts. */
static bosc_status solve_once(void *of, double *seconds, bosc_error *err)
{
    const solving *s = of;
    double most[2]; /* seconds; has one failed? */
    bosc_status st = s->ops->restore(s->solver, err);

    bosc_barrier(bosc_bench_comm(s->ranks));
    if (st == BOSC_OK)
        st = s->ops->solve(s->solver, seconds, err);
    most[0] = st == BOSC_OK ? *seconds : 0;
    most[1] = st != BOSC_OK;
    bosc_bench_most(s->ranks, most, 2);
    *seconds = most[0];
    return most[1] > 0 ? bosc_bench_agree(s->ranks, st, err) : BOSC_OK;
}

static bosc_status restore(void *of, bosc_error *err)
{
    const solving *s = of;

    return s->ops->restore(s->solver, err);
}

static bosc_status solve(void *of, bosc_error *err)
{
    const solving *s = of;
    double seconds;

    return s->ops->solve(s->solver, &seconds, err);
}

static bool is_on_gpu(const bosc_bench_entry *entry)
{
    return strcmp(entry->method->backend->name, "cuda") == 0 ||
           strcmp(entry->method->backend->name, "cusparse") == 0;
}

/* A solver of this rank's neurons, with their numbers. */
static bosc_status load(const bosc_bench_entry *entry,
                        const bosc_bench_request *request,
                        const bosc_systems *systems,
                        const bosc_bench_cells *forest, bosc_solver **out,
                        bosc_error *err)
{
    const bosc_status st =
        bosc_method_solver(entry->method, systems, &request->solver, out, err);

    return st == BOSC_OK ? entry->method->solver.ops->load(*out, forest->d,
                                                           forest->b, err)
                         : st;
}

static bosc_status check(const bosc_bench_entry *entry,
                         const bosc_bench_request *request,
                         const bosc_systems *systems,
                         const bosc_bench_cells *forest, bosc_solver *solver,
                         bosc_bench_row *row, bosc_error *err)
{
    const bosc_status st =
        entry->method->solver.ops->fetch(solver, forest->x, err);

    if (st != BOSC_OK)
        return st;
    row->residual = bosc_systems_residual(systems, forest->d, forest->b,
                                          forest->x, request->solver.single);
    /* the time of wrong results is no result; also of what is no number */
    return row->residual <= (request->solver.single ? 1e-4 : 1e-11)
               ? BOSC_OK
               : bosc_fail(err, BOSC_EINTERNAL,
                           "its results are wrong: the largest residual is "
                           "%.1e",
                           row->residual);
}

/* What the ranks have together. */
static void sum_row(const bosc_bench_ranks *ranks, bosc_bench_row *row)
{
    double sum[] = {row->neurons, (double)row->facts.compartments,
                    (double)row->facts.slots, row->facts.least_bytes,
                    row->facts.memory};

    bosc_bench_sum(ranks, sum, BOSC_LEN(sum));
    row->neurons = (int32_t)sum[0];
    row->facts.compartments = (int64_t)sum[1];
    row->facts.slots = (int64_t)sum[2];
    row->facts.least_bytes = sum[3];
    row->facts.memory = sum[4];
    bosc_bench_most(ranks, &row->residual, 1);
}

static bosc_status measure(const bosc_bench_entry *entry,
                           const bosc_bench_request *request,
                           const bosc_bench_cells *forest, bosc_bench_row *row,
                           bosc_error *err)
{
    const bosc_solver_ops *ops = entry->method->solver.ops;
    bosc_systems systems = forest->systems;
    bosc_solver *solver = NULL;
    bosc_status st;

    systems.n_neurons = row->neurons;
    st = load(entry, request, &systems, forest, &solver, err);
    st = bosc_bench_agree(request->ranks, st, err);
    if (st == BOSC_OK) {
        row->facts = solver->facts;
        st =
            bosc_bench_time(solve_once, &(solving){ops, solver, request->ranks},
                            request->repeat, &row->seconds, &row->repeats, err);
    }
    if (st == BOSC_OK) {
        st = check(entry, request, &systems, forest, solver, row, err);
        st = bosc_bench_agree(request->ranks, st, err);
    }
    row->counted =
        st == BOSC_OK && request->counters != NULL && is_on_gpu(entry);
    if (row->counted)
        st = bosc_counters_read(request->counters, restore, solve,
                                &(solving){ops, solver, request->ranks},
                                row->counter, err);
    sum_row(request->ranks, row);
    if (solver != NULL)
        ops->destroy(solver);
    return st;
}

/* How many of n neurons sequential Hines solves: as many as make sure. */
static int32_t share(const bosc_bench_request *request,
                     const bosc_bench_cells *forest, int32_t n)
{
    const int64_t all = request->share > 0 ? request->share : BOSC_BENCH_SHARE;
    int32_t most = 1;

    while (most < n && forest->first[most + 1] <= all)
        ++most;
    return n < most ? n : most;
}

double bosc_bench_rate(const bosc_bench_row *row)
{
    return row->repeats > 0
               ? (double)row->facts.compartments / row->seconds.median
               : 0;
}

/* By compartments a second: one of the two may have solved only a share. */
static double speed_up(const bosc_bench_row *row, const bosc_bench_row *over)
{
    return over->repeats > 0 ? bosc_bench_rate(row) / bosc_bench_rate(over) : 0;
}

/* Over that of one rank, where there is one. */
static double over_yardstick(const bosc_bench_ranks *ranks,
                             const bosc_bench_row *row,
                             const bosc_bench_row *yardstick,
                             const bosc_bench_point *at)
{
    bosc_bench_point of = *at;
    const bosc_bench_point *one;

    if (!bosc_bench_several(ranks))
        return speed_up(row, yardstick);
    of.method = yardstick->method;
    of.backend = yardstick->backend;
    one = bosc_bench_of_one(ranks, &of);
    return one != NULL ? bosc_bench_rate(row) * one->seconds / one->compartments
                       : 0;
}

/* Trees are numbered in the order of the neurons that have them. */
int32_t bosc_bench_count_trees(const bosc_bench_cells *forest, int32_t n)
{
    int32_t trees = 0;

    for (int32_t i = 0; i < n; ++i)
        trees = forest->shape[i] >= trees ? forest->shape[i] + 1 : trees;
    return trees;
}

unsigned bosc_bench_with(const bosc_bench_request *request)
{
    return (bosc_bench_several(request->ranks) ? BOSC_BENCH_RANKS : 0u) |
           (request->counters != NULL ? BOSC_BENCH_COUNTERS : 0u);
}

static bosc_status measure_entry(const bosc_bench_plan *plan,
                                 const bosc_bench_request *request,
                                 const bosc_bench_cells *forest, int i,
                                 bosc_bench_row *row, bosc_error *err)
{
    const bosc_bench_entry *entry = &plan->entry[i];
    bosc_error why = {""};
    const bosc_status st = measure(entry, request, forest, row, &why);

    if (st != BOSC_OK && entry->named && !request->papers)
        return bosc_fail(err, st, "%s, %s: %s", row->method, row->backend,
                         why.text);
    if (st != BOSC_OK) {
        snprintf(row->why, sizeof row->why, "%.190s", why.text);
        row->repeats = 0;
        row->seconds = (bosc_spread){0};
    }
    return BOSC_OK;
}

static void point_at(const bosc_bench_row *row, bosc_bench_point *at)
{
    at->method = row->method;
    at->backend = row->backend;
    at->seconds = row->seconds.median;
    at->compartments = (double)row->facts.compartments;
}

static bosc_status keep(bosc_bench_ranks *ranks, const bosc_bench_row *row,
                        bosc_bench_point *at, bosc_error *err)
{
    point_at(row, at);
    return bosc_bench_several(ranks)
               ? bosc_bench_agree(ranks, bosc_bench_keep(ranks, at, err), err)
               : BOSC_OK;
}

/* What a row says of others, which are measured by now. */
static void compare(const bosc_bench_ranks *ranks, const bosc_bench_row *rows,
                    bosc_bench_row *row, bosc_bench_point *at)
{
    point_at(row, at);
    row->over_sequential =
        over_yardstick(ranks, row, &rows[BOSC_BENCH_SEQUENTIAL], at);
    row->over_openmp = over_yardstick(ranks, row, &rows[BOSC_BENCH_OPENMP], at);
    row->over_one = bosc_bench_over_one(ranks, at);
}

bosc_status
bosc_bench_measure(const bosc_bench_plan *plan,
                   const bosc_bench_request *request,
                   const bosc_bench_cells *forest, const bosc_bench_point *of,
                   void (*show)(const bosc_bench_row *row, bool tsv),
                   bosc_bench_row *rows, bosc_error *err)
{
    const int32_t n = bosc_bench_cells_count(
        forest, bosc_bench_total(request->ranks, of->neurons));
    bosc_bench_point at = *of;
    int known = 0; /* rows that are complete: they wait for the yardsticks */

    at.ranks = bosc_bench_comm(request->ranks)->ranks;
    for (int i = 0; i < plan->n; ++i) {
        const bosc_bench_entry *entry = &plan->entry[i];

        rows[i] = (bosc_bench_row){
            .method = entry->method->name,
            .backend = entry->method->backend->name,
            .neurons =
                i == BOSC_BENCH_SEQUENTIAL ? share(request, forest, n) : n,
            .ranks = at.ranks,
            .with = bosc_bench_with(request),
            .bandwidth = plan->device[entry->device].bandwidth,
        };
        bosc_status st = measure_entry(plan, request, forest, i, &rows[i], err);
        if (st == BOSC_OK)
            st = keep(request->ranks, &rows[i], &at, err);
        if (st != BOSC_OK)
            return st;
        for (; known <= i && i >= BOSC_BENCH_OPENMP; ++known) {
            compare(request->ranks, rows, &rows[known], &at);
            if (show != NULL)
                show(&rows[known], request->tsv);
        }
    }
    return BOSC_OK;
}
