#include "src/inbox.h"

#include <stdlib.h>
#include <string.h>

#include "src/mem.h"

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

struct bosc_inbox {
    const bosc_batch *batch;
    int64_t n_sources;
    ptrdiff_t *block_first; /* [n_blocks + 1] instances before each block */
    int64_t *first; /* [n_sources + 1] into connection; while they are added,
                       where the next one goes */
    bosc_connection *connection;
    int32_t greatest_delay;
    int64_t done; /* steps before it are delivered */
    size_t n_heard, heard_capacity;
    bosc_heard *heard; /* what may still bring events */
    size_t n_sorting, sorting_capacity;
    sorting *sorting;
    size_t counts_capacity;
    ptrdiff_t *counts; /* [n_groups * steps + 1] */
    tray trays[2];
    int turn;
    int64_t delivered;
};

bosc_status bosc_inbox_create(const bosc_batch *batch, int64_t n_sources,
                              bosc_inbox **out, bosc_error *err)
{
    const size_t n_groups = (size_t)batch->layout.n_groups;
    bosc_inbox *inbox = bosc_alloc(1, sizeof *inbox);
    bosc_status st = BOSC_OK;

    if (inbox == NULL)
        return bosc_no_memory(err, "the connections");
    inbox->batch = batch;
    inbox->n_sources = n_sources;
    inbox->first = bosc_alloc((size_t)n_sources + 1, sizeof *inbox->first);
    for (int k = 0; k < 2; ++k)
        inbox->trays[k].first = bosc_alloc(n_groups + 1, sizeof(ptrdiff_t));
    if (inbox->first == NULL || inbox->trays[0].first == NULL ||
        inbox->trays[1].first == NULL)
        st = bosc_no_memory(err, "the connections");
    if (st == BOSC_OK)
        *out = inbox;
    else
        bosc_inbox_destroy(inbox);
    return st;
}

void bosc_inbox_destroy(bosc_inbox *inbox)
{
    if (inbox == NULL)
        return;
    for (int k = 0; k < 2; ++k) {
        free(inbox->trays[k].first);
        free(inbox->trays[k].event);
    }
    free(inbox->block_first);
    free(inbox->first);
    free(inbox->connection);
    free(inbox->heard);
    free(inbox->sorting);
    free(inbox->counts);
    free(inbox);
}

int32_t bosc_inbox_instance(const bosc_inbox *inbox, int32_t block,
                            ptrdiff_t index)
{
    return (int32_t)(inbox->block_first[block] + index);
}

void bosc_inbox_count(bosc_inbox *inbox, int64_t source)
{
    ++inbox->first[source + 1];
}

/* Number the instances, block after block. */
static bosc_status number_instances(bosc_inbox *inbox, bosc_error *err)
{
    const bosc_batch *batch = inbox->batch;
    const size_t n = (size_t)batch->n_blocks;

    inbox->block_first = bosc_alloc(n + 1, sizeof *inbox->block_first);
    if (inbox->block_first == NULL)
        return bosc_no_memory(err, "the connections");
    for (size_t b = 0; b < n; ++b)
        inbox->block_first[b + 1] = inbox->block_first[b] + batch->blocks[b].n;
    if (inbox->block_first[n] > INT32_MAX)
        return bosc_fail(err, BOSC_EVALUE,
                         "%td instances of mechanisms on one rank; at most "
                         "%d: use more ranks",
                         inbox->block_first[n], INT32_MAX);
    return BOSC_OK;
}

bosc_status bosc_inbox_reserve(bosc_inbox *inbox, bosc_error *err)
{
    const int64_t n = inbox->n_sources;
    const bosc_status st = number_instances(inbox, err);

    if (st != BOSC_OK)
        return st;
    for (int64_t s = 0; s < n; ++s)
        inbox->first[s + 1] += inbox->first[s];
    inbox->connection =
        bosc_alloc((size_t)inbox->first[n], sizeof *inbox->connection);
    if (inbox->connection == NULL)
        return bosc_fail(
            err, BOSC_ENOMEM,
            "out of memory for %lld connections (%lld MB); use "
            "more ranks or nodes",
            (long long)inbox->first[n],
            (long long)(inbox->first[n] * (int64_t)sizeof *inbox->connection >>
                        20));
    return BOSC_OK;
}

void bosc_inbox_add(bosc_inbox *inbox, int64_t source,
                    const bosc_connection *connection)
{
    inbox->connection[inbox->first[source]++] = *connection;
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

bosc_status bosc_inbox_seal(bosc_inbox *inbox, bosc_error *err)
{
    int64_t longest = 0;

    /* Each 'first' has moved to the next one's. */
    memmove(inbox->first + 1, inbox->first,
            (size_t)inbox->n_sources * sizeof *inbox->first);
    inbox->first[0] = 0;
    for (int64_t s = 0; s < inbox->n_sources; ++s)
        if (inbox->first[s + 1] - inbox->first[s] > longest)
            longest = inbox->first[s + 1] - inbox->first[s];

    bosc_connection *room = bosc_alloc((size_t)longest / 2 + 1, sizeof *room);

    if (room == NULL)
        return bosc_no_memory(err, "sorting the connections");
    for (int64_t s = 0; s < inbox->n_sources; ++s) {
        const int64_t n = inbox->first[s + 1] - inbox->first[s];
        bosc_connection *c = inbox->connection + inbox->first[s];

        sort_by_delay(c, n, room);
        if (n > 0 && c[n - 1].delay > inbox->greatest_delay)
            inbox->greatest_delay = c[n - 1].delay;
    }
    free(room);
    return BOSC_OK;
}

bool bosc_inbox_listens(const bosc_inbox *inbox, int64_t source)
{
    return inbox->first[source + 1] > inbox->first[source];
}

int64_t bosc_inbox_connections(const bosc_inbox *inbox)
{
    return inbox->first[inbox->n_sources];
}

size_t bosc_inbox_bytes(const bosc_inbox *inbox)
{
    return (size_t)bosc_inbox_connections(inbox) * sizeof *inbox->connection +
           ((size_t)inbox->n_sources + 1) * sizeof *inbox->first;
}

bosc_status bosc_inbox_hear(bosc_inbox *inbox, size_t n,
                            const bosc_heard *spikes, bosc_error *err)
{
    if (!bosc_grow(&inbox->heard, &inbox->heard_capacity, inbox->n_heard + n,
                   sizeof *inbox->heard))
        return bosc_no_memory(err, "the spikes that were heard");
    for (size_t i = 0; i < n; ++i) {
        const int64_t at = inbox->first[spikes[i].source];

        if (!bosc_inbox_listens(inbox, spikes[i].source))
            continue;
        if (spikes[i].step + inbox->connection[at].delay < inbox->done)
            return bosc_fail(
                err, BOSC_EVALUE,
                "a spike of source %lld in step %lld was heard after step "
                "%lld, too late for its delay; this is an error of bosc",
                (long long)spikes[i].source, (long long)spikes[i].step,
                (long long)inbox->done);
        inbox->heard[inbox->n_heard++] = spikes[i];
    }
    return BOSC_OK;
}

static int by_source(const void *a, const void *b)
{
    const bosc_heard *x = a, *y = b;

    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return (x->step > y->step) - (x->step < y->step);
}

/* The first connection of a source whose delay is at least that. */
static int64_t first_from(const bosc_inbox *inbox, int64_t source,
                          int64_t delay)
{
    int64_t low = inbox->first[source], high = inbox->first[source + 1];

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;

        if (inbox->connection[middle].delay < delay)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The event of a connection: which group, which of its instances. */
static sorting place(const bosc_inbox *inbox, const bosc_connection *connection,
                     int64_t step)
{
    const bosc_batch *batch = inbox->batch;
    int32_t block = 0, low = 0, high = batch->layout.n_groups;

    while (inbox->block_first[block + 1] <= connection->instance)
        ++block;

    const ptrdiff_t *first = batch->blocks[block].first;
    const ptrdiff_t index = connection->instance - inbox->block_first[block];

    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;

        if (first[middle] <= index)
            low = middle;
        else
            high = middle;
    }
    return (sorting){
        low, {step, block, (int32_t)(index - first[low]), connection->weight}};
}

/* Expand the spikes, in their order, into events of from..to - 1. */
static bool expand(bosc_inbox *inbox, int64_t from, int64_t to)
{
    inbox->n_sorting = 0;
    for (size_t i = 0; i < inbox->n_heard; ++i) {
        const bosc_heard *spike = &inbox->heard[i];
        const int64_t end = first_from(inbox, spike->source, to - spike->step);
        int64_t c = first_from(inbox, spike->source, from - spike->step);

        if (!bosc_grow(&inbox->sorting, &inbox->sorting_capacity,
                       inbox->n_sorting + (size_t)(end - c),
                       sizeof *inbox->sorting))
            return false;
        for (; c < end; ++c)
            inbox->sorting[inbox->n_sorting++] =
                place(inbox, &inbox->connection[c],
                      spike->step + inbox->connection[c].delay);
    }
    return true;
}

/* Sort by group and step, stable: a counting sort. */
static bool arrange(bosc_inbox *inbox, int64_t from, int64_t to, tray *out)
{
    const size_t n_groups = (size_t)inbox->batch->layout.n_groups;
    const size_t steps = (size_t)(to - from), n = n_groups * steps;

    if (!bosc_grow(&inbox->counts, &inbox->counts_capacity, n + 1,
                   sizeof *inbox->counts) ||
        !bosc_grow(&out->event, &out->capacity, inbox->n_sorting,
                   sizeof *out->event))
        return false;
    memset(inbox->counts, 0, (n + 1) * sizeof *inbox->counts);
    for (size_t i = 0; i < inbox->n_sorting; ++i) {
        const sorting *s = &inbox->sorting[i];

        ++inbox->counts[(size_t)s->group * steps +
                        (size_t)(s->event.step - from) + 1];
    }
    for (size_t i = 0; i < n; ++i)
        inbox->counts[i + 1] += inbox->counts[i];
    for (size_t g = 0; g <= n_groups; ++g)
        out->first[g] = inbox->counts[g * steps];
    for (size_t i = 0; i < inbox->n_sorting; ++i) {
        const sorting *s = &inbox->sorting[i];

        out->event[inbox->counts[(size_t)s->group * steps +
                                 (size_t)(s->event.step - from)]++] = s->event;
    }
    return true;
}

/* Drop spikes that can bring nothing any more. */
static void drop_old(bosc_inbox *inbox)
{
    size_t kept = 0;

    for (size_t i = 0; i < inbox->n_heard; ++i)
        if (inbox->heard[i].step + inbox->greatest_delay >= inbox->done)
            inbox->heard[kept++] = inbox->heard[i];
    inbox->n_heard = kept;
}

bosc_status bosc_inbox_deliver(bosc_inbox *inbox, int64_t from, int64_t to,
                               bosc_events *events, bosc_error *err)
{
    tray *out = &inbox->trays[inbox->turn];

    if (inbox->n_heard > 1)
        qsort(inbox->heard, inbox->n_heard, sizeof *inbox->heard, by_source);
    if (!expand(inbox, from, to) || !arrange(inbox, from, to, out))
        return bosc_no_memory(err, "the events of an epoch");
    inbox->turn = !inbox->turn;
    inbox->done = to;
    inbox->delivered += (int64_t)inbox->n_sorting;
    drop_old(inbox);
    *events = (bosc_events){out->first, out->event};
    return BOSC_OK;
}

int64_t bosc_inbox_delivered(const bosc_inbox *inbox)
{
    return inbox->delivered;
}
