/* solver_cuda.h - what the methods of the backend cuda share.
 *
 * Internal to kernels.  A method (kernels/methods.c) is a family and a variant
 * of it.  The family says where each compartment stands and launches
 * the kernels; numbers get there and back by solver_cuda.c.
 */
#ifndef BOSC_KERNELS_SOLVE_SOLVER_CUDA_H
#define BOSC_KERNELS_SOLVE_SOLVER_CUDA_H

#include "kernels/base/cuda.h"
#include "kernels/solve/solvers.h"

struct bosc_cuda_solver;

typedef struct bosc_cuda_family {
    /* Make the plan: slot, n_slots, own, facts' least_bytes, and as its memory
     * what own holds on the device, by bosc_cuda_hold(); also spread_u, or u
     * and n_u themselves, where u is not to be as usual. */
    bosc_status (*create)(struct bosc_cuda_solver *solver,
                          const bosc_solver_options *options, bosc_error *err);
    /* Launch all kernels of one solve, from d and b to b. */
    bosc_status (*launch)(const struct bosc_cuda_solver *solver,
                          bosc_error *err);
    void (*clear)(void *own); /* what own has on the host; NULL: nothing */
    bool loop;                /* it has the order of the time loop */
    /* As in bosc_solver_ops, for a variant; NULL: it has none. */
    bosc_status (*layout)(int variant, const bosc_systems *systems,
                          const bosc_solver_options *options,
                          bosc_layout *layout, bosc_error *err);
} bosc_cuda_family;

/* Most arrays that a plan has on the device. */
enum { BOSC_CUDA_HELD = 16 };

typedef struct bosc_cuda_solver {
    bosc_solver base; /* first: a solver is cast to it and back */
    const bosc_systems *systems;
    const bosc_cuda_family *family;
    int variant; /* of the family */
    bool single;
    bosc_numbers numbers;
    int threads;         /* of the host, for filling */
    int64_t *first;      /* [n_neurons + 1] in flat order */
    int64_t *first_tree; /* [n_trees + 1] of what trees have once */
    ptrdiff_t n_slots;
    ptrdiff_t *slot; /* [compartments] */
    /* On the device, double or float, [n_slots].  With the systems's shared_u,
     * u is tree after tree instead, unless spread_u, or as the family has put
     * it: n_u numbers.  Padding: d = 1, u = 0, b = 0.  kept_d and kept_b are
     * NULL until something is loaded. */
    void *u, *d, *b, *kept_d, *kept_b;
    ptrdiff_t together; /* 0; or these are the family's, in two arrays, and so
                           many numbers may be copied from each of them on;
                           slots are of these, and u is there already */
    ptrdiff_t n_u;
    bool spread_u;
    void *own; /* the family's, by malloc(); may be NULL */
    void *held[BOSC_CUDA_HELD];
    int n_held;
} bosc_cuda_solver;

/* Take slot and n_slots from a layout.  place: which of its neuron's places
 * each row has, tree after tree; NULL: its own. */
void bosc_cuda_place(bosc_cuda_solver *solver, const bosc_layout *layout,
                     const int32_t *place);

/* An array on the device that lives as long as the solver: into *(void **)to,
 * a copy of 'from' where that is not NULL. */
bosc_status bosc_cuda_hold(bosc_cuda_solver *solver, void *to, const void *from,
                           size_t bytes, const char *what, bosc_error *err);

/* An array of a plan: the pointer to it on the device, and the host's. */
typedef struct bosc_cuda_plan_array {
    void *to;
    const void *from;
    size_t bytes;
} bosc_cuda_plan_array;

/* Hold n of them. */
bosc_status bosc_cuda_put_plan(bosc_cuda_solver *solver, size_t n,
                               const bosc_cuda_plan_array *arrays,
                               bosc_error *err);

/* Take these n numbers, of the host, for u. */
bosc_status bosc_cuda_put_u(bosc_cuda_solver *solver, const double *u,
                            ptrdiff_t n, bosc_error *err);

/* One thread walks a neuron: the methods of the papers. */
extern const bosc_cuda_family bosc_cuda_hines;
enum {
    BOSC_CUDA_FLAT,
    BOSC_CUDA_INTERLEAVED,
    BOSC_CUDA_BLOCK,
    BOSC_CUDA_BLOCK_SHARED,
    BOSC_CUDA_VBATCH_CP,
    BOSC_CUDA_VBATCH_NCP
};

/* Depth-first: kernels/dfs/cuda_dfs_plan.h.  No variants. */
extern const bosc_cuda_family bosc_cuda_dfs;

/* A block of threads for each neuron:
 * kernels/cyclic_reduction/cuda_cyclic_plan.h.  No variants. */
extern const bosc_cuda_family bosc_cuda_cyclic;

/* A thread block walks the sections of a block of neurons, level by level. */
extern const bosc_cuda_family bosc_cuda_cell_blocks;

/* A thread walks a section, a level at a time; the variant is a
 * bosc_thomas_kind. */
extern const bosc_cuda_family bosc_cuda_levels;

#endif
