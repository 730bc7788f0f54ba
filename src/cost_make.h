/* cost_make.h - what cost.c and cost_bytes.c share.  Internal to cost*.c.
 */
#ifndef BOSC_SRC_COST_MAKE_H
#define BOSC_SRC_COST_MAKE_H

#include "src/cost.h"

/* Ranges of steps of the loop: so many a run, none shorter (src/loop.c). */
enum { BOSC_RANGES = 100, BOSC_FEWEST = 20 };

/* Instances of a mechanism with states on a neuron. */
double bosc_demand_instances(const bosc_demand *demand, int32_t population,
                             const bosc_size *size, int m);

#endif
