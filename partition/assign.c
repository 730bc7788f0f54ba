/* assign.c - items to parts: first in chunks that fill the lanes, then, where
 * that is not good enough, one by one; the better of both is refined.
 *
 * Entry: bosc_assign.  The phases of an attempt: chunks (chunks.h), assigned
 * (assignment.h), balanced, evaluated with the padding of lanes (bins.h).
 *
 * Example: costs 7 5 4 3 on 2 parts.  7 -> part 0; 5 -> part 1; 4 -> part 1
 * (5 < 7); 3 -> part 0 (7 < 9): loads 10 and 9.
 */
#include "partition/assign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "partition/bins.h"
#include "partition/assignment.h"
#include "partition/capacity.h"
#include "partition/groups.h"
#include "partition/refine.h"
#include "src/base/mem.h"

/* Near enough to the bound in an attempt, and to the mean at its end; gain for
 * which to balance again. */
static const double near = 1.0001, even = 1.0015, gain = 0.999;

/* A chunk may cost so much, in a part's mean load.  No other attempt follows
 * where the slowest part takes at most 'enough' of what it could. */
static const double chunk_limit = 1.25, enough = 1.001;

/* Pieces of a group are kept together where the slowest part takes at most so
 * much of what it could: more would cost more than what they save. */
static const double together = 1.05;

/* Rounds of balancing, each with the padding of the one before; the budget of
 * examined chunks, in all and for each item; that of the refinement. */
enum {
    BALANCES = 4,
    BUDGET = 20000000,
    BUDGET_EACH = 10,
    REFINE_BUDGET = 60000000
};

/* Between the phases. */
typedef struct work {
    const bosc_items *items;
    const bosc_parts *parts;
    int64_t cost; /* of all items */
    double speed; /* of all parts */
    bosc_lane_costs costs;
    double least;       /* cost of all items on one part, with those */
    int32_t chunk_size; /* the greatest power of 2 up to the lanes */
    uint32_t *order;    /* [n] like ones together */
    int32_t *part;      /* [n] the best so far */
    bool found;         /* is there one? */
    bosc_chunk_rule rule, best_rule; /* of the trial, of the best */
    int64_t best_alone;              /* rows that walk alone in the best */
    bosc_division best;              /* how good it is */
    int64_t budget;                  /* left for balancing */
    int32_t *trial;                  /* [n] the last that was evaluated */
    int64_t *load;                   /* [parts->n] of the trial */
    bosc_bins *bins;                 /* [parts->n] of the trial */
    bool fits;                       /* was there room for the last attempt? */
    int32_t most;                    /* items that it assigned together */
    bool cut;                        /* some groups are pieces of larger ones */
} work;

static bosc_status check(const bosc_items *items, const bosc_parts *parts,
                         bosc_error *err)
{
    if (items->n >= BOSC_NONE)
        return bosc_fail(err, BOSC_EVALUE,
                         "%lld neurons in one job; at most %lld",
                         (long long)items->n, (long long)BOSC_NONE - 1);
    if (bosc_capacity_exceeded(items, parts))
        return bosc_capacity_refuse(items, parts, err);
    for (int32_t p = 0; p < parts->n; ++p)
        if (!(bosc_part_speed(parts, p) > 0) ||
            bosc_part_speed(parts, p) > 1e300)
            return bosc_fail(err, BOSC_EVALUE,
                             "%s %d has the speed %g; it must be more than 0",
                             bosc_part_noun(parts), p,
                             bosc_part_speed(parts, p));
    return BOSC_OK;
}

/* Costs of lanes that nobody has given: a row of padding is like others, and
 * one alone takes as long as kernels/batch/layout.h says. */
static void find_costs(work *w)
{
    const double lanes = w->parts->lanes;
    double rows = 0, row;

    for (uint32_t i = 0; i < w->items->n; ++i)
        rows += (double)bosc_item_size(w->items, i);
    row = rows > 0 ? (double)w->cost / rows : 0;
    w->costs = (bosc_lane_costs){
        .lanes = w->parts->lanes,
        .row = w->parts->row > 0 ? w->parts->row : row,
        .alone = w->parts->alone > 0 ? w->parts->alone
                                     : row * (4 * lanes / (4 + lanes) - 1),
        .wait = w->parts->wait};
}

/* With all on one part: what lanes cost at least. */
static bosc_status find_bound(work *w, bosc_error *err)
{
    const int32_t lanes = w->parts->lanes;
    bosc_bins *all = NULL;
    bosc_status st = bosc_bins_create(1, lanes, BOSC_BINS_MIXED, &all, err);

    if (st != BOSC_OK)
        return st;
    for (uint32_t k = 0; k < w->items->n; ++k)
        bosc_lane_put(all, 0, w->items, w->order[k]);
    const bosc_bin bin = bosc_bins_get(all, 0);

    w->least = (double)w->cost + bosc_lane_cost(&w->costs, &bin);
    bosc_bins_destroy(all);
    return BOSC_OK;
}

/* Is there an attempt that needs no better one?  Where lanes are full and
 * nothing is alone, others would only differ in what refine() removes. */
static bool is_enough(const work *w)
{
    const double full = 1.002, small = 1.03;

    if (!w->found)
        return false;
    return w->best.slowest * (double)w->cost <= enough * w->least ||
           (w->best_alone == 0 && w->best.padding <= full &&
            w->best.imbalance <= small);
}

/* What the trial gives to each part. */
static void fill_parts(work *w)
{
    bosc_bins_reset(w->bins);
    memset(w->load, 0, (size_t)w->parts->n * sizeof *w->load);
    for (uint32_t k = 0; k < w->items->n; ++k) {
        const uint32_t i = w->order[k];

        bosc_lane_put(w->bins, w->trial[i], w->items, i);
        w->load[w->trial[i]] += w->items->cost[i];
    }
}

/* What part p of the trial costs, with what lanes add. */
static double cost_of(const work *w, int32_t p, bosc_bin *bin)
{
    *bin = bosc_bins_get(w->bins, p);
    return (double)w->load[p] + bosc_lane_cost(&w->costs, bin);
}

/* Compare the assignment with the best so far, which is kept in 'part'. Returns
 * how slow the slowest part is. */
static double evaluate(work *w, const bosc_assignment *assignment)
{
    const double ideal = (double)w->cost / w->speed;
    bosc_division this = {.chunk = w->most};
    int64_t rows = 0, slots = 0, alone = 0;
    double sum = 0;

    bosc_assignment_parts(assignment, w->trial);
    fill_parts(w);
    for (int32_t p = 0; p < w->parts->n; ++p) {
        bosc_bin bin;
        const double speed = bosc_part_speed(w->parts, p);
        const double cost = cost_of(w, p, &bin);

        rows += bin.rows;
        slots += bin.slots;
        alone += bin.alone;
        this.slowest = fmax(this.slowest, cost / speed / ideal);
        sum += cost / ideal;
    }
    this.padding = rows > 0 ? (double)slots / (double)rows : 1;
    this.imbalance = this.slowest / (sum / w->speed);
    if (w->cost == 0)
        this.imbalance = this.slowest = 1;
    if (w->found && this.slowest >= w->best.slowest)
        return this.slowest;
    memcpy(w->part, w->trial, (size_t)w->items->n * sizeof *w->part);
    w->best = this;
    w->best_rule = w->rule;
    w->best_alone = alone;
    w->found = true;
    return this.slowest;
}

/* Speeds such that costs take the time that they took with padding. */
static void slow_down(const work *w, bosc_assignment *assignment)
{
    for (int32_t p = 0; p < w->parts->n; ++p) {
        const double load = (double)assignment->tree.load[p];
        bosc_bin bin;

        if (load > 0)
            bosc_first_free_set_speed(&assignment->tree, p,
                                      bosc_part_speed(w->parts, p) * load /
                                          cost_of(w, p, &bin));
    }
}

/* Balance by cost, then by cost and what padding made of it. */
static bosc_status balance(work *w, bosc_assignment *assignment,
                           bosc_error *err)
{
    double before = INFINITY;

    for (int k = 0; k < BALANCES; ++k) {
        int64_t budget = w->budget / 2; /* leave some for the other attempt */
        bosc_status st;

        w->budget -= budget;
        st = bosc_assignment_balance(assignment, near, &budget, err);
        w->budget += budget;
        if (st != BOSC_OK)
            return st;
        const double slowest = evaluate(w, assignment);

        if (w->parts->lanes < 2 || is_enough(w) || slowest > gain * before)
            break;
        before = slowest;
        slow_down(w, assignment);
    }
    return BOSC_OK;
}

/* Assign and balance chunks. */
static bosc_status assign_chunks(work *w, const bosc_chunk_rule *chunk_rule,
                                 bosc_assign_rule rule, bosc_error *err)
{
    bosc_chunks chunks = {0};
    bosc_assignment assignment = {0};
    bosc_status st =
        bosc_chunks_create(w->items, w->order, chunk_rule, &chunks, err);

    w->fits = false;
    w->rule = *chunk_rule;
    if (st == BOSC_OK)
        st = bosc_assignment_create(&chunks, w->parts, rule, &assignment,
                                    &w->fits, err);
    w->most = chunks.most;
    if (st == BOSC_OK && w->fits)
        st = balance(w, &assignment, err);
    bosc_assignment_clear(&assignment);
    bosc_chunks_clear(&chunks);
    return st;
}

/* The last exchanges of the best. */
static bosc_status refine(work *w, bosc_error *err)
{
    bosc_chunks chunks = {0};
    bosc_assignment assignment = {0};
    int64_t budget = REFINE_BUDGET;
    bosc_status st;

    if (w->parts->lanes < 2 || w->parts->n < 2 || w->best.imbalance <= even)
        return BOSC_OK;
    w->rule = w->best_rule;
    st = bosc_chunks_create(w->items, w->order, &w->rule, &chunks, err);
    if (st == BOSC_OK)
        st = bosc_assignment_from(&chunks, w->parts, w->part, &assignment, err);
    if (st == BOSC_OK)
        st = bosc_assignment_refine(&assignment, w->order, &w->costs, even,
                                    &budget, err);
    if (st == BOSC_OK)
        evaluate(w, &assignment);
    bosc_assignment_clear(&assignment);
    bosc_chunks_clear(&chunks);
    return st;
}

/* Are groups of no use?  They find no room, or were cut such that some part
 * would be late. */
static bool members_alone(const work *w)
{
    return !w->found ||
           (w->cut && w->best.slowest * (double)w->cost > together * w->least);
}

/* In chunks, one by one, and where these find no room with less regard to
 * cost; where groups find none, their members alone. */
static bosc_status try_all(work *w, bosc_error *err)
{
    const bool grouped = w->items->leader != NULL;
    bosc_status st = BOSC_OK;

    for (int members = 0; st == BOSC_OK && members <= grouped; ++members) {
        const bool whole = grouped && !members;
        const bosc_chunk_rule single = {.whole = whole, .size = 1};
        const bosc_chunk_rule chunks = {
            .whole = whole,
            .size = w->chunk_size,
            .alone = w->costs.alone,
            .limit = (int64_t)((double)w->cost / w->parts->n * chunk_limit)};

        if (members && !members_alone(w))
            break;
        if (w->chunk_size > 1 && (!members || w->cut))
            st = assign_chunks(w, &chunks, BOSC_ASSIGN_EARLIEST, err);
        if (st == BOSC_OK && !is_enough(w))
            st = assign_chunks(w, &single, BOSC_ASSIGN_EARLIEST, err);
        if (st == BOSC_OK && !w->found)
            st = assign_chunks(w, &single, BOSC_ASSIGN_FIRST_FIT, err);
    }
    if (st == BOSC_OK && !w->found)
        st = bosc_capacity_refuse(w->items, w->parts, err);
    return st;
}

static bosc_status prepare(work *w, bosc_error *err)
{
    const size_t n = (size_t)w->items->n;
    bosc_status st = BOSC_OK;

    w->budget = BUDGET + BUDGET_EACH * w->items->n;
    for (size_t i = 0; i < n; ++i)
        w->cost += w->items->cost[i];
    for (int32_t p = 0; p < w->parts->n; ++p)
        w->speed += bosc_part_speed(w->parts, p);
    w->chunk_size = 1;
    while (w->parts->n > 1 && 2 * w->chunk_size <= w->parts->lanes)
        w->chunk_size *= 2;
    if (w->items->leader != NULL)
        st = bosc_groups_cut(w->items, w->parts, &w->cut, err);
    if (st == BOSC_OK)
        st = BOSC_ALLOC(err, "the order of neurons", BOSC_ARRAY(w->order, n),
                        BOSC_ARRAY(w->trial, n),
                        BOSC_ARRAY(w->load, w->parts->n));
    if (st == BOSC_OK)
        st = bosc_bins_create(w->parts->n, w->parts->lanes, BOSC_BINS_MIXED,
                              &w->bins, err);
    if (st == BOSC_OK)
        st = bosc_chunks_order(w->items, w->order, err);
    if (st == BOSC_OK) {
        find_costs(w);
        st = find_bound(w, err);
    }
    return st;
}

double bosc_assign_bytes(double items, bool grouped, double ties)
{
    const work w = {0};
    const bosc_chunks c = {0};
    const bosc_assignment a = {0};
    const double scratch = sizeof(uint32_t), bound = sizeof(bool);
    const double assigning =
        items *
        (sizeof *w.order + sizeof *w.trial + sizeof *c.sorted + sizeof *a.next +
         2 * scratch + (grouped ? sizeof *c.own + sizeof *c.first + bound : 0));

    return grouped ? fmax(assigning, bosc_groups_bytes(items, ties))
                   : assigning;
}

bosc_status bosc_assign(const bosc_items *items, const bosc_parts *parts,
                        int32_t *part, bosc_division *report, bosc_error *err)
{
    work w = {.items = items, .parts = parts, .part = part};
    bosc_status st = check(items, parts, err);

    if (st == BOSC_OK)
        st = prepare(&w, err);
    if (st == BOSC_OK)
        st = try_all(&w, err);
    if (st == BOSC_OK)
        st = refine(&w, err);
    free(w.order);
    free(w.trial);
    free(w.load);
    bosc_bins_destroy(w.bins);
    if (st == BOSC_OK && report != NULL)
        *report = w.best;
    return st;
}
