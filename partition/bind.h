/* bind.h - items that belong together: a union-find forest.
 */
#ifndef BOSC_PARTITION_BIND_H
#define BOSC_PARTITION_BIND_H

#include <stdint.h>

/* Who belongs together: leader[i] <= i is another item of i's group, or i
 * itself for the first of a group.  Begin with leader[i] = i; joining two items
 * joins their groups. */
void bosc_bind(int64_t *leader, int64_t a, int64_t b);

/* The first item of i's group. */
int64_t bosc_bound_to(int64_t *leader, int64_t i);

#endif
