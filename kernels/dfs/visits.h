/* visits.h - the order in which a thread with a small stack visits the rows of
 * a neuron.
 *
 * Depth first, too, but of the children of a row the one that bosc numbers
 * first (src/morphology/cable.h), whose stack is the deepest, has the last
 * place: a walk from the last place to the first meets it before anything waits
 * on the stack, so about log2(tips) pairs wait at most, and those of one row.
 * What children hand on is summed in the order of kernels/hines/hines.h all the
 * same.
 */
#ifndef BOSC_KERNELS_DFS_VISITS_H
#define BOSC_KERNELS_DFS_VISITS_H

#include "kernels/solve/solver.h"

typedef struct bosc_visits {
    bosc_systems systems; /* those given, but trees, and with shared_u u, in the
                             order of places; these are owned by the visits */
    int32_t *place;       /* of each row of each tree, tree after tree */
    int32_t *parents;     /* of the trees */
    double *u;
} bosc_visits;

/* Of systems that were checked; first_tree as bosc_systems_first_tree() gives
 * it.  On failure *visits is empty.  BOSC_ENOMEM. */
bosc_status bosc_visits_create(const bosc_systems *systems,
                               const int64_t *first_tree, bosc_visits *visits,
                               bosc_error *err);
void bosc_visits_clear(bosc_visits *visits);

#endif
