#include "partition/fit.h"

#include <stdio.h>
#include <stdlib.h>

#include "partition/deal.h"
#include "src/base/mem.h"

const char *bosc_part_word(const bosc_parts *parts)
{
    return parts->word == NULL ? "rank" : parts->word;
}

/* The numbers of a refusal. */
typedef struct want {
    int64_t bytes, room; /* of all items and parts */
    int64_t most, item;  /* the bytes of the largest item; which it is */
    int64_t roomiest;    /* the room of the largest part */
} want;

static want count(const bosc_items *items, const bosc_parts *parts)
{
    want w = {0};

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
        w.roomiest = room > w.roomiest ? room : w.roomiest;
    }
    return w;
}

bool bosc_fit_hopeless(const bosc_items *items, const bosc_parts *parts)
{
    if (items->bytes == NULL || parts->each == NULL)
        return false;
    const want w = count(items, parts);

    return w.bytes > w.room || w.most > w.roomiest;
}

/* So many parts of the roomiest kind, and the first as it is, take all items,
 * when they are filled one after another, the largest item first; 0: more than
 * can be told. */
static int64_t enough_parts(const bosc_items *items, const bosc_parts *given,
                            const want *w)
{
    /* all but the first and one more are more than half full */
    const int64_t most = 2 * (w->bytes / w->roomiest) + 3;
    uint32_t *order = bosc_alloc((size_t)items->n, sizeof *order);
    bosc_part *each = NULL;
    bosc_units units = {0};
    bosc_deal deal = {0};
    int64_t enough = 0;
    bool fits = false;

    if (order == NULL || most > INT32_MAX / 2)
        goto done;
    each = bosc_alloc((size_t)most, sizeof *each);
    for (int64_t p = 0; each != NULL && p < most; ++p)
        each[p] =
            (bosc_part){1, p == 0 ? bosc_part_room(given, 0) : w->roomiest};
    const bosc_parts parts = {.n = (int32_t)most, .each = each};

    if (each == NULL || bosc_units_order(items, order, NULL) != BOSC_OK ||
        bosc_units_create(items, order, &(bosc_unit_rule){.chunk = 1}, &units,
                          NULL) != BOSC_OK ||
        bosc_deal_create(&units, &parts, BOSC_DEAL_FIRST, &deal, &fits, NULL) !=
            BOSC_OK)
        goto done;
    for (int64_t p = 0; fits && p < most; ++p)
        if (deal.head[p] != BOSC_NONE)
            enough = p + 1;
done:
    free(order);
    free(each);
    bosc_units_clear(&units);
    bosc_deal_clear(&deal);
    return enough;
}

/* At least so many. */
static int64_t least_parts(const bosc_items *items, const bosc_parts *parts,
                           const want *w)
{
    const int64_t enough = enough_parts(items, parts, w);

    if (enough > 0)
        return enough;
    return w->bytes / w->roomiest + (w->bytes % w->roomiest > 0);
}

/* "7.745 GB", into text. */
static const char *print_bytes(char text[32], int64_t bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB"};
    double value = (double)bytes;
    int unit = 0;

    for (; unit < 3 && value >= 1000; ++unit)
        value /= 1000;
    snprintf(text, 32, "%.4g %s", value, units[unit]);
    return text;
}

bosc_status bosc_fit_refuse(const bosc_items *items, const bosc_parts *parts,
                            bosc_error *err)
{
    const char *word = bosc_part_word(parts);
    const want w = count(items, parts);
    char need[32], room[32], each[32];

    print_bytes(each, w.roomiest);
    print_bytes(room, w.room);
    if (w.most > w.roomiest)
        return bosc_fail(err, BOSC_ENOMEM,
                         "neuron %lld needs %s, and no %s has room for more "
                         "than %s; use a %s with more memory, or fewer "
                         "compartments",
                         (long long)w.item, print_bytes(need, w.most), word,
                         each, word);
    return bosc_fail(
        err, BOSC_ENOMEM,
        "%lld neurons need %s, and %d %s%s room for %s in all; use at least "
        "%lld with room for %s each",
        (long long)items->n, print_bytes(need, w.bytes), parts->n, word,
        parts->n == 1 ? " has" : "s have", room,
        (long long)least_parts(items, parts, &w), each);
}
