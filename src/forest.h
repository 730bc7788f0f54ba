/* forest.h - the neurons of this rank and their shapes, each shape once.
 *
 * Serial code: no MPI.  How a forest comes to be is in forest_create.h.
 */
#ifndef BOSC_SRC_FOREST_H
#define BOSC_SRC_FOREST_H

#include <stdint.h>

#include "src/cable.h"
#include "src/params.h"
#include "src/population.h"

typedef struct bosc_forest {
    int32_t n;           /* neurons of this rank */
    int64_t *gid;        /* [n] ascending */
    int32_t *population; /* [n] index in the job */
    int32_t *shape;      /* [n] index in cable */
    int32_t n_shapes;
    bosc_cable **cable;       /* [n_shapes] */
    int64_t n_compartments;   /* of this rank's neurons */
    int64_t all_compartments; /* of all ranks */
    int64_t n_repairs,
        n_repaired;   /* repairs, and shapes repaired, everywhere */
    double imbalance; /* most loaded rank over the mean */
    double seconds_read, seconds_divide;
} bosc_forest;

void bosc_forest_destroy(bosc_forest *forest);

/* The template of neuron i of this rank. */
static inline const bosc_cable *bosc_forest_cable(const bosc_forest *forest,
                                                  int32_t i)
{
    return forest->cable[forest->shape[i]];
}

/* The neuron of this rank with that gid, -1: it is on another one. */
int32_t bosc_forest_find(const bosc_forest *forest, int64_t gid);

#endif
