/* bench_systems.h - what 'bosc-bench' solves: neurons of a shape, with random
 * numbers.
 *
 * Serial code: no MPI.  Of several ranks each has some of the neurons: every
 * one goes to the rank that has the fewest compartments by then, so that the
 * first n of all are the first of each rank.  Trees repeat after 'distinct'
 * neurons, those of a list in its own order; numbers never do.  Both are the
 * same whatever the number of neurons, so the first n neurons of a forest are
 * the forest of n neurons.
 */
#ifndef BOSC_BENCH_SOLVE_BENCH_SYSTEMS_H
#define BOSC_BENCH_SOLVE_BENCH_SYSTEMS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/solve/bench_shape.h"
#include "kernels/solve/solver.h"

typedef struct bosc_bench_cells {
    bosc_systems systems; /* points to what follows */
    int32_t *shape;       /* [n_neurons] */
    bosc_tree *trees;     /* [n_trees] */
    double *u;
    double *d, *b;   /* [compartments] row sums, right-hand sides */
    double *x;       /* [compartments] room for a solution */
    int64_t *first;  /* [n_neurons + 1] first compartment of each neuron */
    int32_t *number; /* [n_neurons] of each, among those of all ranks */
    int64_t *origin; /* [n_neurons] its first compartment among all of them */
} bosc_bench_cells;

/* What to make of a shape. */
typedef struct bosc_bench_spec {
    int32_t neurons;  /* of all ranks */
    int rank, ranks;  /* whose part it is; ranks 0: all of them are here */
    int32_t distinct; /* trees, >= 1; lists have their own */
    bool shared_u;    /* as in bosc_systems */
} bosc_bench_spec;

/* In parallel.  BOSC_ENOMEM, with the numbers, also when the machine has too
 * little memory for the forest and a solver of it. */
bosc_status bosc_bench_cells_create(const bosc_bench_shape *shape,
                                    const bosc_bench_spec *spec,
                                    bosc_bench_cells *out, bosc_error *err);

/* How many of the first n neurons of all ranks are here. */
int32_t bosc_bench_cells_count(const bosc_bench_cells *forest, int32_t n);

void bosc_bench_cells_clear(bosc_bench_cells *forest);

#endif
