/* seats.h - which part is done first with one more item: a tree over parts.
 *
 * A node knows the least time, the greatest speed and the most room of the
 * parts under it, so a search leaves out what cannot be better.
 */
#ifndef BOSC_PARTITION_SEATS_H
#define BOSC_PARTITION_SEATS_H

#include "partition/parts.h"

typedef struct bosc_seat {
    double time, speed;
    int64_t room;
} bosc_seat;

typedef struct bosc_seats {
    int32_t n, leaves;
    bosc_seat *node; /* [2 * leaves]; 1 is the root, k's children 2k, 2k + 1;
                        leaves are sorted by speed, so that one says much */
    int32_t *leaf;   /* [n] node of each part */
    int32_t *part;   /* [n] part of each leaf */
    int64_t *load;   /* [n] */
} bosc_seats;

static inline double bosc_part_speed(const bosc_parts *parts, int32_t p)
{
    return parts->each == NULL ? 1.0 : parts->each[p].speed;
}

static inline int64_t bosc_part_room(const bosc_parts *parts, int32_t p)
{
    return parts->each == NULL ? INT64_MAX : parts->each[p].room;
}

/* All parts without load.  BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_seats_create(const bosc_parts *parts, bosc_seats *out,
                              bosc_error *err);
void bosc_seats_clear(bosc_seats *seats);

/* The part with room that would be done first, the first of those; -1: none has
 * room. */
int32_t bosc_seats_find(const bosc_seats *seats, int64_t cost, int64_t bytes);

/* The fastest part with room, and the first of those, -1: none. */
int32_t bosc_seats_first(const bosc_seats *seats, int64_t bytes);

/* Part p gets (or with negative numbers loses) an item. */
void bosc_seats_add(bosc_seats *seats, int32_t p, int64_t cost, int64_t bytes);

/* Part p computes at that speed, from now on. */
void bosc_seats_speed(bosc_seats *seats, int32_t p, double speed);

static inline const bosc_seat *bosc_seats_at(const bosc_seats *seats, int32_t p)
{
    return &seats->node[seats->leaf[p]];
}

#endif
