/* dfs_plan.h - where the lanes of a group turn: what the depth-first sweeps
 * (dfs_sweep.h) follow beside the numbers.
 *
 * A lane turns in row i when its node's parent is not i - 1: its pair goes to
 * the parent's row.  Lanes that turn in one row to one parent's row do so
 * together; that is a turn.  Example, two lanes, the neurons A and B of
 * README.md:
 *     row            0  1  2  3                4
 *     turns          -  -  -  lane B to row 1  lane A to row 1
 * Groups of one shape go one way, with turns of all lanes.
 */
#ifndef BOSC_KERNELS_DFS_DFS_PLAN_H
#define BOSC_KERNELS_DFS_DFS_PLAN_H

#include "kernels/batch/layout.h"

/* Lanes that turn to the row whose first slot is 'at' after the group's. */
typedef struct bosc_dfs_branch {
    int32_t at;
    uint32_t lanes; /* bit k: lane k */
} bosc_dfs_branch;

/* The turns of a group, or of all groups of one shape. */
typedef struct bosc_way {
    int32_t g;                  /* a group that goes so */
    const uint8_t *count;       /* [rows] turns of each row */
    const bosc_dfs_branch *end; /* before it the turns, rows ascending */
} bosc_way;

typedef struct bosc_dfs_plan {
    int32_t n_ways;
    bosc_way *ways;
    int32_t *way; /* [n_groups] that of a group; of width 1: -1 */
    size_t n_counts, n_turns;
    uint8_t *counts;        /* [n_counts] of all ways */
    bosc_dfs_branch *turns; /* [n_turns] */
} bosc_dfs_plan;

/* The plan of a layout whose neurons have these trees.  On failure the plan is
 * empty.  BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_dfs_plan_create(const bosc_layout *layout,
                                 const int32_t *shape, const bosc_tree *trees,
                                 bosc_dfs_plan *plan, bosc_error *err);
void bosc_dfs_plan_clear(bosc_dfs_plan *plan);

/* Bytes of a plan for so many groups with so many rows and turns in all. */
double bosc_dfs_plan_bytes(double n_groups, double n_rows, double n_turns);

#endif
