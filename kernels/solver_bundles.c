/* solver_bundles.c - levels-sliced: bundles of neurons that a cache holds,
 * level by level, in vectors along the rows.
 */
#include <omp.h>
#include <stdlib.h>

#include "kernels/bundles.h"
#include "kernels/bundles_isa.h"
#include "kernels/isa.h"
#include "kernels/solver_cpu.h"
#include "src/mem.h"

/* Compartments of a bundle: with u, d and b of doubles half of an L2 cache. */
enum { ROOM = 8192 };

typedef struct own {
    bosc_bundles bundles;
    size_t n_pairs; /* of each thread: room for any bundle */
    void *u, *pairs;
} own;

static const bosc_bundle_code *const codes[] = BOSC_ISA_TABLES(bosc_bundle);

static void bundles_destroy(void *what)
{
    own *o = what;

    if (o == NULL)
        return;
    bosc_bundles_clear(&o->bundles);
    free(o->u);
    free(o->pairs);
    free(o);
}

/* Bundles of at most ROOM compartments, and some for each thread. */
static bosc_status divide(const bosc_solver *solver, bosc_bundles *bundles,
                          bosc_error *err)
{
    const bosc_grove *grove = solver->grove;
    const int64_t share =
        solver->facts.compartments / (4 * (int64_t)solver->options.threads);
    int64_t *cost = bosc_alloc((size_t)grove->n_trees, sizeof *cost);
    bosc_status st;

    if (cost == NULL)
        return bosc_no_memory(err, "the bundles of neurons");
    for (int32_t t = 0; t < grove->n_trees; ++t)
        cost[t] = grove->trees[t].n;
    st = bosc_bundles_create(grove, cost, share < ROOM ? share : ROOM, bundles,
                             err);
    free(cost);
    return st;
}

static size_t bytes_of_patterns(const bosc_bundles *bundles)
{
    size_t words = 0;

    for (int32_t p = 0; p < bundles->n_patterns; ++p)
        words += bosc_pattern_words(&bundles->patterns[p].size);
    return words * sizeof(int32_t);
}

/* Numbers for each thread, enough for any bundle. */
static size_t count_pairs(const bosc_bundles *bundles)
{
    int32_t most = 0;

    for (int32_t p = 0; p < bundles->n_patterns; ++p)
        if (bundles->patterns[p].size.n_sections > most)
            most = bundles->patterns[p].size.n_sections;
    return BOSC_BUNDLE_PAIRS * (size_t)most;
}

static bosc_status bundles_create(bosc_solver *solver, bosc_error *err)
{
    own *o = solver->own = bosc_alloc(1, sizeof *o);
    size_t n_u;
    bosc_status st;

    solver->slot =
        bosc_alloc((size_t)solver->facts.compartments, sizeof *solver->slot);
    if (o == NULL || solver->slot == NULL)
        return bosc_no_memory(err, "a solver");
    st = divide(solver, &o->bundles, err);
    if (st != BOSC_OK)
        return st;
    n_u = (size_t)o->bundles.first_u[o->bundles.n];
    solver->facts.slots = o->bundles.first[o->bundles.n];
    solver->bytes_u = n_u * bosc_solver_real(solver);
    solver->bytes_topology = bytes_of_patterns(&o->bundles);
    o->u = bosc_alloc(n_u, bosc_solver_real(solver));
    o->n_pairs = count_pairs(&o->bundles);
    o->pairs = bosc_alloc(o->n_pairs * (size_t)solver->options.threads,
                          bosc_solver_real(solver));
    if (o->u == NULL || o->pairs == NULL)
        return bosc_no_memory(err, "a solver");
    st = bosc_bundles_slots(&o->bundles, solver->grove, solver->slot, err);
    if (st == BOSC_OK)
        st = bosc_bundles_fill_u(&o->bundles, solver->grove,
                                 solver->options.single, o->u, err);
    return st;
}

static void bundles_solve(bosc_solver *solver)
{
    const own *o = solver->own;
    const bosc_bundles *bundles = &o->bundles;
    const bool single = solver->options.single;
    const size_t size = bosc_solver_real(solver);
    const bosc_bundle_code *code = codes[bosc_isa()];

#pragma omp parallel for num_threads(solver->options.threads) schedule(dynamic)
    for (int32_t g = 0; g < bundles->n; ++g) {
        const size_t at = (size_t)bundles->first[g] * size;
        const size_t at_u = (size_t)bundles->first_u[g] * size;
        const size_t at_pairs =
            (size_t)omp_get_thread_num() * o->n_pairs * size;
        const bosc_bundle_numbers numbers = {
            (const char *)o->u + at_u, (char *)solver->d + at,
            (char *)solver->b + at, (char *)o->pairs + at_pairs};

        code->solve[single](&bundles->patterns[bundles->pattern[g]], &numbers);
    }
}

const bosc_cpu_family bosc_bundles_family = {bundles_create, bundles_solve,
                                             bundles_destroy};
