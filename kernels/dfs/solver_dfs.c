/* solver_dfs.c - depth-first: a neuron in each lane of a vector, the sweeps of
 * the time loop.
 */
#include <stdlib.h>

#include "kernels/base/isa.h"
#include "kernels/dfs/dfs.h"
#include "kernels/solve/solver_cpu.h"
#include "src/base/mem.h"

typedef struct own {
    bosc_layout layout;
    bosc_dfs dfs;
    bosc_dfs_solve *solve;
    int32_t n_tiles;
    bosc_tile *tiles;
    void *u, *tree_u;
} own;

static const bosc_dfs_codes *const codes[] = BOSC_ISA_TABLES(bosc_dfs);

static void dfs_destroy(void *what)
{
    own *o = what;

    if (o == NULL)
        return;
    bosc_layout_clear(&o->layout);
    bosc_dfs_plan_clear(&o->dfs.plan);
    free(o->tiles);
    free(o->u);
    free(o->tree_u);
    free(o);
}

/* The first slot of the groups that are not uniform: those come last. */
static ptrdiff_t first_mixed(const bosc_layout *layout)
{
    int32_t g = 0;

    while (g < layout->n_groups && layout->uniform[g] &&
           bosc_layout_width(layout, g) > 1)
        ++g;
    return layout->first[g];
}

/* Of uniform groups each tree's u serves, where it is shared. */
static bool make_u(bosc_cpu_solver *solver, own *o)
{
    const bool shared = solver->systems->shared_u;
    const size_t real = bosc_solver_real(solver);

    o->dfs.first_u = shared ? first_mixed(&o->layout) : 0;
    o->dfs.u = o->u = bosc_solver_slots_u(solver, o->dfs.first_u);
    solver->bytes_u = real * (size_t)(o->layout.n_slots - o->dfs.first_u);
    if (!shared)
        return o->u != NULL;
    o->dfs.tree_u = o->tree_u = bosc_solver_flat_u(solver);
    o->dfs.first_tree = solver->first_tree;
    solver->bytes_u +=
        real * (size_t)solver->first_tree[solver->systems->n_trees];
    return o->u != NULL && o->tree_u != NULL;
}

/* The branches of groups, and the parents of neurons alone. */
static size_t bytes_of_plan(const own *o)
{
    const bosc_layout *layout = &o->layout;
    const bosc_dfs_plan *plan = &o->dfs.plan;
    size_t alone = 0;

    for (int32_t g = 0; g < layout->n_groups; ++g)
        if (bosc_layout_width(layout, g) == 1)
            alone += (size_t)layout->rows[g];
    return alone * sizeof(int32_t) + plan->n_counts * sizeof *plan->counts +
           plan->n_branches * sizeof *plan->branches;
}

static bosc_status dfs_create(bosc_cpu_solver *solver, bosc_error *err)
{
    const bosc_systems *systems = solver->systems;
    const bosc_dfs_code *code = &codes[bosc_isa()]->of[solver->options.single];
    own *o = solver->own = bosc_alloc(1, sizeof *o);
    bosc_status st;

    if (o == NULL)
        return bosc_no_memory(err, "a solver");
    o->solve = code->solve;
    o->dfs.layout = &o->layout;
    o->dfs.shape = systems->shape;
    o->dfs.trees = systems->trees;
    st = bosc_layout_create(
        systems->n_neurons, systems->shape, systems->trees,
        (bosc_grouping){.width = code->lanes,
                        .threads = solver->options.threads},
        &o->layout, err);
    if (st == BOSC_OK)
        st = bosc_dfs_plan_create(&o->layout, systems->shape, systems->trees,
                                  &o->dfs.plan, err);
    if (st != BOSC_OK)
        return st;
    if (!bosc_solver_place(solver, &o->layout) || !make_u(solver, o) ||
        !bosc_tiles_create(&o->layout, solver->options.threads,
                           3 * bosc_solver_real(solver), &o->tiles,
                           &o->n_tiles))
        return bosc_no_memory(err, "a solver");
    solver->bytes_topology = bytes_of_plan(o);
    return BOSC_OK;
}

static void dfs_solve(bosc_cpu_solver *solver)
{
    const own *o = solver->own;
    const size_t real = bosc_solver_real(solver);

#pragma omp parallel for num_threads(solver->options.threads) schedule(dynamic)
    for (int32_t i = 0; i < o->n_tiles; ++i) {
        const size_t at = (size_t)o->layout.first[o->tiles[i].g] * real;

        o->solve(&o->dfs, &o->tiles[i], (char *)solver->d + at,
                 (char *)solver->b + at);
    }
}

const bosc_cpu_family bosc_dfs_family = {
    .create = dfs_create,
    .solve = dfs_solve,
    .destroy = dfs_destroy,
};
