/* parts.h - what is divided, and what it is divided over.
 */
#ifndef BOSC_PARTITION_PARTS_H
#define BOSC_PARTITION_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/status.h"

/* Two items that would have to exchange something if their parts differ. */
typedef struct bosc_tie {
    uint32_t a, b;
} bosc_tie;

/* What is divided.  Sums of costs, and of bytes, must be below 2^62. */
typedef struct bosc_items {
    int64_t n;            /* less than 2^32 - 1 */
    const int64_t *cost;  /* [n] >= 0 */
    const int64_t *bytes; /* [n] >= 0 on the part that has it; NULL: none */
    const int32_t *size;  /* [n] >= 0 rows in a lane; NULL: the cost */
    const int32_t *kind;  /* [n] those of one kind >= 0, of one size, are alike;
                            NULL: none */
    int64_t *leader; /* [n] who stays together, from bosc_union_join(), or NULL;
                        it is changed */
    size_t n_ties;   /* those that have joined the groups of 'leader', or 0 */
    const bosc_tie *ties; /* [n_ties] */
} bosc_items;

typedef struct bosc_part {
    double speed; /* > 0, cost in a chunk of time; only ratios matter */
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
    const char *noun;      /* what messages call a part; NULL: "rank" */
} bosc_parts;

/* How good a division is.  The time of a part is its cost over its speed; where
 * there are lanes, with that of padding and of what walks alone. */
typedef struct bosc_division {
    double imbalance; /* slowest part over what all take on average */
    double slowest;   /* slowest part over all cost at the speed of all parts
                         without padding: the least possible is 1 */
    double padding;   /* rows of lanes, with padding, over rows of items */
    int32_t chunk;    /* most items that were assigned together */
} bosc_division;

#endif
