/* model_cells.h - for tests: neurons described plainly, packed into a batch.
 *
 * Node order is depth-first.  All numbers are those of kernels/batch/batch.h,
 * before division by dt and with densities apart.  Running out of memory ends
 * the test.
 */
#ifndef BOSC_TESTS_LIB_MODEL_CELLS_H
#define BOSC_TESTS_LIB_MODEL_CELLS_H

#include <stdint.h>

#include "kernels/mech/builtin.h"
#include "kernels/methods.h"

enum { FOREST_PARAMS = 16 }; /* of a mechanism, at most */

/* A parameter set of a mechanism. */
typedef struct forest_set {
    int mech; /* number in the registry */
    double p[FOREST_PARAMS];
} forest_set;

/* A shape with its membrane; all arrays [n]. */
typedef struct forest_shape {
    int32_t n;
    int32_t *parent;
    double *g_axial; /* to the parent, uS */
    double *area;    /* um2 */
    double *C;       /* nF */
    uint32_t *has;   /* bit s: parameter set s is present */
} forest_shape;

/* Something at a node of a neuron. */
typedef struct forest_clamp {
    int32_t neuron, node;
    double delay, duration, amplitude; /* ms, ms, nA */
} forest_clamp;

/* A synapse: a point process with its parameters. */
typedef struct forest_synapse {
    int32_t neuron, node;
    int mech; /* number in the registry */
    double p[FOREST_PARAMS];
} forest_synapse;

typedef struct forest_detector {
    int32_t neuron, node, source;
    double threshold; /* mV */
} forest_detector;

typedef struct forest_probe {
    int32_t neuron, node;
} forest_probe;

typedef struct forest {
    int32_t n_shapes;
    const forest_shape *shapes;
    int n_sets; /* at most 32, sorted by mechanism */
    const forest_set *sets;
    int32_t n_neurons;
    const int32_t *shape; /* [n_neurons] */
    double dt, celsius, v_init;
    bool second_order;
    int32_t every; /* steps between frames */
    int32_t n_clamps, n_detectors, n_probes;
    const forest_clamp *clamps;
    const forest_detector *detectors;
    const forest_probe *probes;
    int32_t n_synapses;
    const forest_synapse *synapses;
} forest;

/* n zeroed elements; without memory there is nothing left to test, so the
 * program ends. */
void *forest_get(size_t n, size_t size);

/* A shape of n nodes without membrane: all arrays zero. */
forest_shape forest_shape_create(int32_t n);
void forest_shape_clear(forest_shape *shape);

/* The first n nodes of a shape: again a tree. */
forest_shape forest_shape_prefix(const forest_shape *shape, int32_t n);

/* A random tree of n nodes whose share of tips is about 'branching' (0 to
 * 0.5), reproducible by 'seed', with areas and conductances like those of real
 * dendrites.  Set 0 is everywhere, the others at node 0. */
forest_shape forest_shape_random(int32_t n, double branching, uint64_t seed);

/* A tree of n nodes whose parents a function tells, dressed. */
forest_shape forest_shape_of(int32_t n, int32_t (*parent)(int32_t i));

/* Such functions.  A comb is a trunk with a tooth at each node, numbered trunk,
 * tooth, trunk, ... so that the trunk goes on from the tooth's parent; a rake
 * has its trunk of 51 nodes first, then the teeth from its far end. */
int32_t forest_in_chain(int32_t i);
int32_t forest_in_star(int32_t i);
int32_t forest_in_comb(int32_t i);
int32_t forest_in_rake(int32_t i);

/* Give every node with a parent and an area plausible numbers. */
void forest_shape_dress(forest_shape *shape, uint64_t seed);

/* Numbers in [0, 1) from a counter. */
double forest_uniform(uint64_t *seed);

/* Pack at rest, all set up to be given to a backend. */
bosc_batch forest_pack(const forest *f, int32_t width);
bosc_batch forest_pack_as(const forest *f, bosc_grouping grouping);
bosc_batch forest_pack_for(const forest *f, const bosc_method *method);

/* The event that synapse 'synapse' receives, in a packed forest. */
bosc_event forest_event(const forest *f, const bosc_batch *batch,
                        int32_t synapse, int64_t step, double weight);

/* Neurons of one shape of three nodes that receive events: an ExpSyn at each
 * node but the last, an Exp2Syn there; packed.  Synapse i is at node i % 3 of
 * neuron i / 3.  Not to be copied; cleared by forest_receivers_clear(). */
enum { FOREST_RECEIVER_NODES = 3 };
typedef struct forest_receivers {
    forest f;
    forest_shape shape;
    int32_t *shapes;          /* [n_neurons] */
    forest_synapse *synapses; /* [n_neurons * 3] */
    bosc_batch batch;
} forest_receivers;
void forest_receivers_create(forest_receivers *to, int32_t n_neurons,
                             int32_t width);
void forest_receivers_clear(forest_receivers *receivers);

/* All voltages and states, [*n], in an order that no layout changes: by neuron,
 * node, and block.  Freed by the caller. */
double *forest_dump(const forest *f, const bosc_batch *batch, size_t *n);

/* The vector codes of the backend cpu, to be set as BOSC_ISA one after another;
 * ended by NULL. */
extern const char *const forest_isas[];

/* Make the backend cpu use this vector code; false if it cannot be had. */
bool forest_use_isa(const char *isa);

/* The methods that have a time loop, one after another from NULL to NULL. */
const bosc_method *forest_next_loop(const bosc_method *after);

/* The value at a node of a neuron: v (mech < 0) or a state of the set's block;
 * 0 where the mechanism is not. */
double forest_value(const bosc_batch *batch, int32_t neuron, int32_t node,
                    int block, int state);

#endif
