/* rows.h - which rows of a batch's systems never change, and their factors.
 *
 * A row changes where a mechanism that is no stimulus has currents that follow
 * its states, where a graded synapse drives it, and where a row below it
 * changes; also where a gap junction does, in a group whose constants are
 * shared: they do not have its conductance.  All other rows are constant: their
 * r and f (kernels/hines/pivot.h) are computed once, and a step only passes
 * right-hand sides through them.  The bits are the same.
 *
 * With tiles a row is here a row of a group, all lanes of it: it is constant
 * where it is in all lanes.  Without them lanes are told apart.
 *
 * Neurons of one shape whose constants are equal share them.  Internal to
 * kernels.
 */
#ifndef BOSC_KERNELS_STEP_ROWS_H
#define BOSC_KERNELS_STEP_ROWS_H

#include "kernels/batch/batch.h"
#include "kernels/batch/tile.h"

/* The bits of a row's kind. */
enum {
    BOSC_ROW_CONSTANT = 1,
    BOSC_ROW_BOUNDARY = 2, /* in some lane it is constant, but its parent is
                              not: the parent needs what it hands on */
    BOSC_ROW_ASSEMBLED = 4 /* its d and b are assembled before the sweep,
                              because other things are added to them; the sweep
                              assembles other rows as it comes to them */
};

/* Rows from..to - 1 of a group. */
typedef struct bosc_row_range {
    int32_t from, to;
} bosc_row_range;

/* The constants of a group, in arrays of the batch or of bosc_rows: of each
 * slot, or with 'shared' one number for all lanes of a row, [rows].  Of a
 * constant row f and r, of others u and d: with 'shared' both are there, else f
 * is u, and r is d. */
typedef struct bosc_constants {
    const double *u, *d; /* uS */
    const double *c, *e; /* uS, mV: b is c (v + e) without currents */
    const double *f, *r; /* no unit, 1/uS (pivot.h) */
    /* num and den (pivot.h) of a BOUNDARY: with 'shared' of each row,
     * [2][rows], else of those alone, by row, ascending, [2][width] each, or
     * with 'of_lanes' [width][2], and one past the last of these.  Of a branch
     * num (1 / y) in uS, and 1. */
    const double *boundary, *boundary_end;
    bool shared;
} bosc_constants;

/* Owns its arrays; valid until bosc_rows_clear(), and never changes.
 * 'Constants' of groups that do not share are in arrays of the batch. */
typedef struct bosc_rows {
    bool of_lanes;          /* the kinds are of slots, not of rows */
    ptrdiff_t *first;       /* [n_groups + 1] into kind */
    int32_t *constant_from; /* [n_groups] from this row on all are CONSTANT and
                               no BOUNDARY; where kinds are of rows */
    uint8_t *kind; /* [first[n_groups]] of each row of each group, or of
                      each slot; BOUNDARY then in all lanes of a row */
    ptrdiff_t *first_assembled; /* [n_groups + 1] into assembled */
    bosc_row_range *assembled;  /* rows ascending, ASSEMBLED in some lane */
    bosc_constants *constants;  /* [n_groups] */
    ptrdiff_t n_boundaries, n_shared; /* numbers of these two: */
    double *boundaries;               /* of the groups that do not share */
    double *shared; /* of those that do, template after template: u, d, c, e, f,
                       r, and num and den of boundaries, [rows] each */
} bosc_rows;

/* The rows of a batch.  With tiles the groups of each share or none of them
 * does, and a row in which a branch ends is assembled.  tiles == NULL: every
 * group is by itself, kinds are of slots, and rows are assembled only where
 * something is added to them.
 * Takes over batch->system.u and .d: those of constant rows become f and r;
 * with NULL tiles 'drive' must have its constant conductances.  On failure
 * *rows is empty, and u and d are undefined.  BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_rows_create(bosc_batch *batch, const bosc_tile *tiles,
                             int32_t n_tiles, int threads, bosc_rows *rows,
                             bosc_error *err);
void bosc_rows_clear(bosc_rows *rows);

/* Bytes for n_groups groups with n_rows rows in all, none of which share. */
double bosc_rows_bytes(double n_groups, double n_rows);

#endif
