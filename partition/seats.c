#include "partition/seats.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"

static void update(bosc_seats *seats, int32_t k)
{
    const bosc_seat *a = &seats->node[2 * k], *b = a + 1;

    seats->node[k].time = b->time < a->time ? b->time : a->time;
    seats->node[k].speed = b->speed > a->speed ? b->speed : a->speed;
    seats->node[k].room = b->room > a->room ? b->room : a->room;
}

typedef struct fast {
    double speed;
    int32_t part;
} fast;

static int fastest_first(const void *pa, const void *pb)
{
    const fast *a = pa, *b = pb;

    if (a->speed != b->speed)
        return a->speed < b->speed ? 1 : -1;
    return (a->part > b->part) - (a->part < b->part);
}

static bool sort_parts(const bosc_parts *parts, bosc_seats *seats)
{
    fast *sorted = bosc_alloc((size_t)parts->n, sizeof *sorted);

    if (sorted == NULL)
        return false;
    for (int32_t p = 0; p < parts->n; ++p)
        sorted[p] = (fast){bosc_part_speed(parts, p), p};
    if (parts->each != NULL)
        qsort(sorted, (size_t)parts->n, sizeof *sorted, fastest_first);
    for (int32_t k = 0; k < parts->n; ++k) {
        seats->part[k] = sorted[k].part;
        seats->leaf[sorted[k].part] = seats->leaves + k;
    }
    free(sorted);
    return true;
}

bosc_status bosc_seats_create(const bosc_parts *parts, bosc_seats *out,
                              bosc_error *err)
{
    const size_t n = (size_t)parts->n;
    bosc_seats made = {.n = parts->n, .leaves = 1};

    while (made.leaves < parts->n)
        made.leaves *= 2;
    made.node = bosc_alloc(2 * (size_t)made.leaves, sizeof *made.node);
    made.leaf = bosc_alloc(n, sizeof *made.leaf);
    made.part = bosc_alloc(n, sizeof *made.part);
    made.load = bosc_alloc(n, sizeof *made.load);
    if (made.node == NULL || made.leaf == NULL || made.part == NULL ||
        made.load == NULL || !sort_parts(parts, &made)) {
        bosc_seats_clear(&made);
        return bosc_no_memory(err, "the loads of parts");
    }
    for (int32_t k = made.n; k < made.leaves; ++k)
        made.node[made.leaves + k] = (bosc_seat){INFINITY, 1, -1};
    for (int32_t p = 0; p < parts->n; ++p)
        made.node[made.leaf[p]] =
            (bosc_seat){0, bosc_part_speed(parts, p), bosc_part_room(parts, p)};
    for (int32_t k = made.leaves - 1; k > 0; --k)
        update(&made, k);
    *out = made;
    return BOSC_OK;
}

void bosc_seats_clear(bosc_seats *seats)
{
    free(seats->node);
    free(seats->leaf);
    free(seats->part);
    free(seats->load);
    *seats = (bosc_seats){0};
}

typedef struct search {
    const bosc_seats *seats;
    double cost, done; /* when the best found is done */
    int64_t bytes;
    int32_t best;
} search;

/* No part under node k is done before. */
static double soonest(const search *s, int32_t k)
{
    const bosc_seat *node = &s->seats->node[k];

    return node->room < s->bytes ? INFINITY
                                 : node->time + s->cost / node->speed;
}

static void look_under(search *s, int32_t k)
{
    if (soonest(s, k) >= s->done)
        return;
    if (k >= s->seats->leaves) {
        s->best = s->seats->part[k - s->seats->leaves];
        s->done = soonest(s, k);
        return;
    }
    const int right_first = soonest(s, 2 * k + 1) < soonest(s, 2 * k);

    look_under(s, 2 * k + right_first);
    look_under(s, 2 * k + !right_first);
}

int32_t bosc_seats_find(const bosc_seats *seats, int64_t cost, int64_t bytes)
{
    search s = {seats, (double)cost, INFINITY, bytes, -1};

    look_under(&s, 1);
    return s.best;
}

int32_t bosc_seats_first(const bosc_seats *seats, int64_t bytes)
{
    int32_t k = 1;

    if (seats->node[k].room < bytes)
        return -1;
    while (k < seats->leaves) {
        k *= 2;
        k += seats->node[k].room < bytes;
    }
    return seats->part[k - seats->leaves];
}

/* The time of part p, and what is known above it. */
static void update_part(bosc_seats *seats, int32_t p)
{
    bosc_seat *leaf = &seats->node[seats->leaf[p]];

    leaf->time = (double)seats->load[p] / leaf->speed;
    for (int32_t k = seats->leaf[p] / 2; k > 0; k /= 2)
        update(seats, k);
}

void bosc_seats_add(bosc_seats *seats, int32_t p, int64_t cost, int64_t bytes)
{
    bosc_seat *leaf = &seats->node[seats->leaf[p]];

    seats->load[p] += cost;
    if (leaf->room != INT64_MAX)
        leaf->room -= bytes;
    update_part(seats, p);
}

void bosc_seats_speed(bosc_seats *seats, int32_t p, double speed)
{
    seats->node[seats->leaf[p]].speed = speed;
    update_part(seats, p);
}
