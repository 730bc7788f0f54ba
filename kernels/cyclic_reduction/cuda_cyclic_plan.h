/* cuda_cyclic_plan.h - many threads for one neuron: which rows they eliminate
 * at the same time, and the launch.
 *
 * Made on the host, once for each tree.  In a round go all tips, and of each
 * run of rows with one child every second: none of them are neighbours, so
 * every thread takes one.  A row that goes from between its parent and its
 * child leaves these two coupled (the bypass of kernels/hines/hines.h), so what
 * stays is a tree again, of about half the rows; the root stays last.  On
 * chains this is cyclic reduction, on stars a sum.  The way back is the same
 * rounds in reverse.
 *
 * A row that stays takes what its neighbours hand on by itself, in a fixed
 * order: the same bits in every run.  They are not those of the plain
 * algorithm, whose order is another.
 *
 * Worked example: neuron A of kernels/README.md, parents -1 0 1 2 1 4.
 *     round 1   5 3 go, the tips; 4 and 2 take (4 and 2 were runs of one child,
 *               but their children go)
 *     round 2   4 2 go; 1 takes 4's, then 2's
 *     round 3   1 goes; 0 takes
 */
#ifndef BOSC_KERNELS_CYCLIC_REDUCTION_CUDA_CYCLIC_PLAN_H
#define BOSC_KERNELS_CYCLIC_REDUCTION_CUDA_CYCLIC_PLAN_H

#include "kernels/solve/solver_cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BOSC_CYCLIC_ROOM = 5 }; /* numbers for each row, while it is solved */

/* A row that goes, with its neighbours then; child -1: none. */
typedef struct bosc_cyclic_step {
    int32_t row, parent, child;
} bosc_cyclic_step;

/* A row that takes: from children that go, sources[first] and so on, and from
 * its parent; parent -1: does not go. */
typedef struct bosc_cyclic_taker {
    int32_t row, first, n, parent;
} bosc_cyclic_taker;

/* Where a round begins in its tree's steps and takers. */
typedef struct bosc_cyclic_round {
    int32_t step, taker;
} bosc_cyclic_round;

/* A tree: its first round, step, taker and source.  The round after its last
 * has the ends. */
typedef struct bosc_cyclic_tree {
    int32_t rows, n_rounds;
    ptrdiff_t round, step, taker, source;
} bosc_cyclic_tree;

/* Its arrays are on the host, or on the device. */
typedef struct bosc_cyclic_plan {
    int32_t n_trees, longest; /* rows */
    int32_t most_words;       /* of 4 bytes, of the plan of a tree */
    ptrdiff_t n_rounds, n_steps, n_takers;
    bosc_cyclic_tree *trees;   /* [n_trees] */
    bosc_cyclic_round *rounds; /* [n_rounds] */
    bosc_cyclic_step *steps;   /* [n_steps] */
    bosc_cyclic_taker *takers; /* [n_takers] */
    int32_t *sources;          /* [n_steps] rows */
} bosc_cyclic_plan;

/* BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_cyclic_plan_create(const bosc_systems *systems,
                                    bosc_cyclic_plan *plan, bosc_error *err);
void bosc_cyclic_plan_clear(bosc_cyclic_plan *plan);

/* Where a neuron stands: its first slot, that of u, and the index of its tree.
 */
typedef struct bosc_cyclic_neuron {
    ptrdiff_t first, u;
    int32_t tree;
} bosc_cyclic_neuron;

/* What the family cyclic-reduction has of a solver (bosc_cuda_solver.own). */
typedef struct bosc_cyclic_own {
    bosc_cyclic_plan plan;       /* on the device */
    bosc_cyclic_neuron *neurons; /* [n_neurons], on the device */
    int32_t threads;             /* of a block */
    size_t near_bytes; /* of shared memory; 0: the longest neuron does not fit,
                          and all work in 'far' */
    size_t bring;      /* where in it the plan of a neuron's tree begins; 0: it
                          stays where it is */
    void *far;         /* BOSC_CYCLIC_ROOM numbers for each compartment */
} bosc_cyclic_own;

/* Launch the kernel of one solve; it fails as bosc_cuda_launched(). */
bosc_status bosc_cyclic_launch(const bosc_cuda_solver *solver, bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
