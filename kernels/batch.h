/* batch.h - the neurons that one device solves together, and their layout.
 *
 * A leaf: no MPI, no files.
 *
 * The matrix of a neuron, in totals (uS; right-hand side nA; see design):
 *     d_i v_i + sum over neighbours j of u_ij (v_j - v_i) = b_i
 * with u <= 0 between a node and its parent stored at the node; d is the sum
 * of the row, so without axial conductances (kernels/hines.h says why).  Node
 * order is that of src/cable.h (depth-first, parent[i] < i).
 *
 * Layout: neurons stand in groups of 'width' lanes; element i of lane k of a
 * group is slot first + i * width + k.  So width 1 is each neuron contiguous
 * (hines-flat), 8 the lanes of an AVX-512 vector (stream), 32 a warp.  All
 * per-compartment arrays of a batch have this one slot order.  Rows past the
 * end of a shorter neuron, and lanes without a neuron, are identity rows:
 * d = 1, u = 0, c = 0, e = 0, v = 0.
 *
 * Worked example: neurons A (3 compartments) and B (2), width 2:
 *     slot      0   1   2   3   4   5
 *     element  A0  B0  A1  B1  A2  pad      rows = 3
 */
#ifndef BOSC_KERNELS_BATCH_H
#define BOSC_KERNELS_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/mech.h"
#include "src/status.h"

/* The topology of one shape.  Neurons of one shape share it. */
typedef struct bosc_tree {
    int32_t n;
    const int32_t *parent; /* [n] owned by the caller, outlives the batch */
} bosc_tree;

typedef struct bosc_layout {
    int32_t width;
    int32_t n_neurons, n_groups;
    ptrdiff_t n_slots;
    int32_t *lane_neuron; /* [n_groups * width] neuron of a lane, -1: none */
    int32_t *place;       /* [n_neurons] group * width + lane */
    int32_t *rows;        /* [n_groups] of the longest neuron of the group */
    ptrdiff_t *first;     /* [n_groups + 1] first slot of each group */
    bool *uniform;        /* [n_groups] every lane the same shape, none empty */
} bosc_layout;

/* Sort neurons into groups: full groups of one shape first, where there are
 * enough of a shape; the rest by size, then by shape.  Greatest first.  The
 * order is fixed by (size, shape, neuron), so it is the same everywhere.
 * shape[i] < n_trees says which tree neuron i has. */
bosc_status bosc_layout_create(int32_t n_neurons, const int32_t *shape,
                               const bosc_tree *trees, int32_t width,
                               bosc_layout *layout, bosc_error *err);
void bosc_layout_clear(bosc_layout *layout);

/* The slot of element i of a neuron. */
static inline ptrdiff_t bosc_slot(const bosc_layout *layout, int32_t neuron,
                                  int32_t i)
{
    const int32_t place = layout->place[neuron];

    return layout->first[place / layout->width] + (ptrdiff_t)i * layout->width +
           place % layout->width;
}

/* Padding ratio: slots over compartments, 1 is none. */
double bosc_layout_padding(const bosc_layout *layout, const int32_t *shape,
                           const bosc_tree *trees);

/* All instances in the batch of one mechanism with one set of parameters.
 * They are sorted by slot, and those of group g are first[g]..first[g+1]-1. */
typedef struct bosc_mech_block {
    int mech; /* bosc_mech_id */
    double p[BOSC_MECH_MAX_PARAMS];
    ptrdiff_t n;
    ptrdiff_t *first; /* [n_groups + 1] */
    int32_t *at;      /* [n] slot minus the first slot of its group */
    double *scale;    /* [n] uS per S/cm2: area * 1e-2 */
    double *state[BOSC_MECH_MAX_STATES]; /* [n] each */
} bosc_mech_block;

/* A current clamp: adds 'amplitude' to b where delay <= t + dt/2 < delay +
 * duration (NEURON's IClamp). */
typedef struct bosc_clamp {
    ptrdiff_t slot;
    double delay, duration; /* ms */
    double amplitude;       /* nA */
} bosc_clamp;

/* A threshold detector: a spike at t where v(t) > threshold and v(t - dt) was
 * not (NEURON's NetCon: crossed upwards; it starts as not above). */
typedef struct bosc_detector {
    ptrdiff_t slot;
    int32_t source;   /* the caller's number, comes back in the spike */
    double threshold; /* mV */
} bosc_detector;

/* One thing to record: v (block == -1) or state 'state' of instance 'index'
 * of block 'block'. */
typedef struct bosc_probe {
    int32_t block, state;
    ptrdiff_t index; /* slot for v, else instance */
} bosc_probe;

/* Things recorded together, every 'every' steps from t = 0. */
typedef struct bosc_probe_set {
    int32_t every;
    ptrdiff_t n;
    bosc_probe *probe; /* [n], each of a known group: */
    int32_t *group;    /* [n] group of the slot or instance */
} bosc_probe_set;

typedef struct bosc_batch {
    bosc_layout layout;
    int32_t n_trees;
    bosc_tree *trees;   /* [n_trees] */
    int32_t *shape;     /* [n_neurons] tree of each neuron */
    const int64_t *gid; /* [n_neurons] what messages call the neurons, NULL:
                           their numbers; owned by the caller */
    double dt, celsius; /* ms, degC */
    bool second_order;
    double *u; /* [n_slots] minus the axial conductance to the parent (uS) */
    double *d; /* [n_slots] constant sum of the row: C/dt + constant g (uS) */
    double *c; /* [n_slots] C/dt, or 2 C/dt with second_order (uS) */
    double *e; /* [n_slots] constant sum of g E (nA) */
    double *v; /* [n_slots] voltage (mV) */
    int32_t n_blocks;
    bosc_mech_block *blocks; /* [n_blocks] in the order of BOSC_MECH_LIST */
    ptrdiff_t n_clamps;
    bosc_clamp *clamps; /* [n_clamps] sorted by slot */
    ptrdiff_t n_detectors;
    bosc_detector *detectors; /* [n_detectors] sorted by slot */
    int32_t n_sets;
    bosc_probe_set *sets; /* [n_sets] */
} bosc_batch;

/* An empty batch: all counts zero, arrays NULL; then the layout is made, then
 * bosc_batch_alloc makes u, d, c, e, v with identity rows everywhere. */
bosc_status bosc_batch_alloc(bosc_batch *batch, bosc_error *err);

/* Free everything the batch owns (not the parents of the trees, nor gid). */
void bosc_batch_clear(bosc_batch *batch);

/* The group that a slot belongs to, by binary search. */
int32_t bosc_layout_group(const bosc_layout *layout, ptrdiff_t slot);

/* The instance of a block at a slot, or -1. */
ptrdiff_t bosc_block_find(const bosc_batch *batch, int32_t block,
                          ptrdiff_t slot);

#endif
