/* tile.c - tiles: every group once, those alike together, in threes, and work
 * for all threads. */
#include <stdlib.h>
#include <string.h>

#include "kernels/batch/tile.h"
#include "src/base/mem.h"
#include "tests/lib/tap.h"

/* n neurons of a chain each, of sizes first, first - less, ... */
typedef struct tile_case {
    const char *name;
    int32_t n, width, first, less;
    int threads;
} tile_case;

static const tile_case cases[] = {
    {"nothing", 0, 4, 100, 0, 2},
    {"one neuron", 1, 4, 100, 0, 2},
    {"as many groups as threads", 8, 4, 100, 1, 2},
    {"three groups for each thread", 24, 4, 100, 1, 2},
    {"three groups, one thread", 24, 8, 100, 1, 1},
    {"five groups, one thread", 20, 4, 100, 1, 1},
    {"many groups", 4000, 4, 4100, 1, 3},
    {"some alone", 9, 8, 900, 100, 1},
};

static bosc_layout make_layout(const tile_case *c)
{
    bosc_layout layout = {0};
    bosc_tree *trees = bosc_alloc((size_t)c->n, sizeof *trees);
    int32_t *shape = bosc_alloc((size_t)c->n, sizeof *shape);

    for (int32_t i = 0; i < c->n; ++i) {
        trees[i].n = c->first - i * c->less;
        shape[i] = c->less == 0 ? 0 : i;
    }
    bosc_layout_create(c->n, shape, trees,
                       (bosc_grouping){.width = c->width, .threads = 1},
                       &layout, NULL);
    free(trees);
    free(shape);
    return layout;
}

static bool each_group_once(const bosc_layout *l, const bosc_tile *tiles,
                            int32_t n)
{
    int *seen = bosc_alloc((size_t)l->n_groups, sizeof *seen);
    bool good = true;

    for (int32_t t = 0; t < n; ++t)
        for (int32_t g = tiles[t].g; g < tiles[t].g + tiles[t].n; ++g)
            ++seen[g];
    for (int32_t g = 0; g < l->n_groups; ++g)
        good = good && seen[g] == 1;
    free(seen);
    return good;
}

static bool groups_alike(const bosc_layout *l, const bosc_tile *tiles,
                         int32_t n)
{
    bool good = true;

    for (int32_t t = 0; t < n; ++t)
        for (int32_t g = tiles[t].g + 1; g < tiles[t].g + tiles[t].n; ++g)
            good = good && l->rows[g] <= l->rows[g - 1] &&
                   l->uniform[g] == l->uniform[g - 1] &&
                   bosc_layout_width(l, g) == bosc_layout_width(l, g - 1);
    return good;
}

static bool dearest_first(const bosc_tile *tiles, int32_t n)
{
    for (int32_t t = 1; t < n; ++t)
        if (tiles[t].cost > tiles[t - 1].cost)
            return false;
    return true;
}

static void test_case(const tile_case *c)
{
    bosc_layout l = make_layout(c);
    bosc_tile *tiles = NULL;
    int32_t n = 0;

    if (!ok(bosc_tiles_create(&l, c->threads, sizeof(double), &tiles, &n),
            "%s: tiles are made", c->name)) {
        bosc_layout_clear(&l);
        return;
    }
    ok(each_group_once(&l, tiles, n), "%s: every group is in one tile",
       c->name);
    ok(groups_alike(&l, tiles, n),
       "%s: groups of a tile are alike, none longer than the one before",
       c->name);
    ok(dearest_first(tiles, n), "%s: the dearest comes first", c->name);
    ok(n >= c->threads || n == l.n_groups, "%s: there is work for all threads",
       c->name);
    free(tiles);
    bosc_layout_clear(&l);
}

/* Few groups: a thread solves its own together. */
static void test_together(int32_t groups, int threads, int32_t want)
{
    const tile_case c = {"", 4 * groups, 4, 100, 0, threads};
    bosc_layout l = make_layout(&c);
    bosc_tile *tiles = NULL;
    int32_t n = 0;

    if (bosc_tiles_create(&l, threads, sizeof(double), &tiles, &n))
        ok(n == want, "%d groups on %d threads are %d tiles", (int)groups,
           threads, (int)want);
    free(tiles);
    bosc_layout_clear(&l);
}

/* Giants, and small ones, in groups of 4: a tile of several giants would keep
 * the other threads waiting. */
static void test_share(void)
{
    enum { N = 400, GIANTS = 24 };
    bosc_tree trees[] = {{9000, NULL}, {30, NULL}};
    int32_t shape[N];
    bosc_layout l;
    bosc_tile *tiles = NULL;
    int32_t n = 0;
    int64_t all = 0;

    for (int32_t i = 0; i < N; ++i)
        shape[i] = i >= GIANTS;
    bosc_layout_create(N, shape, trees,
                       (bosc_grouping){.width = 4, .threads = 1}, &l, NULL);
    if (!ok(bosc_tiles_create(&l, 6, sizeof(double), &tiles, &n),
            "giants among others: tiles are made"))
        return;
    for (int32_t t = 0; t < n; ++t)
        all += tiles[t].cost;
    ok(tiles[0].cost <= (all + 5) / 6,
       "giants among others: no tile takes longer than a thread's share");
    free(tiles);
    bosc_layout_clear(&l);
}

/* Rows of three groups of 90, 50 and 20: 40 of one alone, 30 of two. */
static void test_rows(void)
{
    int32_t rows[] = {90, 50, 20, 20};
    bosc_layout l = {.n_groups = 4, .rows = rows};
    const struct {
        bosc_tile tile;
        int64_t one, two;
        const char *what;
    } tiles[] = {{{0, 3, 0}, 40, 30, "three groups"},
                 {{0, 1, 0}, 90, 0, "one group"},
                 {{0, 2, 0}, 40, 50, "two groups"},
                 {{0, 4, 0}, 60, 30, "three groups and one"}};

    for (size_t i = 0; i < BOSC_LEN(tiles); ++i) {
        int64_t one, two;

        bosc_tile_rows(&l, &tiles[i].tile, &one, &two);
        ok(one == tiles[i].one && two == tiles[i].two,
           "rows that are solved with none or one beside: %s", tiles[i].what);
    }
}

int main(void)
{
    for (size_t i = 0; i < BOSC_LEN(cases); ++i)
        test_case(&cases[i]);
    test_together(3, 1, 1);
    test_together(2, 1, 1);
    test_together(6, 2, 2);
    test_together(4, 2, 2);
    test_together(2, 2, 2);
    test_together(6, 1, 2);
    test_rows();
    test_share();
    return done_testing();
}
