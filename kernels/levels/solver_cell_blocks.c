/* solver_cell_blocks.c - levels-sliced: cell blocks of neurons that a cache
 * holds, level by level, in vectors along the rows.
 */
#include <omp.h>
#include <stdlib.h>

#include "kernels/base/isa.h"
#include "kernels/levels/cell_blocks.h"
#include "kernels/levels/cell_blocks_isa.h"
#include "kernels/solve/solver_cpu.h"
#include "src/base/mem.h"

/* Compartments of a cell block: with u, d and b of doubles half of an L2 cache.
 */
enum { ROOM = 8192 };

typedef struct own {
    bosc_cell_blocks cell_blocks;
    size_t n_pairs; /* of each thread: room for any cell block */
    void *u, *pairs;
} own;

static const bosc_cell_block_code *const codes[] =
    BOSC_ISA_TABLES(bosc_cell_block);

static void cell_blocks_destroy(void *what)
{
    own *o = what;

    if (o == NULL)
        return;
    bosc_cell_blocks_clear(&o->cell_blocks);
    free(o->u);
    free(o->pairs);
    free(o);
}

/* Cell blocks of at most ROOM compartments, and some for each thread. */
static bosc_status divide(const bosc_cpu_solver *solver,
                          bosc_cell_blocks *cell_blocks, bosc_error *err)
{
    const bosc_systems *systems = solver->systems;
    const int64_t share = solver->base.facts.compartments /
                          (4 * (int64_t)solver->options.threads);
    int64_t *cost = bosc_alloc((size_t)systems->n_trees, sizeof *cost);
    bosc_status st;

    if (cost == NULL)
        return bosc_no_memory(err, "the cell blocks of neurons");
    for (int32_t t = 0; t < systems->n_trees; ++t)
        cost[t] = systems->trees[t].n;
    st = bosc_cell_blocks_create(systems, cost, share < ROOM ? share : ROOM,
                                 cell_blocks, err);
    free(cost);
    return st;
}

static size_t bytes_of_patterns(const bosc_cell_blocks *cell_blocks)
{
    size_t words = 0;

    for (int32_t p = 0; p < cell_blocks->n_patterns; ++p)
        words += bosc_pattern_words(&cell_blocks->patterns[p].size);
    return words * sizeof(int32_t);
}

/* Numbers for each thread, enough for any cell block. */
static size_t count_pairs(const bosc_cell_blocks *cell_blocks)
{
    int32_t most = 0;

    for (int32_t p = 0; p < cell_blocks->n_patterns; ++p)
        if (cell_blocks->patterns[p].size.n_sections > most)
            most = cell_blocks->patterns[p].size.n_sections;
    return BOSC_CELL_BLOCK_PAIRS * (size_t)most;
}

static bosc_status cell_blocks_create(bosc_cpu_solver *solver, bosc_error *err)
{
    own *o = solver->own = bosc_alloc(1, sizeof *o);
    size_t n_u;
    bosc_status st;

    solver->slot = bosc_alloc((size_t)solver->base.facts.compartments,
                              sizeof *solver->slot);
    if (o == NULL || solver->slot == NULL)
        return bosc_no_memory(err, "a solver");
    st = divide(solver, &o->cell_blocks, err);
    if (st != BOSC_OK)
        return st;
    n_u = (size_t)o->cell_blocks.first_u[o->cell_blocks.n];
    solver->base.facts.slots = o->cell_blocks.first[o->cell_blocks.n];
    solver->bytes_u = n_u * bosc_solver_real(solver);
    solver->bytes_topology = bytes_of_patterns(&o->cell_blocks);
    o->u = bosc_alloc(n_u, bosc_solver_real(solver));
    o->n_pairs = count_pairs(&o->cell_blocks);
    o->pairs = bosc_alloc(o->n_pairs * (size_t)solver->options.threads,
                          bosc_solver_real(solver));
    if (o->u == NULL || o->pairs == NULL)
        return bosc_no_memory(err, "a solver");
    st = bosc_cell_blocks_slots(&o->cell_blocks, solver->systems, solver->slot,
                                err);
    if (st == BOSC_OK)
        st = bosc_cell_blocks_fill_u(&o->cell_blocks, solver->systems,
                                     solver->options.single, o->u, err);
    return st;
}

static void cell_blocks_solve(bosc_cpu_solver *solver)
{
    const own *o = solver->own;
    const bosc_cell_blocks *cell_blocks = &o->cell_blocks;
    const bool single = solver->options.single;
    const size_t size = bosc_solver_real(solver);
    const bosc_cell_block_code *code = codes[bosc_isa()];

#pragma omp parallel for num_threads(solver->options.threads) schedule(dynamic)
    for (int32_t g = 0; g < cell_blocks->n; ++g) {
        const size_t at = (size_t)cell_blocks->first[g] * size;
        const size_t at_u = (size_t)cell_blocks->first_u[g] * size;
        const size_t at_pairs =
            (size_t)omp_get_thread_num() * o->n_pairs * size;
        const bosc_cell_block_numbers numbers = {
            (const char *)o->u + at_u, (char *)solver->d + at,
            (char *)solver->b + at, (char *)o->pairs + at_pairs};

        code->solve[single](&cell_blocks->patterns[cell_blocks->pattern[g]],
                            &numbers);
    }
}

const bosc_cpu_family bosc_cell_blocks_family = {
    .create = cell_blocks_create,
    .solve = cell_blocks_solve,
    .destroy = cell_blocks_destroy,
};
