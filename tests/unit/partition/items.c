#include "tests/unit/partition/items.h"

#include <stdlib.h>

#include "src/base/mem.h"

uint64_t items_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

trial trial_of(int64_t n)
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

void trial_free(trial *t)
{
    free(t->cost);
    free(t->bytes);
    free(t->leader);
    free(t->size);
    free(t->kind);
    free(t->part);
}

trial neurons(int64_t n, int64_t least, int64_t most, uint64_t seed)
{
    trial t = trial_of(n);

    for (int64_t i = 0; i < n; ++i) {
        t.size[i] =
            (int32_t)(least + (int64_t)items_next(&seed) % (most - least + 1));
        t.cost[i] = t.size[i] + 9;
        t.bytes[i] = 76 * (int64_t)t.size[i];
    }
    return t;
}

bosc_status assign(trial *t, const bosc_parts *parts)
{
    return bosc_assign(&(bosc_items){.n = t->n,
                                     .cost = t->cost,
                                     .bytes = t->bytes,
                                     .size = t->size,
                                     .kind = t->kind},
                       parts, t->part, &t->report, &t->err);
}

bool all_inside(const trial *t, int32_t parts)
{
    for (int64_t i = 0; i < t->n; ++i)
        if (t->part[i] < 0 || t->part[i] >= parts)
            return false;
    return true;
}

int64_t *sums(const trial *t, const int64_t *what, int32_t parts)
{
    int64_t *sum = bosc_alloc((size_t)parts, sizeof *sum);

    for (int64_t i = 0; i < t->n; ++i)
        sum[t->part[i]] += what[i];
    return sum;
}
