/* composed.h - the variants of the composed step: which solver it has.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_STEP_COMPOSED_H
#define BOSC_KERNELS_STEP_COMPOSED_H

#include "kernels/step/limits.h"

enum {
    BOSC_COMPOSED_INTERLEAVED,
    BOSC_COMPOSED_BLOCK,
    BOSC_COMPOSED_BLOCK_SHARED,
    BOSC_COMPOSED_VBATCH_CP,
    BOSC_COMPOSED_VBATCH_NCP,
    BOSC_COMPOSED_LEVELS_CP,
    BOSC_COMPOSED_LEVELS_NCP,
    BOSC_COMPOSED_LEVELS_SLICED
};

#endif
