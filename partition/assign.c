/* assign.c - several ways to deal out the items, and the best of them.
 *
 * Entry: bosc_assign.  The phases of an attempt: units (units.h), dealt out
 * (deal.h), levelled, judged with the padding of lanes (bins.h).
 *
 * Example: costs 7 5 4 3 on 2 parts.  7 -> part 0; 5 -> part 1; 4 -> part 1
 * (5 < 7); 3 -> part 0 (7 < 9): loads 10 and 9.
 */
#include "partition/assign.h"

#include <stdlib.h>
#include <string.h>

#include "partition/bins.h"
#include "partition/deal.h"
#include "partition/fit.h"
#include "src/mem.h"

/* Good enough, for one attempt and to try no other. */
static const double near = 1.0001, enough = 1.002;

/* So many of the dearest chunks make a part's mean load, from attempt to
 * attempt; in the end there are no chunks. */
static const int64_t shares[] = {1, 4, 16, 0};

/* Between the phases. */
typedef struct work {
    const bosc_items *items;
    const bosc_parts *parts;
    uint32_t *order; /* [n] like ones together */
    int64_t cost;    /* of all items */
    double speed;    /* of all parts */
    int32_t *part;   /* [n] the best so far */
    int32_t chunk;   /* the greatest power of 2 up to the lanes */
    double stretch;  /* with all items on one part */
    bool found;
    bosc_division best;
} work;

static bosc_status check(const bosc_items *items, const bosc_parts *parts,
                         bosc_error *err)
{
    if (items->n >= BOSC_NONE)
        return bosc_fail(err, BOSC_EVALUE,
                         "%lld neurons in one job; at most %lld",
                         (long long)items->n, (long long)BOSC_NONE - 1);
    for (int32_t p = 0; p < parts->n; ++p)
        if (!(bosc_part_speed(parts, p) > 0) ||
            bosc_part_speed(parts, p) > 1e300)
            return bosc_fail(err, BOSC_EVALUE,
                             "%s %d has the speed %g; it must be more than 0",
                             bosc_part_word(parts), p,
                             bosc_part_speed(parts, p));
    return BOSC_OK;
}

/* The leaders of groups that are too dear or too large, and their members, lead
 * themselves. */
static bosc_status free_giants(const work *w, bosc_error *err)
{
    const bosc_items *items = w->items;
    int64_t *leader = items->leader, room = 0;
    const size_t n = (size_t)items->n;
    int64_t *cost = bosc_alloc(n, sizeof *cost);
    int64_t *bytes = items->bytes ? bosc_alloc(n, sizeof *bytes) : NULL;

    if (cost == NULL || (items->bytes != NULL && bytes == NULL)) {
        free(cost);
        return bosc_no_memory(err, "the groups of coupled neurons");
    }
    for (int32_t p = 0; p < w->parts->n; ++p)
        if (bosc_part_room(w->parts, p) > room)
            room = bosc_part_room(w->parts, p);
    for (int64_t i = 0; i < items->n; ++i) {
        leader[i] = bosc_bound_to(leader, i);
        cost[leader[i]] += items->cost[i];
        if (bytes != NULL)
            bytes[leader[i]] += items->bytes[i];
    }
    for (int64_t i = items->n - 1; i >= 0; --i) /* a leader after its members */
        if (cost[leader[i]] > w->cost / w->parts->n ||
            (bytes != NULL && bytes[leader[i]] > room))
            leader[i] = i;
    free(cost);
    free(bytes);
    return BOSC_OK;
}

/* With all on one part: how much longer steps take at least. */
static double least_stretch(const work *w)
{
    const int32_t lanes = w->parts->lanes;
    bosc_slices all = {0};

    for (uint32_t k = 0; k < w->items->n; ++k)
        bosc_slices_add(&all, lanes, bosc_item_size(w->items, w->order[k]));
    return bosc_slices_stretch(&all, lanes);
}

/* Is there an attempt that needs no better one? */
static bool is_enough(const work *w)
{
    return w->found && w->best.worst <= enough * w->stretch;
}

/* Judge an attempt; part[] of the best is kept. */
static bosc_status judge(work *w, const bosc_deal *deal, int32_t chunk,
                         bosc_error *err)
{
    const bosc_parts *parts = w->parts;
    const double mean = w->cost > 0 ? (double)w->cost / w->speed : 1;
    bosc_division this = {.chunk = chunk, .imbalance = 1, .worst = 1};
    int32_t *part = bosc_alloc((size_t)w->items->n, sizeof *part);
    bosc_slices *slices = bosc_alloc((size_t)parts->n, sizeof *slices);
    int64_t rows = 0, slots = 0;

    if (part == NULL || slices == NULL) {
        free(part);
        free(slices);
        return bosc_no_memory(err, "the parts of neurons");
    }
    bosc_deal_tell(deal, part);
    for (uint32_t k = 0; k < w->items->n; ++k)
        bosc_slices_add(&slices[part[w->order[k]]], parts->lanes,
                        bosc_item_size(w->items, w->order[k]));
    if (w->cost > 0)
        this.imbalance = this.worst = 0;
    for (int32_t p = 0; p < parts->n; ++p) {
        const double time = bosc_seats_at(&deal->seats, p)->time / mean;
        const double stretch = bosc_slices_stretch(&slices[p], parts->lanes);

        rows += slices[p].rows;
        slots += bosc_slices_slots(&slices[p], parts->lanes);
        if (time > this.imbalance)
            this.imbalance = time;
        if (time * stretch > this.worst)
            this.worst = time * stretch;
    }
    this.padding = rows > 0 ? (double)slots / (double)rows : 1;
    if (!w->found || this.worst < w->best.worst) {
        memcpy(w->part, part, (size_t)w->items->n * sizeof *part);
        w->best = this;
        w->found = true;
    }
    free(part);
    free(slices);
    return BOSC_OK;
}

/* Level what is dealt out, as it is and by single items. */
static bosc_status level(work *w, bosc_deal *deal, bool whole, int32_t chunk,
                         bosc_error *err)
{
    bosc_units units = {0};
    bosc_deal singles = {0};
    bosc_status st = bosc_deal_level(deal, near, err);

    if (st == BOSC_OK)
        st = judge(w, deal, chunk, err);
    if (st != BOSC_OK || chunk == 1 || is_enough(w))
        return st;
    st = bosc_units_create(w->items, w->order, whole, 1, 0, &units, err);
    if (st == BOSC_OK)
        st = bosc_deal_again(deal, w->parts, &units, &singles, err);
    if (st == BOSC_OK)
        st = bosc_deal_level(&singles, near, err);
    if (st == BOSC_OK)
        st = judge(w, &singles, chunk, err);
    bosc_deal_clear(&singles);
    bosc_units_clear(&units);
    return st;
}

/* One attempt. */
static bosc_status attempt(work *w, bool whole, int32_t chunk, int64_t limit,
                           bosc_deal_rule rule, bosc_error *err)
{
    bosc_units units = {0};
    bosc_deal deal = {0};
    bool fits = false;
    bosc_status st =
        bosc_units_create(w->items, w->order, whole, chunk, limit, &units, err);

    if (st == BOSC_OK)
        st = bosc_deal_create(&units, w->parts, rule, &deal, &fits, err);
    if (st == BOSC_OK && fits)
        st = level(w, &deal, whole, chunk, err);
    bosc_deal_clear(&deal);
    bosc_units_clear(&units);
    return st;
}

/* Chunks as large as lanes, then smaller ones; where there is no room that way,
 * others. */
static bosc_status try_all(work *w, bosc_error *err)
{
    const bool whole = w->items->leader != NULL;
    const int64_t mean = w->cost / w->parts->n;
    bosc_status st = BOSC_OK;

    for (size_t k = 0; k < BOSC_LEN(shares) && st == BOSC_OK; ++k) {
        const int32_t chunk = shares[k] > 0 ? w->chunk : 1;

        if (chunk == 1 && shares[k] > 0)
            continue;
        st = attempt(w, whole, chunk, shares[k] > 0 ? mean / shares[k] : 0,
                     BOSC_DEAL_SOONEST, err);
        if (is_enough(w))
            break;
    }
    if (st == BOSC_OK && !w->found)
        st = attempt(w, whole, 1, 0, BOSC_DEAL_FIRST, err);
    if (st == BOSC_OK && !w->found && whole)
        st = attempt(w, false, 1, 0, BOSC_DEAL_SOONEST, err);
    if (st == BOSC_OK && !w->found && whole)
        st = attempt(w, false, 1, 0, BOSC_DEAL_FIRST, err);
    if (st == BOSC_OK && !w->found)
        st = bosc_fit_refuse(w->items, w->parts, err);
    return st;
}

bosc_status bosc_assign(const bosc_items *items, const bosc_parts *parts,
                        int32_t *part, bosc_division *report, bosc_error *err)
{
    work w = {.items = items, .parts = parts, .part = part};
    bosc_status st = check(items, parts, err);

    if (st != BOSC_OK)
        return st;
    for (int64_t i = 0; i < items->n; ++i)
        w.cost += items->cost[i];
    for (int32_t p = 0; p < parts->n; ++p)
        w.speed += bosc_part_speed(parts, p);
    if (items->leader != NULL && (st = free_giants(&w, err)) != BOSC_OK)
        return st;
    w.order = bosc_alloc((size_t)items->n, sizeof *w.order);
    if (w.order == NULL)
        st = bosc_no_memory(err, "the order of neurons");
    if (st == BOSC_OK)
        st = bosc_units_order(items, w.order, err);
    w.chunk = 1;
    while (parts->n > 1 && 2 * w.chunk <= parts->lanes)
        w.chunk *= 2;
    if (st == BOSC_OK) {
        w.stretch = least_stretch(&w);
        st = try_all(&w, err);
    }
    free(w.order);
    if (st == BOSC_OK && report != NULL)
        *report = w.best;
    return st;
}

double bosc_imbalance(int32_t parts, const int64_t *load_of)
{
    int64_t sum = 0, most = 0;

    for (int32_t p = 0; p < parts; ++p) {
        sum += load_of[p];
        if (load_of[p] > most)
            most = load_of[p];
    }
    return sum > 0 ? (double)most * parts / (double)sum : 1.0;
}
