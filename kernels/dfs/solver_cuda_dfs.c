/* solver_cuda_dfs.c - the method depth-first of the backend cuda. */
#include <stdlib.h>

#include "kernels/dfs/cuda_dfs_plan.h"
#include "kernels/dfs/visits.h"
#include "src/base/mem.h"

/* Rows of a stack on the chip: 12 KiB a warp in fp64, which no warp has to wait
 * for; trees whose branches are ordered need about log2 of their tips. */
enum { NEAR_DEPTH = 16 };

/* The plan on the device. */
static bosc_status upload(bosc_cuda_solver *solver,
                          const bosc_cuda_dfs_plan *plan, bosc_error *err)
{
    bosc_dfs_own *own = solver->own;
    bosc_cuda_dfs_plan *device = &own->plan;
    const size_t lanes = (size_t)plan->n_groups * BOSC_DFS_LANES;
    const bosc_cuda_plan_array arrays[] = {
        {&device->groups, plan->groups,
         (size_t)plan->n_groups * sizeof *plan->groups},
        {&device->codes, plan->codes,
         (size_t)plan->n_codes * sizeof *plan->codes},
        {&device->lane_tree, plan->lane_tree, lanes * sizeof *plan->lane_tree},
        {&device->bushy_first, plan->bushy_first,
         ((size_t)plan->n_trees + 1) * sizeof *plan->bushy_first},
        {&device->bushy, plan->bushy,
         (size_t)plan->bushy_first[plan->n_trees] * sizeof *plan->bushy},
    };

    *device = *plan; /* numbers */
    return bosc_cuda_put_plan(solver, BOSC_LEN(arrays), arrays, err);
}

static void count_bytes(bosc_cuda_solver *solver,
                        const bosc_cuda_dfs_plan *plan)
{
    const double real = solver->single ? sizeof(float) : sizeof(double);
    const double n = (double)solver->base.facts.compartments;
    const double copies =
        (double)(plan->n_codes - plan->n_tree_codes) * BOSC_DFS_BATCH;
    const double codes = copies < n ? copies : n;
    const double n_u = solver->systems->shared_u ? codes : n;

    /* d b in, f w out, f w in, v out; u once; the codes twice */
    solver->base.facts.least_bytes = real * (7 * n + n_u) + 2 * codes;
    solver->base.facts.memory = (double)plan->n_codes * sizeof *plan->codes +
                                3 * real * (double)plan->far_rows;
}

static bosc_status put_u(bosc_cuda_solver *solver, const bosc_systems *systems,
                         const bosc_layout *layout,
                         const bosc_cuda_dfs_plan *plan, bosc_error *err)
{
    double *u;
    bosc_status st;

    if (!systems->shared_u)
        return BOSC_OK; /* as usual */
    u = bosc_alloc((size_t)plan->n_u, sizeof *u);
    if (u == NULL)
        return bosc_no_memory(err, "u");
    bosc_cuda_dfs_plan_spread(systems, solver->first_tree, layout, plan, u);
    st = bosc_cuda_put_u(solver, u, plan->n_u, err);
    free(u);
    return st;
}

static bosc_status place(bosc_cuda_solver *solver, const bosc_layout *layout,
                         const bosc_visits *visits, bosc_error *err)
{
    const size_t real = solver->single ? sizeof(float) : sizeof(double);
    bosc_dfs_own *own = solver->own;
    bosc_cuda_dfs_plan plan;
    bosc_status st = bosc_cuda_dfs_plan_create(
        &visits->systems, solver->first_tree, layout, NEAR_DEPTH, &plan, err);

    if (st != BOSC_OK)
        return st;
    bosc_cuda_place(solver, layout, visits->place);
    count_bytes(solver, &plan);
    st = put_u(solver, &visits->systems, layout, &plan, err);
    if (st == BOSC_OK)
        st = bosc_cuda_hold(solver, &own->far, NULL,
                            (size_t)plan.far_rows * 3 * real,
                            "the stacks of a solver", err);
    if (st == BOSC_OK)
        st = upload(solver, &plan, err);
    bosc_cuda_dfs_plan_clear(&plan);
    return st;
}

static bosc_status dfs_create(bosc_cuda_solver *solver,
                              const bosc_solver_options *options,
                              bosc_error *err)
{
    const bosc_systems *systems = solver->systems;
    bosc_layout layout = {0};
    bosc_visits visits = {.place = NULL};
    bosc_status st;

    (void)options;
    solver->own = bosc_alloc(1, sizeof(bosc_dfs_own));
    if (solver->own == NULL)
        return bosc_no_memory(err, "the plan of a solver");
    st = bosc_layout_create_whole(systems->n_neurons, systems->shape,
                                  systems->trees, BOSC_DFS_LANES, true, &layout,
                                  err);
    if (st == BOSC_OK)
        st = bosc_visits_create(systems, solver->first_tree, &visits, err);
    if (st == BOSC_OK)
        st = place(solver, &layout, &visits, err);
    bosc_visits_clear(&visits);
    bosc_layout_clear(&layout);
    return st;
}

const bosc_cuda_family bosc_cuda_dfs = {
    .create = dfs_create,
    .launch = bosc_dfs_launch,
};
