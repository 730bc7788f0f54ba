#include "src/network/source.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include <Random123/philox.h>

#include "src/base/mem.h"
#include "src/base/random.h"

/* Keeps these draws apart from others of the seed. */
static const uint64_t stream = UINT64_C(0x736f757263657331);

/* More are a slip in the job, and would fill the memory. */
static const double most_in_a_step = 1000;

/* The sources of one spec with a connection here. */
typedef struct train {
    uint32_t hash;              /* of the spec's name */
    int64_t id;                 /* of its source 0 */
    double fixed, random, stop; /* ms; an interval is fixed + random * E */
    int64_t number;             /* events of each */
    size_t first, end;          /* in 'source' */
} train;

typedef struct source {
    int64_t number; /* in its spec */
    int64_t event;  /* the number of the next one */
    double time;    /* of the next one, ms */
} source;

struct bosc_sources {
    const bosc_connection_table *connection_table;
    philox4x32_key_t key;
    double dt;
    int64_t n_steps;
    int n_trains;
    train *train;   /* [n_trains] */
    source *source; /* [train[n_trains - 1].end] */
    size_t n_added, added_capacity, given;
    bosc_network_spike *added; /* from files; the first 'given' are emitted */
    size_t n_spikes, spikes_capacity;
    bosc_network_spike *spikes; /* of one call */
};

/* --- draws --------------------------------------------------------------- */

/* -log(x), 0 < x <= 1, the same bits everywhere (the library's last ones depend
 * on the machine): log(m) = 2 artanh(s) with s = (m - 1) / (m + 1), |s| < 0.18,
 * where eleven terms are enough. */
static double minus_log(double x)
{
    int exponent;
    double m = frexp(x, &exponent), sum = 0;

    if (m < 0.70710678118654752) {
        m *= 2;
        --exponent;
    }

    const double s = (m - 1) / (m + 1), square = s * s;

    for (int k = 21; k > 0; k -= 2)
        sum = sum * square + 1.0 / k;
    return -(exponent * 0.69314718055994531 + 2 * s * sum);
}

/* Exponential of mean 1, from 53 random bits. */
static double draw(const bosc_sources *s, const train *t, const source *from)
{
    const uint64_t number = (uint64_t)from->number;
    const uint64_t event = (uint64_t)from->event;
    const philox4x32_ctr_t counter = {
        {(uint32_t)event, t->hash ^ (uint32_t)(event >> 32), (uint32_t)number,
         (uint32_t)(number >> 32)}};
    const philox4x32_ctr_t bits = philox4x32(counter, s->key);
    const uint64_t wide = (uint64_t)bits.v[1] << 32 | bits.v[0];

    return minus_log((double)((wide >> 11) + 1) * 0x1p-53);
}

/* --- making -------------------------------------------------------------- */

static train describe(const bosc_source_spec *spec)
{
    train t = {.hash = bosc_hash(spec->name), .stop = spec->stop};

    switch (spec->type) {
    case BOSC_SOURCE_REGULAR:
        t.fixed = (1 - spec->noise) * spec->interval;
        t.random = spec->noise * spec->interval;
        t.number = spec->number;
        break;
    case BOSC_SOURCE_POISSON:
        t.random = 1000 / spec->rate; /* ms; a rate of 0 has no events */
        t.number = spec->rate > 0 ? INT64_MAX : 0;
        break;
    default: /* times from files */
        break;
    }
    return t;
}

static bosc_status check_rate(const bosc_job *job, const bosc_source_spec *spec,
                              const train *t, bosc_error *err)
{
    const double interval = t->fixed + t->random;

    if (t->number <= 1 || interval * most_in_a_step >= job->dt)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EVALUE,
                     "%s:%d: each source of '%s' has an event every %g ms, "
                     "over %g in a step of %g ms; make %s",
                     job->path, spec->line, spec->name, interval,
                     most_in_a_step, job->dt,
                     spec->type == BOSC_SOURCE_POISSON ? "the rate lower"
                                                       : "the interval longer");
}

static size_t count_heard(const bosc_connection_table *connection_table,
                          int64_t id, int64_t end)
{
    size_t n = 0;

    for (; id < end; ++id)
        n += bosc_connection_table_has(connection_table, id);
    return n;
}

/* The sources of a spec and their first events. */
static void start(bosc_sources *s, train *t, double begin, int64_t end)
{
    source *next = s->source + t->first;

    for (int64_t id = t->id; id < end; ++id)
        if (bosc_connection_table_has(s->connection_table, id)) {
            *next = (source){.number = id - t->id};
            next->time = begin + t->random * draw(s, t, next);
            ++next;
        }
}

static bosc_status fill(bosc_sources *s, const bosc_job *job,
                        const int64_t *first_id, bosc_error *err)
{
    size_t n = 0;

    for (int k = 0; k < s->n_trains; ++k) {
        train *t = &s->train[k];

        *t = describe(&job->sources[k]);

        const bosc_status st = check_rate(job, &job->sources[k], t, err);

        if (st != BOSC_OK)
            return st;
        t->id = first_id[k];
        t->first = n;
        if (t->number > 0)
            n += count_heard(s->connection_table, t->id, first_id[k + 1]);
        t->end = n;
    }
    if ((s->source = bosc_alloc(n, sizeof *s->source)) == NULL)
        return bosc_no_memory(err, "the sources of events");
    for (int k = 0; k < s->n_trains; ++k)
        if (s->train[k].number > 0)
            start(s, &s->train[k], job->sources[k].start, first_id[k + 1]);
    return BOSC_OK;
}

bosc_status bosc_sources_create(const bosc_job *job, const int64_t *first_id,
                                const bosc_connection_table *connection_table,
                                bosc_sources **out, bosc_error *err)
{
    const uint64_t key = job->seed ^ stream;
    bosc_sources *s = bosc_alloc(1, sizeof *s);
    bosc_status st;

    if (s == NULL)
        return bosc_no_memory(err, "the sources of events");
    s->connection_table = connection_table;
    s->key = (philox4x32_key_t){{(uint32_t)key, (uint32_t)(key >> 32)}};
    s->dt = job->dt;
    s->n_steps = job->n_steps;
    s->n_trains = job->n_sources;
    s->train = bosc_alloc((size_t)s->n_trains, sizeof *s->train);
    st = s->train != NULL ? fill(s, job, first_id, err)
                          : bosc_no_memory(err, "the sources of events");
    if (st == BOSC_OK)
        *out = s;
    else
        bosc_sources_destroy(s);
    return st;
}

bosc_bytes bosc_sources_bytes(double sources, double times)
{
    return (bosc_bytes){sources * sizeof(source) +
                            times * sizeof(bosc_network_spike),
                        bosc_qsort_bytes(times, sizeof(bosc_network_spike))};
}

void bosc_sources_destroy(bosc_sources *sources)
{
    if (sources == NULL)
        return;
    free(sources->train);
    free(sources->source);
    free(sources->added);
    free(sources->spikes);
    free(sources);
}

/* --- events -------------------------------------------------------------- */

/* As a double: it may be larger than any integer, or not a number, which is
 * less than nothing. */
static double step_of(const bosc_sources *s, double time)
{
    return time <= 0 ? 0 : ceil(time / s->dt - 0.5);
}

bosc_status bosc_sources_add(bosc_sources *s, int64_t id, double time,
                             bosc_error *err)
{
    const double step = step_of(s, time);

    assert(isfinite(time));
    if (!bosc_connection_table_has(s->connection_table, id) ||
        !(step < (double)s->n_steps))
        return BOSC_OK;
    if (!bosc_grow(&s->added, &s->added_capacity, s->n_added + 1,
                   sizeof *s->added))
        return bosc_no_memory(err, "the times of events");
    s->added[s->n_added++] = (bosc_network_spike){(int64_t)step, id};
    return BOSC_OK;
}

static int by_step(const void *a, const void *b)
{
    const bosc_network_spike *x = a, *y = b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return (x->source > y->source) - (x->source < y->source);
}

void bosc_sources_seal(bosc_sources *s)
{
    if (s->n_added > 1)
        qsort(s->added, s->n_added, sizeof *s->added, by_step);
}

static bool push(bosc_sources *s, int64_t step, int64_t id)
{
    if (!bosc_grow(&s->spikes, &s->spikes_capacity, s->n_spikes + 1,
                   sizeof *s->spikes))
        return false;
    s->spikes[s->n_spikes++] = (bosc_network_spike){step, id};
    return true;
}

/* The events of one source before step 'to'. */
static bool emit(bosc_sources *s, const train *t, source *from, double to)
{
    while (from->event < t->number && from->time < t->stop) {
        const double step = step_of(s, from->time);

        if (!(step < to))
            break;
        if (!push(s, (int64_t)step, t->id + from->number))
            return false;
        ++from->event;
        from->time += t->fixed + t->random * draw(s, t, from);
    }
    return true;
}

bosc_status bosc_sources_emit(bosc_sources *s, int64_t to,
                              const bosc_network_spike **spikes, size_t *n,
                              bosc_error *err)
{
    const int64_t end = to < s->n_steps ? to : s->n_steps;
    bool fine = true;

    s->n_spikes = 0;
    for (int k = 0; k < s->n_trains; ++k)
        for (size_t i = s->train[k].first; fine && i < s->train[k].end; ++i)
            fine = emit(s, &s->train[k], &s->source[i], (double)end);
    for (; fine && s->given < s->n_added && s->added[s->given].step < end;
         ++s->given)
        fine = push(s, s->added[s->given].step, s->added[s->given].source);
    if (!fine)
        return bosc_no_memory(err, "the events of an epoch");
    *spikes = s->spikes;
    *n = s->n_spikes;
    return BOSC_OK;
}
