/* What is said of batches, which are made by hand. */
#include <math.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/select/features.h"
#include "tests/lib/tap.h"

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* Neurons of these shapes, on two threads with 1000 bytes of cache each. */
static bosc_features find(int32_t n, const int32_t *shape, int32_t n_shapes,
                          const bosc_shape_facts *shapes, int32_t lanes)
{
    bosc_features f;
    bosc_error err;
    const bosc_batch_facts facts = {.n = n,
                                    .shape = shape,
                                    .each = 1,
                                    .n_shapes = n_shapes,
                                    .shapes = shapes,
                                    .lanes = lanes,
                                    .threads = 2,
                                    .epoch = 40,
                                    .cache = 1000};

    ok(bosc_features_find(&facts, &f, &err) == BOSC_OK,
       "%d neurons have features", n);
    return f;
}

#define IS(f, name, want)                                                      \
    ok(near((f).of[BOSC_FEATURE_##name], want), #name " is %g",                \
       (f).of[BOSC_FEATURE_##name])

/* Four equal ones fill a vector, and two that differ share another. */
static void test_mixed(void)
{
    const bosc_shape_facts shapes[] = {{100, 10, 4, 20, 30, 60, false},
                                       {90, 30, 6, 90, 90, 900, false},
                                       {80, 8, 2, 0, 0, 0, true}};
    const int32_t shape[] = {0, 0, 0, 0, 1, 2};
    const bosc_features f = find(6, shape, 3, shapes, 4);

    ok(f.streamed == 80 && f.largest_streamed == 80,
       "of neurons that are streamed, compartments");

    IS(f, neurons, 6);
    IS(f, compartments, 570);
    IS(f, mean_size, 95);
    IS(f, largest_size, 100);
    IS(f, spread_size, sqrt((4 * 25. + 25 + 225) / 6) / 95);
    IS(f, section_length, (4 * 10 + 3 + 10) / 6.);
    IS(f, largest_length, 10);
    IS(f, levels, (4 * 4 + 6 + 2) / 6.);
    IS(f, depth, 6);
    IS(f, shapes, 0.5);
    IS(f, kept, 1 - (4 * 20 + 90) / 570.);
    IS(f, mechanisms, (4 * 30 + 90) / 570.);
    IS(f, mech_ns, (4 * 60 + 900) / 570.);
    IS(f, equal, 400 / 570.);
    IS(f, lone, 170 / 570.);
    IS(f, rows, 100 / 570.);
    IS(f, padding, 1);
    IS(f, threads, 2);
    IS(f, lanes, 4);
    IS(f, epoch, 40);
    IS(f, coupled, 0);
    IS(f, span_flat, 1);
}

/* One neuron keeps one thread busy; a chain has one section. */
static void test_one(void)
{
    const bosc_shape_facts chain = {50, 1, 1, 0, 0, 0, false};
    const bosc_features f = find(1, (int32_t[]){0}, 1, &chain, 8);

    IS(f, neurons, 1);
    IS(f, span, 2);
    IS(f, span_flat, 2);
    IS(f, lone, 1);
    IS(f, rows, 0);
    IS(f, kept, 1);
    IS(f, section_length, 50);
    IS(f, spread_size, 0);
}

/* A sample stands for all. */
static void test_sample(void)
{
    enum { N = 64 };
    const bosc_shape_facts one = {10, 3, 2, 10, 10, 200, false};
    int32_t shape[N] = {0};
    bosc_batch_facts facts = {.n = N,
                              .shape = shape,
                              .each = 10,
                              .n_shapes = 1,
                              .shapes = &one,
                              .lanes = 8,
                              .threads = 1,
                              .epoch = 1,
                              .needs.couplings = true,
                              .cache = 1e6};
    bosc_features f;
    bosc_error err;

    ok(bosc_features_find(&facts, &f, &err) == BOSC_OK,
       "a sample has features");
    IS(f, neurons, 640);
    IS(f, compartments, 6400);
    IS(f, mean_size, 10);
    IS(f, padding, 1);
    IS(f, rows, 1 / 8.);
    IS(f, equal, 1);
    IS(f, kept, 0);
    IS(f, coupled, 1);
}

static void test_none(void)
{
    const bosc_features f = find(0, NULL, 0, NULL, 8);
    bool finite = true;

    for (int k = 0; k < BOSC_N_FEATURES; ++k)
        finite = finite && isfinite(f.of[k]);
    ok(finite, "of no neurons, too, they are numbers");
}

static void test_matrix(void)
{
    const bosc_spmv_size size = {100, 50, 400, 8};
    const bosc_matrix_features f = bosc_matrix_features_of(&size, 2, 1000);

    ok(near(f.of[BOSC_MATRIX_FEATURE_mean_row], 4) &&
           near(f.of[BOSC_MATRIX_FEATURE_longest], 2) &&
           near(f.of[BOSC_MATRIX_FEATURE_density], 0.08) &&
           near(f.of[BOSC_MATRIX_FEATURE_cache], (101 * 8 + 400 * 12) / 2e3),
       "a matrix has a mean row, a longest one, a density, bytes");
}

int main(void)
{
    test_mixed();
    test_one();
    test_sample();
    test_none();
    test_matrix();
    for (int k = 0; k < BOSC_N_FEATURES; ++k)
        if (bosc_feature_names[k][0] == '\0' ||
            bosc_feature_meanings[k][0] == '\0')
            ok(false, "feature %d has a name and a meaning", k);
    return done_testing();
}
