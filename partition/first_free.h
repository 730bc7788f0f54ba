/* first_free.h - which part is done first with one more item: a tree over
 * parts.
 *
 * A node knows the least time, the greatest speed and the most room of the
 * parts under it, so a search leaves out what cannot be better.
 */
#ifndef BOSC_PARTITION_FIRST_FREE_H
#define BOSC_PARTITION_FIRST_FREE_H

#include "partition/parts.h"

typedef struct bosc_first_free_node {
    double time, speed;
    int64_t room;
} bosc_first_free_node;

typedef struct bosc_first_free {
    int32_t n, leaves;
    bosc_first_free_node
        *node;     /* [2 * leaves]; 1 is the root, k's children 2k, 2k + 1;
           leaves are sorted by speed, so that one says much */
    int32_t *leaf; /* [n] node of each part */
    int32_t *part; /* [n] part of each leaf */
    int64_t *load; /* [n] */
} bosc_first_free;

static inline double bosc_part_speed(const bosc_parts *parts, int32_t p)
{
    return parts->each == NULL ? 1.0 : parts->each[p].speed;
}

static inline int64_t bosc_part_room(const bosc_parts *parts, int32_t p)
{
    return parts->each == NULL ? INT64_MAX : parts->each[p].room;
}

/* Parts by a number, such as their times. */
typedef struct bosc_part_time {
    double time;
    int32_t part;
} bosc_part_time;

/* The greatest first, and of equal ones the first part. */
void bosc_part_times_sort(bosc_part_time *parts, int32_t n);

/* All parts without load.  BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_first_free_create(const bosc_parts *parts,
                                   bosc_first_free *out, bosc_error *err);
void bosc_first_free_clear(bosc_first_free *tree);

/* The part with room that would be done first, the first of those; -1: none has
 * room. */
int32_t bosc_first_free_find(const bosc_first_free *tree, int64_t cost,
                             int64_t bytes);

/* The fastest part with room, and the first of those, -1: none. */
int32_t bosc_first_free_fastest(const bosc_first_free *tree, int64_t bytes);

/* Part p gets (or with negative numbers loses) an item. */
void bosc_first_free_add(bosc_first_free *tree, int32_t p, int64_t cost,
                         int64_t bytes);

/* Part p computes at that speed, from now on. */
void bosc_first_free_set_speed(bosc_first_free *tree, int32_t p, double speed);

static inline const bosc_first_free_node *
bosc_first_free_part(const bosc_first_free *tree, int32_t p)
{
    return &tree->node[tree->leaf[p]];
}

#endif
