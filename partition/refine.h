/* refine.h - the last exchanges between parts, with what lanes make of them. */
#ifndef BOSC_PARTITION_REFINE_H
#define BOSC_PARTITION_REFINE_H

#include "partition/bins.h"
#include "partition/assignment.h"

/* What lanes add to the cost of a part: see bosc_parts. */
typedef struct bosc_lane_costs {
    int32_t lanes;
    double row, alone, wait;
} bosc_lane_costs;

static inline double bosc_lane_cost(const bosc_lane_costs *c,
                                    const bosc_bin *bin)
{
    return c->lanes < 2 ? 0
                        : (double)(bin->slots - bin->rows) * c->row +
                              (double)bin->alone * c->alone +
                              (double)bin->waits / 5 * c->wait; /* fifths */
}

/* Put an item into bin b. */
static inline void bosc_lane_put(bosc_bins *bins, int32_t b,
                                 const bosc_items *items, uint32_t i)
{
    bosc_bins_add(bins, b, bosc_item_size(items, i),
                  items->kind == NULL ? -1 : items->kind[i]);
}

/* Exchange chunks between slow parts and fast ones until the slowest is no more
 * than 'near' (above 1) of the mean, there is no gain, or *budget,  examined
 * items, is used up.  'order' is that of bosc_chunks_order().
 * BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_assignment_refine(bosc_assignment *assignment,
                                   const uint32_t *order,
                                   const bosc_lane_costs *costs, double near,
                                   int64_t *budget, bosc_error *err);

#endif
