/* units.h - what is dealt out whole: an item, a group, a chunk of like items.
 *
 * All numbers of items and units are below UINT32_MAX, which says "none".
 */
#ifndef BOSC_PARTITION_UNITS_H
#define BOSC_PARTITION_UNITS_H

#include "partition/parts.h"

#define BOSC_NONE UINT32_MAX

typedef struct bosc_units {
    const bosc_items *items;
    uint32_t n;
    int32_t most;           /* members of a unit that is no group */
    const uint32_t *member; /* [items->n] those of each unit together */
    uint32_t *own;          /* what of it is to be freed */
    uint32_t *first;  /* [n + 1] first member of each unit; NULL: unit u is
                         member u */
    int64_t *cost;    /* [n]; NULL: those of the items */
    uint32_t *sorted; /* [n] units, dearest first */
} bosc_units;

/* Items in the order in which they are like each other: greatest size first,
 * then kind by kind, greatest cost first, most bytes first; kinds likewise by
 * their dearest item, so it does not matter how they are numbered.
 * order[items->n]. */
bosc_status bosc_units_order(const bosc_items *items, uint32_t *order,
                             bosc_error *err);

/* What becomes a unit. */
typedef struct bosc_unit_rule {
    bool whole;    /* those with leader[i] != i, and their leaders: by groups */
    int32_t chunk; /* of others so many, a power of 2 */
    int64_t limit; /* where a chunk costs more, one item, which walks alone */
    double alone;  /* what a row then costs more */
} bosc_unit_rule;

/* Make units of the items in that order, which outlives them; chunks first of
 * one kind, then of like size.  BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_units_create(const bosc_items *items, const uint32_t *order,
                              const bosc_unit_rule *rule, bosc_units *out,
                              bosc_error *err);
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
