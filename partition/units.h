/* units.h - what is dealt out whole: an item, a group, a chunk of like items.
 *
 * All numbers of items and units are below UINT32_MAX, which says "none".
 */
#ifndef BOSC_PARTITION_UNITS_H
#define BOSC_PARTITION_UNITS_H

#include "partition/assign.h"

#define BOSC_NONE UINT32_MAX

typedef struct bosc_units {
    const bosc_items *items;
    uint32_t n;
    uint32_t *member; /* [items->n] those of each unit together */
    uint32_t *first;  /* [n + 1] first member of each unit; NULL: unit u is
                         member u */
    int64_t *cost;    /* [n]; NULL: those of the items */
    uint32_t *sorted; /* [n] units, dearest first */
} bosc_units;

/* Items in the order in which they are like each other: greatest size first,
 * then by kind, greatest cost, most bytes.  order[items->n]. */
bosc_status bosc_units_order(const bosc_items *items, uint32_t *order,
                             bosc_error *err);

/* Make units of the items in that order.  Those with leader[i] != i, and their
 * leaders, are units by groups, if 'whole'.  Others are taken up to 'chunk' at
 * a time, a power of 2, as long as a chunk costs at most 'limit': first those
 * of one kind, then those of like size.  BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_units_create(const bosc_items *items, const uint32_t *order,
                              bool whole, int32_t chunk, int64_t limit,
                              bosc_units *out, bosc_error *err);
void bosc_units_clear(bosc_units *units);

static inline uint32_t bosc_unit_first(const bosc_units *units, uint32_t u)
{
    return units->first == NULL ? u : units->first[u];
}

static inline int64_t bosc_unit_cost(const bosc_units *units, uint32_t u)
{
    return units->cost == NULL ? units->items->cost[units->member[u]]
                               : units->cost[u];
}

int64_t bosc_unit_bytes(const bosc_units *units, uint32_t u);

/* The rows of a lane that an item has. */
static inline int64_t bosc_item_size(const bosc_items *items, uint32_t i)
{
    return items->size == NULL ? items->cost[i] : items->size[i];
}

#endif
