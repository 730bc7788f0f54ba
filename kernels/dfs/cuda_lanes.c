#include "kernels/dfs/cuda_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

void bosc_lanes_clear(bosc_lanes *lanes)
{
    free(lanes->rows);
    free(lanes->first);
    free(lanes->tree);
    free(lanes->parent);
    *lanes = (bosc_lanes){0};
}

/* The parents of all trees, tree after tree. */
static void copy_parents(const bosc_systems *systems, const int64_t *first_tree,
                         int32_t *parent)
{
    for (int32_t t = 0; t < systems->n_trees; ++t)
        memcpy(parent + first_tree[t], systems->trees[t].parent,
               (size_t)systems->trees[t].n * sizeof *parent);
}

/* The parents of lane k for each slot, its padding a chain. */
static void spread_parents(const bosc_lanes *lanes, int32_t k, int32_t rows,
                           const bosc_tree *tree)
{
    const int32_t n = tree == NULL ? 0 : tree->n;

    for (int32_t i = 0; i < rows; ++i)
        lanes->parent[lanes->first[k] + i * lanes->stride] =
            i < n ? tree->parent[i] : i - 1;
}

static void fill_lane(const bosc_systems *systems, const int64_t *first_tree,
                      const bosc_layout *layout, int32_t k, bool padding,
                      bosc_lanes *lanes)
{
    const int32_t g = k / layout->width, neuron = layout->lane_neuron[k];
    const bosc_tree *tree =
        neuron < 0 ? NULL : &systems->trees[systems->shape[neuron]];

    lanes->first[k] = layout->first[g] + k % layout->width;
    lanes->tree[k] = neuron < 0 ? 0 : first_tree[systems->shape[neuron]];
    lanes->rows[k] = padding ? layout->rows[g] : tree == NULL ? 0 : tree->n;
    if (lanes->own)
        spread_parents(lanes, k, layout->rows[g], tree);
}

bosc_status bosc_lanes_create(const bosc_systems *systems,
                              const int64_t *first_tree,
                              const bosc_layout *layout, bool own, bool padding,
                              bosc_lanes *lanes, bosc_error *err)
{
    bosc_lanes made = {
        .n_lanes = layout->lane[layout->n_groups],
        .stride = layout->width,
        .own = own,
        .n_parent = own ? layout->n_slots : first_tree[systems->n_trees],
    };
    const size_t n = (size_t)made.n_lanes;

    if (!BOSC_ARRAYS(BOSC_ARRAY(made.rows, n), BOSC_ARRAY(made.first, n),
                     BOSC_ARRAY(made.tree, n),
                     BOSC_ARRAY(made.parent, made.n_parent))) {
        bosc_lanes_clear(&made);
        return bosc_no_memory(err, "the plan of a solver");
    }
    if (!own)
        copy_parents(systems, first_tree, made.parent);
    for (int32_t k = 0; k < made.n_lanes; ++k)
        fill_lane(systems, first_tree, layout, k, padding, &made);
    *lanes = made;
    return BOSC_OK;
}
