#include "partition/deal.h"

#include <stdlib.h>

#include "partition/order.h"
#include "src/base/mem.h"

static int64_t cost_at(const bosc_units *units, uint32_t place)
{
    return bosc_unit_cost(units, units->sorted[place]);
}

static uint64_t by_bytes(const void *things, uint32_t place)
{
    const bosc_units *units = things;

    return ~(uint64_t)bosc_unit_bytes(units, units->sorted[place]);
}

/* Deal out the unit in a place; its part is kept in 'next'. */
static bool find_part(bosc_deal *deal, uint32_t place, bool first)
{
    const int64_t cost = cost_at(deal->units, place);
    const int64_t bytes =
        bosc_unit_bytes(deal->units, deal->units->sorted[place]);
    const int32_t p = first ? bosc_seats_first(&deal->seats, bytes)
                            : bosc_seats_find(&deal->seats, cost, bytes);

    if (p < 0)
        return false;
    bosc_seats_add(&deal->seats, p, cost, bytes);
    deal->next[place] = (uint32_t)p;
    return true;
}

/* The largest first, each to the first part with room. */
static bosc_status pack(bosc_deal *deal, bool *fits, bosc_error *err)
{
    const uint32_t n = deal->units->n;
    uint32_t *order = bosc_alloc(n, sizeof *order);

    if (order == NULL)
        return bosc_no_memory(err, "the order of neurons");
    for (uint32_t s = 0; s < n; ++s)
        order[s] = s;
    bosc_order_by(by_bytes, deal->units, n, order, deal->next);
    for (uint32_t k = 0; k < n && *fits; ++k)
        *fits = find_part(deal, order[k], true);
    free(order);
    return BOSC_OK;
}

static void make_lists(bosc_deal *deal)
{
    for (int32_t p = 0; p < deal->seats.n; ++p)
        deal->head[p] = BOSC_NONE;
    for (uint32_t s = deal->units->n; s-- > 0;) {
        uint32_t *head = &deal->head[deal->next[s]];

        deal->next[s] = *head;
        *head = s;
    }
}

static bosc_status begin(const bosc_units *units, const bosc_parts *parts,
                         bosc_deal *deal, bosc_error *err)
{
    bosc_status st;

    *deal = (bosc_deal){.units = units};
    st = bosc_seats_create(parts, &deal->seats, err);
    if (st != BOSC_OK)
        return st;
    deal->head = bosc_alloc((size_t)parts->n, sizeof *deal->head);
    deal->next = bosc_alloc(units->n, sizeof *deal->next);
    if (deal->head != NULL && deal->next != NULL)
        return BOSC_OK;
    bosc_deal_clear(deal);
    return bosc_no_memory(err, "the parts of neurons");
}

bosc_status bosc_deal_create(const bosc_units *units, const bosc_parts *parts,
                             bosc_deal_rule rule, bosc_deal *out, bool *fits,
                             bosc_error *err)
{
    bosc_status st = begin(units, parts, out, err);

    *fits = st == BOSC_OK;
    if (*fits && rule == BOSC_DEAL_FIRST)
        st = pack(out, fits, err);
    else
        for (uint32_t s = 0; s < units->n && *fits; ++s)
            *fits = find_part(out, s, false);
    *fits = *fits && st == BOSC_OK;
    if (*fits)
        make_lists(out);
    else
        bosc_deal_clear(out);
    return st;
}

bosc_status bosc_deal_again(const bosc_units *units, const bosc_parts *parts,
                            const int32_t *part, bosc_deal *out,
                            bosc_error *err)
{
    const bosc_status st = begin(units, parts, out, err);

    if (st != BOSC_OK)
        return st;
    for (uint32_t s = 0; s < units->n; ++s) {
        const uint32_t u = units->sorted[s];
        const int32_t p = part[units->member[bosc_unit_first(units, u)]];

        out->next[s] = (uint32_t)p;
        bosc_seats_add(&out->seats, p, bosc_unit_cost(units, u),
                       bosc_unit_bytes(units, u));
    }
    make_lists(out);
    return BOSC_OK;
}

void bosc_deal_clear(bosc_deal *deal)
{
    bosc_seats_clear(&deal->seats);
    free(deal->head);
    free(deal->next);
    *deal = (bosc_deal){0};
}

int64_t bosc_deal_bytes(const bosc_deal *deal, uint32_t place)
{
    return place == BOSC_NONE
               ? 0
               : bosc_unit_bytes(deal->units, deal->units->sorted[place]);
}

/* The link to the first unit of a part that is not before 'place'. */
static uint32_t *link_to(bosc_deal *deal, int32_t p, uint32_t place)
{
    uint32_t *link = &deal->head[p];

    while (*link < place)
        link = &deal->next[*link];
    return link;
}

void bosc_deal_move(bosc_deal *deal, uint32_t place, int32_t from, int32_t to)
{
    const int64_t cost = bosc_deal_cost(deal, place);
    const int64_t bytes = bosc_deal_bytes(deal, place);
    uint32_t *link;

    if (place == BOSC_NONE)
        return;
    *link_to(deal, from, place) = deal->next[place];
    link = link_to(deal, to, place);
    deal->next[place] = *link;
    *link = place;
    bosc_seats_add(&deal->seats, from, -cost, -bytes);
    bosc_seats_add(&deal->seats, to, cost, bytes);
}

static int slowest_first(const void *pa, const void *pb)
{
    const bosc_part_time *a = pa, *b = pb;

    if (a->time != b->time)
        return a->time < b->time ? 1 : -1;
    return (a->part > b->part) - (a->part < b->part);
}

void bosc_deal_sort(bosc_part_time *parts, int32_t n)
{
    qsort(parts, (size_t)n, sizeof *parts, slowest_first);
}

void bosc_deal_tell(const bosc_deal *deal, int32_t *part)
{
    const bosc_units *units = deal->units;

    for (int32_t p = 0; p < deal->seats.n; ++p)
        for (uint32_t s = deal->head[p]; s != BOSC_NONE; s = deal->next[s]) {
            const uint32_t u = units->sorted[s];

            for (uint32_t k = bosc_unit_first(units, u);
                 k < bosc_unit_first(units, u + 1); ++k)
                part[units->member[k]] = p;
        }
}
