/* solver_cuda_cyclic.c - the method cyclic-reduction of the backend cuda: a
 * block of threads for each neuron, for few neurons.
 */
#include <stdlib.h>

#include "kernels/cyclic_reduction/cuda_cyclic_plan.h"
#include "src/base/mem.h"

/* Threads of a block, and whether it brings the plan of its tree on the chip.
 * Half of the rows go in the first round and a quarter in the second, so one
 * thread for four rows is enough; where blocks wait for room, one for eight,
 * and the plan left where it is, let more of them in.  Measured on one H200
 * with big-high, in us: 256 neurons 19.7 (256 threads, plan on the chip), 21.9
 * (plan not there), 26.7 (128 threads, not there); 2,560 neurons 103, 101, 97.
 */
enum { CROWDED = 4 /* neurons for each multiprocessor */ };
enum { MIN_THREADS = 32, MAX_THREADS = 512 };

static bool is_crowded(const bosc_cuda_solver *solver)
{
    return solver->systems->n_neurons > CROWDED * bosc_cuda_processors();
}

static int32_t choose_threads(const bosc_cuda_solver *solver, int32_t longest)
{
    const int32_t rows = is_crowded(solver) ? 8 : 4;
    int32_t threads = MIN_THREADS;

    while (threads < MAX_THREADS && threads * rows < longest)
        threads *= 2;
    return threads;
}

/* The plan on the device. */
static bosc_status upload(bosc_cuda_solver *solver,
                          const bosc_cyclic_plan *plan, bosc_error *err)
{
    bosc_cyclic_own *own = solver->own;
    bosc_cyclic_plan *device = &own->plan;
    const bosc_cuda_plan_array arrays[] = {
        {&device->trees, plan->trees,
         (size_t)plan->n_trees * sizeof *plan->trees},
        {&device->rounds, plan->rounds,
         (size_t)plan->n_rounds * sizeof *plan->rounds},
        {&device->steps, plan->steps,
         (size_t)plan->n_steps * sizeof *plan->steps},
        {&device->takers, plan->takers,
         (size_t)plan->n_takers * sizeof *plan->takers},
        {&device->sources, plan->sources,
         (size_t)plan->n_steps * sizeof *plan->sources},
    };

    *device = *plan; /* numbers */
    return bosc_cuda_put_plan(solver, BOSC_LEN(arrays), arrays, err);
}

/* Everything stands in flat order. */
static void place(bosc_cuda_solver *solver)
{
    solver->n_slots = solver->base.facts.compartments;
    for (int64_t i = 0; i < solver->base.facts.compartments; ++i)
        solver->slot[i] = i;
}

static bosc_status put_neurons(bosc_cuda_solver *solver, bosc_cyclic_own *own,
                               bosc_error *err)
{
    const bosc_systems *systems = solver->systems;
    const size_t n = (size_t)systems->n_neurons;
    bosc_cyclic_neuron *neurons = bosc_alloc(n, sizeof *neurons);
    bosc_status st;

    if (neurons == NULL)
        return bosc_no_memory(err, "the plan of a solver");
    for (int32_t k = 0; k < systems->n_neurons; ++k)
        neurons[k] = (bosc_cyclic_neuron){
            .first = solver->first[k],
            .u = bosc_systems_u(systems, solver->first, solver->first_tree, k),
            .tree = systems->shape[k],
        };
    st = bosc_cuda_hold(solver, &own->neurons, neurons, n * sizeof *neurons,
                        "the plan of a solver", err);
    free(neurons);
    return st;
}

/* On the chip if the longest neuron fits there. */
static bosc_status make_room(bosc_cuda_solver *solver,
                             const bosc_cyclic_plan *plan, bosc_cyclic_own *own,
                             bosc_error *err)
{
    const size_t limit = bosc_cuda_shared_limit();
    const size_t row =
        BOSC_CYCLIC_ROOM * (solver->single ? sizeof(float) : sizeof(double));
    const size_t numbers = (size_t)plan->longest * row;
    const size_t words = (size_t)plan->most_words * sizeof(int32_t);

    if (numbers > limit)
        return bosc_cuda_hold(solver, &own->far, NULL,
                              (size_t)solver->n_slots * row,
                              "the room of a solver", err);
    own->near_bytes = numbers;
    if (!is_crowded(solver) && numbers + words <= limit) {
        own->bring = numbers;
        own->near_bytes += words;
    }
    return BOSC_OK;
}

static void count_bytes(bosc_cuda_solver *solver, const bosc_cyclic_plan *plan,
                        const bosc_cyclic_own *own)
{
    const bosc_systems *systems = solver->systems;
    const double real = solver->single ? sizeof(float) : sizeof(double);
    const double n = (double)solver->base.facts.compartments;
    const double trees = (double)solver->first_tree[systems->n_trees];
    const double n_u = systems->shared_u ? trees : n;
    const double of_plan =
        (double)plan->n_steps * (sizeof *plan->steps + sizeof *plan->sources) +
        (double)plan->n_takers * sizeof *plan->takers;

    /* d b in, v out; u once; the plan of each tree, its steps twice */
    solver->base.facts.least_bytes =
        real * (3 * n + n_u) + of_plan +
        (double)plan->n_steps * sizeof *plan->steps;
    solver->base.facts.memory =
        of_plan + (own->far != NULL ? BOSC_CYCLIC_ROOM * real * n : 0);
}

static bosc_status cyclic_create(bosc_cuda_solver *solver,
                                 const bosc_solver_options *options,
                                 bosc_error *err)
{
    bosc_cyclic_own *own = bosc_alloc(1, sizeof *own);
    bosc_cyclic_plan plan = {0};
    bosc_status st = BOSC_OK;

    (void)options;
    solver->own = own;
    if (own == NULL)
        return bosc_no_memory(err, "the plan of a solver");
    place(solver);
    st = bosc_cyclic_plan_create(solver->systems, &plan, err);
    if (st == BOSC_OK) {
        own->threads = choose_threads(solver, plan.longest);
        st = make_room(solver, &plan, own, err);
    }
    if (st == BOSC_OK)
        st = put_neurons(solver, own, err);
    if (st == BOSC_OK) {
        count_bytes(solver, &plan, own);
        st = upload(solver, &plan, err);
    }
    bosc_cyclic_plan_clear(&plan);
    return st;
}

/* Flat. */
static bosc_status cyclic_layout(int variant, const bosc_systems *systems,
                                 const bosc_solver_options *options,
                                 bosc_layout *layout, bosc_error *err)
{
    (void)variant, (void)options;
    return bosc_layout_create_whole(systems->n_neurons, systems->shape,
                                    systems->trees, 1, false, layout, err);
}

const bosc_cuda_family bosc_cuda_cyclic = {
    .create = cyclic_create,
    .launch = bosc_cyclic_launch,
    .layout = cyclic_layout,
    .loop = true, /* its sums have an order of their own in any case */
};
