#include "tests/lib/systems.h"

#include <stdlib.h>
#include <string.h>

#include "tests/lib/model_cells.h"

void systems_add(systems *g, int32_t n, const int32_t *parent)
{
    int32_t *copy = forest_get((size_t)n, sizeof *copy);

    memcpy(copy, parent, (size_t)n * sizeof *copy);
    g->trees[g->is.n_trees++] = (bosc_tree){n, copy};
}

/* Axial conductances (uS) of n nodes. */
static void fill_u(double *u, int32_t n, uint64_t seed)
{
    for (int32_t i = 1; i < n; ++i)
        u[i] = -0.01 - forest_uniform(&seed);
}

/* Some nodes have no area, so no conductance of their own. */
static void fill_system(double *d, double *b, int32_t n, uint64_t seed)
{
    for (int32_t i = 0; i < n; ++i) {
        const bool bare = i > 0 && forest_uniform(&seed) < 0.05;

        d[i] = bare ? 0 : 0.01 + 0.2 * forest_uniform(&seed);
        b[i] = forest_uniform(&seed) - 0.5;
    }
}

/* A neuron of each tree. */
static void one_of_each(systems *g)
{
    g->is.n_neurons = g->is.n_trees;
    g->shape = forest_get((size_t)g->is.n_trees, sizeof *g->shape);
    for (int32_t i = 0; i < g->is.n_trees; ++i)
        g->shape[i] = i;
}

void systems_number(systems *g)
{
    bosc_systems *is = &g->is;
    int64_t n = 0, at = 0;
    size_t room;

    if (g->shape == NULL)
        one_of_each(g);
    is->trees = g->trees;
    is->shape = g->shape;
    for (int32_t t = 0; t < is->n_trees; ++t)
        n += is->trees[t].n;
    room = (size_t)(bosc_systems_size(is) + n);
    is->u = g->u = forest_get(room, sizeof *g->u);
    g->d = forest_get(room, sizeof *g->d);
    g->b = forest_get(room, sizeof *g->b);
    for (int32_t t = 0; is->shared_u && t < is->n_trees; ++t) {
        fill_u(g->u + at, is->trees[t].n, (uint64_t)t);
        at += is->trees[t].n;
    }
    at = 0;
    for (int32_t i = 0; i < is->n_neurons; ++i) {
        n = is->trees[is->shape[i]].n;
        if (!is->shared_u)
            fill_u(g->u + at, (int32_t)n, (uint64_t)at);
        fill_system(g->d + at, g->b + at, (int32_t)n, (uint64_t)at);
        at += n;
    }
}

void systems_plant(systems *g, const systems_plan *plan)
{
    *g = (systems){.name = plan->name};
    for (size_t k = 0; k < BOSC_LEN(plan->shapes) && plan->shapes[k].n > 0;
         ++k) {
        const int32_t n = plan->shapes[k].n;
        forest_shape s =
            plan->shapes[k].parent != NULL
                ? forest_shape_of(n, plan->shapes[k].parent)
                : forest_shape_random(n, plan->shapes[k].branching, k);

        systems_add(g, n, s.parent);
        forest_shape_clear(&s);
    }
    g->is.n_neurons = plan->n_neurons;
    g->is.shared_u = plan->shared_u;
    g->shape = forest_get((size_t)plan->n_neurons, sizeof *g->shape);
    for (int32_t i = 0; i < plan->n_neurons; ++i)
        g->shape[i] = i % g->is.n_trees;
    systems_number(g);
}

void systems_clear(systems *g)
{
    for (int32_t t = 0; t < g->is.n_trees; ++t)
        free((void *)g->trees[t].parent);
    free(g->shape);
    free(g->u);
    free(g->d);
    free(g->b);
    *g = (systems){0};
}

bool systems_is_chains(const systems *g)
{
    for (int32_t t = 0; t < g->is.n_trees; ++t)
        for (int32_t i = 0; i < g->trees[t].n; ++i)
            if (g->trees[t].parent[i] != i - 1)
                return false;
    return true;
}
