/* chip_build.h - a cell block while it is made: its neurons, their runs, the
 * tasks of warps, the places of rows.
 *
 * Internal to kernels: chip_tips.c finds the rows that are not needed,
 * chip_runs.c the runs, chip_levels.c their levels, chip_tasks.c deals them to
 * warps and columns, chip_measure.c says where all is, chip_image.c writes it.
 */
#ifndef BOSC_KERNELS_GPU_CHIP_CHIP_BUILD_H
#define BOSC_KERNELS_GPU_CHIP_CHIP_BUILD_H

#include "kernels/gpu/chip/chip.h"
#include "kernels/gpu/chip/chip_items.h"
#include "kernels/step/limits.h"
#include "kernels/step/rows.h"
#include "kernels/step/step_io.h"

/* A neuron of the cell block; with 'shared' all 32 of them. */
typedef struct bosc_chip_neuron {
    const bosc_tree *tree;
    int32_t neuron, g, lane; /* lane of its group */
    int32_t first;           /* row of all rows of the cell block, */
    int32_t first_run;       /* and run of all runs */
} bosc_chip_neuron;

/* Rows top .. top + rows - 1 of a neuron; the last is the farthest from the
 * root, and swept first. */
typedef struct bosc_chip_stretch {
    int32_t neuron, top, rows;
    int32_t below; /* the run that goes on in this one; -1: none */
    int32_t soonest, last, level; /* the levels that it may be in, its own */
    bool changes, has_e;
    bool special, listed; /* a row is special; a row may have an entry */
    bool first;           /* of the branches that end at a row */
    uint8_t mark;         /* of the row that e is of */
    double e;
    int32_t end;         /* BOSC_END_... */
    int32_t first_piece; /* the one swept first */
    int32_t join;        /* address of the record of the last; -1: none */
} bosc_chip_stretch;

/* What the longest run of a level takes, and how many there are, of kept rows
 * and of others. */
typedef struct bosc_chip_level {
    int32_t longest, runs[2];
} bosc_chip_level;

/* A part of a run that fits a task. */
typedef struct bosc_chip_piece {
    int32_t run, part, rows;
    int32_t task, column;
    int32_t at;   /* address of its first row */
    int32_t next; /* the next piece of the run; -1: none */
    int32_t join; /* address of its record; -1: none */
} bosc_chip_piece;

typedef struct bosc_chip_task {
    int32_t level, warp, number; /* the order of tasks, of one warp */
    int32_t rows, least;         /* of its longest piece, and its shortest */
    bool changes;
    int32_t first_piece, pieces; /* of the builder's */
    int32_t entries;             /* of its list, */
    int32_t first_entry;         /* the first one of the cell block's; */
    bool joins;                  /* each is one record, and nothing else */
} bosc_chip_task;

/* A clamp: at which row of the builder, and of which lane of 'shared'. */
typedef struct bosc_chip_clamp {
    int32_t row, lane;
    const bosc_clamp *clamp;
} bosc_chip_clamp;

/* Bits of a row's mark, above those of its kind: c is 0; and which of its
 * neuron's e's it has, in order of appearance from the root, MANY: one more.
 * Where c is 0 these say instead whether it is a tip that needs no row. */
enum {
    BOSC_MARK_BARE = 8,
    BOSC_MARK_E_SHIFT = 4,
    BOSC_MARK_E_MANY = 15,
    BOSC_MARK_TIP = 1 << BOSC_MARK_E_SHIFT
};

/* The marks of neurons that differ. */
typedef struct bosc_chip_marks {
    ptrdiff_t *first; /* [n_neurons + 1] */
    uint8_t *mark;    /* [first[n_neurons]] */
} bosc_chip_marks;

/* What a thread makes one cell block after another with. */
typedef struct bosc_chip_builder {
    const bosc_batch *batch;
    const bosc_rows *rows;
    const bosc_chip_items *items;
    const bosc_chip_marks *marks;
    int32_t warps;

    bool shared, far;
    int32_t piece; /* rows of a run, at most */
    int32_t n_neurons, n_rows, n_runs, n_pieces, n_tasks;
    size_t neurons_room, rows_room, runs_room, pieces_room, tasks_room;
    bosc_chip_neuron *neurons;
    bosc_chip_stretch *runs;
    bosc_chip_piece *pieces;
    bosc_chip_task *tasks;

    /* [n_rows] */
    int32_t *run_of, *side_level, *sides;
    int32_t *joins_at; /* first record of the row's branches; -1: none */
    int32_t *clamps;   /* of it, of all lanes */
    bool *special;     /* a kept row whose b an entry makes */
    uint8_t *kind;     /* or mark */
    int32_t *edges; /* edges before the row, in its group; not with 'shared' */
    int32_t *address;

    int32_t *order; /* [n_runs or n_tasks] */
    size_t order_room;
    bosc_chip_level *levels;
    size_t levels_room;
    int32_t kept, changing; /* rows of the columns */
    int32_t low, high;      /* the first row that lanes read, and the end: of
                               kept rows, */
    int32_t low_c, high_c;  /* and of those that change */
    int32_t n_levels, early, aside;
    double e[256]; /* a run names its e in 8 bits */
    int32_t n_e;
    double own_e[BOSC_MARK_E_MANY]; /* of the neuron that is added, by mark, */
    uint32_t known_e;               /* where this has a bit */

    /* The image. */
    bosc_chip_block block;
    int32_t n_entries, n_joins, n_params, n_instances, n_states;
    bosc_chip_clamp *clamp_list;
    size_t clamps_room;
    int32_t n_clamps;
    bool short_of_memory;
    int32_t zero, zero_join, joins, params, states; /* addresses */
    const bosc_limit *limit; /* why there is no room; NULL: bytes */
} bosc_chip_builder;

/* --- constants of a neuron ------------------------------------------------ */

static inline ptrdiff_t bosc_chip_index(const bosc_chip_builder *b,
                                        const bosc_chip_neuron *n, int32_t i)
{
    return b->rows->constants[n->g].shared
               ? i
               : (ptrdiff_t)i * bosc_layout_width(&b->batch->layout, n->g) +
                     n->lane;
}

static inline ptrdiff_t bosc_chip_slot(const bosc_chip_builder *b,
                                       const bosc_chip_neuron *n, int32_t i)
{
    const bosc_layout *layout = &b->batch->layout;

    return layout->first[n->g] +
           (ptrdiff_t)i * bosc_layout_width(layout, n->g) + n->lane;
}

/* Is row i a branch, not the row next to its parent? */
static inline bool bosc_chip_is_side(const bosc_chip_neuron *n, int32_t i)
{
    return i > 0 && n->tree->parent[i] != i - 1;
}

/* What rows take, about, in rows that are kept. */
static inline int32_t bosc_chip_cost(int32_t rows, bool changes)
{
    return rows * (changes ? 6 : 1);
}

/* Runs that make a task. */
static inline int32_t bosc_chip_together(const bosc_chip_builder *b)
{
    return b->shared ? 1 : BOSC_CHIP_LANES;
}

/* The tasks of a level. */
static inline int32_t bosc_chip_count_tasks(const bosc_chip_level *level,
                                            int32_t together)
{
    return (level->runs[0] + together - 1) / together +
           (level->runs[1] + together - 1) / together;
}

/* Neurons that a run stands for. */
static inline int32_t bosc_chip_lanes(const bosc_chip_builder *b)
{
    return b->shared ? BOSC_CHIP_LANES : 1;
}

static inline bool bosc_chip_kept(const bosc_chip_builder *b,
                                  const bosc_chip_neuron *n, int32_t i)
{
    return (b->kind[n->first + i] & BOSC_ROW_KEPT) != 0;
}

/* Is it a tip that needs no row? */
static inline bool bosc_chip_is_tip(const bosc_chip_builder *b,
                                    const bosc_chip_neuron *n, int32_t i)
{
    const uint8_t tip = BOSC_MARK_BARE | BOSC_MARK_TIP;
    const uint8_t mark = b->kind[n->first + i];

    return (mark & tip) == tip;
}

/* Is the first branch's product in x of the row? */
static inline bool bosc_chip_has_inbox(const bosc_chip_builder *b, int32_t row)
{
    const uint8_t bare_kept = BOSC_ROW_KEPT | BOSC_MARK_BARE;

    return !b->special[row] && b->sides[row] > 0 &&
           (b->kind[row] & bare_kept) == bare_kept;
}

/* Branches of the row that have records. */
static inline int32_t bosc_chip_recorded(const bosc_chip_builder *b,
                                         int32_t row)
{
    return b->sides[row] - (bosc_chip_has_inbox(b, row) ? 1 : 0);
}

/* Does the row get anything before its run begins? */
static inline bool bosc_chip_has_entry(const bosc_chip_builder *b, int32_t row)
{
    return b->special[row] || b->clamps[row] > 0 || b->joins_at[row] >= 0;
}

/* Neuron q as lane l has it. */
static inline bosc_chip_neuron bosc_chip_neuron_of(const bosc_chip_builder *b,
                                                   int32_t q, int32_t l)
{
    bosc_chip_neuron n = b->neurons[q];

    if (b->shared) {
        n.lane = l;
        n.neuron = bosc_layout_neuron(&b->batch->layout, n.g, l);
    }
    return n;
}

/* From a row of a column to the next, in numbers. */
static inline int32_t bosc_chip_row_step(const bosc_chip_builder *b,
                                         bool changes)
{
    return BOSC_CHIP_STEP(changes, b->shared);
}

/* What a neuron of a cell block has: call a function for each item.  'what' is
 * its number in the batch; of instances that in their block. */
typedef struct bosc_chip_item {
    const bosc_chip_neuron *neuron;
    int32_t row, lane; /* lane of the cell block: 0 if neurons differ */
    int32_t block;     /* of instances */
    ptrdiff_t what;
} bosc_chip_item;
typedef void bosc_chip_visit(void *context, const bosc_chip_item *item);
void bosc_chip_each_clamp(const bosc_chip_builder *b, bosc_chip_visit *visit,
                          void *context);
void bosc_chip_each_detector(const bosc_chip_builder *b, bosc_chip_visit *visit,
                             void *context);
void bosc_chip_each_instance(const bosc_chip_builder *b, bosc_chip_visit *visit,
                             void *context);

/* Make the marks of a neuron that differs. */
void bosc_chip_mark(const bosc_batch *batch, const bosc_rows *rows,
                    const bosc_chip_items *items, int32_t neuron,
                    uint8_t *mark);

/* Mark the tips of a neuron that need no row, or of all lanes of a group that
 * are equal.  Where c is 0 marks name no e before. */
void bosc_chip_find_tips(const bosc_batch *batch, const bosc_chip_items *items,
                         int32_t g, int32_t lane, int32_t n_lanes,
                         uint8_t *mark);

/* Those of the cell block; with 'shared' of all lanes. */
int32_t bosc_chip_count_tips(const bosc_chip_builder *b);
void bosc_chip_write_tips(const bosc_chip_builder *b, bosc_chip_tip *tips);

/* Begin a cell block without neurons. */
void bosc_chip_begin(bosc_chip_builder *b, bool shared);

/* Add a neuron, or with 'shared' the 32 of a group by its first; false without
 * memory. */
bool bosc_chip_add(bosc_chip_builder *b, int32_t neuron);

/* Take back all neurons but the first n. */
void bosc_chip_keep(bosc_chip_builder *b, int32_t n);

/* About the bytes that the neuron takes which alone was added, without its
 * instances: of the image, and *behind it. */
double bosc_chip_bytes(const bosc_chip_builder *b, double *behind);

/* Choose the levels of the runs, and count the runs of each: b->levels; then
 * sort the runs by level, kind and length, the longest first: b->order.  false
 * without memory. */
bool bosc_chip_choose_levels(bosc_chip_builder *b);

/* Deal the runs to tasks and columns; false without memory. */
bool bosc_chip_deal(bosc_chip_builder *b);

/* Say where all is: b->block, and the bytes in all.  false: it meets b->limit,
 * or there is no memory. */
bool bosc_chip_measure(bosc_chip_builder *b, int64_t *bytes);

/* Write the image, zeroed before; the map, and the addresses of the states of
 * instances and of the terms of readings that are voltages. */
typedef struct bosc_chip_out {
    unsigned char *image;
    uint32_t *map;          /* [32 (kept + changing)] */
    uint32_t *const *state; /* [n_blocks] -> [n] */
    uint32_t *const *term;  /* [n_sets] -> [terms] */
} bosc_chip_out;
void bosc_chip_write(bosc_chip_builder *b, const bosc_chip_out *out);

void bosc_chip_builder_clear(bosc_chip_builder *b);

#endif
