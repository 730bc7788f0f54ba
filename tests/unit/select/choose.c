/* Which method is chosen, by rules. */
#include <math.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/select/choose.h"
#include "src/select/choose_format.h"
#include "src/select/rules.h"
#include "tests/lib/tap.h"

/* Neurons of one size that all differ, with hh in the soma or everywhere. */
static bosc_features some(int32_t n, int32_t size, bool everywhere, int threads)
{
    enum { MOST = 4096 };
    static int32_t shape[MOST];
    static bosc_shape_facts shapes[MOST];
    bosc_features f;
    bosc_error err;

    for (int32_t i = 0; i < n; ++i) {
        shape[i] = i;
        shapes[i] = (bosc_shape_facts){.compartments = size + i % 7,
                                       .sections = size / 4 + 1,
                                       .levels = 8,
                                       .changing = everywhere ? size : 1,
                                       .instances = everywhere ? size : 1,
                                       .ns = everywhere ? 15. * size : 15};
    }
    bosc_features_find(&(bosc_batch_facts){.n = n,
                                           .shape = shape,
                                           .each = 1,
                                           .n_shapes = n,
                                           .shapes = shapes,
                                           .lanes = 8,
                                           .threads = threads,
                                           .epoch = 40,
                                           .cache = 1e6,
                                           .processors = 132,
                                           .shared = 227 * 1024},
                       &f, &err);
    return f;
}

static const char *chosen(const bosc_features *f, const char *backend,
                          const char *method, bool named)
{
    bosc_choice choice;

    bosc_choose(bosc_method_find(backend, method), named, f, NULL, &choice);
    return choice.method->name;
}

static void test_cpu(void)
{
    const bosc_features many = some(1000, 300, false, 1);
    const bosc_features few = some(8, 300, false, 8);
    bosc_choice choice;

    ok(strcmp(chosen(&many, "cpu", "depth-first", false), "depth-first") == 0,
       "many neurons fill vectors: depth-first");
    ok(strcmp(chosen(&few, "cpu", "depth-first", false), "hines-flat") == 0,
       "eight neurons on eight threads: one each, hines-flat");
    ok(strcmp(chosen(&many, "cpu", "hines-flat", true), "hines-flat") == 0,
       "a method that the job names is taken");
    ok(strcmp(chosen(&many, "ref", "hines", false), "hines") == 0,
       "a backend's only one, too");

    bosc_choose(bosc_method_find("cpu", "depth-first"), false, &many, NULL,
                &choice);
    ok(choice.n == 2, "there are two to choose from on a CPU");
    ok(choice.seconds > 0 && choice.seconds == choice.candidate[0].seconds &&
           choice.candidate[0].seconds <= choice.candidate[1].seconds,
       "the fastest comes first, and its time is predicted");
    ok(strcmp(choice.by, "rules") == 0, "and the choice says whose it is");
}

/* Other bits, or no time loop, or another backend: no candidates. */
static void test_candidates(void)
{
    const bosc_features f = some(100, 300, true, 1);
    int n = 0, wrong = 0;

    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m) {
        bosc_choice choice;

        if (m->engine.ops == NULL)
            continue;
        bosc_choose(m, false, &f, NULL, &choice);
        for (int k = 0; k < choice.n; ++k, ++n)
            wrong += choice.candidate[k].method->other_bits ||
                     choice.candidate[k].method->engine.ops == NULL ||
                     choice.candidate[k].method->backend != m->backend;
    }
    ok(n >= 5 && wrong == 0,
       "candidates are the methods of the backend that have the bits of ref");
}

/* The rules of a method that this build may lack. */
static double rule(const char *backend, const char *method,
                   const bosc_features *f)
{
    return bosc_rule_seconds(bosc_method_find(backend, method), f);
}

/* What vectors larger than a cache take, which each step fetches again. */
static void test_cache(void)
{
    const bosc_features small = some(8, 300, false, 1);
    const bosc_features large = some(8, 9000, false, 1);
    const char *const names[] = {"depth-first", "hines-flat"};
    double of_size[2]; /* times those of the small ones, a compartment */

    for (int k = 0; k < 2; ++k)
        of_size[k] = rule("cpu", names[k], &large) /
                     rule("cpu", names[k], &small) * 300 / 9000;
    ok(of_size[0] > 1.3,
       "rows of vectors that are larger than the cache take longer");
    ok(of_size[1] < 1.1, "rows of large neurons by themselves do not");
}

static void test_gpu(void)
{
    bosc_features f = some(4000, 384, false, 1);

    ok(rule("cuda", "cell-blocks", &f) < rule("cuda", "depth-first", &f),
       "neurons that fit the chip are faster there");
    f.needs.epoch = 1;
    ok(rule("cuda", "cell-blocks", &f) == rule("cuda", "depth-first", &f),
       "but not in epochs of one step");
    f.needs = (bosc_needs){.own_points = true, .epoch = 40};
    ok(rule("cuda", "cell-blocks", &f) == rule("cuda", "depth-first", &f),
       "nor with point processes of mod files, which all are streamed for");
    f.needs.own_points = false;
    const double kept = rule("cuda", "cell-blocks", &f);
    f.streamed = f.largest_streamed = 70000;
    ok(rule("cuda", "cell-blocks", &f) > 100 * kept,
       "one large neuron that is streamed makes them wait");
    f = some(4000, 8500, false, 1);
    f.of[BOSC_FEATURE_compartments] *= 3;
    ok(rule("cuda", "cell-blocks", &f) > rule("cuda", "depth-first", &f),
       "nor are 12,000 that a block has no room for");
    f = some(1024, 20000, false, 1);
    ok(rule("cuda", "cell-blocks", &f) < rule("cuda", "depth-first", &f),
       "but a few of these are");
    const double whole = rule("cuda", "depth-first", &f);
    f.of[BOSC_FEATURE_processors] = 16;
    ok(rule("cuda", "depth-first", &f) > whole,
       "a part of a GPU is slower than all of it");
    ok(isnan(rule("cuda", "cyclic-reduction", &f)),
       "there is no rule for what has no time loop");
}

/* What cell blocks stream is not called by their name, whatever the reason. */
static void test_limits(void)
{
    static const struct {
        const char *what;
        bosc_needs needs;
    } cases[] = {
        {"point processes of mod files", {.own_points = true, .epoch = 40}},
        {"couplings", {.couplings = true}},
        {"second order", {.second_order = true, .epoch = 40}},
        {"epochs of fewer than 4 steps", {.epoch = 3}},
        {"densities of mod files beyond somata",
         {.own_dense = true, .epoch = 40, .crowd = 9}},
        {"narrow groups", {.epoch = 40, .width = 8}},
        {"too many compartments of a rank", {.slots = 5e9}},
    };
    bosc_features f = some(4000, 384, false, 1);
    const bosc_method *cells = bosc_method_find("cuda", "cell-blocks");
    bosc_choice choice;

    if (cells->engine.ops == NULL) {
        skip("this bosc was built without CUDA");
        return;
    }
    ok(strcmp(chosen(&f, "cuda", "cell-blocks", false), "cell-blocks") == 0,
       "without a limit cell blocks are chosen");
    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        f.needs = cases[i].needs;
        bosc_choose(cells, false, &f, NULL, &choice);
        ok(strcmp(choice.method->name, "depth-first") == 0 &&
               choice.limit == NULL &&
               choice.candidate[0].method == choice.method &&
               bosc_choose_rivals(&choice, INT64_MAX, NULL) == 0,
           "%s: depth-first, and no rival is measured", cases[i].what);
        ok(choice.n == 2 && choice.candidate[1].method == cells &&
               choice.candidate[1].limit != NULL &&
               strcmp(choice.candidate[1].limit->what, cases[i].what) == 0,
           "and of cell blocks it says why not");
        bosc_choose(cells, true, &f, NULL, &choice);
        ok(choice.method == cells && choice.limit != NULL,
           "a job that names them has them, and is told");
    }
}

static void test_width(void)
{
    static const struct {
        double neurons, processors;
        int32_t want;
    } cases[] = {
        {1, 132, 8},      {200, 132, 8},   {1000, 132, 8},  {1056, 132, 8},
        {1057, 132, 16},  {2112, 132, 16}, {2113, 132, 32}, {4000, 132, 32},
        {20000, 132, 32}, {1000, 16, 32},
    };

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        const int32_t width =
            bosc_choose_width(32, cases[i].neurons, cases[i].processors);

        ok(width == cases[i].want,
           "%g neurons on %g multiprocessors: %d in a group", cases[i].neurons,
           cases[i].processors, width);
    }
}

/* ---- formats ---- */

static bosc_format_choice chosen_format(double columns, double row,
                                        double longest, double processors,
                                        bosc_spmv_format named)
{
    const bosc_spmv_size size = {1000, columns, 1000 * row, longest};
    const bosc_matrix_features f = bosc_matrix_features_of(&size, 1, 1e6);
    bosc_format_choice choice;

    bosc_choose_format(&f, processors, named, NULL, &choice);
    return choice;
}

static void test_formats(void)
{
    const bosc_spmv_format any = BOSC_SPMV_AUTO;
    const bosc_format_choice few = chosen_format(1000, 7, 9, 0, any);

    ok(few.format == BOSC_SPMV_CSR && strcmp(few.by, "rules") == 0,
       "on a CPU few entries are csr, by rules");
    ok(few.n == 3 && few.candidate[0].seconds > 0 &&
           few.candidate[0].seconds <= few.candidate[1].seconds &&
           few.candidate[1].seconds <= few.candidate[2].seconds,
       "of three formats, the fastest first");
    ok(chosen_format(100, 100, 100, 0, any).format == BOSC_SPMV_DENSE,
       "a full matrix is dense");
    ok(chosen_format(1000, 7, 9, 132, any).format == BOSC_SPMV_ELLPACK,
       "on a GPU rows that are nearly alike are ellpack");
    ok(chosen_format(1000, 7, 900, 132, any).format != BOSC_SPMV_ELLPACK,
       "but not where one is as long as a hundred others");
    ok(chosen_format(100, 100, 100, 132, any).format == BOSC_SPMV_DENSE,
       "a full one is dense there, too");

    const bosc_format_choice own =
        chosen_format(1000, 7, 9, 0, BOSC_SPMV_DENSE);

    ok(own.format == BOSC_SPMV_DENSE && strcmp(own.by, "the job") == 0,
       "what the job names is taken");
}

int main(void)
{
    test_formats();
    test_cpu();
    test_candidates();
    test_cache();
    test_gpu();
    test_limits();
    test_width();
    return done_testing();
}
