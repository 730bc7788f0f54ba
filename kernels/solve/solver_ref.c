/* solver_ref.c - the textbook loop on one thread: the solver that all others
 * are tested against, and measured against.  Keep it so.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/hines/hines_tree.h"
#include "kernels/solve/solvers.h"
#include "src/base/mem.h"
#include "src/base/progress.h"

/* Everything in flat order, as double or as float. */
typedef struct bosc_ref_solver {
    bosc_solver base; /* first: a solver is cast to it and back */
    const bosc_systems *systems;
    bool single;
    bosc_numbers numbers;
    size_t bytes;     /* of an array */
    int64_t *first;   /* [n_neurons + 1] */
    int64_t *first_u; /* [n_neurons] of each neuron's u */
    ptrdiff_t *slot;  /* [compartments] its own number; NULL: not asked for */
    void *u, *d, *b, *kept_d, *kept_b;
} bosc_ref_solver;

static void ref_destroy(bosc_solver *of)
{
    bosc_ref_solver *solver = (bosc_ref_solver *)of;
    if (solver == NULL)
        return;
    free(solver->first);
    free(solver->first_u);
    free(solver->slot);
    free(solver->u);
    free(solver->d);
    free(solver->b);
    free(solver->kept_d);
    free(solver->kept_b);
    free(solver);
}

/* Copy n numbers in the solver's precision. */
static void keep(const bosc_ref_solver *solver, const double *from, int64_t n,
                 void *to)
{
    if (!solver->single) {
        memcpy(to, from, (size_t)n * sizeof *from);
        return;
    }
    for (int64_t i = 0; i < n; ++i)
        ((float *)to)[i] = (float)from[i];
}

static bool ref_fill(bosc_ref_solver *solver)
{
    const bosc_systems *systems = solver->systems;
    const size_t real = solver->single ? sizeof(float) : sizeof(double);
    int64_t *first_tree = bosc_systems_first_tree(systems);
    int64_t n, n_u;

    solver->first = bosc_systems_first(systems);
    solver->first_u =
        bosc_alloc((size_t)systems->n_neurons, sizeof *solver->first_u);
    if (first_tree == NULL || solver->first == NULL ||
        solver->first_u == NULL) {
        free(first_tree);
        return false;
    }
    n = solver->first[systems->n_neurons];
    n_u = systems->shared_u ? first_tree[systems->n_trees] : n;
    for (int32_t i = 0; i < systems->n_neurons; ++i)
        solver->first_u[i] =
            bosc_systems_u(systems, solver->first, first_tree, i);
    free(first_tree);
    solver->bytes = (size_t)n * real;
    solver->base.facts = (bosc_solver_facts){
        .compartments = n,
        .slots = n,
        /* d u b in, f w out, f w in, v out; and the parents, twice */
        .least_bytes = (double)n * (double)(8 * real + 2 * sizeof(int32_t)),
        .memory = (double)(n_u + 2 * n) * (double)real,
    };
    solver->u = bosc_alloc((size_t)n_u, real);
    solver->d = bosc_alloc((size_t)n, real);
    solver->b = bosc_alloc((size_t)n, real);
    if (solver->u == NULL || solver->d == NULL || solver->b == NULL)
        return false;
    keep(solver, systems->u, n_u, solver->u);
    return true;
}

static bosc_status ref_create(const void *family, int variant,
                              const bosc_systems *systems,
                              const bosc_solver_options *options,
                              bosc_solver **out, bosc_error *err)
{
    bosc_ref_solver *solver = bosc_alloc(1, sizeof *solver);

    (void)family, (void)variant;
    if (solver == NULL)
        return bosc_no_memory(err, "a solver");
    solver->systems = systems;
    solver->single = options->single;
    solver->numbers = bosc_solver_numbers(options);
    if (!ref_fill(solver)) {
        ref_destroy(&solver->base);
        return bosc_no_memory(err, "a solver");
    }
    *out = &solver->base;
    return BOSC_OK;
}

static bosc_status ref_restore(bosc_solver *of, bosc_error *err)
{
    bosc_ref_solver *solver = (bosc_ref_solver *)of;
    (void)err;
    memcpy(solver->d, solver->kept_d, solver->bytes);
    memcpy(solver->b, solver->kept_b, solver->bytes);
    return BOSC_OK;
}

static bosc_status ref_load(bosc_solver *of, const double *d, const double *b,
                            bosc_error *err)
{
    bosc_ref_solver *solver = (bosc_ref_solver *)of;
    if (solver->kept_d == NULL) {
        solver->kept_d = bosc_alloc(solver->bytes, 1);
        solver->kept_b = bosc_alloc(solver->bytes, 1);
    }
    if (solver->kept_d == NULL || solver->kept_b == NULL)
        return bosc_no_memory(err, "what a solver restores");
    keep(solver, d, solver->base.facts.compartments, solver->kept_d);
    keep(solver, b, solver->base.facts.compartments, solver->kept_b);
    return ref_restore(of, err);
}

static bosc_status ref_arrays(bosc_solver *of, bosc_solver_arrays *out,
                              bosc_error *err)
{
    bosc_ref_solver *solver = (bosc_ref_solver *)of;
    const int64_t n = solver->base.facts.compartments;

    if (solver->single)
        return bosc_solver_no_arrays(err);
    if (solver->slot == NULL)
        solver->slot = bosc_alloc((size_t)n, sizeof *solver->slot);
    if (solver->slot == NULL)
        return bosc_no_memory(err, "the slots of a solver");
    for (int64_t i = 0; i < n; ++i)
        solver->slot[i] = i;
    *out = (bosc_solver_arrays){solver->d, solver->b, solver->slot, n};
    return BOSC_OK;
}

static bosc_status ref_enqueue(bosc_solver *of, bosc_error *err)
{
    bosc_ref_solver *solver = (bosc_ref_solver *)of;
    const bosc_systems *systems = solver->systems;
    const size_t real = solver->single ? sizeof(float) : sizeof(double);

    (void)err;
    for (int32_t i = 0; i < systems->n_neurons; ++i) {
        const bosc_tree *tree = &systems->trees[systems->shape[i]];
        const int64_t at = solver->first[i], at_u = solver->first_u[i];

        bosc_tree_solves[solver->numbers](
            tree, (const char *)solver->u + (size_t)at_u * real,
            (char *)solver->d + (size_t)at * real,
            (char *)solver->b + (size_t)at * real);
    }
    return BOSC_OK;
}

static bosc_status ref_solve(bosc_solver *of, double *seconds, bosc_error *err)
{
    const double start = bosc_now();
    const bosc_status st = ref_enqueue(of, err);

    *seconds = bosc_now() - start;
    return st;
}

static bosc_status ref_fetch(bosc_solver *of, double *x, bosc_error *err)
{
    bosc_ref_solver *solver = (bosc_ref_solver *)of;
    (void)err;
    for (int64_t i = 0; i < solver->base.facts.compartments; ++i)
        x[i] = solver->single ? (double)((const float *)solver->b)[i]
                              : ((const double *)solver->b)[i];
    return BOSC_OK;
}

static bosc_status ref_layout(const void *family, int variant,
                              const bosc_systems *systems,
                              const bosc_solver_options *options,
                              bosc_layout *layout, bosc_error *err)
{
    (void)family, (void)variant, (void)options;
    return bosc_layout_create_whole(systems->n_neurons, systems->shape,
                                    systems->trees, 1, false, layout, err);
}

const bosc_solver_ops bosc_ref_solvers = {
    .create = ref_create,
    .load = ref_load,
    .restore = ref_restore,
    .arrays = ref_arrays,
    .solve = ref_solve,
    .enqueue = ref_enqueue,
    .fetch = ref_fetch,
    .destroy = ref_destroy,
    .layout = ref_layout,
};
