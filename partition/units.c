/* units.c - items to units.
 *
 * Example, chunks of 2, sizes 9 5 5 5 4 3 of the kinds a b b b c d: the kind b
 * fills one chunk, the rest follow by size: (5 5) (9 5) (4 3).
 */
#include "partition/units.h"

#include <stdlib.h>
#include <string.h>

#include "partition/order.h"
#include "src/base/mem.h"

/* What is sorted. */
typedef struct sorting {
    const bosc_items *items;
    uint32_t *head; /* [n] the dearest of each item's kind; NULL: no two are of
                       one */
} sorting;

static uint64_t by_size(const void *things, uint32_t i)
{
    return ~(uint64_t)bosc_item_size(((const sorting *)things)->items, i);
}

static uint64_t by_kind(const void *things, uint32_t i)
{
    return (uint64_t)((const sorting *)things)->items->kind[i] ^ 1ull << 63;
}

static uint64_t by_cost(const void *things, uint32_t i)
{
    return ~(uint64_t)((const sorting *)things)->items->cost[i];
}

static uint64_t by_bytes(const void *things, uint32_t i)
{
    return ~(uint64_t)((const sorting *)things)->items->bytes[i];
}

static uint64_t by_head_cost(const void *things, uint32_t i)
{
    return by_cost(things, ((const sorting *)things)->head[i]);
}

static uint64_t by_head_bytes(const void *things, uint32_t i)
{
    return by_bytes(things, ((const sorting *)things)->head[i]);
}

static uint64_t by_leader(const void *things, uint32_t i)
{
    return (uint64_t)((const bosc_items *)things)->leader[i];
}

static uint64_t by_unit_cost(const void *things, uint32_t u)
{
    return ~(uint64_t)bosc_unit_cost(things, u);
}

/* Heads of kinds, of items sorted by kind, cost and bytes.  What is like
 * nothing else is its own. */
static void find_heads(const sorting *s, const uint32_t *order)
{
    const int32_t *kind = s->items->kind;

    for (uint32_t k = 0; k < s->items->n; ++k) {
        const uint32_t i = order[k];

        s->head[i] = k > 0 && kind[i] >= 0 && kind[order[k - 1]] == kind[i]
                         ? s->head[order[k - 1]]
                         : i;
    }
}

/* Are there two of one kind?  Where kinds are too far apart to mark them, that
 * is taken for granted. */
static bool any_alike(const bosc_items *items)
{
    const int32_t *kind = items->kind;
    int64_t most = -1;
    unsigned char *seen;
    bool alike = false;

    for (int64_t i = 0; kind != NULL && i < items->n; ++i)
        most = kind[i] > most ? kind[i] : most;
    if (most / 16 > items->n)
        return true;
    if (most < 0 || (seen = bosc_alloc((size_t)most / 8 + 1, 1)) == NULL)
        return most >= 0;
    for (int64_t i = 0; i < items->n && !alike; ++i)
        if (kind[i] >= 0) {
            alike = seen[kind[i] / 8] >> kind[i] % 8 & 1;
            seen[kind[i] / 8] |= (unsigned char)(1 << kind[i] % 8);
        }
    free(seen);
    return alike;
}

/* The least important key first. */
static void sort_items(const sorting *s, uint32_t *order, uint32_t *scratch)
{
    const bosc_items *items = s->items;
    const uint32_t n = (uint32_t)items->n;

    for (uint32_t k = 0; k < n; ++k)
        order[k] = k;
    if (items->bytes != NULL)
        bosc_order_by(by_bytes, s, n, order, scratch);
    bosc_order_by(by_cost, s, n, order, scratch);
    if (s->head != NULL) {
        bosc_order_by(by_kind, s, n, order, scratch);
        find_heads(s, order);
        if (items->bytes != NULL)
            bosc_order_by(by_head_bytes, s, n, order, scratch);
        bosc_order_by(by_head_cost, s, n, order, scratch);
    }
    bosc_order_by(by_size, s, n, order, scratch);
}

bosc_status bosc_units_order(const bosc_items *items, uint32_t *order,
                             bosc_error *err)
{
    const size_t n = (size_t)items->n;
    uint32_t *scratch = bosc_alloc(n, sizeof *scratch);
    const bool alike = any_alike(items);
    sorting s = {.items = items};

    if (alike)
        s.head = bosc_alloc(n, sizeof *s.head);
    if (scratch == NULL || (alike && s.head == NULL)) {
        free(scratch);
        free(s.head);
        return bosc_no_memory(err, "the order of neurons");
    }
    sort_items(&s, order, scratch);
    free(scratch);
    free(s.head);
    return BOSC_OK;
}

/* Between the phases of bosc_units_create. */
typedef struct maker {
    const bosc_items *items;
    const bosc_unit_rule *rule;
    bosc_units *units;
    uint32_t filled; /* members so far */
    uint32_t groups; /* units that are groups: the first ones */
} maker;

/* The members from unit's beginning to 'filled' are a unit. */
static void end_unit(maker *m)
{
    bosc_units *units = m->units;

    units->first[++units->n] = m->filled;
}

/* The same, of items without a group. */
static void end_chunk(maker *m)
{
    bosc_units *units = m->units;
    const int32_t members = (int32_t)(m->filled - units->first[units->n]);

    if (members > units->most)
        units->most = members;
    end_unit(m);
}

/* Bound items to members, group by group; the others, in their order, to
 * free_ones.  Returns how many these are. */
static uint32_t part_groups(maker *m, const uint32_t *order, bool *bound,
                            uint32_t *free_ones)
{
    const int64_t *leader = m->items->leader;
    const uint32_t n = (uint32_t)m->items->n;
    uint32_t *member = m->units->own, n_bound = 0, n_free = 0;

    for (uint32_t i = 0; bound != NULL && i < n; ++i)
        if (leader[i] != i)
            bound[i] = bound[leader[i]] = true;
    for (uint32_t k = 0; k < n; ++k)
        if (bound != NULL && bound[order[k]])
            member[n_bound++] = order[k];
        else
            free_ones[n_free++] = order[k];
    if (n_bound > 0)
        bosc_order_by(by_leader, m->items, n_bound, member, m->units->first);
    m->units->first[0] = 0;
    return n_free;
}

static void take_groups(maker *m, uint32_t n_bound)
{
    const uint32_t *member = m->units->own;
    const int64_t *leader = m->items->leader;

    while (m->filled < n_bound) {
        const uint32_t k = m->filled++;

        if (m->filled == n_bound ||
            leader[member[k]] != leader[member[m->filled]])
            end_unit(m);
    }
}

/* So many items like this one make a chunk. */
static uint32_t chunk_of(const maker *m, uint32_t item)
{
    const bosc_unit_rule *rule = m->rule;
    const uint32_t chunk = (uint32_t)rule->chunk;

    return chunk > 1 && m->items->cost[item] > rule->limit / chunk ? 1 : chunk;
}

static bool same_kind(const bosc_items *items, uint32_t i, uint32_t j)
{
    return items->kind != NULL && items->kind[i] >= 0 &&
           items->kind[i] == items->kind[j];
}

/* Chunks of one kind from free[n]; the others move to its front.  Returns how
 * many these are. */
static uint32_t take_kinds(maker *m, uint32_t *free_ones, uint32_t n)
{
    uint32_t *member = m->units->own;
    uint32_t left = 0;

    for (uint32_t k = 0, end; k < n; k = end) {
        const uint32_t chunk = chunk_of(m, free_ones[k]);

        for (end = k + 1;
             end < n && same_kind(m->items, free_ones[k], free_ones[end]);)
            ++end;
        for (; chunk > 1 && end - k >= chunk; end_chunk(m))
            for (uint32_t c = 0; c < chunk; ++c)
                member[m->filled++] = free_ones[k++];
        while (k < end)
            free_ones[left++] = free_ones[k++];
    }
    return left;
}

static void take_sizes(maker *m, const uint32_t *free_ones, uint32_t n)
{
    uint32_t *member = m->units->own;

    for (uint32_t k = 0; k < n; end_chunk(m)) {
        const uint32_t chunk = chunk_of(m, free_ones[k]);

        for (uint32_t c = 0; c < chunk && k < n; ++c)
            member[m->filled++] = free_ones[k++];
    }
}

static int64_t cost_of(const maker *m, uint32_t u)
{
    const bosc_units *units = m->units;
    const uint32_t first = units->first[u], end = units->first[u + 1];
    int64_t cost = 0;

    for (uint32_t k = first; k < end; ++k)
        cost += m->items->cost[units->member[k]];
    if (u >= m->groups && end - first == 1 && m->rule->chunk > 1)
        cost += (int64_t)(m->rule->alone * (double)bosc_item_size(
                                               m->items, units->member[first]));
    return cost;
}

/* Costs, and the order by them. */
static bosc_status sort_units(maker *m, bosc_error *err)
{
    bosc_units *units = m->units;
    uint32_t *scratch = bosc_alloc(units->n, sizeof *scratch);

    units->sorted = bosc_alloc(units->n, sizeof *units->sorted);
    if (units->first != NULL)
        units->cost = bosc_alloc(units->n, sizeof *units->cost);
    if (scratch == NULL || units->sorted == NULL ||
        (units->first != NULL && units->cost == NULL)) {
        free(scratch);
        return bosc_no_memory(err, "the order of neurons");
    }
    for (uint32_t u = 0; u < units->n; ++u) {
        units->sorted[u] = u;
        if (units->cost != NULL)
            units->cost[u] = cost_of(m, u);
    }
    bosc_order_by(by_unit_cost, units, units->n, units->sorted, scratch);
    free(scratch);
    return BOSC_OK;
}

/* Give back what chunks do not need. */
static void shrink(bosc_units *units)
{
    uint32_t *first =
        realloc(units->first, ((size_t)units->n + 1) * sizeof *first);

    if (first != NULL)
        units->first = first;
}

/* Several members to a unit. */
static bosc_status join(maker *m, const uint32_t *order, bosc_error *err)
{
    const uint32_t n = (uint32_t)m->items->n;
    uint32_t *free_ones = bosc_alloc(n, sizeof *free_ones), n_free;
    const bool whole = m->rule->whole;
    bool *bound = whole ? bosc_alloc(n, sizeof *bound) : NULL;

    m->units->member = m->units->own = bosc_alloc(n, sizeof *m->units->own);
    m->units->first = bosc_alloc((size_t)n + 1, sizeof *m->units->first);
    if (free_ones == NULL || m->units->own == NULL || m->units->first == NULL ||
        (whole && bound == NULL)) {
        free(free_ones);
        free(bound);
        return bosc_no_memory(err, "groups of neurons");
    }
    n_free = part_groups(m, order, bound, free_ones);
    free(bound);
    take_groups(m, n - n_free);
    m->groups = m->units->n;
    n_free = take_kinds(m, free_ones, n_free);
    take_sizes(m, free_ones, n_free);
    free(free_ones);
    shrink(m->units);
    return BOSC_OK;
}

bosc_status bosc_units_create(const bosc_items *items, const uint32_t *order,
                              const bosc_unit_rule *rule, bosc_units *out,
                              bosc_error *err)
{
    const uint32_t n = (uint32_t)items->n;
    bosc_units made = {.items = items, .most = 1};
    maker m = {.items = items, .rule = rule, .units = &made};
    bosc_status st = BOSC_OK;

    if (rule->whole || rule->chunk > 1) {
        st = join(&m, order, err);
    } else {
        made.member = order;
        made.n = n;
    }
    if (st == BOSC_OK)
        st = sort_units(&m, err);
    if (st == BOSC_OK)
        *out = made;
    else
        bosc_units_clear(&made);
    return st;
}

void bosc_units_clear(bosc_units *units)
{
    free(units->own);
    free(units->first);
    free(units->cost);
    free(units->sorted);
    *units = (bosc_units){0};
}

int64_t bosc_unit_bytes(const bosc_units *units, uint32_t u)
{
    const int64_t *bytes = units->items->bytes;
    const uint32_t end = bosc_unit_first(units, u + 1);
    int64_t sum = 0;

    if (bytes == NULL)
        return 0;
    for (uint32_t k = bosc_unit_first(units, u); k < end; ++k)
        sum += bytes[units->member[k]];
    return sum;
}
