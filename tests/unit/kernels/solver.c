/* solver.c - every backend and method of the solvers: a small residual, and
 * the bits of the plain Hines algorithm. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "kernels/base/cuda.h"
#include "kernels/hines/pivot.h"
#include "kernels/methods.h"
#include "kernels/solve/solvers.h"
#include "src/base/mem.h"
#include "tests/lib/cable_file.h"
#include "tests/lib/model_cells.h"
#include "tests/lib/shared.h"
#include "tests/lib/systems.h"
#include "tests/lib/tap.h"
#include "tests/lib/tsv.h"

static const systems_plan plans[] = {
    {"no neurons", 0, false, {{1, forest_in_chain, 0}}},
    {"one neuron", 1, false, {{300, NULL, 0.1}}},
    {"nine of one compartment", 9, false, {{1, forest_in_chain, 0}}},
    {"33 chains of two", 33, true, {{2, forest_in_chain, 0}}},
    {"a chain of 45,000", 1, false, {{45000, forest_in_chain, 0}}},
    {"stars of 1,000 children",
     9,
     false,
     {{1001, forest_in_star, 0}, {500, forest_in_star, 0}}},
    {"combs", 17, false, {{101, forest_in_comb, 0}, {77, forest_in_comb, 0}}},
    {"rakes", 9, false, {{101, forest_in_rake, 0}, {60, forest_in_rake, 0}}},
    {"33 of one shape", 33, false, {{319, NULL, 0.25}}},
    {"33 of one shape that share u", 33, true, {{319, NULL, 0.25}}},
    {"33 of three shapes",
     33,
     false,
     {{305, NULL, 0.05}, {319, NULL, 0.25}, {76, NULL, 0.2}}},
    {"33 of three shapes that share u",
     33,
     true,
     {{305, NULL, 0.05}, {319, NULL, 0.25}, {76, NULL, 0.2}}},
    {"chains of three lengths",
     40,
     true,
     {{64, forest_in_chain, 0},
      {512, forest_in_chain, 0},
      {77, forest_in_chain, 0}}},
    {"the papers' six classes",
     150,
     false,
     {{76, NULL, 0.04},
      {76, NULL, 0.19},
      {305, NULL, 0.05},
      {319, NULL, 0.25},
      {695, NULL, 0.05},
      {691, NULL, 0.25}}},
    {"trees, chains, stars and points",
     60,
     false,
     {{691, NULL, 0.25},
      {76, NULL, 0.05},
      {40, forest_in_chain, 0},
      {30, forest_in_star, 0},
      {1, forest_in_chain, 0},
      {101, forest_in_comb, 0}}},
    {"a giant among others",
     9,
     false,
     {{305, NULL, 0.05},
      {290, NULL, 0.25},
      {281, forest_in_chain, 0},
      {40, forest_in_star, 0},
      {5, forest_in_chain, 0},
      {2001, NULL, 0.2}}},
};

/* Every neuron of a shape of its own. */
static void plant_mix(systems *g)
{
    *g = (systems){.name = "40 trees, all different"};
    for (int32_t k = 0; k < 40; ++k) {
        forest_shape s =
            forest_shape_random(76 + 615 * k / 39, 0.0125 * k, 100 + k);

        systems_add(g, s.n, s.parent);
        forest_shape_clear(&s);
    }
    systems_number(g);
}

/* All published morphologies that can be cut; false if there are none. */
static bool plant_real(systems *g)
{
    char *folder = shared_folder("morphologies-real");
    const bosc_cable_spec spec = bosc_cable_defaults();
    tsv index;
    const bool found = tsv_read(folder, "INDEX.tsv", &index);

    *g = (systems){.name = "published morphologies"};
    for (size_t i = 0; found && i < index.n && i < GROVE_MAX_TREES; ++i) {
        char *path = bosc_format("%s/%s", folder, tsv_text(&index, i, 0));
        bosc_cable *c = NULL;

        if (path != NULL && cable_file_read(path, &spec, &c, NULL) == BOSC_OK)
            systems_add(g, c->n, c->parent);
        bosc_cable_destroy(c);
        free(path);
    }
    if (found)
        tsv_clear(&index);
    free(folder);
    if (g->is.n_trees > 0)
        systems_number(g);
    return g->is.n_trees > 0;
}

static const bosc_solver_options standard = {.threads = 1};

static const char *name_of(const bosc_solver_options *options)
{
    return options->single ? "fp32"
           : options->loop ? "the loop's order"
                           : "fp64";
}

/* Are the slots those of the layout that the method says it has, if any? */
static bool is_laid_out(const systems *g, const bosc_method *method,
                        const bosc_solver_options *options,
                        const bosc_solver_arrays *arrays, bosc_error *err)
{
    const bosc_systems *is = &g->is;
    const ptrdiff_t *slot = arrays->slot;
    bosc_layout layout;
    const bosc_status st = method->solver.ops->layout(
        method->solver.family, method->solver.variant, is, options, &layout,
        err);
    bool good;

    if (st != BOSC_OK)
        return st == BOSC_ENOSUP && strstr(err->text, "no layout") != NULL;
    good = layout.n_slots == arrays->n_slots;
    for (int32_t k = 0; k < is->n_neurons; ++k)
        for (int32_t i = 0; i < is->trees[is->shape[k]].n; ++i)
            good = good && *slot++ == bosc_slot(&layout, k, i);
    bosc_layout_clear(&layout);
    if (!good)
        bosc_fail(err, BOSC_EVALUE, "other slots than its layout's");
    return good;
}

/* Copy an array of the solver, of a GPU perhaps, to the host's, or back. */
static void copy(const bosc_method *method, double *array, double *own,
                 size_t n, bool back)
{
    const size_t bytes = n * sizeof *own;

    if (!method->backend->on_gpu)
        memcpy(back ? array : own, back ? own : array, bytes);
#ifdef HAVE_CUDA
    else if ((back ? bosc_cuda_put(array, own, bytes, NULL)
                   : bosc_cuda_get(own, array, bytes, NULL)) != BOSC_OK)
        abort();
#endif
}

/* Write the system into the solver's own arrays, and solve it there. */
static bool solves_in_arrays(const systems *g, const bosc_method *method,
                             const bosc_solver_options *options,
                             bosc_solver *solver, bosc_error *err)
{
    const bosc_solver_ops *ops = method->solver.ops;
    bosc_solver_arrays arrays;
    const bosc_status st = ops->arrays(solver, &arrays, err);

    if (st != BOSC_OK)
        return st == BOSC_ENOSUP && ops->enqueue != NULL &&
               (options->single || method->chains);
    const size_t n = (size_t)arrays.n_slots;
    double *own = forest_get(n, sizeof *own);

    for (int which = 0; which < 2; ++which) {
        double *array = which == 0 ? arrays.d : arrays.b;

        copy(method, array, own, n, false); /* padding */
        for (int64_t i = 0; i < solver->facts.compartments; ++i)
            own[arrays.slot[i]] = which == 0 ? g->d[i] : g->b[i];
        copy(method, array, own, n, true);
    }
    free(own);
    return is_laid_out(g, method, options, &arrays, err) &&
           ops->enqueue(solver, err) == BOSC_OK;
}

/* One solution, in flat order; NULL where a step fails, or where a second
 * solve, after restore or in the solver's own arrays, gives other bits. */
static double *solve(const systems *g, const bosc_method *method,
                     const bosc_solver_options *options, bosc_error *err)
{
    const bosc_solver_ops *ops = method->solver.ops;
    const size_t n = (size_t)bosc_systems_size(&g->is);
    double *x = forest_get(n, sizeof *x), *again = forest_get(n, sizeof *x);
    double seconds = -1;
    bosc_solver *solver = NULL;
    bool good =
        bosc_method_solver(method, &g->is, options, &solver, err) == BOSC_OK;

    good = good && ops->load(solver, g->d, g->b, err) == BOSC_OK &&
           ops->solve(solver, &seconds, err) == BOSC_OK && seconds >= 0 &&
           ops->fetch(solver, x, err) == BOSC_OK &&
           ops->restore(solver, err) == BOSC_OK &&
           ops->solve(solver, &seconds, err) == BOSC_OK &&
           ops->fetch(solver, again, err) == BOSC_OK;
    if (good && memcmp(x, again, n * sizeof *x) != 0) {
        bosc_fail(err, BOSC_EVALUE, "restored and solved again: other bits");
        good = false;
    }
    good = good && solves_in_arrays(g, method, options, solver, err) &&
           ops->fetch(solver, again, err) == BOSC_OK;
    if (good && memcmp(x, again, n * sizeof *x) != 0) {
        bosc_fail(err, BOSC_EVALUE, "solved in its own arrays: other bits");
        good = false;
    }
    ops->destroy(solver);
    free(again);
    if (!good)
        free(x);
    return good ? x : NULL;
}

/* How far is x from what is wanted: not at all, or in all that 'other_bits'
 * allows. */
static bool is_near(const bosc_method *method, const double *x,
                    const double *want, size_t n, bool single)
{
    const double tolerance = single ? 1e-4 : 1e-12;
    double worst = 0, size = 0;

    if (!method->other_bits)
        return memcmp(x, want, n * sizeof *x) == 0;
    for (size_t i = 0; i < n; ++i) {
        worst = fmax(worst, isfinite(x[i]) ? fabs(x[i] - want[i]) : INFINITY);
        size = fmax(size, fabs(want[i]));
    }
    return worst <= tolerance * size;
}

/* The vector codes to try: the host's all, elsewhere only the best. */
static const char *const *isas_of(const bosc_method *method)
{
    static const char *const one[] = {NULL};

    return strcmp(method->backend->name, "cpu") == 0 ? forest_isas : one;
}

/* Solve, and compare. */
static bool solves_like(const systems *g, const bosc_method *method,
                        const bosc_solver_options *options, const double *want)
{
    const size_t n = (size_t)bosc_systems_size(&g->is);
    bosc_error err = {"other bits than ref"};
    double *x = solve(g, method, options, &err);
    const bool good = x != NULL && is_near(method, x, want, n, options->single);

    if (!good)
        diag("%d threads, BOSC_ISA=%s: %s", options->threads,
             getenv("BOSC_ISA") != NULL ? getenv("BOSC_ISA") : "", err.text);
    free(x);
    return good;
}

/* Some methods may refuse systems or an order, in one of these words. */
static bool refuses(const systems *g, const bosc_method *method,
                    const bosc_solver_options *options)
{
    static const char *const words[] = {"one length", "at least 3",
                                        "shared memory", "papers' order",
                                        "not emulated"};
    bosc_solver *solver = NULL;
    bosc_error err = {""};
    bool known = false;

    if (bosc_method_solver(method, &g->is, options, &solver, &err) == BOSC_OK) {
        method->solver.ops->destroy(solver);
        return false;
    }
    for (size_t i = 0; i < BOSC_LEN(words); ++i)
        known = known || strstr(err.text, words[i]) != NULL;
    if (known)
        skip("%s: %s %s: %s", g->name, method->backend->name, method->name,
             err.text);
    return known;
}

static void check_method(const systems *g, const bosc_method *method,
                         bosc_solver_options options, const double *want)
{
    const char *const *isas = isas_of(method);
    bool good = true;

    if (refuses(g, method, &options))
        return;
    /* Each vector code on one thread with some methods, on two with others;
     * levels from both ends. */
    for (int k = 0; isas[k] != NULL; ++k) {
        options.from_root = k % 2 == 1;
        options.threads = 1 + (k + (int)(method - bosc_methods)) % 2;
        if (forest_use_isa(isas[k]))
            good = good && solves_like(g, method, &options, want);
    }
    unsetenv("BOSC_ISA");
    if (isas[0] == NULL)
        options.from_root = options.loop;
    if (isas[0] == NULL)
        good = solves_like(g, method, &options, want);
    ok(good, "%s: %s %s, %s: like ref", g->name, method->backend->name,
       method->name, name_of(&options));
}

/* With the emulated GPU, only that. */
#ifdef EMULATED
enum { ONLY_GPU = true };
#else
enum { ONLY_GPU = false };
#endif

/* The next method, besides ref, of a backend that works here; NULL: none. */
static const bosc_method *next(const bosc_method *after)
{
    const bosc_method *m = after == NULL ? bosc_methods : after + 1;

    while (m->name != NULL &&
           (strcmp(m->backend->name, "ref") == 0 ||
            (ONLY_GPU && !m->backend->on_gpu) ||
            bosc_backend_available(m->backend, NULL) != BOSC_OK))
        ++m;
    return m->name != NULL ? m : NULL;
}

/* The most children that a node has. */
static int32_t most_children(const systems *g)
{
    int32_t most = 0;

    for (int32_t t = 0; t < g->is.n_trees; ++t) {
        const bosc_tree *tree = &g->trees[t];
        int32_t *children = forest_get((size_t)tree->n, sizeof *children);

        for (int32_t i = 1; i < tree->n; ++i)
            if (++children[tree->parent[i]] > most)
                most = children[tree->parent[i]];
        free(children);
    }
    return most;
}

/* A neuron by the operations of the time loop, one after another. */
static void solve_plainly(const bosc_tree *tree, const double *u, double *d,
                          double *b)
{
    bosc_pivot next = bosc_pivot_none();

    for (int32_t i = tree->n - 1; i >= 0; --i) {
        const int32_t p = tree->parent[i];

        bosc_pivot_row(d[i], u[i], b[i], &next);
        d[i] = next.f;
        b[i] = next.w;
        if (p == i - 1) {
            bosc_pivot_rescale(&next);
        } else {
            d[p] += next.num * next.inverse;
            b[p] -= next.f * next.b;
            bosc_pivot_leave(&next);
        }
    }
    b[0] *= BOSC_PIVOT_CHECK(next.den);
    for (int32_t i = 1; i < tree->n; ++i)
        b[i] = bosc_substitute(d[i], b[i], b[tree->parent[i]]);
}

/* Ref in the order of the time loop has the bits of the plain operations. */
static void test_loop(const systems *g, const double *x)
{
    const size_t n = (size_t)bosc_systems_size(&g->is);
    double *d = forest_get(n, sizeof *d), *b = forest_get(n, sizeof *b);
    int64_t *first = bosc_systems_first(&g->is);
    int64_t *first_tree = bosc_systems_first_tree(&g->is);

    memcpy(d, g->d, n * sizeof *d);
    memcpy(b, g->b, n * sizeof *b);
    for (int32_t k = 0; k < g->is.n_neurons; ++k)
        solve_plainly(&g->trees[g->shape[k]],
                      g->u + bosc_systems_u(&g->is, first, first_tree, k),
                      d + first[k], b + first[k]);
    ok(x != NULL && memcmp(x, b, n * sizeof *b) == 0,
       "%s: ref has the bits of the time loop", g->name);
    free(d);
    free(b);
    free(first);
    free(first_tree);
}

static void test_ref(const systems *g, const bosc_solver_options *options,
                     const double *want)
{
    const bool single = options->single;
    /* Single precision feels how many terms a row adds up. */
    const double small = single ? 1e-5 * (1 + most_children(g)) : 1e-12;
    const double residual =
        want == NULL ? INFINITY
                     : bosc_systems_residual(&g->is, g->d, g->b, want, single);

    ok(residual <= small, "%s: ref leaves a small residual in %s: %.0e",
       g->name, name_of(options), residual);
    if (options->loop)
        test_loop(g, want);
}

static void test_kind(const systems *g, bosc_numbers kind)
{
    bosc_solver_options options = standard;
    bosc_error err;
    double *want;

    options.single = kind == BOSC_NUMBERS_SINGLE;
    options.loop = kind == BOSC_NUMBERS_LOOP;
    want = solve(g, bosc_method_find("ref", "hines"), &options, &err);
    test_ref(g, &options, want);
    for (const bosc_method *m = next(NULL); m != NULL; m = next(m))
        if (!m->chains || systems_is_chains(g))
            check_method(g, m, options, want);
    free(want);
}

static void test_systems(const systems *g)
{
    for (int kind = 0; kind < BOSC_NUMBERS_KINDS; ++kind)
        test_kind(g, (bosc_numbers)kind);
}

/* Membrane nowhere but in a root, and everywhere else 0: whole trees hand on
 * nothing. */
static void test_bare(void)
{
    static const systems_plan plan = {"bare trees, chains, stars and points",
                                      40,
                                      true,
                                      {{305, NULL, 0.25},
                                       {76, NULL, 0.05},
                                       {40, forest_in_chain, 0},
                                       {30, forest_in_star, 0},
                                       {1, forest_in_chain, 0},
                                       {101, forest_in_comb, 0}}};
    static systems g;
    double *d;

    systems_plant(&g, &plan);
    d = g.d;
    for (int32_t k = 0; k < g.is.n_neurons; d += g.trees[g.shape[k]].n, ++k)
        for (int32_t i = 1; i < g.trees[g.shape[k]].n; ++i)
            d[i] = 0;
    test_kind(&g, BOSC_NUMBERS_LOOP);
    systems_clear(&g);
}

static void test_backends(void)
{
    bool found = true;

    for (int k = 0; bosc_backends[k] != NULL; ++k) {
        const bosc_backend *backend = bosc_backends[k];
        bosc_error err;

        found = found && bosc_backend_find(backend->name) == backend;
        if (bosc_backend_available(backend, &err) != BOSC_OK)
            skip("%s: %s", backend->name, err.text);
    }
    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        found = found && bosc_method_find(m->backend->name, m->name) == m &&
                (m->solver.ops != NULL) == (m->backend->processor != NULL);
    ok(found, "each backend and each method is found by its name");
    ok(bosc_backend_find("abacus") == NULL &&
           bosc_method_find("cpu", "") == NULL &&
           bosc_method_find("ref", "depth-first") == NULL,
       "what is not there is not");
}

/* All methods of all available backends refuse it, with these words. */
static void test_refused(systems_plan plan, const char *words)
{
    static systems g;
    bool all = true;

    systems_plant(&g, &plan);
    for (const bosc_method *m = next(NULL); m != NULL; m = next(m)) {
        bosc_solver *solver = NULL;
        bosc_error err = {""};

        if (bosc_method_solver(m, &g.is, &standard, &solver, &err) !=
                BOSC_EVALUE ||
            solver != NULL || strstr(err.text, words) == NULL) {
            diag("%s: %s", m->name, err.text);
            all = false;
        }
    }
    ok(all, "%s: refused by all methods", plan.name);
    systems_clear(&g);
}

/* A method with blocks, which any size from 32 to 512 may have. */
static void check_blocks(const systems *g, const bosc_method *method,
                         const double *want)
{
    bosc_solver_options options = standard;
    bosc_solver *solver = NULL;
    bosc_error err = {""};
    bool good = true;

    options.loop = true;
    for (options.block = 32; options.block <= 512; options.block *= 2)
        good = good && solves_like(g, method, &options, want);
    ok(good, "%s %s: blocks of 32 to 512", method->backend->name, method->name);
    options.block = 31;
    ok(bosc_method_solver(method, &g->is, &options, &solver, &err) ==
               BOSC_EVALUE &&
           solver == NULL && strstr(err.text, "32 to 512") != NULL,
       "%s %s: %s", method->backend->name, method->name, err.text);
}

/* More neurons than a block has, the last block not full. */
static void test_blocks(void)
{
    static const systems_plan plan = {
        "blocks", 600, false, {{20, NULL, 0.2}, {31, NULL, 0.1}}};
    static systems g;
    const bosc_solver_options options = {.loop = true, .threads = 1};
    bosc_error err;
    double *want;

    systems_plant(&g, &plan);
    want = solve(&g, bosc_method_find("ref", "hines"), &options, &err);
    for (const bosc_method *m = next(NULL); m != NULL; m = next(m))
        if (strstr(m->name, "hines-block") != NULL)
            check_blocks(&g, m, want);
    free(want);
    systems_clear(&g);
}

/* Node 3 hangs on 1, though node 2 does not lead there. */
static int32_t not_depth_first(int32_t i)
{
    return i == 3 ? 1 : 0;
}

static void test_residual(void)
{
    static systems g;
    bosc_error err;
    double *x, before;

    systems_plant(&g, &plans[1]);
    x = solve(&g, bosc_method_find("ref", "hines"), &standard, &err);
    before = bosc_systems_residual(&g.is, g.d, g.b, x, false);
    x[17] *= 1 + 1e-9;
    ok(before <= 1e-12 &&
           bosc_systems_residual(&g.is, g.d, g.b, x, false) > 1e-11,
       "a wrong digit shows in the residual");
    x[17] = NAN;
    ok(bosc_systems_residual(&g.is, g.d, g.b, x, false) == INFINITY,
       "what is not a number is the worst");
    free(x);
    systems_clear(&g);
}

int main(void)
{
    static systems g;

    test_backends();
    test_residual();
    test_blocks();
    test_bare();
    test_refused((systems_plan){.name = "not depth-first",
                                .n_neurons = 1,
                                .shapes = {{5, not_depth_first, 0}}},
                 "depth-first");
    for (size_t i = 0; i < BOSC_LEN(plans); ++i) {
        systems_plant(&g, &plans[i]);
        test_systems(&g);
        systems_clear(&g);
    }
    plant_mix(&g);
    test_systems(&g);
    systems_clear(&g);
    plant_real(&g) ? test_systems(&g)
                   : skip("published morphologies are not at hand");
    systems_clear(&g);
    return done_testing();
}
