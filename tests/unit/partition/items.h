/* items.h - items to divide, for tests of partition. */
#ifndef BOSC_TESTS_UNIT_PARTITION_ITEMS_H
#define BOSC_TESTS_UNIT_PARTITION_ITEMS_H

#include "partition/assign.h"

/* A little generator, so that tests are the same everywhere. */
uint64_t items_next(uint64_t *state);

/* Items with all their numbers, and what became of them. */
typedef struct trial {
    int64_t n, *cost, *bytes, *leader;
    int32_t *size, *kind, *part;
    bosc_division report;
    bosc_error err;
} trial;

/* n items, each of its own kind and group, without cost. */
trial trial_of(int64_t n);
void trial_free(trial *t);

/* n neurons of least..most compartments, each of its own kind. */
trial neurons(int64_t n, int64_t least, int64_t most, uint64_t seed);

/* Divide them, groups left aside. */
bosc_status assign(trial *t, const bosc_parts *parts);

/* Has every item a part? */
bool all_inside(const trial *t, int32_t parts);

/* The sums of the parts, [parts]; free(). */
int64_t *sums(const trial *t, const int64_t *what, int32_t parts);

#endif
