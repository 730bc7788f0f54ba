/* levels.c - sections, patterns and cell blocks, and what the threads of a
 * cell block do, one after another: the bits of the plain Hines algorithm. */
#include <stdlib.h>
#include <string.h>

#include "kernels/levels/cell_blocks.h"
#include "kernels/solve/solvers.h"
#include "tests/lib/model_cells.h"
#include "tests/lib/tap.h"

#define integer uint16_t
#define real double
#define REAL(name) name##_near_double
#include "kernels/levels/cell_block_walk.h"
#undef real
#undef REAL
#undef integer
#define integer int32_t
#define real float
#define REAL(name) name##_far_single
#include "kernels/levels/cell_block_walk.h"
#undef real
#undef REAL
#undef integer

#define LOOP 0
#define real double
#define REAL(name) name##_double
#include "kernels/levels/level_walk.h"
#undef real
#undef REAL
#define real float
#define REAL(name) name##_single
#include "kernels/levels/level_walk.h"
#undef real
#undef REAL
#undef LOOP
#define LOOP 1
#define real double
#define REAL(name) name##_loop
#include "kernels/levels/level_walk.h"
#undef real
#undef REAL
#undef LOOP

enum { MAX_TREES = 12, THREADS = 64 };

/* A systems that owns its numbers. */
typedef struct wood {
    const char *name;
    forest_shape shapes[MAX_TREES];
    bosc_tree trees[MAX_TREES];
    int32_t shape[100];
    bosc_systems systems;
    double *u, *d, *b, *want;
} wood;

static int32_t in_chain(int32_t i)
{
    return i - 1;
}

static int32_t in_star(int32_t i)
{
    (void)i;
    return 0;
}

static int32_t in_comb(int32_t i)
{
    return i % 2 == 1 ? i - 1 : i - 2;
}

/* Hundreds of levels: each node of a trunk has three teeth. */
static int32_t in_brush(int32_t i)
{
    return i == 0 ? -1 : (i - 1) / 4 * 4;
}

static const struct {
    const char *name;
    int32_t n_neurons;
    bool shared_u;
    struct {
        int32_t n;
        int32_t (*parent)(int32_t i); /* NULL: random, of 'branching' */
        double branching;
    } trees[MAX_TREES];
} plans[] = {
    {"no neurons", 0, false, {{1, in_chain, 0}}},
    {"points", 9, false, {{1, in_chain, 0}}},
    {"chains of two", 33, false, {{2, in_chain, 0}}},
    {"a chain of 45,000", 1, false, {{45000, in_chain, 0}}},
    {"stars of 1,000 children", 5, false, {{1001, in_star, 0}}},
    {"combs", 17, false, {{101, in_comb, 0}, {77, in_comb, 0}}},
    {"a brush of 500 levels", 2, false, {{2001, in_brush, 0}}},
    {"33 equal trees", 33, false, {{319, NULL, 0.25}}},
    {"33 trees that share u", 33, true, {{319, NULL, 0.25}, {76, NULL, 0.1}}},
    {"all kinds",
     100,
     false,
     {{691, NULL, 0.4},
      {76, NULL, 0.05},
      {305, NULL, 0.1},
      {40, in_chain, 0},
      {300, in_star, 0},
      {1, in_chain, 0},
      {101, in_comb, 0}}},
};

static void number(wood *w)
{
    const int64_t n = bosc_systems_size(&w->systems);
    int64_t n_u = n;
    uint64_t seed = 7;

    for (int32_t t = 0; w->systems.shared_u && t < w->systems.n_trees; ++t)
        n_u = t == 0 ? w->trees[t].n : n_u + w->trees[t].n;
    w->u = forest_get((size_t)n_u, sizeof *w->u);
    w->d = forest_get((size_t)n, sizeof *w->d);
    w->b = forest_get((size_t)n, sizeof *w->b);
    w->want = forest_get((size_t)n, sizeof *w->want);
    for (int64_t i = 0; i < n_u; ++i)
        w->u[i] = -0.1 - forest_uniform(&seed);
    for (int64_t i = 0; i < n; ++i) {
        w->d[i] = 0.01 + forest_uniform(&seed);
        w->b[i] = forest_uniform(&seed) - 0.5;
    }
}

/* u of roots is 0. */
static void root(wood *w)
{
    int64_t at = 0;

    for (int32_t k = 0;
         k < (w->systems.shared_u ? w->systems.n_trees : w->systems.n_neurons);
         ++k) {
        w->u[at] = 0;
        at += w->trees[w->systems.shared_u ? k : w->shape[k]].n;
    }
}

static void plant(wood *w, size_t plan)
{
    *w = (wood){.name = plans[plan].name};
    w->systems = (bosc_systems){.n_neurons = plans[plan].n_neurons,
                                .shape = w->shape,
                                .trees = w->trees,
                                .shared_u = plans[plan].shared_u};
    for (int32_t t = 0; t < MAX_TREES && plans[plan].trees[t].n > 0; ++t) {
        const int32_t n = plans[plan].trees[t].n;

        w->shapes[t] =
            plans[plan].trees[t].parent != NULL
                ? forest_shape_create(n)
                : forest_shape_random(n, plans[plan].trees[t].branching, 3);
        for (int32_t i = 1; plans[plan].trees[t].parent != NULL && i < n; ++i)
            w->shapes[t].parent[i] = plans[plan].trees[t].parent(i);
        w->trees[w->systems.n_trees++] = (bosc_tree){n, w->shapes[t].parent};
    }
    for (int32_t k = 0; k < w->systems.n_neurons; ++k)
        w->shape[k] = k % w->systems.n_trees;
    number(w);
    root(w);
    w->systems.u = w->u;
}

static void fell(wood *w)
{
    for (int32_t t = 0; t < w->systems.n_trees; ++t)
        forest_shape_clear(&w->shapes[t]);
    free(w->u);
    free(w->d);
    free(w->b);
    free(w->want);
}

/* What ref says. */
static bool ask_ref(wood *w, bosc_numbers numbers)
{
    const bosc_method *method = bosc_method_find("ref", "hines");
    const bosc_solver_ops *ref = method->solver.ops;
    const bosc_solver_options options = {.single =
                                             numbers == BOSC_NUMBERS_SINGLE,
                                         .loop = numbers == BOSC_NUMBERS_LOOP,
                                         .threads = 1};
    bosc_solver *solver = NULL;
    bosc_error err;
    double seconds;
    const bool good = bosc_method_solver(method, &w->systems, &options, &solver,
                                         &err) == BOSC_OK &&
                      ref->load(solver, w->d, w->b, &err) == BOSC_OK &&
                      ref->solve(solver, &seconds, &err) == BOSC_OK &&
                      ref->fetch(solver, w->want, &err) == BOSC_OK;

    ref->destroy(solver);
    return good;
}

/* Walk a cell block as THREADS threads would, in an order that is none: the
 * last thread first. */
#define WALK(suffix, real, integer)                                            \
    static void walk_##suffix(const bosc_pattern *p, const real *u, real *d,   \
                              real *b)                                         \
    {                                                                          \
        const size_t n = bosc_pattern_words(&p->size);                         \
        integer *index = forest_get(n, sizeof *index);                         \
        const size_t sections = (size_t)p->size.n_sections;                    \
        cell_block_##suffix g = {.u = u, .d = d, .b = b};                      \
                                                                               \
        g.f = forest_get(3 * sections, sizeof(real));                          \
        g.handed_d = g.f + sections;                                           \
        g.handed_b = g.f + 2 * sections;                                       \
        for (size_t i = 0; i < n; ++i)                                         \
            index[i] = (integer)p->index[i];                                   \
        g.v = cell_block_view_of_##suffix(&p->size, index);                    \
        for (int32_t level = 0; level < p->size.n_levels; ++level)             \
            for (int32_t t = THREADS - 1; t >= 0; --t)                         \
                cell_block_up_level_##suffix(&g, level, t, THREADS);           \
        for (int32_t level = p->size.n_levels - 1; level >= 0; --level)        \
            for (int32_t t = THREADS - 1; t >= 0; --t)                         \
                cell_block_down_level_##suffix(&g, level, t, THREADS);         \
        free(index);                                                           \
        free(g.f);                                                             \
    }

WALK(near_double, double, uint16_t)
WALK(far_single, float, int32_t)

static void solve(const bosc_cell_blocks *cell_blocks, bool single,
                  const void *u, void *d, void *b)
{
    for (int32_t g = 0; g < cell_blocks->n; ++g) {
        const bosc_pattern *p = &cell_blocks->patterns[cell_blocks->pattern[g]];
        const ptrdiff_t at = cell_blocks->first[g],
                        at_u = cell_blocks->first_u[g];

        if (single)
            walk_far_single(p, (const float *)u + at_u, (float *)d + at,
                            (float *)b + at);
        else
            walk_near_double(p, (const double *)u + at_u, (double *)d + at,
                             (double *)b + at);
    }
}

/* In a precision, from the systems's numbers to x in flat order. */
static void solve_wood(const wood *w, const bosc_cell_blocks *cell_blocks,
                       bool single, double *x)
{
    const int64_t n = bosc_systems_size(&w->systems);
    const size_t n_slots = (size_t)cell_blocks->first[cell_blocks->n];
    ptrdiff_t *slot = forest_get((size_t)n, sizeof *slot);
    void *u = forest_get((size_t)cell_blocks->first_u[cell_blocks->n],
                         sizeof(double));
    void *d = forest_get(n_slots, sizeof(double));
    void *b = forest_get(n_slots, sizeof(double));
    bosc_error err;

    if (bosc_cell_blocks_slots(cell_blocks, &w->systems, slot, &err) ==
            BOSC_OK &&
        bosc_cell_blocks_fill_u(cell_blocks, &w->systems, single, u, &err) ==
            BOSC_OK) {
        for (int64_t i = 0; i < n; ++i)
            if (single) {
                ((float *)d)[slot[i]] = (float)w->d[i];
                ((float *)b)[slot[i]] = (float)w->b[i];
            } else {
                ((double *)d)[slot[i]] = w->d[i];
                ((double *)b)[slot[i]] = w->b[i];
            }
        solve(cell_blocks, single, u, d, b);
        for (int64_t i = 0; i < n; ++i)
            x[i] =
                single ? (double)((float *)b)[slot[i]] : ((double *)b)[slot[i]];
    }
    free(slot);
    free(u);
    free(d);
    free(b);
}

static void check(wood *w, int64_t room, bool single)
{
    const int64_t n = bosc_systems_size(&w->systems);
    int64_t cost[MAX_TREES];
    bosc_cell_blocks cell_blocks;
    bosc_error err;
    double *x = forest_get((size_t)n, sizeof *x);

    for (int32_t t = 0; t < w->systems.n_trees; ++t)
        cost[t] = w->trees[t].n;
    if (!ask_ref(w, single) ||
        bosc_cell_blocks_create(&w->systems, cost, room, &cell_blocks, &err) !=
            BOSC_OK) {
        ok(false, "%s: cell blocks for %lld compartments", w->name,
           (long long)room);
        return;
    }
    solve_wood(w, &cell_blocks, single, x);
    ok(memcmp(x, w->want, (size_t)n * sizeof *x) == 0,
       "%s: %d cell blocks, of %d patterns, give the bits of hines in fp%d",
       w->name, cell_blocks.n, cell_blocks.n_patterns, single ? 32 : 64);
    bosc_cell_blocks_clear(&cell_blocks);
    free(x);
}

/* Where d, u or b, number 'which', of a position is: unified has them in one
 * array; the others' arrays stand here one after another. */
static ptrdiff_t at_number(const bosc_level_schedule *schedule,
                           bosc_thomas_kind kind, ptrdiff_t position, int which)
{
    return position + which * (kind == BOSC_THOMAS_UNIFIED ? BOSC_UNIFIED_U
                                                           : schedule->n_slots);
}

/* A thread for each lane, the last first. */
#define CLIMB(suffix, real)                                                    \
    static void climb_##suffix(const bosc_level_schedule *l,                   \
                               const bosc_level_schedule_numbers *all)         \
    {                                                                          \
        for (int32_t level = 0; level < l->n_levels; ++level)                  \
            for (int32_t k = l->levels[level].n_lanes - 1; k >= 0; --k)        \
                schedule_up_##suffix(l, all, l->levels[level].step,            \
                                     l->levels[level].lane + k);               \
        for (int32_t level = l->n_levels - 1; level >= 0; --level)             \
            for (int32_t k = l->levels[level].n_lanes - 1; k >= 0; --k)        \
                schedule_down_##suffix(l, all, l->levels[level].step,          \
                                       l->levels[level].lane + k);             \
    }

CLIMB(double, double)
CLIMB(single, float)
CLIMB(loop, double)

static void put(void *array, bool single, ptrdiff_t at, double x)
{
    if (single)
        ((float *)array)[at] = (float)x;
    else
        ((double *)array)[at] = x;
}

/* Solve w by the threads of a level schedule; all numbers are in one array. */
static void solve_schedule(const wood *w, const bosc_level_schedule *l,
                           bosc_thomas_kind kind, bosc_numbers numbers,
                           const ptrdiff_t *slot, double *x)
{
    const bool single = numbers == BOSC_NUMBERS_SINGLE;
    const size_t size = single ? sizeof(float) : sizeof(double);
    const int64_t n = bosc_systems_size(&w->systems);
    char *array = forest_get((size_t)l->n_slots * BOSC_UNIFIED_NUMBERS, size);
    const size_t at_u = (size_t)at_number(l, kind, 0, 1) * size;
    const size_t at_b = (size_t)at_number(l, kind, 0, 2) * size;
    const bosc_level_schedule_numbers all = {
        {.lower = array + at_u, .d = array, .b = array + at_b},
        forest_get(BOSC_LEVEL_HANDED * (size_t)l->n_pairs, size)};

    for (ptrdiff_t i = 0; kind != BOSC_THOMAS_UNIFIED && i < l->n_slots; ++i)
        put(array, single, i, 1);
    for (int64_t i = 0; i < n; ++i) {
        put(array, single, at_number(l, kind, slot[i], 0), w->d[i]);
        put(array, single, at_number(l, kind, slot[i], 1), w->u[i]);
        put(array, single, at_number(l, kind, slot[i], 2), w->b[i]);
    }
    static void (*const climb[])(const bosc_level_schedule *,
                                 const bosc_level_schedule_numbers *) = {
        climb_double, climb_single, climb_loop};

    climb[numbers](l, &all);
    for (int64_t i = 0; i < n; ++i) {
        const ptrdiff_t at = at_number(l, kind, slot[i], 2);

        x[i] = single ? (double)((float *)array)[at] : ((double *)array)[at];
    }
    free(array);
    free(all.handed);
}

/* The lanes know their sections: so their first rows have slots. */
static bool knows_lanes(const wood *w, const bosc_level_schedule *l,
                        const ptrdiff_t *slot)
{
    const int64_t n = bosc_systems_size(&w->systems);
    int64_t *first = bosc_systems_first(&w->systems), rows = 0;
    bool good = true;

    for (int32_t k = 0; k < l->n_lanes; ++k) {
        const int32_t neuron = l->neuron[k];

        good = good && (neuron < 0) == (l->pair[k] < 0) &&
               (neuron < 0 || (slot[first[neuron] + l->from[k]] ==
                                   l->first[k / l->width] + k % l->width &&
                               l->own[k] <= l->rows[k]));
        rows += neuron < 0 ? 0 : l->own[k];
    }
    free(first);
    return good && rows == n;
}

static void check_schedule(wood *w, bosc_thomas_kind kind, bosc_numbers numbers,
                           bool from_root)
{
    static const char *const names[] = {"fp64", "fp32", "the loop's order"};
    const int64_t n = bosc_systems_size(&w->systems);
    ptrdiff_t *slot = forest_get((size_t)n, sizeof *slot);
    double *x = forest_get((size_t)n, sizeof *x);
    bosc_level_schedule schedule;
    bosc_error err = {""};
    const bosc_status st = bosc_level_schedule_create(
        &w->systems, kind, from_root, slot, &schedule, &err);

    if (st == BOSC_OK && ask_ref(w, numbers)) {
        solve_schedule(w, &schedule, kind, numbers, slot, x);
        ok(memcmp(x, w->want, (size_t)n * sizeof *x) == 0 &&
               knows_lanes(w, &schedule, slot),
           "%s: levels from the %s, %s, give the bits of hines in %s", w->name,
           from_root ? "root" : "tips", bosc_thomas_names[kind],
           names[numbers]);
        bosc_level_schedule_clear(&schedule);
    } else {
        ok(strstr(err.text, "one length") != NULL, "%s: %s", w->name, err.text);
    }
    free(slot);
    free(x);
}

/* The example of pattern.h and of kernels/README.md. */
static void test_example(void)
{
    const int32_t a[] = {-1, 0, 1, 2, 1, 4}, b[] = {-1, 0, 1, 1, 3};
    const bosc_tree trees[] = {{6, a}, {5, b}};
    bosc_section_levels *all;
    const bosc_section_levels *both[2];
    bosc_pattern p;
    bosc_pattern_view v;
    bosc_error err;

    if (!ok(bosc_section_levels_create_all(trees, 2, &all, &err) == BOSC_OK &&
                all[0].n == 3 && all[1].n == 3 && all[0].first[1] == 2 &&
                all[0].first[2] == 4 && all[1].first[2] == 3 &&
                all[1].parent[2] == 0 && all[1].level[2] == 0 &&
                all[1].level[0] == 1,
            "sections end at branch points and tips"))
        return;
    both[0] = &all[0];
    both[1] = &all[1];
    if (!ok(bosc_pattern_create(2, both, &p, &err) == BOSC_OK &&
                p.size.n_levels == 2 && p.size.n_rows == 4 &&
                p.size.n_sections == 6 && p.size.n_slots == 11,
            "the pattern of the example has two levels of two rows"))
        return;
    v = bosc_pattern_view_of(&p.size, p.index);
    ok(v.row[1] == 4 && v.row[2] == 7 && v.row[3] == 9 && v.row[4] == 11,
       "its rows have 4, 3, 2 and 2 slots: nothing is padded");
    ok(p.place[0] == 4 && p.place[1] == 0 && p.place[2] == 1 &&
           p.place[3] == 5 && p.place[4] == 3 && p.place[5] == 2,
       "the longest sections of a level come first");
    ok(v.pairs[4] == 0 && v.pair[1] == 0 && v.pair[0] == 1 && v.pairs[5] == 2 &&
           v.pair[2] == 2 && v.pair[3] == 3 && v.pairs[6] == 4,
       "the pairs for a parent stand together, descending");
    ok(v.end[0] == 7 && v.end[1] == 7 && v.end[2] == 8 && v.end[3] == 8,
       "the children of a section find its last compartment");
    bosc_pattern_clear(&p);
    bosc_section_levels_from_root(all, 2);
    ok(all[0].n_levels == 2 && all[0].level[0] == 1 && all[0].level[2] == 0 &&
           all[1].level[0] == 1,
       "from the root, too");
    bosc_section_levels_destroy_all(all, 2);
}

/* Neurons as given: 700, 76, 76, 300, 76 compartments; room for 400. */
static void test_division(void)
{
    const int32_t shape[] = {0, 1, 1, 2, 1};
    const int64_t cost[] = {700, 76, 300};
    bosc_systems systems = {.n_neurons = 5, .shape = shape, .n_trees = 3};
    bosc_tree trees[3];
    forest_shape shapes[3];
    bosc_cell_blocks cell_blocks;
    bosc_error err;

    for (int t = 0; t < 3; ++t) {
        shapes[t] = forest_shape_random((int32_t)cost[t], 0.1, 1);
        trees[t] = (bosc_tree){shapes[t].n, shapes[t].parent};
    }
    systems.trees = trees;
    if (ok(bosc_cell_blocks_create(&systems, cost, 400, &cell_blocks, &err) ==
                   BOSC_OK &&
               cell_blocks.n == 3 && cell_blocks.lane[1] == 1 &&
               cell_blocks.lane[2] == 3 && cell_blocks.lane[3] == 5,
           "a neuron larger than the room is alone, others fill it")) {
        ok(cell_blocks.neuron[0] == 0 && cell_blocks.neuron[1] == 3 &&
               cell_blocks.neuron[2] == 1 && cell_blocks.neuron[4] == 4,
           "large neurons come first");
        ok(cell_blocks.n_patterns == 3 && cell_blocks.first[1] == 704 &&
               cell_blocks.first[2] == 704 + 384,
           "cell blocks begin at multiples of 16 slots");
        bosc_cell_blocks_clear(&cell_blocks);
    }
    for (int t = 0; t < 3; ++t)
        forest_shape_clear(&shapes[t]);
}

int main(void)
{
    static wood w;

    test_example();
    test_division();
    for (size_t i = 0; i < BOSC_LEN(plans); ++i) {
        plant(&w, i);
        check(&w, 1000, false);
        check(&w, 5000, true);
        for (int kind = 0; !w.systems.shared_u && kind < BOSC_THOMAS_KINDS;
             ++kind) {
            check_schedule(&w, kind, kind % 2, kind % 2 == 0);
            check_schedule(&w, kind, BOSC_NUMBERS_LOOP, kind % 2 == 1);
        }
        fell(&w);
    }
    return done_testing();
}
