/* capacity.h - say why there is no room for all items, and how many parts would
 * do.
 */
#ifndef BOSC_PARTITION_CAPACITY_H
#define BOSC_PARTITION_CAPACITY_H

#include "partition/parts.h"

/* What messages call a part. */
const char *bosc_part_noun(const bosc_parts *parts);

/* Do the sums alone show that there is no room? */
bool bosc_capacity_exceeded(const bosc_items *items, const bosc_parts *parts);

/* BOSC_ENOMEM with the numbers, for items that need bytes. */
bosc_status bosc_capacity_refuse(const bosc_items *items,
                                 const bosc_parts *parts, bosc_error *err);

#endif
