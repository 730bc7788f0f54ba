/* cuda_step.h - between the engine of the backend cuda and its kernel: what a
 * GPU knows of a batch.
 *
 * All pointers are to memory of the device.  A group of the layout is a team's,
 * one warp or some of a thread block, which integrates it alone over all steps
 * of a range; its neurons are the lanes of a warp, the first ones where it has
 * fewer, and those alone a lane each.  Where there are few groups a team has
 * several warps, and a block to itself: one solves, all of them take
 * mechanisms, part by part.  Arrays of groups have an entry more than there are
 * groups.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_GPU_HOST_CUDA_STEP_H
#define BOSC_KERNELS_GPU_HOST_CUDA_STEP_H

#include "kernels/base/cuda.h"
#include "kernels/step/engine.h"
#include "kernels/step/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BOSC_CUDA_WIDTH = 32,   /* lanes of a warp */
    BOSC_CUDA_WARPS = 16,   /* of a multiprocessor: 128 registers for each lane;
                               so many have a team at most */
    BOSC_CUDA_PART_ROWS = 8 /* of 32 slots, which a part of a group has at most
                               where a team shares it: what the next block reads
                               again is near then */
};

/* What groups may have of neurons, but those of one alone: a kernel knows one
 * of these widths, for what it does not know is not inlined as a whole. */
#define BOSC_CUDA_WIDTHS(X) X(32) X(16) X(8)

/* What a lane does in a row, one byte: the bits of the row's kind (rows.h), and
 * these.  A row's sides are the rows that turn to it.
 *
 *     row      5    4        3    2    1          0        of a neuron
 *     code     -    turns    -    -    1 side     -
 *     up       -    push     -    -    pop 1      -        products
 *     down     -    pop      -    -    push 1     -        voltages
 */
enum {
    BOSC_CODE_TURN = 8,   /* its parent is not the row before */
    BOSC_CODE_D = 16,     /* its parent is not kept, and takes a d */
    BOSC_CODE_E = 32,     /* its e is not that of the row after */
    BOSC_CODE_SIDES = 64, /* times the number of its sides, */
    BOSC_MANY_SIDES = 3,  /* or this, with the number elsewhere */

    /* Of these a plain row has KEPT alone: nothing is added to its b but what
     * its sides hand on. */
    BOSC_CODE_PLAIN = BOSC_ROW_KEPT | BOSC_ROW_READY | BOSC_CODE_E
};

/* Bytes of shared memory that a block gets without asking for more. */
enum { BOSC_CUDA_BLOCK_BYTES = 48 * 1024 };

/* A group that has few rows reads them one by one, so it has fewer instructions
 * to go through. */
enum { BOSC_CUDA_FEW_ROWS = 8 };

/* The rows of a batch that other groups read at a time, on the way up and down.
 * A ring has room for some batches of 32 lanes: on the way up they have four
 * numbers and a code of each row and lane, on the way down two and a code. */
enum {
    BOSC_CUDA_ROWS_UP = 4,
    BOSC_CUDA_ROWS_DOWN = 8,
    BOSC_CUDA_STAGES = 3,
    BOSC_CUDA_RING =
        BOSC_CUDA_STAGES * BOSC_CUDA_WIDTH * (16 * 8 + BOSC_CUDA_ROWS_DOWN)
};

/* Places of a lane's stacks that may be on the chip in a group that is not
 * plain: what shared memory such groups leave is cache, which their mechanisms
 * need.  A lane of few rows needs no more. */
enum { BOSC_CUDA_NEAR = 32 };

/* How a group is swept, and the room for its stacks. */
typedef struct bosc_cuda_room {
    ptrdiff_t far;  /* where the stacks begin in far_room; -1: on the chip */
    int32_t levels; /* places that a lane's stacks need; they have one more */
    uint8_t plain;  /* most of its batches are plain in all lanes, and its
                       stacks are on the chip */
    uint8_t ring;   /* a ring is there, too, before the stacks */
} bosc_cuda_room;

typedef struct bosc_cuda_group {
    ptrdiff_t first; /* slot */
    int32_t rows, width;
    ptrdiff_t u, d, f, r, c, e; /* where its constants begin, in numbers; with
                                   'shared' one of each row, */
    ptrdiff_t edge; /* and d of edges of each row, else after those of edges */
    int32_t shared;
    int32_t lane;          /* of its first neuron, counted over all groups */
    int32_t row, all_rows; /* the first of its rows of 32 slots, likewise, */
    int32_t parts;         /* these rows in so many nearly equal parts */
} bosc_cuda_group;

/* A value of instances: at[i] of instance i, or where at is NULL one of all. */
typedef struct bosc_cuda_value {
    const double *at;
    double all;
} bosc_cuda_value;

enum { BOSC_CUDA_VALUES = 8 };

/* What else a mechanism has that is not built in, or an ion. */
typedef struct bosc_cuda_more {
    const bosc_cuda_value *p, *k; /* [n_params], [n_constants] */

    /* Of an ion. */
    const uint8_t *style; /* [n], else NULL */
    double nernst;        /* mV */
    int32_t idle;         /* nobody needs its current */
    int32_t follows;      /* it is BOSC_ION_ALWAYS somewhere */

    const void *own; /* of a full point process of which there may be several
                        blocks: bosc_cuda_own */
} bosc_cuda_more;

/* The instances of a mechanism. */
typedef struct bosc_cuda_block {
    int32_t mech; /* its number in the set */
    int32_t n_states;
    int32_t is_full;
    ptrdiff_t n;
    const ptrdiff_t *first; /* where groups are streamed: of each row of 32
                               slots, */
    const int32_t *at;      /* and of instances, slots of their group */
    const double *scale;
    double *state; /* state j of instance i at j * n + i */
    bosc_cuda_value p[BOSC_CUDA_VALUES], k[BOSC_CUDA_VALUES]; /* if no more */
    int32_t p_varies, k_varies; /* some of p, or of k, are of instances */
    const bosc_cuda_more *more; /* NULL: it is built in */
} bosc_cuda_block;

/* Where a block has instances among 32 slots: at those of the bits, in order.
 */
typedef struct bosc_cuda_here {
    uint32_t first, lanes;
} bosc_cuda_here;

/* A mechanism of the job's own, as its code has it among the arguments of the
 * kernel: the first member of bosc_cuda_own_NAME, which is printed with the
 * mechanism (src/nmodl/emit/emit_cuda.c).  Behind it are, where there are any,
 *     double *ion[n_ions], the variable at each slot,
 *     bosc_cuda_value p[n_params] and k[n_constants]. */
typedef struct bosc_cuda_own {
    uint64_t n;
    const bosc_cuda_here *here; /* of each row of slots, and scale of each slot;
                                   point processes, of which several may be at
                                   one, have these */
    const ptrdiff_t *first;     /* as bosc_cuda_block, and its scale */
    const int32_t *at;
    const double *scale;
    double *state;
    const double *diam, *area; /* [n_slots], or NULL */
    const uint32_t *stream;    /* [n][4], or NULL */
    double *scratch;           /* [2 + n_ions][n] of a point process */
    uint32_t currents, idle;   /* bits of ion[]: currents that somebody needs,
                                  and what nobody does */
    int64_t varies;            /* 0: no value of p and k has an array */
} bosc_cuda_own;

/* Of those together, in the order of the set; with more bytes they are in
 * memory, and their address is the argument. */
enum { BOSC_CUDA_NEAR_JOB = 24 * 1024 };

/* What a step has of each mechanism. */
typedef enum bosc_cuda_phase {
    BOSC_CUDA_CURRENT,
    BOSC_CUDA_ADVANCE,
    BOSC_CUDA_PHASES
} bosc_cuda_phase;

/* A block that has something to do in a phase.  All densities of the job's own
 * are one, with the number of the first of these mechanisms. */
typedef struct bosc_cuda_work {
    int32_t mech, block; /* the number of its mechanism, its own */
} bosc_cuda_work;

typedef struct bosc_cuda_event {
    int64_t step;
    int32_t block, lane; /* of the group: that of the receiver */
    ptrdiff_t instance;
    double weight;
} bosc_cuda_event;

/* What an instance has sent to itself, or is to receive. */
typedef struct bosc_cuda_self {
    double t, flag; /* as bosc_self_event */
    ptrdiff_t instance;
    int32_t block;
} bosc_cuda_self;

typedef struct bosc_cuda_set {
    int64_t begin; /* number of the first frame of the range */
    ptrdiff_t n;
    const ptrdiff_t *first, *order; /* as bosc_frames */
    const ptrdiff_t *first_term;    /* as bosc_reading_set: its first, */
    const bosc_term *term;
    const double *weight;
    double *values; /* [frames of the range][n] */
    int32_t every;
} bosc_cuda_set;

enum { BOSC_CUDA_BROKEN = 0x7fffffff }; /* NVRTC knows no INT32_MAX */

/* What the groups of a range find. */
typedef struct bosc_cuda_found {
    unsigned long long n_spikes;
    uint32_t broken; /* BOSC_CUDA_BROKEN less the first neuron that has a
                        voltage that is not finite; 0: none has */
    int32_t lost_event, beyond;
    int32_t crowded; /* an instance has sent too many events at once, */
    int32_t no_room; /* or a neuron has too many on their way */
} bosc_cuda_found;

typedef struct bosc_cuda_step {
    int32_t n_groups, width; /* one of BOSC_CUDA_WIDTHS */
    int32_t n_streamed;      /* groups that are advanced from memory, */
    const int32_t *streamed; /* [n_streamed]; NULL: all */
    ptrdiff_t n_slots;
    bosc_cuda_group *groups;
    const int32_t *lane_neuron; /* [lanes] */
    const int32_t *lane_rows;   /* [lanes] of its tree; no neuron: 0 */
    double *v;                  /* [n_slots] */
    const uint32_t *bare; /* a bit of each slot: it is without membrane; NULL:
                             nothing is on the chip */

    /* Of groups that are streamed, and of slots between these. */
    const int32_t *lane_tree; /* [lanes] where its tree begins in */
    const int32_t *sides;     /* how many sides the rows of their trees have */
    const uint8_t *code;      /* [n_slots] */
    const ptrdiff_t *first_ready;
    const bosc_ready *ready;
    const double *constants;     /* u, d, f, r, c, e and edges */
    double *d, *b;               /* [n_slots] */
    const bosc_cuda_room *rooms; /* [n_groups] */
    double *far_room;
    size_t near_room;    /* bytes on the chip, of each group */
    int32_t team;        /* warps of a group */
    const void *program; /* the kernel of the job's own mechanisms, of the host;
                            NULL: there are none */
    void *job;           /* of the host: the last argument of it */

    int32_t n_blocks;
    bosc_cuda_block *blocks;
    int32_t n_work[BOSC_CUDA_PHASES];
    const bosc_cuda_work *work[BOSC_CUDA_PHASES]; /* in the order of blocks */
    int32_t n_ions;      /* those with something to do when a step begins, */
    const int32_t *ions; /* numbers of blocks */
    const ptrdiff_t *first_clamp;
    const bosc_clamp *clamps;
    const ptrdiff_t *first_detector;
    const bosc_detector *detectors;
    uint8_t *above;              /* [n_detectors] */
    const ptrdiff_t *first_self; /* [lanes + 1] room for events to itself of
                                    each neuron; NULL: no mechanism sends any */
    bosc_cuda_self *self; /* those of a lane by time, the next one last */
    int32_t *n_self;      /* [lanes] */
    const ptrdiff_t *first_push; /* NULL: nothing is driven */
    bosc_injection *push;        /* of a step */
    double dt, v_limit;
    int32_t watch_every; /* 0: never */
    int32_t second_order;
    const double *const *array; /* as bosc_step_io */
    int32_t n_sets;
    bosc_cuda_set *sets;

    /* Of a range. */
    const ptrdiff_t *first_event; /* NULL: none */
    const bosc_cuda_event *events;
    ptrdiff_t *next_event; /* [n_groups] the first not yet received */
    bosc_spike *spikes;    /* room for all that a range can have */
    bosc_beyond *beyond;   /* [lanes] gid is not set; step 0: not beyond */
    uint8_t *watched;      /* [n_groups] 1: it has been beyond */
    bosc_cuda_found *found;
} bosc_cuda_step;

/* Load the image of a batch (bosc_mech_program) to the GPU, and find its kernel
 * for groups of a width.  *library holds it there until it is unloaded; NULL is
 * allowed for that. */
bosc_status bosc_cuda_program_load(const void *image, int32_t width,
                                   void **library, const void **kernel,
                                   bosc_error *err);
void bosc_cuda_program_unload(void *library);

/* Launch the steps from..to - 1 of the groups that are streamed, with 'last'
 * the end of a range. */
bosc_status bosc_cuda_step_run(const bosc_cuda_step *step, int64_t from,
                               int64_t to, bool last, bosc_error *err);

/* Launch the search for voltages that are not finite, among those that are
 * streamed. */
bosc_status bosc_cuda_step_check(const bosc_cuda_step *step, bosc_error *err);

/* The frames of step 0. */
bosc_status bosc_cuda_step_frames(const bosc_cuda_step *step,
                                  bosc_cuda_stream *stream, bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
