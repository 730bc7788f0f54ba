#include "kernels/dfs/visits.h"

#include <stdlib.h>

#include "src/base/mem.h"

/* The places of the rows of one tree; 'size' and 'place' are [tree->n]. */
static void place_rows(const bosc_tree *tree, int32_t *size, int32_t *place)
{
    for (int32_t i = 0; i < tree->n; ++i)
        size[i] = 1;
    for (int32_t i = tree->n - 1; i > 0; --i)
        size[tree->parent[i]] += size[i];
    place[0] = 0;
    for (int32_t i = 0; i < tree->n; ++i) {
        const int32_t first = i + 1, end = i + size[i];
        int32_t next = place[i] + 1;

        if (first >= end)
            continue;
        for (int32_t c = first + size[first]; c < end; c += size[c]) {
            place[c] = next;
            next += size[c];
        }
        place[first] = next;
    }
}

static bool allocate(const bosc_systems *systems, size_t rows,
                     bosc_visits *visits)
{
    bosc_tree *trees = bosc_alloc((size_t)systems->n_trees, sizeof *trees);

    visits->systems.trees = trees;
    visits->place = bosc_alloc(rows, sizeof *visits->place);
    visits->parents = bosc_alloc(rows, sizeof *visits->parents);
    if (systems->shared_u)
        visits->systems.u = visits->u = bosc_alloc(rows, sizeof *visits->u);
    return trees != NULL && visits->place != NULL && visits->parents != NULL &&
           visits->systems.u != NULL;
}

bosc_status bosc_visits_create(const bosc_systems *systems,
                               const int64_t *first_tree, bosc_visits *visits,
                               bosc_error *err)
{
    const size_t rows = (size_t)first_tree[systems->n_trees];
    bosc_visits made = {.systems = *systems};
    int32_t *size = bosc_alloc(rows, sizeof *size);

    if (size == NULL || !allocate(systems, rows, &made)) {
        free(size);
        bosc_visits_clear(&made);
        return bosc_no_memory(err, "the plan of a solver");
    }
    for (int32_t t = 0; t < systems->n_trees; ++t) {
        const bosc_tree *tree = &systems->trees[t];
        const int64_t at = first_tree[t];
        int32_t *place = made.place + at;

        place_rows(tree, size, place);
        ((bosc_tree *)made.systems.trees)[t] =
            (bosc_tree){tree->n, made.parents + at};
        for (int32_t i = 0; i < tree->n; ++i) {
            made.parents[at + place[i]] = i == 0 ? -1 : place[tree->parent[i]];
            if (systems->shared_u)
                made.u[at + place[i]] = systems->u[at + i];
        }
    }
    free(size);
    *visits = made;
    return BOSC_OK;
}

void bosc_visits_clear(bosc_visits *visits)
{
    free((bosc_tree *)visits->systems.trees);
    free(visits->place);
    free(visits->parents);
    free(visits->u);
    *visits = (bosc_visits){.place = NULL};
}
