#include "kernels/hines/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* A pattern while it is made.  Item: a section of a tree, numbered tree after
 * tree. */
typedef struct maker {
    int32_t n_trees;
    const bosc_section_levels *const *trees;
    int32_t n;              /* items */
    int32_t *rows, *level;  /* [n] */
    int32_t *parent;        /* [n] item, -1: none */
    int32_t *order, *spare; /* [n] items as they stand in the pattern */
    int32_t *child, *next;  /* [n] lists of children, descending; -1 ends */
    int32_t *count;         /* for sorting, by rows or by level */
    bosc_pattern made;
} maker;

void bosc_pattern_clear(bosc_pattern *pattern)
{
    free(pattern->index);
    free(pattern->place);
    *pattern = (bosc_pattern){0};
}

static void clear(maker *m)
{
    free(m->rows);
    free(m->level);
    free(m->parent);
    free(m->order);
    free(m->spare);
    free(m->child);
    free(m->next);
    free(m->count);
    bosc_pattern_clear(&m->made);
}

static bool get(maker *m, int32_t most)
{
    const size_t n = (size_t)m->n;

    return BOSC_ARRAYS(BOSC_ARRAY(m->rows, n), BOSC_ARRAY(m->level, n),
                       BOSC_ARRAY(m->parent, n), BOSC_ARRAY(m->order, n),
                       BOSC_ARRAY(m->spare, n), BOSC_ARRAY(m->child, n),
                       BOSC_ARRAY(m->next, n),
                       BOSC_ARRAY(m->count, (size_t)most + 2),
                       BOSC_ARRAY(m->made.place, n));
}

static void list_items(maker *m)
{
    int32_t item = 0, first = 0;

    for (int32_t t = 0; t < m->n_trees; ++t, first = item)
        for (int32_t s = 0; s < m->trees[t]->n; ++s, ++item) {
            const int32_t p = m->trees[t]->parent[s];

            m->rows[item] = bosc_section_levels_rows(m->trees[t], s);
            m->level[item] = m->trees[t]->level[s];
            m->parent[item] = p < 0 ? -1 : first + p;
            m->child[item] = -1;
            m->order[item] = item;
            if (p < 0)
                continue;
            m->next[item] = m->child[first + p];
            m->child[first + p] = item;
        }
}

/* Sort the order by key, ascending or descending; equal ones stay as they
 * are. */
static void sort(maker *m, const int32_t *key, int32_t most, bool descending)
{
    const int32_t sign = descending ? -1 : 1, base = descending ? most : 0;
    int32_t *from = m->order;

    memset(m->count, 0, ((size_t)most + 2) * sizeof *m->count);
    for (int32_t i = 0; i < m->n; ++i)
        ++m->count[base + sign * key[i] + 1];
    for (int32_t i = 0; i < most; ++i)
        m->count[i + 1] += m->count[i];
    for (int32_t i = 0; i < m->n; ++i)
        m->spare[m->count[base + sign * key[from[i]]]++] = from[i];
    m->order = m->spare;
    m->spare = from;
}

static bool get_index(maker *m)
{
    bosc_pattern_size *size = &m->made.size;

    size->n_sections = m->n;
    for (int32_t k = 0; k < m->n; ++k) {
        const int32_t item = m->order[k];

        if (m->level[item] == size->n_levels - 1)
            continue;
        size->n_levels = m->level[item] + 1;
        size->n_rows += m->rows[item]; /* its longest section comes first */
    }
    m->made.index = bosc_alloc(bosc_pattern_words(size), sizeof *m->made.index);
    return m->made.index != NULL;
}

static void fill_levels(maker *m, const bosc_pattern_view *v)
{
    bosc_pattern_size *size = &m->made.size;
    int32_t k = 0, row = 0;

    for (int32_t level = 0; level < size->n_levels; ++level) {
        const int32_t first = k, longest = m->rows[m->order[k]];

        while (k < m->n && m->level[m->order[k]] == level)
            ++k;
        for (int32_t r = 0, alive = k; r < longest; ++r, ++row) {
            while (m->rows[m->order[alive - 1]] <= r)
                --alive;
            v->row[row + 1] = v->row[row] + alive - first;
        }
        v->level[level + 1] = k;
        v->level_row[level + 1] = row;
    }
    size->n_slots = v->row[row];
}

static void fill_sections(maker *m, const bosc_pattern_view *v)
{
    int32_t *place = m->made.place;
    int32_t pair = 0, of_root = m->n - m->n_trees;

    for (int32_t k = 0; k < m->n; ++k)
        place[m->order[k]] = k;
    for (int32_t k = 0; k < m->n; ++k) {
        const int32_t item = m->order[k], p = m->parent[item];
        const int32_t above = p < 0 ? item : p;

        v->rows[k] = m->rows[item];
        v->end[k] = bosc_pattern_slot(v, m->level[above], place[above], 0);
        v->pairs[k] = pair;
        for (int32_t c = m->child[item]; c >= 0; c = m->next[c])
            v->pair[place[c]] = pair++;
        if (p < 0)
            v->pair[k] = of_root++;
    }
    v->pairs[m->n] = pair;
}

bosc_status bosc_pattern_create(int32_t n,
                                const bosc_section_levels *const *trees,
                                bosc_pattern *out, bosc_error *err)
{
    maker m = {.n_trees = n, .trees = trees};
    int32_t longest = 0, n_levels = 0;
    int64_t slots = 0;
    bosc_pattern_view view;

    for (int32_t t = 0; t < n; ++t) {
        slots += trees[t]->first[trees[t]->n];
        n_levels =
            trees[t]->n_levels > n_levels ? trees[t]->n_levels : n_levels;
        for (int32_t s = 0; s < trees[t]->n; ++s)
            if (bosc_section_levels_rows(trees[t], s) > longest)
                longest = bosc_section_levels_rows(trees[t], s);
        if (slots > INT32_MAX)
            return bosc_fail(err, BOSC_EVALUE,
                             "%d trees have more than 2^31 compartments", n);
        m.n += trees[t]->n;
    }
    if (!get(&m, longest > n_levels ? longest : n_levels))
        goto no_memory;
    list_items(&m);
    sort(&m, m.rows, longest, true);
    sort(&m, m.level, n_levels, false);
    if (!get_index(&m))
        goto no_memory;
    view = bosc_pattern_view_of(&m.made.size, m.made.index);
    fill_levels(&m, &view);
    fill_sections(&m, &view);
    *out = m.made;
    m.made = (bosc_pattern){0};
    clear(&m);
    return BOSC_OK;
no_memory:
    clear(&m);
    return bosc_no_memory(err, "the pattern of a cell block");
}
