/* solver_cuda.c - what the solvers of the backend cuda share: numbers on their
 * way to the device and back.
 */
#include "kernels/solve/solver_cuda.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

static size_t real_size(const bosc_cuda_solver *solver)
{
    return solver->single ? sizeof(float) : sizeof(double);
}

void bosc_cuda_place(bosc_cuda_solver *solver, const bosc_layout *layout,
                     const int32_t *place)
{
    const bosc_systems *systems = solver->systems;

#pragma omp parallel for num_threads(solver->threads)
    for (int32_t k = 0; k < systems->n_neurons; ++k) {
        ptrdiff_t *slot = solver->slot + solver->first[k];
        const int32_t t = systems->shape[k];
        const int32_t *of =
            place == NULL ? NULL : place + solver->first_tree[t];

        for (int32_t i = 0; i < systems->trees[t].n; ++i)
            slot[i] = bosc_slot(layout, k, of == NULL ? i : of[i]);
    }
    solver->n_slots = layout->n_slots;
}

/* Of d, of b, and of what is kept of each. */
static size_t bytes_of(const bosc_cuda_solver *solver)
{
    const ptrdiff_t n =
        solver->together > 0 ? solver->together : solver->n_slots;

    return (size_t)n * real_size(solver);
}

static void cuda_destroy(bosc_solver *of)
{
    bosc_cuda_solver *solver = (bosc_cuda_solver *)of;
    if (solver == NULL)
        return;
    if (solver->family->clear != NULL && solver->own != NULL)
        solver->family->clear(solver->own);
    free(solver->own);
    for (int i = 0; i < solver->n_held; ++i)
        bosc_cuda_free(solver->held[i]);
    if (solver->together == 0) {
        bosc_cuda_free(solver->u);
        bosc_cuda_free(solver->d);
        bosc_cuda_free(solver->b);
        bosc_cuda_free(solver->kept_d);
        bosc_cuda_free(solver->kept_b);
    }
    free(solver->first);
    free(solver->first_tree);
    free(solver->slot);
    free(solver);
}

/* Padding is filled where numbers are apart. */
static bosc_slots slots_of(const bosc_cuda_solver *solver)
{
    return (bosc_slots){solver->slot, solver->base.facts.compartments,
                        solver->together > 0 ? 0 : solver->n_slots,
                        solver->single};
}

/* A flat array into slots of the device. */
static bosc_status put(const bosc_cuda_solver *solver, const double *flat,
                       double padding, void *to, bosc_error *err)
{
    const size_t bytes = bytes_of(solver);
    const bosc_slots slots = slots_of(solver);
    void *staged = malloc(bytes > 0 ? bytes : 1);
    bosc_status st = BOSC_OK;

    if (staged == NULL)
        return bosc_no_memory(err, "numbers on their way to the device");
    if (solver->together > 0) /* the others' numbers stay */
        st = bosc_cuda_get(staged, to, bytes, err);
    bosc_slots_fill(&slots, flat, padding, staged, solver->threads);
    if (st == BOSC_OK)
        st = bosc_cuda_put(to, staged, bytes, err);
    free(staged);
    return st;
}

bosc_status bosc_cuda_put_u(bosc_cuda_solver *solver, const double *u,
                            ptrdiff_t n, bosc_error *err)
{
    float *rounded;
    bosc_status st;

    solver->n_u = n;
    if (!solver->single)
        return bosc_cuda_upload(&solver->u, u, (size_t)n * sizeof *u, "u", err);
    rounded = bosc_alloc((size_t)n, sizeof *rounded);
    if (rounded == NULL)
        return bosc_no_memory(err, "u");
    for (ptrdiff_t i = 0; i < n; ++i)
        rounded[i] = (float)u[i];
    st = bosc_cuda_upload(&solver->u, rounded, (size_t)n * sizeof *rounded, "u",
                          err);
    free(rounded);
    return st;
}

bosc_status bosc_cuda_hold(bosc_cuda_solver *solver, void *to, const void *from,
                           size_t bytes, const char *what, bosc_error *err)
{
    void **held = &solver->held[solver->n_held];
    const bosc_status st = from == NULL
                               ? bosc_cuda_alloc(held, bytes, what, err)
                               : bosc_cuda_upload(held, from, bytes, what, err);

    assert(solver->n_held < BOSC_CUDA_HELD);
    if (st == BOSC_OK) {
        memcpy(to, held, sizeof *held);
        ++solver->n_held;
    }
    return st;
}

bosc_status bosc_cuda_put_plan(bosc_cuda_solver *solver, size_t n,
                               const bosc_cuda_plan_array *arrays,
                               bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (size_t i = 0; i < n && st == BOSC_OK; ++i)
        st = bosc_cuda_hold(solver, arrays[i].to, arrays[i].from,
                            arrays[i].bytes, "the plan of a solver", err);
    return st;
}

/* u of every neuron in flat order, of a systems that shares it. */
static bosc_status put_spread_u(bosc_cuda_solver *solver, bosc_error *err)
{
    const bosc_systems *systems = solver->systems;
    double *u = bosc_alloc((size_t)solver->base.facts.compartments, sizeof *u);
    bosc_status st;

    if (u == NULL)
        return bosc_no_memory(err, "u");
    for (int32_t k = 0; k < systems->n_neurons; ++k)
        memcpy(u + solver->first[k],
               systems->u + solver->first_tree[systems->shape[k]],
               (size_t)systems->trees[systems->shape[k]].n * sizeof *u);
    st = put(solver, u, 0, solver->u, err);
    free(u);
    return st;
}

/* Unless the family has. */
static bosc_status put_u(bosc_cuda_solver *solver, bosc_error *err)
{
    const bosc_systems *systems = solver->systems;
    bosc_status st;

    if (solver->u != NULL)
        return BOSC_OK; /* the family has its own order */
    if (systems->shared_u && !solver->spread_u)
        return bosc_cuda_put_u(solver, systems->u,
                               solver->first_tree[systems->n_trees], err);
    solver->n_u = solver->n_slots;
    st = bosc_cuda_alloc(&solver->u,
                         (size_t)solver->n_slots * real_size(solver), "u", err);
    if (st == BOSC_OK)
        st = systems->shared_u ? put_spread_u(solver, err)
                               : put(solver, systems->u, 0, solver->u, err);
    return st;
}

/* Two arrays for d and b. */
static bosc_status allocate(const bosc_cuda_solver *solver, void **d, void **b,
                            bosc_error *err)
{
    const size_t bytes = (size_t)solver->n_slots * real_size(solver);
    const bosc_status st = bosc_cuda_alloc(d, bytes, "d and b", err);

    return st == BOSC_OK ? bosc_cuda_alloc(b, bytes, "d and b", err) : st;
}

static bosc_status fill(bosc_cuda_solver *solver,
                        const bosc_solver_options *options, bosc_error *err)
{
    const bosc_systems *systems = solver->systems;
    bosc_status st;

    solver->first = bosc_systems_first(systems);
    solver->first_tree = bosc_systems_first_tree(systems);
    solver->slot =
        bosc_alloc((size_t)bosc_systems_size(systems), sizeof *solver->slot);
    if (solver->first == NULL || solver->first_tree == NULL ||
        solver->slot == NULL)
        return bosc_no_memory(err, "a solver");
    solver->base.facts.compartments = solver->first[systems->n_neurons];
    st = solver->family->create(solver, options, err);
    if (st == BOSC_OK && solver->together == 0)
        st = allocate(solver, &solver->d, &solver->b, err);
    if (st == BOSC_OK)
        st = put_u(solver, err);
    solver->base.facts.slots = solver->n_slots;
    solver->base.facts.memory +=
        (double)(solver->n_u + 2 * solver->n_slots) * (double)real_size(solver);
    return st;
}

static bosc_status cuda_create(const void *family, int variant,
                               const bosc_systems *systems,
                               const bosc_solver_options *options,
                               bosc_solver **out, bosc_error *err)
{
    bosc_cuda_solver *solver = bosc_alloc(1, sizeof *solver);
    bosc_status st;

    if (solver == NULL)
        return bosc_no_memory(err, "a solver");
    solver->systems = systems;
    solver->family = family;
    solver->variant = variant;
    solver->single = options->single;
    solver->numbers = bosc_solver_numbers(options);
    solver->threads = options->threads;
    st = options->loop && !solver->family->loop ? bosc_solver_no_loop(err)
                                                : fill(solver, options, err);
    if (st == BOSC_OK)
        *out = &solver->base;
    else
        cuda_destroy(&solver->base);
    return st;
}

static bosc_status cuda_restore(bosc_solver *of, bosc_error *err)
{
    bosc_cuda_solver *solver = (bosc_cuda_solver *)of;
    const size_t bytes = bytes_of(solver);
    bosc_status st = bosc_cuda_copy(solver->d, solver->kept_d, bytes, err);

    if (st == BOSC_OK)
        st = bosc_cuda_copy(solver->b, solver->kept_b, bytes, err);
    return st;
}

static bosc_status cuda_load(bosc_solver *of, const double *d, const double *b,
                             bosc_error *err)
{
    bosc_cuda_solver *solver = (bosc_cuda_solver *)of;
    bosc_status st = BOSC_OK;

    if (solver->kept_b == NULL) {
        bosc_cuda_free(solver->kept_d);
        solver->kept_d = NULL;
        st = allocate(solver, &solver->kept_d, &solver->kept_b, err);
    }
    if (st == BOSC_OK)
        st = put(solver, d, 1, solver->kept_d, err);
    if (st == BOSC_OK)
        st = put(solver, b, 0, solver->kept_b, err);
    if (st == BOSC_OK)
        st = cuda_restore(of, err);
    return st;
}

static bosc_status launch(void *of, bosc_error *err)
{
    bosc_cuda_solver *solver = of;

    if (solver->n_slots == 0)
        return BOSC_OK;
    return solver->family->launch(solver, err);
}

static bosc_status cuda_arrays(bosc_solver *of, bosc_solver_arrays *out,
                               bosc_error *err)
{
    bosc_cuda_solver *solver = (bosc_cuda_solver *)of;
    const ptrdiff_t n = solver->n_slots;
    const bosc_slots padding = {.n_slots = n};
    double *staged;
    bosc_status st;

    if (solver->together > 0 || solver->single)
        return bosc_solver_no_arrays(err);
    staged = bosc_alloc((size_t)n, sizeof *staged);
    if (staged == NULL)
        return bosc_no_memory(err, "numbers on their way to the device");
    st = bosc_cuda_put(solver->b, staged, (size_t)n * sizeof *staged, err);
    bosc_slots_fill(&padding, NULL, 1, staged, solver->threads);
    if (st == BOSC_OK)
        st = bosc_cuda_put(solver->d, staged, (size_t)n * sizeof *staged, err);
    free(staged);
    *out = (bosc_solver_arrays){solver->d, solver->b, solver->slot, n};
    return st;
}

static bosc_status cuda_enqueue(bosc_solver *of, bosc_error *err)
{
    return launch(of, err);
}

static bosc_status cuda_solve(bosc_solver *of, double *seconds, bosc_error *err)
{
    bosc_cuda_solver *solver = (bosc_cuda_solver *)of;
    return bosc_cuda_timed(launch, solver, seconds, err);
}

static bosc_status cuda_fetch(bosc_solver *of, double *x, bosc_error *err)
{
    bosc_cuda_solver *solver = (bosc_cuda_solver *)of;
    const size_t bytes = bytes_of(solver);
    const bosc_slots slots = slots_of(solver);
    void *staged = malloc(bytes > 0 ? bytes : 1);
    bosc_status st;

    if (staged == NULL)
        return bosc_no_memory(err, "numbers on their way from the device");
    st = bosc_cuda_get(staged, solver->b, bytes, err);
    if (st == BOSC_OK)
        bosc_slots_read(&slots, staged, x, solver->threads);
    free(staged);
    return st;
}

static bosc_status cuda_layout(const void *of, int variant,
                               const bosc_systems *systems,
                               const bosc_solver_options *options,
                               bosc_layout *layout, bosc_error *err)
{
    const bosc_cuda_family *family = of;

    return family->layout == NULL
               ? bosc_solver_no_layout(err)
               : family->layout(variant, systems, options, layout, err);
}

const bosc_solver_ops bosc_cuda_solvers = {
    .create = cuda_create,
    .load = cuda_load,
    .restore = cuda_restore,
    .arrays = cuda_arrays,
    .solve = cuda_solve,
    .enqueue = cuda_enqueue,
    .fetch = cuda_fetch,
    .destroy = cuda_destroy,
    .layout = cuda_layout,
};

static bosc_status gpu_bandwidth(int threads, double *bytes_per_second,
                                 bosc_error *err)
{
    (void)threads;
    return bosc_cuda_bandwidth(bytes_per_second, err);
}

static void gpu_chip(double *processors, double *shared)
{
    *processors = bosc_cuda_processors();
    *shared = (double)bosc_cuda_shared_limit();
}

const bosc_processor bosc_gpu = {bosc_cuda_device, gpu_bandwidth, gpu_chip};
