/* dfs.h - the depth-first sweeps, for the time loop and for the solver: one
 * solve of a tile of groups, by the vector code of an instruction set.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_DFS_DFS_H
#define BOSC_KERNELS_DFS_DFS_H

#include "kernels/batch/tile.h"
#include "kernels/dfs/dfs_plan.h"

/* What all tiles share. */
typedef struct bosc_dfs {
    const bosc_layout *layout;
    const int32_t *shape; /* [n_neurons] */
    const bosc_tree *trees;
    bosc_dfs_plan plan;
    const void *u; /* in slots, from slot first_u on */
    ptrdiff_t first_u;
    const void *tree_u; /* NULL, or that of uniform groups, tree after tree */
    const int64_t *first_tree; /* with tree_u: [n_trees] where each begins */
} bosc_dfs;

/* Solve for a tile.  d and b begin at its first slot; they are overwritten, b
 * becomes the solution. */
typedef void bosc_dfs_solve(const bosc_dfs *dfs, const bosc_tile *tile, void *d,
                            void *b);

/* For one precision: the lanes of a vector register. */
typedef struct bosc_dfs_code {
    int32_t lanes;
    bosc_dfs_solve *solve;
} bosc_dfs_code;

/* Of an instruction set: [0] double, [1] float. */
typedef struct bosc_dfs_codes {
    bosc_dfs_code of[2];
} bosc_dfs_codes;

extern const bosc_dfs_codes bosc_dfs_base, bosc_dfs_v3, bosc_dfs_v4;

#endif
