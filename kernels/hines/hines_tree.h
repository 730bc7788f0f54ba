/* hines_tree.h - the plain Hines algorithm for one neuron, for each kind of
 * numbers.
 */
#ifndef BOSC_KERNELS_HINES_HINES_TREE_H
#define BOSC_KERNELS_HINES_HINES_TREE_H

#include "kernels/batch/layout.h"
#include "kernels/hines/numbers.h"

/* Solve one neuron.  All arrays are of it, [tree->n].  d and b are overwritten:
 * d by the f of each row, b by the solution. */
typedef void bosc_tree_solve(const bosc_tree *tree, const void *u, void *d,
                             void *b);

extern bosc_tree_solve *const bosc_tree_solves[BOSC_NUMBERS_KINDS];

#endif
