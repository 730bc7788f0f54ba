/* layout.c - layouts: every neuron once, every slot once, padding and
 * uniform groups as promised; and the numbering of trees. */
#include <stdlib.h>
#include <string.h>

#include "kernels/batch/batch.h"
#include "src/base/mem.h"
#include "tests/lib/model_cells.h"
#include "tests/lib/tap.h"
#include "tests/lib/tree.h"

enum { N_TREES = 4 };

static const int32_t one[] = {-1};
static const int32_t chain[] = {-1, 0, 1, 2, 3, 4, 5};
static const int32_t forked[] = {-1, 0, 1, 1, 0};
static const int32_t star[] = {-1, 0, 0, 0, 0};
static const bosc_tree trees[N_TREES] = {
    {1, one}, {7, chain}, {5, forked}, {5, star}};

/* Neuron i has shape pattern[i % length]. */
typedef struct layout_case {
    const char *name;
    int32_t n, width, n_uniform, n_alone; /* n_uniform: of those not alone */
    int length;
    int32_t pattern[8];
} layout_case;

static const layout_case cases[] = {
    {"no neurons", 0, 8, 0, 0, 1, {0}},
    {"one neuron", 1, 8, 0, 1, 1, {1}},
    {"one neuron, one lane", 1, 1, 0, 1, 1, {1}},
    {"33 equal neurons", 33, 8, 4, 1, 1, {2}},
    {"37 equal neurons", 37, 8, 4, 0, 1, {2}},
    {"two shapes of one size", 32, 4, 8, 0, 2, {2, 3}},
    {"four shapes", 50, 8, 4, 2, 4, {0, 1, 2, 3}},
    {"four shapes, one lane", 50, 1, 0, 50, 4, {0, 1, 2, 3}},
    {"four shapes, a warp", 50, 32, 0, 5, 4, {0, 1, 2, 3}},
    {"a rare large one", 17, 4, 3, 1, 8, {0, 0, 0, 1, 0, 0, 0, 0}},
};

/* Every slot that a compartment has is its own, and inside its group. */
static bool slots_are_unique(const bosc_layout *l, const int32_t *shape)
{
    bool *taken = bosc_alloc((size_t)l->n_slots, sizeof *taken), good = true;

    for (int32_t i = 0; i < l->n_neurons; ++i)
        for (int32_t k = 0; k < trees[shape[i]].n; ++k) {
            const ptrdiff_t slot = bosc_slot(l, i, k);
            const bool inside = slot >= 0 && slot < l->n_slots;

            good = good && inside && !taken[slot] &&
                   bosc_layout_group(l, slot) == l->group[i];
            if (inside)
                taken[slot] = true;
        }
    free(taken);
    return good;
}

static bool places_are_lanes(const bosc_layout *l)
{
    bool good = true;
    int32_t n = 0;

    for (int32_t g = 0; g < l->n_groups; ++g)
        for (int32_t k = 0; k < bosc_layout_width(l, g); ++k) {
            const int32_t neuron = bosc_layout_neuron(l, g, k);

            if (neuron < 0)
                continue;
            good = good && l->group[neuron] == g &&
                   l->place[neuron] == l->lane[g] + k;
            ++n;
        }
    return good && n == l->n_neurons;
}

/* Slots and elements are each other's inverse. */
static bool elements_are_found(const bosc_layout *l, const int32_t *shape)
{
    for (int32_t i = 0; i < l->n_neurons; ++i)
        for (int32_t k = 0; k < trees[shape[i]].n; ++k) {
            const int32_t g = l->group[i];
            const bosc_element at = bosc_layout_at(
                l, g, (int32_t)(bosc_slot(l, i, k) - l->first[g]));

            if (at.neuron != i || at.i != k)
                return false;
        }
    return true;
}

/* Uniform is what it says; and groups get no larger. */
static bool groups_are_honest(const bosc_layout *l, const int32_t *shape)
{
    bool good = l->first[0] == 0 && l->first[l->n_groups] == l->n_slots;

    for (int32_t g = 0; g < l->n_groups; ++g) {
        const int32_t *lane = l->lane_neuron + l->lane[g];
        const int32_t width = bosc_layout_width(l, g);
        bool uniform = true;
        int32_t longest = 0;

        for (int32_t k = 0; k < width; ++k) {
            uniform =
                uniform && lane[k] >= 0 && shape[lane[k]] == shape[lane[0]];
            if (lane[k] >= 0 && trees[shape[lane[k]]].n > longest)
                longest = trees[shape[lane[k]]].n;
        }
        good = good && uniform == l->uniform[g] && longest == l->rows[g] &&
               l->first[g + 1] - l->first[g] == longest * width &&
               l->first[g] % width == 0 && (width == l->width || width == 1);
        if (g > 0 && l->uniform[g] == l->uniform[g - 1] &&
            width == bosc_layout_width(l, g - 1))
            good = good && l->rows[g] <= l->rows[g - 1];
    }
    return good;
}

static void test_layout(const layout_case *c)
{
    int32_t *shape = bosc_alloc((size_t)c->n, sizeof *shape);
    bosc_layout l, again;
    bosc_error err;
    int32_t uniform = 0, alone = 0;
    ptrdiff_t size = 0;

    for (int32_t i = 0; i < c->n; ++i) {
        shape[i] = c->pattern[i % c->length];
        size += trees[shape[i]].n;
    }
    if (!ok(bosc_layout_create(c->n, shape, trees,
                               (bosc_grouping){.width = c->width, .threads = 1},
                               &l, &err) == BOSC_OK,
            "%s: laid out", c->name))
        return;
    for (int32_t g = 0; g < l.n_groups; ++g) {
        const bool is_alone = bosc_layout_width(&l, g) == 1;

        uniform += l.uniform[g] && !is_alone;
        alone += is_alone;
    }
    ok(slots_are_unique(&l, shape), "%s: every compartment has its own slot",
       c->name);
    ok(elements_are_found(&l, shape), "%s: every slot knows its compartment",
       c->name);
    ok(places_are_lanes(&l), "%s: every neuron has one lane", c->name);
    ok(groups_are_honest(&l, shape), "%s: groups are what they say", c->name);
    ok(uniform == c->n_uniform && alone == c->n_alone,
       "%s: %d uniform groups, and %d neurons alone", c->name, uniform, alone);
    ok(l.n_slots >= size, "%s: a slot for each compartment", c->name);
    bosc_layout_create(c->n, shape, trees,
                       (bosc_grouping){.width = c->width, .threads = 1}, &again,
                       &err);
    ok(memcmp(l.place, again.place, (size_t)c->n * sizeof *l.place) == 0,
       "%s: the same again", c->name);
    bosc_layout_clear(&l);
    bosc_layout_clear(&again);
    free(shape);
}

static void test_example(void)
{
    const bosc_tree ab[] = {{5, chain}, {4, chain}};
    const int32_t shape[] = {0, 1};
    bosc_layout l;
    bosc_error err;

    bosc_layout_create(2, shape, ab, (bosc_grouping){.width = 2, .threads = 1},
                       &l, &err);
    ok(l.n_slots == 10 && bosc_slot(&l, 0, 2) == 4 && bosc_slot(&l, 1, 3) == 7,
       "the header's example: A2 at slot 4, B3 at slot 7");
    bosc_layout_clear(&l);
}

/* Chains of these sizes in groups of 8: which are alone? */
static void test_giants(void)
{
    enum { N = 24 };
    static const struct {
        const char *name;
        int32_t size[N]; /* until a 0 */
        int32_t n_alone, n_groups;
    } giants[] = {
        {"two of eight", {900, 900, 9, 9, 9, 9, 9, 9}, 2, 3},
        {"five of eight", {900, 900, 900, 900, 900, 9, 9, 9}, 0, 1},
        {"one and eight", {900, 9, 9, 9, 9, 9, 9, 9, 9}, 1, 2},
        {"halves", {512, 256, 128, 64, 32, 16, 8, 4}, 8, 8},
        {"a slope", {20, 19, 18, 17, 16, 15, 14, 13}, 0, 1},
        {"a step", {99, 99, 99, 99, 99, 99, 99, 99, 20, 20, 20, 20, 20}, 0, 2},
    };
    static int32_t parent[1000];

    for (int32_t i = 0; i < (int32_t)BOSC_LEN(parent); ++i)
        parent[i] = i - 1;
    for (size_t c = 0; c < BOSC_LEN(giants); ++c) {
        bosc_tree all[N];
        int32_t shape[N], n = 0, alone = 0;
        bosc_layout l;
        bosc_error err;

        for (; n < N && giants[c].size[n] > 0; ++n) {
            all[n] = (bosc_tree){giants[c].size[n], parent};
            shape[n] = n;
        }
        bosc_layout_create(n, shape, all,
                           (bosc_grouping){.width = 8, .threads = 1}, &l, &err);
        for (int32_t g = 0; g < l.n_groups; ++g)
            alone += bosc_layout_width(&l, g) == 1;
        ok(alone == giants[c].n_alone && l.n_groups == giants[c].n_groups,
           "%s: %d alone, %d groups", giants[c].name, alone, l.n_groups);
        bosc_layout_clear(&l);
    }
}

/* Chains in groups of 8 that threads share: how many of the longest are alone?
 * A group of n rows takes as long as 3 n rows of a neuron alone. */
static void test_threads(void)
{
    static const struct {
        const char *name;
        int32_t n_giants, giant, n_small, small;
        int threads;
        int32_t n_alone;
    } many[] = {
        {"one thread", 8, 20000, 800, 300, 1, 0},
        {"who ends first waits for nobody", 8, 20000, 8000, 300, 4, 0},
        {"eight giants, sixteen threads", 8, 20000, 0, 0, 16, 8},
        {"and many others", 8, 20000, 1000, 300, 16, 8},
        {"and very many others", 8, 20000, 80000, 300, 16, 0},
        {"all alike, fewer than would fill the threads", 32, 300, 0, 0, 16, 32},
        {"all alike, a group for each thread", 128, 300, 0, 0, 16, 0},
        {"a giant among others", 1, 20000, 999, 300, 2, 1},
    };
    const bosc_tree none = {1, NULL};

    for (size_t c = 0; c < BOSC_LEN(many); ++c) {
        const int32_t n = many[c].n_giants + many[c].n_small;
        const bosc_tree trees[] = {
            {many[c].giant, NULL},
            many[c].n_small > 0 ? (bosc_tree){many[c].small, NULL} : none};
        int32_t *shape = forest_get((size_t)n, sizeof *shape), alone = 0;
        bosc_layout l;
        bosc_error err = {""};

        for (int32_t i = 0; i < many[c].n_small; ++i)
            shape[i] = 1;
        bosc_layout_create(
            n, shape, trees,
            (bosc_grouping){.width = 8, .threads = many[c].threads}, &l, &err);
        for (int32_t g = 0; g < l.n_groups; ++g)
            alone += bosc_layout_width(&l, g) == 1;
        ok(alone == many[c].n_alone && places_are_lanes(&l) &&
               (alone == 0 || l.rows[l.n_groups - alone] == many[c].giant),
           "%d threads: %s: %d alone %s", many[c].threads, many[c].name, alone,
           err.text);
        bosc_layout_clear(&l);
        free(shape);
    }
}

/* Slots are numbered by int32_t within a group. */
static void test_large_groups(void)
{
    enum { WIDTH = 1 << 17, ROWS = 1 << 14 };
    static const struct {
        int32_t rows, n_groups;
    } large[] = {{ROWS - 1, 1}, {ROWS, WIDTH}};
    int32_t *shape = forest_get(WIDTH, sizeof *shape);
    int32_t *parent = forest_get(ROWS, sizeof *parent);
    bosc_error err = {""};

    for (int32_t i = 0; i < ROWS; ++i)
        parent[i] = i - 1;
    for (size_t c = 0; c < BOSC_LEN(large); ++c) {
        const bosc_tree tree = {large[c].rows, parent};
        bosc_layout l;

        bosc_layout_create(WIDTH, shape, &tree,
                           (bosc_grouping){.width = WIDTH, .threads = 1}, &l,
                           &err);
        ok(l.n_groups == large[c].n_groups &&
               l.n_slots == (ptrdiff_t)WIDTH * large[c].rows,
           "%d lanes of %d rows are %d groups", WIDTH, large[c].rows,
           l.n_groups);
        bosc_layout_clear(&l);
    }
    free(shape);
    free(parent);
}

static void test_many(void)
{
    const bosc_tree tree = {1, one};
    const int32_t shape[] = {0};
    bosc_layout l;
    bosc_error err = {""};

    ok(bosc_layout_create(1, shape, &tree,
                          (bosc_grouping){.width = INT32_MAX, .threads = 1}, &l,
                          &err) == BOSC_EVALUE &&
           strstr(err.text, "use more ranks") != NULL,
       "too many lanes are refused: %s", err.text);
}

static void test_bad_trees(void)
{
    static const int32_t rootless[] = {0, 0}, late[] = {-1, 2, 0},
                         twice[] = {-1, -1};
    static const struct {
        const char *name;
        bosc_tree tree;
    } bad[] = {
        {"without a root", {2, rootless}},
        {"whose parent comes later", {3, late}},
        {"with two roots", {2, twice}},
        {"without nodes", {0, one}},
    };
    const int32_t shape[] = {0};

    for (size_t i = 0; i < BOSC_LEN(bad); ++i) {
        bosc_layout l;
        bosc_error err = {""};

        ok(bosc_layout_create(1, shape, &bad[i].tree,
                              (bosc_grouping){.width = 4, .threads = 1}, &l,
                              &err) == BOSC_EVALUE &&
               strncmp(err.text, "tree 0", 6) == 0,
           "a tree %s is refused: %s", bad[i].name, err.text);
    }
}

/* Depth-first: the parent of a node is on the path to the node before it. */
static bool is_depth_first(int32_t n, const int32_t *parent)
{
    for (int32_t i = 1; i < n; ++i) {
        int32_t up = i - 1;

        while (up > parent[i])
            up = parent[up];
        if (up != parent[i])
            return false;
    }
    return true;
}

/* The most branches open at a time in the walk from n - 1 to 0. */
static int32_t open_branches(int32_t n, const int32_t *parent)
{
    int32_t *children = bosc_alloc((size_t)n, sizeof *children);
    int32_t open = 0, most = 0;

    for (int32_t i = n - 1; i > 0; --i) {
        open -= children[i] > 1 ? children[i] - 1 : 0;
        open += parent[i] != i - 1;
        ++children[parent[i]];
        most = open > most ? open : most;
    }
    free(children);
    return most;
}

static void test_numbering(void)
{
    const int32_t parent[] = {-1, 0, 0, 1, 1}, want[] = {0, 2, 1, 3, 4};
    int32_t order[5];
    bosc_error err;
    bool good = true;

    tree_order(5, parent, order, &err);
    ok(memcmp(order, want, sizeof want) == 0, "the header's example of a tree");
    for (uint64_t seed = 0; seed < 50; ++seed) {
        const int32_t n = 2 + (int32_t)seed * 40;
        forest_shape s =
            forest_shape_random(n, 0.02 * (double)(seed % 25), seed);
        int32_t log2n = 0;

        while (1 << log2n < n)
            ++log2n;
        good = good && is_depth_first(s.n, s.parent) &&
               open_branches(s.n, s.parent) <= log2n + 1;
        forest_shape_clear(&s);
    }
    ok(good, "random trees are numbered depth-first with few open branches");
}

static void test_no_memory(void)
{
    bosc_batch b = {.layout = {.n_slots = PTRDIFF_MAX}};
    bosc_error err = {""};

    ok(bosc_batch_alloc(&b, &err) == BOSC_ENOMEM &&
           strstr(err.text, "use more ranks") != NULL,
       "a batch without memory says so");
    bosc_batch_clear(&b);
}

static void test_blocks(void)
{
    forest_shape s = forest_shape_random(60, 0.2, 5);
    const forest_set sets[] = {
        {BOSC_MECH_pas, {0.001, -70}},
        {BOSC_MECH_hh, {0.12, 0.036, 0.0003, -54.3, 50, -77}}};
    const int32_t shape[] = {0, 0, 0};
    const forest f = {.n_shapes = 1,
                      .shapes = &s,
                      .n_sets = 2,
                      .sets = sets,
                      .n_neurons = 3,
                      .shape = shape,
                      .dt = 0.025,
                      .celsius = 6.3,
                      .v_init = -65};
    bosc_batch b = forest_pack(&f, 2);

    ok(b.n_blocks == 1 && b.blocks[0].n == 3, "hh is at three somata");
    ok(bosc_block_find(&b, 0, bosc_slot(&b.layout, 2, 0)) == 2 &&
           bosc_block_find(&b, 0, bosc_slot(&b.layout, 1, 0)) == 1,
       "an instance is found by its slot");
    ok(bosc_block_find(&b, 0, bosc_slot(&b.layout, 2, 7)) == -1,
       "where there is none, none is found");
    bosc_batch_clear(&b);
    forest_shape_clear(&s);
}

int main(void)
{
    for (size_t i = 0; i < BOSC_LEN(cases); ++i)
        test_layout(&cases[i]);
    test_example();
    test_giants();
    test_threads();
    test_large_groups();
    test_many();
    test_bad_trees();
    test_numbering();
    test_no_memory();
    test_blocks();
    return done_testing();
}
