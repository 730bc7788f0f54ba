/* layout.h - which slot of a batch's arrays holds which compartment.
 *
 * A leaf: no MPI, no files.
 *
 * Neurons stand in groups.  A group has a width, its number of lanes, a neuron
 * in each; element i of lane k is slot first + i * width + k.  So width 1 is a
 * neuron by itself, contiguous (hines-flat), 8 the lanes of an AVX-512 vector
 * (stream).  Rows past the end of a shorter neuron, and lanes without a neuron,
 * are padding.
 *
 * A method asks for one width.  Groups have that width or 1: a neuron much
 * longer than those that would share its group is better off alone.
 *
 * Worked example: neurons A (5 compartments) and B (4), width 2, one group:
 *     slot      0   1   2   3   4   5   6   7   8   9
 *     element  A0  B0  A1  B1  A2  B2  A3  B3  A4  pad      rows = 5
 */
#ifndef BOSC_KERNELS_BATCH_LAYOUT_H
#define BOSC_KERNELS_BATCH_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/mem.h"
#include "src/base/status.h"

/* The topology of one shape.  Neurons of one shape share it. */
typedef struct bosc_tree {
    int32_t n;             /* compartments */
    const int32_t *parent; /* [n] parent[i] < i; parent[0] is -1.  The caller's,
                              outlives the layout; NULL: not known yet, which a
                              layout does not need */
} bosc_tree;

/* The row that row i of a lane hands on to; past the tree's end, and in a lane
 * without a neuron (NULL), the row before, like any other. */
static inline int32_t bosc_tree_parent(const bosc_tree *tree, int32_t i)
{
    return tree == NULL || i >= tree->n ? i - 1 : tree->parent[i];
}

/* Of a layout whose lanes have parts of neurons, each some compartments that
 * follow each other: sections, by level (kernels/levels/level_layout.h). */
typedef struct bosc_pieces {
    bool from_root;     /* levels are counted from the root */
    int32_t n_levels;   /* of sections */
    int32_t *lane_from; /* [lanes] compartment in row 0, */
    int32_t *lane_rows; /* and how many of them */
    int64_t *first;     /* [n_neurons + 1] into slot */
    ptrdiff_t *slot;    /* [compartments of all neurons] of each */
} bosc_pieces;

/* Which neuron is in which lane of which group.  Constant once it is made; it
 * owns its arrays (bosc_layout_clear). */
typedef struct bosc_layout {
    int32_t width; /* of every group but those of one neuron by itself */
    int32_t block; /* as in the grouping */
    int32_t n_neurons, n_groups;
    ptrdiff_t n_slots;    /* compartments and padding */
    int32_t *lane_neuron; /* [lane[n_groups]] neuron of a lane; -1: none */
    int32_t *lane;        /* [n_groups + 1] first lane of each group */
    int32_t *rows;        /* [n_groups] compartments of the longest neuron */
    ptrdiff_t *first;     /* [n_groups + 1] first slot of each group; a multiple
                             of its width */
    bool *uniform;        /* [n_groups] every lane has the same shape, and none
                             is empty */
    int32_t *group;       /* [n_neurons] group of a neuron, or of its root */
    int32_t *place;       /* [n_neurons] lane of a neuron, or of its root,
                             counted over all groups */
    bosc_pieces *pieces;  /* NULL: each lane has a whole neuron */
} bosc_layout;

enum { BOSC_NO_ROW = 0x7fffffff }; /* NVRTC knows no INT32_MAX */

/* An element of a group: compartment i of a neuron. */
typedef struct bosc_element {
    int32_t neuron; /* -1: none */
    int32_t i;      /* may be past the neuron's end, or BOSC_NO_ROW: padding */
} bosc_element;

/* How neurons are to be grouped. */
typedef struct bosc_grouping {
    int32_t width;   /* lanes of a group */
    int threads;     /* that share the groups; 1 where that does not matter */
    int32_t block;   /* neurons of a block, where a method has any; 0: its
                        own default */
    bool from_root;  /* levels are counted from the root, where it has any */
    bool cells;      /* the method keeps neurons on a GPU's chip */
    bool by_section; /* the layout depends on the parents of rows */
    /* Makes the layout of a method, of which there may be variants; NULL: as
     * bosc_layout_create() says. */
    bosc_status (*make)(const struct bosc_grouping *grouping, int32_t n_neurons,
                        const int32_t *shape, const bosc_tree *trees,
                        bosc_layout *layout, bosc_error *err);
    int variant;
} bosc_grouping;

/* Sort neurons into groups.  In this order: full groups of one shape, where
 * there are enough of a shape; groups of the rest, by size, then by shape; then
 * those alone.  Greatest first in each part.  The sizes and the number of
 * threads decide who is alone: who would keep the others of a group waiting
 * (bosc_layout_cost), and who all other threads would wait for.  The order is
 * fixed by (size, shape, neuron), so it is the same everywhere.  A group has at
 * most INT32_MAX slots.  shape[i] < n_trees says which tree neuron i has.
 * BOSC_OK, BOSC_EVALUE for a bad tree or too many neurons, BOSC_ENOMEM. */
bosc_status bosc_layout_create(int32_t n_neurons, const int32_t *shape,
                               const bosc_tree *trees, bosc_grouping grouping,
                               bosc_layout *layout, bosc_error *err);

/* Groups of exactly 'width' lanes, none alone: the neurons sorted by size and
 * shape, or as they are.  For methods whose groups are all alike. */
bosc_status bosc_layout_create_whole(int32_t n_neurons, const int32_t *shape,
                                     const bosc_tree *trees, int32_t width,
                                     bool sorted, bosc_layout *layout,
                                     bosc_error *err);

void bosc_layout_clear(bosc_layout *layout);

/* Bytes of the layout of so many neurons: that it keeps, and at most while it
 * is made. */
bosc_bytes bosc_layout_bytes(double n_neurons);

/* About the time that a step takes for a group of that width and length, in
 * quarters of a row of a neuron alone. */
static inline int64_t bosc_layout_cost(int32_t width, int32_t rows)
{
    return (width == 1 ? 4 : 4 + (int64_t)width) * rows;
}

static inline int32_t bosc_layout_width(const bosc_layout *layout, int32_t g)
{
    return layout->lane[g + 1] - layout->lane[g];
}

/* The neuron in lane k of group g, -1: none. */
static inline int32_t bosc_layout_neuron(const bosc_layout *layout, int32_t g,
                                         int32_t k)
{
    return layout->lane_neuron[layout->lane[g] + k];
}

/* The slots of group g. */
static inline int32_t bosc_layout_slots(const bosc_layout *layout, int32_t g)
{
    return (int32_t)(layout->first[g + 1] - layout->first[g]);
}

/* What is at slot first[g] + at, at < bosc_layout_slots(). */
static inline bosc_element bosc_layout_at(const bosc_layout *layout, int32_t g,
                                          int32_t at)
{
    const int32_t width = bosc_layout_width(layout, g), i = at / width;
    const bosc_pieces *pieces = layout->pieces;
    bosc_element element = {bosc_layout_neuron(layout, g, at % width), i};

    if (pieces != NULL) {
        const int32_t lane = layout->lane[g] + at % width;

        element.i = i < pieces->lane_rows[lane] ? pieces->lane_from[lane] + i
                                                : BOSC_NO_ROW;
    }
    return element;
}

/* The slot of element i of a neuron. */
static inline ptrdiff_t bosc_slot(const bosc_layout *layout, int32_t neuron,
                                  int32_t i)
{
    const int32_t g = layout->group[neuron];

    if (layout->pieces != NULL)
        return layout->pieces->slot[layout->pieces->first[neuron] + i];
    return layout->first[g] + (ptrdiff_t)i * bosc_layout_width(layout, g) +
           layout->place[neuron] - layout->lane[g];
}

/* The slots of all elements of a neuron. */
typedef struct bosc_neuron_slots {
    ptrdiff_t first, step;
    const ptrdiff_t *each; /* NULL: they are 'step' apart */
} bosc_neuron_slots;

static inline bosc_neuron_slots bosc_slots_of(const bosc_layout *layout,
                                              int32_t neuron)
{
    const bosc_pieces *pieces = layout->pieces;
    bosc_neuron_slots slots = {0, 0, NULL};

    if (pieces != NULL) {
        slots.each = pieces->slot + pieces->first[neuron];
        return slots;
    }
    slots.first = bosc_slot(layout, neuron, 0);
    slots.step = bosc_layout_width(layout, layout->group[neuron]);
    return slots;
}

static inline ptrdiff_t bosc_slots_at(const bosc_neuron_slots *slots, int32_t i)
{
    return slots->each != NULL ? slots->each[i]
                               : slots->first + i * slots->step;
}

/* The group that a slot belongs to, by binary search; and what has the slot. */
int32_t bosc_layout_group(const bosc_layout *layout, ptrdiff_t slot);
bosc_element bosc_layout_find(const bosc_layout *layout, ptrdiff_t slot);

#endif
