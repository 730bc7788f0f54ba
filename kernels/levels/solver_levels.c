/* solver_levels.c - thomas-* and level-schedule-*: the sections of a level, or
 * neurons that are chains, side by side in vectors.
 */
#include <stdlib.h>

#include "kernels/levels/level_layout.h"
#include "kernels/solve/solver_cpu.h"
#include "kernels/thomas/thomas_isa.h"
#include "src/base/mem.h"

typedef struct levels_own {
    bosc_level_schedule schedule;
    const void *u;
    void *own_u, *handed;
    void *together, *kept; /* of unified, instead of own_u, and d and b */
} levels_own;

static void schedule_destroy(void *what)
{
    levels_own *o = what;

    if (o == NULL)
        return;
    bosc_level_schedule_clear(&o->schedule);
    free(o->own_u);
    free(o->together);
    free(o->kept);
    free(o->handed);
    free(o);
}

/* d, u and b in one array. */
static bool put_together(bosc_cpu_solver *solver, levels_own *o)
{
    const size_t size = bosc_solver_real(solver);
    const size_t at_u = BOSC_UNIFIED_U * size, at_b = BOSC_UNIFIED_B * size;
    const ptrdiff_t n = BOSC_UNIFIED_NUMBERS * o->schedule.n_slots;

    /* With no neurons at all, u and b still point into it. */
    o->together = bosc_alloc((size_t)n + BOSC_UNIFIED_B, size);
    o->kept = bosc_alloc((size_t)n + BOSC_UNIFIED_B, size);
    if (o->together == NULL || o->kept == NULL)
        return false;
    solver->together = n + BOSC_UNIFIED_B;
    solver->d = o->together;
    solver->b = (char *)o->together + at_b;
    solver->kept_d = o->kept;
    solver->kept_b = (char *)o->kept + at_b;
    o->u = (char *)o->together + at_u;
    bosc_solver_spread_u(solver, (char *)o->kept + at_u);
    return true;
}

static bool make_numbers(bosc_cpu_solver *solver, levels_own *o)
{
    if (solver->variant == BOSC_THOMAS_UNIFIED)
        return put_together(solver, o);
    o->u = o->own_u = bosc_solver_slots_u(solver, 0);
    return o->u != NULL;
}

static bosc_status schedule_create(bosc_cpu_solver *solver, bosc_error *err)
{
    const size_t n = (size_t)solver->base.facts.compartments;
    const size_t real_size = bosc_solver_real(solver);
    levels_own *o = solver->own = bosc_alloc(1, sizeof *o);
    bosc_status st;

    solver->slot = bosc_alloc(n, sizeof *solver->slot);
    if (o == NULL || solver->slot == NULL)
        return bosc_no_memory(err, "a solver");
    st = bosc_level_schedule_create(
        solver->systems, (bosc_thomas_kind)solver->variant,
        solver->options.from_root, solver->slot, &o->schedule, err);
    if (st != BOSC_OK)
        return st;
    solver->base.facts.slots = o->schedule.n_slots;
    o->handed =
        bosc_alloc(BOSC_LEVEL_HANDED * (size_t)o->schedule.n_pairs, real_size);
    solver->bytes_u = (size_t)o->schedule.n_slots * real_size;
    solver->bytes_topology = (size_t)o->schedule.n_lanes *
                             (3 * sizeof(int32_t) + 2 * sizeof(ptrdiff_t));
    return o->handed == NULL || !make_numbers(solver, o)
               ? bosc_no_memory(err, "a solver")
               : BOSC_OK;
}

/* The lanes of a group begin with 'lane'. */
static bosc_thomas_group group_of(const bosc_level_schedule *schedule,
                                  const bosc_level *level, int32_t lane)
{
    return (bosc_thomas_group){
        schedule->width, schedule->rows + lane, schedule->own + lane,
        schedule->first[lane / schedule->width], level->step};
}

#define LOOP 0
#define real double
#define REAL(name) name##_double
#define KIND BOSC_NUMBERS_DOUBLE
#include "kernels/levels/level_walk.h"
#include "kernels/levels/level_lanes.h"
#undef LOOP
#undef real
#undef REAL
#undef KIND

#define LOOP 0
#define real float
#define REAL(name) name##_single
#define KIND BOSC_NUMBERS_SINGLE
#include "kernels/levels/level_walk.h"
#include "kernels/levels/level_lanes.h"
#undef LOOP
#undef real
#undef REAL
#undef KIND

#define LOOP 1
#define real double
#define REAL(name) name##_loop
#define KIND BOSC_NUMBERS_LOOP
#include "kernels/levels/level_walk.h"
#include "kernels/levels/level_lanes.h"

typedef void bosc_level_lanes(const bosc_level_schedule *schedule,
                              const bosc_level *level,
                              const bosc_level_schedule_numbers *all,
                              int32_t lane);

static bosc_level_lanes *const ups[] = {up_double, up_single, up_loop};
static bosc_level_lanes *const downs[] = {down_double, down_single, down_loop};

/* All lanes of a level, in a parallel region. */
static void climb(const bosc_level_schedule *schedule,
                  const bosc_level_schedule_numbers *all, int32_t l,
                  bosc_level_lanes *lanes)
{
    const bosc_level *level = &schedule->levels[l];

#pragma omp for schedule(static)
    for (int32_t k = 0; k < level->n_lanes; k += schedule->width)
        lanes(schedule, level, all, level->lane + k);
}

static void schedule_solve(bosc_cpu_solver *solver)
{
    const levels_own *o = solver->own;
    const bosc_numbers numbers = bosc_solver_numbers(&solver->options);
    const bosc_level_schedule_numbers all = {
        {.lower = o->u, .d = solver->d, .b = solver->b}, o->handed};

#pragma omp parallel num_threads(solver->options.threads)
    {
        for (int32_t level = 0; level < o->schedule.n_levels; ++level)
            climb(&o->schedule, &all, level, ups[numbers]);
        for (int32_t level = o->schedule.n_levels - 1; level >= 0; --level)
            climb(&o->schedule, &all, level, downs[numbers]);
    }
}

const bosc_cpu_family bosc_level_schedule_family = {
    .create = schedule_create,
    .solve = schedule_solve,
    .destroy = schedule_destroy,
    .loop = true,
    .layout = bosc_level_layout,
};
