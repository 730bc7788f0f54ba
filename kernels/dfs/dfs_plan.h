/* dfs_plan.h - where branches begin in the lanes of a group: what the
 * depth-first sweeps (dfs_sweep.h) follow beside the numbers.
 *
 * A branch begins in row i of a lane when its node's parent is not i - 1: on
 * the way up the row hands its pair (f d, f b) to the parent's row, on the way
 * down it fetches the parent's solution.  Lanes whose branches begin in one row
 * and have their parents in one row do so together, and are one
 * bosc_dfs_branch. Example, two lanes, the neurons A and B of README.md: row 0
 * 1  2  3                4 branches       -  -  -  lane B to row 1  lane A to
 * row 1 Groups of one shape share one list, with branches of all lanes.
 */
#ifndef BOSC_KERNELS_DFS_DFS_PLAN_H
#define BOSC_KERNELS_DFS_DFS_PLAN_H

#include "kernels/batch/layout.h"

/* Lanes in which a branch begins whose parent is in the row that has its first
 * slot 'at' slots after the group's. */
typedef struct bosc_dfs_branch {
    int32_t at;     /* row of the parent times the lanes of a row */
    uint32_t lanes; /* bit k: lane k */
} bosc_dfs_branch;

/* The branches of a group, or of all groups of one shape; both arrays are the
 * plan's. */
typedef struct bosc_dfs_branching {
    int32_t g;                  /* a group that has them */
    const uint8_t *count;       /* [rows] branches that begin in each row */
    const bosc_dfs_branch *end; /* one past the last; before it they stand by
                                   row, ascending, as many as 'count' says */
} bosc_dfs_branching;

/* Owns its arrays; constant once created. */
typedef struct bosc_dfs_plan {
    int32_t n_branchings;
    bosc_dfs_branching *branchings; /* [n_branchings] */
    int32_t *branching; /* [n_groups] index of that of a group; -1: its width
                           is 1, and its tree's parents say it */
    size_t n_counts;    /* rows of all branchings */
    size_t n_branches;  /* of all branchings */
    uint8_t *counts;    /* [n_counts] */
    bosc_dfs_branch *branches; /* [n_branches] */
} bosc_dfs_plan;

/* The plan of a layout whose neuron i has the tree trees[shape[i]]; the layout,
 * shape and trees are not needed afterwards.  On failure the plan is empty.
 * BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_dfs_plan_create(const bosc_layout *layout,
                                 const int32_t *shape, const bosc_tree *trees,
                                 bosc_dfs_plan *plan, bosc_error *err);
void bosc_dfs_plan_clear(bosc_dfs_plan *plan);

/* Bytes of a plan for n_groups groups, none like another, that have n_rows rows
 * and n_branches branches in all: an upper bound for what create() allocates.
 */
double bosc_dfs_plan_bytes(double n_groups, double n_rows, double n_branches);

#endif
