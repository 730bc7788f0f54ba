/* cuda_levels_launch.h - between the level schedule of thomas-* and levels-*
 * and its kernels.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_LEVELS_CUDA_LEVELS_LAUNCH_H
#define BOSC_KERNELS_LEVELS_CUDA_LEVELS_LAUNCH_H

#include "kernels/levels/level_schedule.h"
#include "kernels/solve/solver_cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bosc_level_schedule_own {
    bosc_level_schedule
        schedule; /* on the device; but the levels on the host */
    void *handed;
    void *together, *kept; /* of unified: d, u and b */
} bosc_level_schedule_own;

bosc_status bosc_level_schedule_launch(const bosc_cuda_solver *solver,
                                       const bosc_level_schedule_own *own,
                                       bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
