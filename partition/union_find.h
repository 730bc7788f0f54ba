/* union_find.h - items that belong together: a union-find forest.
 */
#ifndef BOSC_PARTITION_UNION_FIND_H
#define BOSC_PARTITION_UNION_FIND_H

#include <stdint.h>

/* Who belongs together: leader[i] <= i is another item of i's group, or i
 * itself for the first of a group.  Begin with leader[i] = i; joining two items
 * joins their groups. */
void bosc_union_join(int64_t *leader, int64_t a, int64_t b);

/* The first item of i's group. */
int64_t bosc_union_root(int64_t *leader, int64_t i);

#endif
