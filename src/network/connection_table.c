#include "src/network/connection_table.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/search.h"

/* An event on its way into the order of its group. */
typedef struct sorting {
    int32_t group;
    bosc_event event;
} sorting;

/* The events of one range; two of them take turns. */
typedef struct tray {
    ptrdiff_t *first; /* [n_groups + 1] */
    bosc_event *event;
    size_t capacity;
} tray;

struct bosc_connection_table {
    const bosc_batch *batch;
    int64_t n_sources;
    ptrdiff_t *block_first; /* [n_blocks + 1] instances before each block */
    int64_t *first; /* [n_sources + 1] into connection; while they are added,
                       where the next one goes */
    bosc_connection *connection;
    int32_t greatest_delay;
    int64_t done; /* steps before it are delivered */
    size_t n_heard, heard_capacity;
    bosc_network_spike *heard; /* what may still bring events */
    size_t n_sorting, sorting_capacity;
    sorting *sorting;
    size_t counts_capacity;
    ptrdiff_t *counts; /* [n_groups * steps + 1] */
    tray trays[2];
    int turn;
    int64_t delivered;
};

bosc_status bosc_connection_table_create(const bosc_batch *batch,
                                         int64_t n_sources,
                                         bosc_connection_table **out,
                                         bosc_error *err)
{
    const size_t n_groups = (size_t)batch->layout.n_groups;
    bosc_connection_table *connection_table =
        bosc_alloc(1, sizeof *connection_table);
    bosc_status st = BOSC_OK;

    if (connection_table == NULL)
        return bosc_no_memory(err, "the connections");
    connection_table->batch = batch;
    connection_table->n_sources = n_sources;
    connection_table->first =
        bosc_alloc((size_t)n_sources + 1, sizeof *connection_table->first);
    for (int k = 0; k < 2; ++k)
        connection_table->trays[k].first =
            bosc_alloc(n_groups + 1, sizeof(ptrdiff_t));
    if (connection_table->first == NULL ||
        connection_table->trays[0].first == NULL ||
        connection_table->trays[1].first == NULL)
        st = bosc_no_memory(err, "the connections");
    if (st == BOSC_OK)
        *out = connection_table;
    else
        bosc_connection_table_destroy(connection_table);
    return st;
}

void bosc_connection_table_destroy(bosc_connection_table *connection_table)
{
    if (connection_table == NULL)
        return;
    for (int k = 0; k < 2; ++k) {
        free(connection_table->trays[k].first);
        free(connection_table->trays[k].event);
    }
    free(connection_table->block_first);
    free(connection_table->first);
    free(connection_table->connection);
    free(connection_table->heard);
    free(connection_table->sorting);
    free(connection_table->counts);
    free(connection_table);
}

int32_t
bosc_connection_table_instance(const bosc_connection_table *connection_table,
                               int32_t block, ptrdiff_t index)
{
    return (int32_t)(connection_table->block_first[block] + index);
}

void bosc_connection_table_count(bosc_connection_table *connection_table,
                                 int64_t source)
{
    ++connection_table->first[source + 1];
}

/* Number the instances, block after block. */
static bosc_status number_instances(bosc_connection_table *connection_table,
                                    bosc_error *err)
{
    const bosc_batch *batch = connection_table->batch;
    const size_t n = (size_t)batch->n_blocks;

    connection_table->block_first =
        bosc_alloc(n + 1, sizeof *connection_table->block_first);
    if (connection_table->block_first == NULL)
        return bosc_no_memory(err, "the connections");
    for (size_t b = 0; b < n; ++b)
        connection_table->block_first[b + 1] =
            connection_table->block_first[b] + batch->blocks[b].n;
    if (connection_table->block_first[n] > INT32_MAX)
        return bosc_fail(err, BOSC_EVALUE,
                         "%td instances of mechanisms on one rank; at most "
                         "%d: use more ranks",
                         connection_table->block_first[n], INT32_MAX);
    return BOSC_OK;
}

bosc_status
bosc_connection_table_reserve(bosc_connection_table *connection_table,
                              bosc_error *err)
{
    const int64_t n = connection_table->n_sources;
    const bosc_status st = number_instances(connection_table, err);

    if (st != BOSC_OK)
        return st;
    for (int64_t s = 0; s < n; ++s)
        connection_table->first[s + 1] += connection_table->first[s];
    connection_table->connection =
        bosc_alloc((size_t)connection_table->first[n],
                   sizeof *connection_table->connection);
    if (connection_table->connection == NULL)
        return bosc_fail(
            err, BOSC_ENOMEM,
            "out of memory for %lld connections (%lld MB); use "
            "more ranks or nodes",
            (long long)connection_table->first[n],
            (long long)(connection_table->first[n] *
                            (int64_t)sizeof *connection_table->connection >>
                        20));
    return BOSC_OK;
}

void bosc_connection_table_add(bosc_connection_table *connection_table,
                               int64_t source,
                               const bosc_connection *connection)
{
    connection_table->connection[connection_table->first[source]++] =
        *connection;
}

/* Merge two neighbouring runs that are sorted by delay; 'room' holds the first.
 */
static void merge(bosc_connection *c, int64_t middle, int64_t n,
                  bosc_connection *room)
{
    int64_t i = 0, j = middle, k = 0;

    memcpy(room, c, (size_t)middle * sizeof *c);
    while (i < middle && j < n)
        c[k++] = room[i].delay <= c[j].delay ? room[i++] : c[j++];
    while (i < middle)
        c[k++] = room[i++];
}

/* Stable; most sources have one delay, and nothing to do. */
static void sort_by_delay(bosc_connection *c, int64_t n, bosc_connection *room)
{
    int64_t sorted = 1;

    while (sorted < n && c[sorted - 1].delay <= c[sorted].delay)
        ++sorted;
    if (sorted >= n)
        return;

    const int64_t middle = n / 2;

    sort_by_delay(c, middle, room);
    sort_by_delay(c + middle, n - middle, room);
    merge(c, middle, n, room);
}

bosc_status bosc_connection_table_seal(bosc_connection_table *connection_table,
                                       bosc_error *err)
{
    int64_t longest = 0;

    /* Each 'first' has moved to the next one's. */
    memmove(connection_table->first + 1, connection_table->first,
            (size_t)connection_table->n_sources *
                sizeof *connection_table->first);
    connection_table->first[0] = 0;
    for (int64_t s = 0; s < connection_table->n_sources; ++s)
        if (connection_table->first[s + 1] - connection_table->first[s] >
            longest)
            longest =
                connection_table->first[s + 1] - connection_table->first[s];

    bosc_connection *room = bosc_alloc((size_t)longest / 2 + 1, sizeof *room);

    if (room == NULL)
        return bosc_no_memory(err, "sorting the connections");
    for (int64_t s = 0; s < connection_table->n_sources; ++s) {
        const int64_t n =
            connection_table->first[s + 1] - connection_table->first[s];
        bosc_connection *c =
            connection_table->connection + connection_table->first[s];

        sort_by_delay(c, n, room);
        if (n > 0 && c[n - 1].delay > connection_table->greatest_delay)
            connection_table->greatest_delay = c[n - 1].delay;
    }
    free(room);
    return BOSC_OK;
}

bool bosc_connection_table_has(const bosc_connection_table *connection_table,
                               int64_t source)
{
    return connection_table->first[source + 1] >
           connection_table->first[source];
}

int64_t
bosc_connection_table_connections(const bosc_connection_table *connection_table)
{
    return connection_table->first[connection_table->n_sources];
}

size_t
bosc_connection_table_bytes(const bosc_connection_table *connection_table)
{
    return (size_t)bosc_connection_table_connections(connection_table) *
               sizeof *connection_table->connection +
           ((size_t)connection_table->n_sources + 1) *
               sizeof *connection_table->first;
}

bosc_status
bosc_connection_table_enqueue(bosc_connection_table *connection_table, size_t n,
                              const bosc_network_spike *spikes, bosc_error *err)
{
    if (!bosc_grow(&connection_table->heard, &connection_table->heard_capacity,
                   connection_table->n_heard + n,
                   sizeof *connection_table->heard))
        return bosc_no_memory(err, "the spikes that were heard");
    for (size_t i = 0; i < n; ++i) {
        const int64_t at = connection_table->first[spikes[i].source];

        if (!bosc_connection_table_has(connection_table, spikes[i].source))
            continue;
        if (spikes[i].step + connection_table->connection[at].delay <
            connection_table->done)
            return bosc_fail(
                err, BOSC_EVALUE,
                "a spike of source %lld in step %lld was heard after step "
                "%lld, too late for its delay; this is an error of bosc",
                (long long)spikes[i].source, (long long)spikes[i].step,
                (long long)connection_table->done);
        connection_table->heard[connection_table->n_heard++] = spikes[i];
    }
    return BOSC_OK;
}

static int by_source(const void *a, const void *b)
{
    const bosc_network_spike *x = a, *y = b;

    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return (x->step > y->step) - (x->step < y->step);
}

static bool is_earlier(const void *element, const void *delay)
{
    return ((const bosc_connection *)element)->delay < *(const int64_t *)delay;
}

/* The first connection of a source whose delay is at least that. */
static int64_t first_from(const bosc_connection_table *connection_table,
                          int64_t source, int64_t delay)
{
    const int64_t low = connection_table->first[source],
                  n = connection_table->first[source + 1] - low;
    const bosc_connection *own = connection_table->connection + low;

    return low + bosc_lower_bound(own, n, sizeof *own, &delay, is_earlier);
}

static bool begins_until(const void *element, const void *index)
{
    return *(const ptrdiff_t *)element <= *(const ptrdiff_t *)index;
}

/* The event of a connection: which group, which of its instances. */
static sorting place(const bosc_connection_table *connection_table,
                     const bosc_connection *connection, int64_t step)
{
    const bosc_batch *batch = connection_table->batch;
    int32_t block = 0;

    while (connection_table->block_first[block + 1] <= connection->instance)
        ++block;

    const ptrdiff_t *first = batch->blocks[block].first;
    const ptrdiff_t index =
        connection->instance - connection_table->block_first[block];

    const int32_t group =
        (int32_t)bosc_lower_bound(first + 1, batch->layout.n_groups - 1,
                                  sizeof *first, &index, begins_until);

    return (sorting){
        group,
        {step, block, (int32_t)(index - first[group]), connection->weight}};
}

/* Expand the spikes, in their order, into events of from..to - 1. */
static bool expand(bosc_connection_table *connection_table, int64_t from,
                   int64_t to)
{
    connection_table->n_sorting = 0;
    for (size_t i = 0; i < connection_table->n_heard; ++i) {
        const bosc_network_spike *spike = &connection_table->heard[i];
        const int64_t end =
            first_from(connection_table, spike->source, to - spike->step);
        int64_t c =
            first_from(connection_table, spike->source, from - spike->step);

        if (!bosc_grow(&connection_table->sorting,
                       &connection_table->sorting_capacity,
                       connection_table->n_sorting + (size_t)(end - c),
                       sizeof *connection_table->sorting))
            return false;
        for (; c < end; ++c)
            connection_table->sorting[connection_table->n_sorting++] =
                place(connection_table, &connection_table->connection[c],
                      spike->step + connection_table->connection[c].delay);
    }
    return true;
}

/* Sort by group and step, stable: a counting sort. */
static bool arrange(bosc_connection_table *connection_table, int64_t from,
                    int64_t to, tray *out)
{
    const size_t n_groups = (size_t)connection_table->batch->layout.n_groups;
    const size_t steps = (size_t)(to - from), n = n_groups * steps;

    if (!bosc_grow(&connection_table->counts,
                   &connection_table->counts_capacity, n + 1,
                   sizeof *connection_table->counts) ||
        !bosc_grow(&out->event, &out->capacity, connection_table->n_sorting,
                   sizeof *out->event))
        return false;
    memset(connection_table->counts, 0,
           (n + 1) * sizeof *connection_table->counts);
    for (size_t i = 0; i < connection_table->n_sorting; ++i) {
        const sorting *s = &connection_table->sorting[i];

        ++connection_table->counts[(size_t)s->group * steps +
                                   (size_t)(s->event.step - from) + 1];
    }
    for (size_t i = 0; i < n; ++i)
        connection_table->counts[i + 1] += connection_table->counts[i];
    for (size_t g = 0; g <= n_groups; ++g)
        out->first[g] = connection_table->counts[g * steps];
    for (size_t i = 0; i < connection_table->n_sorting; ++i) {
        const sorting *s = &connection_table->sorting[i];

        out->event[connection_table->counts[(size_t)s->group * steps +
                                            (size_t)(s->event.step - from)]++] =
            s->event;
    }
    return true;
}

/* Drop spikes that can bring nothing any more. */
static void drop_old(bosc_connection_table *connection_table)
{
    size_t kept = 0;

    for (size_t i = 0; i < connection_table->n_heard; ++i)
        if (connection_table->heard[i].step +
                connection_table->greatest_delay >=
            connection_table->done)
            connection_table->heard[kept++] = connection_table->heard[i];
    connection_table->n_heard = kept;
}

bosc_status
bosc_connection_table_deliver(bosc_connection_table *connection_table,
                              int64_t from, int64_t to, bosc_events *events,
                              bosc_error *err)
{
    tray *out = &connection_table->trays[connection_table->turn];

    if (connection_table->n_heard > 1)
        qsort(connection_table->heard, connection_table->n_heard,
              sizeof *connection_table->heard, by_source);
    if (!expand(connection_table, from, to) ||
        !arrange(connection_table, from, to, out))
        return bosc_no_memory(err, "the events of an epoch");
    connection_table->turn = !connection_table->turn;
    connection_table->done = to;
    connection_table->delivered += (int64_t)connection_table->n_sorting;
    drop_old(connection_table);
    *events = (bosc_events){out->first, out->event};
    return BOSC_OK;
}

int64_t
bosc_connection_table_delivered(const bosc_connection_table *connection_table)
{
    return connection_table->delivered;
}
