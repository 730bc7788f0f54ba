/* bins.h - things of different length side by side in lanes: padding, lane use.
 *
 * A bin is what one part, or one level of sections, has to compute.  Lanes walk
 * row by row: 'lanes' things side by side are a group, as long as its longest,
 * and what is much longer than the others may walk alone.  The rules are those
 * of kernels/batch/layout.h (methods that mix groups and lone neurons: stream)
 * and of kernels/thomas/thomas.h (whole groups only: levels-sliced), whose
 * results these numbers predict.  A leaf: no MPI, no files.
 *
 * Example, 2 lanes, 9 4 4: in mixed bins 9 walks alone and (4 4) together: 17
 * slots, 13 steps; in whole ones (9 4) and (4 -): 26 slots, 13 steps.
 */
#ifndef BOSC_PARTITION_BINS_H
#define BOSC_PARTITION_BINS_H

#include <stdint.h>

#include "src/base/status.h"

typedef enum bosc_bins_rule { BOSC_BINS_MIXED, BOSC_BINS_WHOLE } bosc_bins_rule;

typedef struct bosc_bins bosc_bins;

/* n empty bins; of 0 or 1 lanes, everything is alone.  BOSC_OK or BOSC_ENOMEM.
 */
bosc_status bosc_bins_create(int32_t n, int32_t lanes, bosc_bins_rule rule,
                             bosc_bins **out, bosc_error *err);
void bosc_bins_destroy(bosc_bins *bins); /* NULL: nothing */

/* Make all bins empty. */
void bosc_bins_reset(bosc_bins *bins);

/* Put an item of 'rows' rows into bin b; nothing longer may follow.  What
 * follows each other and has the same kind >= 0 fills mixed groups of its own
 * first; -1: it is like nothing else. */
void bosc_bins_add(bosc_bins *bins, int32_t b, int64_t rows, int32_t kind);

/* What a bin is made of. */
typedef struct bosc_bin {
    int64_t n, rows; /* what was put into it */
    int64_t slots;   /* rows of all lanes, padding included */
    int64_t alone;   /* rows of what walks alone */
    int64_t steps;   /* those, and rows of all groups */
    int64_t time;    /* of a step, in quarters of a row alone:
                        kernels/batch/layout.h's cost */
    int64_t
        waits; /* rows of groups with no other group solved beside, in
                  fifths: with one it is two of them (kernels/batch/tile.h) */
} bosc_bin;

/* Nothing of the kind of the last one may follow. */
bosc_bin bosc_bins_get(bosc_bins *bins, int32_t b);

/* Slots over rows, 1 for nothing. */
double bosc_bin_padding(const bosc_bin *bin);

/* Which part of the lanes' steps are rows, 1 for nothing. */
double bosc_bin_lane_use(const bosc_bin *bin, int32_t lanes);

#endif
