/* steep.h - currents that grow faster with the voltage than a step can follow.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_KERNELS_BATCH_STEEP_H
#define BOSC_KERNELS_BATCH_STEEP_H

#include "kernels/batch/batch.h"

/* The first neuron with a current whose -di/dv exceeds C/dt at some voltage,
 * with the states of the start: there the row of the voltage has no positive
 * diagonal, and it jumps. */
typedef struct bosc_steep {
    int64_t neurons;      /* how many have one; 0: nothing else is set */
    int32_t neuron, node; /* where it is, */
    const struct bosc_mech *mech;
    double ratio, v; /* how many times C/dt it is there at most, at which mV */
} bosc_steep;

/* Look at all instances of a batch that has started.  BOSC_ENOMEM. */
bosc_status bosc_batch_find_steep(const bosc_batch *batch, bosc_steep *out,
                                  bosc_error *err);

#endif
