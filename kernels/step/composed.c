#include "kernels/step/composed.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

bosc_status bosc_composed_lay_out(const bosc_grouping *grouping,
                                  int32_t n_neurons, const int32_t *shape,
                                  const bosc_tree *trees,
                                  const bosc_composed_kinds *kinds,
                                  bosc_layout *layout, bosc_error *err)
{
    const bosc_solver_options options = {.threads = grouping->threads,
                                         .block = grouping->block,
                                         .loop = true,
                                         .from_root = grouping->from_root};
    const bosc_systems systems = {
        .n_neurons = n_neurons, .shape = shape, .trees = trees};
    const bosc_composed_kind *kind = &kinds->of[grouping->variant];
    const bosc_status st = kinds->ops->layout(kind->family, kind->variant,
                                              &systems, &options, layout, err);

    if (st == BOSC_OK)
        layout->block = grouping->block;
    return st;
}

/* --- the solver of a batch ------------------------------------------------ */

/* The batch's u in flat order; NULL without memory. */
static double *flat_u(const bosc_batch *batch, const bosc_systems *systems)
{
    double *u = bosc_alloc((size_t)bosc_systems_size(systems), sizeof *u);
    ptrdiff_t at = 0;

    for (int32_t k = 0; u != NULL && k < systems->n_neurons; ++k)
        for (int32_t i = 0; i < systems->trees[systems->shape[k]].n; ++i)
            u[at++] = batch->system.u[bosc_slot(&batch->layout, k, i)];
    return u;
}

/* Does the solver have the slots of the batch? */
static bool has_slots_of(const bosc_composed_solver *solver,
                         const bosc_batch *batch)
{
    ptrdiff_t at = 0;

    for (int32_t k = 0; k < solver->systems.n_neurons; ++k)
        for (int32_t i = 0; i < batch->trees[batch->shape[k]].n; ++i)
            if (solver->system.slot[at++] != bosc_slot(&batch->layout, k, i))
                return false;
    return solver->system.n_slots == batch->layout.n_slots;
}

static int ascending(const void *a, const void *b)
{
    const ptrdiff_t x = *(const ptrdiff_t *)a, y = *(const ptrdiff_t *)b;

    return (x > y) - (x < y);
}

/* The used slots, where padding would take longer than to look them up. */
static bool list_used(bosc_composed_solver *solver, const bosc_layout *layout)
{
    const double worth = 1.5; /* slots for each compartment */
    const ptrdiff_t n = bosc_systems_size(&solver->systems);

    if (layout->pieces == NULL || (double)layout->n_slots < worth * (double)n)
        return true;
    solver->n_used = n;
    solver->used = bosc_alloc((size_t)n, sizeof *solver->used);
    if (solver->used == NULL)
        return false;
    memcpy(solver->used, solver->system.slot, (size_t)n * sizeof *solver->used);
    qsort(solver->used, (size_t)n, sizeof *solver->used, ascending);
    return true;
}

bosc_status bosc_composed_solver_create(const bosc_batch *batch,
                                        const bosc_composed_kinds *kinds,
                                        int variant, int threads,
                                        bosc_composed_solver *out,
                                        bosc_error *err)
{
    const bosc_layout *layout = &batch->layout;
    const bosc_composed_kind *kind = &kinds->of[variant];
    const bosc_solver_options options = {
        .threads = threads,
        .block = layout->block,
        .loop = true,
        .from_root = layout->pieces != NULL && layout->pieces->from_root};
    bosc_status st;

    out->ops = kinds->ops;
    out->systems = (bosc_systems){.n_neurons = layout->n_neurons,
                                  .shape = batch->shape,
                                  .n_trees = batch->n_trees,
                                  .trees = batch->trees};
    out->systems.u = flat_u(batch, &out->systems);
    if (out->systems.u == NULL)
        return bosc_no_memory(err, "a solver");
    st = out->ops->create(kind->family, kind->variant, &out->systems, &options,
                          &out->solver, err);
    if (st == BOSC_OK)
        st = out->ops->arrays(out->solver, &out->system, err);
    if (st == BOSC_OK && !has_slots_of(out, batch))
        st = bosc_fail(err, BOSC_EINTERNAL,
                       "the solver has another layout than the batch; internal "
                       "error, please report");
    if (st == BOSC_OK && !list_used(out, layout))
        st = bosc_no_memory(err, "a solver");
    return st;
}

void bosc_composed_solver_clear(bosc_composed_solver *solver)
{
    if (solver->ops != NULL)
        solver->ops->destroy(solver->solver);
    free((void *)solver->systems.u);
    free(solver->used);
    *solver = (bosc_composed_solver){0};
}

double bosc_composed_bytes(double compartments, double slots, bool by_section)
{
    const bosc_composed_solver s = {0};
    const bosc_pieces p = {0};
    const double numbers = 3; /* d, b and u of the solver */

    return compartments * (sizeof *s.systems.u + sizeof *s.system.slot +
                           (by_section ? sizeof *s.used + sizeof *p.slot : 0)) +
           slots * numbers * sizeof(double);
}

/* --- rows ----------------------------------------------------------------- */

bosc_status bosc_composed_rows(const bosc_batch *batch, bosc_rows *rows,
                               bosc_error *err)
{
    const bosc_layout *layout = &batch->layout;
    const size_t n = (size_t)layout->n_groups;
    const bosc_batch_system *system = &batch->system;

    const bosc_status st = BOSC_ALLOC(
        err, "the rows", BOSC_ARRAY(rows->first_assembled, n + 1),
        BOSC_ARRAY(rows->assembled, n), BOSC_ARRAY(rows->constant_from, n),
        BOSC_ARRAY(rows->constants, n));

    for (int32_t g = 0; st == BOSC_OK && g < layout->n_groups; ++g) {
        const ptrdiff_t at = layout->first[g];

        rows->first_assembled[g + 1] = g + 1;
        rows->assembled[g] = (bosc_row_range){0, layout->rows[g]};
        rows->constant_from[g] = layout->rows[g];
        rows->constants[g] = (bosc_constants){.u = system->u + at,
                                              .d = system->d + at,
                                              .c = system->c + at,
                                              .e = system->e + at};
    }
    return st;
}
