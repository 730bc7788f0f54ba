/* rows.h - which rows of a batch never change, and what is kept of them.
 *
 * A row changes where a mechanism that is no stimulus has currents that follow
 * its states, where a graded synapse drives it, and where a row below it
 * changes; also where a gap junction does, in a group whose constants are
 * shared: they do not have its conductance.  All others are kept: their r and f
 * (kernels/hines/hines.h) are computed once, and a step only passes right-hand
 * sides through them.  The bits are the same.
 *
 * With tiles a row is here a row of a group, all lanes of it: it is kept where
 * it is in all lanes.  Without them lanes are told apart.
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
    BOSC_ROW_KEPT = 1,
    BOSC_ROW_EDGE = 2, /* in some lane it is kept, but its parent is not */
    BOSC_ROW_READY = 4 /* its d and b are made before the sweep, because other
                          things are added to them */
};

/* Rows from..to - 1, which are ready. */
typedef struct bosc_ready {
    int32_t from, to;
} bosc_ready;

/* The constants of a group: of each slot, or with 'shared' one number for all
 * lanes of a row.  Of a kept row f and r, of others u and d: with 'shared' both
 * are there, else f is u, and r is d. */
typedef struct bosc_constants {
    const double *u, *d, *c, *e, *f, *r;
    const double *edge; /* d of an EDGE: with 'shared' of each row, else of the
                           edges, rows ascending, */
    const double *edge_end; /* and their end */
    bool shared;
} bosc_constants;

typedef struct bosc_rows {
    bool of_lanes;    /* the kinds are of slots, not of rows */
    ptrdiff_t *first; /* [n_groups + 1] into kind */
    int32_t *plain;   /* [n_groups] from this row on all are KEPT and no EDGE;
                         where kinds are of rows */
    uint8_t *kind;    /* [first[n_groups]] of each row of each group, or of each
                         slot; EDGE then in all lanes of a row */
    ptrdiff_t *first_ready;      /* [n_groups + 1] into ready */
    bosc_ready *ready;           /* rows ascending, ready in some lane */
    bosc_constants *constants;   /* [n_groups] */
    ptrdiff_t n_edges, n_shared; /* numbers of these two */
    double *edges;               /* of the groups that do not share */
    double *shared;              /* of those that do, template after template */
} bosc_rows;

/* Of a batch.  With tiles the groups of each share or none of
 * them does, and a row that others turn to is ready.  tiles == NULL: every
 * group is by itself, kinds are of slots, and rows are ready only where
 * something is added to them.
 * Takes over batch->system.u and batch->system.d: those of kept rows become f
 * and r.  On failure *rows is empty.  BOSC_ENOMEM. */
bosc_status bosc_rows_create(bosc_batch *batch, const bosc_tile *tiles,
                             int32_t n_tiles, int threads, bosc_rows *rows,
                             bosc_error *err);
void bosc_rows_clear(bosc_rows *rows);

/* Bytes for so many groups with so many rows in all. */
double bosc_rows_bytes(double n_groups, double n_rows);

#endif
