/* level.c - exchange units between slow parts and fast ones.
 *
 * In a round, parts are sorted by time and paired: slowest with fastest, second
 * slowest with second fastest, ...  A pair exchanges a unit for a cheaper one,
 * or for nothing, such that the later of both is done as early as possible; as
 * both lists are sorted, one pass over them finds the best exchange.
 *
 * Example, loads 12 (7 5) and 8 (6 2), aim 2 from the first to the second: 7
 * for 6 gives 11 and 9, 5 for 2 the same; 5 for 6 would be the wrong way.
 */
#include <stdlib.h>

#include "partition/deal.h"
#include "src/base/mem.h"

/* Rounds in vain, exchanges of a pair in a round; what sorting a part costs, in
 * units looked at. */
enum { VAIN = 64, EXCHANGES = 8, SORTING = 12 };

/* A pair of parts, and its best exchange so far.  Links point to where a list
 * names the unit. */
typedef struct pair {
    bosc_deal *deal;
    int32_t slow, fast;
    uint32_t *give, *take; /* link to the unit; take may link to the end */
    double done;           /* when the later is done after it */
    int64_t looks;         /* units of the slow one looked at */
} pair;

static const bosc_seat *seat(const pair *q, int32_t p)
{
    return bosc_seats_at(&q->deal->seats, p);
}

/* When the later is done, if so much cost goes from slow to fast. */
static double done_with(const pair *q, int64_t cost)
{
    const int64_t *load = q->deal->seats.load;
    const double a = (double)(load[q->slow] - cost) / seat(q, q->slow)->speed;
    const double b = (double)(load[q->fast] + cost) / seat(q, q->fast)->speed;

    return a > b ? a : b;
}

/* How much would have to go for both to be done together? */
static double ideal(const pair *q)
{
    const int64_t *load = q->deal->seats.load;
    const double a = seat(q, q->slow)->speed, b = seat(q, q->fast)->speed;

    return ((double)load[q->slow] * b - (double)load[q->fast] * a) / (a + b);
}

static bool has_room(const pair *q, uint32_t give, uint32_t take)
{
    const int64_t more =
        bosc_deal_bytes(q->deal, give) - bosc_deal_bytes(q->deal, take);

    return more <= seat(q, q->fast)->room && -more <= seat(q, q->slow)->room;
}

static void try_exchange(pair *q, uint32_t *give, uint32_t *take)
{
    const int64_t cost =
        bosc_deal_cost(q->deal, *give) - bosc_deal_cost(q->deal, *take);

    if (cost <= 0)
        return;
    const double done = done_with(q, cost);

    if (done < q->done && has_room(q, *give, *take)) {
        q->done = done;
        q->give = give;
        q->take = take;
    }
}

/* For each unit of the slow part the two of the fast one that come next to what
 * should be taken for it. */
static void find_exchange(pair *q)
{
    bosc_deal *deal = q->deal;
    const double aim = ideal(q);
    uint32_t *take = &deal->head[q->fast], *before = NULL;

    for (uint32_t *give = &deal->head[q->slow]; *give != BOSC_NONE;
         give = &deal->next[*give]) {
        const double want = (double)bosc_deal_cost(q->deal, *give) - aim;

        ++q->looks;
        while (*take != BOSC_NONE &&
               (double)bosc_deal_cost(q->deal, *take) > want) {
            before = take;
            take = &deal->next[*take];
        }
        if (before != NULL)
            try_exchange(q, give, before);
        try_exchange(q, give, take);
    }
}

static void exchange(const pair *q)
{
    const uint32_t give = *q->give, take = *q->take;

    bosc_deal_move(q->deal, give, q->slow, q->fast);
    bosc_deal_move(q->deal, take, q->fast, q->slow);
}

/* Returns how many units were looked at. */
static int64_t level_pair(bosc_deal *deal, int32_t slow, int32_t fast)
{
    int64_t looks = 0;

    for (int k = 0; k < EXCHANGES; ++k) {
        pair q = {.deal = deal, .slow = slow, .fast = fast};

        if (seat(&q, fast)->time > seat(&q, slow)->time) {
            q.slow = fast;
            q.fast = slow;
        }
        q.done = seat(&q, q.slow)->time;
        find_exchange(&q);
        looks += q.looks;
        if (q.give == NULL)
            break;
        exchange(&q);
    }
    return looks;
}

static void sort_parts(const bosc_deal *deal, bosc_part_time *parts)
{
    for (int32_t p = 0; p < deal->seats.n; ++p)
        parts[p] = (bosc_part_time){bosc_seats_at(&deal->seats, p)->time, p};
    bosc_deal_sort(parts, deal->seats.n);
}

/* No division ends before that: all parts together, the dearest unit. */
static double bound(const bosc_deal *deal)
{
    double cost = 0, speed = 0, fastest = 0, mean, dearest = 0;

    for (int32_t p = 0; p < deal->seats.n; ++p) {
        const double s = bosc_seats_at(&deal->seats, p)->speed;

        cost += (double)deal->seats.load[p];
        speed += s;
        fastest = s > fastest ? s : fastest;
    }
    if (deal->units->n > 0)
        dearest = (double)bosc_unit_cost(deal->units, deal->units->sorted[0]) /
                  fastest;
    mean = cost / speed;
    return mean > dearest ? mean : dearest;
}

bosc_status bosc_deal_level(bosc_deal *deal, double near, int64_t *looks,
                            bosc_error *err)
{
    const int32_t n = deal->seats.n;
    const double enough = near * bound(deal);
    bosc_part_time *parts = bosc_alloc((size_t)n, sizeof *parts);
    double best;

    if (parts == NULL)
        return bosc_no_memory(err, "the order of parts");
    sort_parts(deal, parts);
    best = parts[0].time;
    for (int vain = 0; vain < VAIN && best > enough && *looks > 0;) {
        /* after a round in vain the slowest meets another, up to the median:
           neighbours in time often have the same units */
        const int32_t shift = (int32_t)((int64_t)vain * n / (2 * VAIN));

        for (int32_t k = 0; k < n - 1 - shift - k; ++k)
            if (parts[k].time > enough)
                *looks -= level_pair(deal, parts[k].part,
                                     parts[n - 1 - shift - k].part);
        *looks -= (int64_t)SORTING * n;
        sort_parts(deal, parts);
        vain = parts[0].time < best ? 0 : vain + 1;
        best = parts[0].time;
    }
    free(parts);
    return BOSC_OK;
}
