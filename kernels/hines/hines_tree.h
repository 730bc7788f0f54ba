/* hines_tree.h - the plain Hines algorithm for one neuron, in both precisions.
 *
 * All arrays are of the neuron, [tree->n].  d and b are overwritten: d by the f
 * of each row, b by the solution.
 */
#ifndef BOSC_KERNELS_HINES_HINES_TREE_H
#define BOSC_KERNELS_HINES_HINES_TREE_H

#include "kernels/batch/layout.h"
#include "kernels/hines/hines.h"

BOSC_HINES(float, bosc_row_single, bosc_eliminate_single,
           bosc_substitute_single);

#define BOSC_HINES_TREE(name, real, row_of, eliminate, substitute)             \
    static inline void name(const bosc_tree *tree, const real *u, real *d,     \
                            real *b)                                           \
    {                                                                          \
        const int32_t *parent = tree->parent;                                  \
                                                                               \
        for (int32_t i = tree->n - 1; i > 0; --i) {                            \
            const row_of row = eliminate(d[i], u[i], b[i]);                    \
                                                                               \
            d[i] = row.f;                                                      \
            b[i] = row.w;                                                      \
            d[parent[i]] -= row.d;                                             \
            b[parent[i]] -= row.b;                                             \
        }                                                                      \
        b[0] = eliminate(d[0], u[0], b[0]).w;                                  \
        for (int32_t i = 1; i < tree->n; ++i)                                  \
            b[i] = substitute(d[i], b[i], b[parent[i]]);                       \
    }

BOSC_HINES_TREE(bosc_solve_tree, double, bosc_row, bosc_eliminate,
                bosc_substitute);
BOSC_HINES_TREE(bosc_solve_tree_single, float, bosc_row_single,
                bosc_eliminate_single, bosc_substitute_single);

#endif
