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
    BOSC_CUDA_WARPS = 16,   /* of a multiprocessor, for 128 registers a lane;
                               also of a team, at most */
    BOSC_CUDA_PART_ROWS = 8 /* rows of 32 slots with mechanisms that a warp
                               takes at a time, at most, where a team shares a
                               group: what the next block reads again is still
                               in a cache */
};

/* Widths of groups of more than one neuron: a kernel is compiled for one of
 * them, as one that knew all was not inlined as a whole. */
#define BOSC_CUDA_WIDTHS(X) X(32) X(16) X(8)

/* What a lane does in a row, one byte: the bits of the row's kind (rows.h), and
 * these.  A row's sides are the branches that end in it.
 *
 *     row      5    4        3    2    1          0        of a neuron
 *     code     -    branch   -    -    1 side     -
 *     up       -    push     -    -    pop 1      -        products
 *     down     -    pop      -    -    push 1     -        voltages
 */
enum {
    BOSC_CODE_BRANCH = 8, /* its parent is not the row before */
    BOSC_CODE_D = 16,     /* its parent is not constant, and takes a d */
    BOSC_CODE_E = 32,     /* its e is not that of the row after */
    BOSC_CODE_SIDES = 64, /* times the number of its sides, */
    BOSC_MANY_SIDES = 3,  /* or this, with the number elsewhere */

    /* Of these a plain row has CONSTANT alone: nothing is added to its b but
     * what its sides hand on. */
    BOSC_CODE_PLAIN = BOSC_ROW_CONSTANT | BOSC_ROW_ASSEMBLED | BOSC_CODE_E
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

/* How a group is swept, and the room for the stacks of its lanes. */
typedef struct bosc_cuda_room {
    ptrdiff_t far;  /* index in far_room where the stacks begin; -1: they are in
                       shared memory */
    int32_t levels; /* places that a lane's stacks need; they have one more */
    uint8_t plain;  /* 1: most of its batches are plain in all lanes, and its
                       stacks are in shared memory */
    uint8_t ring;   /* 1: a ring is in shared memory, too, before the stacks */
} bosc_cuda_room;

/* The loops of solve() (cuda_group_sweep.h): where the stacks of a group are,
 * and what constants its lanes have.  A job's kernel has those that it needs,
 * for each takes as long to compile as some mechanisms do. */
typedef enum bosc_cuda_sweep {
    BOSC_SWEEP_PLAIN,
    BOSC_SWEEP_FAR,
    BOSC_SWEEP_NEAR,
    BOSC_SWEEP_FEW /* rows, and near */
} bosc_cuda_sweep;
typedef enum bosc_cuda_lanes {
    BOSC_LANES_LONE, /* one, of a group of width 1 */
    BOSC_LANES_SHARED,
    BOSC_LANES_OWN
} bosc_cuda_lanes;
#define BOSC_SWEEP_BIT(sweep, lanes) (1u << (3 * (sweep) + (lanes)))

/* A group of the layout. */
typedef struct bosc_cuda_group {
    ptrdiff_t first;     /* slot of row 0 in lane 0 */
    int32_t rows, width; /* of its longest neuron; lanes */
    /* Index in the step's constants where those of the group begin: [rows],
     * with 'shared', else [rows][width]. */
    ptrdiff_t u, d, f, r, c, e;
    ptrdiff_t boundary;    /* with 'shared' where boundaries (rows.h) begin,
                              [2][rows]; else the end of
                              [boundaries][width][2] */
    int32_t shared;        /* 1: all lanes have the same constants */
    int32_t lane;          /* of its first neuron, counted over all groups */
    int32_t row, all_rows; /* first of its rows of 32 slots, counted over all
                              groups; how many */
} bosc_cuda_group;

/* A parameter or a constant of the instances of a block. */
typedef struct bosc_cuda_value {
    const double *at; /* [n] of each instance; NULL: all have the same */
    double all;       /* with at == NULL */
} bosc_cuda_value;

enum { BOSC_CUDA_VALUES = 8 };

/* What a block has besides if its mechanism is not built in, or is an ion. */
typedef struct bosc_cuda_mech_extra {
    const bosc_cuda_value *p, *k; /* [n_params], [n_constants]; NULL: an ion */

    /* Of an ion. */
    const uint8_t *style; /* [n] BOSC_ION_... of each slot; else NULL */
    double nernst;        /* mV: e over the logarithm of the concentrations */
    int32_t idle;         /* 1: no mechanism needs its current */
    int32_t follows;      /* 1: its e follows concentrations at some slot */

    const void *args; /* bosc_cuda_mech_args_NAME, of a full point process of
                         which a rank may have several blocks; else NULL */
} bosc_cuda_mech_extra;

/* The instances of a mechanism. */
typedef struct bosc_cuda_block {
    int32_t mech;           /* number of the mechanism in the set */
    int32_t n_states;       /* of an instance */
    int32_t is_full;        /* 1: of a mod file, it has more than v and its own
                               states */
    ptrdiff_t n;            /* number of instances */
    const int32_t *at;      /* [n] slot within the group; NULL: no group is
                               streamed */
    const ptrdiff_t *first; /* [rows of 32 slots + 1] first instance in each, of
                               a full point process; NULL likewise */
    const double *scale;    /* [n] uS per S/cm2, or 1 */
    double *state;          /* [n_states][n] */
    bosc_cuda_value p[BOSC_CUDA_VALUES]; /* of up to BOSC_CUDA_VALUES */
    bosc_cuda_value k[BOSC_CUDA_VALUES]; /* parameters, or constants */
    int32_t p_varies, k_varies; /* 1: some of p, or of k, have an array */
    const bosc_cuda_mech_extra *extra; /* NULL: it is built in */
} bosc_cuda_block;

/* The slots of a row of 32 at which a block has instances. */
typedef struct bosc_cuda_slot_mask {
    uint32_t first; /* instance at the first of these slots */
    uint32_t lanes; /* bit k: there is one at slot k of the row */
} bosc_cuda_slot_mask;

/* A mechanism of the job's own, as its code has it among the arguments of the
 * kernel: the first member of bosc_cuda_mech_args_NAME, which is printed with
 * the mechanism (src/nmodl/emit/emit_cuda.c).  Behind it are, where there are
 * any,
 *     double *ion[n_ions], the variable at each slot,
 *     bosc_cuda_value p[n_params] and k[n_constants]. */
typedef struct bosc_cuda_mech_args {
    uint64_t n;                       /* number of instances */
    const bosc_cuda_slot_mask *masks; /* [rows of 32 slots]; NULL: a point
                                         process, of which several may be at a
                                         slot, and which has 'first' and 'at' */
    const ptrdiff_t *first;           /* as bosc_cuda_block */
    const int32_t *at;
    const double *scale; /* of a density [n_slots], else as bosc_cuda_block */
    double *state;       /* [n_states][n] */
    const double *diam, *area; /* [n_slots] um, um2; NULL: not needed */
    const uint32_t *stream;    /* [n][4] random streams; NULL: it draws none */
    double *scratch;           /* [2 + n_ions][n] of a point process */
    uint32_t currents; /* bit j: ion[j] is a current that a mechanism needs */
    uint32_t idle;     /* bit j: no mechanism needs ion[j] */
    int64_t varies;    /* 0: no value of p and k has an array */
} bosc_cuda_mech_args;

/* Up to so many bytes of all bosc_cuda_mech_args_NAME of a job, in the order of
 * the set, are arguments of the kernel; else they are in memory, and their
 * address is the argument. */
enum { BOSC_CUDA_MAX_ARGS_BYTES = 24 * 1024 };

/* What a step has of each mechanism. */
typedef enum bosc_cuda_phase {
    BOSC_CUDA_CURRENT,
    BOSC_CUDA_ADVANCE,
    BOSC_CUDA_PHASES
} bosc_cuda_phase;

/* A block that has something to do in a phase.  All densities of the job's own
 * are one, with the number of the first of these mechanisms. */
typedef struct bosc_cuda_work {
    int32_t mech;  /* number of its mechanism in the set */
    int32_t block; /* index of the step's blocks */
} bosc_cuda_work;

/* What one warp does at a time in a phase of a step: some rows of its group, in
 * which the block has instances. */
typedef struct bosc_cuda_item {
    bosc_cuda_work work;
    int32_t row, rows;  /* first of the rows of 32 slots, counted over all
                           groups; how many */
    int64_t begin, end; /* instances begin .. end - 1 of the block; of densities
                           of the job's own their numbers in the set */
} bosc_cuda_item;

/* The items of a phase; made once with the engine. */
typedef struct bosc_cuda_item_list {
    const int32_t *first; /* [n_groups * team + 1] into item: those of each
                             warp of the first group's team, then of the
                             next one's */
    const bosc_cuda_item *item; /* of a warp by row, then in the order of blocks
                                 */
} bosc_cuda_item_list;

/* An event of a group that is streamed. */
typedef struct bosc_cuda_event {
    int64_t step;       /* before which it is received */
    int32_t block;      /* index of the step's blocks */
    int32_t lane;       /* of the receiver's neuron, within its warp's */
    ptrdiff_t instance; /* of the block */
    double value;       /* as bosc_event */
} bosc_cuda_event;

/* An event that an instance has sent to itself, or is to receive. */
typedef struct bosc_cuda_self {
    double t, flag;     /* as bosc_self_event */
    ptrdiff_t instance; /* of the block */
    int32_t block;      /* index of the step's blocks */
} bosc_cuda_self;

/* A set of readings in a range of steps. */
typedef struct bosc_cuda_set {
    int64_t begin;                  /* number of the first frame of the range */
    ptrdiff_t n;                    /* readings of a frame */
    const ptrdiff_t *first, *order; /* readings by group, as bosc_frames */
    int32_t width;                  /* readings of a bundle */
    const ptrdiff_t *first_term;    /* as bosc_reading_set.first; NULL: a set of
                                       copies */
    const bosc_term *term;          /* as bosc_reading_set */
    const double *weight;           /* as bosc_reading_set */
    double *values;                 /* [frames of the range][n] */
    int64_t n_sums;                 /* 0: readings are as they are; else frames
                                       become addends of sums */
    const ptrdiff_t *first_part;    /* [n_sums + 1] into part */
    const ptrdiff_t *part; /* [n] readings, by the sum they belong to */
    double *addends;       /* [frames of the range][bosc_reading_given()] */
    bosc_frame_steps at;
} bosc_cuda_set;

enum { BOSC_CUDA_BROKEN = 0x7fffffff }; /* NVRTC knows no INT32_MAX */

/* What the groups of a launch find; zeroed before it. */
typedef struct bosc_cuda_found {
    unsigned long long n_spikes;
    uint32_t broken;    /* BOSC_CUDA_BROKEN less the first neuron that has a
                           voltage that is not finite; 0: none has */
    int32_t lost_event; /* 1: a group has not received all its events */
    int32_t beyond;     /* 1: a voltage is beyond the limit */
    int32_t crowded;    /* 1: an instance has sent too many events at once */
    int32_t no_room;    /* 1: a neuron has too many events on their way */
} bosc_cuda_found;

/* Groups that are streamed, and slots between these; made once with the engine.
 * A slot's code and its numbers of the system are at the slot's index; no other
 * slots of these arrays may be read. */
typedef struct bosc_cuda_streamed {
    int32_t n;                /* number of groups */
    const int32_t *group;     /* [n] their numbers; NULL: all */
    const int32_t *lane_tree; /* [lanes] where its tree begins in sides */
    const int32_t *sides;     /* number of sides of each row of a tree */
    const uint8_t *code;      /* [n_slots] BOSC_CODE_... */
    const ptrdiff_t *first_assembled; /* [n_groups + 1] into assembled */
    const bosc_row_range
        *assembled;              /* runs of rows that are assembled (rows.h) */
    const double *constants;     /* u, d, f, r, c, e and boundaries of groups */
    const bosc_cuda_room *rooms; /* [n_groups] */
    double *far_room;            /* stacks in the device's memory */
    size_t near_room;            /* bytes of shared memory of each group */
    int32_t team;                /* warps of a group */
} bosc_cuda_streamed;

/* The kernel of a job with mechanisms of its own; read on the host alone, when
 * it launches.  Both are valid as long as the engine. */
typedef struct bosc_cuda_job_kernel {
    const void *kernel; /* NULL: the job has none, and the kernels of bosc run
                         */
    void *args;         /* address of its last argument */
} bosc_cuda_job_kernel;

/* What the blocks of a batch have to do; made once with the engine. */
typedef struct bosc_cuda_work_lists {
    bosc_cuda_item_list items[BOSC_CUDA_PHASES];
    int32_t n_ions;      /* those with work when a step begins */
    const int32_t *ions; /* [n_ions] numbers of their blocks */
} bosc_cuda_work_lists;

/* Threshold detectors, by group; made once with the engine. */
typedef struct bosc_cuda_detectors {
    const ptrdiff_t *first;        /* [n_groups + 1] into detector */
    const bosc_detector *detector; /* as bosc_batch, but for 'above' */
    uint8_t *above; /* as bosc_detector; up to date between launches */
} bosc_cuda_detectors;

/* Events that mechanisms have sent to themselves; made once with the engine, up
 * to date between launches. */
typedef struct bosc_cuda_self_queue {
    const ptrdiff_t *first; /* [lanes + 1] into event, room of each neuron;
                               NULL: no mechanism sends events to itself */
    bosc_cuda_self *event;  /* those of a lane by time, the next one last */
    int32_t *n;             /* [lanes] number of them */
} bosc_cuda_self_queue;

/* What couplings add to rows.  The arrays are made once with the engine, their
 * numbers are valid for one step. */
typedef struct bosc_cuda_driven {
    const ptrdiff_t *first; /* [n_groups + 1] into push; NULL: nothing is driven
                             */
    bosc_injection *push;
} bosc_cuda_driven;

/* Sets of readings. */
typedef struct bosc_cuda_readings {
    const double *const *array; /* arrays that readings read, as bosc_step_io;
                                   made once with the engine */
    int32_t n_sets;
    bosc_cuda_set *sets; /* [n_sets] set for each launch */
} bosc_cuda_readings;

/* The events of groups that are streamed, of a range; set for each launch. */
typedef struct bosc_cuda_events {
    const ptrdiff_t *first; /* [n_groups + 1] into event, of composed steps
                               [units + 1]; NULL: none */
    const bosc_cuda_event *event;
    ptrdiff_t *next; /* [n_groups], or units: first event not yet received */
} bosc_cuda_events;

/* What a launch writes, beside voltages, states and readings. */
typedef struct bosc_cuda_step_out {
    bosc_spike *spikes;     /* room for all spikes of the launch; set for it */
    bosc_cuda_found *found; /* set for each launch */
    bosc_beyond *beyond;    /* [lanes] gid is not set; step 0: not beyond; stays
                               from launch to launch, as 'watched' is */
    uint8_t *watched;       /* [n_groups], or units, 1: it has been beyond */
} bosc_cuda_step_out;

/* Parts of a composed step, each a launch. */
typedef enum bosc_cuda_part {
    /* By the job's kernel. */
    BOSC_CUDA_DELIVER,
    BOSC_CUDA_CURRENTS,
    BOSC_CUDA_STATES,
    /* By any. */
    BOSC_CUDA_DETECT,
    BOSC_CUDA_ASSEMBLE, /* but for currents, and begin ions */
    BOSC_CUDA_INJECT,   /* what couplings give */
    BOSC_CUDA_TAKE,     /* voltages from the solution, which is in b */
    BOSC_CUDA_RECORD,   /* of the end of the step; -1: frame 0 */
    BOSC_CUDA_WATCH,
    BOSC_CUDA_END /* of a range */
} bosc_cuda_part;

/* Lanes of a group that a warp has. */
typedef struct bosc_cuda_unit {
    int32_t g, from; /* number of the group; the first of 32 lanes */
} bosc_cuda_unit;

/* Of composed steps; made once with the engine. */
typedef struct bosc_cuda_composed {
    int32_t n_units;             /* 0: steps are not composed */
    const bosc_cuda_unit *units; /* [n_units] of all groups, ascending */
    const int32_t *lane_from;    /* [lanes] compartment of row 0; NULL: 0 */
    int64_t n_push;              /* what couplings drive */
    int64_t n_used;              /* of the slots that are assembled, */
    const ptrdiff_t *used; /* ascending; NULL: all (kernels/step/composed.h) */
    uint64_t *spent; /* [BOSC_N_STAGES + 1] ns of each stage; and when the last
                        one ended, by the device's clock */
    int32_t part;    /* bosc_cuda_part; set for each launch */
} bosc_cuda_composed;

/* What the kernels know: an argument of each launch.  All is made once with the
 * engine, but for what is said to be set for each launch. */
typedef struct bosc_cuda_step {
    /* Groups, streamed or on the chip. */
    int32_t n_groups;
    int32_t width;              /* of the layout, one of BOSC_CUDA_WIDTHS */
    ptrdiff_t n_slots;          /* of the layout */
    bosc_cuda_group *groups;    /* [n_groups] */
    const int32_t *lane_neuron; /* [lanes] -1: no neuron */
    const int32_t *lane_rows;   /* [lanes] rows of its tree; no neuron: 0 */
    const uint32_t *bare;       /* [n_slots / 32] a bit of each slot: it has no
                                   membrane; NULL: nothing is on the chip */
    bosc_cuda_streamed streamed;
    bosc_cuda_composed composed;
    bosc_cuda_job_kernel job;

    /* Numbers of slots. */
    double *v;            /* [n_slots] mV */
    double *d, *b;        /* [n_slots] the system, during a step */
    double dt;            /* ms */
    int32_t second_order; /* 1: the second-order method */
    int32_t watch_every;  /* steps from one look for v_limit to the next; 0:
                             never; set for each launch */
    double v_limit;       /* mV; set for each launch */

    /* Mechanisms and what acts on neurons. */
    int32_t n_blocks;
    bosc_cuda_block *blocks; /* [n_blocks] */
    bosc_cuda_work_lists work;
    bosc_cuda_detectors detectors;
    bosc_cuda_self_queue self;
    bosc_cuda_driven driven;
    bosc_cuda_events events;

    bosc_cuda_readings readings;
    bosc_cuda_step_out out;
} bosc_cuda_step;

/* Load an image of a batch (bosc_mech_program) to the GPU, and find its kernel.
 * *library holds it there until it is unloaded; NULL is allowed for that. */
bosc_status bosc_cuda_program_load(const void *image, const char *name,
                                   void **library, const void **kernel,
                                   bosc_error *err);
void bosc_cuda_program_unload(void *library);

/* Launch the steps from..to - 1 of the groups that are streamed, with 'last'
 * the end of a range. */
bosc_status bosc_cuda_step_run(const bosc_cuda_step *step,
                               bosc_cuda_stream *stream, int64_t from,
                               int64_t to, bool last, bosc_error *err);

/* Launch a part of the composed step that starts at 'step', or let the device
 * note that one of the BOSC_N_STAGES begins, or with that number that the last
 * one has ended. */
bosc_status bosc_cuda_part_run(bosc_cuda_step *step, bosc_cuda_part part,
                               int64_t at, bosc_error *err);
bosc_status bosc_cuda_stage_note(const bosc_cuda_step *step, int stage,
                                 bosc_error *err);

/* Launch the search for voltages that are not finite, among those that are
 * streamed. */
bosc_status bosc_cuda_step_check(const bosc_cuda_step *step, bosc_error *err);

/* The frames of step 0. */
bosc_status bosc_cuda_step_frames(const bosc_cuda_step *step,
                                  bosc_cuda_stream *stream, bosc_error *err);

/* Make addends of the first n frames of a set that is of sums over neurons. */
bosc_status bosc_cuda_add_up(const bosc_cuda_set *set, int64_t n,
                             bosc_cuda_stream *stream, bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
