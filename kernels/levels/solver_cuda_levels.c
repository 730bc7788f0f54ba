/* solver_cuda_levels.c - thomas-* and level-schedule-*: a level at a time,
 * a thread for each section, as the papers do it.
 */
#include <stdlib.h>

#include "kernels/levels/cuda_levels_launch.h"
#include "kernels/levels/level_layout.h"
#include "src/base/mem.h"

/* Each array of the host's level schedule in its place of the device's. */
static bosc_status upload(bosc_cuda_solver *solver,
                          const bosc_level_schedule *schedule,
                          bosc_level_schedule *device, bosc_error *err)
{
    const size_t n = (size_t)schedule->n_lanes;
    const size_t groups = n / (size_t)schedule->width;
    const bosc_cuda_plan_array arrays[] = {
        {&device->rows, schedule->rows, n * sizeof *schedule->rows},
        {&device->own, schedule->own, n * sizeof *schedule->own},
        {&device->first, schedule->first, groups * sizeof *schedule->first},
        {&device->last, schedule->last, n * sizeof *schedule->last},
        {&device->end, schedule->end, n * sizeof *schedule->end},
        {&device->pair, schedule->pair, n * sizeof *schedule->pair},
        {&device->pairs, schedule->pairs, (n + 1) * sizeof *schedule->pairs},
    };

    return bosc_cuda_put_plan(solver, BOSC_LEN(arrays), arrays, err);
}

/* d u b in, f w out, f w in, v out; and of each section what its thread reads:
 * twice its rows, first and pair, once the rest. */
static void count_bytes(bosc_cuda_solver *solver,
                        const bosc_level_schedule *schedule, size_t real)
{
    const double sections = (double)schedule->n_pairs;

    solver->base.facts.least_bytes =
        8 * (double)real * (double)solver->base.facts.compartments +
        sections * (5.0 * sizeof(int32_t) + 2.0 * sizeof(ptrdiff_t) +
                    4.0 * (double)real);
    solver->base.facts.memory =
        sections * 2.0 * (double)real +
        (double)schedule->n_lanes *
            (3.0 * sizeof(int32_t) + 2.0 * sizeof(ptrdiff_t));
}

/* u into its places of an array for d, u and b. */
static void place_u(const bosc_cuda_solver *solver, void *together)
{
    const bosc_systems *systems = solver->systems;

    for (int32_t k = 0; k < systems->n_neurons; ++k) {
        const ptrdiff_t *slot = solver->slot + solver->first[k];
        const double *u = systems->u + bosc_systems_u(systems, solver->first,
                                                      solver->first_tree, k);

        for (int32_t i = 0; i < systems->trees[systems->shape[k]].n; ++i)
            if (solver->single)
                ((float *)together)[slot[i] + BOSC_UNIFIED_U] = (float)u[i];
            else
                ((double *)together)[slot[i] + BOSC_UNIFIED_U] = u[i];
    }
}

/* d, u and b in one array of the device. */
static bosc_status put_together(bosc_cuda_solver *solver,
                                bosc_level_schedule_own *own, size_t real,
                                bosc_error *err)
{
    const size_t at_u = BOSC_UNIFIED_U * real, at_b = BOSC_UNIFIED_B * real;
    const ptrdiff_t n = BOSC_UNIFIED_NUMBERS * solver->n_slots + BOSC_UNIFIED_B;
    const size_t bytes = (size_t)n * real + at_b;
    void *host = bosc_alloc(bytes, 1);
    bosc_status st;

    if (host == NULL)
        return bosc_no_memory(err, "numbers on their way to the device");
    solver->together = n;
    place_u(solver, host);
    st = bosc_cuda_hold(solver, &own->together, host, bytes, "d, u and b", err);
    if (st == BOSC_OK)
        st = bosc_cuda_hold(solver, &own->kept, host, bytes, "d, u and b", err);
    free(host);
    if (st != BOSC_OK)
        return st;
    solver->d = own->together;
    solver->u = (char *)own->together + at_u;
    solver->b = (char *)own->together + at_b;
    solver->kept_d = own->kept;
    solver->kept_b = (char *)own->kept + at_b;
    solver->n_u = solver->n_slots;
    return BOSC_OK;
}

static bosc_status schedule_create(bosc_cuda_solver *solver,
                                   const bosc_solver_options *options,
                                   bosc_error *err)
{
    const size_t real = solver->single ? sizeof(float) : sizeof(double);
    bosc_level_schedule_own *own = bosc_alloc(1, sizeof *own);
    bosc_level_schedule schedule;
    bosc_status st;

    solver->own = own;
    if (own == NULL)
        return bosc_no_memory(err, "the plan of a solver");
    st = bosc_level_schedule_create(
        solver->systems, (bosc_thomas_kind)solver->variant, options->from_root,
        solver->slot, &schedule, err);
    if (st != BOSC_OK)
        return st;
    own->schedule = (bosc_level_schedule){.width = schedule.width,
                                          .n_levels = schedule.n_levels,
                                          .n_lanes = schedule.n_lanes,
                                          .n_pairs = schedule.n_pairs,
                                          .first_root = schedule.first_root,
                                          .n_slots = schedule.n_slots,
                                          .levels = schedule.levels};
    schedule.levels = NULL; /* own's from here on */
    solver->n_slots = schedule.n_slots;
    solver->spread_u = true;
    count_bytes(solver, &schedule, real);
    st = upload(solver, &schedule, &own->schedule, err);
    if (st == BOSC_OK)
        st = bosc_cuda_hold(solver, &own->handed, NULL,
                            BOSC_LEVEL_HANDED * (size_t)schedule.n_pairs * real,
                            "what sections hand on", err);
    if (st == BOSC_OK && solver->variant == BOSC_THOMAS_UNIFIED)
        st = put_together(solver, own, real, err);
    bosc_level_schedule_clear(&schedule);
    return st;
}

static void schedule_clear(void *own)
{
    free(((bosc_level_schedule_own *)own)->schedule.levels);
}

const bosc_cuda_family bosc_cuda_levels = {
    .create = schedule_create,
    .launch = bosc_level_schedule_launch,
    .clear = schedule_clear,
    .loop = true,
    .layout = bosc_level_layout,
};
