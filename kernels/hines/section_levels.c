#include "kernels/hines/section_levels.h"

#include <stdlib.h>

#include "src/base/mem.h"

void bosc_section_levels_clear(bosc_section_levels *runs)
{
    free(runs->first);
    free(runs->parent);
    free(runs->level);
    *runs = (bosc_section_levels){0};
}

/* The section of each compartment; children[i] of compartment i are counted. */
static int32_t number(const bosc_tree *tree, const int32_t *children,
                      int32_t *of)
{
    int32_t n = 0;

    for (int32_t i = 0; i < tree->n; ++i) {
        const int32_t p = tree->parent[i];

        of[i] = p >= 0 && children[p] == 1 ? of[p] : n++;
    }
    return n;
}

static void describe(const bosc_tree *tree, const int32_t *of,
                     bosc_section_levels *runs)
{
    for (int32_t i = 0; i < tree->n; ++i) {
        const int32_t s = of[i], p = tree->parent[i];

        if (p >= 0 && of[p] == s)
            continue;
        runs->first[s] = i;
        runs->parent[s] = p < 0 ? -1 : of[p];
    }
    runs->first[runs->n] = tree->n;
    for (int32_t s = runs->n - 1; s > 0; --s) {
        int32_t *above = &runs->level[runs->parent[s]];

        *above = runs->level[s] >= *above ? runs->level[s] + 1 : *above;
    }
    runs->n_levels = runs->level[0] + 1;
}

bosc_status bosc_section_levels_create(const bosc_tree *tree,
                                       bosc_section_levels *out,
                                       bosc_error *err)
{
    const size_t size = (size_t)tree->n;
    int32_t *children = bosc_alloc(size, sizeof *children);
    int32_t *of = bosc_alloc(size, sizeof *of);
    bosc_section_levels made = {0};
    bosc_status st = BOSC_OK;

    if (children == NULL || of == NULL) {
        st = bosc_no_memory(err, "sections");
        goto done;
    }
    for (int32_t i = 1; i < tree->n; ++i)
        ++children[tree->parent[i]];
    made.n = number(tree, children, of);
    if (!BOSC_ARRAYS(BOSC_ARRAY(made.first, (size_t)made.n + 1),
                     BOSC_ARRAY(made.parent, made.n),
                     BOSC_ARRAY(made.level, made.n))) {
        bosc_section_levels_clear(&made);
        st = bosc_no_memory(err, "sections");
        goto done;
    }
    describe(tree, of, &made);
    *out = made;
done:
    free(children);
    free(of);
    return st;
}

bosc_status bosc_section_levels_create_all(const bosc_tree *trees, int32_t n,
                                           bosc_section_levels **out,
                                           bosc_error *err)
{
    bosc_section_levels *all = bosc_alloc((size_t)n, sizeof *all);

    if (all == NULL)
        return bosc_no_memory(err, "sections");
    for (int32_t t = 0; t < n; ++t) {
        const bosc_status st =
            bosc_section_levels_create(&trees[t], &all[t], err);

        if (st != BOSC_OK) {
            bosc_section_levels_destroy_all(all, n);
            return st;
        }
    }
    *out = all;
    return BOSC_OK;
}

void bosc_section_levels_from_root(bosc_section_levels *runs, int32_t n)
{
    int32_t deepest = 0;

    /* A tree's levels from the tips are as many as those from the root. */
    for (int32_t t = 0; t < n; ++t)
        deepest = runs[t].n_levels > deepest ? runs[t].n_levels : deepest;
    for (int32_t t = 0; t < n; ++t) {
        runs[t].n_levels = deepest;
        for (int32_t s = 0; s < runs[t].n; ++s)
            runs[t].level[s] =
                s == 0 ? deepest - 1 : runs[t].level[runs[t].parent[s]] - 1;
    }
}

void bosc_section_levels_destroy_all(bosc_section_levels *runs, int32_t n)
{
    for (int32_t t = 0; runs != NULL && t < n; ++t)
        bosc_section_levels_clear(&runs[t]);
    free(runs);
}
