/* cuda_lanes.h - a thread for each neuron: where it finds its rows.
 *
 * The plan of the methods hines-* of the backend cuda, made on the host.  A
 * thread is a lane of a bosc_layout whose groups have one width: 1 where each
 * neuron is contiguous (flat), the size of a block, or all neurons.
 *
 * Row i of lane k is slot first[k] + i * stride.  The parents of a tree stand
 * once, at tree[k] + i, or with 'own' for each slot, beside the numbers.
 */
#ifndef BOSC_KERNELS_DFS_CUDA_LANES_H
#define BOSC_KERNELS_DFS_CUDA_LANES_H

#include "kernels/solve/solver.h"

/* Its arrays are on the host, or on the device. */
typedef struct bosc_lanes {
    int32_t n_lanes;
    ptrdiff_t stride;
    bool own;         /* parents, and u, for each slot */
    int32_t *rows;    /* [n_lanes] to walk; 0: none */
    ptrdiff_t *first; /* [n_lanes] */
    ptrdiff_t *tree;  /* [n_lanes] */
    int32_t *parent;  /* of all trees, or [slots] */
    ptrdiff_t n_parent;
} bosc_lanes;

/* Of a layout without neurons alone.  first_tree as bosc_systems_first_tree()
 * gives it.  'own': parents for each slot.  'padding': lanes walk all rows of
 * their group, the parent of a padding row i being i - 1.
 * BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_lanes_create(const bosc_systems *systems,
                              const int64_t *first_tree,
                              const bosc_layout *layout, bool own, bool padding,
                              bosc_lanes *lanes, bosc_error *err);
void bosc_lanes_clear(bosc_lanes *lanes);

#endif
