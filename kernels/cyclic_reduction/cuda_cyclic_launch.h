/* cuda_cyclic_launch.h - between the plan of cyclic-reduction and its kernel.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_CYCLIC_REDUCTION_CUDA_CYCLIC_LAUNCH_H
#define BOSC_KERNELS_CYCLIC_REDUCTION_CUDA_CYCLIC_LAUNCH_H

#include "kernels/cyclic_reduction/cuda_cyclic_plan.h"
#include "kernels/solve/solver_cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a neuron stands. */
typedef struct bosc_cyclic_neuron {
    ptrdiff_t first, u;
    int32_t tree;
} bosc_cyclic_neuron;

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

bosc_status bosc_cyclic_launch(const bosc_cuda_solver *solver,
                               const bosc_cyclic_own *own, bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
