/* assign.h - who computes what: neurons to parts (ranks, devices) by cost.
 *
 * A leaf: no MPI, no files.  Every rank computes the same answer.
 *
 * Greatest cost first, each to the part that would be done with it first
 * (Graham's LPT rule), then moves and swaps between slow parts and fast ones
 * until there is no gain.  Where the parts compute several neurons side by
 * side, those of one kind or of like size are dealt out together, as many as
 * fill the lanes, unless fewer at a time end earlier with the padding counted.
 *
 * The answer depends on the items' numbers, and on their order only among items
 * that have the same numbers: a list in another order gives every part items of
 * the same cost, bytes and size; how kinds are numbered does not matter either.
 * (Kinds whose dearest items are the same, and groups of the same total cost,
 * are taken in the order of their numbers and first items.)
 */
#ifndef BOSC_PARTITION_ASSIGN_H
#define BOSC_PARTITION_ASSIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/status.h"

/* What is divided.  Sums of costs, and of bytes, must be below 2^62. */
typedef struct bosc_items {
    int64_t n;            /* less than 2^32 - 1 */
    const int64_t *cost;  /* [n] >= 0 */
    const int64_t *bytes; /* [n] >= 0 on the part that has it; NULL: none */
    const int32_t *size;  /* [n] >= 0 rows in a lane; NULL: the cost */
    const int32_t *kind;  /* [n] those of one kind >= 0, of one size, are alike;
                            NULL: none */
    int64_t *leader;      /* [n] who stays together, from bosc_bind(), or NULL;
                             it is changed */
} bosc_items;

typedef struct bosc_part {
    double speed; /* > 0, cost in a unit of time; only ratios matter */
    int64_t room; /* bytes for items; INT64_MAX: no limit */
} bosc_part;

typedef struct bosc_parts {
    int32_t n;             /* >= 1 */
    const bosc_part *each; /* [n]; NULL: all of one speed, without limits */
    int32_t lanes;         /* items that a part computes side by side; 0 or 1:
                              one after the other */
    double row, alone;     /* cost of a row of padding; what a row of an item
                              that walks alone costs more than in full lanes;
                              0: about, from the costs */
    double wait;           /* what a row with no others beside it costs more */
    const char *word;      /* what messages call a part; NULL: "rank" */
} bosc_parts;

/* How good a division is.  The time of a part is its cost over its speed; where
 * there are lanes, with that of padding and of what walks alone. */
typedef struct bosc_division {
    double imbalance; /* slowest part over what all take on average */
    double slowest;   /* slowest part over all cost at the speed of all parts
                         without padding: the least possible is 1 */
    double padding;   /* rows of lanes, with padding, over rows of items */
    int32_t chunk;    /* most items that were dealt out together */
} bosc_division;

/* Give item i to part[i] in 0..parts->n - 1.  No part gets more bytes than it
 * has room for.  Groups stay whole, but for those of more than a part's mean
 * load or too large for any, or where there is no room otherwise: these are
 * divided like items without a group.
 *
 * O(n log n), and at most 24 bytes an item while it runs (9 more with groups).
 * 'report' may be NULL.  BOSC_ENOMEM, with the numbers and how many parts would
 * do, when there is no room for all; BOSC_EVALUE for a speed or a number of
 * items out of range.  'part' is undefined then. */
bosc_status bosc_assign(const bosc_items *items, const bosc_parts *parts,
                        int32_t *part, bosc_division *report, bosc_error *err);

/* Who belongs together: leader[i] <= i is another item of i's group, or i
 * itself for the first of a group.  Begin with leader[i] = i; joining two items
 * joins their groups. */
void bosc_bind(int64_t *leader, int64_t a, int64_t b);

/* The first item of i's group. */
int64_t bosc_bound_to(int64_t *leader, int64_t i);

/* Greatest load over the mean; 1 where there is none at all. */
double bosc_imbalance(int32_t parts, const int64_t *load_of);

#endif
