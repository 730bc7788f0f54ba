/* hines_tree.h - the plain Hines algorithm for one neuron, in both precisions.
 *
 * All arrays are of the neuron, [tree->n].  d and b are overwritten: d by the f
 * of each row, b by the solution.
 */
#ifndef BOSC_KERNELS_HINES_HINES_TREE_H
#define BOSC_KERNELS_HINES_HINES_TREE_H

#include "kernels/batch/layout.h"
#include "kernels/hines/hines.h"

BOSC_HINES(float, BOSC_FMA, bosc_row_single, bosc_eliminate_single,
           bosc_substitute_single);

#define BOSC_HINES_TREE(name, real, row_of, eliminate, substitute)             \
    static inline void name(const bosc_tree *tree, const real *u, real *d,     \
                            real *b)                                           \
    {                                                                          \
        const int32_t *parent = tree->parent;                                  \
                                                                               \
        row_of next = {0, 0, 0, 0};                                            \
                                                                               \
        for (int32_t i = tree->n - 1; i >= 0; --i) {                           \
            const int32_t p = parent[i];                                       \
                                                                               \
            next = eliminate(d[i], i > 0 ? u[i] : 0, b[i], next);              \
            d[i] = next.f;                                                     \
            b[i] = next.w;                                                     \
            if (p == i - 1)                                                    \
                continue;                                                      \
            d[p] -= next.f * next.d;                                           \
            b[p] -= next.f * next.b;                                           \
            next.f = 0;                                                        \
        }                                                                      \
        for (int32_t i = 1; i < tree->n; ++i)                                  \
            b[i] = substitute(d[i], b[i], b[parent[i]]);                       \
    }

BOSC_HINES_TREE(bosc_solve_tree, double, bosc_row, bosc_eliminate,
                bosc_substitute);
BOSC_HINES_TREE(bosc_solve_tree_single, float, bosc_row_single,
                bosc_eliminate_single, bosc_substitute_single);

#endif
