/* Who computes what: properties of the division, not its digits. */
#include <stdlib.h>

#include "partition/assign.h"
#include "src/mem.h"
#include "tests/tap.h"

enum { MOST = 1000 };

/* A little generator, so that the test is the same everywhere. */
static uint32_t next(uint32_t *state)
{
    return *state = *state * 1664525u + 1013904223u;
}

static void fill(int64_t n, int64_t *cost, uint32_t state)
{
    for (int64_t i = 0; i < n; ++i)
        cost[i] = 41 + next(&state) % 45000;
}

static double imbalance(int64_t n, const int64_t *cost, int32_t parts,
                        const int32_t *part)
{
    int64_t *load = bosc_alloc((size_t)parts, sizeof *load);

    for (int64_t i = 0; i < n; ++i)
        load[part[i]] += cost[i];
    const double worst = bosc_imbalance(parts, load);
    free(load);
    return worst;
}

static void test_sizes(void)
{
    static const struct {
        int64_t n;
        int32_t parts;
    } cases[] = {{0, 1}, {0, 7}, {1, 1}, {1, 7}, {3, 7}, {1000, 1}, {1000, 7}};
    static int64_t cost[MOST];
    static int32_t part[MOST];

    fill(MOST, cost, 1);
    for (size_t c = 0; c < BOSC_LEN(cases); ++c) {
        const int64_t n = cases[c].n;
        bool inside = true;

        for (int64_t i = 0; i < n; ++i)
            part[i] = -1;
        const bosc_status st = bosc_assign(n, cost, cases[c].parts, part, NULL);
        for (int64_t i = 0; i < n; ++i)
            inside = inside && part[i] >= 0 && part[i] < cases[c].parts;
        ok(st == BOSC_OK && inside,
           "every one of %d neurons belongs to one of %d parts", (int)n,
           (int)cases[c].parts);
    }
}

static void test_balance(void)
{
    static int64_t cost[MOST];
    static int32_t part[MOST];
    const int64_t example[] = {7, 5, 4, 3};
    int32_t got[4];

    fill(MOST, cost, 2);
    bosc_assign(MOST, cost, 7, part, NULL);
    ok(imbalance(MOST, cost, 7, part) < 1.001,
       "a thousand different neurons balance on 7 parts within 0.1 %%");
    bosc_assign(4, example, 2, got, NULL);
    ok(got[0] == 0 && got[1] == 1 && got[2] == 1 && got[3] == 0,
       "the dearest left goes to the part that has the least");

    const int64_t giant[] = {10, 1000000, 10, 10};

    bosc_assign(4, giant, 3, got, NULL);
    ok(got[0] != got[1] && got[2] != got[1] && got[3] != got[1],
       "a giant has a part to itself");
}

static void test_empty(void)
{
    const int64_t nothing[3] = {0, 0, 0};

    ok(bosc_imbalance(3, nothing) == 1.0, "no load at all is balanced");
}

/* Groups of 1 to 12 items, bound in a random order; and one of 300. */
static void test_groups(void)
{
    enum { N = 1000, GIANT = 300 };
    static int64_t cost[N], leader[N], group[N], last[N];
    static int32_t part[N];
    uint64_t seed = 11;
    int64_t load[4] = {0}, n_groups = 1;
    bool whole = true, spread = false;
    bosc_error err;

    for (int64_t i = 0; i < N; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        cost[i] = 1 + (int64_t)(seed >> 57);
        leader[i] = i;
        n_groups += i >= GIANT && (seed >> 33) % 5 == 0;
        group[i] = i < GIANT ? 0 : n_groups;
    }
    for (int64_t i = 0; i < N; ++i)
        last[group[i]] = i;
    for (int64_t i = N - 1; i >= 0; --i) /* each to the last of its group */
        bosc_bind(leader, last[group[i]], i);
    ok(bosc_bound_to(leader, GIANT - 1) == 0 && bosc_bound_to(leader, 5) == 0,
       "the first of a group leads it");
    ok(bosc_assign_bound(N, cost, leader, 4, part, &err) == BOSC_OK,
       "groups are assigned");
    for (int64_t i = 0; i < N; ++i) {
        load[part[i]] += cost[i];
        if (i > GIANT && group[i] == group[i - 1])
            whole = whole && part[i] == part[i - 1];
        spread = spread || (i < GIANT && part[i] != part[0]);
    }
    ok(whole, "small groups stay whole");
    ok(spread, "a group that is more than its share is divided");
    ok(bosc_imbalance(4, load) < 1.02, "and the loads are balanced (%.3f)",
       bosc_imbalance(4, load));
}

int main(void)
{
    test_sizes();
    test_balance();
    test_empty();
    test_groups();
    return done_testing();
}
