/* distribution.h - what distributing the cells of a job gives. */
#ifndef BOSC_SRC_DISTRIBUTE_DISTRIBUTION_H
#define BOSC_SRC_DISTRIBUTE_DISTRIBUTION_H

#include "src/cost/workload.h"

/* What distributing the cells of a job gave besides the cells themselves. */
typedef struct bosc_distribution {
    int64_t compartments;          /* of all ranks */
    int64_t n_repairs, n_repaired; /* repairs, templates repaired, everywhere */
    double imbalance;    /* largest rank load over the mean, by cost */
    bosc_rank_load load; /* estimate of this rank's work and bytes */
    double seconds_read, seconds_divide;
} bosc_distribution;

#endif
