/* chip.h - neurons in the shared memory of a thread block: what lies where.
 *
 * A thread block keeps some neurons, a cell block, over many steps: their rows
 * (kernels/step/rows.h) are numbers in its shared memory.  Rows that follow
 * each other up a tree without waiting for others are a run; 32 runs, one for
 * each lane of a warp, are a task.  The tasks of a level have all that they
 * wait for in lower levels, or their warp has had it before.
 *
 * Constant rows, and those that change, stand in 32 columns each: in the rows
 * of its run a lane touches its own column alone, so no two meet in a bank.  A
 * run takes a part of a column; runs stand end to end.  A run too long for a
 * task is cut into slices, which are tasks one after another.
 *
 *                      of neurons that differ     of 32 equal neurons, 'shared'
 *     constant rows:       [k][x, f, r, c][l]         [k][l]  x
 *       constants                                   [k][f, r, c, e]  of all
 *     that change:     [k][x, d, u][l]            [k][x, d][l]
 *       constants        [i / 32][sum, c, e]        [k][u, sum, c, e]  of all
 *                          [i % 32]
 *
 * for row k of column l, or of neuron l; i counts the rows that change.  The
 * constants of rows that change of neurons that differ, and the tables of
 * instances, are 'behind' the image: they stay in the device's memory, most of
 * the time in its cache.  They are read before and after the sweeps, by all
 * threads at once.  So the shared memory has room for more neurons, and the
 * more it has, the faster they are.
 *
 * x is v before and after a sweep, and b between the sweeps.  A row of constant
 * ones without membrane has no b of its own: the first branch that ends there
 * leaves its product, negative, in x, and c says so (BOSC_CHIP_B_IN_X).  What
 * else joins a row comes through records (b, f, num and den of a child) and a
 * list of the run, which says what is added where before the run begins.
 *
 * A tip without membrane, as NEURON's sections end in, has no row: its b is 0,
 * so it gives its parent nothing, and its v is -f times that of its parent,
 * computed when voltages are taken back.  One at which anything is, or is
 * recorded, has a row as others.
 *
 * All else is one image, with tables before the numbers, so that one copy
 * brings it.  Addresses are counted in numbers (doubles) from the first.
 *
 * A neuron too large for shared memory is a cell block of its own, 'far': its
 * image stays in the device's memory, and its addresses are longer.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_GPU_CHIP_CHIP_H
#define BOSC_KERNELS_GPU_CHIP_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/mech/builtin.h"

enum {
    BOSC_CHIP_LANES = 32,          /* of a warp: columns */
    BOSC_CHIP_WARPS = 16,          /* of a cell block, at most */
    BOSC_CHIP_MECH_WARPS_PART = 2, /* mechanisms have warps of their own where
                                      these are at most 1 / so many of all */
    BOSC_CHIP_AHEAD = 3,       /* constant rows that a lane reads at a time */
    BOSC_ROWS_UP = 4,          /* rows that change, on the way up */
    BOSC_ROWS_AHEAD = 2,       /* and on the way down */
    BOSC_CHIP_SLICE_ROWS = 24, /* rows of a slice, at most; */
    BOSC_CHIP_LONG_SLICE_ROWS = 60,  /* where the image has room to spare; */
    BOSC_CHIP_SHARED_SLICE_ROWS = 96 /* with 'shared' */
};

/* Numbers of a constant row. */
enum {
    BOSC_CONSTANT_X,
    BOSC_CONSTANT_F,
    BOSC_CONSTANT_R,
    BOSC_CONSTANT_C,
    BOSC_CONSTANT_FIELDS
};

/* Constants of a constant row with 'shared'; f and r, and c and e, are read as
 * pairs. */
enum { BOSC_ALL_F, BOSC_ALL_R, BOSC_ALL_C, BOSC_ALL_E, BOSC_ALL_FIELDS };

/* Numbers of a row that changes. */
enum {
    BOSC_ROW_X, /* v, then b, then w */
    BOSC_ROW_D, /* then f */
    BOSC_ROW_U, /* not with 'shared' */
    BOSC_ROW_FIELDS
};

/* Constants of a row that changes; with 'shared' u is one of them. */
enum { BOSC_OWN_SUM, BOSC_OWN_C, BOSC_OWN_E, BOSC_OWN_FIELDS };
enum { BOSC_OWN_U = BOSC_OWN_FIELDS, BOSC_OWN_ALL };

/* Numbers of a record: b, f, num and den of a child (kernels/hines/pivot.h), of
 * a branch num (1 / y) and 1; and the address of the row above it. */
enum {
    BOSC_JOIN_B,
    BOSC_JOIN_F,
    BOSC_JOIN_NUM,
    BOSC_JOIN_DEN,
    BOSC_JOIN_UP,
    BOSC_JOIN_FIELDS
};

/* The c of a constant row whose b is already in its x, where neurons differ:
 * the factor 1, with a sign that says that e is not to be added.  With 'shared'
 * c is 1 and e is 0. */
#define BOSC_CHIP_B_IN_X -1.0

/* What a run does when it ends. */
enum {
    BOSC_END_NEXT, /* nothing: the run that goes on reads its last row */
    BOSC_END_SIDE, /* leaves its product in x at 'up' */
    BOSC_END_JOIN, /* fills the record 'up' */
    BOSC_END_IDLE  /* another lane's: this one reads it, and writes nothing */
};

/* A slice of a run as a lane takes it, unpacked; the image has it as a word of
 * 64 bits, or with 'far' two.  Lanes of a task that have none read along with
 * the longest. */
typedef struct bosc_chip_run_word {
    int32_t first; /* address of its first row, the farthest from the root */
    int32_t child; /* address of the constant row below it, or of the record;
                      with f = 0 where there is none */
    int32_t up;    /* address of the row above it, whose x or v it needs, or of
                      the record */
    int32_t rows;  /* number of rows; with 'shared' 0: those of the task */
    int32_t end;   /* BOSC_END_... */
    int32_t e;     /* index of its e, not with 'shared'; of rows that change 1
                      if it is of the branch of the row above, else 0 */
} bosc_chip_run_word;

/* Bits of a packed run, from these on: rows, end; e from bit 56 on. */
enum {
    BOSC_CHIP_ROW_SHIFT = 48,
    BOSC_CHIP_ROW_BITS = 6,
    BOSC_CHIP_END_SHIFT = BOSC_CHIP_ROW_SHIFT + BOSC_CHIP_ROW_BITS
};

/* Number of words of 64 bits of a run. */
#define BOSC_CHIP_WORDS(far) ((far) ? 2 : 1)

/* Pack a run: words[BOSC_CHIP_WORDS(far)]. */
static inline void bosc_chip_pack_run(const bosc_chip_run_word *run, bool far,
                                      uint64_t *words)
{
    const uint64_t rest = (uint64_t)run->rows << BOSC_CHIP_ROW_SHIFT |
                          (uint64_t)run->end << BOSC_CHIP_END_SHIFT |
                          (uint64_t)run->e << 56;

    if (far) {
        words[0] = (uint64_t)run->first | (uint64_t)run->child << 32;
        words[1] = (uint64_t)run->up | rest;
    } else {
        words[0] = (uint64_t)run->first | (uint64_t)run->child << 16 |
                   (uint64_t)run->up << 32 | rest;
    }
}

#if !defined(__cplusplus)
_Static_assert(BOSC_CHIP_LONG_SLICE_ROWS < 1 << BOSC_CHIP_ROW_BITS,
               "rows of a run");
#endif

/* A task, in 64 bits: rows of its longest run; whether its rows change; whether
 * each entry of its list is a join, one record and nothing else; its level; the
 * number of the first entry of its list, and how many entries this has. */
enum {
    BOSC_TASK_ROWS = 127,
    BOSC_TASK_CHANGES = 128,
    BOSC_TASK_JOINS = 256,
    BOSC_TASK_LEVEL_SHIFT = 16,
    BOSC_TASK_LIST_SHIFT = 32,
    BOSC_TASK_ENTRIES_SHIFT = 48
};

static inline uint64_t bosc_chip_pack_task(int32_t rows, int32_t flags,
                                           int32_t level, int32_t first_entry,
                                           int32_t entries)
{
    return (uint64_t)rows | (uint64_t)flags |
           (uint64_t)level << BOSC_TASK_LEVEL_SHIFT |
           (uint64_t)first_entry << BOSC_TASK_LIST_SHIFT |
           (uint64_t)entries << BOSC_TASK_ENTRIES_SHIFT;
}

/* Level, first entry and number of entries of a packed task. */
#define BOSC_TASK_LEVEL(task)                                                  \
    ((int32_t)((uint32_t)(task) >> BOSC_TASK_LEVEL_SHIFT))
#define BOSC_TASK_LIST(task)                                                   \
    ((int32_t)((task) >> BOSC_TASK_LIST_SHIFT & 0xffff))
#define BOSC_TASK_ENTRIES(task) ((int32_t)((task) >> BOSC_TASK_ENTRIES_SHIFT))

/* What a row gets before its run begins, unpacked: the list of a task has an
 * entry for each such row, and each lane takes some of them. */
typedef struct bosc_chip_entry {
    uint32_t at;  /* address of the row's b, which is x of a constant row */
    uint32_t own; /* address of c and e: b = c (x + e); 0: b is in x */
    uint32_t stimulus; /* address of the stimuli there */
    uint32_t join; /* address of the records of the branches that end there */
    uint16_t stimuli, joins; /* number of stimuli, of records */
    uint16_t changes; /* 1: the row changes, and its d gets a part, too */
} bosc_chip_entry;

/* Numbers of a stimulus: of its mechanism, as an integer, with how many numbers
 * it has from here on in the upper half; its state, what it has injected in the
 * last step (nA); its parameters and constants. */
enum { BOSC_STIMULUS_MECH, BOSC_STIMULUS_I, BOSC_STIMULUS_X };

/* Number of words of 64 bits of an entry. */
#define BOSC_CHIP_ENTRY_WORDS(far) ((far) ? 3 : 2)

/* Pack an entry: words[BOSC_CHIP_ENTRY_WORDS(far)]. */
static inline void bosc_chip_pack_entry(const bosc_chip_entry *entry, bool far,
                                        uint64_t *words)
{
    words[far ? 2 : 1] = (uint64_t)entry->stimuli |
                         (uint64_t)entry->joins << 16 |
                         (uint64_t)entry->changes << 32;
    if (far) {
        words[0] = (uint64_t)entry->at | (uint64_t)entry->own << 32;
        words[1] = (uint64_t)entry->stimulus | (uint64_t)entry->join << 32;
    } else {
        words[0] = (uint64_t)entry->at | (uint64_t)entry->own << 16 |
                   (uint64_t)entry->stimulus << 32 |
                   (uint64_t)entry->join << 48;
    }
}

/* An instance of a mechanism. */
typedef struct bosc_chip_instance {
    uint32_t index; /* in its block of the batch */
    uint32_t place; /* index of the block, and above its bits the address of the
                       first state (bosc_chip_place) */
} bosc_chip_instance;

enum { BOSC_CHIP_BLOCK_BITS = 6 };

static inline uint32_t bosc_chip_place(int32_t block, int32_t state)
{
    return (uint32_t)block | (uint32_t)state << BOSC_CHIP_BLOCK_BITS;
}

/* Block and address of a place. */
#define BOSC_CHIP_BLOCK(place)                                                 \
    ((int32_t)((place) & ((1u << BOSC_CHIP_BLOCK_BITS) - 1)))
#define BOSC_CHIP_STATE(place) ((int32_t)((place) >> BOSC_CHIP_BLOCK_BITS))

/* Densities of the job's own keep their states elsewhere, in the device's
 * memory.  Those of a row that have currents are one instance, whose index is
 * their number and this bit, and whose place that of what they leave in a step:
 * the numbers of each, in the order of the set. */
#define BOSC_CHIP_OF_JOB 0x80000000u

enum {
    BOSC_OF_JOB_G,  /* S/cm2 */
    BOSC_OF_JOB_GE, /* mA/cm2 */
    BOSC_OF_JOB_FIELDS
};

/* A row that has any. */
typedef struct bosc_chip_job_row {
    uint32_t slot;  /* of the batch */
    uint32_t place; /* 32 times the number of its row of 32 slots, counted over
                       all groups, plus the slot's number there */
    uint32_t at;    /* address of its v */
    uint32_t sums;  /* address of what they leave */
    uint64_t mechs; /* bit m: mechanism m of the set */
} bosc_chip_job_row;

/* A row that changes. */
typedef struct bosc_chip_changing {
    uint32_t slot;     /* 32 times the row of its column, plus the column */
    uint16_t first, n; /* first one of its instances in their table; how many */
    bosc_chip_instance instance; /* the first one itself */
} bosc_chip_changing;

/* A threshold detector. */
typedef struct bosc_chip_detector {
    double threshold; /* mV */
    uint32_t index;   /* number of the detector in the batch */
    /* address of the row's v; whether v was above in the last step */
    uint32_t at : 31, above : 1;
} bosc_chip_detector;

/* A tip without a row. */
typedef struct bosc_chip_tip {
    uint32_t slot;  /* of the batch */
    uint32_t above; /* address of its parent's v */
    double f;       /* its v is -f times that of its parent */
} bosc_chip_tip;

/* An event that an instance receives before a step. */
typedef struct bosc_chip_event {
    int64_t step;
    double weight;         /* uS */
    uint32_t index, place; /* as bosc_chip_instance */
} bosc_chip_event;

/* The address of what is not in the cell block. */
#define BOSC_CHIP_ELSEWHERE 0xffffffffu

/* A reading of a neuron in the cell block. */
typedef struct bosc_chip_reading {
    uint32_t value; /* number of the reading in its set */
    uint32_t at;    /* in a set of copies (kernels/batch/reading.h): address of
                       the number */
} bosc_chip_reading;

/* A cell block.  Tables begin at so many bytes from the image's begin, numbers
 * at addresses, which count doubles from 'numbers' on. */
typedef struct bosc_chip_block {
    const unsigned char *image; /* [whole] on the device */
    int32_t bytes;              /* that go to shared memory, a multiple of 16 */
    int32_t whole;         /* bytes with the tables behind these; behind all of
                              them is the map, uint32_t [32 (constant +
                              changing)]: the slots of the places */
    int32_t front, behind; /* bytes to leave free before and after the image in
                              shared memory: idle lanes read there */

    /* Tables in shared memory. */
    int32_t numbers;   /* [] of double */
    int32_t tasks;     /* [warps + 1] of uint16: first task of each warp, whose
                          tasks are in the order of their levels */
    int32_t info;      /* [tasks] of packed tasks: see BOSC_TASK_ROWS */
    int32_t runs;      /* [tasks][32], with 'shared' [tasks], of packed runs */
    int32_t entries;   /* [] of packed entries */
    int32_t detectors; /* [n_detectors] of bosc_chip_detector */

    int32_t levels;          /* number of levels of a sweep */
    int32_t constant_levels; /* those of them before any row that changes */
    int32_t mech_warps;      /* warps that take mechanisms instead of sweeping
                                constant_levels; 0: all warps do both */
    int32_t constant, changing; /* rows of a column */

    /* Addresses. */
    int32_t e;       /* values of e of runs (mV) */
    int32_t all;     /* with 'shared' constants of constant rows */
    int32_t changes; /* rows that change */
    int32_t own;     /* constants of rows that change; only with 'shared' an
                        address, else a table behind the image */

    /* Tables behind the image, which stay in the device's memory. */
    int32_t instances; /* [n_instances] of bosc_chip_instance, stimuli last */
    int32_t rows;      /* [n_rows] of bosc_chip_changing; those with instances
                          come first */
    int32_t scales;    /* [n_rows] of double: scale of the first instance */
    int32_t tips;      /* [n_tips] of bosc_chip_tip */
    int32_t job_rows;  /* [n_job_rows] of bosc_chip_job_row */
    int32_t n_rows, n_instances, n_detectors, n_tips, n_job_rows;
} bosc_chip_block;

/* From a row of a column to the next, in numbers. */
#define BOSC_CHIP_STEP(changes, shared)                                        \
    (BOSC_CHIP_LANES * ((changes)  ? BOSC_ROW_FIELDS - ((shared) ? 1 : 0)      \
                        : (shared) ? 1                                         \
                                   : BOSC_CONSTANT_FIELDS))

/* A class of cell blocks; each class is a launch. */
typedef struct bosc_chip_class {
    bool shared;     /* of 32 equal neurons each; else of neurons that differ */
    int32_t warps;   /* of its thread blocks */
    int64_t room;    /* bytes of a cell block, at most; of shared memory if not
                        far */
    int32_t at_once; /* cell blocks that the device runs at the same time */
    bool far;        /* images stay in the device's memory */
} bosc_chip_class;

enum { BOSC_CHIP_CLASSES = 5 };

#endif
