#include "kernels/levels/cell_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/solve/solvers.h"
#include "src/base/mem.h"

void bosc_cell_blocks_clear(bosc_cell_blocks *cell_blocks)
{
    for (int32_t p = 0;
         cell_blocks->patterns != NULL && p < cell_blocks->n_patterns; ++p)
        bosc_pattern_clear(&cell_blocks->patterns[p]);
    free(cell_blocks->patterns);
    free(cell_blocks->pattern);
    free(cell_blocks->neuron);
    free(cell_blocks->lane);
    free(cell_blocks->first);
    free(cell_blocks->first_u);
    *cell_blocks = (bosc_cell_blocks){0};
}

/* What a tree takes alone: the levels of its pattern, and their rows. */
typedef struct profile {
    int32_t levels, rows;
} profile;

typedef struct sorted {
    profile is;
    int32_t tree, neuron;
} sorted;

static int compare(const void *a, const void *b)
{
    const sorted *x = a, *y = b;

    if (x->is.levels != y->is.levels)
        return x->is.levels > y->is.levels ? -1 : 1;
    if (x->is.rows != y->is.rows)
        return x->is.rows > y->is.rows ? -1 : 1;
    if (x->tree != y->tree)
        return x->tree < y->tree ? -1 : 1;
    return (x->neuron > y->neuron) - (x->neuron < y->neuron);
}

/* [n_trees], NULL without memory. */
static profile *profiles(const bosc_section_levels *sections, int32_t n_trees)
{
    profile *is = bosc_alloc((size_t)n_trees, sizeof *is);
    bool good = is != NULL;

#pragma omp parallel for schedule(dynamic, 64) reduction(&& : good)
    for (int32_t t = 0; t < n_trees; ++t) {
        const bosc_section_levels *tree = &sections[t];
        int32_t *longest = bosc_alloc((size_t)tree->n_levels, sizeof *longest);

        good = good && longest != NULL;
        if (!good)
            continue;
        for (int32_t s = 0; s < tree->n; ++s)
            if (bosc_section_levels_rows(tree, s) > longest[tree->level[s]])
                longest[tree->level[s]] = bosc_section_levels_rows(tree, s);
        is[t].levels = tree->n_levels;
        for (int32_t level = 0; level < tree->n_levels; ++level)
            is[t].rows += longest[level];
        free(longest);
    }
    if (!good) {
        free(is);
        return NULL;
    }
    return is;
}

static bool sort_neurons(const bosc_systems *systems,
                         const bosc_section_levels *sections,
                         bosc_cell_blocks *cell_blocks)
{
    const size_t n = (size_t)systems->n_neurons;
    profile *is = profiles(sections, systems->n_trees);
    sorted *order = bosc_alloc(n, sizeof *order);
    const bool good = is != NULL && order != NULL;

    for (int32_t i = 0; good && i < systems->n_neurons; ++i)
        order[i] = (sorted){is[systems->shape[i]], systems->shape[i], i};
    if (good)
        qsort(order, n, sizeof *order, compare);
    for (int32_t i = 0; good && i < systems->n_neurons; ++i)
        cell_blocks->neuron[i] = order[i].neuron;
    free(is);
    free(order);
    return good;
}

static const bosc_tree *tree_of(const bosc_systems *systems,
                                const bosc_cell_blocks *cell_blocks,
                                int32_t lane)
{
    return &systems->trees[systems->shape[cell_blocks->neuron[lane]]];
}

static void divide(const bosc_systems *systems, const int64_t *cost,
                   int64_t room, bosc_cell_blocks *cell_blocks)
{
    int64_t left = 0; /* in the last cell block */

    for (int32_t k = 0; k < systems->n_neurons; ++k) {
        const int64_t own = cost[systems->shape[cell_blocks->neuron[k]]];

        if (k == 0 || own > left) {
            cell_blocks->lane[cell_blocks->n++] = k;
            left = room;
        }
        left -= own;
    }
    cell_blocks->lane[cell_blocks->n] = systems->n_neurons;
}

/* Does cell block g consist of the trees of the one before? */
static bool is_like_last(const bosc_systems *systems,
                         const bosc_cell_blocks *cell_blocks, int32_t g)
{
    const int32_t n = cell_blocks->lane[g + 1] - cell_blocks->lane[g];

    if (g == 0 || cell_blocks->lane[g] - cell_blocks->lane[g - 1] != n)
        return false;
    for (int32_t k = cell_blocks->lane[g]; k < cell_blocks->lane[g + 1]; ++k)
        if (tree_of(systems, cell_blocks, k) !=
            tree_of(systems, cell_blocks, k - n))
            return false;
    return true;
}

static void count_patterns(const bosc_systems *systems,
                           bosc_cell_blocks *cell_blocks)
{
    for (int32_t g = 0; g < cell_blocks->n; ++g) {
        cell_blocks->n_patterns += !is_like_last(systems, cell_blocks, g);
        cell_blocks->pattern[g] = cell_blocks->n_patterns - 1;
    }
}

static bool is_first_of_pattern(const bosc_cell_blocks *cell_blocks, int32_t g)
{
    return g == 0 || cell_blocks->pattern[g] != cell_blocks->pattern[g - 1];
}

static bosc_status make_pattern(const bosc_systems *systems,
                                const bosc_section_levels *sections, int32_t g,
                                bosc_cell_blocks *cell_blocks, bosc_error *err)
{
    const int32_t n = cell_blocks->lane[g + 1] - cell_blocks->lane[g];
    const bosc_section_levels **trees = bosc_alloc((size_t)n, sizeof *trees);
    bosc_status st;

    if (trees == NULL)
        return bosc_no_memory(err, "the patterns of cell blocks");
    for (int32_t k = 0; k < n; ++k)
        trees[k] =
            &sections
                [systems->shape[cell_blocks->neuron[cell_blocks->lane[g] + k]]];
    st = bosc_pattern_create(
        n, trees, &cell_blocks->patterns[cell_blocks->pattern[g]], err);
    free(trees);
    return st;
}

static bosc_status make_patterns(const bosc_systems *systems,
                                 const bosc_section_levels *sections,
                                 bosc_cell_blocks *cell_blocks, bosc_error *err)
{
    bosc_status st = BOSC_OK;

#pragma omp parallel for schedule(dynamic, 16)
    for (int32_t g = 0; g < cell_blocks->n; ++g) {
        bosc_error why;
        bosc_status made;

        if (!is_first_of_pattern(cell_blocks, g))
            continue;
        made = make_pattern(systems, sections, g, cell_blocks, &why);
        if (made != BOSC_OK)
#pragma omp critical
            st = bosc_fail(err, made, "%s", why.text);
    }
    return st;
}

static ptrdiff_t aligned(ptrdiff_t n)
{
    return (n + BOSC_CELL_BLOCK_ALIGN - 1) / BOSC_CELL_BLOCK_ALIGN *
           BOSC_CELL_BLOCK_ALIGN;
}

static void place(const bosc_systems *systems, bosc_cell_blocks *cell_blocks)
{
    ptrdiff_t at = 0, at_u = 0;

    for (int32_t g = 0; g < cell_blocks->n; ++g) {
        const bool own_u =
            !systems->shared_u || is_first_of_pattern(cell_blocks, g);
        const ptrdiff_t room = aligned(
            cell_blocks->patterns[cell_blocks->pattern[g]].size.n_slots);

        cell_blocks->first[g] = at;
        cell_blocks->first_u[g] = own_u ? at_u : cell_blocks->first_u[g - 1];
        at += room;
        at_u += own_u ? room : 0;
    }
    cell_blocks->first[cell_blocks->n] = at;
    cell_blocks->first_u[cell_blocks->n] = at_u;
}

static bosc_status create(const bosc_systems *systems,
                          const bosc_section_levels *sections,
                          const int64_t *cost, int64_t room,
                          bosc_cell_blocks *made, bosc_error *err)
{
    const size_t n = (size_t)systems->n_neurons;
    bosc_status st;

    if (!BOSC_ARRAYS(BOSC_ARRAY(made->neuron, n), BOSC_ARRAY(made->lane, n + 1),
                     BOSC_ARRAY(made->pattern, n),
                     BOSC_ARRAY(made->first, n + 1),
                     BOSC_ARRAY(made->first_u, n + 1)) ||
        !sort_neurons(systems, sections, made))
        return bosc_no_memory(err, "the cell blocks of neurons");
    divide(systems, cost, room, made);
    count_patterns(systems, made);
    made->patterns =
        bosc_alloc((size_t)made->n_patterns, sizeof *made->patterns);
    if (made->patterns == NULL)
        return bosc_no_memory(err, "the cell blocks of neurons");
    st = make_patterns(systems, sections, made, err);
    if (st == BOSC_OK)
        place(systems, made);
    return st;
}

bosc_status bosc_cell_blocks_create(const bosc_systems *systems,
                                    const int64_t *cost, int64_t room,
                                    bosc_cell_blocks *out, bosc_error *err)
{
    bosc_cell_blocks made = {0};
    bosc_section_levels *sections;
    bosc_status st = bosc_section_levels_create_all(
        systems->trees, systems->n_trees, &sections, err);

    if (st != BOSC_OK)
        return st;
    st = create(systems, sections, cost, room, &made, err);
    bosc_section_levels_destroy_all(sections, systems->n_trees);
    if (st == BOSC_OK)
        *out = made;
    else
        bosc_cell_blocks_clear(&made);
    return st;
}

/* Of the neuron in lane k of cell block g: the slot of each compartment within
 * its cell block, [n].  'item' is its first section in the pattern's order. */
static void local_slots(const bosc_pattern *pattern,
                        const bosc_section_levels *sections, int32_t item,
                        int32_t *local)
{
    const bosc_pattern_view view =
        bosc_pattern_view_of(&pattern->size, pattern->index);

    for (int32_t s = 0; s < sections->n; ++s) {
        const int32_t last = sections->first[s + 1] - 1;

        for (int32_t i = sections->first[s]; i <= last; ++i)
            local[i] = bosc_pattern_slot(&view, sections->level[s],
                                         pattern->place[item + s], last - i);
    }
}

/* Call each(context, g, neuron, local slots) for all neurons of cell block g.
 */
typedef void visit(void *context, int32_t g, int32_t neuron,
                   const int32_t *local);

static bool visit_cell_block(const bosc_cell_blocks *cell_blocks,
                             const bosc_systems *systems,
                             const bosc_section_levels *sections, int32_t g,
                             visit *each, void *context)
{
    const bosc_pattern *pattern =
        &cell_blocks->patterns[cell_blocks->pattern[g]];
    int32_t *local = bosc_alloc((size_t)pattern->size.n_slots, sizeof *local);
    int32_t item = 0;

    if (local == NULL)
        return false;
    for (int32_t k = cell_blocks->lane[g]; k < cell_blocks->lane[g + 1]; ++k) {
        const int32_t neuron = cell_blocks->neuron[k];
        const bosc_section_levels *own = &sections[systems->shape[neuron]];

        local_slots(pattern, own, item, local);
        each(context, g, neuron, local);
        item += own->n;
    }
    free(local);
    return true;
}

static bosc_status visit_all(const bosc_cell_blocks *cell_blocks,
                             const bosc_systems *systems, bool patterns_only,
                             visit *each, void *context, bosc_error *err)
{
    bosc_section_levels *sections;
    bosc_status st = bosc_section_levels_create_all(
        systems->trees, systems->n_trees, &sections, err);
    bool good = true;

    if (st != BOSC_OK)
        return st;
#pragma omp parallel for schedule(dynamic, 16) reduction(&& : good)
    for (int32_t g = 0; g < cell_blocks->n; ++g)
        if (!patterns_only || is_first_of_pattern(cell_blocks, g))
            good = visit_cell_block(cell_blocks, systems, sections, g, each,
                                    context) &&
                   good;
    bosc_section_levels_destroy_all(sections, systems->n_trees);
    return good ? BOSC_OK : bosc_no_memory(err, "the slots of cell blocks");
}

typedef struct filling {
    const bosc_cell_blocks *cell_blocks;
    const bosc_systems *systems;
    int64_t *first, *first_tree;
    ptrdiff_t *slot; /* to be filled, or */
    void *u;
    bool single;
} filling;

static void fill_slots(void *context, int32_t g, int32_t neuron,
                       const int32_t *local)
{
    const filling *f = context;
    const int32_t n = f->systems->trees[f->systems->shape[neuron]].n;

    for (int32_t i = 0; i < n; ++i)
        f->slot[f->first[neuron] + i] = f->cell_blocks->first[g] + local[i];
}

static void fill_u(void *context, int32_t g, int32_t neuron,
                   const int32_t *local)
{
    const filling *f = context;
    const int32_t n = f->systems->trees[f->systems->shape[neuron]].n;
    const double *from = f->systems->u + bosc_systems_u(f->systems, f->first,
                                                        f->first_tree, neuron);
    const ptrdiff_t at = f->cell_blocks->first_u[g];

    for (int32_t i = 0; i < n; ++i)
        if (f->single)
            ((float *)f->u)[at + local[i]] = (float)from[i];
        else
            ((double *)f->u)[at + local[i]] = from[i];
}

static bosc_status fill(filling *f, visit *each, bool patterns_only,
                        bosc_error *err)
{
    bosc_status st;

    f->first = bosc_systems_first(f->systems);
    f->first_tree = bosc_systems_first_tree(f->systems);
    st = f->first == NULL || f->first_tree == NULL
             ? bosc_no_memory(err, "the slots of cell blocks")
             : visit_all(f->cell_blocks, f->systems, patterns_only, each, f,
                         err);
    free(f->first);
    free(f->first_tree);
    return st;
}

bosc_status bosc_cell_blocks_slots(const bosc_cell_blocks *cell_blocks,
                                   const bosc_systems *systems, ptrdiff_t *slot,
                                   bosc_error *err)
{
    filling f = {.cell_blocks = cell_blocks, .systems = systems, .slot = slot};

    return fill(&f, fill_slots, false, err);
}

bosc_status bosc_cell_blocks_fill_u(const bosc_cell_blocks *cell_blocks,
                                    const bosc_systems *systems, bool single,
                                    void *u, bosc_error *err)
{
    filling f = {.cell_blocks = cell_blocks,
                 .systems = systems,
                 .u = u,
                 .single = single};

    return fill(&f, fill_u, systems->shared_u, err);
}
