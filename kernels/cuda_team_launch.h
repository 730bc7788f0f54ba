/* cuda_team_launch.h - between the plan of team and its kernel.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_CUDA_TEAM_LAUNCH_H
#define BOSC_KERNELS_CUDA_TEAM_LAUNCH_H

#include "kernels/cuda_team_plan.h"
#include "kernels/solver_cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a neuron stands. */
typedef struct bosc_team_neuron {
    ptrdiff_t first, u;
    int32_t tree;
} bosc_team_neuron;

typedef struct bosc_team_own {
    bosc_team_plan plan;       /* on the device */
    bosc_team_neuron *neurons; /* [n_neurons], on the device */
    int32_t threads;           /* of a block */
    size_t near_bytes; /* of shared memory; 0: the longest neuron does not fit,
                          and all work in 'far' */
    size_t bring;      /* where in it the plan of a neuron's tree begins; 0: it
                          stays where it is */
    void *far;         /* BOSC_TEAM_ROOM numbers for each compartment */
} bosc_team_own;

bosc_status bosc_team_launch(const bosc_solver *solver,
                             const bosc_team_own *own, bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
