/* cuda_stream_launch.h - between the plan of stream and its kernel.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_CUDA_STREAM_LAUNCH_H
#define BOSC_KERNELS_CUDA_STREAM_LAUNCH_H

#include "kernels/cuda_stream_plan.h"
#include "kernels/solver_cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bosc_stream_own {
    bosc_stream_plan plan; /* on the device */
    void *far;             /* the stacks that are not on the chip */
} bosc_stream_own;

bosc_status bosc_stream_launch(const bosc_solver *solver,
                               const bosc_stream_own *own, bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
