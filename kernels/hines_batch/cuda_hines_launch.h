/* cuda_hines_launch.h - between the plan of hines-* and its kernels.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_HINES_BATCH_CUDA_HINES_LAUNCH_H
#define BOSC_KERNELS_HINES_BATCH_CUDA_HINES_LAUNCH_H

#include "kernels/dfs/cuda_lanes.h"
#include "kernels/solve/solver_cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bosc_hines_own {
    bosc_lanes lanes;  /* on the device */
    int32_t threads;   /* of a block */
    size_t near_bytes; /* of shared memory for b of a block; 0: not there */
} bosc_hines_own;

bosc_status bosc_hines_launch(const bosc_cuda_solver *solver, bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
