#include "kernels/dfs/dfs_plan.h"

#include <stdlib.h>

#include "src/base/mem.h"

enum { MAX_LANES = 16 };

typedef struct planner {
    const bosc_layout *layout;
    const int32_t *shape;
    const bosc_tree *trees;
    bosc_dfs_plan *plan;
} planner;

static int32_t parent_of(const planner *p, int32_t neuron, int32_t i)
{
    const bosc_tree *tree = neuron < 0 ? NULL : &p->trees[p->shape[neuron]];

    return bosc_tree_parent(tree, i);
}

/* The branches of row i of group g; returns how many. */
static int find_branches(const planner *p, int32_t g, int32_t i,
                         bosc_dfs_branch branches[MAX_LANES])
{
    const int32_t width = bosc_layout_width(p->layout, g);
    int n = 0;

    for (int32_t k = 0; k < width; ++k) {
        const int32_t up = parent_of(p, bosc_layout_neuron(p->layout, g, k), i);
        int t = 0;

        if (up == i - 1) /* also the root's -1 */
            continue;
        while (t < n && branches[t].at != up * width)
            ++t;
        if (t == n)
            branches[n++] = (bosc_dfs_branch){.at = up * width};
        branches[t].lanes |= 1u << k;
    }
    return n;
}

/* Give each group a branching; those of one shape follow each other. */
static void assign_ways(planner *p)
{
    const bosc_layout *layout = p->layout;
    bosc_dfs_plan *plan = p->plan;
    int32_t last = -1;

    for (int32_t g = 0; g < layout->n_groups; ++g) {
        const int32_t tree = layout->uniform[g]
                                 ? p->shape[bosc_layout_neuron(layout, g, 0)]
                                 : -1;

        plan->branching[g] = -1;
        if (bosc_layout_width(layout, g) == 1)
            continue;
        if (tree < 0 || tree != last)
            plan->branchings[plan->n_branchings++].g = g;
        plan->branching[g] = plan->n_branchings - 1;
        last = tree;
    }
}

/* Walk a branching.  Its branches are counted, or, where there is room for
 * them, kept.
 */
static int64_t walk(const planner *p, const bosc_dfs_branching *branching,
                    uint8_t *count, bosc_dfs_branch *branch)
{
    bosc_dfs_branch found[MAX_LANES];
    int64_t sum = 0;

    for (int32_t i = 0; i < p->layout->rows[branching->g]; ++i) {
        const int n = find_branches(p, branching->g, i, found);

        for (int t = 0; branch != NULL && t < n; ++t)
            branch[sum + t] = found[t];
        count[i] = (uint8_t)n;
        sum += n;
    }
    return sum;
}

/* From the number of each to where each begins; returns their sum. */
static size_t add_up(int64_t *first, int32_t n)
{
    int64_t sum = 0;

    for (int32_t w = 0; w < n; ++w) {
        const int64_t own = first[w];

        first[w] = sum;
        sum += own;
    }
    return (size_t)sum;
}

static bool walk_all(planner *p)
{
    bosc_dfs_plan *plan = p->plan;
    const size_t n = (size_t)plan->n_branchings;
    int64_t *row = bosc_alloc(n, sizeof *row),
            *branch = bosc_alloc(n, sizeof *branch);
    bool enough = row != NULL && branch != NULL;

    for (int32_t w = 0; enough && w < plan->n_branchings; ++w)
        row[w] = p->layout->rows[plan->branchings[w].g];
    if (enough) {
        plan->n_counts = add_up(row, plan->n_branchings);
        plan->counts = bosc_alloc(plan->n_counts, sizeof *plan->counts);
        enough = plan->counts != NULL;
    }
    if (enough) {
#pragma omp parallel for schedule(dynamic, 64)
        for (int32_t w = 0; w < plan->n_branchings; ++w)
            branch[w] =
                walk(p, &plan->branchings[w], plan->counts + row[w], NULL);
        plan->n_branches = add_up(branch, plan->n_branchings);
        plan->branches = bosc_alloc(plan->n_branches, sizeof *plan->branches);
        enough = plan->branches != NULL;
    }
    if (enough) {
#pragma omp parallel for schedule(dynamic, 64)
        for (int32_t w = 0; w < plan->n_branchings; ++w) {
            bosc_dfs_branching *branching = &plan->branchings[w];

            branching->count = plan->counts + row[w];
            branching->end = plan->branches + branch[w] +
                             walk(p, branching, plan->counts + row[w],
                                  plan->branches + branch[w]);
        }
    }
    free(row);
    free(branch);
    return enough;
}

bosc_status bosc_dfs_plan_create(const bosc_layout *layout,
                                 const int32_t *shape, const bosc_tree *trees,
                                 bosc_dfs_plan *plan, bosc_error *err)
{
    const size_t n = (size_t)layout->n_groups;
    planner p = {layout, shape, trees, plan};

    *plan = (bosc_dfs_plan){0};
    if (!BOSC_ARRAYS(BOSC_ARRAY(plan->branchings, n),
                     BOSC_ARRAY(plan->branching, n)))
        goto no_memory;
    assign_ways(&p);
    if (walk_all(&p))
        return BOSC_OK;
no_memory:
    bosc_dfs_plan_clear(plan);
    return bosc_no_memory(err, "the plan of the sweeps");
}

double bosc_dfs_plan_bytes(double n_groups, double n_rows, double n_branches)
{
    const bosc_dfs_plan p = {0};

    return n_groups * (sizeof *p.branchings + sizeof *p.branching) +
           n_rows * sizeof *p.counts + n_branches * sizeof *p.branches;
}

void bosc_dfs_plan_clear(bosc_dfs_plan *plan)
{
    free(plan->branchings);
    free(plan->branching);
    free(plan->counts);
    free(plan->branches);
    *plan = (bosc_dfs_plan){0};
}
