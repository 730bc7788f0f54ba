#include "partition/first_free.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"

static void update(bosc_first_free *tree, int32_t k)
{
    const bosc_first_free_node *a = &tree->node[2 * k], *b = a + 1;

    tree->node[k].time = b->time < a->time ? b->time : a->time;
    tree->node[k].speed = b->speed > a->speed ? b->speed : a->speed;
    tree->node[k].room = b->room > a->room ? b->room : a->room;
}

static int greatest_first(const void *pa, const void *pb)
{
    const bosc_part_time *a = pa, *b = pb;

    if (a->time != b->time)
        return a->time < b->time ? 1 : -1;
    return (a->part > b->part) - (a->part < b->part);
}

void bosc_part_times_sort(bosc_part_time *parts, int32_t n)
{
    qsort(parts, (size_t)n, sizeof *parts, greatest_first);
}

/* Leaves by speed; sorted[parts->n] is overwritten. */
static void sort_parts(const bosc_parts *parts, bosc_part_time *sorted,
                       bosc_first_free *tree)
{
    for (int32_t p = 0; p < parts->n; ++p)
        sorted[p] = (bosc_part_time){bosc_part_speed(parts, p), p};
    if (parts->each != NULL)
        bosc_part_times_sort(sorted, parts->n);
    for (int32_t k = 0; k < parts->n; ++k) {
        tree->part[k] = sorted[k].part;
        tree->leaf[sorted[k].part] = tree->leaves + k;
    }
}

bosc_status bosc_first_free_create(const bosc_parts *parts,
                                   bosc_first_free *out, bosc_error *err)
{
    const size_t n = (size_t)parts->n;
    bosc_first_free made = {.n = parts->n, .leaves = 1};
    bosc_part_time *sorted;

    while (made.leaves < parts->n)
        made.leaves *= 2;
    if (BOSC_ALLOC(err, "the loads of parts",
                   BOSC_ARRAY(made.node, 2 * (size_t)made.leaves),
                   BOSC_ARRAY(made.leaf, n), BOSC_ARRAY(made.part, n),
                   BOSC_ARRAY(made.load, n),
                   BOSC_ARRAY(sorted, n)) != BOSC_OK) {
        bosc_first_free_clear(&made);
        free(sorted);
        return BOSC_ENOMEM;
    }
    sort_parts(parts, sorted, &made);
    free(sorted);
    for (int32_t k = made.n; k < made.leaves; ++k)
        made.node[made.leaves + k] = (bosc_first_free_node){INFINITY, 1, -1};
    for (int32_t p = 0; p < parts->n; ++p)
        made.node[made.leaf[p]] = (bosc_first_free_node){
            0, bosc_part_speed(parts, p), bosc_part_room(parts, p)};
    for (int32_t k = made.leaves - 1; k > 0; --k)
        update(&made, k);
    *out = made;
    return BOSC_OK;
}

void bosc_first_free_clear(bosc_first_free *tree)
{
    free(tree->node);
    free(tree->leaf);
    free(tree->part);
    free(tree->load);
    *tree = (bosc_first_free){0};
}

typedef struct search {
    const bosc_first_free *tree;
    double cost, done; /* when the best found is done */
    int64_t bytes;
    int32_t best;
} search;

/* No part under node k is done before. */
static double earliest(const search *s, int32_t k)
{
    const bosc_first_free_node *node = &s->tree->node[k];

    return node->room < s->bytes ? INFINITY
                                 : node->time + s->cost / node->speed;
}

static void search_under(search *s, int32_t k)
{
    if (earliest(s, k) >= s->done)
        return;
    if (k >= s->tree->leaves) {
        s->best = s->tree->part[k - s->tree->leaves];
        s->done = earliest(s, k);
        return;
    }
    const int right_first = earliest(s, 2 * k + 1) < earliest(s, 2 * k);

    search_under(s, 2 * k + right_first);
    search_under(s, 2 * k + !right_first);
}

int32_t bosc_first_free_find(const bosc_first_free *tree, int64_t cost,
                             int64_t bytes)
{
    search s = {tree, (double)cost, INFINITY, bytes, -1};

    search_under(&s, 1);
    return s.best;
}

int32_t bosc_first_free_fastest(const bosc_first_free *tree, int64_t bytes)
{
    int32_t k = 1;

    if (tree->node[k].room < bytes)
        return -1;
    while (k < tree->leaves) {
        k *= 2;
        k += tree->node[k].room < bytes;
    }
    return tree->part[k - tree->leaves];
}

/* The time of part p, and what is known above it. */
static void update_part(bosc_first_free *tree, int32_t p)
{
    bosc_first_free_node *leaf = &tree->node[tree->leaf[p]];

    leaf->time = (double)tree->load[p] / leaf->speed;
    for (int32_t k = tree->leaf[p] / 2; k > 0; k /= 2)
        update(tree, k);
}

void bosc_first_free_add(bosc_first_free *tree, int32_t p, int64_t cost,
                         int64_t bytes)
{
    bosc_first_free_node *leaf = &tree->node[tree->leaf[p]];

    tree->load[p] += cost;
    if (leaf->room != INT64_MAX)
        leaf->room -= bytes;
    update_part(tree, p);
}

void bosc_first_free_set_speed(bosc_first_free *tree, int32_t p, double speed)
{
    tree->node[tree->leaf[p]].speed = speed;
    update_part(tree, p);
}
