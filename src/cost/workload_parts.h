/* workload_parts.h - what workload_units.c and workload_bytes.c share.
 */
#ifndef BOSC_SRC_COST_WORKLOAD_PARTS_H
#define BOSC_SRC_COST_WORKLOAD_PARTS_H

#include "src/cost/workload.h"

/* Instances of a mechanism with states on a neuron. */
double bosc_workload_instances(const bosc_workload *workload,
                               int32_t population,
                               const bosc_template_size *size, int m);

#endif
