/* cuda_dfs_plan.h - depth-first sweeps on a GPU: what each warp reads, and the
 * launch.
 *
 * Made on the host.  Neurons are sorted by size and stand in groups of a warp's
 * 32 lanes, interleaved, roots together (kernels/batch/layout.h), rows in the
 * order of kernels/dfs/visits.h.  A lane walks its neuron from the last row to
 * the first with the row after in registers.  A row where a branch begins (its
 * parent is not the row before) is pushed on a little stack; its parent pops
 * it.  On the way back a parent of such rows pushes its voltage, and the last
 * of them pops it.
 *
 * One byte, the code, says all that for a row.  Worked example: neuron A of
 * kernels/README.md, parents -1 0 1 2 1 4:
 *     row    5   4              3   2   1             0
 *     code   0   BRANCH | LAST  0   0   1 (to pop)    0
 * Rows are read in batches, and the codes of a batch are one word: byte j of
 * word m is of row m * BATCH + j.
 *
 * Numbers within a warp: row i of lane k at first + i * 32 + k; likewise the
 * words.  A group whose lanes are all of one tree reads the tree's words, and
 * its u if those are shared.
 */
#ifndef BOSC_KERNELS_DFS_CUDA_DFS_PLAN_H
#define BOSC_KERNELS_DFS_CUDA_DFS_PLAN_H

#include "kernels/solve/solver_cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BOSC_DFS_LANES = 32,
    BOSC_DFS_BATCH = 8,  /* rows */
    BOSC_DFS_STAGES = 4, /* batches on the chip: one is worked on, the others
                               are on their way */

    /* The bits of a code. */
    BOSC_DFS_BRANCH = 128,
    BOSC_DFS_LAST = 64, /* of the branches that end in one row */
    BOSC_DFS_POPS = 63  /* rows to pop; this or more: see bushy */
};

/* Bytes of the batches that a warp has on the chip. */
#define BOSC_DFS_RING(real)                                                    \
    (BOSC_DFS_STAGES * BOSC_DFS_LANES *                                        \
     (3 * BOSC_DFS_BATCH * sizeof(real) + sizeof(uint64_t)))

/* A warp's neurons. */
typedef struct bosc_dfs_group {
    ptrdiff_t first; /* slot of row 0 of lane 0 */
    ptrdiff_t code;  /* of batch 0 of lane 0, in codes */
    ptrdiff_t u;     /* of row 0 of lane 0, in u */
    ptrdiff_t stack; /* in a stack outside the chip, rows; -1: on the chip */
    int32_t rows, depth;      /* of the longest lane, of the deepest stack */
    int8_t code_lane, u_lane; /* 1: from lane to lane, else 0: shared */
} bosc_dfs_group;

/* A row that pops BOSC_DFS_POPS rows or more. */
typedef struct bosc_dfs_bushy {
    int32_t row, pops;
} bosc_dfs_bushy;

/* Its arrays are on the host, or on the device. */
typedef struct bosc_cuda_dfs_plan {
    int32_t n_groups;
    bosc_dfs_group *groups;          /* [n_groups] greatest first */
    ptrdiff_t n_codes, n_tree_codes; /* of them those of trees */
    uint64_t *codes;       /* of all trees, then of groups of several */
    int32_t *lane_tree;    /* [n_groups * LANES]; 0 where none is */
    int32_t *bushy_first;  /* [n_trees + 1] */
    bosc_dfs_bushy *bushy; /* [bushy_first[n_trees]] by row */
    int32_t n_trees;
    int32_t near_depth; /* greatest depth of a stack on the chip */
    ptrdiff_t far_rows; /* of all stacks that are not */
    ptrdiff_t n_u; /* numbers of u: as slots, or where the systems shares u,
                      of all trees and of groups of several */
} bosc_cuda_dfs_plan;

/* 'near': the depth of stack that the chip has room for.
 * BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_cuda_dfs_plan_create(const bosc_systems *systems,
                                      const int64_t *first_tree,
                                      const bosc_layout *layout, int32_t near,
                                      bosc_cuda_dfs_plan *plan,
                                      bosc_error *err);
void bosc_cuda_dfs_plan_clear(bosc_cuda_dfs_plan *plan);

/* u as groups read it, [n_u], for a systems with shared_u. */
void bosc_cuda_dfs_plan_spread(const bosc_systems *systems,
                               const int64_t *first_tree,
                               const bosc_layout *layout,
                               const bosc_cuda_dfs_plan *plan, double *u);

/* What the family depth-first has of a solver (bosc_cuda_solver.own). */
typedef struct bosc_dfs_own {
    bosc_cuda_dfs_plan plan; /* on the device */
    void *far;               /* the stacks that are not on the chip */
} bosc_dfs_own;

/* Launch the kernel of one solve; it fails as bosc_cuda_launched(). */
bosc_status bosc_dfs_launch(const bosc_cuda_solver *solver, bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
