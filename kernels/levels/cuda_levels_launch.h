/* cuda_levels_launch.h - between the level schedule of thomas-* and
 * level-schedule-* and its kernels.
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

/* What thomas-* and level-schedule-* have of a solver (bosc_cuda_solver.own).
 */
typedef struct bosc_level_schedule_own {
    bosc_level_schedule
        schedule;          /* on the device; but the levels on the host */
    void *handed;          /* [BOSC_LEVEL_HANDED][n_pairs] as
                              bosc_level_schedule_numbers, on the device */
    void *together, *kept; /* of unified: d, u and b, worked on and as loaded;
                              NULL: the solver has them in arrays of its own */
} bosc_level_schedule_own;

/* Launch the kernels of one solve: one for each level and direction, as threads
 * of different blocks meet between launches alone.  It fails as
 * bosc_cuda_launched(). */
bosc_status bosc_level_schedule_launch(const bosc_cuda_solver *solver,
                                       bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
