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
typedef struct event_queue {
    ptrdiff_t *first; /* [n_groups + 1] */
    bosc_event *event;
    size_t capacity;
} event_queue;

struct bosc_connection_table {
    const bosc_batch *batch;
    int64_t n_sources;
    ptrdiff_t *block_first; /* [n_blocks + 1] instances before each block */
    int64_t *first; /* [n_sources + 1] into connection; while they are added,
                       where the next one goes */
    bosc_connection *connection;
    int32_t greatest_delay;
    int64_t done; /* steps before it are delivered */
    size_t n_pending, pending_capacity;
    bosc_network_spike *pending; /* what may still bring events */
    size_t n_sorting, sorting_capacity;
    sorting *sorting;
    size_t counts_capacity;
    ptrdiff_t *counts; /* [n_groups * steps + 1] */
    event_queue queues[2];
    int current;
    int64_t delivered;
};

bosc_status bosc_connection_table_create(const bosc_batch *batch,
                                         int64_t n_sources,
                                         bosc_connection_table **out,
                                         bosc_error *err)
{
    const size_t n_groups = (size_t)batch->layout.n_groups;
    bosc_connection_table *table = bosc_alloc(1, sizeof *table);

    if (table == NULL)
        return bosc_no_memory(err, "the connections");
    table->batch = batch;
    table->n_sources = n_sources;

    const bosc_status st = BOSC_ALLOC(
        err, "the connections", BOSC_ARRAY(table->first, n_sources + 1),
        BOSC_ARRAY(table->queues[0].first, n_groups + 1),
        BOSC_ARRAY(table->queues[1].first, n_groups + 1));

    if (st == BOSC_OK)
        *out = table;
    else
        bosc_connection_table_destroy(table);
    return st;
}

void bosc_connection_table_destroy(bosc_connection_table *table)
{
    if (table == NULL)
        return;
    for (int k = 0; k < 2; ++k) {
        free(table->queues[k].first);
        free(table->queues[k].event);
    }
    free(table->block_first);
    free(table->first);
    free(table->connection);
    free(table->pending);
    free(table->sorting);
    free(table->counts);
    free(table);
}

int32_t bosc_connection_table_instance(const bosc_connection_table *table,
                                       int32_t block, ptrdiff_t index)
{
    return (int32_t)(table->block_first[block] + index);
}

void bosc_connection_table_count(bosc_connection_table *table, int64_t source)
{
    ++table->first[source + 1];
}

/* Number the instances, block after block. */
static bosc_status number_instances(bosc_connection_table *table,
                                    bosc_error *err)
{
    const bosc_batch *batch = table->batch;
    const size_t n = (size_t)batch->n_blocks;

    table->block_first = bosc_alloc(n + 1, sizeof *table->block_first);
    if (table->block_first == NULL)
        return bosc_no_memory(err, "the connections");
    for (size_t b = 0; b < n; ++b)
        table->block_first[b + 1] = table->block_first[b] + batch->blocks[b].n;
    if (table->block_first[n] > INT32_MAX)
        return bosc_fail(err, BOSC_EVALUE,
                         "%td instances of mechanisms on one rank; at most "
                         "%d: use more ranks",
                         table->block_first[n], INT32_MAX);
    return BOSC_OK;
}

bosc_status bosc_connection_table_reserve(bosc_connection_table *table,
                                          bosc_error *err)
{
    const int64_t n = table->n_sources;
    const bosc_status st = number_instances(table, err);

    if (st != BOSC_OK)
        return st;
    for (int64_t s = 0; s < n; ++s)
        table->first[s + 1] += table->first[s];
    table->connection =
        bosc_alloc((size_t)table->first[n], sizeof *table->connection);
    if (table->connection == NULL)
        return bosc_fail(
            err, BOSC_ENOMEM,
            "out of memory for %lld connections (%lld MB); use "
            "more ranks or nodes",
            (long long)table->first[n],
            (long long)(table->first[n] * (int64_t)sizeof *table->connection >>
                        20));
    return BOSC_OK;
}

void bosc_connection_table_add(bosc_connection_table *table, int64_t source,
                               const bosc_connection *connection)
{
    table->connection[table->first[source]++] = *connection;
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

bosc_status bosc_connection_table_seal(bosc_connection_table *table,
                                       bosc_error *err)
{
    int64_t longest = 0;

    /* Each 'first' has moved to the next one's. */
    memmove(table->first + 1, table->first,
            (size_t)table->n_sources * sizeof *table->first);
    table->first[0] = 0;
    for (int64_t s = 0; s < table->n_sources; ++s)
        if (table->first[s + 1] - table->first[s] > longest)
            longest = table->first[s + 1] - table->first[s];

    bosc_connection *room = bosc_alloc((size_t)longest / 2 + 1, sizeof *room);

    if (room == NULL)
        return bosc_no_memory(err, "sorting the connections");
    for (int64_t s = 0; s < table->n_sources; ++s) {
        const int64_t n = table->first[s + 1] - table->first[s];
        bosc_connection *c = table->connection + table->first[s];

        sort_by_delay(c, n, room);
        if (n > 0 && c[n - 1].delay > table->greatest_delay)
            table->greatest_delay = c[n - 1].delay;
    }
    free(room);
    return BOSC_OK;
}

bool bosc_connection_table_has(const bosc_connection_table *table,
                               int64_t source)
{
    return table->first[source + 1] > table->first[source];
}

int64_t bosc_connection_table_connections(const bosc_connection_table *table)
{
    return table->first[table->n_sources];
}

double bosc_connection_table_bytes(double connections, double sources)
{
    const bosc_connection_table t = {0};

    return connections * sizeof *t.connection + (sources + 1) * sizeof *t.first;
}

double bosc_connection_table_event_bytes(double groups, double steps,
                                         double events)
{
    const bosc_connection_table t = {0};

    return groups * (steps * sizeof *t.counts +
                     BOSC_LEN(t.queues) * sizeof *t.queues[0].first) +
           events * (sizeof *t.sorting +
                     BOSC_LEN(t.queues) * sizeof *t.queues[0].event);
}

bosc_status bosc_connection_table_enqueue(bosc_connection_table *table,
                                          size_t n,
                                          const bosc_network_spike *spikes,
                                          bosc_error *err)
{
    if (!bosc_grow(&table->pending, &table->pending_capacity,
                   table->n_pending + n, sizeof *table->pending))
        return bosc_no_memory(err, "the spikes of an epoch");
    for (size_t i = 0; i < n; ++i) {
        const int64_t at = table->first[spikes[i].source];

        if (!bosc_connection_table_has(table, spikes[i].source))
            continue;
        if (spikes[i].step + table->connection[at].delay < table->done)
            return bosc_fail(
                err, BOSC_EVALUE,
                "a spike of source %lld in step %lld arrived after step "
                "%lld, too late for its delay; internal error, please report",
                (long long)spikes[i].source, (long long)spikes[i].step,
                (long long)table->done);
        table->pending[table->n_pending++] = spikes[i];
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
static int64_t first_from(const bosc_connection_table *table, int64_t source,
                          int64_t delay)
{
    const int64_t low = table->first[source],
                  n = table->first[source + 1] - low;
    const bosc_connection *own = table->connection + low;

    return low + bosc_lower_bound(own, n, sizeof *own, &delay, is_earlier);
}

static bool begins_until(const void *element, const void *index)
{
    return *(const ptrdiff_t *)element <= *(const ptrdiff_t *)index;
}

/* The event of a connection: which group, which of its instances. */
static sorting locate(const bosc_connection_table *table,
                      const bosc_connection *connection, int64_t step)
{
    const bosc_batch *batch = table->batch;
    int32_t block = 0;

    while (table->block_first[block + 1] <= connection->instance)
        ++block;

    const ptrdiff_t *first = batch->blocks[block].first;
    const ptrdiff_t index = connection->instance - table->block_first[block];

    const int32_t group =
        (int32_t)bosc_lower_bound(first + 1, batch->layout.n_groups - 1,
                                  sizeof *first, &index, begins_until);

    return (sorting){
        group,
        {step, block, (int32_t)(index - first[group]), connection->weight}};
}

/* Expand the spikes, in their order, into events of from..to - 1. */
static bool expand(bosc_connection_table *table, int64_t from, int64_t to)
{
    table->n_sorting = 0;
    for (size_t i = 0; i < table->n_pending; ++i) {
        const bosc_network_spike *spike = &table->pending[i];
        const int64_t end = first_from(table, spike->source, to - spike->step);
        int64_t c = first_from(table, spike->source, from - spike->step);

        if (!bosc_grow(&table->sorting, &table->sorting_capacity,
                       table->n_sorting + (size_t)(end - c),
                       sizeof *table->sorting))
            return false;
        for (; c < end; ++c)
            table->sorting[table->n_sorting++] =
                locate(table, &table->connection[c],
                       spike->step + table->connection[c].delay);
    }
    return true;
}

/* Sort by group and step, stable: a counting sort. */
static bool arrange(bosc_connection_table *table, int64_t from, int64_t to,
                    event_queue *out)
{
    const size_t n_groups = (size_t)table->batch->layout.n_groups;
    const size_t steps = (size_t)(to - from), n = n_groups * steps;

    if (!bosc_grow(&table->counts, &table->counts_capacity, n + 1,
                   sizeof *table->counts) ||
        !bosc_grow(&out->event, &out->capacity, table->n_sorting,
                   sizeof *out->event))
        return false;
    memset(table->counts, 0, (n + 1) * sizeof *table->counts);
    for (size_t i = 0; i < table->n_sorting; ++i) {
        const sorting *s = &table->sorting[i];

        ++table->counts[(size_t)s->group * steps +
                        (size_t)(s->event.step - from) + 1];
    }
    for (size_t i = 0; i < n; ++i)
        table->counts[i + 1] += table->counts[i];
    for (size_t g = 0; g <= n_groups; ++g)
        out->first[g] = table->counts[g * steps];
    for (size_t i = 0; i < table->n_sorting; ++i) {
        const sorting *s = &table->sorting[i];

        out->event[table->counts[(size_t)s->group * steps +
                                 (size_t)(s->event.step - from)]++] = s->event;
    }
    return true;
}

/* Drop spikes that can bring nothing any more. */
static void drop_old(bosc_connection_table *table)
{
    size_t kept = 0;

    for (size_t i = 0; i < table->n_pending; ++i)
        if (table->pending[i].step + table->greatest_delay >= table->done)
            table->pending[kept++] = table->pending[i];
    table->n_pending = kept;
}

bosc_status bosc_connection_table_deliver(bosc_connection_table *table,
                                          int64_t from, int64_t to,
                                          bosc_events *events, bosc_error *err)
{
    event_queue *out = &table->queues[table->current];

    if (table->n_pending > 1)
        qsort(table->pending, table->n_pending, sizeof *table->pending,
              by_source);
    if (!expand(table, from, to) || !arrange(table, from, to, out))
        return bosc_no_memory(err, "the events of an epoch");
    table->current = !table->current;
    table->done = to;
    table->delivered += (int64_t)table->n_sorting;
    drop_old(table);
    *events = (bosc_events){out->first, out->event};
    return BOSC_OK;
}

int64_t bosc_connection_table_delivered(const bosc_connection_table *table)
{
    return table->delivered;
}
