/* groups.c - which items stay together.
 *
 * A group that costs more than one part should have is cut in two, and so are
 * the pieces: a breadth-first search from one end of a piece visits it layer by
 * layer, and what it has visited when it has the cost of the parts on one side
 * is one half.  Only ties between two layers are cut.
 *
 * Example: the ring 0-1-2-3-4-5-0 on two parts.  The search from 0 ends at 3,
 * the other end; from 3 it visits 3 2 4 | 1 5 0: pieces 2 3 4 and 5 0 1.
 */
#include "partition/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "partition/first_free.h"
#include "partition/order.h"
#include "src/base/mem.h"

int64_t bosc_union_root(int64_t *leader, int64_t i)
{
    while (leader[i] != i) {
        leader[i] = leader[leader[i]]; /* halve the way for the next time */
        i = leader[i];
    }
    return i;
}

void bosc_union_join(int64_t *leader, int64_t a, int64_t b)
{
    a = bosc_union_root(leader, a);
    b = bosc_union_root(leader, b);
    if (a < b)
        leader[b] = a;
    else
        leader[a] = b;
}

/* --- which groups are too much for a part --------------------------------- */

/* too_much[] of the leaders: 1 where a group costs more than a part's mean
 * load, 2 where it needs more bytes than any part has. */
enum { FITS, COSTLY, LARGE };

/* Returns how many items are in costly groups. */
static uint32_t find_giants(const bosc_items *items, const bosc_parts *parts,
                            int64_t *cost, int64_t *bytes, char *too_much)
{
    int64_t *leader = items->leader, room = 0, all = 0;
    uint32_t n = 0;

    for (int32_t p = 0; p < parts->n; ++p)
        if (bosc_part_room(parts, p) > room)
            room = bosc_part_room(parts, p);
    for (int64_t i = 0; i < items->n; ++i) {
        leader[i] = bosc_union_root(leader, i);
        cost[leader[i]] += items->cost[i];
        all += items->cost[i];
        if (items->bytes != NULL)
            bytes[leader[i]] += items->bytes[i];
    }
    for (int64_t i = 0; i < items->n; ++i) {
        if (leader[i] == i)
            too_much[i] = cost[i] > all / parts->n                  ? COSTLY
                          : items->bytes != NULL && bytes[i] > room ? LARGE
                                                                    : FITS;
        n += too_much[leader[i]] == COSTLY;
    }
    return n;
}

/* --- cutting ---------------------------------------------------------------
 */

typedef struct cutter {
    const bosc_items *items;
    size_t *first;       /* [items + 1] of each item's neighbours */
    uint32_t *neighbour; /* [2 ties] */
    uint32_t n;          /* items of costly groups */
    uint32_t *order;     /* [n] these, piece by piece */
    uint32_t *queue;     /* [n] of a search */
    uint32_t *piece;     /* [items] where the piece of an item begins */
    uint32_t *seen;      /* [items] the last search that has met it, from 1 */
    uint32_t searches;
    double *share; /* [parts + 1] of a group: what its pieces are to cost */
} cutter;

static void add_neighbours(cutter *c)
{
    const bosc_items *items = c->items;

    for (size_t k = 0; k < items->n_ties; ++k) {
        ++c->first[items->ties[k].a];
        ++c->first[items->ties[k].b];
    }
    for (int64_t i = 0; i < items->n; ++i)
        c->first[i + 1] += c->first[i];
    for (size_t k = items->n_ties; k-- > 0;) {
        const bosc_tie *tie = &items->ties[k];

        c->neighbour[--c->first[tie->a]] = tie->b;
        c->neighbour[--c->first[tie->b]] = tie->a;
    }
}

/* Visit the piece order[from..to) from 'start' on, nearest first; what is not
 * tied to it is visited from its first item on.  The order is in queue[from..],
 * and its last item is returned. */
static uint32_t search(cutter *c, uint32_t from, uint32_t to, uint32_t start)
{
    uint32_t end = from, rest = from;

    c->seen[start] = ++c->searches;
    c->queue[end++] = start;
    for (uint32_t k = from; k < to; ++k) {
        if (k == end) {
            while (c->seen[c->order[rest]] == c->searches)
                ++rest;
            c->seen[c->order[rest]] = c->searches;
            c->queue[end++] = c->order[rest];
        }
        for (size_t at = c->first[c->queue[k]]; at < c->first[c->queue[k] + 1];
             ++at) {
            const uint32_t i = c->neighbour[at];

            if (c->piece[i] != from || c->seen[i] == c->searches)
                continue;
            c->seen[i] = c->searches;
            c->queue[end++] = i;
        }
    }
    return c->queue[to - 1];
}

/* All of order[from..to) belongs together. */
static void end_piece(const cutter *c, uint32_t from, uint32_t to)
{
    uint32_t first = c->order[from];

    for (uint32_t k = from; k < to; ++k)
        first = c->order[k] < first ? c->order[k] : first;
    for (uint32_t k = from; k < to; ++k)
        c->items->leader[c->order[k]] = first;
}

/* Cut order[from..to) into pieces that cost share[0..n). */
static void cut_piece(cutter *c, uint32_t from, uint32_t to,
                      const double *share, int32_t n)
{
    double left = 0, all = 0, cost = 0, aim = 0;
    uint32_t middle = from;

    if (from == to)
        return;
    if (n == 1 || to - from == 1) {
        end_piece(c, from, to);
        return;
    }
    search(c, from, to, search(c, from, to, c->order[from]));
    memcpy(c->order + from, c->queue + from, (to - from) * sizeof *c->order);
    for (int32_t k = 0; k < n; ++k) {
        left += k < n / 2 ? share[k] : 0;
        all += share[k];
    }
    for (uint32_t k = from; k < to; ++k)
        aim += (double)c->items->cost[c->order[k]];
    aim *= left / all;
    while (middle < to) {
        const double half = (double)c->items->cost[c->order[middle]] / 2;

        if (cost + half > aim)
            break;
        cost += 2 * half;
        ++middle;
    }
    for (uint32_t k = middle; k < to && middle > from; ++k)
        c->piece[c->order[k]] = middle;
    cut_piece(c, from, middle, share, n / 2);
    cut_piece(c, middle, to, share + n / 2, n - n / 2);
}

static int fastest_first(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

/* What each part should cost, the fastest first; NULL without memory. */
static double *find_loads(const bosc_items *items, const bosc_parts *parts)
{
    double *load = bosc_alloc((size_t)parts->n, sizeof *load);
    double cost = 0, speed = 0;

    if (load == NULL)
        return NULL;
    for (int64_t i = 0; i < items->n; ++i)
        cost += (double)items->cost[i];
    for (int32_t p = 0; p < parts->n; ++p)
        speed += load[p] = bosc_part_speed(parts, p);
    for (int32_t p = 0; p < parts->n; ++p)
        load[p] *= cost / speed;
    qsort(load, (size_t)parts->n, sizeof *load, fastest_first);
    return load;
}

/* Costly groups one after the other fill the parts: each is cut where a part is
 * full. */
static void cut_groups(cutter *c, int32_t n_parts, double *load)
{
    const double sliver = 0.02; /* of the fastest part is left to others */
    const double least = sliver * load[0];
    const int64_t *leader = c->items->leader;
    int32_t p = 0;

    for (uint32_t from = 0, to; from < c->n; from = to) {
        const int64_t first = leader[c->order[from]];
        double cost = 0;
        int32_t n = 0;

        for (to = from; to < c->n && leader[c->order[to]] == first; ++to) {
            cost += (double)c->items->cost[c->order[to]];
            c->piece[c->order[to]] = from;
        }
        while (cost > least || n == 0) {
            while (p < n_parts - 1 && load[p] <= least)
                ++p;
            const double took = p < n_parts - 1 ? fmin(load[p], cost) : cost;

            c->share[n++] = took;
            load[p] -= took;
            cost -= took;
        }
        c->share[n - 1] += cost;
        cut_piece(c, from, to, c->share, n);
    }
}

static uint64_t by_leader(const void *items, uint32_t i)
{
    return (uint64_t)((const bosc_items *)items)->leader[i];
}

/* Cut the n items of costly groups. */
static bosc_status cut(const bosc_items *items, const bosc_parts *parts,
                       const char *too_much, uint32_t n, bosc_error *err)
{
    const size_t all = (size_t)items->n;
    cutter c = {.items = items, .n = n};
    double *load = find_loads(items, parts);
    bosc_status st = BOSC_ALLOC(
        err, "the groups of coupled neurons", BOSC_ARRAY(c.first, all + 1),
        BOSC_ARRAY(c.neighbour, 2 * items->n_ties), BOSC_ARRAY(c.order, n),
        BOSC_ARRAY(c.queue, n), BOSC_ARRAY(c.piece, all),
        BOSC_ARRAY(c.seen, all), BOSC_ARRAY(c.share, parts->n + 1));

    if (st == BOSC_OK && load == NULL)
        st = bosc_no_memory(err, "the groups of coupled neurons");
    if (st == BOSC_OK) {
        uint32_t k = 0;

        add_neighbours(&c);
        for (uint32_t i = 0; i < all; ++i) {
            c.piece[i] = UINT32_MAX;
            if (too_much[items->leader[i]] == COSTLY)
                c.order[k++] = i;
        }
        bosc_order_by(by_leader, items, n, c.order, c.queue);
        cut_groups(&c, parts->n, load);
    }
    free(load);
    free(c.first);
    free(c.neighbour);
    free(c.order);
    free(c.queue);
    free(c.piece);
    free(c.seen);
    free(c.share);
    return st;
}

bosc_status bosc_groups_cut(const bosc_items *items, const bosc_parts *parts,
                            bool *cut_any, bosc_error *err)
{
    const size_t n = (size_t)items->n;
    int64_t *cost, *bytes, *leader = items->leader;
    char *too_much;
    bosc_status st =
        BOSC_ALLOC(err, "the groups of coupled neurons", BOSC_ARRAY(cost, n),
                   BOSC_ARRAY(bytes, items->bytes != NULL ? n : 0),
                   BOSC_ARRAY(too_much, n));
    uint32_t costly;

    *cut_any = false;
    if (st != BOSC_OK)
        goto done;
    costly = find_giants(items, parts, cost, bytes, too_much);
    *cut_any = costly > 0 && items->n_ties > 0;
    for (int64_t i = items->n - 1; i >= 0; --i) /* a leader after its members */
        if (too_much[leader[i]] > (*cut_any ? COSTLY : FITS))
            leader[i] = i;
    if (*cut_any)
        st = cut(items, parts, too_much, costly, err);
done:
    free(cost);
    free(bytes);
    free(too_much);
    return st;
}

double bosc_groups_bytes(double items, double ties)
{
    const cutter c = {0};

    return items * (2 * sizeof(int64_t) + sizeof(char) +
                    (ties > 0
                         ? sizeof *c.first + sizeof *c.order + sizeof *c.queue +
                               sizeof *c.piece + sizeof *c.seen
                         : 0)) +
           ties * 2 * sizeof *c.neighbour;
}
