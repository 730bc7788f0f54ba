/* solver_cpu.h - what the solvers of the backend cpu are made of.
 *
 * A method (kernels/methods.c) has a family and a variant of it.  A family
 * makes a layout, says in which slot each compartment stands, and solves; what
 * goes in and comes out, and keeping it for restore, is common to all. Internal
 * to kernels.
 */
#ifndef BOSC_KERNELS_SOLVE_SOLVER_CPU_H
#define BOSC_KERNELS_SOLVE_SOLVER_CPU_H

#include "kernels/solve/solvers.h"

/* The variants of the family lockstep. */
enum {
    BOSC_CPU_INTERLEAVED,
    BOSC_CPU_BLOCK,
    BOSC_CPU_BLOCK_SHARED,
    BOSC_CPU_VBATCH_CP,
    BOSC_CPU_VBATCH_NCP
};

typedef struct bosc_cpu_solver {
    bosc_solver base; /* first: a solver is cast to it and back */
    const bosc_systems *systems;
    const struct bosc_cpu_family *family;
    int variant; /* of the family */
    bosc_solver_options options;
    int64_t *first;        /* [n_neurons + 1] compartments, in flat order */
    int64_t *first_tree;   /* [n_trees + 1] */
    void *d, *b;           /* [facts.slots] the system; solve overwrites it and
                              leaves the solution in b */
    void *kept_d, *kept_b; /* as loaded; NULL before */
    ptrdiff_t together;    /* 0; or these are the family's, in two arrays of so
                              many numbers, that of d and that of kept_d, with
                              u there too; slots are of these */

    /* Made by the family: */
    ptrdiff_t *slot; /* [facts.compartments] of each in flat order */
    size_t bytes_u, bytes_topology; /* what solve reads of these */
    void *own;
} bosc_cpu_solver;

/* Arrays of numbers are of double, with options.single of float. */
typedef struct bosc_cpu_family {
    /* Make what the solver is to get from its family, and set facts.slots.  On
     * failure what was made is left to destroy. */
    bosc_status (*create)(bosc_cpu_solver *solver, bosc_error *err);
    void (*solve)(bosc_cpu_solver *solver);
    void (*destroy)(void *own); /* NULL is allowed */
    bool loop;                  /* it has the order of the time loop */
    /* As in bosc_solver_ops, for a variant; NULL: it has none. */
    bosc_status (*layout)(int variant, const bosc_systems *systems,
                          const bosc_solver_options *options,
                          bosc_layout *layout, bosc_error *err);
} bosc_cpu_family;

extern const bosc_cpu_family bosc_flat_family, bosc_lockstep_family,
    bosc_dfs_family, bosc_cell_blocks_family;
extern const bosc_cpu_family
    bosc_level_schedule_family; /* variant: bosc_thomas_kind */

/* Bytes of a number. */
static inline size_t bosc_solver_real(const bosc_cpu_solver *solver)
{
    return solver->options.single ? sizeof(float) : sizeof(double);
}

/* Set slot and facts.slots from a layout; false without memory. */
bool bosc_solver_place(bosc_cpu_solver *solver, const bosc_layout *layout);

/* u into slots. */
void bosc_solver_spread_u(const bosc_cpu_solver *solver, void *u);

/* Fresh u of the slots from 'from' on, 0 in padding; NULL without memory. */
void *bosc_solver_slots_u(const bosc_cpu_solver *solver, ptrdiff_t from);

/* Fresh u as the systems has it, with shared_u of each tree; NULL without
 * memory. */
void *bosc_solver_flat_u(const bosc_cpu_solver *solver);

#endif
