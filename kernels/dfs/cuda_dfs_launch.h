/* cuda_dfs_launch.h - between the plan of depth-first and its kernel.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_DFS_CUDA_DFS_LAUNCH_H
#define BOSC_KERNELS_DFS_CUDA_DFS_LAUNCH_H

#include "kernels/dfs/cuda_dfs_plan.h"
#include "kernels/solve/solver_cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bosc_dfs_own {
    bosc_cuda_dfs_plan plan; /* on the device */
    void *far;               /* the stacks that are not on the chip */
} bosc_dfs_own;

bosc_status bosc_dfs_launch(const bosc_cuda_solver *solver,
                            const bosc_dfs_own *own, bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
