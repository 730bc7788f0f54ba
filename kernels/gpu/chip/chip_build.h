/* chip_build.h - a cell block while it is made: its neurons, their runs, the
 * tasks of warps, the addresses of rows.
 *
 * Order of calls, for each cell block, and what is valid after each:
 *
 *     bosc_chip_begin    'shared' and 'slice_rows'; the block has no neuron
 *     bosc_chip_add      neurons, rows, runs; once for each neuron
 *     bosc_chip_deal     levels, slices, tasks, columns; needs 'warps', 'far'
 *     bosc_chip_measure  block, image: counts and addresses
 *     bosc_chip_write    nothing new: the image and the map are written
 *
 * bosc_chip_keep() takes neurons back; then bosc_chip_deal() comes next.  Each
 * step may be repeated with other values of what it needs.
 *
 * Internal to kernels: chip_tips.c finds the rows that are not needed,
 * chip_runs.c the runs, chip_levels.c their levels, chip_tasks.c deals them to
 * warps and columns, chip_measure.c counts and chooses addresses, chip_image.c
 * writes the image, chip_map.c what is beside it.
 */
#ifndef BOSC_KERNELS_GPU_CHIP_CHIP_BUILD_H
#define BOSC_KERNELS_GPU_CHIP_CHIP_BUILD_H

#include "kernels/gpu/chip/chip.h"
#include "kernels/gpu/chip/chip_items.h"
#include "kernels/step/limits.h"
#include "kernels/step/rows.h"
#include "kernels/step/step_io.h"

/* A neuron of the cell block; with 'shared' it stands for the 32 neurons of its
 * group.  Valid from bosc_chip_add() on. */
typedef struct bosc_chip_neuron {
    const bosc_tree *tree; /* the batch's */
    int32_t neuron;        /* number in the batch; with 'shared' of the first */
    int32_t g, lane;       /* group, lane within the group */
    int32_t first;         /* index of its row 0 among the builder's rows */
    int32_t first_run;     /* index of its first run among the builder's runs */
} bosc_chip_neuron;

/* A run: rows top .. top + rows - 1 of a neuron; the last one is the farthest
 * from the root, and swept first. */
typedef struct bosc_chip_run {
    int32_t neuron;    /* index of the builder's neurons */
    int32_t top, rows; /* row of the neuron; number of rows */
    int32_t below;     /* index of the run that goes on in this one; -1: none */
    int32_t soonest;   /* lowest level that it may be in */
    int32_t last;      /* highest level that it may be in; valid from
                          bosc_chip_choose_levels() on, as is: */
    int32_t level;     /* the level that it is in */
    bool changes;      /* its rows change in a step; else they are constant */
    bool has_e;        /* a row of it has the e of the run */
    bool special;      /* a row of it is special (bosc_chip_row_table) */
    bool listed;       /* a row of it may have an entry; valid from
                          bosc_chip_measure() on */
    bool first;        /* the first one of the branches that end at a row */
    uint8_t mark;      /* with has_e: the mark of the row that e is of */
    double e;          /* with has_e: of its rows (mV); else 0 */
    int32_t end;       /* BOSC_END_... */
    int32_t first_slice; /* index of the slice that is swept first; valid from
                            bosc_chip_deal() on */
    int32_t join; /* address of the record of the last slice; -1: none; valid in
                     bosc_chip_write() */
} bosc_chip_run;

/* What bosc_chip_choose_levels() knows of a level of runs. */
typedef struct bosc_chip_level {
    int32_t longest; /* cost of the longest run (bosc_chip_cost) */
    int32_t runs[2]; /* number of runs: of constant rows, of rows that change */
} bosc_chip_level;

/* A slice of a run: as many rows as fit a task.  Valid from bosc_chip_deal()
 * on. */
typedef struct bosc_chip_slice {
    int32_t run, part, rows; /* index of the run; its number in the run, from 0;
                                number of rows */
    int32_t task, column;    /* index of the builder's tasks; 0 .. 31 */
    int32_t at; /* first row of the column; in bosc_chip_write() its address */
    int32_t next; /* index of the next slice of the run; -1: none */
    int32_t join; /* from bosc_chip_measure() on number of its record, in
                     bosc_chip_write() the address; -1: none */
} bosc_chip_slice;

/* Up to 32 slices of one level and kind (with 'shared' one), which a warp
 * sweeps at once.  Valid from bosc_chip_deal() on. */
typedef struct bosc_chip_task {
    int32_t level, warp, number; /* tasks are sorted by warp, level, number */
    int32_t rows, least;         /* rows of its longest and shortest slice */
    bool changes;                /* as the runs of its slices */
    int32_t first_slice, slices; /* index of the builder's slices; how many */
    /* Valid in bosc_chip_write(): */
    int32_t first_entry, entries; /* its list among all entries; how many */
    bool joins; /* each entry is one record and nothing else */
} bosc_chip_task;

/* A stimulus of the cell block. */
typedef struct bosc_chip_stimulus {
    int32_t row, lane; /* row of the builder; lane with 'shared', else 0 */
    int32_t block;     /* index of the batch's blocks */
    ptrdiff_t what;    /* instance of the block */
    int32_t state;     /* address of its state; valid in bosc_chip_write() */
} bosc_chip_stimulus;

/* How many numbers one of a block takes (chip.h). */
static inline int32_t bosc_chip_stimulus_fields(const bosc_batch *batch,
                                                int32_t block)
{
    const bosc_mech *mech = batch->blocks[block].mech;

    return BOSC_STIMULUS_X + mech->n_params + mech->n_constants;
}

/* The mark of a row: its kind (rows.h), BARE where c is 0, and above these bits
 * which of its neuron's values of e it has, in order of appearance from the
 * root; MANY is one more than can be told apart.  Where c is 0 the bits above
 * say instead whether the row is a tip that needs none. */
enum {
    BOSC_MARK_BARE = 8,
    BOSC_MARK_E_SHIFT = 4,
    BOSC_MARK_E_MANY = 15,
    BOSC_MARK_TIP = 1 << BOSC_MARK_E_SHIFT
};

/* The marks of all neurons of the batch that are taken as neurons that differ;
 * the planner's. */
typedef struct bosc_chip_marks {
    ptrdiff_t *first; /* [n_neurons + 1] */
    uint8_t *mark;    /* [first[n_neurons]] */
} bosc_chip_marks;

/* The rows of all neurons of the cell block, one after another. */
typedef struct bosc_chip_row_table {
    int32_t n;   /* number of rows, tips without a row included */
    size_t room; /* capacity of the arrays, each [n] */

    /* Valid from bosc_chip_add() on. */
    uint8_t *kind;       /* with 'shared' of all lanes; else the mark */
    int32_t *run_of;     /* index of its run; not set for a tip without a row */
    int32_t *sides;      /* number of branches that end at the row */
    int32_t *side_level; /* lowest level after all of these branches.  From
                            bosc_chip_measure() on it counts their records */
    bool *special;       /* it is constant, and an entry makes its b */
    int32_t *boundaries; /* rows with BOSC_ROW_BOUNDARY before it in its neuron;
                       not with 'shared' */

    /* Valid from bosc_chip_measure() on. */
    int32_t
        *joins_at;    /* number of the first record of its branches; -1: none */
    int32_t *stimuli; /* number of stimuli at it, in all lanes */

    /* Valid in bosc_chip_write(). */
    int32_t *address; /* of its x; with 'shared' of lane 0 */
} bosc_chip_row_table;

/* Values of e of the neuron that bosc_chip_add() adds, by mark. */
typedef struct bosc_chip_marked_e {
    uint32_t known;             /* bit i: e[i] is set */
    double e[BOSC_MARK_E_MANY]; /* mV */
} bosc_chip_marked_e;

/* The 32 columns of constant rows and those of rows that change, in rows. Valid
 * from bosc_chip_deal() on. */
typedef struct bosc_chip_columns {
    int32_t constant, changing; /* length of the longest column */
    /* Idle lanes read beyond the columns: first row that is read, and one past
     * the last; of constant rows, of rows that change. */
    int32_t low, high;
    int32_t low_changing, high_changing;
} bosc_chip_columns;

/* What the image has beside columns and tables of tasks: counts, and addresses
 * in numbers (chip.h).  Valid from bosc_chip_measure() on; the lists of stimuli
 * and e belong to the builder. */
typedef struct bosc_chip_image_parts {
    int32_t n_entries, n_joins; /* entries of all lists; records */
    int32_t n_params;           /* numbers for entries: c and e, and stimuli */
    int32_t n_instances, n_states; /* of other mechanisms; their states, and
                                      what densities of the job's own leave */
    bosc_chip_stimulus *stimuli;   /* [n_stimuli] */
    size_t stimuli_room;           /* capacity of stimuli */
    int32_t n_stimuli;
    double e[256]; /* [n_e] values of e of runs (mV); a run names its e in 8
                      bits */
    int32_t n_e;
    int32_t zero;                  /* address of a row of zeros */
    int32_t zero_join;             /* address of a record of zeros */
    int32_t joins, params, states; /* addresses of records, of numbers for
                                      entries, of states */
    const bosc_limit *limit; /* the limit that the cell block exceeds; NULL:
                                none, or only its class's bytes */
    bool short_of_memory;    /* measuring has failed for lack of memory */
} bosc_chip_image_parts;

/* Densities of the job's own at a row. */
typedef struct bosc_chip_job_mark {
    uint64_t mechs; /* bit m: mechanism m of the set */
    int32_t block;  /* an instance of any of them */
    uint32_t what;
} bosc_chip_job_mark;

/* Memory that functions use one after another; contents are valid until the
 * next function that names them.  Freed with the builder. */
typedef struct bosc_chip_scratch {
    int32_t *order;          /* runs, tasks or slots in some order */
    size_t order_room;       /* capacity */
    bosc_chip_level *levels; /* of runs, while levels are chosen and tasks made
                              */
    size_t levels_room;      /* capacity */
    bosc_chip_job_mark *job; /* of the rows of a neuron */
    size_t job_room;         /* capacity */
} bosc_chip_scratch;

/* A thread's builder, which makes one cell block after another.  It owns its
 * arrays, which bosc_chip_builder_clear() frees. */
typedef struct bosc_chip_builder {
    /* Input, the same for all cell blocks; the planner's. */
    const bosc_batch *batch;
    const bosc_rows *rows;
    const bosc_chip_items *items;
    const bosc_chip_marks *marks;

    /* Set by bosc_chip_begin(); the caller may change slice_rows before
     * bosc_chip_deal(). */
    bool shared;        /* 32 equal neurons each; else neurons that differ */
    int32_t slice_rows; /* rows of a slice, at most */

    /* Set by the caller before bosc_chip_deal(): of the block's class. */
    int32_t warps;
    bool far;

    /* Valid from bosc_chip_add() on. */
    int32_t n_neurons, n_runs;
    size_t neurons_room, runs_room; /* capacities */
    bosc_chip_neuron *neurons;      /* [n_neurons] */
    bosc_chip_run *runs;            /* [n_runs] below before above */
    bosc_chip_row_table row;
    bosc_chip_marked_e marked_e; /* during bosc_chip_add() alone */

    /* Valid from bosc_chip_deal() on. */
    int32_t n_slices, n_tasks;
    size_t slices_room, tasks_room; /* capacities */
    bosc_chip_slice *slices;        /* [n_slices] */
    bosc_chip_task *tasks;          /* [n_tasks] */
    bosc_chip_columns columns;
    int32_t n_levels;        /* levels of tasks */
    int32_t constant_levels; /* those of them before any row that changes */
    int32_t mech_warps; /* warps that take mechanisms instead of these; 0: all
                           warps do */

    bosc_chip_scratch scratch;

    /* Valid from bosc_chip_measure() on. */
    bosc_chip_block block; /* but for image */
    bosc_chip_image_parts image;
} bosc_chip_builder;

/* --- constants of a neuron ------------------------------------------------ */

/* Index of row i of the neuron in the arrays of its group's constants. */
static inline ptrdiff_t bosc_chip_index(const bosc_chip_builder *b,
                                        const bosc_chip_neuron *n, int32_t i)
{
    return b->rows->constants[n->g].shared
               ? i
               : (ptrdiff_t)i * bosc_layout_width(&b->batch->layout, n->g) +
                     n->lane;
}

/* Slot of the batch of row i of the neuron. */
static inline ptrdiff_t bosc_chip_slot(const bosc_chip_builder *b,
                                       const bosc_chip_neuron *n, int32_t i)
{
    const bosc_layout *layout = &b->batch->layout;

    return layout->first[n->g] +
           (ptrdiff_t)i * bosc_layout_width(layout, n->g) + n->lane;
}

/* Does a branch end in row i's parent: is its parent not the row before? */
static inline bool bosc_chip_is_side(const bosc_chip_neuron *n, int32_t i)
{
    return i > 0 && n->tree->parent[i] != i - 1;
}

/* Estimated time of a sweep through so many rows, in constant rows. */
static inline int32_t bosc_chip_cost(int32_t rows, bool changes)
{
    return rows * (changes ? 6 : 1);
}

/* Number of runs that make a task. */
static inline int32_t bosc_chip_runs_per_task(const bosc_chip_builder *b)
{
    return b->shared ? 1 : BOSC_CHIP_LANES;
}

/* Number of tasks that the runs of a level make. */
static inline int32_t bosc_chip_count_tasks(const bosc_chip_level *level,
                                            int32_t together)
{
    return (level->runs[0] + together - 1) / together +
           (level->runs[1] + together - 1) / together;
}

/* Number of neurons that each of the builder's neurons stands for. */
static inline int32_t bosc_chip_lanes(const bosc_chip_builder *b)
{
    return b->shared ? BOSC_CHIP_LANES : 1;
}

/* Is row i of the neuron constant? */
static inline bool bosc_chip_is_constant(const bosc_chip_builder *b,
                                         const bosc_chip_neuron *n, int32_t i)
{
    return (b->row.kind[n->first + i] & BOSC_ROW_CONSTANT) != 0;
}

/* Is row i of the neuron a tip that needs none? */
static inline bool bosc_chip_is_tip(const bosc_chip_builder *b,
                                    const bosc_chip_neuron *n, int32_t i)
{
    const uint8_t tip = BOSC_MARK_BARE | BOSC_MARK_TIP;
    const uint8_t mark = b->row.kind[n->first + i];

    return (mark & tip) == tip;
}

/* Does the first branch that ends at the row leave its product in the row's x?
 */
static inline bool bosc_chip_has_product_in_x(const bosc_chip_builder *b,
                                              int32_t row)
{
    const uint8_t bare_constant = BOSC_ROW_CONSTANT | BOSC_MARK_BARE;

    return !b->row.special[row] && b->row.sides[row] > 0 &&
           (b->row.kind[row] & bare_constant) == bare_constant;
}

/* Number of branches that end at the row and have records. */
static inline int32_t bosc_chip_recorded(const bosc_chip_builder *b,
                                         int32_t row)
{
    return b->row.sides[row] - (bosc_chip_has_product_in_x(b, row) ? 1 : 0);
}

/* Has the row an entry: does it get anything before its run begins? */
static inline bool bosc_chip_has_entry(const bosc_chip_builder *b, int32_t row)
{
    return b->row.special[row] || b->row.stimuli[row] > 0 ||
           b->row.joins_at[row] >= 0;
}

/* Neuron q of the builder; with 'shared' that in lane l of its group. */
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

/* A detector or an instance at a neuron of the cell block. */
typedef struct bosc_chip_item {
    const bosc_chip_neuron *neuron;
    int32_t row;    /* of the neuron */
    int32_t lane;   /* with 'shared' of the group; else 0 */
    int32_t block;  /* of an instance: index of the batch's blocks */
    ptrdiff_t what; /* number in the batch, of an instance in its block */
    uint64_t mechs; /* of a row with densities of the job's own: bit m:
                       mechanism m of the set */
} bosc_chip_item;

/* Call visit(context, item) for each item of one kind in the cell block: neuron
 * by neuron, lane by lane, in the order of the batch. */
typedef void bosc_chip_visit(void *context, const bosc_chip_item *item);
void bosc_chip_each_stimulus(const bosc_chip_builder *b, bosc_chip_visit *visit,
                             void *context);
void bosc_chip_each_detector(const bosc_chip_builder *b, bosc_chip_visit *visit,
                             void *context);
/* Of mechanisms that are no stimuli, nor densities of the job's own. */
void bosc_chip_each_instance(const bosc_chip_builder *b, bosc_chip_visit *visit,
                             void *context);
/* Of these the rows that have any, in ascending order; the item is one of them.
 */
void bosc_chip_each_job_row(const bosc_chip_builder *b, bosc_chip_visit *visit,
                            void *context);

/* Number of densities that a row has and that leave something there. */
static inline int32_t bosc_chip_flowing(const bosc_chip_builder *b,
                                        const bosc_chip_item *row)
{
    return __builtin_popcountll(row->mechs & b->items->flows);
}

/* Make the marks [tree->n] of a neuron. */
void bosc_chip_mark(const bosc_batch *batch, const bosc_rows *rows,
                    const bosc_chip_items *items, int32_t neuron,
                    uint8_t *mark);

/* Mark the tips that need no row, of the neuron in a lane of group g, or, if
 * they are equal, of those in n_lanes lanes from there on.  On entry marks with
 * BOSC_MARK_BARE have no bits above it. */
void bosc_chip_find_tips(const bosc_batch *batch, const bosc_chip_items *items,
                         int32_t g, int32_t lane, int32_t n_lanes,
                         uint8_t *mark);

/* Number of tips without a row in the cell block, with 'shared' in all lanes.
 */
int32_t bosc_chip_count_tips(const bosc_chip_builder *b);

/* Write the record of a slice into the numbers x: what of it never changes, and
 * the address of the row above.  Rows have their addresses. */
void bosc_chip_write_join(const bosc_chip_builder *b, const bosc_chip_run *run,
                          const bosc_chip_slice *slice, int32_t above,
                          double *x);

/* Write the record of runs that no row is below. */
void bosc_chip_write_zero_join(const bosc_chip_builder *b, double *x);

/* Does a slice end in a row whose parent is not the row before it? */
bool bosc_chip_is_branch(const bosc_chip_builder *b, const bosc_chip_run *run,
                         const bosc_chip_slice *slice);

/* Write the tips without a row: tips[bosc_chip_count_tips()].  Rows have their
 * addresses. */
void bosc_chip_write_tips(const bosc_chip_builder *b, bosc_chip_tip *tips);

/* Write which slot of the batch each place has: map[32 (constant + changing)].
 * Rows have their addresses. */
void bosc_chip_write_map(const bosc_chip_builder *b, uint32_t *map);

/* Write where the v are that readings have among their terms: as
 * bosc_chip_image_out.term.  Rows have their addresses. */
void bosc_chip_write_terms(const bosc_chip_builder *b, uint32_t *const *out);

/* Begin a cell block without neurons. */
void bosc_chip_begin(bosc_chip_builder *b, bool shared);

/* Add a neuron, or with 'shared' the 32 of a group by its first; false without
 * memory. */
bool bosc_chip_add(bosc_chip_builder *b, int32_t neuron);

/* Remove all neurons but the first n. */
void bosc_chip_keep(bosc_chip_builder *b, int32_t n);

/* Estimated bytes of a cell block of one neuron, without its instances: in the
 * image (returned) and *behind it.  Valid after bosc_chip_add(). */
double bosc_chip_bytes(const bosc_chip_builder *b, double *behind);

/* Choose the levels of the runs, and count the runs of each: b->scratch.levels;
 * then sort the runs by level, kind and length, the longest first:
 * b->scratch.order.  false without memory. */
bool bosc_chip_choose_levels(bosc_chip_builder *b);

/* Deal the runs to tasks and columns; false without memory. */
bool bosc_chip_deal(bosc_chip_builder *b);

/* Count and place the parts of the image: b->block and b->image.  *bytes: of
 * the image with its margins.  false: the cell block exceeds b->image.limit, or
 * b->image.short_of_memory. */
bool bosc_chip_measure(bosc_chip_builder *b, int64_t *bytes);

/* Where bosc_chip_write() writes; the caller's memory. */
typedef struct bosc_chip_image_out {
    unsigned char *image;   /* [block.whole] zeroed, aligned for doubles */
    uint32_t *map;          /* [32 (constant + changing)] slots of the places */
    uint32_t *const *state; /* [n_blocks] -> [n] addresses of the states of
                               instances */
    uint32_t *const *term;  /* [n_sets] -> [terms] addresses of the terms of
                               readings that are voltages */
} bosc_chip_image_out;

/* Write the image and the map, and of the other arrays the items of this cell
 * block. */
void bosc_chip_write(bosc_chip_builder *b, const bosc_chip_image_out *out);

/* Free what the builder owns. */
void bosc_chip_builder_clear(bosc_chip_builder *b);

#endif
