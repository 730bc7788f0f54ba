/* caller.h - settings of the calling thread, which the library changes for as
 * long as it works and puts back.
 */
#ifndef BOSC_SRC_LIBRARY_CALLER_H
#define BOSC_SRC_LIBRARY_CALLER_H

#include <locale.h>

#include "src/sim/sim.h"

typedef struct bosc_caller {
    int threads; /* of OpenMP, for its next team */
    int gpu;     /* CUDA's current device; -1: the simulation has none yet */
    locale_t locale; /* numbers in texts have points while the library works */
} bosc_caller;

/* Take the settings of a simulation; 'sim' may be one that nobody has read. */
bosc_caller bosc_caller_enter(const bosc_sim *sim);

void bosc_caller_leave(const bosc_caller *caller, const bosc_sim *sim);

#endif
