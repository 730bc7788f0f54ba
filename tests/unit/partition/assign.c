/* Who computes what: properties of the division, not its digits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "partition/assign.h"
#include "partition/groups.h"
#include "src/base/mem.h"
#include "tests/lib/tap.h"
#include "tests/unit/partition/items.h"

static bosc_status assign_groups(trial *t, const bosc_parts *parts)
{
    return bosc_assign(
        &(bosc_items){.n = t->n, .cost = t->cost, .leader = t->leader}, parts,
        t->part, &t->report, &t->err);
}

/* Greatest load over the mean; 1 where there is none at all. */
static double imbalance(const trial *t, int32_t parts)
{
    int64_t *load = sums(t, t->cost, parts);
    int64_t sum = 0, most = 0;

    for (int32_t p = 0; p < parts; ++p) {
        sum += load[p];
        most = load[p] > most ? load[p] : most;
    }
    free(load);
    return sum > 0 ? (double)most * parts / (double)sum : 1;
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

/* 62 neurons a part, and the same lanes used as on one part. */
static void test_scaling(void)
{
    static const struct {
        int64_t n, least, most;
        int32_t parts, lanes;
        double slowest, padding;
    } cases[] = {
        {256000, 76, 691, 4096, 1, 1.002, 1.0},
        {256000, 76, 691, 4096, 8, 1.002, 1.02},
        {250000, 76, 691, 4096, 4, 1.002, 1.02},
        {256000, 76, 691, 64, 8, 1.0001, 1.001},
        {16000, 76, 691, 1024, 8, 1.05, 1.1},
        {1000, 76, 691, 64, 1, 1.002, 1.0},
    };

    for (size_t c = 0; c < BOSC_LEN(cases); ++c) {
        trial t = neurons(cases[c].n, cases[c].least, cases[c].most, 3);
        const bosc_parts parts = {.n = cases[c].parts, .lanes = cases[c].lanes};
        const bosc_status st = assign(&t, &parts);

        ok(st == BOSC_OK && t.report.slowest <= cases[c].slowest &&
               t.report.padding <= cases[c].padding,
           "%d neurons on %d parts of %d lanes: slowest %.5f, padding %.4f, "
           "chunks of %d",
           (int)t.n, (int)parts.n, (int)parts.lanes, t.report.slowest,
           t.report.padding, (int)t.report.chunk);
        trial_free(&t);
    }
}

/* Sizes like those of reconstructed neurons: 41 to 45,923, few of them long. */
static trial morphologies(int64_t n)
{
    trial t = trial_of(n);

    for (int64_t i = 0; i < n; ++i) {
        t.kind[i] = (int32_t)(i % 180);
        t.cost[i] = (int64_t)(45923 * pow(t.kind[i] + 1, -0.9)) - 380;
        t.cost[i] = t.cost[i] < 41 ? 41 : t.cost[i];
        t.size[i] = (int32_t)t.cost[i];
        t.bytes[i] = 76 * t.cost[i];
    }
    return t;
}

static void test_morphologies(void)
{
    static const struct {
        int64_t n;
        int32_t lanes;
    } cases[] = {{3600, 1}, {3600, 4}, {3600, 8}, {18000, 8}, {18000, 32}};

    for (size_t c = 0; c < BOSC_LEN(cases); ++c) {
        trial t = morphologies(cases[c].n);
        const bosc_parts parts = {.n = 64, .lanes = cases[c].lanes};
        const bosc_status st = assign(&t, &parts);

        ok(st == BOSC_OK && t.report.imbalance <= 1.05,
           "%d neurons of 41 to 45,923 samples, 64 parts of %d lanes: "
           "imbalance %.4f, padding %.4f",
           (int)t.n, (int)parts.lanes, t.report.imbalance, t.report.padding);
        trial_free(&t);
    }
}

/* Giants that walk alone, four times as slow as others in lanes. */
static void test_alone(void)
{
    enum { GIANTS = 2, SIZE = 5000, PARTS = 8 };
    trial t = neurons(3000, 100, 110, 21);
    const bosc_parts parts = {.n = PARTS, .lanes = 8, .row = 1, .alone = 3};
    int64_t giants[PARTS] = {0}, *load;
    double sum = 0, most = 0;

    for (int i = 0; i < GIANTS; ++i)
        t.cost[i] = t.size[i] = SIZE + i;
    assign(&t, &parts);
    load = sums(&t, t.cost, PARTS);
    for (int i = 0; i < GIANTS; ++i)
        ++giants[t.part[i]];
    for (int p = 0; p < PARTS; ++p) {
        const double time = (double)(load[p] + 3 * SIZE * giants[p]);

        sum += time;
        most = time > most ? time : most;
    }
    ok(most * PARTS / sum < 1.01,
       "who has a giant that walks alone gets less of the rest: %.4f",
       most * PARTS / sum);
    free(load);
    trial_free(&t);
}

/* How long the slowest part takes over the average, at their speeds. */
static double lateness(const trial *t, const bosc_parts *parts)
{
    int64_t *load = sums(t, t->cost, parts->n);
    double cost = 0, speed = 0, latest = 0;

    for (int32_t p = 0; p < parts->n; ++p) {
        const double time = (double)load[p] / parts->each[p].speed;

        latest = time > latest ? time : latest;
        cost += (double)load[p];
        speed += parts->each[p].speed;
    }
    free(load);
    return latest * speed / cost;
}

static void test_speeds(void)
{
    static bosc_part each[96];
    trial t = neurons(20000, 76, 691, 5);
    const bosc_parts parts = {.n = 96, .each = each, .lanes = 8};
    uint64_t seed = 3;
    bosc_status st;

    for (int32_t p = 0; p < parts.n; ++p)
        each[p] = (bosc_part){p % 8 == 0 ? 20 : 1, INT64_MAX};
    st = assign(&t, &parts);
    ok(st == BOSC_OK && lateness(&t, &parts) < 1.005,
       "a part that is 20 times faster gets 20 times more: %.5f",
       lateness(&t, &parts));
    for (int32_t p = 0; p < parts.n; ++p)
        each[p].speed = 1 + 1e-4 * (double)(items_next(&seed) % 1000);
    st = assign(&t, &parts);
    ok(st == BOSC_OK && lateness(&t, &parts) < 1.005,
       "parts that all differ a little get what they can compute: %.5f",
       lateness(&t, &parts));
    each[17].speed = 1e-9;
    assign(&t, &parts);
    ok(lateness(&t, &parts) < 1.005, "a part that hardly moves gets nothing");
    trial_free(&t);
}

/* An item and where it is, to be sorted. */
typedef struct placed {
    int64_t part, cost, bytes, size;
} placed;

static int compare_placed(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    for (size_t k = 0; k < sizeof(placed) / sizeof *x; ++k)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return 0;
}

static placed *list_placed(const trial *t)
{
    placed *list = bosc_alloc((size_t)t->n, sizeof *list);

    for (int64_t i = 0; i < t->n; ++i)
        list[i] = (placed){t->part[i], t->cost[i], t->bytes[i], t->size[i]};
    qsort(list, (size_t)t->n, sizeof *list, compare_placed);
    return list;
}

static void swap_items(trial *t, int64_t i, int64_t j)
{
    const int64_t cost = t->cost[i], bytes = t->bytes[i];
    const int32_t size = t->size[i], kind = t->kind[i];

    t->cost[i] = t->cost[j];
    t->bytes[i] = t->bytes[j];
    t->size[i] = t->size[j];
    t->kind[i] = t->kind[j];
    t->cost[j] = cost;
    t->bytes[j] = bytes;
    t->size[j] = size;
    t->kind[j] = kind;
}

static void test_permutation(void)
{
    static const struct {
        int32_t parts, lanes, alike; /* of one kind */
        bool unequal;
    } cases[] = {{7, 1, 3, false},  {64, 8, 9, false},  {300, 8, 40, false},
                 {64, 8, 1, false}, {300, 8, 1, false}, {9, 8, 12, true}};
    static bosc_part each[9];
    uint64_t seed = 99;

    for (int p = 0; p < 9; ++p)
        each[p] = (bosc_part){p < 2 ? 7 : 1, (int64_t)40000000 / (p + 1)};
    for (size_t c = 0; c < BOSC_LEN(cases); ++c) {
        const bosc_parts parts = {.n = cases[c].parts,
                                  .each = cases[c].unequal ? each : NULL,
                                  .lanes = cases[c].lanes};
        trial t = neurons(2000, 76, 291, 6);
        placed *before, *after;
        bosc_status st;

        for (int64_t i = 0; i < t.n; ++i) { /* alike in all numbers */
            const int64_t first = i - i % cases[c].alike;

            t.kind[i] = (int32_t)first;
            t.size[i] = t.size[first] / 16 * 16;
            t.cost[i] = t.size[i] + first % 7;
            t.bytes[i] = t.bytes[first];
        }
        st = assign(&t, &parts);
        before = list_placed(&t);
        for (int64_t i = t.n - 1; i > 0; --i)
            swap_items(&t, i, (int64_t)(items_next(&seed) % (uint64_t)(i + 1)));
        for (int64_t i = 0; i < t.n; ++i) /* one to one: the prime is > n */
            t.kind[i] = (int32_t)(t.kind[i] * 7919LL % 10007);
        ok(st == BOSC_OK && assign(&t, &parts) == BOSC_OK,
           "%d parts of %d lanes, %d of each kind: in another order, kinds "
           "renumbered",
           (int)parts.n, (int)parts.lanes, (int)cases[c].alike);
        after = list_placed(&t);
        ok(memcmp(before, after, (size_t)t.n * sizeof *before) == 0,
           "the same items are on every part");
        free(before);
        free(after);
        trial_free(&t);
    }
}

/* Items of one kind fill lanes together. */
static void test_kinds(void)
{
    enum { KINDS = 40, EACH = 64, PARTS = 16 };
    static int32_t count[PARTS][KINDS];
    trial t = neurons(KINDS * EACH, 200, 203, 12);
    int split = 0;

    for (int64_t i = 0; i < t.n;
         ++i) { /* few sizes, so that sizes say little */
        t.kind[i] = (int32_t)(i % KINDS);
        t.size[i] = 200 + t.kind[i] % 4;
        t.cost[i] = t.size[i] + 9;
    }
    assign(&t, &(bosc_parts){.n = PARTS, .lanes = 8});
    for (int64_t i = 0; i < t.n; ++i)
        ++count[t.part[i]][t.kind[i]];
    for (int p = 0; p < PARTS; ++p)
        for (int k = 0; k < KINDS; ++k)
            split += count[p][k] % 8 != 0;
    ok(split == 0 && t.report.padding == 1,
       "items of one kind are dealt out by eights (%d are not)", split);
    trial_free(&t);
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
        t.cost[i] = 1 + (int64_t)items_next(&seed) % 128;
        n_groups += i >= GIANT && items_next(&seed) % 5 == 0;
        group[i] = i < GIANT ? 0 : n_groups;
    }
    for (int64_t i = 0; i < N; ++i)
        last[group[i]] = i;
    for (int64_t i = N - 1; i >= 0; --i) /* each to the last of its group */
        bosc_union_join(t.leader, last[group[i]], i);
    ok(bosc_union_root(t.leader, GIANT - 1) == 0 &&
           bosc_union_root(t.leader, 5) == 0,
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
    ok(t.report.imbalance < 1.001,
       "and all parts are done at the same time, lanes counted (%.4f)",
       t.report.imbalance);
    trial_free(&t);
}

/* Items that have a tie to another part. */
static int64_t boundary(const trial *t, size_t n_ties, const bosc_tie *ties)
{
    bool *on = bosc_alloc((size_t)t->n, sizeof *on);
    int64_t n = 0;

    for (size_t k = 0; k < n_ties; ++k)
        if (t->part[ties[k].a] != t->part[ties[k].b])
            on[ties[k].a] = on[ties[k].b] = true;
    for (int64_t i = 0; i < t->n; ++i)
        n += on[i];
    free(on);
    return n;
}

/* Bind items by ties and assign them. */
static bosc_status assign_tied(trial *t, size_t n_ties, const bosc_tie *ties,
                               const bosc_parts *parts)
{
    for (size_t k = 0; k < n_ties; ++k)
        bosc_union_join(t->leader, ties[k].a, ties[k].b);
    return bosc_assign(&(bosc_items){.n = t->n,
                                     .cost = t->cost,
                                     .size = t->size,
                                     .leader = t->leader,
                                     .n_ties = n_ties,
                                     .ties = ties},
                       parts, t->part, &t->report, &t->err);
}

/* Rings whose neighbours have other numbers: each item next to the one with a
 * number 7 higher. */
static void test_rings(void)
{
    enum { N = 2000, STEP = 7 };
    static bosc_tie ties[N];
    static const bosc_part uneven[] = {
        {1, INT64_MAX}, {3, INT64_MAX}, {2, INT64_MAX}};
    static const struct {
        const char *name;
        bosc_parts parts;
        int64_t rings; /* of N / rings items */
        int64_t most;  /* items with a tie to another part */
    } cases[] = {
        {"a ring has two items at the end of each of 2 parts", {.n = 2}, 1, 4},
        {"of each of 5 parts", {.n = 5}, 1, 10},
        {"of each of 16 parts with lanes", {.n = 16, .lanes = 8}, 1, 32},
        {"of parts of other speeds", {.n = 3, .each = uneven}, 1, 6},
        {"two rings have at most one more piece than parts", {.n = 3}, 2, 8},
        {"a hundred rings stay whole", {.n = 4}, 100, 0},
    };

    for (size_t c = 0; c < BOSC_LEN(cases); ++c) {
        const int64_t length = N / cases[c].rings;
        trial t = neurons(N, 300, 310, 5);

        for (int64_t i = 0; i < N; ++i)
            ties[i] = (bosc_tie){
                (uint32_t)i,
                (uint32_t)(i / length * length + (i % length + STEP) % length)};
        assign_tied(&t, N, ties, &cases[c].parts);

        const int64_t n = boundary(&t, N, ties);

        ok(all_inside(&t, cases[c].parts.n) && n <= cases[c].most, "%s (%lld)",
           cases[c].name, (long long)n);
        ok(t.report.imbalance < 1.01, "and none is late (%.4f)",
           t.report.imbalance);
        trial_free(&t);
    }
}

/* Few items of very different costs: balance is worth more than ties. */
static void test_lumps(void)
{
    static const bosc_tie ties[] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}};
    static const int64_t cost[] = {100, 10, 90, 10, 100, 90};
    trial t = trial_of((int64_t)BOSC_LEN(cost));

    for (size_t i = 0; i < BOSC_LEN(cost); ++i)
        t.cost[i] = t.size[i] = (int32_t)cost[i];
    assign_tied(&t, BOSC_LEN(ties), ties, &(bosc_parts){.n = 4});
    ok(t.report.slowest < 1.11,
       "a chain is not kept together where that is slow (%.3f)",
       t.report.slowest);
    trial_free(&t);
}

int main(void)
{
    test_sizes();
    test_balance();
    test_scaling();
    test_morphologies();
    test_alone();
    test_speeds();
    test_permutation();
    test_kinds();
    test_groups();
    test_rings();
    test_lumps();
    return done_testing();
}
