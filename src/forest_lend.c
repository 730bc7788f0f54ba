/* forest_lend.c - the templates of a forest, kept or made when needed. */
#include "src/forest.h"

#include <stdlib.h>

#include "src/signals.h"

/* Its number in the population. */
static int64_t number_of(const bosc_forest *forest, int32_t i)
{
    return forest->gid[i] - forest->roster->first_gid[forest->population[i]];
}

static bosc_synthetic draw(const bosc_forest *forest, int32_t i)
{
    const int32_t p = forest->population[i];

    return bosc_synthetic_draw(&forest->job->populations[p].synthetic,
                               number_of(forest, i));
}

bosc_status bosc_forest_lend(const bosc_forest *forest, int32_t i,
                             bosc_loan *loan, bosc_error *err)
{
    bosc_status st = bosc_signals_in_setup(err);

    *loan = (bosc_loan){.cable = bosc_forest_cable(forest, i)};
    if (st != BOSC_OK || loan->cable != NULL)
        return st;

    const bosc_population_spec *population =
        &forest->job->populations[forest->population[i]];
    const bosc_synthetic size = draw(forest, i);
    bosc_cable_spec spec = population->cable;
    bosc_swc *swc = NULL;

    spec.policy = BOSC_PER_SAMPLE;
    st = bosc_generate(&size, number_of(forest, i), &swc, err);
    if (st == BOSC_OK)
        st = bosc_cable_cut(swc, &spec, population->name, &loan->own, err);
    bosc_swc_destroy(swc);
    loan->cable = loan->own;
    return st;
}

void bosc_loan_end(bosc_loan *loan)
{
    bosc_cable_destroy(loan->own);
    *loan = (bosc_loan){0};
}

/* The soma of a synthetic neuron is its root section and one compartment, which
 * follows the node at x = 0. */
bosc_extent bosc_forest_extent(const bosc_forest *forest, int32_t i)
{
    const bosc_cable *cable = bosc_forest_cable(forest, i);

    if (cable != NULL)
        return (bosc_extent){cable->n, cable->n_sections, cable->soma};

    const bosc_synthetic size = draw(forest, i);

    return (bosc_extent){size.compartments, size.sections, 1};
}

void bosc_forest_destroy(bosc_forest *forest)
{
    if (forest == NULL)
        return;
    for (int32_t s = 0; forest->cable != NULL && s < forest->n_shapes; ++s)
        bosc_cable_destroy(forest->cable[s]);
    free(forest->cable);
    free(forest->gid);
    free(forest->population);
    free(forest->shape);
    free(forest);
}

int32_t bosc_forest_find(const bosc_forest *forest, int64_t gid)
{
    int32_t low = 0, high = forest->n;

    while (low < high) {
        const int32_t middle = low + (high - low) / 2;

        if (forest->gid[middle] < gid)
            low = middle + 1;
        else
            high = middle;
    }
    return low < forest->n && forest->gid[low] == gid ? low : -1;
}
