/* chip.h - neurons in the shared memory of a thread block: what lies where.
 *
 * A thread block keeps some neurons, a cell block, over many steps: their rows
 * (kernels/step/rows.h) are numbers in its shared memory.  Rows that follow
 * each other up a tree without waiting for others are a run; 32 runs, one for
 * each lane of a warp, are a task.  The tasks of a level have all that they
 * wait for in lower levels, or their warp has had it before.
 *
 * Kept rows, and those that change, stand in 32 columns each: in the rows
 * of its run a lane touches its own column alone, so no two meet in a bank.  A
 * run is a piece of a column; runs stand end to end.
 *
 *                      of neurons that differ     of 32 equal neurons, 'shared'
 *     kept rows:       [k][x, f, r, c][l]         [k][l]  x
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
 * x is v before and after a sweep, and b between the sweeps.  A row of kept
 * ones without membrane has no b of its own: the first branch that ends there
 * leaves its product, negative, in x, and c says so (BOSC_CHIP_INBOX).  What
 * else joins a row comes through records (f, b and d of a child) and a list of
 * the run, which says what is added where before the run begins.
 *
 * A tip without membrane, as NEURON's sections end in, has no row: its b is 0,
 * so it gives its parent nothing, and its v is -f times that of its parent,
 * computed when voltages are taken back.  One at which anything is, or is
 * recorded, has a row as others.
 *
 * All else is one image, with tables before the numbers, so that one copy
 * brings it.  Addresses are counted in numbers (doubles) from the first.
 *
 * A neuron that has no room there is a cell block of its own, 'far': its image
 * stays in the device's memory.  Its addresses are longer, all else is the
 * same.
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_GPU_CHIP_CHIP_H
#define BOSC_KERNELS_GPU_CHIP_CHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BOSC_CHIP_LANES = 32,
    BOSC_CHIP_WARPS = 16,       /* of a cell block, at most; */
    BOSC_CHIP_ASIDE = 2,        /* at most one of so many is aside */
    BOSC_CHIP_AHEAD = 3,        /* kept rows that are read at a time, */
    BOSC_ROWS_AHEAD = 2,        /* and others on the way down */
    BOSC_CHIP_PIECE = 24,       /* rows of a run, at most, */
    BOSC_CHIP_LONG_PIECE = 60,  /* where there is room enough, */
    BOSC_CHIP_SHARED_PIECE = 96 /* and with 'shared' */
};

/* Fields of rows and records. */
enum { BOSC_KEPT_X, BOSC_KEPT_F, BOSC_KEPT_R, BOSC_KEPT_C, BOSC_KEPT_FIELDS };
/* f and r, and c and e, are read at once. */
enum { BOSC_ALL_F, BOSC_ALL_R, BOSC_ALL_C, BOSC_ALL_E, BOSC_ALL_FIELDS };
enum {
    BOSC_ROW_X, /* v, then b, then w */
    BOSC_ROW_D, /* then f */
    BOSC_ROW_U, /* not with 'shared' */
    BOSC_ROW_FIELDS
};
enum { BOSC_OWN_SUM, BOSC_OWN_C, BOSC_OWN_E, BOSC_OWN_FIELDS };
enum { BOSC_OWN_U = BOSC_OWN_FIELDS, BOSC_OWN_ALL }; /* 'shared' has it here */
enum { BOSC_JOIN_B, BOSC_JOIN_F, BOSC_JOIN_D, BOSC_JOIN_UP, BOSC_JOIN_FIELDS };

/* The c of a kept row in whose x its b is, where neurons differ: as a number 1,
 * with a sign that says that e is not to be added.  With 'shared' c is 1 and e
 * 0. */
#define BOSC_CHIP_INBOX -1.0

/* What a run does when it ends. */
enum {
    BOSC_END_NEXT, /* nothing: the run that goes on reads its last row */
    BOSC_END_SIDE, /* leaves its product in x at 'up' */
    BOSC_END_JOIN, /* fills the record 'up' */
    BOSC_END_IDLE  /* another lane's: this one reads it, and writes nothing */
};

/* A run, in 64 bits, or 'far' twice as many: address of its first row, the
 * farthest from the root; 'child': address of the kept row below it, or of the
 * record, with f = 0 where there is none; 'up': address of the row above it,
 * whose x or v it needs, or of the record; rows (with 'shared' 0: those of the
 * task); how it ends; which e.  Lanes of a task that have none read along with
 * the longest. */
typedef struct bosc_chip_run {
    int32_t first, child, up, rows, end, e;
} bosc_chip_run;

enum {
    BOSC_CHIP_ROW_SHIFT = 48,
    BOSC_CHIP_ROW_BITS = 6,
    BOSC_CHIP_END_SHIFT = BOSC_CHIP_ROW_SHIFT + BOSC_CHIP_ROW_BITS
};

/* Words of 64 bits that a run has. */
#define BOSC_CHIP_WORDS(far) ((far) ? 2 : 1)

static inline void bosc_chip_pack(const bosc_chip_run *run, bool far,
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
_Static_assert(BOSC_CHIP_LONG_PIECE < 1 << BOSC_CHIP_ROW_BITS, "rows of a run");
#endif

/* A task, in 64 bits: rows of its longest run, whether they change, and its
 * level; its list, if rows of it get anything before: the first entry, and how
 * many; whether each of these is a join: one record, and nothing else. */
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

#define BOSC_TASK_LEVEL(task)                                                  \
    ((int32_t)((uint32_t)(task) >> BOSC_TASK_LEVEL_SHIFT))
#define BOSC_TASK_LIST(task)                                                   \
    ((int32_t)((task) >> BOSC_TASK_LIST_SHIFT & 0xffff))
#define BOSC_TASK_ENTRIES(task) ((int32_t)((task) >> BOSC_TASK_ENTRIES_SHIFT))

/* What a row gets before its run begins: the list of a task has one for each
 * such row, and each lane takes some of them.  All but the counts are
 * addresses. */
typedef struct bosc_chip_entry {
    uint32_t at;    /* of the row's b, which is x of a kept row */
    uint32_t own;   /* c and e: b = c (x + e); 0: b is there */
    uint32_t clamp; /* amplitude, begin and end of each clamp */
    uint32_t join;  /* the records of the branches that end there */
    uint16_t clamps, joins;
    uint16_t changes; /* 1: d follows b, and gets its part */
} bosc_chip_entry;

/* Words of 64 bits that an entry has. */
#define BOSC_CHIP_ENTRY_WORDS(far) ((far) ? 3 : 2)

static inline void bosc_chip_pack_entry(const bosc_chip_entry *entry, bool far,
                                        uint64_t *words)
{
    words[far ? 2 : 1] = (uint64_t)entry->clamps |
                         (uint64_t)entry->joins << 16 |
                         (uint64_t)entry->changes << 32;
    if (far) {
        words[0] = (uint64_t)entry->at | (uint64_t)entry->own << 32;
        words[1] = (uint64_t)entry->clamp | (uint64_t)entry->join << 32;
    } else {
        words[0] = (uint64_t)entry->at | (uint64_t)entry->own << 16 |
                   (uint64_t)entry->clamp << 32 | (uint64_t)entry->join << 48;
    }
}

/* An instance of a mechanism: which one of its block; the block, and above
 * these bits the address of the first state. */
typedef struct bosc_chip_instance {
    uint32_t index, place;
} bosc_chip_instance;

enum { BOSC_CHIP_BLOCK_BITS = 6 };

static inline uint32_t bosc_chip_place(int32_t block, int32_t state)
{
    return (uint32_t)block | (uint32_t)state << BOSC_CHIP_BLOCK_BITS;
}

/* Of a place. */
#define BOSC_CHIP_BLOCK(place)                                                 \
    ((int32_t)((place) & ((1u << BOSC_CHIP_BLOCK_BITS) - 1)))
#define BOSC_CHIP_STATE(place) ((int32_t)((place) >> BOSC_CHIP_BLOCK_BITS))

/* A row that changes: where it is, 32 times the row plus the column; how many
 * instances it has, the first of these in their table, and that one itself. */
typedef struct bosc_chip_changing {
    uint32_t slot;
    uint16_t first, n;
    bosc_chip_instance instance;
} bosc_chip_changing;

typedef struct bosc_chip_detector {
    double threshold; /* mV */
    uint32_t index;   /* in the batch */
    uint32_t at : 31, above : 1;
} bosc_chip_detector;

/* A tip without a row: its slot of the batch, the address of its parent's v,
 * and its f. */
typedef struct bosc_chip_tip {
    uint32_t slot, above;
    double f;
} bosc_chip_tip;

/* What an instance receives before a step. */
typedef struct bosc_chip_event {
    int64_t step;
    double weight;
    uint32_t index, place; /* as bosc_chip_instance */
} bosc_chip_event;

/* What is recorded of a cell block: reading 'value' of a set.  That of a set of
 * copies (kernels/batch/reading.h) is the number at 'at'. */
typedef struct bosc_chip_reading {
    uint32_t value;
    uint32_t at;
} bosc_chip_reading;

/* A cell block.  Tables are at so many bytes from the image's begin. */
typedef struct bosc_chip_block {
    const unsigned char *image; /* of the device */
    const uint32_t *map;        /* of the device: slots of the places */
    int32_t bytes;              /* of the image, a multiple of 16, */
    int32_t whole;              /* and with the tables behind it */
    int32_t front, behind;      /* bytes to leave free before and after it: idle
                                   lanes read there */
    int32_t numbers;            /* table of numbers */
    int32_t tasks;     /* table [warps + 1] of uint16: the first of each warp;
                          they are in order of their levels */
    int32_t info;      /* [tasks] words: see BOSC_TASK_ROWS */
    int32_t runs;      /* [tasks][32], 'shared' [tasks]; of words */
    int32_t entries;   /* [] of words */
    int32_t detectors; /* [n_detectors] bosc_chip_detector */
    int32_t levels;    /* number of them, */
    int32_t early;     /* and of those before any row that changes; */
    int32_t aside;     /* warps that look after mechanisms meanwhile */
    int32_t kept, changing;  /* rows of the columns */
    int32_t e, all, changes; /* addresses: e's, constants of kept rows, rows
                                that change */
    int32_t own;             /* constants of those: 'shared' an address, else
                                behind */
    /* Behind the image: */
    int32_t instances; /* [n_instances] bosc_chip_instance */
    int32_t rows;      /* [n_rows] bosc_chip_changing; those with instances
                          come first; */
    int32_t scales;    /* [n_rows] scale of the first instance of each */
    int32_t tips;      /* [n_tips] bosc_chip_tip */
    int32_t n_rows, n_instances, n_detectors, n_tips;
} bosc_chip_block;

/* From a row of a column to the next, in numbers. */
#define BOSC_CHIP_STEP(changes, shared)                                        \
    (BOSC_CHIP_LANES * ((changes)  ? BOSC_ROW_FIELDS - ((shared) ? 1 : 0)      \
                        : (shared) ? 1                                         \
                                   : BOSC_KEPT_FIELDS))

/* The ways in which a cell block is run; each is a launch of its own. */
typedef struct bosc_chip_class {
    bool shared;
    int32_t warps;
    int64_t room;    /* bytes of a cell block, of shared memory if not far */
    int32_t at_once; /* cell blocks that the device runs at the same time */
    bool far;
} bosc_chip_class;

enum { BOSC_CHIP_CLASSES = 5 };

#endif
