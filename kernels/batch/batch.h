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

#include "kernels/base/formula.h"
#include "kernels/batch/layout.h"
#include "kernels/batch/reading.h"
#include "kernels/mech/registry.h"
#include "src/base/status.h"

/* Who has sent a spike, and when: that of an artificial cell is sent in the
 * step nearest to its time, which begins before it or after it. */
typedef enum bosc_spike_kind {
    BOSC_SPIKE_DETECTED, /* at the start of a step */
    BOSC_SPIKE_BEFORE,   /* half a step before its start, at most */
    BOSC_SPIKE_WITHIN    /* later in it */
} bosc_spike_kind;

/* A spike, from its detection to synapses and to the result. */
typedef struct bosc_spike {
    int64_t order;  /* bosc_spike_order() of the step in which it is sent */
    int64_t source; /* of an engine: of the detector; in a result: gid; in a
                       network: as connections have it */
    double late; /* ms after bosc_spike_step(), 0 or more and less than dt: 0 of
                    a detector, and as an artificial cell says */
} bosc_spike;

/* What spikes are sorted by: the step in which they are sent, so that it does
 * not depend on how steps are cut into ranges; of a step those of detectors
 * first. */
BOSC_HD static inline int64_t bosc_spike_order(int64_t step,
                                               bosc_spike_kind kind)
{
    return step << 2 | (int64_t)kind;
}

/* A spike at the start of a step. */
BOSC_HD static inline bosc_spike bosc_spike_detected(int64_t step,
                                                     int64_t source)
{
    const bosc_spike spike = {bosc_spike_order(step, BOSC_SPIKE_DETECTED),
                              source, 0};

    return spike;
}

/* The step that a spike comes 'late' after; of one before the start of the step
 * in which it is sent, the step before this. */
static inline int64_t bosc_spike_step(const bosc_spike *spike)
{
    return (spike->order >> 2) - ((spike->order & 3) == BOSC_SPIKE_BEFORE);
}

/* ms */
static inline double bosc_spike_time(const bosc_spike *spike, double dt)
{
    return (double)bosc_spike_step(spike) * dt + spike->late;
}

/* The order of spikes in a result, for qsort(): of equal order, 'late' counts,
 * then the source. */
static inline int bosc_spike_compare(const void *pa, const void *pb)
{
    const bosc_spike *a = (const bosc_spike *)pa, *b = (const bosc_spike *)pb;

    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    if (a->late != b->late)
        return a->late < b->late ? -1 : 1;
    return (a->source > b->source) - (a->source < b->source);
}

/* An event that an instance of a point process receives before the step that
 * starts at 'step'. */
typedef struct bosc_event {
    int64_t step;
    int32_t block;    /* index of the batch's blocks */
    int32_t instance; /* of the block, minus the first of its group */
    double value;     /* of a plain mechanism the weight (uS); another keeps its
                         weights itself, and this is the time after the step's
                         start (ms), below 0 before it */
} bosc_event;

/* The events of a range of steps, those of a group in the order in which they
 * are received: by step, and in a step those of mechanisms that are not plain
 * by time.  The caller's, during a call. */
typedef struct bosc_events {
    const ptrdiff_t *first;  /* [n_groups + 1] into event */
    const bosc_event *event; /* [first[n_groups]] */
} bosc_events;

/* An event that an instance has sent to itself. */
typedef struct bosc_self_event {
    double t;         /* ms: when it comes back; it is received before the first
                         step whose middle is not before it */
    int32_t block;    /* index of the batch's blocks */
    int32_t instance; /* of the block, minus the first of its group */
    double flag;      /* net_send's second argument */
} bosc_self_event;

/* The events of a group to itself, sorted by time; those of equal times in the
 * order in which they were sent. */
typedef struct bosc_self_events {
    size_t from, n;         /* event[from] to event[n - 1] are on their way */
    size_t capacity;        /* of event */
    bosc_self_event *event; /* the batch's */
    bool failed;            /* there was no memory for one */
    bool crowded;           /* an instance sent more than BOSC_MECH_SENT at once
                             */
    bool stray;             /* one moved an event that it has not sent, or to a
                               time before now */
    size_t n_spikes, spike_room;
    bosc_self_event *spike; /* [n_spikes] of artificial cells, in the order of
                               time, not yet collected; the batch's */
} bosc_self_events;

/* What couplings add to the row of a slot: to d and to b. */
typedef struct bosc_injection {
    ptrdiff_t slot;
    double conductance; /* uS */
    double current;     /* nA */
} bosc_injection;

/* The injections of a step, sorted by slot; several at a slot are added in
 * their order.  The caller owns the arrays, and computes 'push' before each
 * step; an engine with bosc_engine_ops.voltages computes it from 'links' and
 * 'arriving'. */
typedef struct bosc_injected {
    const ptrdiff_t *first;     /* [n_groups + 1] into push */
    const bosc_injection *push; /* [first[n_groups]] */
    const bool *constant; /* [first[n_groups]] the conductance never changes,
                             and is set before the engine is made */
    int32_t n_links;
    const struct bosc_drive_link *links; /* [n_links] kernels/batch/link.h */
    ptrdiff_t n_sent, n_arriving;
    const ptrdiff_t *sent;  /* [n_sent] slots whose voltages others need */
    const double *arriving; /* [n_arriving] mV: voltages of other ranks, set
                               before each step */
} bosc_injected;

/* A threshold detector: a spike at t where v(t) > threshold and v(t - dt) was
 * not (NEURON's NetCon: crossed upwards; it starts as not above). */
typedef struct bosc_detector {
    ptrdiff_t slot;
    int32_t source;   /* the caller's number, which the spike has, too */
    double threshold; /* mV */
    bool above;       /* v was above when it was looked at last; valid before
                         the first step, and when v is (bosc_engine_ops) */
} bosc_detector;

/* Where the random numbers of a neuron's mechanisms come from. */
typedef struct bosc_neuron_stream {
    int64_t number; /* of the neuron: a part of the names of its streams */
    uint64_t seed;
} bosc_neuron_stream;

/* What GPUs run for mechanisms that are not built in: the loop over a group of
 * kernels/gpu/device/cuda_group.h with some mechanisms of the set, or the parts
 * of cuda_group_parts.h; and cell blocks (cuda_cells_run.h). */
typedef struct bosc_mech_program {
    int32_t width;        /* of the groups, or BOSC_PROGRAM_PARTS */
    uint64_t used;        /* bit m: it has mechanism m of the set */
    uint64_t multi_block; /* bit m: of it a rank may have several blocks */
    bool cells;           /* the method keeps neurons on the chip */
    /* Set when the engine is made, which calls no others. */
    uint32_t kernels; /* bit 0: the loop over a group, or parts; bit 1 + k: the
                         cell blocks of class k */
    uint32_t sweeps;  /* bits of BOSC_SWEEP_BIT(), of the loop over a group */
    /* Set before the engine loads them. */
    unsigned char *image[BOSC_PROGRAM_KERNELS]; /* cubin or PTX; NULL: none */
} bosc_mech_program;

/* The constant part of a batch's system, owned by the batch.  Valid until an
 * engine is made, which may overwrite u and d, and free all and make them NULL
 * (kernels/step/rows.h). */
typedef struct bosc_batch_system {
    double *u; /* [n_slots] minus the axial conductance to the parent (uS) */
    double *d; /* [n_slots] constant sum of the row: C/dt + constant g (uS) */
    double *c; /* [n_slots] C/dt, or 2 C/dt with second_order (uS) */
    double *e; /* [n_slots] constant sum of g E over c, 0 where c is (mV) */
} bosc_batch_system;

/* What an engine does about voltages that are not finite, or far from 0; set
 * before it is made. */
typedef struct bosc_batch_watch {
    bool goes_on;  /* it goes on with those that are not finite; else it fails
                    */
    int32_t every; /* steps from one look for those beyond the limit to the
                      next; 0: never */
    double limit;  /* mV: a voltage farther from 0 is reported (bosc_beyond) */
} bosc_batch_watch;

/* The neuron that ended a run; valid after an engine has failed for a voltage
 * that is not finite. */
typedef struct bosc_batch_failed {
    int32_t neuron; /* 1 + the first neuron that has such a voltage; 0: none */
    int64_t step;   /* end of the range of steps in which it came up */
} bosc_batch_failed;

/* The neurons of a device.  It owns its arrays (bosc_batch_clear) but where the
 * caller's are named.  All is set before an engine is made and as it is from
 * then on, but for 'system' and what is said to change. */
typedef struct bosc_batch {
    /* The neurons. */
    bosc_layout layout;
    int32_t n_trees;
    bosc_tree *trees;   /* [n_trees] */
    int32_t *shape;     /* [n_neurons] index of trees */
    const int64_t *gid; /* [n_neurons] what messages call the neurons; NULL:
                           their numbers; the caller's */
    int32_t *like;      /* [n_groups] of a group that begins as a copy of one
                           before it, in all but point processes: that one,
                           itself no copy; else the group itself.  NULL: no
                           copies are known */
    uint64_t seed;      /* of the random numbers of mechanisms */
    const bosc_neuron_stream *stream; /* [n_neurons] instead of gid and seed;
                                         NULL: these; the caller's */

    /* The method. */
    double dt, celsius; /* ms, degC */
    bool second_order;
    int64_t range; /* steps that an engine will mostly be asked for at a time;
                      0: many */
    bosc_batch_watch watch;
    bosc_batch_failed failed;

    /* Numbers of slots. */
    bosc_batch_system system;
    double *v;           /* [n_slots] mV; of now when bosc_engine_ops says so */
    double *diam, *area; /* [n_slots] um and um2 of the compartments; NULL: no
                            mechanism needs them (bosc_mech.geometry) */

    /* Mechanisms, and what acts on neurons. */
    const bosc_mechs *mechs; /* the set that the blocks are of; the caller's */
    bosc_mech_program program;
    int32_t n_blocks;
    bosc_mech_block *blocks;    /* [n_blocks] densities and ions in the order of
                                   the set, then point processes, stimuli last;
                                   their states change as v does */
    bosc_self_events *self;     /* [n_groups] they change as v does; NULL: no
                                   mechanism sends events to itself */
    const bosc_injected *drive; /* couplings; NULL: none.  The caller's; its
                                   numbers may change later, slots do not */

    /* What is looked at. */
    ptrdiff_t n_detectors;
    bosc_detector *detectors; /* [n_detectors] sorted by slot */
    int32_t n_sets;
    bosc_reading_set *sets; /* [n_sets] kernels/batch/reading.h */
} bosc_batch;

/* Allocate u, d, c, e and v with identity rows everywhere.  Before it the batch
 * is empty, all counts zero and arrays NULL, but for the layout.  BOSC_ENOMEM.
 */
bosc_status bosc_batch_alloc(bosc_batch *batch, bosc_error *err);

/* Bytes of u, d, c, e and v of so many slots. */
double bosc_batch_bytes(double n_slots);

/* Make the constants of the blocks, from dt and celsius.  BOSC_ENOMEM. */
bosc_status bosc_batch_prepare(bosc_batch *batch, bosc_error *err);

/* With v set: the states of a block of a plain mechanism at rest there. */
void bosc_batch_init_block(const bosc_batch *batch, bosc_mech_block *block,
                           double celsius);

/* With all blocks filled, v set, and the variables and styles of ions: give the
 * mechanisms that are not plain what they share, and their states, at t = 0, as
 * NEURON: who writes concentrations is the first.  BOSC_ENOMEM. */
bosc_status bosc_batch_start(bosc_batch *batch, bosc_error *err);

/* After bosc_batch_start(), with readings set: find out which work with ions no
 * mechanism and no reading needs (bosc_mech_block.idle, .steady, .follows).
 * BOSC_ENOMEM. */
bosc_status bosc_batch_skip_unused_ions(bosc_batch *batch, bosc_error *err);

/* Queue what an instance of group g has sent to itself at the time of 'from',
 * which names the instance; in receive.c. */
void bosc_self_send(bosc_batch *batch, int32_t g, bosc_self_event from,
                    const bosc_mech_sent *sent);

/* Is group g a copy? */
static inline bool bosc_batch_copies(const bosc_batch *batch, int32_t g)
{
    return batch->like != NULL && batch->like[g] != g;
}

/* Numbers of slots, set but for copies: theirs, too. */
void bosc_batch_copy(const bosc_batch *batch, double *numbers);

/* Free everything that the batch owns (not the parents of the trees, nor gid).
 */
void bosc_batch_clear(bosc_batch *batch);

/* The number of the array of a state of a block, and how many arrays there are
 * (kernels/batch/reading.h). */
int32_t bosc_batch_array(const bosc_batch *batch, int32_t block, int state);
int32_t bosc_batch_arrays(const bosc_batch *batch);

/* The block and the state of an array. */
typedef struct bosc_array_state {
    int32_t block; /* index of the batch's blocks; -1: no array of a state */
    int32_t state; /* of the block */
} bosc_array_state;
bosc_array_state bosc_batch_array_state(const bosc_batch *batch, int32_t array);

/* The slot of a term, within its group g. */
int32_t bosc_term_slot(const bosc_batch *batch, int32_t g, bosc_term term);

/* The first instance of a block in group g that is at a slot of the group or
 * after it; that of the next group where none is. */
ptrdiff_t bosc_block_from(const bosc_mech_block *block, int32_t g, int32_t at);

/* The (first) instance of a block at a slot, or -1. */
ptrdiff_t bosc_block_find(const bosc_batch *batch, int32_t block,
                          ptrdiff_t slot);

#endif
