/* tree.h - for tests: number any tree depth-first.  The program numbers whole
 * sections instead (src/morphology/cable_order.h).
 */
#ifndef BOSC_TESTS_LIB_TREE_H
#define BOSC_TESTS_LIB_TREE_H

#include <stdint.h>

#include "src/base/status.h"

/* A depth-first numbering of any tree with parent[0] == -1 and parent[i] < i:
 * order[new] = old, [n], given by the caller.  Children are numbered in the
 * order of the stack their subtrees need, deepest last (ties: as they were), so
 * that the walk from n - 1 down to 0 keeps about log2(tips) open branches.
 *
 * Example: 0 has children 1 and 2, 1 has 3 and 4: the subtree of 1 branches,
 * so it comes last and order is 0 2 1 3 4.
 *
 * Returns BOSC_OK or BOSC_ENOMEM. */
bosc_status tree_order(int32_t n, const int32_t *parent, int32_t *order,
                       bosc_error *err);

/* The parents in the new numbering: new_parent[k] is that of order[k].
 * Returns BOSC_OK or BOSC_ENOMEM. */
bosc_status tree_renumber(int32_t n, const int32_t *parent,
                          const int32_t *order, int32_t *new_parent,
                          bosc_error *err);

#endif
