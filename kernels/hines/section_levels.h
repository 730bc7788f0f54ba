/* section_levels.h - a tree cut into sections, and sections into levels.
 *
 * A section is a run i, i + 1, ... of compartments each of which is the only
 * child of the one before; it ends at a branch point or a tip.  Levels count
 * from the tips: a section is one level above the highest of its children.  So
 * the tips, half of all sections and the longest ones, are together in level 0.
 * In depth-first order sections are contiguous, and numbered as their
 * compartments are:
 *
 *        0            section   0    1    2
 *        |            rows     0-1  2-3  4-5
 *        1            parent   -1    0    0
 *       / \           level     1    0    0
 *      2   4
 *      |   |
 *      3   5
 */
#ifndef BOSC_KERNELS_HINES_SECTION_LEVELS_H
#define BOSC_KERNELS_HINES_SECTION_LEVELS_H

#include "kernels/batch/layout.h"

typedef struct bosc_section_levels {
    int32_t n, n_levels;
    int32_t *first;  /* [n + 1] first compartment of each */
    int32_t *parent; /* [n] section; that of the root -1 */
    int32_t *level;  /* [n] less than n_levels */
} bosc_section_levels;

/* The sections of a depth-first tree.  BOSC_OK, or BOSC_ENOMEM with *out
 * untouched. */
bosc_status bosc_section_levels_create(const bosc_tree *tree,
                                       bosc_section_levels *out,
                                       bosc_error *err);
void bosc_section_levels_clear(bosc_section_levels *runs);

/* Those of n trees, [n]; freed by bosc_section_levels_destroy_all(). */
bosc_status bosc_section_levels_create_all(const bosc_tree *trees, int32_t n,
                                           bosc_section_levels **out,
                                           bosc_error *err);
/* Count the levels of these n trees from the root instead, as the literature
 * does: the root is in the highest level that a tree of them has, each child
 * one below its parent.  So children still have lower levels, all trees as many
 * as the deepest, and a tip may be in any. */
void bosc_section_levels_from_root(bosc_section_levels *runs, int32_t n);
void bosc_section_levels_destroy_all(bosc_section_levels *runs, int32_t n);

static inline int32_t bosc_section_levels_rows(const bosc_section_levels *runs,
                                               int32_t s)
{
    return runs->first[s + 1] - runs->first[s];
}

#endif
