/* solver_cpu.c - what the solvers of the backend cpu share. */
#include "kernels/solve/solver_cpu.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/progress.h"

static void cpu_destroy(bosc_solver *of)
{
    bosc_cpu_solver *solver = (bosc_cpu_solver *)of;
    if (solver == NULL)
        return;
    solver->family->destroy(solver->own);
    free(solver->first);
    free(solver->first_tree);
    free(solver->slot);
    if (solver->together == 0) {
        free(solver->d);
        free(solver->b);
        free(solver->kept_d);
        free(solver->kept_b);
    }
    free(solver);
}

void *bosc_solver_flat_u(const bosc_cpu_solver *solver)
{
    const bosc_systems *systems = solver->systems;
    const int64_t n = systems->shared_u ? solver->first_tree[systems->n_trees]
                                        : solver->first[systems->n_neurons];
    void *u = bosc_alloc((size_t)n, bosc_solver_real(solver));

    for (int64_t i = 0; u != NULL && i < n; ++i)
        if (solver->options.single)
            ((float *)u)[i] = (float)systems->u[i];
        else
            ((double *)u)[i] = systems->u[i];
    return u;
}

bool bosc_solver_place(bosc_cpu_solver *solver, const bosc_layout *layout)
{
    const bosc_systems *systems = solver->systems;
    const size_t n = (size_t)solver->base.facts.compartments;

    solver->base.facts.slots = layout->n_slots;
    solver->slot = bosc_alloc(n, sizeof *solver->slot);
    for (int32_t k = 0; solver->slot != NULL && k < systems->n_neurons; ++k)
        for (int32_t i = 0; i < systems->trees[systems->shape[k]].n; ++i)
            solver->slot[solver->first[k] + i] = bosc_slot(layout, k, i);
    return solver->slot != NULL;
}

/* u of one neuron to its slots. */
static void spread_u(const bosc_cpu_solver *solver, int32_t neuron,
                     ptrdiff_t from, void *u)
{
    const bosc_systems *systems = solver->systems;
    const ptrdiff_t *slot = solver->slot + solver->first[neuron];
    const double *of = systems->u + bosc_systems_u(systems, solver->first,
                                                   solver->first_tree, neuron);

    for (int32_t i = 0; i < systems->trees[systems->shape[neuron]].n; ++i)
        if (solver->options.single)
            ((float *)u)[slot[i] - from] = (float)of[i];
        else
            ((double *)u)[slot[i] - from] = of[i];
}

void bosc_solver_spread_u(const bosc_cpu_solver *solver, void *u)
{
    for (int32_t k = 0; k < solver->systems->n_neurons; ++k)
        spread_u(solver, k, 0, u);
}

void *bosc_solver_slots_u(const bosc_cpu_solver *solver, ptrdiff_t from)
{
    void *u = bosc_alloc((size_t)(solver->base.facts.slots - from),
                         bosc_solver_real(solver));

    for (int32_t k = 0; u != NULL && k < solver->systems->n_neurons; ++k)
        if (solver->slot[solver->first[k]] >= from)
            spread_u(solver, k, from, u);
    return u;
}

/* Two arrays of the system, once the family has said how many slots. */
static bool allocate(const bosc_cpu_solver *solver, void **d, void **b)
{
    const size_t n = (size_t)solver->base.facts.slots;
    const size_t real = bosc_solver_real(solver);

    *d = bosc_alloc(n, real);
    *b = bosc_alloc(n, real);
    return *d != NULL && *b != NULL;
}

static bosc_status make(bosc_cpu_solver *solver, bosc_error *err)
{
    bosc_solver_facts *facts = &solver->base.facts;
    bosc_status st;
    double system;

    solver->first = bosc_systems_first(solver->systems);
    solver->first_tree = bosc_systems_first_tree(solver->systems);
    if (solver->first == NULL || solver->first_tree == NULL)
        return bosc_no_memory(err, "a solver");
    facts->compartments = solver->first[solver->systems->n_neurons];
    st = solver->family->create(solver, err);
    if (st != BOSC_OK)
        return st;
    if (solver->together == 0 && !allocate(solver, &solver->d, &solver->b))
        return bosc_no_memory(err, "a solver");
    system = (double)facts->slots * (double)bosc_solver_real(solver);
    /* d u b in, f w out; f w in, v out; the topology twice. */
    facts->least_bytes = 7 * system + (double)solver->bytes_u +
                         2 * (double)solver->bytes_topology;
    facts->memory =
        2 * system + (double)solver->bytes_u + (double)solver->bytes_topology;
    return BOSC_OK;
}

static bosc_status cpu_create(const void *family, int variant,
                              const bosc_systems *systems,
                              const bosc_solver_options *options,
                              bosc_solver **out, bosc_error *err)
{
    bosc_cpu_solver *solver = bosc_alloc(1, sizeof *solver);
    bosc_status st;

    if (solver == NULL)
        return bosc_no_memory(err, "a solver");
    solver->systems = systems;
    solver->family = family;
    solver->variant = variant;
    solver->options = *options;
    st = options->loop && !solver->family->loop ? bosc_solver_no_loop(err)
                                                : make(solver, err);
    if (st != BOSC_OK) {
        cpu_destroy(&solver->base);
        return st;
    }
    *out = &solver->base;
    return BOSC_OK;
}

/* By all threads, so that each finds a part of it in its cache. */
static bosc_status cpu_restore(bosc_solver *of, bosc_error *err)
{
    bosc_cpu_solver *solver = (bosc_cpu_solver *)of;
    const bool apart = solver->together == 0;
    const ptrdiff_t n = apart ? solver->base.facts.slots : solver->together;
    const ptrdiff_t bytes = n * (ptrdiff_t)bosc_solver_real(solver);
    const ptrdiff_t part = 1 << 16;
    char *d = solver->d, *b = solver->b;
    const char *kept_d = solver->kept_d, *kept_b = solver->kept_b;

    (void)err;
#pragma omp parallel for num_threads(solver->options.threads)
    for (ptrdiff_t at = 0; at < bytes; at += part) {
        const size_t size = (size_t)(bytes - at < part ? bytes - at : part);

        memcpy(d + at, kept_d + at, size);
        if (apart)
            memcpy(b + at, kept_b + at, size);
    }
    return BOSC_OK;
}

/* Padding is filled where numbers are apart. */
static bosc_slots slots_of(const bosc_cpu_solver *solver)
{
    return (bosc_slots){solver->slot, solver->base.facts.compartments,
                        solver->together == 0 ? solver->base.facts.slots : 0,
                        solver->options.single};
}

static bosc_status cpu_load(bosc_solver *of, const double *d, const double *b,
                            bosc_error *err)
{
    bosc_cpu_solver *solver = (bosc_cpu_solver *)of;
    const bosc_slots slots = slots_of(solver);

    if (solver->kept_d == NULL &&
        !allocate(solver, &solver->kept_d, &solver->kept_b)) {
        free(solver->kept_d);
        solver->kept_d = NULL;
        return bosc_no_memory(err, "what a solver restores");
    }
    bosc_slots_fill(&slots, d, 1, solver->kept_d, solver->options.threads);
    bosc_slots_fill(&slots, b, 0, solver->kept_b, solver->options.threads);
    return cpu_restore(of, err);
}

static bosc_status cpu_arrays(bosc_solver *of, bosc_solver_arrays *out,
                              bosc_error *err)
{
    bosc_cpu_solver *solver = (bosc_cpu_solver *)of;
    const bosc_slots padding = {.n_slots = solver->base.facts.slots};

    if (solver->together != 0 || solver->options.single)
        return bosc_solver_no_arrays(err);
    bosc_slots_fill(&padding, NULL, 1, solver->d, solver->options.threads);
    bosc_slots_fill(&padding, NULL, 0, solver->b, solver->options.threads);
    *out = (bosc_solver_arrays){solver->d, solver->b, solver->slot,
                                solver->base.facts.slots};
    return BOSC_OK;
}

static bosc_status cpu_enqueue(bosc_solver *of, bosc_error *err)
{
    bosc_cpu_solver *solver = (bosc_cpu_solver *)of;

    (void)err;
    solver->family->solve(solver);
    return BOSC_OK;
}

static bosc_status cpu_solve(bosc_solver *of, double *seconds, bosc_error *err)
{
    const double start = bosc_now();
    const bosc_status st = cpu_enqueue(of, err);

    *seconds = bosc_now() - start;
    return st;
}

static bosc_status cpu_layout(const void *of, int variant,
                              const bosc_systems *systems,
                              const bosc_solver_options *options,
                              bosc_layout *layout, bosc_error *err)
{
    const bosc_cpu_family *family = of;

    return family->layout == NULL
               ? bosc_solver_no_layout(err)
               : family->layout(variant, systems, options, layout, err);
}

static bosc_status cpu_fetch(bosc_solver *of, double *x, bosc_error *err)
{
    bosc_cpu_solver *solver = (bosc_cpu_solver *)of;
    const bosc_slots slots = slots_of(solver);

    (void)err;
    bosc_slots_read(&slots, solver->b, x, solver->options.threads);
    return BOSC_OK;
}

const bosc_solver_ops bosc_cpu_solvers = {
    .create = cpu_create,
    .load = cpu_load,
    .restore = cpu_restore,
    .arrays = cpu_arrays,
    .solve = cpu_solve,
    .enqueue = cpu_enqueue,
    .fetch = cpu_fetch,
    .destroy = cpu_destroy,
    .layout = cpu_layout,
};
