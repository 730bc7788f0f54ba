/* solvers.h - the solvers of all backends, and what their files share.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_SOLVE_SOLVERS_H
#define BOSC_KERNELS_SOLVE_SOLVERS_H

#include "kernels/hines/numbers.h"
#include "kernels/solve/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const bosc_solver_ops bosc_ref_solvers, bosc_cpu_solvers;
extern const bosc_processor bosc_host;
/* With CUDA; the variant of a solver of cuSPARSE is the algorithm of the
 * interleaved routine, -1: the strided routine. */
extern const bosc_solver_ops bosc_cuda_solvers, bosc_cusparse_solvers;
extern const bosc_processor bosc_gpu;
bosc_status bosc_cusparse_available(bosc_error *err);

/* The numbers that a solver's rows have. */
static inline bosc_numbers
bosc_solver_numbers(const bosc_solver_options *options)
{
    return options->single ? BOSC_NUMBERS_SINGLE
           : options->loop ? BOSC_NUMBERS_LOOP
                           : BOSC_NUMBERS_DOUBLE;
}

/* BOSC_ENOSUP: what solvers say that have no arrays, no such order, no layout.
 */
bosc_status bosc_solver_no_arrays(bosc_error *err);
bosc_status bosc_solver_no_loop(bosc_error *err);
bosc_status bosc_solver_no_layout(bosc_error *err);

/* The first compartment of each neuron in flat order, [n_neurons + 1], and of
 * each tree, [n_trees + 1]; freed by the caller.  NULL without memory. */
int64_t *bosc_systems_first(const bosc_systems *systems);
int64_t *bosc_systems_first_tree(const bosc_systems *systems);

/* Where u of a neuron begins in systems->u. */
static inline int64_t bosc_systems_u(const bosc_systems *systems,
                                     const int64_t *first,
                                     const int64_t *first_tree, int32_t neuron)
{
    return systems->shared_u ? first_tree[systems->shape[neuron]]
                             : first[neuron];
}

/* BOSC_EVALUE when a tree is not depth-first, or has branches where 'chains' is
 * wanted. */
bosc_status bosc_systems_check(const bosc_systems *systems, bool chains,
                               bosc_error *err);

/* Which slot of a solver's arrays each compartment has. */
typedef struct bosc_slots {
    const ptrdiff_t *of; /* [n] in flat order */
    int64_t n;
    ptrdiff_t n_slots;
    bool single; /* the arrays are of float, else of double */
} bosc_slots;

/* Between flat order and slots: 'to' [n_slots] gets 'padding' where no
 * compartment is.  In parallel. */
void bosc_slots_fill(const bosc_slots *slots, const double *flat,
                     double padding, void *to, int threads);
void bosc_slots_read(const bosc_slots *slots, const void *from, double *flat,
                     int threads);

#ifdef __cplusplus
}
#endif

#endif
