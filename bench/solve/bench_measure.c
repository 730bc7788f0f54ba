/* bench_measure.c - one method on one forest: how long a solve takes, and how
 * right it is.
 */
#include "bench/solve/bench.h"

#include <stdlib.h>

/* What is timed. */
typedef struct solving {
    const bosc_solver_ops *ops;
    bosc_solver *solver;
} solving;

static bosc_status solve_once(void *of, double *seconds, bosc_error *err)
{
    const solving *s = of;
    const bosc_status st = s->ops->restore(s->solver, err);

    return st == BOSC_OK ? s->ops->solve(s->solver, seconds, err) : st;
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
    st = bosc_method_solver(entry->method, &systems, &request->solver, &solver,
                            err);
    if (st == BOSC_OK)
        st = ops->load(solver, forest->d, forest->b, err);
    if (st == BOSC_OK) {
        row->facts = solver->facts;
        st =
            bosc_bench_time(solve_once, &(solving){ops, solver},
                            request->repeat, &row->seconds, &row->repeats, err);
    }
    if (st == BOSC_OK)
        st = ops->fetch(solver, forest->x, err);
    if (st == BOSC_OK) {
        row->residual = bosc_systems_residual(
            &systems, forest->d, forest->b, forest->x, request->solver.single);
        /* the time of wrong results is no result; also of what is no number */
        if (!(row->residual <= (request->solver.single ? 1e-4 : 1e-11)))
            st = bosc_fail(err, BOSC_EINTERNAL,
                           "its results are wrong: the largest residual is "
                           "%.1e",
                           row->residual);
    }
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

/* Trees are numbered in the order of the neurons that have them. */
int32_t bosc_bench_count_trees(const bosc_bench_cells *forest, int32_t n)
{
    int32_t trees = 0;

    for (int32_t i = 0; i < n; ++i)
        trees = forest->shape[i] >= trees ? forest->shape[i] + 1 : trees;
    return trees;
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

bosc_status bosc_bench_measure(const bosc_bench_plan *plan,
                               const bosc_bench_request *request,
                               const bosc_bench_cells *forest, int32_t n,
                               void (*show)(const bosc_bench_row *row,
                                            bool tsv),
                               bosc_bench_row *rows, bosc_error *err)
{
    int known = 0; /* rows that are complete: they wait for the yardsticks */

    for (int i = 0; i < plan->n; ++i) {
        const bosc_bench_entry *entry = &plan->entry[i];

        rows[i] = (bosc_bench_row){
            .method = entry->method->name,
            .backend = entry->method->backend->name,
            .neurons =
                i == BOSC_BENCH_SEQUENTIAL ? share(request, forest, n) : n,
            .bandwidth = plan->device[entry->device].bandwidth,
        };
        const bosc_status st =
            measure_entry(plan, request, forest, i, &rows[i], err);
        if (st != BOSC_OK)
            return st;
        for (; known <= i && i >= BOSC_BENCH_OPENMP; ++known) {
            bosc_bench_row *row = &rows[known];

            row->over_sequential = speed_up(row, &rows[BOSC_BENCH_SEQUENTIAL]);
            row->over_openmp = speed_up(row, &rows[BOSC_BENCH_OPENMP]);
            if (show != NULL)
                show(row, request->tsv);
        }
    }
    return BOSC_OK;
}
