/* Who computes what: properties of the division, not its digits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "partition/assign.h"
#include "src/mem.h"
#include "tests/tap.h"

/* A little generator, so that the test is the same everywhere. */
static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Items with all their numbers, and what became of them. */
typedef struct trial {
    int64_t n, *cost, *bytes, *leader;
    int32_t *size, *kind, *part;
    bosc_division report;
    bosc_error err;
} trial;

static trial trial_of(int64_t n)
{
    const size_t m = (size_t)n;
    trial t = {.n = n};

    t.cost = bosc_alloc(m, sizeof *t.cost);
    t.bytes = bosc_alloc(m, sizeof *t.bytes);
    t.leader = bosc_alloc(m, sizeof *t.leader);
    t.size = bosc_alloc(m, sizeof *t.size);
    t.kind = bosc_alloc(m, sizeof *t.kind);
    t.part = bosc_alloc(m, sizeof *t.part);
    for (int64_t i = 0; i < n; ++i) {
        t.leader[i] = t.kind[i] = (int32_t)i;
        t.part[i] = -1;
    }
    return t;
}

static void trial_free(trial *t)
{
    free(t->cost);
    free(t->bytes);
    free(t->leader);
    free(t->size);
    free(t->kind);
    free(t->part);
}

/* n neurons of least..most compartments, each of its own kind. */
static trial neurons(int64_t n, int64_t least, int64_t most, uint64_t seed)
{
    trial t = trial_of(n);

    for (int64_t i = 0; i < n; ++i) {
        t.size[i] =
            (int32_t)(least + (int64_t)next(&seed) % (most - least + 1));
        t.cost[i] = t.size[i] + 9;
        t.bytes[i] = 76 * (int64_t)t.size[i];
    }
    return t;
}

static bosc_status assign(trial *t, const bosc_parts *parts)
{
    return bosc_assign(
        &(bosc_items){t->n, t->cost, t->bytes, t->size, t->kind, NULL}, parts,
        t->part, &t->report, &t->err);
}

static bosc_status assign_groups(trial *t, const bosc_parts *parts)
{
    return bosc_assign(
        &(bosc_items){.n = t->n, .cost = t->cost, .leader = t->leader}, parts,
        t->part, &t->report, &t->err);
}

static bool all_inside(const trial *t, int32_t parts)
{
    for (int64_t i = 0; i < t->n; ++i)
        if (t->part[i] < 0 || t->part[i] >= parts)
            return false;
    return true;
}

/* The sums of the parts, [parts]; free(). */
static int64_t *sums(const trial *t, const int64_t *what, int32_t parts)
{
    int64_t *sum = bosc_alloc((size_t)parts, sizeof *sum);

    for (int64_t i = 0; i < t->n; ++i)
        sum[t->part[i]] += what[i];
    return sum;
}

static double imbalance(const trial *t, int32_t parts)
{
    int64_t *load = sums(t, t->cost, parts);
    const double worst = bosc_imbalance(parts, load);

    free(load);
    return worst;
}

static void test_sizes(void)
{
    static const struct {
        int64_t n;
        int32_t parts, lanes;
    } cases[] = {{0, 1, 1},     {0, 7, 8},      {1, 1, 8},    {1, 7, 8},
                 {3, 7, 1},     {1000, 1, 8},   {1000, 7, 1}, {1000, 7, 8},
                 {1000, 64, 4}, {1000, 999, 32}};

    for (size_t c = 0; c < BOSC_LEN(cases); ++c) {
        trial t = neurons(cases[c].n, 41, 45923, 1);
        const bosc_parts parts = {.n = cases[c].parts, .lanes = cases[c].lanes};
        const bosc_status st = assign(&t, &parts);

        ok(st == BOSC_OK && all_inside(&t, parts.n) &&
               t.report.imbalance >= 1 && t.report.padding >= 1,
           "every one of %d neurons belongs to one of %d parts of %d lanes",
           (int)cases[c].n, (int)parts.n, (int)parts.lanes);
        trial_free(&t);
    }
}

static void test_balance(void)
{
    trial t = neurons(1000, 41, 45923, 2);

    assign(&t, &(bosc_parts){.n = 7});
    ok(imbalance(&t, 7) < 1.0002 &&
           fabs(imbalance(&t, 7) - t.report.imbalance) < 1e-12,
       "a thousand different neurons balance on 7 parts within 0.02 %%");
    trial_free(&t);

    static const struct {
        const char *name;
        int64_t n, cost[6];
        int32_t parts;
        double want;
    } cases[] = {
        {"the dearest go to the part that has the least",
         4,
         {7, 5, 4, 3},
         2,
         10 / 9.5},
        {"a giant has a part to itself",
         4,
         {10, 1000000, 10, 10},
         3,
         1000000 / (1000030 / 3.0)},
        {"what Graham's rule leaves uneven is exchanged",
         5,
         {3, 3, 2, 2, 2},
         2,
         1},
        {"where each has one, nobody has two", 3, {5, 5, 5}, 3, 1},
    };
    for (size_t c = 0; c < BOSC_LEN(cases); ++c) {
        t = trial_of(cases[c].n);
        memcpy(t.cost, cases[c].cost, (size_t)t.n * sizeof *t.cost);
        for (int64_t i = 0; i < t.n; ++i)
            t.size[i] = (int32_t)t.cost[i];
        assign(&t, &(bosc_parts){.n = cases[c].parts});
        ok(fabs(imbalance(&t, cases[c].parts) - cases[c].want) < 1e-9, "%s",
           cases[c].name);
        trial_free(&t);
    }
}

static void test_empty(void)
{
    const int64_t nothing[3] = {0, 0, 0};

    ok(bosc_imbalance(3, nothing) == 1.0, "no load at all is balanced");
}

/* 62 neurons a part, and the same lanes used as on one part. */
static void test_scaling(void)
{
    static const struct {
        int64_t n, least, most;
        int32_t parts, lanes;
        double imbalance, padding;
    } cases[] = {
        {256000, 76, 691, 4096, 1, 1.002, 1.0},
        {256000, 76, 691, 4096, 8, 1.002, 1.02},
        {256000, 76, 691, 64, 8, 1.0001, 1.001},
        {16000, 76, 691, 1024, 8, 1.05, 1.1},
        {1000, 76, 691, 64, 1, 1.002, 1.0},
    };

    for (size_t c = 0; c < BOSC_LEN(cases); ++c) {
        trial t = neurons(cases[c].n, cases[c].least, cases[c].most, 3);
        const bosc_parts parts = {.n = cases[c].parts, .lanes = cases[c].lanes};
        const bosc_status st = assign(&t, &parts);

        ok(st == BOSC_OK && t.report.imbalance <= cases[c].imbalance &&
               t.report.padding <= cases[c].padding,
           "%d neurons on %d parts of %d lanes: imbalance %.5f, padding %.4f, "
           "chunks of %d",
           (int)t.n, (int)parts.n, (int)parts.lanes, t.report.imbalance,
           t.report.padding, (int)t.report.chunk);
        trial_free(&t);
    }
}

/* Groups of 1 to 12 items, bound in a random order; and one of 300. */
static void test_groups(void)
{
    enum { N = 1000, GIANT = 300 };
    static int64_t group[N], last[N];
    trial t = trial_of(N);
    uint64_t seed = 11;
    int64_t n_groups = 1;
    bool whole = true, spread = false;

    for (int64_t i = 0; i < N; ++i) {
        t.cost[i] = 1 + (int64_t)next(&seed) % 128;
        n_groups += i >= GIANT && next(&seed) % 5 == 0;
        group[i] = i < GIANT ? 0 : n_groups;
    }
    for (int64_t i = 0; i < N; ++i)
        last[group[i]] = i;
    for (int64_t i = N - 1; i >= 0; --i) /* each to the last of its group */
        bosc_bind(t.leader, last[group[i]], i);
    ok(bosc_bound_to(t.leader, GIANT - 1) == 0 &&
           bosc_bound_to(t.leader, 5) == 0,
       "the first of a group leads it");
    ok(assign_groups(&t, &(bosc_parts){.n = 4, .lanes = 8}) == BOSC_OK,
       "groups are assigned");
    for (int64_t i = 0; i < N; ++i) {
        if (i > GIANT && group[i] == group[i - 1])
            whole = whole && t.part[i] == t.part[i - 1];
        spread = spread || (i < GIANT && t.part[i] != t.part[0]);
    }
    ok(whole, "small groups stay whole");
    ok(spread, "a group that is more than its share is divided");
    ok(imbalance(&t, 4) < 1.001, "and the loads are balanced (%.4f)",
       imbalance(&t, 4));
    trial_free(&t);
}

int main(void)
{
    test_sizes();
    test_balance();
    test_empty();
    test_scaling();
    test_groups();
    return done_testing();
}
