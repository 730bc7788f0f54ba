/* bins.c - what groups cost, without making them.
 *
 * Mixed bins take the cheapest division of what is sorted into groups and what
 * is alone.  With best[j] that of the first j things, of r_1 >= r_2 >= ...
 * rows, best[j] = min(best[j - 1] + alone(r_j), best[j - lanes] + group(r_{j -
 * lanes + 1})) so that the last 'lanes' of best are enough to go on.
 */
#include "partition/bins.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* What groups, and what is alone, take. */
typedef struct sums {
    int64_t time, slots, groups, waits;
} sums;

/* A division of the first things, and the rows of the next one. */
typedef struct best {
    sums all;
    int64_t next;
} best;

/* A bin while it is filled. */
typedef struct state {
    int64_t n, rows;
    sums full;       /* groups of one kind */
    int64_t divided; /* things that are in 'ring' */
    int64_t pending_rows;
    int32_t pending, kind; /* of one kind, not yet in a group */
} state;

struct bosc_bins {
    int32_t n, lanes;
    bosc_bins_rule rule;
    state *states; /* [n] */
    best *ring;    /* [n][lanes] best[j] is at j % lanes */
};

bosc_status bosc_bins_create(int32_t n, int32_t lanes, bosc_bins_rule rule,
                             bosc_bins **out, bosc_error *err)
{
    bosc_bins *made = bosc_alloc(1, sizeof *made);

    if (made == NULL)
        return bosc_no_memory(err, "bins");
    made->n = n;
    made->lanes = lanes < 1 ? 1 : lanes;
    made->rule = rule;
    if (!BOSC_ARRAYS(BOSC_ARRAY(made->states, n),
                     BOSC_ARRAY(made->ring, (size_t)n * (size_t)made->lanes))) {
        bosc_bins_destroy(made);
        return bosc_no_memory(err, "bins");
    }
    *out = made;
    return BOSC_OK;
}

void bosc_bins_destroy(bosc_bins *bins)
{
    if (bins == NULL)
        return;
    free(bins->states);
    free(bins->ring);
    free(bins);
}

void bosc_bins_reset(bosc_bins *bins)
{
    const size_t n = (size_t)bins->n;

    memset(bins->states, 0, n * sizeof *bins->states);
    memset(bins->ring, 0, n * (size_t)bins->lanes * sizeof *bins->ring);
}

/* Of a group, in quarters of a row of one alone; kernels/batch/layout.h says
 * the same. */
static int64_t group_time(const bosc_bins *bins, int64_t longest)
{
    return (bins->lanes == 1 ? 4 : 4 + (int64_t)bins->lanes) * longest;
}

/* Three groups are solved together: each row of the first waits by itself (5),
 * until there is a second (2 both), and a third. */
static void add_group(const bosc_bins *bins, int64_t rows, sums *s)
{
    static const int64_t waits[] = {5, -3, -2};

    s->time += group_time(bins, rows);
    s->slots += bins->lanes * rows;
    s->waits += waits[s->groups++ % 3] * rows;
}

static sums with_group(const bosc_bins *bins, const best *before)
{
    sums s = before->all;

    add_group(bins, before->next, &s);
    return s;
}

/* One more in the division. */
static void divide(const bosc_bins *bins, state *s, best *ring, int64_t rows)
{
    best *before = &ring[s->divided % bins->lanes];
    best *at = &ring[++s->divided % bins->lanes];
    sums made = before->all;

    before->next = rows;
    made.time += 4 * rows;
    made.slots += rows;
    if (s->divided >= bins->lanes && bins->lanes > 1) {
        const sums group = with_group(bins, at);

        if (group.time <= made.time)
            made = group;
    }
    *at = (best){made, 0};
}

static void end_kind(const bosc_bins *bins, state *s, best *ring)
{
    for (; s->pending > 0; --s->pending)
        divide(bins, s, ring, s->pending_rows);
}

static void add_mixed(const bosc_bins *bins, state *s, best *ring, int64_t rows,
                      int32_t kind)
{
    if (s->pending > 0 && (kind < 0 || s->kind != kind))
        end_kind(bins, s, ring);
    s->kind = kind;
    s->pending_rows = rows;
    if (kind < 0) {
        divide(bins, s, ring, rows);
    } else if (++s->pending == bins->lanes && bins->lanes > 1) {
        add_group(bins, rows, &s->full);
        s->pending = 0;
    }
}

void bosc_bins_add(bosc_bins *bins, int32_t b, int64_t rows, int32_t kind)
{
    state *s = &bins->states[b];

    if (bins->rule == BOSC_BINS_MIXED) {
        add_mixed(bins, s, &bins->ring[(ptrdiff_t)b * bins->lanes], rows, kind);
    } else if (s->n % bins->lanes == 0) {
        add_group(bins, rows, &s->full);
    }
    ++s->n;
    s->rows += rows;
}

/* The last group may have empty lanes. */
static sums finish(const bosc_bins *bins, const state *s, const best *ring)
{
    const int32_t lanes = bins->lanes;
    sums least = ring[s->divided % lanes].all;

    for (int64_t k = 1; k < lanes && k <= s->divided; ++k) {
        const sums group = with_group(bins, &ring[(s->divided - k) % lanes]);

        if (group.time <= least.time)
            least = group;
    }
    return least;
}

/* The steps in groups, as time = 4 alone + (4 + lanes) grouped, and
 * slots = alone + lanes grouped. */
static int64_t grouped(const bosc_bins *bins, const bosc_bin *bin)
{
    return bins->lanes == 1
               ? 0
               : (4 * bin->slots - bin->time) / (3 * (int64_t)bins->lanes - 4);
}

bosc_bin bosc_bins_get(bosc_bins *bins, int32_t b)
{
    state *s = &bins->states[b];
    best *ring = &bins->ring[(ptrdiff_t)b * bins->lanes];
    bosc_bin bin = {.n = s->n, .rows = s->rows};

    end_kind(bins, s, ring);
    const sums last = finish(bins, s, ring);

    bin.time = s->full.time + last.time;
    bin.slots = s->full.slots + last.slots;
    bin.waits = s->full.waits + last.waits;
    bin.alone = bin.slots - bins->lanes * grouped(bins, &bin);
    bin.steps = bin.alone + grouped(bins, &bin);
    return bin;
}

double bosc_bin_padding(const bosc_bin *bin)
{
    return bin->rows > 0 ? (double)bin->slots / (double)bin->rows : 1;
}

double bosc_bin_lane_use(const bosc_bin *bin, int32_t lanes)
{
    return bin->steps > 0 ? (double)bin->rows /
                                ((double)bin->steps * (lanes < 1 ? 1 : lanes))
                          : 1;
}
