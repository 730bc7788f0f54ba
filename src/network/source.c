#include "src/network/source.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <Random123/philox.h>

#include "src/base/mem.h"
#include "src/base/random.h"
#include "src/base/team.h"

/* Keeps these draws apart from others of the seed. */
static const uint64_t stream = UINT64_C(0x736f757263657331);

/* More are a slip in the job, and would fill the memory. */
static const double most_in_a_step = 1000;

/* The number of sources that follow each other between two looks at 'soonest',
 * and of parts that threads take one at a time. */
enum { NEIGHBOURS = 8, PARTS = 64 };

/* The sources of one spec with a connection here. */
typedef struct train {
    philox4x32_key_t key;
    uint32_t hash;              /* of the spec's name */
    int64_t id;                 /* of its source 0 */
    double fixed, random, stop; /* ms; an interval is fixed + random * E */
    int64_t number;             /* events of each */
    size_t first, end;          /* in 'source'; first: of NEIGHBOURS */
} train;

typedef struct source {
    int64_t number; /* in its spec */
    int64_t event;  /* the number of the next one */
    double time;    /* of the next one, ms */
} source;

/* The spikes of one call, from some of the sources. */
typedef struct part {
    size_t n, capacity;
    bosc_spike *spikes;
    bool failed; /* no memory */
} part;

struct bosc_sources {
    const bosc_connection_table *connection_table;
    double dt;
    int64_t n_steps;
    int n_trains;
    train *train;    /* [n_trains] */
    source *source;  /* [train[n_trains - 1].end] */
    double *soonest; /* [those / NEIGHBOURS, rounded up] the step of the first
                        event of neighbours; INFINITY: they have none left */
    part *parts;     /* [PARTS] */
    size_t n_added, added_capacity, given;
    bosc_spike *added; /* from files; the first 'given' are emitted */
    size_t n_spikes, spikes_capacity;
    bosc_spike *spikes; /* of one call */
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
static double draw(const train *t, const source *from)
{
    const uint64_t number = (uint64_t)from->number;
    const uint64_t event = (uint64_t)from->event;
    const philox4x32_ctr_t counter = {
        {(uint32_t)event, t->hash ^ (uint32_t)(event >> 32), (uint32_t)number,
         (uint32_t)(number >> 32)}};
    const philox4x32_ctr_t bits = philox4x32(counter, t->key);
    const uint64_t wide = (uint64_t)bits.v[1] << 32 | bits.v[0];

    return minus_log((double)((wide >> 11) + 1) * 0x1p-53);
}

/* --- making -------------------------------------------------------------- */

static train describe(const bosc_source_spec *spec)
{
    const uint64_t key = spec->seed ^ stream;
    train t = {.key = {{(uint32_t)key, (uint32_t)(key >> 32)}},
               .hash = bosc_hash(spec->name),
               .stop = spec->stop};

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

/* As a double: it may be larger than any integer, or not a number, which is
 * less than nothing. */
static double step_of(const bosc_sources *s, double time)
{
    return time <= 0 ? 0 : ceil(time / s->dt - 0.5);
}

/* The time of a source's next event; INFINITY: there is none. */
static double next_time(const train *t, const source *from)
{
    return from->event < t->number && from->time < t->stop ? from->time
                                                           : INFINITY;
}

/* The step of the next event of neighbours, sources i .. end - 1. */
static double soonest_of(const bosc_sources *s, const train *t, size_t i,
                         size_t end)
{
    double least = INFINITY;

    for (; i < end; ++i) {
        const double time = next_time(t, &s->source[i]);

        least = time < least ? time : least;
    }
    return step_of(s, least);
}

static size_t end_of_neighbours(const train *t, size_t i)
{
    return i + NEIGHBOURS < t->end ? i + NEIGHBOURS : t->end;
}

/* The sources of a spec and their first events. */
static void start(bosc_sources *s, const train *t, double begin, int64_t end)
{
    source *next = s->source + t->first;

    for (int64_t id = t->id; id < end; ++id)
        if (bosc_connection_table_has(s->connection_table, id))
            *next++ = (source){.number = id - t->id};
#pragma omp parallel for
    for (size_t i = t->first; i < t->end; i += NEIGHBOURS) {
        const size_t last = end_of_neighbours(t, i);

        for (size_t k = i; k < last; ++k)
            s->source[k].time = begin + t->random * draw(t, &s->source[k]);
        s->soonest[i / NEIGHBOURS] = soonest_of(s, t, i, last);
    }
}

static bosc_status fill(bosc_sources *s, const bosc_job *job,
                        const int64_t *first_id, bosc_error *err)
{
    size_t n = 0;

    for (int k = 0; k < s->n_trains; ++k) {
        train *t = &s->train[k];

        *t = describe(&job->network.sources[k]);

        const bosc_status st =
            check_rate(job, &job->network.sources[k], t, err);

        if (st != BOSC_OK)
            return st;
        t->id = first_id[k];
        n = (n + NEIGHBOURS - 1) / NEIGHBOURS * NEIGHBOURS;
        t->first = n;
        if (t->number > 0)
            n += count_heard(s->connection_table, t->id, first_id[k + 1]);
        t->end = n;
    }

    const bosc_status st =
        BOSC_ALLOC(err, "the sources of events", BOSC_ARRAY(s->source, n),
                   BOSC_ARRAY(s->soonest, (n + NEIGHBOURS - 1) / NEIGHBOURS),
                   BOSC_ARRAY(s->parts, PARTS));

    if (st != BOSC_OK)
        return st;
    for (int k = 0; k < s->n_trains; ++k)
        if (s->train[k].number > 0)
            start(s, &s->train[k], job->network.sources[k].start,
                  first_id[k + 1]);
    return BOSC_OK;
}

bosc_status bosc_sources_create(const bosc_job *job, const int64_t *first_id,
                                const bosc_connection_table *connection_table,
                                bosc_sources **out, bosc_error *err)
{
    bosc_sources *s = bosc_alloc(1, sizeof *s);
    bosc_status st;

    if (s == NULL)
        return bosc_no_memory(err, "the sources of events");
    s->connection_table = connection_table;
    s->dt = job->dt;
    s->n_steps = job->n_steps;
    s->n_trains = job->network.n_sources;
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
    const bosc_sources s = {0};

    return (bosc_bytes){
        sources * (sizeof *s.source + 1. / NEIGHBOURS * sizeof *s.soonest) +
            times * sizeof *s.added,
        bosc_qsort_bytes(times, sizeof(bosc_spike))};
}

void bosc_sources_destroy(bosc_sources *sources)
{
    if (sources == NULL)
        return;
    free(sources->train);
    free(sources->source);
    free(sources->soonest);
    for (int p = 0; sources->parts != NULL && p < PARTS; ++p)
        free(sources->parts[p].spikes);
    free(sources->parts);
    free(sources->added);
    free(sources->spikes);
    free(sources);
}

/* --- events -------------------------------------------------------------- */

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
    s->added[s->n_added++] = bosc_spike_detected((int64_t)step, id);
    return BOSC_OK;
}

void bosc_sources_seal(bosc_sources *s)
{
    if (s->n_added > 1)
        qsort(s->added, s->n_added, sizeof *s->added, bosc_spike_compare);
}

static bool push(part *p, int64_t step, int64_t id)
{
    if (!bosc_grow(&p->spikes, &p->capacity, p->n + 1, sizeof *p->spikes))
        return false;
    p->spikes[p->n++] = bosc_spike_detected(step, id);
    return true;
}

/* The events of one source before step 'to'. */
static bool emit(const bosc_sources *s, const train *t, source *from, double to,
                 part *p)
{
    for (double step; (step = step_of(s, next_time(t, from))) < to;) {
        if (!push(p, (int64_t)step, t->id + from->number))
            return false;
        ++from->event;
        from->time += t->fixed + t->random * draw(t, from);
    }
    return true;
}

/* Those of part number p, which has the same sources every time. */
static void emit_part(bosc_sources *s, int number, double to)
{
    const size_t n =
        (s->train[s->n_trains - 1].end + NEIGHBOURS - 1) / NEIGHBOURS;
    const size_t begin = n * (size_t)number / PARTS * NEIGHBOURS;
    const size_t end = n * ((size_t)number + 1) / PARTS * NEIGHBOURS;
    part *p = &s->parts[number];

    p->n = 0;
    for (int k = 0; k < s->n_trains; ++k) {
        const train *t = &s->train[k];

        for (size_t i = t->first > begin ? t->first : begin;
             i < t->end && i < end; i += NEIGHBOURS) {
            const size_t last = end_of_neighbours(t, i);

            if (!(s->soonest[i / NEIGHBOURS] < to))
                continue;
            for (size_t j = i; j < last; ++j)
                p->failed = p->failed || !emit(s, t, &s->source[j], to, p);
            s->soonest[i / NEIGHBOURS] = soonest_of(s, t, i, last);
        }
    }
}

/* The spikes of all parts, one after another, then those of files. */
static bool put_together(bosc_sources *s, int64_t end)
{
    size_t n = 0, files = s->given;

    while (files < s->n_added && bosc_spike_step(&s->added[files]) < end)
        ++files;
    for (int p = 0; p < PARTS; ++p) {
        if (s->parts[p].failed)
            return false;
        n += s->parts[p].n;
    }
    if (!bosc_grow(&s->spikes, &s->spikes_capacity, n + files - s->given,
                   sizeof *s->spikes))
        return false;
    s->n_spikes = 0;
    for (int p = 0; p < PARTS; ++p) {
        const part *from = &s->parts[p];

        if (from->n > 0)
            memcpy(s->spikes + s->n_spikes, from->spikes,
                   from->n * sizeof *s->spikes);
        s->n_spikes += from->n;
    }
    for (; s->given < files; ++s->given)
        s->spikes[s->n_spikes++] = s->added[s->given];
    return true;
}

bosc_status bosc_sources_emit(bosc_sources *s, int64_t to,
                              const bosc_spike **spikes, size_t *n,
                              bosc_error *err)
{
    const int64_t end = to < s->n_steps ? to : s->n_steps;
    const size_t n_sources =
        s->n_trains > 0 ? s->train[s->n_trains - 1].end : 0;

#pragma omp parallel for schedule(dynamic) num_threads(bosc_team(n_sources))
    for (int p = 0; p < PARTS; ++p)
        if (n_sources > 0)
            emit_part(s, p, (double)end);
    if (!put_together(s, end))
        return bosc_no_memory(err, "the events of an epoch");
    *spikes = s->spikes;
    *n = s->n_spikes;
    return BOSC_OK;
}
