/* Bins: what they foretell is what the layouts of kernels become. */
#include <math.h>
#include <stdlib.h>

#include "kernels/batch/layout.h"
#include "kernels/thomas/thomas.h"
#include "partition/bins.h"
#include "src/base/mem.h"
#include "tests/lib/tap.h"

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Chains as trees, longest first; the last of each length is one shape. */
typedef struct chains {
    int32_t n, *length, *shape, *parent;
    bosc_tree *trees;
} chains;

static int longest_first(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x < y) - (x > y);
}

/* n lengths up to 'most', small ones more often; with 'alike' those of one
 * length have one shape. */
static chains chains_of(int32_t n, int32_t most, bool alike, uint64_t seed)
{
    chains c = {.n = n};

    c.length = bosc_alloc((size_t)n, sizeof *c.length);
    c.shape = bosc_alloc((size_t)n, sizeof *c.shape);
    c.parent = bosc_alloc((size_t)most, sizeof *c.parent);
    c.trees = bosc_alloc((size_t)n, sizeof *c.trees);
    for (int32_t i = 0; i < n; ++i) {
        const double x = (double)(next(&seed) % 1000) / 1000;

        c.length[i] = 1 + (int32_t)((most - 1) * x * x * x);
    }
    for (int32_t k = 0; k < most; ++k)
        c.parent[k] = k - 1;
    qsort(c.length, (size_t)n, sizeof *c.length, longest_first);
    for (int32_t i = 0; i < n; ++i) {
        c.shape[i] = alike && i > 0 && c.length[i] == c.length[i - 1]
                         ? c.shape[i - 1]
                         : i;
        c.trees[i] = (bosc_tree){c.length[i], c.parent};
    }
    return c;
}

static void chains_free(chains *c)
{
    free(c->length);
    free(c->shape);
    free(c->parent);
    free(c->trees);
}

/* The bin of all chains. */
static bosc_bin bin_of(const chains *c, int32_t lanes, bosc_bins_rule rule)
{
    bosc_bins *bins = NULL;
    bosc_bin bin;

    bosc_bins_create(2, lanes, rule, &bins, NULL);
    for (int32_t i = 0; i < c->n; ++i)
        bosc_bins_add(bins, 1, c->length[i], c->shape[i]);
    bin = bosc_bins_get(bins, 1);
    bosc_bins_destroy(bins);
    return bin;
}

static int64_t layout_time(const bosc_layout *layout)
{
    int64_t time = 0;

    for (int32_t g = 0; g < layout->n_groups; ++g)
        time += bosc_layout_cost(bosc_layout_width(layout, g), layout->rows[g]);
    return time;
}

static int64_t layout_steps(const bosc_layout *layout)
{
    int64_t steps = 0;

    for (int32_t g = 0; g < layout->n_groups; ++g)
        steps += layout->rows[g];
    return steps;
}

static void test_layout(void)
{
    static const struct {
        int32_t n, most, width;
        bool alike;
    } cases[] = {
        {0, 5, 8, false},     {1, 5, 8, false},       {7, 300, 8, false},
        {8, 300, 8, false},   {9, 300, 8, false},     {1000, 691, 8, false},
        {1000, 691, 4, true}, {100, 45923, 8, false}, {1000, 45923, 8, true},
        {333, 40, 32, true},  {333, 4000, 32, false}, {50, 100, 1, true},
    };

    for (size_t k = 0; k < BOSC_LEN(cases); ++k) {
        const int32_t width = cases[k].width;
        chains c = chains_of(cases[k].n, cases[k].most, cases[k].alike, k);
        const bosc_bin bin = bin_of(&c, width, BOSC_BINS_MIXED);
        bosc_layout layout = {0};

        bosc_layout_create(c.n, c.shape, c.trees,
                           (bosc_grouping){.width = width, .threads = 1},
                           &layout, NULL);
        ok(bin.n == c.n && bin.time == layout_time(&layout) &&
               bin.slots == layout.n_slots &&
               bin.steps == layout_steps(&layout),
           "%d neurons of up to %d compartments%s in %d lanes: a bin is what "
           "the layout becomes",
           (int)c.n, (int)cases[k].most, cases[k].alike ? ", some alike," : "",
           (int)width);
        bosc_layout_clear(&layout);
        chains_free(&c);
    }
}

/* Full groups of one kind, of 90, 50, 20 and 10 rows in 2 lanes: 40 rows alone,
 * 30 of two, 10 alone. */
static void test_waits(void)
{
    static const int32_t rows[] = {90, 50, 20, 10};
    bosc_bins *bins = NULL;

    bosc_bins_create(1, 2, BOSC_BINS_MIXED, &bins, NULL);
    for (int32_t k = 0; k < 4; ++k)
        for (int i = 0; i < 2; ++i)
            bosc_bins_add(bins, 0, rows[k], k);
    ok(bosc_bins_get(bins, 0).waits == 5 * 50 + 2 * 30,
       "rows wait where fewer than three groups are left");
    bosc_bins_destroy(bins);
}

static void test_whole(void)
{
    static const struct {
        int32_t n, most;
    } cases[] = {{0, 5}, {1, 5}, {31, 77}, {32, 77}, {33, 77}, {5000, 300}};

    for (size_t k = 0; k < BOSC_LEN(cases); ++k) {
        chains c = chains_of(cases[k].n, cases[k].most, false, k);
        const bosc_bin bin = bin_of(&c, BOSC_THOMAS_WIDTH, BOSC_BINS_WHOLE);
        bosc_thomas layout = {0};

        bosc_thomas_create(BOSC_THOMAS_SLICED, c.n, c.length, &layout, NULL);
        ok(bin.slots == layout.n_slots &&
               bin.steps * BOSC_THOMAS_WIDTH == layout.n_slots,
           "%d sections of up to %d compartments: whole groups are the slices "
           "of thomas.h",
           (int)c.n, (int)cases[k].most);
        bosc_thomas_clear(&layout);
        chains_free(&c);
    }
}

static void test_numbers(void)
{
    static const struct {
        const char *name;
        int64_t rows[6];
        int n;
        bosc_bins_rule rule;
        double padding, use;
        int64_t alone;
    } cases[] = {
        {"nothing is full", {0}, 0, BOSC_BINS_MIXED, 1, 1, 0},
        {"full lanes of one length", {5, 5, 5, 5}, 4, BOSC_BINS_MIXED, 1, 1, 0},
        {"one is alone, two together",
         {9, 4, 4},
         3,
         BOSC_BINS_MIXED,
         1,
         17 / 26.,
         9},
        {"whole groups", {9, 4, 4}, 3, BOSC_BINS_WHOLE, 26 / 17., 17 / 26., 0},
    };

    for (size_t k = 0; k < BOSC_LEN(cases); ++k) {
        bosc_bins *bins = NULL;
        bosc_bin bin;

        bosc_bins_create(1, 2, cases[k].rule, &bins, NULL);
        bosc_bins_add(bins, 0, 1000, -1);
        bosc_bins_reset(bins);
        for (int i = 0; i < cases[k].n; ++i)
            bosc_bins_add(bins, 0, cases[k].rows[i], -1);
        bin = bosc_bins_get(bins, 0);
        ok(fabs(bosc_bin_padding(&bin) - cases[k].padding) < 1e-12 &&
               fabs(bosc_bin_lane_use(&bin, 2) - cases[k].use) < 1e-12 &&
               bin.alone == cases[k].alone,
           "%s: padding, lane use and what is alone are right", cases[k].name);
        bosc_bins_destroy(bins);
    }
}

int main(void)
{
    test_layout();
    test_waits();
    test_whole();
    test_numbers();
    return done_testing();
}
