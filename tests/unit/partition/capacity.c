/* Who computes what where memory is short. */
#include <stdlib.h>
#include <string.h>

#include "partition/groups.h"
#include "tests/lib/tap.h"
#include "tests/unit/partition/items.h"

static bool rooms_kept(const trial *t, const bosc_parts *parts)
{
    int64_t *used = sums(t, t->bytes, parts->n);
    bool kept = true;

    for (int32_t p = 0; p < parts->n; ++p)
        kept = kept && used[p] <= parts->each[p].room;
    free(used);
    return kept;
}

static int64_t all_bytes(const trial *t)
{
    int64_t sum = 0;

    for (int64_t i = 0; i < t->n; ++i)
        sum += t->bytes[i];
    return sum;
}

static void test_rooms(void)
{
    static const struct {
        double slack;
        bool bytes_differ; /* from what the cost would say */
        const char *name;
    } cases[] = {
        {2, false, "plenty of room"},
        {1.01, false, "room for 1 % more"},
        {1.0005, false, "room for 0.05 % more"},
        {1.01, true, "room for 1 % more, and bytes that go against costs"},
        {1.004, true, "room for 0.4 % more, and such bytes"},
    };
    static bosc_part each[16];
    const bosc_parts parts = {.n = 16, .each = each, .lanes = 8};

    for (size_t c = 0; c < BOSC_LEN(cases); ++c) {
        trial t = neurons(5000, 76, 691, 8 + c);
        double share = 0;

        for (int64_t i = 0; i < t.n && cases[c].bytes_differ; ++i)
            t.bytes[i] = 100000 - 76 * (int64_t)t.size[i];
        for (int32_t p = 0; p < parts.n; ++p)
            share += 1 + p % 3;
        for (int32_t p = 0; p < parts.n; ++p)
            each[p] = (bosc_part){
                1, (int64_t)(cases[c].slack * (double)all_bytes(&t) / share *
                             (1 + p % 3))};
        ok(assign(&t, &parts) == BOSC_OK && all_inside(&t, parts.n) &&
               rooms_kept(&t, &parts),
           "no part gets more than it has room for: %s", cases[c].name);
        trial_free(&t);
    }
}

/* Groups that would fit nowhere are divided rather than refused. */
static void test_groups_without_room(void)
{
    bosc_part each[4];
    const bosc_parts parts = {.n = 4, .each = each};
    trial t = neurons(400, 100, 100, 1);
    bosc_status st;

    for (int64_t i = 0; i < t.n; ++i) /* 4 groups of 70, others alone */
        if (i < 280)
            bosc_union_join(t.leader, i / 70 * 70, i);
    for (int p = 0; p < 4; ++p)
        each[p] = (bosc_part){1, 100 * 7600};
    each[3].room = 30 * 7600;
    each[2].room = 170 * 7600;
    st = bosc_assign(
        &(bosc_items){
            .n = t.n, .cost = t.cost, .bytes = t.bytes, .leader = t.leader},
        &parts, t.part, NULL, &t.err);
    ok(st == BOSC_OK && rooms_kept(&t, &parts),
       "groups that leave no room for others are divided");
    trial_free(&t);
}

/* The number after 'what' in a message, -1: none. */
static long number_after(const char *text, const char *what)
{
    const char *at = strstr(text, what);

    return at == NULL ? -1 : strtol(at + strlen(what), NULL, 10);
}

static void test_refused(void)
{
    static bosc_part each[64];
    bosc_parts parts = {.n = 5, .each = each, .noun = "device"};
    trial t = neurons(3000, 76, 691, 4);
    const int64_t room = all_bytes(&t) / 11;
    long enough;

    for (int p = 0; p < 64; ++p)
        each[p] = (bosc_part){1, room};
    ok(assign(&t, &parts) == BOSC_ENOMEM &&
           strstr(t.err.text, "3000 neurons need") != NULL &&
           strstr(t.err.text, "5 devices have room for") != NULL,
       "what does not fit is refused with the numbers");
    enough = number_after(t.err.text, "use at least ");
    parts.n = (int32_t)enough;
    ok(enough >= 11 && enough <= 12 && assign(&t, &parts) == BOSC_OK &&
           rooms_kept(&t, &parts),
       "as many parts as the message asks for are enough (%ld)", enough);
    parts.n = 10;
    ok(assign(&t, &parts) == BOSC_ENOMEM, "and fewer would not be");
    each[0].room = room / 4;
    assign(&t, &parts);
    enough = number_after(t.err.text, "use at least ");
    parts.n = (int32_t)enough;
    ok(enough >= 12 && enough <= 13 && assign(&t, &parts) == BOSC_OK &&
           rooms_kept(&t, &parts),
       "also where the first has less room than the others (%ld)", enough);
    each[0].room = room;

    t.bytes[1234] = room + 1;
    parts.n = 64;
    ok(assign(&t, &parts) == BOSC_ENOMEM &&
           strstr(t.err.text, "neuron 1234 needs") != NULL &&
           strstr(t.err.text, "a device with more memory") != NULL,
       "a neuron that no part has room for is named");

    each[3].speed = 0;
    ok(assign(&t, &parts) == BOSC_ENOMEM, "it comes first");
    t.bytes[1234] = room;
    ok(assign(&t, &parts) == BOSC_EVALUE &&
           strstr(t.err.text, "device 3 has the speed 0") != NULL,
       "a part without speed is refused");
    trial_free(&t);
}

int main(void)
{
    test_rooms();
    test_groups_without_room();
    test_refused();
    return done_testing();
}
