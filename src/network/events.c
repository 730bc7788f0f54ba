#include "src/network/events.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/key_sort.h"
#include "src/base/mem.h"
#include "src/base/search.h"
#include "src/base/team.h"

enum {
    FEW = 4096,   /* are not worth several threads */
    BUCKETS = 512 /* at most */
};

/* Finds the group of an instance of a block: that of instance i << shift is
 * group[i]. */
typedef struct group_guide {
    int shift;
    int32_t *group;
} group_guide;

/* The events of one range; two of them take turns. */
typedef struct event_queue {
    ptrdiff_t *first; /* [n_groups + 1] */
    bosc_event *event;
    size_t capacity;
} event_queue;

struct bosc_event_maker {
    const bosc_batch *batch;
    const ptrdiff_t *block_first;
    int32_t n_guides;       /* the batch's blocks when the maker was created */
    group_guide *guides;    /* [n_guides] */
    bool timed;             /* some mechanism is told when in a step it is */
    size_t counts_capacity; /* of both: */
    size_t *counts;         /* [threads][buckets] */
    size_t dealt_capacity;  /* of an event each */
    bosc_event *dealt;      /* by bucket; 'step' is the key */
    size_t bucket_first[BUCKETS + 1];
    event_queue queues[2];
    int current;
};

_Static_assert(offsetof(bosc_event, step) == 0 &&
                   sizeof(bosc_event) <= BOSC_KEYED_SIZE,
               "events are sorted by what comes first");

/* One range of steps.  The key of an event is its group, and in the low bits
 * its step minus 'from'; that of a bucket are the keys that agree above
 * bucket_shift. */
typedef struct task {
    bosc_event_maker *maker;
    int64_t from;
    int step_bits, bucket_shift;
    size_t n_buckets, n; /* n events */
    const bosc_arriving *arriving;
    event_queue *out;
} task;

/* --- spikes --------------------------------------------------------------- */

static int by_source(const void *a, const void *b)
{
    const bosc_spike *x = a, *y = b;

    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return (x->late > y->late) - (x->late < y->late);
}

/* Of counts [threads][buckets] where each thread writes into each bucket;
 * first: [buckets + 1]. */
static void add_up(size_t *counts, size_t n_threads, size_t n_buckets,
                   size_t *first)
{
    size_t sum = 0;

    for (size_t b = 0; b < n_buckets; ++b) {
        first[b] = sum;
        for (size_t t = 0; t < n_threads; ++t) {
            const size_t n = counts[t * n_buckets + b];

            counts[t * n_buckets + b] = sum;
            sum += n;
        }
    }
    first[n_buckets] = sum;
}

static bool is_sorted(const bosc_spike *spikes, size_t n)
{
    size_t i = 1;

    while (i < n && by_source(&spikes[i - 1], &spikes[i]) <= 0)
        ++i;
    return i >= n;
}

/* Sort many spikes: those of some sources each. */
static void sort_many(bosc_spike *spikes, size_t n, bosc_spike *room,
                      size_t *counts)
{
    size_t first[BUCKETS + 1];
    int64_t low = spikes[0].source, high = low;

    for (size_t i = 1; i < n; ++i) {
        low = spikes[i].source < low ? spikes[i].source : low;
        high = spikes[i].source > high ? spikes[i].source : high;
    }

    const int more =
        bosc_bits_of((uint64_t)(high - low)) - bosc_bits_of(BUCKETS - 1);
    const int shift = more > 0 ? more : 0;

#pragma omp parallel num_threads(bosc_team(n))
    {
        const bosc_share mine = bosc_share_of(n);
        size_t *to = counts + (size_t)omp_get_thread_num() * BUCKETS;

        for (size_t i = mine.begin; i < mine.end; ++i)
            ++to[(spikes[i].source - low) >> shift];
#pragma omp barrier
#pragma omp single
        add_up(counts, (size_t)omp_get_num_threads(), BUCKETS, first);
        for (size_t i = mine.begin; i < mine.end; ++i)
            room[to[(spikes[i].source - low) >> shift]++] = spikes[i];
#pragma omp barrier
#pragma omp for schedule(dynamic, 4)
        for (int b = 0; b < BUCKETS; ++b) {
            const size_t some = first[b + 1] - first[b];

            if (some == 0)
                continue;
            memcpy(spikes + first[b], room + first[b], some * sizeof *spikes);
            if (!is_sorted(spikes + first[b], some))
                qsort(spikes + first[b], some, sizeof *spikes, by_source);
        }
    }
}

bosc_status bosc_spikes_sort(bosc_spike *spikes, size_t n, bosc_error *err)
{
    bosc_spike *room = NULL;
    size_t *counts = NULL;
    bosc_status st = BOSC_OK;

    if (is_sorted(spikes, n))
        return BOSC_OK;
    if (n < FEW) {
        qsort(spikes, n, sizeof *spikes, by_source);
        return BOSC_OK;
    }
    st = BOSC_ALLOC(err, "the spikes of an epoch", BOSC_ARRAY(room, n),
                    BOSC_ARRAY(counts, omp_get_max_threads() * BUCKETS));
    if (st == BOSC_OK)
        sort_many(spikes, n, room, counts);
    free(room);
    free(counts);
    return st;
}

/* --- the maker ------------------------------------------------------------ */

/* Twice as many entries as groups, about. */
static bosc_status make_guide(const bosc_mech_block *block, int32_t n_groups,
                              group_guide *to, bosc_error *err)
{
    int32_t g = 0;

    while (block->n >> to->shift > 2 * (ptrdiff_t)n_groups)
        ++to->shift;

    const ptrdiff_t n = (block->n >> to->shift) + 2;

    to->group = bosc_alloc((size_t)n, sizeof *to->group);
    if (to->group == NULL)
        return bosc_no_memory(err, "the connections");
    for (ptrdiff_t i = 0; i < n; ++i) {
        while (g + 1 < n_groups && block->first[g + 1] <= i << to->shift)
            ++g;
        to->group[i] = g;
    }
    return BOSC_OK;
}

bosc_status bosc_event_maker_create(const bosc_batch *batch,
                                    const ptrdiff_t *block_first,
                                    bosc_event_maker **out, bosc_error *err)
{
    const size_t n_groups = (size_t)batch->layout.n_groups;
    bosc_event_maker *maker = bosc_alloc(1, sizeof *maker);
    bosc_status st;

    if (maker == NULL)
        return bosc_no_memory(err, "the connections");
    maker->batch = batch;
    maker->block_first = block_first;
    maker->n_guides = batch->n_blocks;
    st = BOSC_ALLOC(err, "the connections",
                    BOSC_ARRAY(maker->queues[0].first, n_groups + 1),
                    BOSC_ARRAY(maker->queues[1].first, n_groups + 1),
                    BOSC_ARRAY(maker->guides, maker->n_guides));
    for (int32_t b = 0; st == BOSC_OK && b < maker->n_guides; ++b) {
        const bosc_mech_block *block = &batch->blocks[b];

        if (block->mech->formula.receive == NULL)
            continue;
        maker->timed = maker->timed || !block->mech->plain;
        st = make_guide(block, batch->layout.n_groups, &maker->guides[b], err);
    }
    if (st == BOSC_OK)
        *out = maker;
    else
        bosc_event_maker_destroy(maker);
    return st;
}

void bosc_event_maker_destroy(bosc_event_maker *maker)
{
    if (maker == NULL)
        return;
    for (int k = 0; k < 2; ++k) {
        free(maker->queues[k].first);
        free(maker->queues[k].event);
    }
    for (int32_t b = 0; maker->guides != NULL && b < maker->n_guides; ++b)
        free(maker->guides[b].group);
    free(maker->guides);
    free(maker->counts);
    free(maker->dealt);
    free(maker);
}

double bosc_event_maker_bytes(double groups, double kinds, double events)
{
    const bosc_event_maker m = {0};

    return groups * (BOSC_LEN(m.queues) * sizeof *m.queues[0].first +
                     2 * kinds * sizeof *m.guides[0].group) +
           events * (sizeof *m.dealt +
                     BOSC_LEN(m.queues) * sizeof *m.queues[0].event);
}

/* --- deal ----------------------------------------------------------------- */

static bool begins_until(const void *element, const void *index)
{
    return *(const ptrdiff_t *)element <= *(const ptrdiff_t *)index;
}

/* The event of a connection that a spike reaches after 'late' steps of the
 * range, less its delay; 'step' is its key. */
static inline bosc_event event_of(const task *k, int64_t late,
                                  const bosc_connection *connection)
{
    const bosc_event_maker *maker = k->maker;
    int32_t block = 0;

    while (maker->block_first[block + 1] <= connection->instance)
        ++block;

    const group_guide *guide = &maker->guides[block];
    const ptrdiff_t *first = maker->batch->blocks[block].first;
    const ptrdiff_t index = connection->instance - maker->block_first[block];
    const int32_t low = guide->group[index >> guide->shift];
    const int32_t high = guide->group[(index >> guide->shift) + 1];
    const int32_t group =
        low + (int32_t)bosc_lower_bound(first + low + 1, high - low,
                                        sizeof *first, &index, begins_until);

    return (bosc_event){
        .step = (int64_t)group << k->step_bits | (late + connection->delay),
        .block = block,
        .instance = (int32_t)(index - first[group]),
        .value = connection->weight,
    };
}

int64_t bosc_steps_later(double late, double rest, double dt, double *after)
{
    const double all = late + rest;
    const int64_t more = all > 0.5 * dt;

    *after = all - (more ? dt : 0);
    return more;
}

/* The same of a spike that is 'late' (ms) after 'step' of the range, where
 * exact delays count: that of the connection is 'rest' longer than in steps. */
static bosc_event exact_event_of(const task *k, int64_t step, double late,
                                 const bosc_connection *connection, double rest)
{
    const bosc_batch *batch = k->maker->batch;
    double after;
    const int64_t more = bosc_steps_later(late, rest, batch->dt, &after);
    bosc_event event = event_of(k, step + more, connection);

    if (!batch->blocks[event.block].mech->plain)
        event.value = after;
    return event;
}

static bool starts_until(const void *element, const void *number)
{
    return ((const bosc_reached *)element)->before <= *(const size_t *)number;
}

/* Make some of the events, spike after spike, and count those of each bucket.
 */
static void make_some(const task *k, bosc_share some, size_t *counts)
{
    const bosc_arriving *a = k->arriving;
    size_t at = some.begin;
    size_t i = (size_t)bosc_lower_bound(a->reached + 1, (int64_t)a->n,
                                        sizeof *a->reached, &at, starts_until);

    for (; at < some.end; ++i) {
        const bosc_spike *spike = &a->spike[i];
        const bosc_reached *reached = &a->reached[i];
        const int64_t step = bosc_spike_step(spike) - k->from;
        const size_t end =
            reached[1].before < some.end ? reached[1].before : some.end;
        int64_t c = reached->first + (int64_t)(at - reached->before);

        for (; at < end; ++at, ++c) {
            const bosc_event event =
                a->rest == NULL ? event_of(k, step, &a->connection[c])
                                : exact_event_of(k, step, spike->late,
                                                 &a->connection[c], a->rest[c]);

            k->out->event[at] = event;
            ++counts[(uint64_t)event.step >> k->bucket_shift];
        }
    }
}

/* All events into their buckets, in the order of spikes and connections. */
static void deal_all(const task *k)
{
    bosc_event_maker *maker = k->maker;

#pragma omp parallel num_threads(bosc_team(k->n))
    {
        const bosc_share mine = bosc_share_of(k->n);
        const bosc_event *made = k->out->event;
        size_t *to =
            maker->counts + (size_t)omp_get_thread_num() * k->n_buckets;

        memset(to, 0, k->n_buckets * sizeof *to);
        make_some(k, mine, to);
#pragma omp barrier
#pragma omp single
        add_up(maker->counts, (size_t)omp_get_num_threads(), k->n_buckets,
               maker->bucket_first);
        for (size_t i = mine.begin; i < mine.end; ++i)
            maker->dealt[to[(uint64_t)made[i].step >> k->bucket_shift]++] =
                made[i];
    }
}

/* --- buckets -------------------------------------------------------------- */

/* By time within a step, which 'value' is; then as numbered in 'step'. */
static int by_time(const void *a, const void *b)
{
    const bosc_event *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->step > y->step) - (x->step < y->step);
}

/* Of n events of one group in one step: those of mechanisms that are told when
 * in the step they receive one go behind the others, in the order of time.  An
 * instance may send events to itself, which are received in between; without
 * this order an event of one instance would bring forward the events that
 * another has sent to itself.  room: [n] */
static void order_step(const bosc_event_maker *maker, bosc_event *event,
                       size_t n, bosc_event *room)
{
    const bosc_mech_block *blocks = maker->batch->blocks;
    const int64_t step = event->step;
    size_t n_timed = 0, n_others = 0;
    bool sorted = true;

    for (size_t i = 0; i < n; ++i)
        if (blocks[event[i].block].mech->plain) {
            event[n_others++] = event[i];
        } else {
            sorted = sorted && (n_timed == 0 ||
                                room[n_timed - 1].value <= event[i].value);
            room[n_timed] = event[i];
            room[n_timed].step = (int64_t)n_timed;
            ++n_timed;
        }
    if (!sorted)
        qsort(room, n_timed, sizeof *room, by_time);
    for (size_t i = 0; i < n_timed; ++i) {
        event[n_others + i] = room[i];
        event[n_others + i].step = step;
    }
}

/* The same of all groups and steps of a bucket. */
static void order_steps(const bosc_event_maker *maker, bosc_event *event,
                        size_t n, bosc_event *room)
{
    size_t end;

    for (size_t from = 0; from < n; from = end) {
        for (end = from + 1; end < n && event[end].step == event[from].step;)
            ++end;
        if (end - from > 1)
            order_step(maker, event + from, end - from, room);
    }
}

/* Sort bucket b into its place; groups that begin in it begin there. */
static void finish_bucket(const task *k, size_t b)
{
    const bosc_event_maker *maker = k->maker;
    const size_t first = maker->bucket_first[b];
    const size_t n = maker->bucket_first[b + 1] - first;
    const uint64_t steps = ((uint64_t)1 << k->step_bits) - 1;
    const uint64_t end = (uint64_t)(b + 1) << k->bucket_shift;
    const int64_t n_groups = maker->batch->layout.n_groups;
    bosc_event *out = k->out->event + first;
    const bosc_keyed what = {n, sizeof *out,
                             (int64_t)((uint64_t)b << k->bucket_shift),
                             k->bucket_shift};
    const bosc_event *sorted = bosc_key_sort(&what, maker->dealt + first, out);
    int64_t g =
        (int64_t)((((uint64_t)b << k->bucket_shift) + steps) >> k->step_bits);

    for (size_t i = 0; i < n; ++i) {
        const uint64_t key = (uint64_t)sorted[i].step;

        for (; (uint64_t)g << k->step_bits <= key; ++g)
            k->out->first[g] = (ptrdiff_t)(first + i);
        if (sorted != out)
            out[i] = sorted[i];
    }
    if (maker->timed)
        order_steps(maker, out, n, maker->dealt + first);
    for (size_t i = 0; i < n; ++i)
        out[i].step = k->from + (int64_t)((uint64_t)out[i].step & steps);
    for (; g < n_groups && (uint64_t)g << k->step_bits < end; ++g)
        k->out->first[g] = (ptrdiff_t)(first + n);
}

/* --- make ----------------------------------------------------------------- */

static bosc_status make_room(const task *k, bosc_error *err)
{
    bosc_event_maker *m = k->maker;
    const size_t n_counts = (size_t)omp_get_max_threads() * k->n_buckets;

    return bosc_grow(&m->counts, &m->counts_capacity, n_counts,
                     sizeof *m->counts) &&
                   bosc_grow(&m->dealt, &m->dealt_capacity, k->n,
                             sizeof *m->dealt) &&
                   bosc_grow(&k->out->event, &k->out->capacity, k->n,
                             sizeof *k->out->event)
               ? BOSC_OK
               : bosc_no_memory(err, "the events of an epoch");
}

bosc_status bosc_event_maker_make(bosc_event_maker *maker, int64_t from,
                                  int64_t to, const bosc_arriving *arriving,
                                  bosc_events *events, bosc_error *err)
{
    const int32_t n_groups = maker->batch->layout.n_groups;
    task k = {.maker = maker,
              .from = from,
              .step_bits =
                  to > from ? bosc_bits_of((uint64_t)(to - from - 1)) : 0,
              .n = arriving->reached[arriving->n].before,
              .arriving = arriving,
              .out = &maker->queues[maker->current]};
    const int bits =
        k.step_bits + (n_groups > 0 ? bosc_bits_of((uint64_t)n_groups - 1) : 0);
    const int of_bucket = k.n >= FEW ? bosc_bits_of(BUCKETS - 1) : 0;

    k.bucket_shift = bits > of_bucket ? bits - of_bucket : 0;
    k.n_buckets = (size_t)1 << (bits - k.bucket_shift);

    const bosc_status st = make_room(&k, err);

    if (st != BOSC_OK)
        return st;
    deal_all(&k);
#pragma omp parallel for schedule(dynamic, 4) num_threads(bosc_team(k.n))
    for (size_t b = 0; b < k.n_buckets; ++b)
        finish_bucket(&k, b);
    k.out->first[n_groups] = (ptrdiff_t)k.n;
    maker->current = !maker->current;
    *events = (bosc_events){k.out->first, k.out->event};
    return BOSC_OK;
}
