/* connection_table.c - connections by source: spikes become events, in their
 * order, in time, and none is lost. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mech/builtin.h"
#include "src/network/connection_table.h"
#include "tests/lib/model_cells.h"
#include "tests/lib/tap.h"

enum { N_NEURONS = 5, N_SYNAPSES = N_NEURONS * FOREST_RECEIVER_NODES };

/* A connection, told apart by its weight: a, b, c, ... */
typedef struct link {
    int64_t source;
    int32_t synapse, delay;
} link;

typedef forest_receivers stage;

static void set_up(stage *s, int32_t width)
{
    forest_receivers_create(s, N_NEURONS, width);
}

static int32_t group_of(const stage *s, int32_t synapse)
{
    return s->batch.layout.group[s->synapses[synapse].neuron];
}

static bosc_connection_table *connect(const stage *s, int64_t n_sources,
                                      size_t n, const link *links)
{
    bosc_connection_table *connection_table = NULL;

    if (bosc_connection_table_create(&s->batch, n_sources, &connection_table,
                                     NULL) != BOSC_OK)
        return NULL;
    for (size_t i = 0; i < n; ++i)
        bosc_connection_table_count(connection_table, links[i].source);
    bosc_connection_table_reserve(connection_table, NULL);
    for (size_t i = 0; i < n; ++i) {
        const bosc_event e =
            forest_event(&s->f, &s->batch, links[i].synapse, 0, 0);
        const bosc_mech_block *block = &s->batch.blocks[e.block];
        const bosc_connection c = {
            bosc_connection_table_instance(
                connection_table, e.block,
                block->first[group_of(s, links[i].synapse)] + e.instance),
            links[i].delay, (double)i};

        bosc_connection_table_add(connection_table, links[i].source, &c);
    }
    bosc_connection_table_seal(connection_table, NULL);
    return connection_table;
}

static bool hear(bosc_connection_table *connection_table, int64_t step,
                 int64_t source)
{
    const bosc_spike spike = bosc_spike_detected(step, source);

    return bosc_connection_table_enqueue(connection_table, 1, &spike, NULL) ==
           BOSC_OK;
}

/* The events of a range, all in one group: "13a 15b 15a ". */
static bool delivers(bosc_connection_table *connection_table, int64_t from,
                     int64_t to, const char *want)
{
    char text[400] = "";
    size_t used = 0;
    bosc_events events;

    if (bosc_connection_table_deliver(connection_table, from, to, &events,
                                      NULL) != BOSC_OK)
        return false;
    for (ptrdiff_t i = events.first[0]; i < events.first[1]; ++i)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d%c ",
                                 (int)events.event[i].step,
                                 'a' + (int)events.event[i].value);
    if (strcmp(text, want) == 0)
        return true;
    diag("got '%s', not '%s'", text, want);
    return false;
}

/* --- by hand ------------------------------------------------------------- */

static void test_example(void)
{
    static const link links[] = {{0, 0, 3}, {0, 1, 5}};
    stage s;

    set_up(&s, N_NEURONS);

    bosc_connection_table *connection_table =
        connect(&s, 1, BOSC_LEN(links), links);

    ok(s.batch.layout.n_groups == 1, "the neurons are one group");
    ok(delivers(connection_table, 0, 13, "") && hear(connection_table, 12, 0) &&
           hear(connection_table, 10, 0) &&
           delivers(connection_table, 13, 16, "13a 15b 15a "),
       "the header's example is right");
    ok(delivers(connection_table, 16, 17, "") &&
           delivers(connection_table, 17, 30, "17b ") &&
           delivers(connection_table, 30, 99, ""),
       "what is left comes in the ranges that follow");
    ok(bosc_connection_table_delivered(connection_table) == 4 &&
           bosc_connection_table_connections(connection_table) == 2,
       "events and connections are counted");
    bosc_connection_table_destroy(connection_table);
    forest_receivers_clear(&s);
}

static void test_order(void)
{
    /* b and d share a delay, with c of another between them */
    static const link links[] = {{2, 0, 4}, {0, 0, 4}, {0, 0, 2},
                                 {0, 0, 4}, {1, 0, 3}, {0, 0, 0}};
    const bosc_spike spikes[] = {
        bosc_spike_detected(6, 2), bosc_spike_detected(6, 0),
        bosc_spike_detected(7, 1), bosc_spike_detected(8, 0),
        bosc_spike_detected(6, 1)};
    stage s;

    set_up(&s, N_NEURONS);

    bosc_connection_table *connection_table =
        connect(&s, 3, BOSC_LEN(links), links);
    bosc_connection_table *other = connect(&s, 3, BOSC_LEN(links), links);

    ok(bosc_connection_table_enqueue(connection_table, BOSC_LEN(spikes), spikes,
                                     NULL) == BOSC_OK &&
           delivers(connection_table, 0, 20,
                    "6f 8c 8f 9e 10b 10d 10c 10e 10a 12b 12d "),
       "events of a step come by source, spike, connection");
    for (size_t i = BOSC_LEN(spikes); i-- > 0;)
        hear(other, bosc_spike_step(&spikes[i]), spikes[i].source);
    ok(delivers(other, 0, 10, "6f 8c 8f 9e ") &&
           delivers(other, 10, 20, "10b 10d 10c 10e 10a 12b 12d "),
       "in whatever order spikes are heard");
    bosc_connection_table_destroy(connection_table);
    bosc_connection_table_destroy(other);
    forest_receivers_clear(&s);
}

static void test_long_delay(void)
{
    static const link links[] = {{0, 0, 1}, {0, 0, 95}, {0, 0, 1000}};
    stage s;

    set_up(&s, N_NEURONS);

    bosc_connection_table *connection_table =
        connect(&s, 1, BOSC_LEN(links), links);
    bool empty = true;

    hear(connection_table, 5, 0);
    empty = delivers(connection_table, 0, 10, "6a ");
    for (int from = 10; from < 100; from += 10)
        empty = empty && delivers(connection_table, from, from + 10, "");
    ok(empty && delivers(connection_table, 100, 101, "100b "),
       "a delay of many ranges ends in the right one");
    ok(hear(connection_table, 100, 0) &&
           delivers(connection_table, 101, 195, "101a ") &&
           delivers(connection_table, 195, 1005, "195b ") &&
           delivers(connection_table, 1005, 1006, "1005c ") &&
           delivers(connection_table, 1006, 2000, "1100c "),
       "spikes wait for each of their connections");
    bosc_connection_table_destroy(connection_table);
    forest_receivers_clear(&s);
}

/* --- refusals and edges -------------------------------------------------- */

static void test_lost(void)
{
    static const link links[] = {{7, 0, 30}, {7, 0, 3}};
    stage s;
    bosc_error err = {""};

    set_up(&s, N_NEURONS);

    bosc_connection_table *connection_table =
        connect(&s, 9, BOSC_LEN(links), links);

    delivers(connection_table, 0, 20, "");
    const bosc_spike late = bosc_spike_detected(16, 7);

    ok(bosc_connection_table_enqueue(connection_table, 1, &late, &err) ==
               BOSC_EINTERNAL &&
           strstr(err.text, "source 7 in step 16 arrived after step 20") !=
               NULL,
       "a spike whose first event is past is refused: %s", err.text);
    ok(hear(connection_table, 17, 7) &&
           delivers(connection_table, 20, 21, "20b "),
       "one that is just in time is not");
    ok(hear(connection_table, 0, 8) &&
           !bosc_connection_table_has(connection_table, 8) &&
           bosc_connection_table_has(connection_table, 7),
       "nor one that nobody listens to");
    bosc_connection_table_destroy(connection_table);
    forest_receivers_clear(&s);
}

static void test_empty(void)
{
    stage s;
    bosc_events events;

    set_up(&s, 2);

    bosc_connection_table *silent = connect(&s, 4, 0, NULL);
    bosc_connection_table *nobody = connect(&s, 0, 0, NULL);
    bool none = true;

    ok(hear(silent, 3, 2) && bosc_connection_table_deliver(
                                 silent, 0, 9, &events, NULL) == BOSC_OK,
       "without connections there is nothing to do");
    for (int32_t g = 0; g <= s.batch.layout.n_groups; ++g)
        none = none && events.first[g] == 0;
    ok(none && bosc_connection_table_delivered(silent) == 0,
       "so no group has events");
    ok(bosc_connection_table_deliver(nobody, 0, 5, &events, NULL) == BOSC_OK &&
           bosc_connection_table_deliver(nobody, 5, 5, &events, NULL) ==
               BOSC_OK &&
           events.first[s.batch.layout.n_groups] == 0,
       "nor are there without sources, or in a range without steps");
    ok(bosc_connection_table_connections(nobody) == 0 &&
           bosc_connection_table_bytes(0, 0) < 64,
       "which takes no memory");
    bosc_connection_table_destroy(silent);
    bosc_connection_table_destroy(nobody);
    bosc_connection_table_destroy(NULL);
    forest_receivers_clear(&s);
}

/* --- against a plain list ------------------------------------------------ */

enum { N_SOURCES = 6, N_LINKS = 300, N_SPIKES = 80, N_STEPS = 150 };

typedef struct expected {
    int32_t group;
    int64_t step, source, spike;
    int copy, link; /* spikes of one step come one after the other */
} expected;

static int by_all(const void *a, const void *b)
{
    const expected *x = a, *y = b;
    const int64_t differences[] = {x->group - y->group,   x->step - y->step,
                                   x->source - y->source, x->spike - y->spike,
                                   x->copy - y->copy,     x->link - y->link};

    for (size_t i = 0; i < BOSC_LEN(differences); ++i)
        if (differences[i] != 0)
            return differences[i] < 0 ? -1 : 1;
    return 0;
}

/* All events of steps from..to - 1, the plain way. */
static size_t expect(const stage *s, const link *links, int n_spikes,
                     const bosc_spike *spikes, const int64_t range[2],
                     expected *out)
{
    size_t n = 0;

    for (int i = 0; i < n_spikes; ++i)
        for (int k = 0; k < N_LINKS; ++k) {
            const int64_t step = bosc_spike_step(&spikes[i]) + links[k].delay;

            if (links[k].source == spikes[i].source && step >= range[0] &&
                step < range[1])
                out[n++] = (expected){
                    group_of(s, links[k].synapse), step, spikes[i].source,
                    bosc_spike_step(&spikes[i]),   i,    k};
        }
    qsort(out, n, sizeof *out, by_all);
    return n;
}

static bool is_expected(const stage *s, const link *links,
                        const bosc_events *events, size_t n,
                        const expected *want)
{
    bool same = events->first[s->batch.layout.n_groups] == (ptrdiff_t)n;

    for (size_t i = 0; same && i < n; ++i) {
        const bosc_event *got = &events->event[i];
        const int32_t g = want[i].group;
        const bosc_event like =
            forest_event(&s->f, &s->batch, links[want[i].link].synapse,
                         want[i].step, want[i].link);

        same = (ptrdiff_t)i >= events->first[g] &&
               (ptrdiff_t)i < events->first[g + 1] && got->step == like.step &&
               got->block == like.block && got->instance == like.instance &&
               got->value == like.value;
    }
    return same;
}

static void draw(link *links, int n_spikes, bosc_spike *spikes)
{
    uint64_t seed = 11;

    for (int i = 0; i < N_LINKS; ++i)
        links[i] = (link){(int64_t)(N_SOURCES * forest_uniform(&seed)),
                          (int32_t)(N_SYNAPSES * forest_uniform(&seed)),
                          20 + (int32_t)(30 * forest_uniform(&seed))};
    for (int i = 0; i < n_spikes; ++i) { /* some twice */
        const int64_t step = (int64_t)(N_STEPS * forest_uniform(&seed));

        spikes[i] = bosc_spike_detected(
            step, (int64_t)(N_SOURCES * forest_uniform(&seed)));
    }
}

/* Hear spikes when the epoch after theirs begins, as a run does; the events of
 * the range before must still be there. */
static void test_plain_list(int32_t width, int64_t epoch)
{
    static expected want[2][N_SPIKES * N_LINKS];
    static link links[N_LINKS];
    static bosc_spike spikes[N_SPIKES];
    size_t n[2] = {0, 0}, total = 0;
    bosc_events events[2];
    bool same = true;
    int turn = 0;
    stage s;

    set_up(&s, width);
    draw(links, N_SPIKES, spikes);

    bosc_connection_table *connection_table =
        connect(&s, N_SOURCES, N_LINKS, links);

    for (int64_t from = 0; from < N_STEPS + 50 && same; from += epoch) {
        const int64_t range[2] = {from, from + epoch};

        for (int i = N_SPIKES; i-- > 0;)
            if (bosc_spike_step(&spikes[i]) >= from - epoch &&
                bosc_spike_step(&spikes[i]) < from)
                same =
                    same && hear(connection_table, bosc_spike_step(&spikes[i]),
                                 spikes[i].source);
        n[turn] = expect(&s, links, N_SPIKES, spikes, range, want[turn]);
        total += n[turn];
        same =
            same &&
            bosc_connection_table_deliver(connection_table, from, from + epoch,
                                          &events[turn], NULL) == BOSC_OK &&
            is_expected(&s, links, &events[turn], n[turn], want[turn]);
        turn = !turn;
        if (from > 0)
            same = same &&
                   is_expected(&s, links, &events[turn], n[turn], want[turn]);
    }
    ok(same && total > 3000 &&
           bosc_connection_table_delivered(connection_table) == (int64_t)total,
       "%d groups, epochs of %d steps: the events of a plain list (%zu)",
       s.batch.layout.n_groups, (int)epoch, total);
    bosc_connection_table_destroy(connection_table);
    forest_receivers_clear(&s);
}

/* So many at once that threads divide them, in two ranges. */
static void test_many(int32_t width, int threads)
{
    enum { MANY = 6000 };
    static expected want[MANY * N_LINKS];
    static link links[N_LINKS];
    static bosc_spike spikes[MANY];
    const int64_t ends[] = {0, N_STEPS / 2, N_STEPS + 50};
    bosc_events events;
    size_t n[2] = {0, 0};
    bool same = true;
    stage s;

    set_up(&s, width);
    draw(links, MANY, spikes);
    omp_set_num_threads(threads);

    bosc_connection_table *connection_table =
        connect(&s, N_SOURCES, N_LINKS, links);

    same = bosc_connection_table_enqueue(connection_table, MANY, spikes,
                                         NULL) == BOSC_OK;
    for (int k = 0; k < 2; ++k) {
        n[k] = expect(&s, links, MANY, spikes, &ends[k], want);
        same = same &&
               bosc_connection_table_deliver(connection_table, ends[k],
                                             ends[k + 1], &events,
                                             NULL) == BOSC_OK &&
               is_expected(&s, links, &events, n[k], want);
    }
    ok(same && n[0] > 50000 && n[1] > 50000,
       "%d groups, %d threads: %zu and %zu events at once",
       s.batch.layout.n_groups, threads, n[0], n[1]);
    bosc_connection_table_destroy(connection_table);
    forest_receivers_clear(&s);
}

/* Spikes that reach few or no connections, and far too many steps and groups
 * for a count each. */
static void test_sparse(void)
{
    static const link links[] = {{0, 0, 3}, {0, 14, 70000}, {1, 5, 90001}};
    stage s;
    bosc_events events = {0};
    bool fine;

    set_up(&s, 1);

    bosc_connection_table *connection_table =
        connect(&s, 2, BOSC_LEN(links), links);

    for (int64_t step = 0; step < 30; ++step)
        hear(connection_table, step, step % 3 == 0);
    fine = bosc_connection_table_deliver(connection_table, 0, 100000, &events,
                                         NULL) == BOSC_OK &&
           events.first[0] == 0 && events.first[1] == 20 &&
           events.first[4] == 30 && events.first[5] == 50;
    for (ptrdiff_t g = 0; fine && g < N_NEURONS; ++g)
        for (ptrdiff_t i = events.first[g] + 1; i < events.first[g + 1]; ++i)
            fine = fine && events.event[i - 1].step < events.event[i].step;
    ok(fine && events.event[0].step == 4 && events.event[20].step == 90001 &&
           events.event[49].step == 70029,
       "a few events in a long range are in order");
    bosc_connection_table_destroy(connection_table);
    forest_receivers_clear(&s);
}

int main(void)
{
    test_example();
    test_order();
    test_long_delay();
    test_lost();
    test_empty();
    test_plain_list(1, 10);
    test_plain_list(2, 7);
    test_plain_list(N_NEURONS, 20);
    test_sparse();
    for (int threads = 1; threads <= 3; ++threads)
        test_many(threads, threads);
    test_many(N_NEURONS, 3);
    return done_testing();
}
