/* deal.h - units on parts, and how to improve that. */
#ifndef BOSC_PARTITION_DEAL_H
#define BOSC_PARTITION_DEAL_H

#include "partition/seats.h"
#include "partition/units.h"

/* The units of a part are a list of places in units->sorted, ascending, so
 * dearest first. */
typedef struct bosc_deal {
    const bosc_units *units;
    bosc_seats seats;
    uint32_t *head; /* [seats.n] */
    uint32_t *next; /* [units->n] BOSC_NONE ends a list */
} bosc_deal;

typedef enum bosc_deal_rule {
    BOSC_DEAL_SOONEST, /* to the part that is done first */
    BOSC_DEAL_FIRST    /* to the first part with room */
} bosc_deal_rule;

/* Deal out all units, the dearest first.  BOSC_OK with *fits false where a unit
 * found no room (then *out is empty), or BOSC_ENOMEM. */
bosc_status bosc_deal_create(const bosc_units *units, const bosc_parts *parts,
                             bosc_deal_rule rule, bosc_deal *out, bool *fits,
                             bosc_error *err);
/* Units whose items are on these parts, [items->n], already.  BOSC_OK or
 * BOSC_ENOMEM. */
bosc_status bosc_deal_again(const bosc_units *units, const bosc_parts *parts,
                            const int32_t *part, bosc_deal *out,
                            bosc_error *err);
void bosc_deal_clear(bosc_deal *deal);

/* Exchange units between slow parts and fast ones until the slowest is no more
 * than 'near' (above 1) of what it could be, there is no gain, or *looks, a
 * measure of work that is counted down, is no longer positive.
 * BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_deal_level(bosc_deal *deal, double near, int64_t *looks,
                            bosc_error *err);

/* Cost and bytes of the unit at a place; of BOSC_NONE 0. */
static inline int64_t bosc_deal_cost(const bosc_deal *deal, uint32_t place)
{
    return place == BOSC_NONE
               ? 0
               : bosc_unit_cost(deal->units, deal->units->sorted[place]);
}

int64_t bosc_deal_bytes(const bosc_deal *deal, uint32_t place);

/* Move a unit from part to part, unless it is BOSC_NONE. */
void bosc_deal_move(bosc_deal *deal, uint32_t place, int32_t from, int32_t to);

/* Parts by time. */
typedef struct bosc_part_time {
    double time;
    int32_t part;
} bosc_part_time;

/* The slowest first. */
void bosc_deal_sort(bosc_part_time *parts, int32_t n);

/* The part of each item. */
void bosc_deal_tell(const bosc_deal *deal, int32_t *part);

#endif
