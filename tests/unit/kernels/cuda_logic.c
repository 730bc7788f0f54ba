/* cuda_logic.c - what the threads of the CUDA kernels do, done here one after
 * another: the bits of the plain Hines algorithm, or where several share a
 * neuron a small residual, without a GPU. */
#include <stdlib.h>
#include <string.h>

#include "kernels/cyclic_reduction/cuda_cyclic_plan.h"
#include "kernels/dfs/cuda_dfs_plan.h"
#include "kernels/dfs/visits.h"
#include "kernels/dfs/cuda_lanes.h"
#include "kernels/solve/solvers.h"
#include "tests/lib/model_cells.h"
#include "tests/lib/systems.h"
#include "tests/lib/tap.h"

#define LOOP 0
#define real double
#define REAL(name) name##_double
#include "kernels/cyclic_reduction/cuda_cyclic.h"
#include "kernels/dfs/cuda_dfs.h"
#include "kernels/hines_batch/cuda_hines.h"
#undef real
#undef REAL
#define real float
#define REAL(name) name##_single
#include "kernels/cyclic_reduction/cuda_cyclic.h"
#include "kernels/dfs/cuda_dfs.h"
#include "kernels/hines_batch/cuda_hines.h"
#undef real
#undef REAL
#undef LOOP
#define LOOP 1
#define real double
#define REAL(name) name##_loop
#include "kernels/hines_batch/cuda_hines.h"
#undef real
#undef REAL
#undef LOOP

static const systems_plan plans[] = {
    {"one compartment", 1, false, {{1, forest_in_chain, 0}}},
    {"chains of eight and nine",
     70,
     true,
     {{8, forest_in_chain, 0}, {9, forest_in_chain, 0}}},
    {"a star of 1,000 children among chains",
     33,
     false,
     {{1001, forest_in_star, 0},
      {64, forest_in_star, 0},
      {63, forest_in_star, 0},
      {40, forest_in_chain, 0}}},
    {"combs and rakes",
     40,
     false,
     {{101, forest_in_comb, 0}, {60, forest_in_rake, 0}}},
    {"128 of one shape that share u", 128, true, {{319, NULL, 0.25}}},
    {"70 of one shape", 70, false, {{305, NULL, 0.05}}},
    {"100 of five shapes that share u",
     100,
     true,
     {{76, NULL, 0.19},
      {305, NULL, 0.05},
      {319, NULL, 0.25},
      {695, NULL, 0.05},
      {691, NULL, 0.45}}},
};

/* The numbers of a systems in the slots of a layout, as arrays of reals. */
typedef struct numbers {
    const systems *g;
    bosc_layout layout;
    int64_t *first, *first_tree;
    ptrdiff_t *slot;
    bosc_slots slots;
    void *u, *d, *b;
} numbers;

static void *get_real(ptrdiff_t n, bool single)
{
    return forest_get((size_t)n, single ? sizeof(float) : sizeof(double));
}

static void *rounded(const double *from, ptrdiff_t n, bool single)
{
    void *to = get_real(n, single);

    for (ptrdiff_t i = 0; i < n; ++i)
        if (single)
            ((float *)to)[i] = (float)from[i];
        else
            ((double *)to)[i] = from[i];
    return to;
}

static numbers lay_out(const systems *g, int32_t width, bool sorted,
                       bool single)
{
    const bosc_systems *is = &g->is;
    numbers my = {.g = g,
                  .first = bosc_systems_first(is),
                  .first_tree = bosc_systems_first_tree(is)};
    bosc_error err;

    if (bosc_layout_create_whole(is->n_neurons, is->shape, is->trees, width,
                                 sorted, &my.layout, &err) != BOSC_OK)
        abort();
    my.slots = (bosc_slots){.n = bosc_systems_size(is),
                            .n_slots = my.layout.n_slots,
                            .single = single};
    my.slots.of = my.slot = forest_get((size_t)my.slots.n, sizeof *my.slots.of);
    for (int32_t k = 0; k < is->n_neurons; ++k)
        for (int32_t i = 0; i < is->trees[is->shape[k]].n; ++i)
            my.slot[my.first[k] + i] = bosc_slot(&my.layout, k, i);
    my.d = get_real(my.layout.n_slots, single);
    my.b = get_real(my.layout.n_slots, single);
    bosc_slots_fill(&my.slots, g->d, 1, my.d, 1);
    bosc_slots_fill(&my.slots, g->b, 0, my.b, 1);
    if (is->shared_u) {
        my.u = rounded(is->u, my.first_tree[is->n_trees], single);
    } else {
        my.u = get_real(my.layout.n_slots, single);
        bosc_slots_fill(&my.slots, is->u, 0, my.u, 1);
    }
    return my;
}

/* Whether b has the bits of the wanted solution; the numbers are freed. */
static bool agree(numbers *my, const double *want)
{
    const size_t n = (size_t)my->slots.n;
    double *x = forest_get(n, sizeof *x);
    bool same;

    bosc_slots_read(&my->slots, my->b, x, 1);
    same = memcmp(x, want, n * sizeof *x) == 0;
    bosc_layout_clear(&my->layout);
    free(x);
    free(my->first);
    free(my->first_tree);
    free(my->slot);
    free(my->u);
    free(my->d);
    free(my->b);
    return same;
}

static double *wanted(const systems *g, bool single, bool loop)
{
    const bosc_solver_options options = {
        .single = single, .loop = loop, .threads = 1};
    double *x = forest_get((size_t)bosc_systems_size(&g->is), sizeof *x);
    bosc_solver *solver;
    double seconds;

    if (bosc_ref_solvers.create(NULL, 0, &g->is, &options, &solver, NULL) !=
            BOSC_OK ||
        bosc_ref_solvers.load(solver, g->d, g->b, NULL) != BOSC_OK ||
        bosc_ref_solvers.solve(solver, &seconds, NULL) != BOSC_OK ||
        bosc_ref_solvers.fetch(solver, x, NULL) != BOSC_OK)
        abort();
    bosc_ref_solvers.destroy(solver);
    return x;
}

/* The layouts of hines-*, and whether b is in shared memory. */
static const struct {
    const char *name;
    int32_t width;
    bool own, padding, near;
} lanes_cases[] = {
    {"hines-flat", 1, false, false, false},
    {"hines-interleaved", 256, false, false, false},
    {"hines-block", 32, false, false, false},
    {"hines-block-shared", 32, false, false, true},
    {"hines-vbatch-cp", 64, true, true, false},
    {"hines-vbatch-ncp", 64, true, false, false},
};

/* u in slots, of a systems that shares it. */
static void spread_u(numbers *my)
{
    const bosc_systems *is = &my->g->is;
    double *u = forest_get((size_t)my->slots.n, sizeof *u);

    for (int32_t k = 0; k < is->n_neurons; ++k)
        memcpy(u + my->first[k], is->u + my->first_tree[is->shape[k]],
               (size_t)is->trees[is->shape[k]].n * sizeof *u);
    free(my->u);
    my->u = get_real(my->layout.n_slots, my->slots.single);
    bosc_slots_fill(&my->slots, u, 0, my->u, 1);
    free(u);
}

static void walk_lanes(const numbers *my, const bosc_lanes *lanes, bool near,
                       bool loop)
{
    const bool shared_u = my->g->is.shared_u && !lanes->own;
    const hines_numbers_double two = {shared_u, my->u, my->d, my->b};
    const hines_numbers_single one = {shared_u, my->u, my->d, my->b};
    const hines_numbers_loop time = {shared_u, my->u, my->d, my->b};
    double *memory = forest_get(1001 * 3, sizeof *memory);

    for (int32_t k = 0; k < lanes->n_lanes; ++k)
        if (loop && near)
            hines_lane_near_loop(lanes, &time, k, memory, 3);
        else if (loop)
            hines_lane_loop(lanes, &time, k);
        else if (my->slots.single && near)
            hines_lane_near_single(lanes, &one, k, (float *)memory, 3);
        else if (my->slots.single)
            hines_lane_single(lanes, &one, k);
        else if (near)
            hines_lane_near_double(lanes, &two, k, memory, 3);
        else
            hines_lane_double(lanes, &two, k);
    free(memory);
}

static void test_lanes(const systems *g, bool single, bool loop,
                       const double *want)
{
    for (size_t c = 0; c < BOSC_LEN(lanes_cases); ++c) {
        numbers my = lay_out(g, lanes_cases[c].width, false, single);
        bosc_lanes lanes;

        if (bosc_lanes_create(&g->is, my.first_tree, &my.layout,
                              lanes_cases[c].own, lanes_cases[c].padding,
                              &lanes, NULL) != BOSC_OK)
            abort();
        if (lanes.own && g->is.shared_u)
            spread_u(&my);
        walk_lanes(&my, &lanes, lanes_cases[c].near, loop);
        bosc_lanes_clear(&lanes);
        ok(agree(&my, want), "%s: %s in %s has the bits of ref", g->name,
           lanes_cases[c].name,
           loop     ? "the loop's order"
           : single ? "fp32"
                    : "fp64");
    }
}

/* A warp's threads one after another share its stack, as they do there. */
static void walk_dfs(const numbers *my, const bosc_cuda_dfs_plan *plan)
{
    const size_t near = (size_t)plan->near_depth * 3 * BOSC_DFS_LANES;
    double *stack = forest_get(near, sizeof *stack);
    unsigned char *ring = forest_get(BOSC_DFS_RING(double), 1);
    double *far = forest_get((size_t)plan->far_rows * 3, sizeof *far);
    const dfs_numbers_double two = {my->u, my->d, my->b, far};
    const dfs_numbers_single one = {my->u, my->d, my->b, (float *)far};

    for (int32_t k = 0; k < plan->n_groups * BOSC_DFS_LANES; ++k) {
        const ptrdiff_t at = plan->groups[k / BOSC_DFS_LANES].stack;

        if (my->slots.single)
            dfs_solve_single(plan, &one, k,
                             at < 0 ? (float *)stack : one.far + 3 * at, ring);
        else
            dfs_solve_double(plan, &two, k, at < 0 ? stack : two.far + 3 * at,
                             ring);
    }
    free(stack);
    free(ring);
    free(far);
}

/* The numbers in the order of visits. */
static void visit(numbers *my, const bosc_visits *visits, bool single)
{
    const bosc_systems *is = &my->g->is;

    for (int32_t k = 0; k < is->n_neurons; ++k) {
        const int32_t t = is->shape[k];

        for (int32_t i = 0; i < is->trees[t].n; ++i)
            my->slot[my->first[k] + i] =
                bosc_slot(&my->layout, k, visits->place[my->first_tree[t] + i]);
    }
    bosc_slots_fill(&my->slots, my->g->d, 1, my->d, 1);
    bosc_slots_fill(&my->slots, my->g->b, 0, my->b, 1);
    if (is->shared_u)
        return;
    free(my->u);
    my->u = get_real(my->layout.n_slots, single);
    bosc_slots_fill(&my->slots, is->u, 0, my->u, 1);
}

static void test_dfs(const systems *g, bool single, int32_t near,
                     const double *want)
{
    numbers my = lay_out(g, BOSC_DFS_LANES, true, single);
    bosc_cuda_dfs_plan plan;
    bosc_visits visits;

    if (bosc_visits_create(&g->is, my.first_tree, &visits, NULL) != BOSC_OK ||
        bosc_cuda_dfs_plan_create(&visits.systems, my.first_tree, &my.layout,
                                  near, &plan, NULL) != BOSC_OK)
        abort();
    visit(&my, &visits, single);
    if (g->is.shared_u) {
        double *u = forest_get((size_t)plan.n_u, sizeof *u);

        bosc_cuda_dfs_plan_spread(&visits.systems, my.first_tree, &my.layout,
                                  &plan, u);
        free(my.u);
        my.u = rounded(u, plan.n_u, single);
        free(u);
    }
    walk_dfs(&my, &plan);
    bosc_cuda_dfs_plan_clear(&plan);
    bosc_visits_clear(&visits);
    ok(agree(&my, want),
       "%s: depth-first in fp%d, %d on the chip, has the bits", g->name,
       single ? 32 : 64, near);
}

/* Phase by phase, each by all threads of a block. */
#define WORK(real, suffix)                                                     \
    static void work_##suffix(const bosc_cyclic_plan *plan, int32_t t,         \
                              const real *d, const real *u, real *b)           \
    {                                                                          \
        enum { THREADS = 7 };                                                  \
        real *room = forest_get(BOSC_CYCLIC_ROOM * (size_t)plan->longest,      \
                                sizeof *room);                                 \
        int32_t *words = forest_get((size_t)plan->most_words, sizeof *words);  \
        cyclic_##suffix me[THREADS];                                           \
                                                                               \
        for (int k = 0; k < THREADS; ++k)                                      \
            me[k] = cyclic_at_##suffix(plan, t, room, k, THREADS);             \
        if (t % 2 == 0)                                                        \
            EACH(cyclic_bring_##suffix(&me[k], words));                        \
        EACH(cyclic_load_##suffix(&me[k], d, u, b));                           \
        for (int32_t r = 0; r < me->n_rounds; ++r) {                           \
            EACH(cyclic_go_##suffix(&me[k], r));                               \
            EACH(cyclic_take_##suffix(&me[k], r));                             \
        }                                                                      \
        EACH(cyclic_root_##suffix(&me[k]));                                    \
        for (int32_t r = me->n_rounds - 1; r >= 0; --r)                        \
            EACH(cyclic_back_##suffix(&me[k], r));                             \
        EACH(cyclic_store_##suffix(&me[k], b));                                \
        free(room);                                                            \
        free(words);                                                           \
    }
#define EACH(call)                                                             \
    for (int k = THREADS - 1; k >= 0; --k)                                     \
    call
WORK(double, double)
WORK(float, single)

static void test_cyclic(const systems *g, bool single, const double *want)
{
    const bosc_systems *is = &g->is;
    numbers my = lay_out(g, 1, false, single);
    double *x = forest_get((size_t)my.slots.n, sizeof *x), worst;
    bosc_cyclic_plan plan;

    if (bosc_cyclic_plan_create(is, &plan, NULL) != BOSC_OK)
        abort();
    for (int32_t k = 0; k < is->n_neurons; ++k) {
        const int32_t t = is->shape[k];
        const int64_t at = my.first[k];
        const int64_t u = bosc_systems_u(is, my.first, my.first_tree, k);

        if (single)
            work_single(&plan, t, (float *)my.d + at, (float *)my.u + u,
                        (float *)my.b + at);
        else
            work_double(&plan, t, (double *)my.d + at, (double *)my.u + u,
                        (double *)my.b + at);
    }
    bosc_slots_read(&my.slots, my.b, x, 1);
    worst = bosc_systems_residual(is, g->d, g->b, x, single);
    ok(worst <= 8 * bosc_systems_residual(is, g->d, g->b, want, single),
       "%s: cyclic-reduction in fp%d leaves %.0e, about as much as ref",
       g->name, single ? 32 : 64, worst);
    bosc_cyclic_plan_clear(&plan);
    agree(&my, x); /* frees */
    free(x);
}

/* Few rounds, whatever the shape. */
static void test_rounds(void)
{
    static const struct {
        systems_plan plan;
        int32_t most;
    } cases[] = {
        {{"a chain of 45,000", 1, false, {{45000, forest_in_chain, 0}}}, 17},
        {{"a star of 1,000", 1, false, {{1001, forest_in_star, 0}}}, 1},
        {{"a comb", 1, false, {{1001, forest_in_comb, 0}}}, 12},
        {{"a tree of 691", 1, false, {{691, NULL, 0.25}}}, 16},
    };

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        bosc_cyclic_plan plan;
        systems g;

        systems_plant(&g, &cases[i].plan);
        if (bosc_cyclic_plan_create(&g.is, &plan, NULL) != BOSC_OK)
            abort();
        ok(plan.trees[0].n_rounds <= cases[i].most, "%s goes in %d rounds",
           g.name, plan.trees[0].n_rounds);
        bosc_cyclic_plan_clear(&plan);
        systems_clear(&g);
    }
}

int main(void)
{
    for (size_t i = 0; i < BOSC_LEN(plans); ++i) {
        systems g;

        systems_plant(&g, &plans[i]);
        for (int single = 0; single < 2; ++single) {
            double *want = wanted(&g, single, false);

            test_lanes(&g, single, false, want);
            test_dfs(&g, single, 16, want);
            test_dfs(&g, single, 1, want);
            test_cyclic(&g, single, want);
            free(want);
        }
        double *want = wanted(&g, false, true);

        test_lanes(&g, false, true, want);
        free(want);
        systems_clear(&g);
    }
    test_rounds();
    return done_testing();
}
