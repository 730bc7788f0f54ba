/* chunks.c - items to chunks.
 *
 * Example, chunks of 2, sizes 9 5 5 5 4 3 of the kinds a b b b c d: the kind b
 * fills one chunk, the rest follow by size: (5 5) (9 5) (4 3).
 */
#include "partition/chunks.h"

#include <stdlib.h>
#include <string.h>

#include "partition/order.h"
#include "src/base/mem.h"

/* Numbers, the greatest first; and those of each thing's head. */
static uint64_t greatest(const void *numbers, uint32_t i)
{
    return ~(uint64_t)((const int64_t *)numbers)[i];
}

typedef struct headed {
    const uint32_t *head; /* [n] the costliest of each item's kind */
    const int64_t *numbers;
} headed;

static uint64_t greatest_head(const void *things, uint32_t i)
{
    const headed *h = things;

    return greatest(h->numbers, h->head[i]);
}

static uint64_t by_size(const void *items, uint32_t i)
{
    return ~(uint64_t)bosc_item_size(items, i);
}

static uint64_t by_kind(const void *items, uint32_t i)
{
    return (uint64_t)((const bosc_items *)items)->kind[i] ^ 1ull << 63;
}

static uint64_t by_leader(const void *items, uint32_t i)
{
    return (uint64_t)((const bosc_items *)items)->leader[i];
}

static uint64_t by_chunk_cost(const void *chunks, uint32_t u)
{
    return ~(uint64_t)bosc_chunk_cost(chunks, u);
}

/* Heads of kinds, of items sorted by kind, cost and bytes.  What is like
 * nothing else is its own. */
static void find_heads(const bosc_items *items, const uint32_t *order,
                       uint32_t *head)
{
    const int32_t *kind = items->kind;

    for (uint32_t k = 0; k < items->n; ++k) {
        const uint32_t i = order[k];

        head[i] = k > 0 && kind[i] >= 0 && kind[order[k - 1]] == kind[i]
                      ? head[order[k - 1]]
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

/* The least important key first; head NULL: no two items are of one kind. */
static void sort_items(const bosc_items *items, uint32_t *head, uint32_t *order,
                       uint32_t *scratch)
{
    const uint32_t n = (uint32_t)items->n;

    for (uint32_t k = 0; k < n; ++k)
        order[k] = k;
    if (items->bytes != NULL)
        bosc_order_by(greatest, items->bytes, n, order, scratch);
    bosc_order_by(greatest, items->cost, n, order, scratch);
    if (head != NULL) {
        bosc_order_by(by_kind, items, n, order, scratch);
        find_heads(items, order, head);
        if (items->bytes != NULL)
            bosc_order_by(greatest_head, &(headed){head, items->bytes}, n,
                          order, scratch);
        bosc_order_by(greatest_head, &(headed){head, items->cost}, n, order,
                      scratch);
    }
    bosc_order_by(by_size, items, n, order, scratch);
}

bosc_status bosc_chunks_order(const bosc_items *items, uint32_t *order,
                              bosc_error *err)
{
    const size_t n = (size_t)items->n;
    const bool alike = any_alike(items);
    uint32_t *scratch = bosc_alloc(n, sizeof *scratch);
    uint32_t *head = alike ? bosc_alloc(n, sizeof *head) : NULL;
    const bool good = scratch != NULL && (head != NULL) == alike;

    if (good)
        sort_items(items, head, order, scratch);
    free(scratch);
    free(head);
    return good ? BOSC_OK : bosc_no_memory(err, "the order of neurons");
}

/* Between the phases of bosc_chunks_create. */
typedef struct maker {
    const bosc_items *items;
    const bosc_chunk_rule *rule;
    bosc_chunks *chunks;
    uint32_t filled; /* members so far */
    uint32_t groups; /* chunks that are groups: the first ones */
} maker;

/* The members from chunk's beginning to 'filled' are a chunk; 'most' counts
 * those without a group. */
static void end_chunk(maker *m, bool group)
{
    bosc_chunks *chunks = m->chunks;
    const int32_t members = (int32_t)(m->filled - chunks->first[chunks->n]);

    if (!group && members > chunks->most)
        chunks->most = members;
    chunks->first[++chunks->n] = m->filled;
}

/* Bound items to members, group by group; the others, in their order, to
 * ungrouped.  Returns how many these are. */
static uint32_t part_groups(maker *m, const uint32_t *order, bool *bound,
                            uint32_t *ungrouped)
{
    const int64_t *leader = m->items->leader;
    const uint32_t n = (uint32_t)m->items->n;
    uint32_t *member = m->chunks->own, n_grouped = 0, n_ungrouped = 0;

    for (uint32_t i = 0; bound != NULL && i < n; ++i)
        if (leader[i] != i)
            bound[i] = bound[leader[i]] = true;
    for (uint32_t k = 0; k < n; ++k)
        if (bound != NULL && bound[order[k]])
            member[n_grouped++] = order[k];
        else
            ungrouped[n_ungrouped++] = order[k];
    if (n_grouped > 0)
        bosc_order_by(by_leader, m->items, n_grouped, member, m->chunks->first);
    m->chunks->first[0] = 0;
    return n_ungrouped;
}

static void take_groups(maker *m, uint32_t n_grouped)
{
    const uint32_t *member = m->chunks->own;
    const int64_t *leader = m->items->leader;

    while (m->filled < n_grouped) {
        const uint32_t k = m->filled++;

        if (m->filled == n_grouped ||
            leader[member[k]] != leader[member[m->filled]])
            end_chunk(m, true);
    }
}

/* So many items like this one make a chunk. */
static uint32_t chunk_of(const maker *m, uint32_t item)
{
    const bosc_chunk_rule *rule = m->rule;
    const uint32_t chunk = (uint32_t)rule->size;

    return chunk > 1 && m->items->cost[item] > rule->limit / chunk ? 1 : chunk;
}

static bool same_kind(const bosc_items *items, uint32_t i, uint32_t j)
{
    return items->kind != NULL && items->kind[i] >= 0 &&
           items->kind[i] == items->kind[j];
}

/* Chunks of one kind from free[n]; the others move to its front.  Returns how
 * many these are. */
static uint32_t take_kinds(maker *m, uint32_t *ungrouped, uint32_t n)
{
    uint32_t *member = m->chunks->own;
    uint32_t left = 0;

    for (uint32_t k = 0, end; k < n; k = end) {
        const uint32_t chunk = chunk_of(m, ungrouped[k]);

        for (end = k + 1;
             end < n && same_kind(m->items, ungrouped[k], ungrouped[end]);)
            ++end;
        for (; chunk > 1 && end - k >= chunk; end_chunk(m, false))
            for (uint32_t c = 0; c < chunk; ++c)
                member[m->filled++] = ungrouped[k++];
        while (k < end)
            ungrouped[left++] = ungrouped[k++];
    }
    return left;
}

static void take_sizes(maker *m, const uint32_t *ungrouped, uint32_t n)
{
    uint32_t *member = m->chunks->own;

    for (uint32_t k = 0; k < n; end_chunk(m, false)) {
        const uint32_t chunk = chunk_of(m, ungrouped[k]);

        for (uint32_t c = 0; c < chunk && k < n; ++c)
            member[m->filled++] = ungrouped[k++];
    }
}

static int64_t cost_of(const maker *m, uint32_t u)
{
    const bosc_chunks *chunks = m->chunks;
    const uint32_t first = chunks->first[u], end = chunks->first[u + 1];
    int64_t cost = 0;

    for (uint32_t k = first; k < end; ++k)
        cost += m->items->cost[chunks->member[k]];
    if (u >= m->groups && end - first == 1 && m->rule->size > 1)
        cost +=
            (int64_t)(m->rule->alone *
                      (double)bosc_item_size(m->items, chunks->member[first]));
    return cost;
}

/* Costs, and the order by them. */
static bosc_status sort_chunks(maker *m, bosc_error *err)
{
    bosc_chunks *chunks = m->chunks;
    uint32_t *scratch = bosc_alloc(chunks->n, sizeof *scratch);

    chunks->sorted = bosc_alloc(chunks->n, sizeof *chunks->sorted);
    if (chunks->first != NULL)
        chunks->cost = bosc_alloc(chunks->n, sizeof *chunks->cost);
    if (scratch == NULL || chunks->sorted == NULL ||
        (chunks->first != NULL && chunks->cost == NULL)) {
        free(scratch);
        return bosc_no_memory(err, "the order of neurons");
    }
    for (uint32_t u = 0; u < chunks->n; ++u) {
        chunks->sorted[u] = u;
        if (chunks->cost != NULL)
            chunks->cost[u] = cost_of(m, u);
    }
    bosc_order_by(by_chunk_cost, chunks, chunks->n, chunks->sorted, scratch);
    free(scratch);
    return BOSC_OK;
}

/* Give back what chunks do not need. */
static void shrink(bosc_chunks *chunks)
{
    uint32_t *first =
        realloc(chunks->first, ((size_t)chunks->n + 1) * sizeof *first);

    if (first != NULL)
        chunks->first = first;
}

/* Several members to a chunk. */
static bosc_status join(maker *m, const uint32_t *order, bosc_error *err)
{
    const uint32_t n = (uint32_t)m->items->n;
    uint32_t *ungrouped = bosc_alloc(n, sizeof *ungrouped), n_ungrouped;
    const bool whole = m->rule->whole;
    bool *bound = whole ? bosc_alloc(n, sizeof *bound) : NULL;

    m->chunks->member = m->chunks->own = bosc_alloc(n, sizeof *m->chunks->own);
    m->chunks->first = bosc_alloc((size_t)n + 1, sizeof *m->chunks->first);
    if (ungrouped == NULL || m->chunks->own == NULL ||
        m->chunks->first == NULL || (whole && bound == NULL)) {
        free(ungrouped);
        free(bound);
        return bosc_no_memory(err, "groups of neurons");
    }
    n_ungrouped = part_groups(m, order, bound, ungrouped);
    free(bound);
    take_groups(m, n - n_ungrouped);
    m->groups = m->chunks->n;
    n_ungrouped = take_kinds(m, ungrouped, n_ungrouped);
    take_sizes(m, ungrouped, n_ungrouped);
    free(ungrouped);
    shrink(m->chunks);
    return BOSC_OK;
}

bosc_status bosc_chunks_create(const bosc_items *items, const uint32_t *order,
                               const bosc_chunk_rule *rule, bosc_chunks *out,
                               bosc_error *err)
{
    const uint32_t n = (uint32_t)items->n;
    bosc_chunks made = {.items = items, .most = 1};
    maker m = {.items = items, .rule = rule, .chunks = &made};
    bosc_status st = BOSC_OK;

    if (rule->whole || rule->size > 1) {
        st = join(&m, order, err);
    } else {
        made.member = order;
        made.n = n;
    }
    if (st == BOSC_OK)
        st = sort_chunks(&m, err);
    if (st == BOSC_OK)
        *out = made;
    else
        bosc_chunks_clear(&made);
    return st;
}

void bosc_chunks_clear(bosc_chunks *chunks)
{
    free(chunks->own);
    free(chunks->first);
    free(chunks->cost);
    free(chunks->sorted);
    *chunks = (bosc_chunks){0};
}

int64_t bosc_chunk_bytes(const bosc_chunks *chunks, uint32_t u)
{
    const int64_t *bytes = chunks->items->bytes;
    const uint32_t end = bosc_chunk_first(chunks, u + 1);
    int64_t sum = 0;

    if (bytes == NULL)
        return 0;
    for (uint32_t k = bosc_chunk_first(chunks, u); k < end; ++k)
        sum += bytes[chunks->member[k]];
    return sum;
}
