#include "kernels/batch/tile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"

/* Slots that fill the L2 cache; of 1 MB where the system does not know. */
static ptrdiff_t cached_slots(size_t slot_bytes)
{
    const long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);

    return (l2 > 0 ? l2 : 1 << 20) / (ptrdiff_t)slot_bytes;
}

/* May group 'next' stand in the tile of group g? */
static bool alike(const bosc_layout *layout, int32_t g, int32_t next)
{
    return bosc_layout_width(layout, next) == bosc_layout_width(layout, g) &&
           layout->uniform[next] == layout->uniform[g] &&
           layout->rows[next] <= layout->rows[next - 1];
}

static int by_cost(const void *a, const void *b)
{
    const bosc_tile *x = a, *y = b;

    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    return (x->g > y->g) - (x->g < y->g);
}

/* Up to as many as are solved at the same time groups stay together also where
 * they do not fit the cache: to wait for divisions takes longer than to fetch
 * rows.  But a thread needs two doubles for each slot of its largest tile. */
static bool may_grow(const bosc_layout *layout, int32_t g, int32_t n,
                     ptrdiff_t fitting)
{
    const ptrdiff_t most = 1 << 19; /* slots: 8 MiB of a thread */
    const ptrdiff_t slots = layout->first[g + n + 1] - layout->first[g];

    return slots <= (n < BOSC_TOGETHER && most > fitting ? most : fitting);
}

/* What a tile has at most. */
typedef struct limits {
    int32_t groups;
    int64_t cost; /* the share of a thread */
    ptrdiff_t fitting;
} limits;

static int64_t cost_of(const bosc_layout *layout, int32_t g)
{
    return bosc_layout_cost(bosc_layout_width(layout, g), layout->rows[g]);
}

/* How many groups from g on are alike and may be together? */
static int32_t run_from(const bosc_layout *layout, int32_t g,
                        const limits *most)
{
    int64_t cost = cost_of(layout, g);
    int32_t n = 1;

    while (g + n < layout->n_groups && n < most->groups &&
           alike(layout, g + n - 1, g + n) &&
           may_grow(layout, g, n, most->fitting) &&
           (cost += cost_of(layout, g + n)) <= most->cost)
        ++n;
    return n > BOSC_TOGETHER ? n / BOSC_TOGETHER * BOSC_TOGETHER : n;
}

static bosc_tile tile_at(const bosc_layout *layout, int32_t g,
                         const limits *most)
{
    bosc_tile tile = {.g = g, .n = run_from(layout, g, most)};

    for (int32_t k = g; k < g + tile.n; ++k)
        tile.cost += cost_of(layout, k);
    return tile;
}

/* Groups of a tile at most: several tiles for each thread, because some take
 * longer than others, but never less than can be solved at the same time,
 * unless a thread has fewer. */
static int32_t most_groups(int32_t n_groups, int threads)
{
    enum { TILES = 4 };
    const int32_t each = (n_groups + threads - 1) / threads;
    const int32_t most = 1 + n_groups / (TILES * threads);

    if (each <= BOSC_TOGETHER)
        return each;
    return most > BOSC_TOGETHER ? most : BOSC_TOGETHER;
}

bool bosc_tiles_create(const bosc_layout *layout, int threads,
                       size_t slot_bytes, bosc_tile **tiles, int32_t *n)
{
    limits most = {.groups = most_groups(layout->n_groups, threads),
                   .fitting = cached_slots(slot_bytes)};

    *n = 0;
    *tiles = bosc_alloc((size_t)layout->n_groups, sizeof **tiles);
    if (*tiles == NULL)
        return false;
    for (int32_t g = 0; g < layout->n_groups; ++g)
        most.cost += cost_of(layout, g);
    most.cost = (most.cost + threads - 1) / threads;
    for (int32_t g = 0; g < layout->n_groups; g += (*tiles)[(*n)++].n)
        (*tiles)[*n] = tile_at(layout, g, &most);
    qsort(*tiles, (size_t)*n, sizeof **tiles, by_cost);
    return true;
}

static bool has_any(const bosc_tile *tile, const bool *group)
{
    for (int32_t g = tile->g; g < tile->g + tile->n; ++g)
        if (group[g])
            return true;
    return false;
}

bool bosc_tiles_put_first(const bosc_layout *layout, ptrdiff_t n,
                          const ptrdiff_t *slots, bosc_tile *tiles,
                          int32_t n_tiles, int32_t *n_first)
{
    bool *group = bosc_alloc((size_t)layout->n_groups, sizeof *group);
    bosc_tile *others = bosc_alloc((size_t)n_tiles, sizeof *others);
    const bool room = group != NULL && others != NULL;
    int32_t n_others = 0;

    *n_first = 0;
    for (ptrdiff_t i = 0; room && i < n; ++i)
        group[bosc_layout_group(layout, slots[i])] = true;
    for (int32_t t = 0; room && t < n_tiles; ++t)
        if (has_any(&tiles[t], group))
            tiles[(*n_first)++] = tiles[t];
        else
            others[n_others++] = tiles[t];
    if (n_others > 0)
        memcpy(tiles + *n_first, others, (size_t)n_others * sizeof *others);
    free(group);
    free(others);
    return room;
}

void bosc_tile_rows(const bosc_layout *layout, const bosc_tile *tile,
                    int64_t *one, int64_t *two)
{
    const int32_t end = tile->g + tile->n;

    *one = *two = 0;
    for (int32_t g = tile->g; g < end; g += BOSC_TOGETHER) {
        const int32_t second = g + 1 < end ? layout->rows[g + 1] : 0;
        const int32_t third = g + 2 < end ? layout->rows[g + 2] : 0;

        *one += layout->rows[g] - second;
        *two += second - third;
    }
}
