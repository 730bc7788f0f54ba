/* refine.c - the last exchanges between parts, with what lanes make of them.
 *
 * exchange.c balances the sums of costs.  What lanes add to them, padding and
 * waiting, depends on what else a part has, so here both parts of an exchange
 * are laid out anew, and the better of a few is kept.  That is slow, but there
 * is not much left to exchange, and with it differences of a per cent vanish.
 */
#include "partition/refine.h"

#include <stdlib.h>

#include "partition/exchange.h"
#include "src/base/mem.h"

typedef struct refine {
    bosc_assignment *assignment;
    const uint32_t *order; /* [n] item at a position */
    const bosc_lane_costs *costs;
    bosc_bins *bins;    /* one */
    uint32_t *position; /* [n] of an item */
    uint32_t *have;     /* [n] positions of what one part has */
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

static double time_with(const void *of, int32_t p, uint32_t without,
                        uint32_t with)
{
    const refine *w = of;
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
    for (size_t k = 0; k < n; ++k)
        bosc_lane_put(w->bins, 0, items, w->order[w->have[k]]);
    *w->budget -= (int64_t)n;

    const bosc_bin bin = bosc_bins_get(w->bins, 0);

    return ((double)load + bosc_lane_cost(w->costs, &bin)) / speed_of(w, p);
}

static double aim_of(const void *of, const bosc_part_time *slow,
                     const bosc_part_time *fast)
{
    const double a = speed_of(of, slow->part), b = speed_of(of, fast->part);

    return (slow->time - fast->time) * a * b / (a + b);
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
                .budget = budget};
    bosc_status st =
        bosc_bins_create(1, costs->lanes, BOSC_BINS_MIXED, &w.bins, err);

    if (st == BOSC_OK)
        st = BOSC_ALLOC(err, "the last exchanges", BOSC_ARRAY(w.position, n),
                        BOSC_ARRAY(w.have, n));
    if (st == BOSC_OK) {
        for (uint32_t k = 0; k < n; ++k)
            w.position[order[k]] = k;
        st =
            bosc_assignment_exchange(&(bosc_exchanger){.assignment = assignment,
                                                       .of = &w,
                                                       .time = time_with,
                                                       .aim = aim_of,
                                                       .near = near,
                                                       .idle = 7,
                                                       .shifts = 6,
                                                       .exchanges = 4,
                                                       .budget = budget},
                                     err);
    }
    bosc_bins_destroy(w.bins);
    free(w.position);
    free(w.have);
    return st;
}
