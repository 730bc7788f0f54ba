/* groups.h - items that should be on one part: a union-find forest, and how
 * groups that are too much for one part are cut.
 */
#ifndef BOSC_PARTITION_GROUPS_H
#define BOSC_PARTITION_GROUPS_H

#include <stdint.h>

#include "partition/parts.h"

/* Who belongs together: leader[i] <= i is another item of i's group, or i
 * itself for the first of a group.  Begin with leader[i] = i; joining two items
 * joins their groups. */
void bosc_union_join(int64_t *leader, int64_t a, int64_t b);

/* The first item of i's group. */
int64_t bosc_union_root(int64_t *leader, int64_t i);

/* Let leader[i] be the first item of i's group, and cut the groups that cost
 * more than a part's mean load, or need more bytes than any part has room for.
 * With items->ties a group that costs too much becomes pieces of what the parts
 * can take, along the ties, so that few of these join two pieces; otherwise its
 * members lead themselves.  *cut: there are such pieces.  BOSC_ENOMEM leaves
 * the groups in any state. */
bosc_status bosc_groups_cut(const bosc_items *items, const bosc_parts *parts,
                            bool *cut, bosc_error *err);

/* Bytes that it takes, at most. */
double bosc_groups_bytes(double items, double ties);

#endif
