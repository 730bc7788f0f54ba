/* solver.h - ways to solve the systems of many neurons once: the methods of
 * the papers and bosc's own, side by side, on the host and on GPUs.
 *
 * A leaf: no MPI, no files.  The time loop integrates (kernels/step/engine.h);
 * this is what its solve can be made of, for comparing, measuring and choosing.
 *
 * Flat order: neurons one after another, the compartments of each in the order
 * of its tree.  Values go in and come out in it; inside, a solver has its own
 * layout.  Every method takes the rows' operations from kernels/hines/hines.h,
 * or from pivot.h, the children of a row in descending order.
 *
 * Order of calls: create for systems, load numbers, then restore and solve as
 * often as wanted, fetch, destroy.  Or, for a program that makes a new system
 * for each solve: create, arrays, then write the system there and enqueue.  On
 * one thread of the host at a time.
 */
#ifndef BOSC_KERNELS_SOLVE_SOLVER_H
#define BOSC_KERNELS_SOLVE_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/batch/layout.h"
#include "src/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is to be solved.  Owned by the caller; must outlive its solvers. */
typedef struct bosc_systems {
    int32_t n_neurons;
    const int32_t *shape; /* [n_neurons] tree of each neuron */
    int32_t n_trees;
    const bosc_tree *trees; /* [n_trees] depth-first: parent[i] is i - 1, or,
                               where i - 1 is a tip, some node before it */
    const double *u; /* minus the axial conductance to the parent, u <= 0, of a
                        root 0: in flat order, or with shared_u of each tree,
                        tree after tree */
    bool shared_u;   /* neurons of one tree share its u */
} bosc_systems;

typedef struct bosc_solver_options {
    bool single;    /* compute in fp32 */
    bool loop;      /* by the operations of kernels/hines/pivot.h, with the bits
                       of the time loop, instead of those of hines.h; in fp64 */
    bool from_root; /* levels of sections count from the root, not from the
                       tips (kernels/hines/section_levels.h) */
    int threads;    /* of the host, >= 1 */
    int32_t block;  /* neurons in a block of hines-block; 0: the default */
} bosc_solver_options;

/* What a solver is, once made. */
typedef struct bosc_solver_facts {
    int64_t compartments;
    int64_t slots;      /* over compartments: the padding ratio */
    double least_bytes; /* that one solve must move if nothing stays in a
                           cache: each array once in each sweep */
    double memory;      /* bytes that it holds, the inputs kept for restore
                           left out */
} bosc_solver_facts;

/* A method with systems loaded: what everybody may read of it.  The body of a
 * backend begins with this. */
typedef struct bosc_solver {
    bosc_solver_facts facts;
} bosc_solver;

/* What solvers run on. */
typedef struct bosc_processor {
    /* Its name, into text. */
    void (*name)(char *text, size_t size);

    /* The bytes a second, read plus written, of a copy much larger than the
     * caches; by that many threads of a host. */
    bosc_status (*bandwidth)(int threads, double *bytes_per_second,
                             bosc_error *err);

    /* Its multiprocessors, and the bytes of shared memory that a block may
     * have; NULL: it is no GPU. */
    void (*chip)(double *processors, double *shared);
} bosc_processor;

/* A solver's own arrays of doubles, on the host or on its device; they live as
 * long as it does.  The system goes in as to 'load', but by slots; after a
 * solve the solution is in b, and in d what is left of the elimination.
 * Padding is d = 1, b = 0, as it is at first; who writes whole arrays before a
 * solve writes it, too. */
typedef struct bosc_solver_arrays {
    double *d, *b;         /* [n_slots] */
    const ptrdiff_t *slot; /* [facts.compartments] of each in flat order; on the
                              host */
    ptrdiff_t n_slots;
} bosc_solver_arrays;

/* The operations of the solvers of one backend. */
typedef struct bosc_solver_ops {
    /* For systems that have been checked; family and variant are those of a
     * row of kernels/methods.c.  BOSC_EVALUE when the method cannot solve these
     * (a block that is out of range, say), BOSC_ENOMEM, BOSC_ENOSUP. */
    bosc_status (*create)(const void *family, int variant,
                          const bosc_systems *systems,
                          const bosc_solver_options *options, bosc_solver **out,
                          bosc_error *err);

    /* Row sums d >= 0 and right-hand sides b, in flat order; kept, so that
     * restore can bring them back after a solve has overwritten them. */
    bosc_status (*load)(bosc_solver *solver, const double *d, const double *b,
                        bosc_error *err);
    bosc_status (*restore)(bosc_solver *solver, bosc_error *err);

    /* Instead of load, restore and fetch: the arrays themselves.  BOSC_ENOSUP
     * where they are of fp32, or d, u and b stand together. */
    bosc_status (*arrays)(bosc_solver *solver, bosc_solver_arrays *out,
                          bosc_error *err);

    /* Solve once, and wait for the end.  *seconds is the time of the solve
     * alone: by device events on a GPU, by the monotonic clock on the host. */
    bosc_status (*solve)(bosc_solver *solver, double *seconds, bosc_error *err);

    /* The same without a clock; on a GPU after all that its default stream has
     * to do, without waiting for the end. */
    bosc_status (*enqueue)(bosc_solver *solver, bosc_error *err);

    /* The solution of the last solve, in flat order. */
    bosc_status (*fetch)(bosc_solver *solver, double *x, bosc_error *err);

    void (*destroy)(bosc_solver *solver); /* NULL is allowed */

    /* The layout of a batch that has the slots of create(); only n_neurons,
     * shape and trees of the systems count.  Fails as create does, BOSC_ENOSUP
     * where its slots are those of no layout; *layout is empty then. */
    bosc_status (*layout)(const void *family, int variant,
                          const bosc_systems *systems,
                          const bosc_solver_options *options,
                          bosc_layout *layout, bosc_error *err);
} bosc_solver_ops;

/* Compartments of all neurons. */
int64_t bosc_systems_size(const bosc_systems *systems);

/* The largest residual of x, each relative to the largest term of its row:
 * |b - A x| / max(|b|, |A_ij x_j|).  'single': of matrices rounded to fp32.
 * For tests and benchmarks; in parallel. */
double bosc_systems_residual(const bosc_systems *systems, const double *d,
                             const double *b, const double *x, bool single);

#ifdef __cplusplus
}
#endif

#endif
