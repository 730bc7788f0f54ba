/* solve.c - one solve by every backend, method and vector code: a small
 * residual, and the same bits as the plain Hines algorithm. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "tests/lib/model_cells.h"
#include "tests/lib/tap.h"

enum { MAX_SHAPES = 40 };

/* A forest that owns its shapes. */
typedef struct systems {
    const char *name;
    forest f;
    forest_shape shapes[MAX_SHAPES];
    int32_t shape[200];
} systems;

static const struct {
    const char *name;
    int32_t n_neurons;
    struct {
        int32_t n;
        int32_t (*parent)(int32_t i); /* NULL: random, of 'branching' */
        double branching;
    } shapes[6];
} plans[] = {
    {"no neurons", 0, {{1, forest_in_chain, 0}}},
    {"one neuron", 1, {{300, NULL, 0.1}}},
    {"one compartment each", 9, {{1, forest_in_chain, 0}}},
    {"chains of two", 33, {{2, forest_in_chain, 0}}},
    {"a chain of 45,000", 1, {{45000, forest_in_chain, 0}}},
    {"stars of 1,000 children",
     9,
     {{1001, forest_in_star, 0}, {500, forest_in_star, 0}}},
    {"combs", 17, {{101, forest_in_comb, 0}, {77, forest_in_comb, 0}}},
    {"rakes", 9, {{101, forest_in_rake, 0}, {60, forest_in_rake, 0}}},
    {"33 equal trees", 33, {{319, NULL, 0.25}}},
    {"33 trees of three shapes",
     33,
     {{305, NULL, 0.05}, {319, NULL, 0.25}, {76, NULL, 0.2}}},
    {"trees, chains, stars and points",
     60,
     {{691, NULL, 0.25},
      {76, NULL, 0.05},
      {40, forest_in_chain, 0},
      {30, forest_in_star, 0},
      {1, forest_in_chain, 0},
      {101, forest_in_comb, 0}}},
    {"a giant among others",
     9,
     {{305, NULL, 0.05},
      {290, NULL, 0.25},
      {281, forest_in_chain, 0},
      {40, forest_in_star, 0},
      {5, forest_in_chain, 0},
      {2001, NULL, 0.2}}},
};

static void plant(systems *g, size_t plan)
{
    *g = (systems){.name = plans[plan].name};
    for (size_t k = 0;
         k < BOSC_LEN(plans[plan].shapes) && plans[plan].shapes[k].n > 0; ++k) {
        const int32_t n = plans[plan].shapes[k].n;

        g->shapes[g->f.n_shapes++] =
            plans[plan].shapes[k].parent != NULL
                ? forest_shape_of(n, plans[plan].shapes[k].parent)
                : forest_shape_random(n, plans[plan].shapes[k].branching, k);
    }
    g->f.shapes = g->shapes;
    g->f.n_neurons = plans[plan].n_neurons;
    for (int32_t i = 0; i < g->f.n_neurons; ++i)
        g->shape[i] = i % g->f.n_shapes;
    g->f.shape = g->shape;
    g->f.dt = 0.025;
    g->f.v_init = -65;
}

/* Every neuron of a shape of its own. */
static void plant_mix(systems *g)
{
    *g = (systems){.name = "40 trees, all different"};
    for (int32_t k = 0; k < MAX_SHAPES; ++k) {
        g->shapes[k] =
            forest_shape_random(76 + 15 * k, 0.0125 * k, 100 + (uint64_t)k);
        g->shape[k] = k;
    }
    g->f = (forest){.n_shapes = MAX_SHAPES,
                    .shapes = g->shapes,
                    .n_neurons = MAX_SHAPES,
                    .shape = g->shape,
                    .dt = 0.025,
                    .v_init = -65};
}

static void fell(systems *g)
{
    for (int32_t k = 0; k < g->f.n_shapes; ++k)
        forest_shape_clear(&g->shapes[k]);
}

/* The largest residual of neuron i, relative to its largest right-hand side. */
static double residual(const forest *f, const bosc_batch *batch, int32_t i,
                       const double *b, const double *x)
{
    const forest_shape *s = &f->shapes[f->shape[i]];
    double *r = bosc_alloc((size_t)s->n, sizeof *r), worst = 0, size = 0;

    for (int32_t k = 0; k < s->n; ++k) {
        const ptrdiff_t at = bosc_slot(&batch->layout, i, k);

        r[k] += b[at] - batch->d[at] * x[at];
        size = fmax(size, fabs(batch->d[at] * x[at]));
        if (k > 0) {
            const int32_t p = s->parent[k];

            const double flow =
                batch->u[at] * (x[bosc_slot(&batch->layout, i, p)] - x[at]);

            r[k] -= flow;
            r[p] += flow;
        }
    }
    for (int32_t k = 0; k < s->n; ++k)
        worst = fmax(worst, fabs(r[k]) / size);
    free(r);
    return worst;
}

/* Solve with one method; the solution becomes batch->v, and is returned in the
 * order of neurons. */
static double *solve(const forest *f, const bosc_method *method, int threads,
                     double *worst)
{
    const bosc_engine_ops *ops = method->engine.ops;
    bosc_batch batch = forest_pack(f, bosc_method_width(method));
    const size_t n_slots = (size_t)batch.layout.n_slots;
    double *b = bosc_alloc(n_slots, sizeof *b), *all = NULL;
    bosc_engine *engine = NULL;
    bosc_error err;
    size_t n;
    bool good;

    for (int32_t i = 0; i < f->n_neurons; ++i) {
        uint64_t seed = (uint64_t)i;

        for (int32_t k = 0; k < f->shapes[f->shape[i]].n; ++k)
            b[bosc_slot(&batch.layout, i, k)] = forest_uniform(&seed) - 0.5;
    }
    good = ops->create(&batch, method->engine.variant, threads, &engine,
                       &err) == BOSC_OK &&
           ops->solve(engine, batch.d, b, batch.v, &err) == BOSC_OK;
    *worst = 0;
    for (int32_t i = 0; good && i < f->n_neurons; ++i)
        *worst = fmax(*worst, residual(f, &batch, i, b, batch.v));
    for (ptrdiff_t i = 0; good && i < batch.layout.n_slots; ++i)
        good = isfinite(batch.v[i]);
    if (good)
        all = forest_dump(f, &batch, &n);
    ops->destroy(engine);
    bosc_batch_clear(&batch);
    free(b);
    return all;
}

static void check(const systems *g, const char *isa, const bosc_method *method,
                  int threads, const double *want)
{
    double worst, *got = solve(&g->f, method, threads, &worst);
    size_t n = 0;

    for (int32_t i = 0; i < g->f.n_neurons; ++i)
        n += (size_t)g->f.shapes[g->f.shape[i]].n;
    ok(got != NULL && worst < 1e-12 && memcmp(got, want, n * sizeof *got) == 0,
       "%s: %s (%s) on %d threads gives the bits of hines", g->name,
       method->name, isa, threads);
    free(got);
}

static void test_systems(systems *g)
{
    double worst,
        *want = solve(&g->f, bosc_method_find("ref", "hines"), 1, &worst);

    ok(want != NULL && worst < 1e-12, "%s: hines leaves a residual of %.0e",
       g->name, worst);
    for (int k = 0; forest_isas[k] != NULL; ++k) {
        if (!forest_use_isa(forest_isas[k])) {
            skip("no %s on this machine", forest_isas[k]);
            continue;
        }
        for (const bosc_method *m = forest_next_loop(NULL); m != NULL;
             m = forest_next_loop(m))
            if (strcmp(m->backend->name, "ref") != 0)
                check(g, forest_isas[k], m,
                      1 + (k + (int)(m - bosc_methods) + 1) % 3, want);
    }
    free(want);
    fell(g);
}

static void test_isa(void)
{
    ok(!forest_use_isa("v9") && bosc_method_width(&bosc_methods[0]) == 1,
       "an unknown vector code is refused");
}

/* That case is one only while the giant has no company. */
static void test_giant(void)
{
    static systems g;

    plant(&g, BOSC_LEN(plans) - 1);
    for (int32_t width = 2; width <= 8; width *= 2) {
        bosc_batch batch = forest_pack(&g.f, width);
        const bosc_layout *l = &batch.layout;

        ok(bosc_layout_width(l, 0) == width &&
               bosc_layout_width(l, l->group[5]) == 1,
           "%s: alone, beside groups of %d lanes", g.name, width);
        bosc_batch_clear(&batch);
    }
    fell(&g);
}

static void test_width(void)
{
    systems g;
    bosc_batch batch;
    bosc_engine *engine = NULL;
    bosc_error err = {""};

    plant(&g, 1);
    batch = forest_pack(&g.f, 3);
    ok(bosc_cpu_engine.create(&batch, 0, 1, &engine, &err) == BOSC_EVALUE &&
           engine == NULL && strstr(err.text, "width") != NULL,
       "a layout of another width is refused: %s", err.text);
    bosc_batch_clear(&batch);
    fell(&g);
}

int main(void)
{
    static systems g;

    test_width();
    test_giant();
    for (size_t i = 0; i < BOSC_LEN(plans); ++i) {
        plant(&g, i);
        test_systems(&g);
    }
    plant_mix(&g);
    test_systems(&g);
    test_isa();
    return done_testing();
}
