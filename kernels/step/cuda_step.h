/* cuda_step.h - between the engine of the backend cuda and its kernel: what a
 * GPU knows of a batch.
 *
 * All pointers are to memory of the device.  A group of the layout is a warp's,
 * which integrates it alone over all steps of a range; its neurons are the
 * warp's lanes, and those alone a lane each.  Arrays of groups have an entry
 * more than there are groups.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_STEP_CUDA_STEP_H
#define BOSC_KERNELS_STEP_CUDA_STEP_H

#include "kernels/step/engine.h"
#include "kernels/step/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BOSC_CUDA_WIDTH = 32 };

/* What a lane does in a row, one byte: the bits of the row's kind (rows.h),
 * where its b is, and what it does if it turns. */
enum {
    BOSC_CODE_SIDE = 8,  /* its branch's product is in b */
    BOSC_CODE_SUM = 16,  /* its own b, less products, is in b */
    BOSC_CODE_TURN = 32, /* one of these, times: */
    BOSC_TO_READY = 1,   /* subtract from the parent's d and b */
    BOSC_TO_SIDE = 2,    /* leave the product in the parent's b */
    BOSC_TO_NEW_SUM = 3, /* leave the parent's own b, less the product */
    BOSC_TO_SUM = 4      /* subtract from that */
};

typedef struct bosc_cuda_group {
    ptrdiff_t first; /* slot */
    int32_t rows, width;
    ptrdiff_t u, d, f, r, c, e; /* where its constants begin, in numbers; with
                                   'shared' one of each row, */
    ptrdiff_t edge; /* and d of edges of each row, else after those of edges */
    int32_t shared;
    int32_t lane; /* of its first neuron, counted over all groups */
} bosc_cuda_group;

/* A value of instances: at[i] of instance i, or where at is NULL one of all. */
typedef struct bosc_cuda_value {
    const double *at;
    double all;
} bosc_cuda_value;

enum { BOSC_CUDA_VALUES = 8 };

/* The instances of a mechanism. */
typedef struct bosc_cuda_block {
    int32_t mech; /* as in kernels/mech/builtin.h */
    int32_t n_states;
    ptrdiff_t n;
    const ptrdiff_t *first;
    const int32_t *at;
    const double *scale;
    double *state; /* state j of instance i at j * n + i */
    bosc_cuda_value p[BOSC_CUDA_VALUES], k[BOSC_CUDA_VALUES];
} bosc_cuda_block;

typedef struct bosc_cuda_event {
    int64_t step;
    int32_t block, lane; /* of the group: that of the receiver */
    ptrdiff_t instance;
    double weight;
} bosc_cuda_event;

typedef struct bosc_cuda_set {
    int64_t begin; /* number of the first frame of the range */
    ptrdiff_t n;
    const ptrdiff_t *first, *order;
    const bosc_probe *probe;
    double *values; /* [frames of the range][n] */
    int32_t every;
} bosc_cuda_set;

/* What the groups of a range find. */
typedef struct bosc_cuda_found {
    unsigned long long n_spikes;
    int32_t not_finite, lost_event, beyond;
} bosc_cuda_found;

typedef struct bosc_cuda_step {
    int32_t n_groups;
    int32_t n_streamed;      /* groups that are to be advanced from memory, */
    const int32_t *streamed; /* [n_streamed]; NULL: all */
    bosc_cuda_group *groups;
    const int32_t *lane_neuron; /* [lanes] */
    const int32_t *lane_tree;   /* [lanes] first parent of its tree, */
    const int32_t *lane_rows;   /* and rows of it; no neuron: 0 */
    const int32_t *parent;      /* of all trees */
    const uint8_t *code;        /* [n_slots] */
    const ptrdiff_t *first_ready;
    const bosc_ready *ready;
    const double *constants; /* u, d, f, r, c, e and edges */
    double *v, *d, *b;       /* [n_slots] */
    int32_t n_blocks;
    bosc_cuda_block *blocks;
    const ptrdiff_t *first_clamp;
    const bosc_clamp *clamps;
    const ptrdiff_t *first_detector;
    const bosc_detector *detectors;
    uint8_t *above;              /* [n_detectors] */
    const ptrdiff_t *first_push; /* NULL: nothing is driven */
    const bosc_injection *push;
    double dt, v_limit;
    int32_t watch_every; /* 0: never */
    int32_t second_order;
    int32_t n_sets;
    bosc_cuda_set *sets;

    /* Of a range. */
    const ptrdiff_t *first_event; /* NULL: none */
    const bosc_cuda_event *events;
    ptrdiff_t *next_event; /* [n_groups], then room for first_event */
    bosc_spike *spikes;    /* room for all that a range can have */
    bosc_beyond *beyond;   /* [lanes] gid is not set; step 0: not beyond */
    uint8_t *watched;      /* [n_groups] 1: it has been beyond */
    bosc_cuda_found *found;
} bosc_cuda_step;

/* Launch the steps from..to - 1 of the groups that are streamed, with 'last'
 * the end of a range. */
bosc_status bosc_cuda_step_run(const bosc_cuda_step *step, int64_t from,
                               int64_t to, bool last, bosc_error *err);

/* Launch the search for voltages that are not finite. */
bosc_status bosc_cuda_step_check(const bosc_cuda_step *step, bosc_error *err);

/* Wait for all that was launched, and meanwhile call poll(what) now and then;
 * NULL: never. */
bosc_status bosc_cuda_step_wait(const bosc_step_input *steps, bosc_error *err);

/* The frames of step 0. */
bosc_status bosc_cuda_step_frames(const bosc_cuda_step *step, bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
