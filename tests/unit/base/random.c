/* random.c - random numbers: bounds, moments, and keys that know nothing of
 * each other. */
#include <math.h>
#include <string.h>

#include "src/base/random.h"
#include "src/base/status.h"
#include "tests/lib/tap.h"

enum { N = 200000 };

static void draw(uint32_t item, uint32_t words[4])
{
    bosc_random(42, bosc_hash("test"), item, 0, words);
}

static void test_below(void)
{
    static const uint32_t none[2] = {0, 0}, all[2] = {~0u, ~0u};
    static const int64_t sizes[] = {1, 2, 10, 1000000007, INT64_MAX};
    bool bounded = true;

    for (size_t i = 0; i < BOSC_LEN(sizes); ++i)
        bounded = bounded && bosc_below(none, sizes[i]) == 0 &&
                  bosc_below(all, sizes[i]) == sizes[i] - 1;
    ok(bounded, "below(n) reaches 0 and n - 1, and nothing beyond");
    ok(bosc_uniform(none) == 0 && bosc_uniform(all) == 1 - 0x1p-53,
       "uniform numbers reach 0, and stay below 1");
}

/* Chi-square of 10 bins has 9 degrees of freedom: above 40 in 1 of 130,000. */
static void test_below_is_even(void)
{
    double counts[10] = {0}, chi = 0;
    uint32_t words[4];

    for (uint32_t i = 0; i < N; ++i) {
        draw(i, words);
        ++counts[bosc_below(words, 10)];
    }
    for (int k = 0; k < 10; ++k)
        chi += (counts[k] - N / 10.0) * (counts[k] - N / 10.0) / (N / 10.0);
    ok(chi < 40, "below(10) gives all ten as often (chi-square %.1f)", chi);
}

/* Of n numbers the mean of x^k lies within 5 sigma of what it should be. */
static bool moment_is(const double *sum, int k, double want, double variance)
{
    return fabs(sum[k] / N - want) < 5 * sqrt(variance / N);
}

static void test_moments(void)
{
    double uniform[3] = {0}, normal[5] = {0}, product = 0;
    uint32_t words[4];

    for (uint32_t i = 0; i < N; ++i) {
        draw(i, words);

        const double u = bosc_uniform(words), x = bosc_normal(words);

        product += (u - 0.5) * (bosc_uniform(words + 2) - 0.5);
        for (int k = 1; k < 3; ++k)
            uniform[k] += pow(u, k);
        for (int k = 1; k < 5; ++k)
            normal[k] += pow(x, k);
    }
    ok(moment_is(uniform, 1, 0.5, 1.0 / 12) &&
           moment_is(uniform, 2, 1.0 / 3, 4.0 / 45),
       "uniform numbers have their mean and variance");
    ok(moment_is(normal, 1, 0, 1) && moment_is(normal, 2, 1, 2) &&
           moment_is(normal, 3, 0, 15) && moment_is(normal, 4, 3, 96),
       "normal numbers have their four moments");
    ok(fabs(product / N) < 5 / 12.0 / sqrt(N),
       "the two numbers of one draw are independent");
}

static void test_normal_ends(void)
{
    static const uint32_t least[4] = {0, 0, 0, 0}, most[4] = {~0u, ~0u, 0, 0};

    ok(bosc_normal(least) == 0 && isfinite(bosc_normal(most)) &&
           bosc_normal(most) > 8,
       "normal numbers are finite at the ends");
}

/* Two draws that differ in one part of the key alone. */
static void test_keys(void)
{
    static const struct {
        const char *name;
        uint64_t seed, item;
        uint32_t what, use;
    } keys[] = {
        {"seed", 43, 7, 1, 3},
        {"seed's upper half", 42 + (1ull << 32), 7, 1, 3},
        {"what it is for", 42, 7, 2, 3},
        {"item", 42, 8, 1, 3},
        {"item's upper half", 42, 7 + (1ull << 32), 1, 3},
        {"use", 42, 7, 1, 4},
    };
    uint32_t one[4], other[4];

    bosc_random(42, 1, 7, 3, one);
    bosc_random(42, 1, 7, 3, other);
    ok(memcmp(one, other, sizeof one) == 0, "the same key, the same numbers");
    for (size_t i = 0; i < BOSC_LEN(keys); ++i) {
        int equal = 0;

        bosc_random(keys[i].seed, keys[i].what, keys[i].item, keys[i].use,
                    other);
        for (int k = 0; k < 4; ++k)
            equal += one[k] == other[k];
        ok(equal == 0, "another %s, other numbers", keys[i].name);
    }
}

/* Neighbours in one part of the key are uncorrelated. */
static void test_neighbours(void)
{
    double items = 0, uses = 0;
    uint32_t a[4], b[4], c[4];

    for (uint32_t i = 0; i < N; ++i) {
        bosc_random(1, 5, i, 0, a);
        bosc_random(1, 5, i + 1, 0, b);
        bosc_random(1, 5, i, 1, c);
        items += (bosc_uniform(a) - 0.5) * (bosc_uniform(b) - 0.5);
        uses += (bosc_uniform(a) - 0.5) * (bosc_uniform(c) - 0.5);
    }
    ok(fabs(items / N) < 5 / 12.0 / sqrt(N) &&
           fabs(uses / N) < 5 / 12.0 / sqrt(N),
       "neighbouring items and uses are uncorrelated");
}

/* The published values of FNV-1a. */
static void test_hash(void)
{
    ok(bosc_hash("") == 0x811c9dc5 && bosc_hash("a") == 0xe40c292c &&
           bosc_hash("foobar") == 0xbf9cf968,
       "names are hashed by FNV-1a");
}

int main(void)
{
    test_below();
    test_below_is_even();
    test_moments();
    test_normal_ends();
    test_keys();
    test_neighbours();
    test_hash();
    return done_testing();
}
