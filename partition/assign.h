/* assign.h - who computes what: neurons to parts (ranks, devices) by cost.
 *
 * A leaf: no MPI, no files.  Every rank computes the same answer.
 *
 * Greatest cost first, each to the part that would be done with it first
 * (Graham's LPT rule), then moves and swaps between slow parts and fast ones
 * until there is no gain.  Where the parts compute several neurons side by
 * side, those of one kind or of like size are assigned together, as many as
 * fill the lanes, unless fewer at a time end earlier with the padding counted.
 *
 * The answer depends on the items' numbers, and on their order only among items
 * that have the same numbers: a list in another order gives every part items of
 * the same cost, bytes and size; how kinds are numbered does not matter either.
 * (Kinds whose costliest items are the same, and groups of the same total cost,
 * are taken in the order of their numbers and first items.)
 */
#ifndef BOSC_PARTITION_ASSIGN_H
#define BOSC_PARTITION_ASSIGN_H

#include "partition/parts.h"

/* Give item i to part[i] in 0..parts->n - 1.  No part gets more bytes than it
 * has room for.  Groups stay whole, but for those of more than a part's mean
 * load or too large for any, or where there is no room otherwise.  Those of too
 * much load are cut along items->ties (groups.h) unless the slowest part would
 * be 5 % late; the others are divided like items without a group.
 *
 * O(n log n) and bosc_assign_bytes().
 * 'report' may be NULL.  BOSC_ENOMEM, with the numbers and how many parts would
 * do, when there is no room for all; BOSC_EVALUE for a speed or a number of
 * items out of range.  'part' is undefined then. */
bosc_status bosc_assign(const bosc_items *items, const bosc_parts *parts,
                        int32_t *part, bosc_division *report, bosc_error *err);

/* Bytes that bosc_assign() takes while it runs, at most. */
double bosc_assign_bytes(double items, bool grouped, double ties);

#endif
