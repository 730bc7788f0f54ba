/* cuda_ladder_launch.h - between the ladder of thomas-* and levels-* and its
 * kernels.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_CUDA_LADDER_LAUNCH_H
#define BOSC_KERNELS_CUDA_LADDER_LAUNCH_H

#include "kernels/ladder.h"
#include "kernels/solver_cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bosc_ladder_own {
    bosc_ladder ladder; /* on the device; but the rungs on the host */
    void *pair_d, *pair_b;
    void *together, *kept; /* of unified: d, u and b */
} bosc_ladder_own;

bosc_status bosc_ladder_launch(const bosc_solver *solver,
                               const bosc_ladder_own *own, bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
