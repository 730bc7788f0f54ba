#include "src/network/connection_table.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/search.h"
#include "src/base/team.h"

struct bosc_connection_table {
    const bosc_batch *batch;
    int64_t n_sources;
    int32_t n_blocks;       /* when there was room; stimuli come later */
    ptrdiff_t *block_first; /* [n_blocks + 1] instances before each block */
    int64_t *first; /* [n_sources + 1] into connection; while they are added,
                       where the next one goes */
    bosc_connection *connection;
    bool late;    /* some spikes are: */
    double *rest; /* of each connection, how much longer its delay is than in
                     steps (ms); NULL: no spike is late */
    int64_t done; /* steps before it are delivered */
    size_t n_pending, pending_capacity;
    bosc_spike *pending; /* what may still bring events */
    size_t reached_capacity;
    bosc_reached *reached; /* of pending spikes, by a range */
    size_t sums_capacity;
    size_t *sums;              /* [threads] */
    bosc_event_maker *maker;   /* NULL until there is room for connections */
    int64_t delivered, latest; /* of them in the latest range */
    size_t n_mirrored, mirrored_capacity;
    int64_t *mirrored; /* [n_mirrored] sources with connections to mirrors,
                          ascending */
};

bosc_status bosc_connection_table_create(const bosc_batch *batch,
                                         int64_t n_sources,
                                         bosc_connection_table **out,
                                         bosc_error *err)
{
    bosc_connection_table *table = bosc_alloc(1, sizeof *table);

    if (table == NULL)
        return bosc_no_memory(err, "the connections");
    table->batch = batch;
    table->n_sources = n_sources;

    const bosc_status st = BOSC_ALLOC(err, "the connections",
                                      BOSC_ARRAY(table->first, n_sources + 1));

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
    bosc_event_maker_destroy(table->maker);
    free(table->block_first);
    free(table->first);
    free(table->connection);
    free(table->rest);
    free(table->pending);
    free(table->reached);
    free(table->sums);
    free(table->mirrored);
    free(table);
}

int32_t bosc_connection_table_instance(const bosc_connection_table *table,
                                       int32_t block, ptrdiff_t index)
{
    return (int32_t)(table->block_first[block] + index);
}

void bosc_connection_table_expect_late(bosc_connection_table *table)
{
    table->late = true;
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

    table->n_blocks = batch->n_blocks;
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
    bosc_status st = number_instances(table, err);

    if (st == BOSC_OK)
        st = bosc_event_maker_create(table->batch, table->block_first,
                                     &table->maker, err);
    if (st != BOSC_OK)
        return st;
    for (int64_t s = 0; s < n; ++s)
        table->first[s + 1] += table->first[s];
    table->connection =
        bosc_alloc((size_t)table->first[n], sizeof *table->connection);
    if (table->late)
        table->rest = bosc_alloc((size_t)table->first[n], sizeof *table->rest);
    if (table->connection == NULL || (table->late && table->rest == NULL))
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

void bosc_connection_table_add_exact(bosc_connection_table *table,
                                     int64_t source,
                                     const bosc_connection *connection,
                                     double rest)
{
    if (table->rest != NULL)
        table->rest[table->first[source]] = rest;
    bosc_connection_table_add(table, source, connection);
}

/* A connection that is sorted with the rest of its delay. */
typedef struct exact {
    bosc_connection connection;
    double rest;
    int64_t number;
} exact;

static int by_exact_delay(const void *a, const void *b)
{
    const exact *x = a, *y = b;

    if (x->connection.delay != y->connection.delay)
        return x->connection.delay < y->connection.delay ? -1 : 1;
    if (x->rest != y->rest)
        return x->rest < y->rest ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* By delay to the last digit; few networks have spikes that are late. */
static void sort_exactly(bosc_connection *c, double *rest, int64_t n,
                         exact *room)
{
    for (int64_t i = 0; i < n; ++i)
        room[i] = (exact){c[i], rest[i], i};
    qsort(room, (size_t)n, sizeof *room, by_exact_delay);
    for (int64_t i = 0; i < n; ++i) {
        c[i] = room[i].connection;
        rest[i] = room[i].rest;
    }
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

    void *room =
        table->rest != NULL
            ? bosc_alloc((size_t)longest, sizeof(exact))
            : bosc_alloc((size_t)longest / 2 + 1, sizeof(bosc_connection));

    if (room == NULL)
        return bosc_no_memory(err, "sorting the connections");
    for (int64_t s = 0; s < table->n_sources; ++s) {
        const int64_t first = table->first[s];
        const int64_t n = table->first[s + 1] - first;

        if (table->rest != NULL)
            sort_exactly(table->connection + first, table->rest + first, n,
                         room);
        else
            sort_by_delay(table->connection + first, n, room);
    }
    free(room);
    return BOSC_OK;
}

bool bosc_connection_table_has(const bosc_connection_table *table,
                               int64_t source)
{
    return table->first[source + 1] > table->first[source];
}

const bosc_connection *
bosc_connection_table_of(const bosc_connection_table *table, int64_t source,
                         int64_t *n)
{
    const bool is_one = source >= 0 && source < table->n_sources;

    *n = is_one ? table->first[source + 1] - table->first[source] : 0;
    return is_one ? table->connection + table->first[source] : NULL;
}

int64_t bosc_connection_table_source(const bosc_connection_table *table,
                                     int32_t instance)
{
    for (int64_t s = 0; s < table->n_sources; ++s)
        for (int64_t c = table->first[s]; c < table->first[s + 1]; ++c)
            if (table->connection[c].instance == instance)
                return s;
    return -1;
}

/* --- mirrors -------------------------------------------------------------- */

bool bosc_connection_table_mirror(bosc_connection_table *table, int64_t source)
{
    size_t i = table->n_mirrored;

    if (!bosc_grow(&table->mirrored, &table->mirrored_capacity, i + 1,
                   sizeof *table->mirrored))
        return false;
    for (; i > 0 && table->mirrored[i - 1] > source; --i)
        ;
    if (i > 0 && table->mirrored[i - 1] == source)
        return true;
    memmove(table->mirrored + i + 1, table->mirrored + i,
            (table->n_mirrored++ - i) * sizeof *table->mirrored);
    table->mirrored[i] = source;
    return true;
}

/* How many of the connections begin..end - 1 are to mirrors. */
static int64_t count_mirrors(const bosc_connection_table *table, int64_t begin,
                             int64_t end)
{
    const ptrdiff_t *first = table->block_first;
    int64_t n = 0;

    for (int64_t c = begin; c < end; ++c) {
        const ptrdiff_t i = table->connection[c].instance;
        const int64_t b = bosc_lower_bound(first + 1, table->n_blocks,
                                           sizeof *first, &i, bosc_ends_until);

        n += table->batch->blocks[b].mirror;
    }
    return n;
}

int64_t bosc_connection_table_connections(const bosc_connection_table *table)
{
    int64_t n = table->first[table->n_sources];

    for (size_t m = 0; m < table->n_mirrored; ++m)
        n -= count_mirrors(table, table->first[table->mirrored[m]],
                           table->first[table->mirrored[m] + 1]);
    return n;
}

double bosc_connection_table_spike_bytes(double spikes)
{
    const double spare = 1.5; /* bosc_grow() */
    const bosc_connection_table t = {0};

    return spikes * (spare * sizeof *t.pending + sizeof *t.reached);
}

double bosc_connection_table_bytes(double connections, double sources)
{
    const bosc_connection_table t = {0};

    return connections * sizeof *t.connection + (sources + 1) * sizeof *t.first;
}

static bool make_sums(bosc_connection_table *table)
{
    return bosc_grow(&table->sums, &table->sums_capacity,
                     (size_t)omp_get_max_threads(), sizeof *table->sums);
}

/* Steps from that of a spike to the one before which its event comes by
 * connection i. */
static int64_t delay_of(const bosc_connection_table *table,
                        const bosc_spike *spike, int64_t i)
{
    double after;

    return table->connection[i].delay +
           (table->rest == NULL ? 0
                                : bosc_steps_later(spike->late, table->rest[i],
                                                   table->batch->dt, &after));
}

/* The step before which the event of a spike comes by connection i. */
static int64_t step_of(const bosc_connection_table *table,
                       const bosc_spike *spike, int64_t i)
{
    return bosc_spike_step(spike) + delay_of(table, spike, i);
}

/* How many of some spikes have a connection here, and in *late the first of
 * them that comes too late, if there is one. */
static size_t count_heard(const bosc_connection_table *table,
                          const bosc_spike *spikes, bosc_share some,
                          size_t *late)
{
    size_t n = 0;

    for (size_t i = some.begin; i < some.end; ++i) {
        const int64_t at = table->first[spikes[i].source];

        if (!bosc_connection_table_has(table, spikes[i].source))
            continue;
        ++n;
        if (step_of(table, &spikes[i], at) < table->done && i < *late)
            *late = i;
    }
    return n;
}

bosc_status bosc_connection_table_enqueue(bosc_connection_table *table,
                                          size_t n, const bosc_spike *spikes,
                                          bosc_error *err)
{
    size_t late = n, heard = 0;

    if (!make_sums(table) ||
        !bosc_grow(&table->pending, &table->pending_capacity,
                   table->n_pending + n, sizeof *table->pending))
        return bosc_no_memory(err, "the spikes of an epoch");
#pragma omp parallel num_threads(bosc_team(n)) reduction(min                   \
                                                         : late)               \
    reduction(max                                                              \
              : heard)
    {
        const bosc_share mine = bosc_share_of(n);
        bosc_spike *to = table->pending + table->n_pending;

        to += bosc_share_before(count_heard(table, spikes, mine, &late),
                                table->sums, &heard);
        for (size_t i = mine.begin; i < mine.end; ++i)
            if (bosc_connection_table_has(table, spikes[i].source))
                *to++ = spikes[i];
    }
    if (late < n)
        return bosc_fail(
            err, BOSC_EINTERNAL,
            "a spike of source %lld in step %lld arrived after step "
            "%lld, too late for its delay; internal error, please report",
            (long long)spikes[late].source,
            (long long)bosc_spike_step(&spikes[late]), (long long)table->done);
    table->n_pending += heard;
    return BOSC_OK;
}

/* The first connection of its source by which a spike comes in 'step' or later:
 * they are sorted by delay. */
static int64_t first_from(const bosc_connection_table *table,
                          const bosc_spike *spike, int64_t step)
{
    const int64_t delay = step - bosc_spike_step(spike);
    int64_t low = table->first[spike->source],
            high = table->first[spike->source + 1];

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;

        if (delay_of(table, spike, middle) < delay)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What some pending spikes reach in the steps from..to - 1, in the order of
 * spikes; how many events, and in *left how many spikes reach more later. */
static size_t reach(bosc_connection_table *table, bosc_share some, int64_t from,
                    int64_t to, size_t *left)
{
    size_t n = 0;

    for (size_t i = some.begin; i < some.end; ++i) {
        const bosc_spike *spike = &table->pending[i];
        const int64_t begin = first_from(table, spike, from);
        const int64_t end = first_from(table, spike, to);

        table->reached[i] = (bosc_reached){.first = begin, .before = n};
        n += (size_t)(end - begin);
        *left += end < table->first[spike->source + 1];
    }
    return n;
}

/* Of all pending spikes: the last of 'reached' has the number of events. */
static bosc_status reach_all(bosc_connection_table *table, int64_t from,
                             int64_t to, size_t *left, bosc_error *err)
{
    const size_t n = table->n_pending;
    size_t more = 0, events = 0;

    if (!make_sums(table) ||
        !bosc_grow(&table->reached, &table->reached_capacity, n + 1,
                   sizeof *table->reached))
        return bosc_no_memory(err, "the events of an epoch");
#pragma omp parallel num_threads(bosc_team(n)) \
    reduction(+ : more) reduction(max : events)
    {
        const bosc_share mine = bosc_share_of(n);
        const size_t before = bosc_share_before(
            reach(table, mine, from, to, &more), table->sums, &events);

        for (size_t i = mine.begin; i < mine.end; ++i)
            table->reached[i].before += before;
    }
    table->reached[n] = (bosc_reached){.before = events};
    *left = more;
    return BOSC_OK;
}

static bool is_before_source(const void *spike, const void *source)
{
    return ((const bosc_spike *)spike)->source < *(const int64_t *)source;
}

/* Of the range that was reached. */
static int64_t events_of_mirrors(const bosc_connection_table *table)
{
    const bosc_spike *spikes = table->pending;
    int64_t n = 0;

    for (size_t m = 0; m < table->n_mirrored; ++m)
        for (size_t i = (size_t)bosc_lower_bound(
                 spikes, (int64_t)table->n_pending, sizeof *spikes,
                 &table->mirrored[m], is_before_source);
             i < table->n_pending && spikes[i].source == table->mirrored[m];
             ++i) {
            const bosc_reached *of = &table->reached[i];

            n +=
                count_mirrors(table, of->first,
                              of->first + (int64_t)(of[1].before - of->before));
        }
    return n;
}

/* Drop spikes that bring nothing from step 'done' on. */
static void drop_old(bosc_connection_table *table, size_t left)
{
    size_t kept = 0;

    for (size_t i = 0; i < table->n_pending && kept < left; ++i) {
        const bosc_spike *spike = &table->pending[i];
        const int64_t last = table->first[spike->source + 1] - 1;

        if (step_of(table, spike, last) >= table->done)
            table->pending[kept++] = *spike;
    }
    table->n_pending = kept;
}

bosc_status bosc_connection_table_deliver(bosc_connection_table *table,
                                          int64_t from, int64_t to,
                                          bosc_events *events, bosc_error *err)
{
    size_t left = 0;
    bosc_status st = bosc_spikes_sort(table->pending, table->n_pending, err);

    if (st == BOSC_OK)
        st = reach_all(table, from, to, &left, err);
    if (st == BOSC_OK)
        st = bosc_event_maker_make(
            table->maker, from, to,
            &(bosc_arriving){.n = table->n_pending,
                             .spike = table->pending,
                             .reached = table->reached,
                             .connection = table->connection,
                             .rest = table->rest},
            events, err);
    if (st != BOSC_OK)
        return st;
    table->done = to;
    table->latest = (int64_t)table->reached[table->n_pending].before -
                    events_of_mirrors(table);
    table->delivered += table->latest;
    drop_old(table, left);
    return BOSC_OK;
}

int64_t bosc_connection_table_latest(const bosc_connection_table *table)
{
    return table->latest;
}

int64_t bosc_connection_table_delivered(const bosc_connection_table *table)
{
    return table->delivered;
}

int64_t bosc_connection_table_reach(const bosc_connection_table *table)
{
    int64_t longest = 0;

    for (int64_t s = 0; s < table->n_sources; ++s)
        if (bosc_connection_table_has(table, s) &&
            table->connection[table->first[s + 1] - 1].delay > longest)
            longest = table->connection[table->first[s + 1] - 1].delay;
    return longest + table->late;
}

void bosc_connection_table_resume(bosc_connection_table *table, int64_t step,
                                  int64_t delivered)
{
    table->done = step;
    table->delivered = delivered;
}
