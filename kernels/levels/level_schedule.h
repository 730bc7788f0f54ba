/* level_schedule.h - the sections of all neurons: those of a level are
 * tridiagonal systems in one layout of thomas.h, a level is a level.
 *
 * A lane is a section, or nothing.  Going up from level 0, it takes the pairs
 * of its children, what their first rows hand on, from a list, where those for
 * one parent stand together, descending; it is eliminated, and puts its own
 * pair into the list. Coming back, it begins with the voltage of what it hangs
 * on.  Neurons that are chains have one level, and are what the papers' Thomas
 * solvers solve.
 *
 * The numbers u, d and b of a slot are in arrays of their own, or in the layout
 * 'unified' side by side: 32 d, 32 u, 32 b in one array, of which d, u and b
 * point to the first.  Positions are those within d, u or b.
 */
#ifndef BOSC_KERNELS_LEVELS_LEVEL_SCHEDULE_H
#define BOSC_KERNELS_LEVELS_LEVEL_SCHEDULE_H

#include "kernels/solve/solver.h"
#include "kernels/thomas/thomas_isa.h"

/* A level: sections whose children have all been eliminated in levels before.
 */
typedef struct bosc_level {
    int32_t lane, n_lanes; /* first, and how many */
    ptrdiff_t step;        /* positions from row to row */
} bosc_level;

/* The sections of all neurons, by level.  Owns its arrays, on the host or on a
 * device; constant once created. */
typedef struct bosc_level_schedule {
    int32_t width; /* lanes side by side, of bosc_thomas */
    int32_t n_levels, n_lanes, n_pairs;
    bosc_level *levels; /* [n_levels] */
    int32_t *rows;      /* [n_lanes] to walk */
    int32_t *own;       /* [n_lanes] compartments among them; the others, which
                           only cp has, are padding */
    int32_t *neuron;    /* [n_lanes] of its section; -1: there is none */
    int32_t *from;      /* [n_lanes] the section's first compartment; -1 */
    ptrdiff_t *first;   /* [n_lanes / width] position of row 0 of lanes */
    ptrdiff_t *last;    /* [n_lanes] position of its last compartment */
    ptrdiff_t *end;     /* [n_lanes] of the one it hangs on; of a root its own
                           last: u is 0 there */
    int32_t *pair;  /* [n_lanes] place of the pair it hands on; -1: there is no
                       section */
    int32_t *pairs; /* [n_lanes + 1] first pair that it gets */
    int32_t first_root; /* pairs from here on are of roots: nobody gets them */
    ptrdiff_t n_slots;  /* positions, with padding */
} bosc_level_schedule;

/* Unified: the three numbers, and how far u and b are from d. */
enum {
    BOSC_UNIFIED_NUMBERS = 3,
    BOSC_UNIFIED_U = BOSC_THOMAS_WIDTH,
    BOSC_UNIFIED_B = 2 * BOSC_THOMAS_WIDTH
};

/* Numbers of a pair, at most (kernels/hines/order.h). */
enum { BOSC_LEVEL_HANDED = 4 };

/* Double or float: u, as 'lower', d and b of all rows, and the pairs. */
typedef struct bosc_level_schedule_numbers {
    bosc_thomas_rows rows;
    void *handed; /* [BOSC_LEVEL_HANDED][n_pairs] what the first row of a
                     section hands on */
} bosc_level_schedule_numbers;

/* Bytes of so many sections, with those of their layout. */
double bosc_level_schedule_bytes(double sections);

/* For a systems in a layout; slot, [bosc_systems_size()], gets the position of
 * each compartment in flat order.  from_root: levels count from the root
 * (kernels/hines/section_levels.h).  BOSC_EVALUE where the layout wants
 * sections of one size, or there are too many, BOSC_ENOMEM; *out is untouched
 * then. */
bosc_status bosc_level_schedule_create(const bosc_systems *systems,
                                       bosc_thomas_kind kind, bool from_root,
                                       ptrdiff_t *slot,
                                       bosc_level_schedule *out,
                                       bosc_error *err);
/* Free the arrays; a zeroed schedule is allowed. */
void bosc_level_schedule_clear(bosc_level_schedule *schedule);

#endif
