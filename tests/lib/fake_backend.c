#include "tests/lib/fake_backend.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = FAKE_N, EPOCH = FAKE_EPOCH, EVERY = FAKE_EVERY, WIRES = 5 };

/* --- a network of which everything is known ------------------------------- */

typedef struct wire {
    int64_t source, delay;
} wire;

static bool spikes_at(const bosc_engine *e, int64_t source, int64_t step)
{
    if (source == e->all)
        return step % 4 == 0;
    return !e->plan->quiet && e->plan->spikes(source, step);
}

/* What a neuron hears, in the order of fake_backend.h. */
static void wires_of(const bosc_engine *e, int32_t i, wire wires[WIRES])
{
    const int64_t gid = e->first + i;
    const int64_t early =
        e->rank == e->plan->failing_rank ? e->plan->too_short : 0;
    const wire all[WIRES] = {
        {(gid + e->all - 1) % e->all, 2 * EPOCH - early},
        {gid, 2 * EPOCH - early},
        {e->first + (i + 2) % N, 2 * EPOCH + 7},
        {(gid + e->all / 2) % e->all, 5 * EPOCH + 3},
        {e->all, 0},
    };

    memcpy(wires, all, sizeof all);
}

static double weight_of(const wire *wires, int k)
{
    return (double)(wires[k].source * WIRES + k);
}

/* What one neuron should receive in a step: its wires whose source spiked their
 * delay ago, by (source, spike, wire). */
static int expect(const bosc_engine *e, int32_t i, int64_t step,
                  double weights[WIRES])
{
    wire wires[WIRES];
    bool taken[WIRES] = {false};
    int n = 0;

    wires_of(e, i, wires);
    for (;;) {
        int next = -1;

        for (int k = 0; k < WIRES; ++k) {
            const int64_t spike = step - wires[k].delay;

            if (taken[k] || spike < 0 || !spikes_at(e, wires[k].source, spike))
                continue;
            if (next < 0 || wires[k].source < wires[next].source ||
                (wires[k].source == wires[next].source &&
                 wires[k].delay > wires[next].delay))
                next = k;
        }
        if (next < 0)
            return n;
        taken[next] = true;
        weights[n++] = weight_of(wires, next);
    }
}

/* Has neuron i been given what it should, in order, and no more? */
static bool receives(const bosc_engine *e, int32_t i,
                     const bosc_step_input *steps)
{
    const int32_t g = e->batch.layout.group[i];
    const int32_t instance = forest_event(&e->f, &e->batch, i, 0, 0).instance;
    const bosc_event *event = steps->events->event;
    const ptrdiff_t end = steps->events->first[g + 1];
    ptrdiff_t at = steps->events->first[g];

    for (int64_t step = steps->from; step < steps->to; ++step) {
        double want[WIRES];
        const int n = expect(e, i, step, want);

        for (int k = 0; k < n; ++k, ++at) {
            while (at < end && event[at].instance != instance)
                ++at;
            if (at == end || event[at].step != step ||
                event[at].value != want[k])
                return false;
        }
    }
    while (at < end && event[at].instance != instance)
        ++at;
    return at == end;
}

static void look(bosc_engine *e, const bosc_step_input *steps)
{
    for (int32_t i = 0; i < N && steps->events != NULL; ++i)
        e->as_expected = e->as_expected && receives(e, i, steps);
}

/* --- the backend ---------------------------------------------------------- */

static void note(bosc_engine *e, const char *what, int number)
{
    const size_t used = strlen(e->log);

    snprintf(e->log + used, sizeof e->log - used, "%s%d", what, number);
}

/* Poll until the events of the next epoch are made, which needs what all ranks
 * sent after the last. */
static void overlap(bosc_engine *e, const bosc_step_input *steps)
{
    const int64_t before = bosc_connection_table_delivered(e->connection_table);
    const time_t patience = e->plan->too_short > 0 ? 0 : 10; /* s */
    const time_t began = time(NULL);

    while (bosc_connection_table_delivered(e->connection_table) == before &&
           time(NULL) <= began + patience) {
        steps->poll(steps->what);
        sched_yield();
    }
    if (bosc_connection_table_delivered(e->connection_table) > before)
        note(e, "D", e->calls - 1);
    for (int k = 0; k < 10; ++k)
        steps->poll(steps->what); /* nothing is left to do */
}

/* Spikes of somata, and of places (numbers N..) that watch the same neurons;
 * as backends do, of the steps after each step, and of step 0. */
static size_t spike(bosc_engine *e, const bosc_step_input *steps)
{
    size_t n = 0;

    for (int64_t s = steps->from; s <= steps->to; ++s)
        for (int32_t d = 0; d < 2 * N && (s > steps->from || s == 0); ++d)
            if (e->plan->spikes(e->first + d % N, s))
                e->spike[n++] = bosc_spike_detected(s, d);
    return n;
}

/* Every value is its step. */
static void frame(bosc_engine *e, const bosc_step_input *steps)
{
    double *to = steps->frames != NULL ? steps->frames[0] : e->value;

    e->values = to;
    e->n_frames = 0;
    for (int64_t s = steps->from; s <= steps->to; ++s)
        if (s % EVERY == 0 && (s > steps->from || s == 0)) {
            for (int i = 0; i < N; ++i)
                to[e->n_frames * N + i] = (double)s;
            ++e->n_frames;
        }
}

/* Each range but the first is announced, with the events that it will have. */
static bosc_status announced(bosc_engine *e, const bosc_step_input *next,
                             bool sure, bosc_error *err)
{
    (void)err;
    e->announced[0] = next->from;
    e->announced[1] = next->to;
    e->next = next->events != NULL ? next->events->event : NULL;
    ++*(sure ? &e->n_sure : &e->n_unsure);
    return BOSC_OK;
}

static bosc_status advance(bosc_engine *e, const bosc_step_input *steps,
                           bosc_step_output *record, bosc_error *err)
{
    if (steps->events != NULL) {
        note(e, "E", e->calls);
        e->as_expected = e->as_expected &&
                         (e->calls == 0 || (e->announced[0] == steps->from &&
                                            e->announced[1] == steps->to &&
                                            e->next == steps->events->event));
    }
    note(e, " U", e->calls);
    look(e, steps);
    if (e->rank == e->plan->failing_rank && e->calls == e->plan->failing_epoch)
        return bosc_fail(err, BOSC_EVALUE, "rank %d broke in epoch %d", e->rank,
                         e->calls);
    strcat(e->log, "( ");
    if (steps->poll != NULL && steps->to < FAKE_STEPS)
        overlap(e, steps);
    look(e, steps); /* the events are still there */
    strcat(e->log, " ) ");
    frame(e, steps);
    *record = (bosc_step_output){.n_spikes = spike(e, steps),
                                 .spikes = e->spike,
                                 .n_sets = 1,
                                 .n_frames = &e->n_frames,
                                 .values = &e->values};
    ++e->calls;
    return BOSC_OK;
}

const bosc_engine_ops fake_engine = {.advance = advance, .expect = announced};

/* --- setting it up -------------------------------------------------------- */

static void need(bosc_status st, const bosc_error *err)
{
    if (st != BOSC_OK) {
        printf("Bail out! %s\n", err->text);
        exit(1);
    }
}

static void connect(bosc_engine *e, bool adding)
{
    for (int32_t i = 0; i < N; ++i) {
        const bosc_event event = forest_event(&e->f, &e->batch, i, 0, 0);
        const ptrdiff_t instance =
            e->batch.blocks[0].first[e->batch.layout.group[i]] + event.instance;
        wire wires[WIRES];

        wires_of(e, i, wires);
        for (int k = 0; k < WIRES; ++k) {
            if (!adding) {
                bosc_connection_table_count(e->connection_table,
                                            wires[k].source);
                continue;
            }

            const bosc_connection c = {bosc_connection_table_instance(
                                           e->connection_table, 0, instance),
                                       (int32_t)wires[k].delay,
                                       weight_of(wires, k)};

            bosc_connection_table_add(e->connection_table, wires[k].source, &c);
        }
    }
}

void fake_create(bosc_engine *e, const fake_plan *plan, int rank, int ranks)
{
    bosc_error err;

    *e = (bosc_engine){.plan = plan,
                       .rank = rank,
                       .first = (int64_t)rank * N,
                       .all = (int64_t)ranks * N,
                       .shape = forest_shape_random(2, 0, 3),
                       .as_expected = true};
    for (int32_t i = 0; i < N; ++i) {
        e->synapses[i] = (forest_synapse){i, 1, BOSC_MECH_ExpSyn, {2, 0}};
        e->probes[i] = (forest_probe){i, 0};
    }
    e->f = (forest){.n_shapes = 1,
                    .shapes = &e->shape,
                    .n_neurons = N,
                    .shape = e->shapes,
                    .dt = 0.025,
                    .every = EVERY,
                    .n_probes = N,
                    .probes = e->probes,
                    .n_synapses = N,
                    .synapses = e->synapses};
    e->batch = forest_pack(&e->f, 2);
    need(bosc_connection_table_create(&e->batch, e->all + 1,
                                      &e->connection_table, &err),
         &err);
    connect(e, false);
    need(bosc_connection_table_reserve(e->connection_table, &err), &err);
    connect(e, true);
    need(bosc_connection_table_seal(e->connection_table, &err), &err);
}

void fake_clear(bosc_engine *e)
{
    bosc_connection_table_destroy(e->connection_table);
    bosc_batch_clear(&e->batch);
    forest_shape_clear(&e->shape);
}

bool fake_is_recorded(const bosc_engine *e, const int64_t range[2],
                      const bosc_step_output *record)
{
    const int64_t before = range[0] == 0 ? 0 : range[0] / EVERY + 1;
    size_t n = 0;
    bool same = record->n_sets == 1 &&
                record->n_frames[0] == range[1] / EVERY + 1 - before;

    for (int64_t f = 0; same && f < record->n_frames[0] * N; ++f)
        same = record->values[0][f] == (double)((before + f / N) * EVERY);
    for (int64_t s = range[0]; same && s <= range[1]; ++s)
        for (int32_t i = 0; i < N && (s > range[0] || s == 0); ++i)
            if (e->plan->spikes(e->first + i, s)) {
                same = same && n < record->n_spikes &&
                       bosc_spike_step(&record->spikes[n]) == s &&
                       record->spikes[n].source == i;
                ++n;
            }
    return same && n == record->n_spikes;
}
