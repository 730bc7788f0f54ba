#include "partition/capacity.h"

#include <stdlib.h>

#include "partition/assignment.h"
#include "src/base/mem.h"
#include "src/base/progress.h"

const char *bosc_part_noun(const bosc_parts *parts)
{
    return parts->noun == NULL ? "rank" : parts->noun;
}

/* The numbers of a refusal. */
typedef struct totals {
    int64_t bytes, room; /* of all items and parts */
    int64_t most, item;  /* the bytes of the largest item; which it is */
    int64_t largest;     /* the room of the largest part */
} totals;

static totals count(const bosc_items *items, const bosc_parts *parts)
{
    totals w = {0};

    for (int64_t i = 0; i < items->n; ++i) {
        w.bytes += items->bytes[i];
        if (items->bytes[i] > w.most) {
            w.most = items->bytes[i];
            w.item = i;
        }
    }
    for (int32_t p = 0; p < parts->n; ++p) {
        const int64_t room = bosc_part_room(parts, p);

        w.room = room > INT64_MAX - w.room ? INT64_MAX : w.room + room;
        w.largest = room > w.largest ? room : w.largest;
    }
    return w;
}

bool bosc_capacity_exceeded(const bosc_items *items, const bosc_parts *parts)
{
    if (items->bytes == NULL || parts->each == NULL)
        return false;
    const totals w = count(items, parts);

    return w.bytes > w.room || w.most > w.largest;
}

/* So many parts of the largest kind, and the first as it is, take all items,
 * when they are filled one after another, the largest item first; where that
 * cannot be told, a lower bound. */
static int64_t enough_parts(const bosc_items *items, const bosc_parts *given,
                            const totals *w)
{
    /* all but the first and one more are more than half full */
    const int64_t most = 2 * (w->bytes / w->largest) + 3;
    uint32_t *order = bosc_alloc((size_t)items->n, sizeof *order);
    bosc_part *each = NULL;
    bosc_chunks chunks = {0};
    bosc_assignment assignment = {0};
    int64_t enough = 0;
    bool fits = false;

    if (order == NULL || most > INT32_MAX / 2)
        goto done;
    each = bosc_alloc((size_t)most, sizeof *each);
    for (int64_t p = 0; each != NULL && p < most; ++p)
        each[p] =
            (bosc_part){1, p == 0 ? bosc_part_room(given, 0) : w->largest};
    const bosc_parts parts = {.n = (int32_t)most, .each = each};

    if (each == NULL || bosc_chunks_order(items, order, NULL) != BOSC_OK ||
        bosc_chunks_create(items, order, &(bosc_chunk_rule){.size = 1}, &chunks,
                           NULL) != BOSC_OK ||
        bosc_assignment_create(&chunks, &parts, BOSC_ASSIGN_FIRST_FIT,
                               &assignment, &fits, NULL) != BOSC_OK)
        goto done;
    for (int64_t p = 0; fits && p < most; ++p)
        if (assignment.head[p] != BOSC_NONE)
            enough = p + 1;
done:
    free(order);
    free(each);
    bosc_chunks_clear(&chunks);
    bosc_assignment_clear(&assignment);
    return enough > 0 ? enough
                      : w->bytes / w->largest + (w->bytes % w->largest > 0);
}

bosc_status bosc_capacity_refuse(const bosc_items *items,
                                 const bosc_parts *parts, bosc_error *err)
{
    const char *noun = bosc_part_noun(parts);
    const totals w = count(items, parts);
    char need[32], room[32], each[32];

    bosc_human_bytes((double)w.largest, each);
    bosc_human_bytes((double)w.room, room);
    if (w.most > w.largest)
        return bosc_fail(err, BOSC_ENOMEM,
                         "neuron %lld needs %s, and no %s has room for more "
                         "than %s; use a %s with more memory, or fewer "
                         "compartments",
                         (long long)w.item,
                         bosc_human_bytes((double)w.most, need), noun, each,
                         noun);
    return bosc_fail(
        err, BOSC_ENOMEM,
        "%lld neurons need %s, and %d %s%s room for %s in all; use at least "
        "%lld with room for %s each",
        (long long)items->n, bosc_human_bytes((double)w.bytes, need), parts->n,
        noun, parts->n == 1 ? " has" : "s have", room,
        (long long)enough_parts(items, parts, &w), each);
}
