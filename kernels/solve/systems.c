#include "kernels/solve/solver.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/solve/solvers.h"
#include "src/base/mem.h"

int64_t bosc_systems_size(const bosc_systems *systems)
{
    int64_t n = 0;

    for (int32_t i = 0; i < systems->n_neurons; ++i)
        n += systems->trees[systems->shape[i]].n;
    return n;
}

bosc_status bosc_solver_no_arrays(bosc_error *err)
{
    return bosc_fail(err, BOSC_ENOSUP,
                     "this solver has no arrays of doubles for d and b by "
                     "themselves; take fp64, and a method that is not unified");
}

bosc_status bosc_solver_no_loop(bosc_error *err)
{
    return bosc_fail(err, BOSC_ENOSUP,
                     "solves in the papers' order alone; its time loop has "
                     "the other one built in");
}

bosc_status bosc_solver_no_layout(bosc_error *err)
{
    return bosc_fail(err, BOSC_ENOSUP,
                     "the slots of this solver are those of no layout");
}

int64_t *bosc_systems_first(const bosc_systems *systems)
{
    int64_t *first = bosc_alloc((size_t)systems->n_neurons + 1, sizeof *first);

    for (int32_t i = 0; first != NULL && i < systems->n_neurons; ++i)
        first[i + 1] = first[i] + systems->trees[systems->shape[i]].n;
    return first;
}

int64_t *bosc_systems_first_tree(const bosc_systems *systems)
{
    int64_t *first = bosc_alloc((size_t)systems->n_trees + 1, sizeof *first);

    for (int32_t t = 0; first != NULL && t < systems->n_trees; ++t)
        first[t + 1] = first[t] + systems->trees[t].n;
    return first;
}

/* Depth-first: all nodes between a node and its parent are descendants of the
 * parent, so the way up from i - 1 meets the parent of i. */
static bool is_depth_first(const bosc_tree *tree)
{
    if (tree->n < 1 || tree->parent[0] != -1)
        return false;
    for (int32_t i = 1; i < tree->n; ++i) {
        int32_t up = i - 1;

        while (up > tree->parent[i])
            up = tree->parent[up];
        if (up != tree->parent[i])
            return false;
    }
    return true;
}

static bool is_chain(const bosc_tree *tree)
{
    for (int32_t i = 0; i < tree->n; ++i)
        if (tree->parent[i] != i - 1)
            return false;
    return true;
}

bosc_status bosc_systems_check(const bosc_systems *systems, bool chains,
                               bosc_error *err)
{
    for (int32_t t = 0; t < systems->n_trees; ++t) {
        if (!is_depth_first(&systems->trees[t]))
            return bosc_fail(err, BOSC_EVALUE,
                             "tree %d is not numbered depth-first", t);
        if (chains && !is_chain(&systems->trees[t]))
            return bosc_fail(err, BOSC_EVALUE,
                             "tree %d has branches; this method solves chains",
                             t);
    }
    return BOSC_OK;
}

void bosc_slots_fill(const bosc_slots *slots, const double *flat,
                     double padding, void *to, int threads)
{
    double *d = to;
    float *f = to;

#pragma omp parallel num_threads(threads)
    if (slots->single) {
#pragma omp for
        for (ptrdiff_t i = 0; i < slots->n_slots; ++i)
            f[i] = (float)padding;
#pragma omp for
        for (int64_t i = 0; i < slots->n; ++i)
            f[slots->of[i]] = (float)flat[i];
    } else {
#pragma omp for
        for (ptrdiff_t i = 0; i < slots->n_slots; ++i)
            d[i] = padding;
#pragma omp for
        for (int64_t i = 0; i < slots->n; ++i)
            d[slots->of[i]] = flat[i];
    }
}

void bosc_slots_read(const bosc_slots *slots, const void *from, double *flat,
                     int threads)
{
    const double *d = from;
    const float *f = from;

#pragma omp parallel for num_threads(threads)
    for (int64_t i = 0; i < slots->n; ++i)
        flat[i] = slots->single ? (double)f[slots->of[i]] : d[slots->of[i]];
}

/* A number as the solver saw it. */
static double seen(double x, bool single)
{
    return single ? (double)(float)x : x;
}

/* The numbers of one neuron. */
typedef struct numbers {
    const double *u, *d, *b, *x;
} numbers;

/* r and size are room for the residuals and largest terms of its rows. */
static double tree_residual(const bosc_tree *tree, const numbers *of,
                            bool single, double *r, double *size)
{
    const double *u = of->u, *d = of->d, *b = of->b, *x = of->x;
    double worst = 0;

    for (int32_t i = 0; i < tree->n; ++i) {
        const double own = seen(d[i], single) * x[i];

        r[i] = seen(b[i], single) - own;
        size[i] = fmax(fabs(seen(b[i], single)), fabs(own));
    }
    for (int32_t i = 1; i < tree->n; ++i) {
        const int32_t p = tree->parent[i];
        const double flow = seen(u[i], single) * (x[p] - x[i]);
        const double term = fmax(fabs(seen(u[i], single) * x[p]),
                                 fabs(seen(u[i], single) * x[i]));

        r[i] -= flow;
        r[p] += flow;
        size[i] = fmax(size[i], term);
        size[p] = fmax(size[p], term);
    }
    for (int32_t i = 0; i < tree->n; ++i) {
        const double relative = size[i] > 0 ? fabs(r[i]) / size[i] : fabs(r[i]);

        /* Written so that what is not a number is worst. */
        if (!(relative <= worst))
            worst = isfinite(relative) ? relative : INFINITY;
    }
    return worst;
}

double bosc_systems_residual(const bosc_systems *systems, const double *d,
                             const double *b, const double *x, bool single)
{
    int64_t *first = bosc_systems_first(systems);
    int64_t *first_tree = bosc_systems_first_tree(systems);
    int32_t longest = 0;
    double worst = first == NULL || first_tree == NULL ? INFINITY : 0;

    for (int32_t t = 0; t < systems->n_trees; ++t)
        longest = systems->trees[t].n > longest ? systems->trees[t].n : longest;
#pragma omp parallel reduction(max : worst)
    {
        double *r = bosc_alloc((size_t)longest, sizeof *r);
        double *size = bosc_alloc((size_t)longest, sizeof *size);

        if (r == NULL || size == NULL)
            worst = INFINITY;
#pragma omp for schedule(dynamic, 16)
        for (int32_t i = 0; i < systems->n_neurons; ++i) {
            if (worst == INFINITY)
                continue;
            const bosc_tree *tree = &systems->trees[systems->shape[i]];
            const numbers of = {
                systems->u + bosc_systems_u(systems, first, first_tree, i),
                d + first[i], b + first[i], x + first[i]};

            worst = fmax(worst, tree_residual(tree, &of, single, r, size));
        }
        free(r);
        free(size);
    }
    free(first);
    free(first_tree);
    return worst;
}
