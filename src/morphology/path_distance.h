/* path_distance.h - how far along the cable the compartments of a neuron are
 * from its soma.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_MORPHOLOGY_PATH_DISTANCE_H
#define BOSC_SRC_MORPHOLOGY_PATH_DISTANCE_H

#include "src/morphology/cable.h"

/* The path length (um) from the middle of the soma (of the root section, where
 * there is no soma) to every node's position, into distance[cable->n].  Parts
 * without any connection to the soma are infinitely far.  BOSC_ENOMEM. */
bosc_status bosc_path_distances(const bosc_cable *cable, double *distance,
                                bosc_error *err);

#endif
