/* assign.h - who computes what: neurons to parts by cost.
 *
 * A leaf: no MPI, no files.  Every rank computes the same answer.
 */
#ifndef BOSC_PARTITION_ASSIGN_H
#define BOSC_PARTITION_ASSIGN_H

#include <stdint.h>

#include "src/status.h"

/* Give item i of cost[i] >= 0 to part[i] in 0..parts-1: greatest cost first,
 * each to the part with the least so far (Graham's LPT rule, at most 4/3 of
 * the best possible), ties by the lower item and the lower part.  O(n log n).
 */
bosc_status bosc_assign(int64_t n, const int64_t *cost, int32_t parts,
                        int32_t *part, bosc_error *err);

/* Who belongs together: leader[i] <= i is another item of i's group, or i
 * itself for the first of a group.  Begin with leader[i] = i; joining two items
 * joins their groups. */
void bosc_bind(int64_t *leader, int64_t a, int64_t b);

/* The first item of i's group. */
int64_t bosc_bound_to(int64_t *leader, int64_t i);

/* bosc_assign, but groups stay whole where none of them alone is more than a
 * part's mean load; larger groups are divided like items without a group. */
bosc_status bosc_assign_bound(int64_t n, const int64_t *cost, int64_t *leader,
                              int32_t parts, int32_t *part, bosc_error *err);

/* Greatest load over the mean; 1 where there is none at all. */
double bosc_imbalance(int32_t parts, const int64_t *load_of);

#endif
