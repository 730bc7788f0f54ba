/* The forests that 'bosc-bench' solves, and the numbers it makes of times. */
#include <stdlib.h>
#include <string.h>

#include "bench/solve/bench.h"
#include "bench/solve/csv.h"
#include "tests/lib/tap.h"

static const struct {
    const char *what;
    int n;
    double values[5];
    bosc_spread want;
} spreads[] = {
    {"one time is its own spread", 1, {2.5}, {2.5, 2.5, 2.5}},
    {"an odd number has a middle", 5, {5, 1, 4, 1.5, 3}, {3, 1, 5}},
    {"an even number has two", 4, {8, 1, 4, 2}, {3, 1, 8}},
    {"one slow time moves no median", 5, {1, 1, 99, 1, 1}, {1, 1, 99}},
};

static void test_spreads(void)
{
    for (size_t i = 0; i < BOSC_LEN(spreads); ++i) {
        double values[5];
        bosc_spread got;

        memcpy(values, spreads[i].values, sizeof values);
        got = bosc_spread_of(values, spreads[i].n);
        ok(got.median == spreads[i].want.median &&
               got.least == spreads[i].want.least &&
               got.most == spreads[i].want.most,
           "%s", spreads[i].what);
    }
}

static void test_words(void)
{
    char word[8] = "";

    ok(bosc_csv_at("one,two", 1, word, sizeof word) &&
           strcmp(word, "two") == 0 && bosc_csv_has("one,two", "one"),
       "a list has its words");
    ok(!bosc_csv_at("one,two", 2, word, sizeof word) &&
           !bosc_csv_at(NULL, 0, word, sizeof word),
       "and no more");
    ok(!bosc_csv_has("one,two", "tw") && !bosc_csv_has("one", "ones"),
       "a part of a word is none");
    ok(bosc_csv_at("a,,b", 1, word, sizeof word) && word[0] == '\0',
       "between two commas is an empty one");
}

static const struct {
    const char *shape;
    int32_t least, most;
} shapes[] = {
    {"small-low", 76, 76},
    {"medium-high", 319, 319},
    {"big-high", 691, 691},
    {"mix", 76, 691},
    {"chain:1", 1, 1},
    {"chain:512", 512, 512},
    {"chain:256-512", 256, 512},
    {"levels:1", 512, 512},
    {"levels:4", 512, 512},
    {"levels:9", 512, 512},
    {"rooted:2", 512, 512},
    {"rooted:8", 512, 512},
    {"tree:5", 5, 5},
    {"tree:600", 600, 600},
    {"tree:600-700", 600, 700},
};

/* Deepest path in branch points: the levels of sections, less one. */
static int32_t forks_above(const bosc_tree *tree, int32_t i)
{
    int32_t forks = 0;

    for (; i >= 0; i = tree->parent[i]) {
        int children = 0;

        for (int32_t k = i + 1; k < tree->n; ++k)
            children += tree->parent[k] == i;
        forks += children > 1;
    }
    return forks;
}

/* True if the solver that all others are tested against can solve it. */
static bool solves(const bosc_bench_cells *forest, double *residual)
{
    const bosc_method *method = bosc_method_find("ref", "hines");
    const bosc_solver_ops *ref = method->solver.ops;
    const bosc_solver_options options = {.threads = 1};
    bosc_solver *solver = NULL;
    double seconds;
    bosc_error err = {""};
    const bool done =
        bosc_method_solver(method, &forest->systems, &options, &solver, &err) ==
            BOSC_OK &&
        ref->load(solver, forest->d, forest->b, &err) == BOSC_OK &&
        ref->solve(solver, &seconds, &err) == BOSC_OK &&
        ref->fetch(solver, forest->x, &err) == BOSC_OK;

    if (!done)
        diag("%s", err.text);
    *residual = bosc_systems_residual(&forest->systems, forest->d, forest->b,
                                      forest->x, false);
    ref->destroy(solver);
    return done;
}

static bool make(const char *word, bosc_bench_spec spec, bosc_bench_cells *out)
{
    bosc_bench_shape shape;
    bosc_error err = {""};
    bosc_status st = bosc_bench_shape_create(word, &shape, &err);

    if (st == BOSC_OK) {
        st = bosc_bench_cells_create(&shape, &spec, out, &err);
        bosc_bench_shape_clear(&shape);
    }
    if (st != BOSC_OK)
        diag("%s: %s", word, err.text);
    return st == BOSC_OK;
}

static bool within(const bosc_bench_cells *forest, int32_t least, int32_t most)
{
    for (int32_t t = 0; t < forest->systems.n_trees; ++t)
        if (forest->trees[t].n < least || forest->trees[t].n > most)
            return false;
    return forest->systems.n_trees > 0;
}

static void test_shapes(void)
{
    for (size_t i = 0; i < BOSC_LEN(shapes); ++i) {
        bosc_bench_cells forest = {0};
        double residual = 1;

        ok(make(shapes[i].shape,
                (bosc_bench_spec){.neurons = 23, .distinct = 11}, &forest) &&
               within(&forest, shapes[i].least, shapes[i].most) &&
               solves(&forest, &residual) && residual < 1e-13,
           "%s has its compartments, and can be solved (residual %.1e)",
           shapes[i].shape, residual);
        bosc_bench_cells_clear(&forest);
    }
}

static void test_levels(void)
{
    for (int32_t levels = 1; levels < 5; ++levels) {
        bosc_bench_cells forest = {0};
        char word[24];

        snprintf(word, sizeof word, "levels:%d", levels);
        ok(make(word, (bosc_bench_spec){.neurons = 1, .distinct = 1},
                &forest) &&
               forks_above(&forest.trees[0], 511) == levels - 1,
           "%s forks %d times on the way to a tip", word, levels - 1);
        bosc_bench_cells_clear(&forest);
    }
}

/* Rows up to the first fork, or the tip where there is none. */
static int32_t root_section(const bosc_tree *tree)
{
    for (int32_t i = 0;; ++i) {
        int children = 0;

        for (int32_t k = i + 1; k < tree->n; ++k)
            children += tree->parent[k] == i;
        if (children != 1)
            return i + 1;
    }
}

static void test_rooted(void)
{
    static const int32_t root[] = {256, 260, 260, 272}; /* of 2 to 5 levels */

    for (int32_t levels = 2; levels < 6; ++levels) {
        bosc_bench_cells forest = {0};
        char word[24];

        snprintf(word, sizeof word, "rooted:%d", levels);
        ok(make(word, (bosc_bench_spec){.neurons = 1, .distinct = 1},
                &forest) &&
               forks_above(&forest.trees[0], 511) == levels - 1 &&
               root_section(&forest.trees[0]) == root[levels - 2],
           "%s has half of the neuron in the section of its root, and %d "
           "levels below",
           word, levels - 1);
        bosc_bench_cells_clear(&forest);
    }
}

static void test_different(void)
{
    bosc_bench_cells forest = {0};

    ok(make("tree:600", (bosc_bench_spec){.neurons = 5, .distinct = 5},
            &forest) &&
           forest.systems.n_trees == 5 &&
           memcmp(forest.trees[0].parent, forest.trees[1].parent,
                  600 * sizeof *forest.trees[0].parent) != 0,
       "neurons of one size have trees that differ");
    bosc_bench_cells_clear(&forest);
}

/* Compartments that begin or end a section, in percent: of mix, 10 to 98. */
static double branching(const bosc_tree *tree)
{
    int32_t sections = 1;

    for (int32_t i = 1; i < tree->n; ++i) {
        int children = 0;

        for (int32_t k = i + 1; k < tree->n; ++k)
            children += tree->parent[k] == tree->parent[i];
        for (int32_t k = 0; k < i; ++k)
            children += tree->parent[k] == tree->parent[i];
        sections += children > 0;
    }
    return 200.0 * sections / tree->n;
}

static void test_mix(void)
{
    bosc_bench_cells forest = {0};
    double least = 100, most = 0;
    int32_t short_one = INT32_MAX, long_one = 0;

    if (!ok(make("mix", (bosc_bench_spec){.neurons = 256, .distinct = 256},
                 &forest),
            "a mix of 256 different trees is made"))
        return;
    for (int32_t t = 0; t < forest.systems.n_trees; ++t) {
        const double percent = branching(&forest.trees[t]);
        const int32_t n = forest.trees[t].n;

        least = percent < least ? percent : least;
        most = percent > most ? percent : most;
        short_one = n < short_one ? n : short_one;
        long_one = n > long_one ? n : long_one;
    }
    ok(least < 13 && most > 95 && short_one < 90 && long_one > 680,
       "it fills its ranges: %.0f to %.0f %%, %d to %d compartments", least,
       most, short_one, long_one);
    bosc_bench_cells_clear(&forest);
}

static void test_parts(void)
{
    bosc_bench_cells large = {0}, small = {0};
    bosc_systems part;

    if (!ok(make("mix", (bosc_bench_spec){.neurons = 50, .distinct = 8},
                 &large) &&
                make("mix", (bosc_bench_spec){.neurons = 13, .distinct = 8},
                     &small),
            "two sizes of one forest are made"))
        return;
    part = large.systems;
    part.n_neurons = 13;
    ok(bosc_systems_size(&part) == small.first[13] &&
           large.systems.n_trees == 8,
       "trees repeat, and the first neurons are the smaller forest");
    const size_t bytes = (size_t)small.first[13] * sizeof(double);
    ok(memcmp(large.d, small.d, bytes) == 0 &&
           memcmp(large.b, small.b, bytes) == 0 &&
           memcmp(large.u, small.u, bytes) == 0,
       "with the same numbers");
    ok(memcmp(large.d, large.d + large.first[8], 64) != 0 &&
           memcmp(large.u, large.u + large.first[8], 64) != 0,
       "neurons of one tree have numbers of their own");
    bosc_bench_cells_clear(&large);
    bosc_bench_cells_clear(&small);
}

static void test_shared(void)
{
    bosc_bench_cells forest = {0};
    double residual = 1;

    ok(make("small-high",
            (bosc_bench_spec){.neurons = 9, .distinct = 2, .shared_u = true},
            &forest) &&
           forest.systems.shared_u && solves(&forest, &residual) &&
           residual < 1e-13,
       "off-diagonals can be shared (residual %.1e)", residual);
    bosc_bench_cells_clear(&forest);
}

/* A solver that computes nothing. */
static bosc_status fetch_zeros(bosc_solver *solver, double *x, bosc_error *err)
{
    (void)solver;
    (void)err;
    x[0] = x[1] = 0;
    return BOSC_OK;
}

static void test_wrong(void)
{
    const bosc_method *right = bosc_method_find("ref", "hines");
    bosc_solver_ops zeros = *right->solver.ops;
    bosc_method wrong = *right;
    bosc_bench_plan plan = {
        .n = 2,
        .entry = {{right->backend, right, 0, false},
                  {right->backend, &wrong, 0, false}},
    };
    bosc_bench_request request = {.repeat = 7, .solver.threads = 1};
    const bosc_bench_point of = {.of = "chain:2", .neurons = 1};
    bosc_bench_cells forest = {0};
    bosc_bench_row rows[2];
    bosc_error err = {""};

    zeros.fetch = fetch_zeros;
    wrong.solver.ops = &zeros;
    if (!ok(make("chain:2", (bosc_bench_spec){.neurons = 1, .distinct = 1},
                 &forest),
            "a forest of two compartments is made"))
        return;
    ok(bosc_bench_measure(&plan, &request, &forest, &of, NULL, rows, &err) ==
               BOSC_OK &&
           rows[0].why[0] == '\0' && rows[0].repeats >= 7 &&
           rows[0].over_sequential == 1,
       "what is right has a time");
    ok(strstr(rows[1].why, "results are wrong") != NULL &&
           rows[1].repeats == 0 && rows[1].seconds.median == 0,
       "what is wrong has none, and says so: %s", rows[1].why);
    plan.entry[1].named = true;
    ok(bosc_bench_measure(&plan, &request, &forest, &of, NULL, rows, &err) ==
               BOSC_EINTERNAL &&
           strstr(err.text, "results are wrong") != NULL,
       "and is an error where it was named");
    request.papers = true;
    ok(bosc_bench_measure(&plan, &request, &forest, &of, NULL, rows, &err) ==
           BOSC_OK,
       "but not among the papers' experiments");
    bosc_bench_cells_clear(&forest);
}

/* Neurons divided among ranks: all of them, once, with the numbers that they
 * have undivided. */
static void test_ranks(void)
{
    enum { N = 60, RANKS = 4 };
    bosc_bench_cells whole = {0}, part[RANKS] = {{.x = NULL}};
    int64_t least = INT64_MAX, most = 0, rows = 0;
    int wrong = 0, n[2] = {0, 0}; /* of the first 10, and of all */

    if (!ok(make("mix", (bosc_bench_spec){.neurons = N, .distinct = 50},
                 &whole),
            "a forest is made"))
        return;
    for (int r = 0; r < RANKS; ++r) {
        const bosc_bench_cells *p = &part[r];

        wrong +=
            !make("mix",
                  (bosc_bench_spec){
                      .neurons = N, .distinct = 50, .rank = r, .ranks = RANKS},
                  &part[r]);
        n[0] += bosc_bench_cells_count(p, 10);
        n[1] += bosc_bench_cells_count(p, N);
        for (int32_t i = 0; i < p->systems.n_neurons; ++i) {
            const int32_t k = p->number[i];
            const size_t bytes =
                sizeof *p->d * (size_t)(p->first[i + 1] - p->first[i]);

            wrong += p->trees[p->shape[i]].n != whole.trees[whole.shape[k]].n ||
                     memcmp(p->d + p->first[i], whole.d + whole.first[k],
                            bytes) != 0 ||
                     memcmp(p->u + p->first[i], whole.u + whole.first[k],
                            bytes) != 0;
        }
        wrong += bosc_bench_count_trees(p, p->systems.n_neurons) !=
                 p->systems.n_trees;
        least = p->first[p->systems.n_neurons] < least
                    ? p->first[p->systems.n_neurons]
                    : least;
        most = p->first[p->systems.n_neurons] > most
                   ? p->first[p->systems.n_neurons]
                   : most;
        rows += p->first[p->systems.n_neurons];
    }
    ok(wrong == 0, "parts of four ranks have neurons of the whole, and trees "
                   "of theirs alone");
    ok(n[0] == 10 && n[1] == N && rows == whole.first[N],
       "together all of them, and of the first 10 these");
    ok(most - least <= 691, "their compartments differ by a neuron at most");
    for (int r = 0; r < RANKS; ++r)
        bosc_bench_cells_clear(&part[r]);
    bosc_bench_cells_clear(&whole);
}

int main(void)
{
    test_spreads();
    test_words();
    test_shapes();
    test_levels();
    test_rooted();
    test_different();
    test_mix();
    test_parts();
    test_shared();
    test_wrong();
    test_ranks();
    return done_testing();
}
