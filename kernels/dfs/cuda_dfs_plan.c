#include "kernels/dfs/cuda_dfs_plan.h"

#include <stdlib.h>

#include "src/base/mem.h"

/* While the trees' codes are made. */
typedef struct coder {
    ptrdiff_t *first;  /* [n_trees + 1] word of their first batch */
    int32_t *branches; /* [longest tree] branches met that end in a row; all 0
                       between trees */
    int32_t *depth;    /* [n_trees] of their stacks */
} coder;

void bosc_cuda_dfs_plan_clear(bosc_cuda_dfs_plan *plan)
{
    free(plan->groups);
    free(plan->codes);
    free(plan->lane_tree);
    free(plan->bushy_first);
    free(plan->bushy);
    *plan = (bosc_cuda_dfs_plan){0};
}

/* One row of a tree; the rows that it pops. */
static int32_t code_row(const bosc_tree *tree, int32_t i, int32_t *branches,
                        uint8_t *code)
{
    const int32_t p = tree->parent[i], pops = branches[i];

    *code = (uint8_t)(pops < BOSC_DFS_POPS ? pops : BOSC_DFS_POPS);
    branches[i] = 0;
    if (p == i - 1)
        return pops;
    *code |= BOSC_DFS_BRANCH;
    if (branches[p]++ == 0)
        *code |= BOSC_DFS_LAST;
    return pops;
}

/* Words of so many rows. */
static ptrdiff_t words(int32_t rows)
{
    return (rows + BOSC_DFS_BATCH - 1) / BOSC_DFS_BATCH;
}

/* The codes of a tree, and its bushy rows. */
static void code_tree(const bosc_systems *systems, int32_t t, coder *c,
                      bosc_cuda_dfs_plan *plan)
{
    const bosc_tree *tree = &systems->trees[t];
    uint64_t *codes = plan->codes + c->first[t];
    int32_t n_bushy = plan->bushy_first[t], top = 0;

    c->depth[t] = 0;
    for (int32_t i = tree->n - 1; i >= 0; --i) {
        uint8_t code;
        const int32_t pops = code_row(tree, i, c->branches, &code);

        codes[i / BOSC_DFS_BATCH] |= (uint64_t)code << 8 * (i % BOSC_DFS_BATCH);

        if (pops >= BOSC_DFS_POPS)
            plan->bushy[n_bushy++] = (bosc_dfs_bushy){i, pops};
        top += ((code & BOSC_DFS_BRANCH) != 0) - pops;
        c->depth[t] = top > c->depth[t] ? top : c->depth[t];
    }
    plan->bushy_first[t + 1] = n_bushy;
}

static int32_t shape_of(const bosc_systems *systems, const bosc_layout *layout,
                        int32_t lane)
{
    const int32_t neuron = layout->lane_neuron[lane];

    return neuron < 0 ? -1 : systems->shape[neuron];
}

/* Where group g stands, but for its codes. */
static void place_group(const bosc_systems *systems, const bosc_layout *layout,
                        const int32_t *depth, int32_t g,
                        bosc_cuda_dfs_plan *plan)
{
    bosc_dfs_group *group = &plan->groups[g];

    group->first = group->u = layout->first[g];
    group->rows = layout->rows[g];
    group->u_lane = 1;
    group->depth = 0;
    for (int32_t k = g * BOSC_DFS_LANES; k < (g + 1) * BOSC_DFS_LANES; ++k) {
        const int32_t t = shape_of(systems, layout, k);

        plan->lane_tree[k] = t < 0 ? 0 : t;
        if (t >= 0 && depth[t] > group->depth)
            group->depth = depth[t];
    }
}

/* A stack on the chip where it is shallow enough. */
static void place_stack(int32_t near, bosc_dfs_group *group,
                        bosc_cuda_dfs_plan *plan)
{
    group->stack = -1;
    if (group->depth > near) {
        group->stack = plan->far_rows;
        plan->far_rows += (ptrdiff_t)group->depth * BOSC_DFS_LANES;
    } else if (group->depth > plan->near_depth) {
        plan->near_depth = group->depth;
    }
}

/* Codes, and where the systems shares u also u, of one tree are read there; for
 * others there are copies after those of all trees, which are counted. */
static void place_codes(const bosc_systems *systems, const int64_t *first_tree,
                        const bosc_layout *layout, const coder *c, int32_t g,
                        bosc_cuda_dfs_plan *plan)
{
    bosc_dfs_group *group = &plan->groups[g];
    const int32_t t = plan->lane_tree[g * BOSC_DFS_LANES];
    const bool one = layout->uniform[g];

    group->code = one ? c->first[t] : plan->n_codes;
    group->code_lane = !one;
    if (!one)
        plan->n_codes += words(group->rows) * BOSC_DFS_LANES;
    if (!systems->shared_u)
        return;
    group->u = one ? first_tree[t] : plan->n_u;
    group->u_lane = !one;
    if (!one)
        plan->n_u += (ptrdiff_t)group->rows * BOSC_DFS_LANES;
}

static void copy_codes(const bosc_systems *systems, const bosc_layout *layout,
                       const coder *c, int32_t g, bosc_cuda_dfs_plan *plan)
{
    uint64_t *to = plan->codes + plan->groups[g].code;

    for (int32_t k = 0; k < BOSC_DFS_LANES; ++k) {
        const int32_t t = shape_of(systems, layout, g * BOSC_DFS_LANES + k);

        for (ptrdiff_t m = 0; t >= 0 && m < words(systems->trees[t].n); ++m)
            to[m * BOSC_DFS_LANES + k] = plan->codes[c->first[t] + m];
    }
}

void bosc_cuda_dfs_plan_spread(const bosc_systems *systems,
                               const int64_t *first_tree,
                               const bosc_layout *layout,
                               const bosc_cuda_dfs_plan *plan, double *u)
{
    for (int64_t i = 0; i < first_tree[systems->n_trees]; ++i)
        u[i] = systems->u[i];
    for (int32_t k = 0; k < plan->n_groups * BOSC_DFS_LANES; ++k) {
        const bosc_dfs_group *group = &plan->groups[k / BOSC_DFS_LANES];
        const int32_t t = shape_of(systems, layout, k);
        double *to = u + group->u + k % BOSC_DFS_LANES;

        if (group->u_lane == 0)
            continue;
        for (int32_t i = 0; t >= 0 && i < systems->trees[t].n; ++i)
            to[(ptrdiff_t)i * BOSC_DFS_LANES] = systems->u[first_tree[t] + i];
    }
}

/* Room for what does not depend on the codes' number. */
static bool allocate(const bosc_systems *systems, const int64_t *first_tree,
                     bosc_cuda_dfs_plan *plan, coder *c)
{
    const size_t n_trees = (size_t)systems->n_trees;
    int32_t longest = 0;

    for (int32_t t = 0; t < systems->n_trees; ++t)
        longest = systems->trees[t].n > longest ? systems->trees[t].n : longest;
    /* Bushy rows have BOSC_DFS_POPS children or more, each its own. */
    return BOSC_ARRAYS(
        BOSC_ARRAY(plan->groups, plan->n_groups),
        BOSC_ARRAY(plan->lane_tree, (size_t)plan->n_groups * BOSC_DFS_LANES),
        BOSC_ARRAY(plan->bushy_first, n_trees + 1),
        BOSC_ARRAY(plan->bushy, first_tree[n_trees] / BOSC_DFS_POPS + 1),
        BOSC_ARRAY(c->first, n_trees + 1), BOSC_ARRAY(c->branches, longest),
        BOSC_ARRAY(c->depth, n_trees));
}

/* Room for the codes, and the places of those of trees. */
static bool allocate_codes(const bosc_systems *systems,
                           const bosc_layout *layout, bosc_cuda_dfs_plan *plan,
                           coder *c)
{
    ptrdiff_t n;

    for (int32_t t = 0; t < systems->n_trees; ++t)
        c->first[t + 1] = c->first[t] + words(systems->trees[t].n);
    n = plan->n_tree_codes = plan->n_codes = c->first[systems->n_trees];
    for (int32_t g = 0; g < layout->n_groups; ++g)
        if (!layout->uniform[g])
            n += words(layout->rows[g]) * BOSC_DFS_LANES;
    plan->codes = bosc_alloc((size_t)n, sizeof *plan->codes);
    return plan->codes != NULL;
}

static void fill(const bosc_systems *systems, const int64_t *first_tree,
                 const bosc_layout *layout, int32_t near, coder *c,
                 bosc_cuda_dfs_plan *plan)
{
    /* groups begin where whole rows would */
    plan->n_u = systems->shared_u
                    ? (first_tree[systems->n_trees] + BOSC_DFS_LANES - 1) /
                          BOSC_DFS_LANES * BOSC_DFS_LANES
                    : layout->n_slots;
    for (int32_t t = 0; t < systems->n_trees; ++t)
        code_tree(systems, t, c, plan);
    for (int32_t g = 0; g < plan->n_groups; ++g) {
        place_group(systems, layout, c->depth, g, plan);
        place_stack(near, &plan->groups[g], plan);
        place_codes(systems, first_tree, layout, c, g, plan);
    }
#pragma omp parallel for schedule(dynamic, 64)
    for (int32_t g = 0; g < plan->n_groups; ++g)
        if (plan->groups[g].code_lane != 0)
            copy_codes(systems, layout, c, g, plan);
}

bosc_status bosc_cuda_dfs_plan_create(const bosc_systems *systems,
                                      const int64_t *first_tree,
                                      const bosc_layout *layout, int32_t near,
                                      bosc_cuda_dfs_plan *plan, bosc_error *err)
{
    bosc_cuda_dfs_plan made = {.n_groups = layout->n_groups,
                               .n_trees = systems->n_trees};
    coder c = {0};
    bosc_status st = BOSC_OK;

    if (!allocate(systems, first_tree, &made, &c) ||
        !allocate_codes(systems, layout, &made, &c)) {
        bosc_cuda_dfs_plan_clear(&made);
        st = bosc_no_memory(err, "the plan of a solver");
    } else {
        fill(systems, first_tree, layout, near, &c, &made);
        *plan = made;
    }
    free(c.first);
    free(c.branches);
    free(c.depth);
    return st;
}
