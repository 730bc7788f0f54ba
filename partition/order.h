/* order.h - sort numbers of things by one key after another. */
#ifndef BOSC_PARTITION_ORDER_H
#define BOSC_PARTITION_ORDER_H

#include <stdint.h>

/* The key of thing i. */
typedef uint64_t (*bosc_key)(const void *things, uint32_t i);

/* Sort order[n] by the key, ascending; equal ones stay in their order, so
 * sorting by the least important key first gives the order by all.  scratch[n]
 * is overwritten.  Passes over the digits that differ: O(n). */
void bosc_order_by(bosc_key key, const void *things, uint32_t n,
                   uint32_t *order, uint32_t *scratch);

#endif
