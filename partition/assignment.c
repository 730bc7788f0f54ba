#include "partition/assignment.h"

#include <stdlib.h>

#include "partition/order.h"
#include "src/base/mem.h"

static uint64_t by_bytes(const void *things, uint32_t at)
{
    const bosc_chunks *chunks = things;

    return ~(uint64_t)bosc_chunk_bytes(chunks, chunks->sorted[at]);
}

/* Assign the chunk sorted[at]; its part is kept in 'next'. */
static bool find_part(bosc_assignment *a, uint32_t at, bool first)
{
    const int64_t cost = bosc_assignment_cost(a, at);
    const int64_t bytes = bosc_assignment_bytes(a, at);
    const int32_t p = first ? bosc_first_free_fastest(&a->tree, bytes)
                            : bosc_first_free_find(&a->tree, cost, bytes);

    if (p < 0)
        return false;
    bosc_first_free_add(&a->tree, p, cost, bytes);
    a->next[at] = (uint32_t)p;
    return true;
}

/* The largest first, each to the first part with room. */
static bosc_status pack(bosc_assignment *a, bool *fits, bosc_error *err)
{
    const uint32_t n = a->chunks->n;
    uint32_t *order = bosc_alloc(n, sizeof *order);

    if (order == NULL)
        return bosc_no_memory(err, "the order of neurons");
    for (uint32_t s = 0; s < n; ++s)
        order[s] = s;
    bosc_order_by(by_bytes, a->chunks, n, order, a->next);
    for (uint32_t k = 0; k < n && *fits; ++k)
        *fits = find_part(a, order[k], true);
    free(order);
    return BOSC_OK;
}

static void make_lists(bosc_assignment *a)
{
    for (int32_t p = 0; p < a->tree.n; ++p)
        a->head[p] = BOSC_NONE;
    for (uint32_t s = a->chunks->n; s-- > 0;) {
        uint32_t *head = &a->head[a->next[s]];

        a->next[s] = *head;
        *head = s;
    }
}

static bosc_status begin(const bosc_chunks *chunks, const bosc_parts *parts,
                         bosc_assignment *a, bosc_error *err)
{
    bosc_status st;

    *a = (bosc_assignment){.chunks = chunks};
    st = bosc_first_free_create(parts, &a->tree, err);
    if (st == BOSC_OK)
        st = BOSC_ALLOC(err, "the parts of neurons",
                        BOSC_ARRAY(a->head, parts->n),
                        BOSC_ARRAY(a->next, chunks->n));
    if (st != BOSC_OK)
        bosc_assignment_clear(a);
    return st;
}

bosc_status bosc_assignment_create(const bosc_chunks *chunks,
                                   const bosc_parts *parts,
                                   bosc_assign_rule rule, bosc_assignment *out,
                                   bool *fits, bosc_error *err)
{
    bosc_status st = begin(chunks, parts, out, err);

    *fits = st == BOSC_OK;
    if (*fits && rule == BOSC_ASSIGN_FIRST_FIT)
        st = pack(out, fits, err);
    else
        for (uint32_t s = 0; s < chunks->n && *fits; ++s)
            *fits = find_part(out, s, false);
    *fits = *fits && st == BOSC_OK;
    if (*fits)
        make_lists(out);
    else
        bosc_assignment_clear(out);
    return st;
}

bosc_status bosc_assignment_from(const bosc_chunks *chunks,
                                 const bosc_parts *parts, const int32_t *part,
                                 bosc_assignment *out, bosc_error *err)
{
    const bosc_status st = begin(chunks, parts, out, err);

    if (st != BOSC_OK)
        return st;
    for (uint32_t s = 0; s < chunks->n; ++s) {
        const uint32_t u = chunks->sorted[s];
        const int32_t p = part[chunks->member[bosc_chunk_first(chunks, u)]];

        out->next[s] = (uint32_t)p;
        bosc_first_free_add(&out->tree, p, bosc_chunk_cost(chunks, u),
                            bosc_chunk_bytes(chunks, u));
    }
    make_lists(out);
    return BOSC_OK;
}

void bosc_assignment_clear(bosc_assignment *a)
{
    bosc_first_free_clear(&a->tree);
    free(a->head);
    free(a->next);
    *a = (bosc_assignment){0};
}

int64_t bosc_assignment_bytes(const bosc_assignment *a, uint32_t at)
{
    return at == BOSC_NONE ? 0
                           : bosc_chunk_bytes(a->chunks, a->chunks->sorted[at]);
}

/* The link to the first chunk of a part that is not before sorted[at]. */
static uint32_t *link_to(bosc_assignment *a, int32_t p, uint32_t at)
{
    uint32_t *link = &a->head[p];

    while (*link < at)
        link = &a->next[*link];
    return link;
}

void bosc_assignment_move(bosc_assignment *a, uint32_t at, int32_t from,
                          int32_t to)
{
    const int64_t cost = bosc_assignment_cost(a, at);
    const int64_t bytes = bosc_assignment_bytes(a, at);
    uint32_t *link;

    if (at == BOSC_NONE)
        return;
    *link_to(a, from, at) = a->next[at];
    link = link_to(a, to, at);
    a->next[at] = *link;
    *link = at;
    bosc_first_free_add(&a->tree, from, -cost, -bytes);
    bosc_first_free_add(&a->tree, to, cost, bytes);
}

void bosc_assignment_parts(const bosc_assignment *a, int32_t *part)
{
    const bosc_chunks *chunks = a->chunks;

    for (int32_t p = 0; p < a->tree.n; ++p)
        for (uint32_t s = a->head[p]; s != BOSC_NONE; s = a->next[s]) {
            const uint32_t u = chunks->sorted[s];

            for (uint32_t k = bosc_chunk_first(chunks, u);
                 k < bosc_chunk_first(chunks, u + 1); ++k)
                part[chunks->member[k]] = p;
        }
}
