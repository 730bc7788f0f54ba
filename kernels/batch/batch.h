/* batch.h - the neurons that one device solves together, and their layout.
 *
 * A leaf: no MPI, no files.
 *
 * The matrix of a neuron, in totals (uS; right-hand side nA; see design):
 *     d_i v_i + sum over neighbours j of u_ij (v_j - v_i) = b_i
 * with u <= 0 between a node and its parent stored at the node; d is the sum
 * of the row, so without axial conductances (kernels/hines/hines.h says why).
 * Of b the constant part is c (v + e), with the e of a region instead of a
 * current of each compartment.  Without membrane c and the constant d are 0.
 * Node order is that of src/morphology/cable.h (depth-first, parent[i] < i).
 *
 * All per-compartment arrays of a batch have the slots of its layout
 * (kernels/batch/layout.h).  Its padding are identity rows: d = 1, u = 0, c =
 * 0, e = 0, v = 0.
 */
#ifndef BOSC_KERNELS_BATCH_BATCH_H
#define BOSC_KERNELS_BATCH_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/batch/layout.h"
#include "kernels/batch/reading.h"
#include "kernels/mech/registry.h"
#include "src/base/status.h"

/* What an instance of a point process receives before the step that starts at
 * 'step'. */
typedef struct bosc_event {
    int64_t step;
    int32_t block;
    int32_t instance; /* minus the first of its group */
    double weight;    /* uS; of a mechanism that is not plain, which keeps its
                         own: how much later than the step it comes, in ms */
} bosc_event;

/* The events of a range of steps, those of a group in the order in which they
 * are received: by step, and in a step those of mechanisms that are not plain
 * by time. */
typedef struct bosc_events {
    const ptrdiff_t *first;  /* [n_groups + 1] into event */
    const bosc_event *event; /* [first[n_groups]] */
} bosc_events;

/* What an instance has sent to itself. */
typedef struct bosc_self_event {
    double t; /* ms: when it comes back; it is received before the first step
                 whose middle is not before it */
    int32_t block;
    int32_t instance; /* minus the first of its group */
    double flag;
} bosc_self_event;

/* Those of a group, sorted by time; those of equal times in the order in which
 * they were sent. */
typedef struct bosc_self_events {
    size_t from, n, capacity; /* event[from] to event[n - 1] */
    bosc_self_event *event;
    bool failed, crowded; /* no memory; more than BOSC_MECH_SENT at once */
} bosc_self_events;

/* What couplings add to the row of a slot: conductance (uS) to d, current (nA)
 * to b. */
typedef struct bosc_injection {
    ptrdiff_t slot;
    double conductance, current;
} bosc_injection;

/* The injections of a step, sorted by slot; those at one slot
 * are added in their order.  The caller computes them before each step, but for
 * an engine that does (bosc_engine_ops.voltages): that has the links, and takes
 * what arrives. */
typedef struct bosc_injected {
    const ptrdiff_t *first;     /* [n_groups + 1] into push */
    const bosc_injection *push; /* [first[n_groups]] */
    const bool *constant;       /* [first[n_groups]] the conductance is, and is
                                   known from the beginning */
    int32_t n_links;
    const struct bosc_drive_link *links; /* [n_links] kernels/batch/link.h */
    ptrdiff_t n_sent, n_arriving;
    const ptrdiff_t *sent;  /* [n_sent] slots whose voltages others need */
    const double *arriving; /* [n_arriving] voltages, before each step */
} bosc_injected;

/* A threshold detector: a spike at t where v(t) > threshold and v(t - dt) was
 * not (NEURON's NetCon: crossed upwards; it starts as not above). */
typedef struct bosc_detector {
    ptrdiff_t slot;
    int32_t source;   /* the caller's number, comes back in the spike */
    double threshold; /* mV */
    bool above;       /* v was, when it was looked at last; here before the
                         first step, and brought up to date as v is */
} bosc_detector;

/* The random numbers of a neuron's mechanisms. */
typedef struct bosc_neuron_stream {
    int64_t number; /* of the neuron, as a part of their names */
    uint64_t seed;
} bosc_neuron_stream;

/* What GPUs run for mechanisms that are not built in: the loop over a group of
 * kernels/gpu/stream/cuda_group.h with those of the set whose bits are in
 * 'used', as cubin or PTX; NULL: there is none.  Of those in 'several' a rank
 * may have several blocks. */
typedef struct bosc_mech_program {
    unsigned char *image;
    uint64_t used, several;
} bosc_mech_program;

typedef struct bosc_batch {
    bosc_layout layout;
    const bosc_mechs *mechs;   /* that the blocks are of; the caller's */
    bosc_mech_program program; /* for GPUs; the batch owns its image */
    int32_t n_trees;
    bosc_tree *trees;   /* [n_trees] */
    int32_t *shape;     /* [n_neurons] tree of each neuron */
    const int64_t *gid; /* [n_neurons] what messages call the neurons, NULL:
                           their numbers; owned by the caller */
    double dt, celsius; /* ms, degC */
    bool second_order;
    uint64_t seed;                    /* of the random numbers of mechanisms */
    const bosc_neuron_stream *stream; /* [n_neurons] instead of gid and seed,
                                         NULL: these; the caller's */
    bool goes_on;                     /* with voltages that are not finite */
    int32_t broken;                   /* the neuron, from 1, whose voltage was
                                         not finite where an engine has failed
                                         for that, and */
    int64_t broken_at;                /* the end of the range, a step */
    /* An engine may free u, d, c and e, and make them NULL. */
    double *u; /* [n_slots] minus the axial conductance to the parent (uS) */
    double *d; /* [n_slots] constant sum of the row: C/dt + constant g (uS) */
    double *c; /* [n_slots] C/dt, or 2 C/dt with second_order (uS) */
    double *e; /* [n_slots] constant sum of g E over c, 0 where c is (mV) */
    double *v; /* [n_slots] voltage (mV) */
    double *diam, *area; /* [n_slots] um and um2 of the compartments, NULL where
                            no mechanism needs them (bosc_mech.geometry) */
    double v_limit;      /* mV: what is farther from 0 is reported, */
    int32_t watch_every; /* of every so many steps; 0: never */
    int32_t n_blocks;
    bosc_mech_block *blocks; /* [n_blocks] densities and ions in the order of
                                the set, then point processes */
    bosc_self_events *self;  /* [n_groups] or NULL: no mechanism sends any */
    ptrdiff_t n_clamps;
    bosc_clamp *clamps;         /* [n_clamps] sorted by slot */
    const bosc_injected *drive; /* of every step, or NULL: none.  Of the caller,
                                   who sets it before an engine is made; then
                                   numbers may change, slots do not */
    int64_t range; /* steps that an engine will mostly be asked for at a time,
                      set before it is made; 0: many */
    ptrdiff_t n_detectors;
    bosc_detector *detectors; /* [n_detectors] sorted by slot */
    int32_t n_sets;
    bosc_reading_set *sets; /* [n_sets] kernels/batch/reading.h */
} bosc_batch;

/* An empty batch: all counts zero, arrays NULL; then the layout is made, then
 * bosc_batch_alloc makes u, d, c, e, v with identity rows everywhere. */
bosc_status bosc_batch_alloc(bosc_batch *batch, bosc_error *err);

/* Bytes of the arrays of so many slots. */
double bosc_batch_bytes(double n_slots);

/* Make the constants of the blocks, from dt and celsius.  BOSC_ENOMEM. */
bosc_status bosc_batch_prepare(bosc_batch *batch, bosc_error *err);

/* With all blocks filled, v set, and the variables and styles of ions: give the
 * mechanisms that are not plain what they share, and their states, at t = 0, as
 * NEURON: who writes concentrations is the first.  BOSC_ENOMEM. */
bosc_status bosc_batch_start(bosc_batch *batch, bosc_error *err);

/* After that, with readings set: find out which work with ions nobody needs
 * (bosc_mech_block.idle, .steady, .follows).  BOSC_ENOMEM. */
bosc_status bosc_batch_skip_unused_ions(bosc_batch *batch, bosc_error *err);

/* Keep what instance i of a block, in group g, has sent at time t; in
 * receive.c. */
void bosc_self_send(bosc_batch *batch, int32_t g, bosc_self_event from,
                    const bosc_mech_sent *sent);

/* Free everything the batch owns (not the parents of the trees, nor gid). */
void bosc_batch_clear(bosc_batch *batch);

/* The array of a state of a block, and how many arrays there are. */
int32_t bosc_batch_array(const bosc_batch *batch, int32_t block, int state);
int32_t bosc_batch_arrays(const bosc_batch *batch);

/* The block and the state of an array; block -1: it is not one of states. */
typedef struct bosc_array_state {
    int32_t block, state;
} bosc_array_state;
bosc_array_state bosc_batch_array_state(const bosc_batch *batch, int32_t array);

/* The slot of a term, within its group g. */
int32_t bosc_term_slot(const bosc_batch *batch, int32_t g, bosc_term term);

/* The (first) instance of a block at a slot, or -1. */
ptrdiff_t bosc_block_find(const bosc_batch *batch, int32_t block,
                          ptrdiff_t slot);

#endif
