/* chunks.h - what is assigned whole, a chunk: one item, a group of bound items,
 * or several items of like size.
 *
 * All numbers of items and chunks are below UINT32_MAX, which says "none".
 */
#ifndef BOSC_PARTITION_CHUNKS_H
#define BOSC_PARTITION_CHUNKS_H

#include "partition/parts.h"

#define BOSC_NONE UINT32_MAX

typedef struct bosc_chunks {
    const bosc_items *items;
    uint32_t n;
    int32_t most;           /* members of a chunk that is no group */
    const uint32_t *member; /* [items->n] those of each chunk together */
    uint32_t *own;          /* what of it is to be freed */
    uint32_t *first;  /* [n + 1] first member of each chunk; NULL: chunk u is
                         member u */
    int64_t *cost;    /* [n]; NULL: those of the items */
    uint32_t *sorted; /* [n] chunks, costliest first */
} bosc_chunks;

/* Items in the order in which they are like each other: greatest size first,
 * then kind by kind, greatest cost first, most bytes first; kinds likewise by
 * their costliest item, so it does not matter how they are numbered.
 * order[items->n]. */
bosc_status bosc_chunks_order(const bosc_items *items, uint32_t *order,
                              bosc_error *err);

/* What becomes a chunk. */
typedef struct bosc_chunk_rule {
    bool whole;    /* those with leader[i] != i, and their leaders: by groups */
    int32_t size;  /* items of other chunks, a power of 2 */
    int64_t limit; /* where a chunk costs more, one item, which walks alone */
    double alone;  /* what a row then costs more */
} bosc_chunk_rule;

/* Make chunks of the items in that order, which outlives them; chunks first of
 * one kind, then of like size.  BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_chunks_create(const bosc_items *items, const uint32_t *order,
                               const bosc_chunk_rule *rule, bosc_chunks *out,
                               bosc_error *err);
void bosc_chunks_clear(bosc_chunks *chunks);

static inline uint32_t bosc_chunk_first(const bosc_chunks *chunks, uint32_t u)
{
    return chunks->first == NULL ? u : chunks->first[u];
}

static inline int64_t bosc_chunk_cost(const bosc_chunks *chunks, uint32_t u)
{
    return chunks->cost == NULL ? chunks->items->cost[chunks->member[u]]
                                : chunks->cost[u];
}

int64_t bosc_chunk_bytes(const bosc_chunks *chunks, uint32_t u);

/* The rows of a lane that an item has. */
static inline int64_t bosc_item_size(const bosc_items *items, uint32_t i)
{
    return items->size == NULL ? items->cost[i] : items->size[i];
}

#endif
