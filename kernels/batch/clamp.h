/* clamp.h - a current clamp (NEURON's IClamp).
 *
 * A leaf: no MPI, no files.
 */
#ifndef BOSC_KERNELS_BATCH_CLAMP_H
#define BOSC_KERNELS_BATCH_CLAMP_H

#include "kernels/base/formula.h"

/* It adds 'amplitude' to b of its slot in each step whose middle is in
 * delay <= t < delay + duration. */
typedef struct bosc_clamp {
    ptrdiff_t slot;         /* of the batch */
    double delay, duration; /* ms */
    double amplitude;       /* nA */
} bosc_clamp;

/* The middle of the step that starts at 'step' (ms). */
BOSC_HD static inline double bosc_clamp_middle(int64_t step, double dt)
{
    return (double)step * dt + 0.5 * dt;
}

/* Is the clamp on in the step that has this middle? */
BOSC_HD static inline bool bosc_clamp_is_on(const bosc_clamp *clamp,
                                            double middle)
{
    return clamp->delay <= middle && middle < clamp->delay + clamp->duration;
}

#endif
