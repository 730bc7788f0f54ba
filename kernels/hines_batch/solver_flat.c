/* solver_flat.c - hines-flat: one neuron after the other in memory, and the
 * plain Hines algorithm on several threads ("OpenMP Hines", the papers'
 * Multicore).
 */
#include <stdlib.h>

#include "kernels/hines/hines_tree.h"
#include "kernels/solve/solver_cpu.h"
#include "src/base/mem.h"

static bosc_status flat_create(bosc_cpu_solver *solver, bosc_error *err)
{
    const bosc_systems *systems = solver->systems;
    const int64_t n = solver->base.facts.compartments;
    const int64_t n_topology = solver->first_tree[systems->n_trees];
    const int64_t n_u = systems->shared_u ? n_topology : n;

    solver->slot = bosc_alloc((size_t)n, sizeof *solver->slot);
    solver->own = bosc_solver_flat_u(solver);
    if (solver->slot == NULL || solver->own == NULL)
        return bosc_no_memory(err, "a solver");
    for (int64_t i = 0; i < n; ++i)
        solver->slot[i] = i;
    solver->base.facts.slots = n;
    solver->bytes_u = (size_t)n_u * bosc_solver_real(solver);
    solver->bytes_topology = (size_t)n_topology * sizeof(int32_t);
    return BOSC_OK;
}

static void flat_solve(bosc_cpu_solver *solver)
{
    const bosc_systems *systems = solver->systems;
    const size_t real = bosc_solver_real(solver);
    bosc_tree_solve *const solve =
        bosc_tree_solves[bosc_solver_numbers(&solver->options)];

#pragma omp parallel for num_threads(solver->options.threads)                  \
    schedule(dynamic, 4)
    for (int32_t k = 0; k < systems->n_neurons; ++k) {
        const bosc_tree *tree = &systems->trees[systems->shape[k]];
        const int64_t at = solver->first[k];
        const int64_t at_u =
            bosc_systems_u(systems, solver->first, solver->first_tree, k);

        solve(tree, (const char *)solver->own + (size_t)at_u * real,
              (char *)solver->d + (size_t)at * real,
              (char *)solver->b + (size_t)at * real);
    }
}

static bosc_status flat_layout(int variant, const bosc_systems *systems,
                               const bosc_solver_options *options,
                               bosc_layout *layout, bosc_error *err)
{
    (void)variant, (void)options;
    return bosc_layout_create_whole(systems->n_neurons, systems->shape,
                                    systems->trees, 1, false, layout, err);
}

const bosc_cpu_family bosc_flat_family = {
    .create = flat_create,
    .solve = flat_solve,
    .destroy = free,
    .loop = true,
    .layout = flat_layout,
};
