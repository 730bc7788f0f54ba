/* refine.c - the last exchanges between parts, with what lanes make of them.
 *
 * balance.c balances the sums of costs.  What lanes add to them, padding and
 * waiting, depends on what else a part has, so here both parts of an exchange
 * are laid out anew, and the better of a few is kept.  That is slow, but there
 * is not much left to exchange, and with it differences of a per cent vanish.
 */
#include "partition/refine.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"

/* Rounds without gain; exchanges of a pair in a round. */
enum { IDLE = 6, EXCHANGES = 4 };

typedef struct refine {
    bosc_assignment *assignment;
    const uint32_t *order; /* [n] item at a position */
    const bosc_lane_costs *costs;
    bosc_bins *bins;       /* one */
    uint32_t *position;    /* [n] of an item */
    uint32_t *have;        /* [n] positions of what one part has */
    bosc_part_time *parts; /* [parts] */
    int64_t *budget;
} refine;

static double speed_of(const refine *w, int32_t p)
{
    return bosc_first_free_part(&w->assignment->tree, p)->speed;
}

static int ascending(const void *pa, const void *pb)
{
    const uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

    return (a > b) - (a < b);
}

/* Few positions are almost in order, since chunks are. */
static void sort(uint32_t *have, size_t n)
{
    enum { FEW = 512 };

    if (n > FEW) {
        qsort(have, n, sizeof *have, ascending);
        return;
    }
    for (size_t k = 1; k < n; ++k) {
        const uint32_t at = have[k];
        size_t i = k;

        for (; i > 0 && have[i - 1] > at; --i)
            have[i] = have[i - 1];
        have[i] = at;
    }
}

/* Positions of a chunk's items, behind n others. */
static size_t put_chunk(const refine *w, uint32_t at, size_t n)
{
    const bosc_chunks *chunks = w->assignment->chunks;
    const uint32_t u = chunks->sorted[at];
    const uint32_t end = bosc_chunk_first(chunks, u + 1);

    for (uint32_t k = bosc_chunk_first(chunks, u); k < end; ++k)
        w->have[n++] = w->position[chunks->member[k]];
    return n;
}

/* The time of part p without one chunk and with another, either BOSC_NONE. */
static double time_with(const refine *w, int32_t p, uint32_t without,
                        uint32_t with)
{
    const bosc_items *items = w->assignment->chunks->items;
    const int64_t load = w->assignment->tree.load[p] -
                         bosc_assignment_cost(w->assignment, without) +
                         bosc_assignment_cost(w->assignment, with);
    size_t n = with == BOSC_NONE ? 0 : put_chunk(w, with, 0);

    for (uint32_t at = w->assignment->head[p]; at != BOSC_NONE;
         at = w->assignment->next[at])
        if (at != without)
            n = put_chunk(w, at, n);
    sort(w->have, n);
    bosc_bins_reset(w->bins);
    for (size_t k = 0; k < n; ++k) {
        const uint32_t i = w->order[w->have[k]];

        bosc_bins_add(w->bins, 0, bosc_item_size(items, i),
                      items->kind == NULL ? -1 : items->kind[i]);
    }
    *w->budget -= (int64_t)n;

    const bosc_bin bin = bosc_bins_get(w->bins, 0);

    return ((double)load + bosc_lane_cost(w->costs, &bin)) / speed_of(w, p);
}

/* An exchange, and when both parts are done after it. */
typedef struct exchange {
    uint32_t give, take;
    double slow, fast;
} exchange;

static double later(const exchange *t)
{
    return t->slow > t->fast ? t->slow : t->fast;
}

static void try_exchange(const refine *w, const bosc_part_time *slow,
                         const bosc_part_time *fast, exchange t, exchange *best)
{
    const int64_t more = bosc_assignment_bytes(w->assignment, t.give) -
                         bosc_assignment_bytes(w->assignment, t.take);

    if (bosc_assignment_cost(w->assignment, t.give) <=
            bosc_assignment_cost(w->assignment, t.take) ||
        more > bosc_first_free_part(&w->assignment->tree, fast->part)->room ||
        -more > bosc_first_free_part(&w->assignment->tree, slow->part)->room)
        return;
    t.slow = time_with(w, slow->part, t.give, t.take);
    if (t.slow >= later(best)) /* the other part need not be laid out */
        return;
    t.fast = time_with(w, fast->part, t.take, t.give);
    if (later(&t) < later(best))
        *best = t;
}

/* For each chunk of the slow part the two of the fast one that come next to
 * what should be taken for it. */
static exchange find_exchange(const refine *w, const bosc_part_time *slow,
                              const bosc_part_time *fast)
{
    const double a = speed_of(w, slow->part), b = speed_of(w, fast->part);
    const double aim = (slow->time - fast->time) * a * b / (a + b);
    const uint32_t *next = w->assignment->next;
    uint32_t take = w->assignment->head[fast->part], before = BOSC_NONE;
    exchange best = {BOSC_NONE, BOSC_NONE, slow->time, fast->time};

    for (uint32_t give = w->assignment->head[slow->part];
         give != BOSC_NONE && *w->budget > 0; give = next[give]) {
        const double want =
            (double)bosc_assignment_cost(w->assignment, give) - aim;

        for (; take != BOSC_NONE &&
               (double)bosc_assignment_cost(w->assignment, take) > want;
             take = next[take])
            before = take;
        if (before != BOSC_NONE)
            try_exchange(w, slow, fast, (exchange){give, before, 0, 0}, &best);
        try_exchange(w, slow, fast, (exchange){give, take, 0, 0}, &best);
    }
    return best;
}

static void refine_pair(const refine *w, bosc_part_time *slow,
                        bosc_part_time *fast)
{
    for (int k = 0; k<EXCHANGES && * w->budget> 0; ++k) {
        bosc_part_time *a = slow->time >= fast->time ? slow : fast;
        bosc_part_time *b = a == slow ? fast : slow;
        const exchange t = find_exchange(w, a, b);

        if (t.give == BOSC_NONE)
            return;
        bosc_assignment_move(w->assignment, t.give, a->part, b->part);
        bosc_assignment_move(w->assignment, t.take, b->part, a->part);
        a->time = t.slow;
        b->time = t.fast;
    }
}

/* The slowest with the fastest, the second slowest with the second fastest, ...
 * as long as one is too slow. */
static void refine_all(const refine *w, double near)
{
    const int32_t n = w->assignment->tree.n;
    double best = INFINITY;

    for (int idle = 0; idle<IDLE && * w->budget> 0;) {
        double sum = 0, speed = 0;

        for (int32_t k = 0; k < n; ++k) {
            sum += w->parts[k].time * speed_of(w, w->parts[k].part);
            speed += speed_of(w, w->parts[k].part);
        }
        bosc_part_times_sort(w->parts, n);
        idle = w->parts[0].time < best ? 0 : idle + 1;
        best = fmin(best, w->parts[0].time);

        const double enough = near * sum / speed;
        const int32_t shift = (int32_t)((int64_t)idle * n / (2 * IDLE));

        if (best <= enough)
            return;
        for (int32_t k = 0; k < n - 1 - shift - k; ++k)
            if (w->parts[k].time > enough)
                refine_pair(w, &w->parts[k], &w->parts[n - 1 - shift - k]);
    }
}

bosc_status bosc_assignment_refine(bosc_assignment *assignment,
                                   const uint32_t *order,
                                   const bosc_lane_costs *costs, double near,
                                   int64_t *budget, bosc_error *err)
{
    const size_t n = (size_t)assignment->chunks->items->n;
    refine w = {.assignment = assignment,
                .order = order,
                .costs = costs,
                .position = bosc_alloc(n, sizeof *w.position),
                .have = bosc_alloc(n, sizeof *w.have),
                .parts =
                    bosc_alloc((size_t)assignment->tree.n, sizeof *w.parts),
                .budget = budget};
    bosc_status st =
        bosc_bins_create(1, costs->lanes, BOSC_BINS_MIXED, &w.bins, err);

    if (st == BOSC_OK &&
        (w.position == NULL || w.have == NULL || w.parts == NULL))
        st = bosc_no_memory(err, "the last exchanges");
    if (st == BOSC_OK) {
        for (uint32_t k = 0; k < n; ++k)
            w.position[order[k]] = k;
        for (int32_t p = 0; p < assignment->tree.n; ++p)
            w.parts[p] =
                (bosc_part_time){time_with(&w, p, BOSC_NONE, BOSC_NONE), p};
        refine_all(&w, near);
    }
    bosc_bins_destroy(w.bins);
    free(w.position);
    free(w.have);
    free(w.parts);
    return st;
}
