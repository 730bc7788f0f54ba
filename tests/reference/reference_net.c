#include "tests/reference/reference_net.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* While connections are listed: counted first, then added. */
typedef struct lister {
    const reference_model *m;
    const forest *f;
    const bosc_batch *batch;
    int32_t copies;
    bosc_connection_table *connection_table;
    bool adding;
} lister;

static void need(bosc_status st, const bosc_error *err)
{
    if (st != BOSC_OK) {
        printf("Bail out! %s\n", err->text);
        exit(1);
    }
}

/* NEURON delivers in the first step whose middle is not before the event. */
static int64_t step_of(const reference_model *m, double time)
{
    return (int64_t)ceil(time / m->forest.dt - 0.5);
}

static int32_t points_of(const reference_model *m, bool synapses)
{
    int32_t n = 0;

    for (size_t i = 0; i < m->points.n; ++i)
        n += (strcmp(tsv_text(&m->points, i, KIND), "IClamp") != 0) == synapses;
    return n;
}

static void connect(const lister *l, int64_t source, int32_t synapse,
                    int64_t delay, double weight)
{
    if (!l->adding) {
        bosc_connection_table_count(l->connection_table, source);
        return;
    }

    const bosc_event e = forest_event(l->f, l->batch, synapse, 0, weight);
    const forest_synapse *s = &l->f->synapses[synapse];
    const int32_t g = bosc_layout_group(
        &l->batch->layout, bosc_slot(&l->batch->layout, s->neuron, s->node));
    const bosc_connection c = {
        bosc_connection_table_instance(l->connection_table, e.block,
                                       l->batch->blocks[e.block].first[g] +
                                           e.instance),
        (int32_t)delay, weight};

    bosc_connection_table_add(l->connection_table, source, &c);
}

/* Sources are the detectors of all copies, then the events of the file. */
static void list(const lister *l)
{
    const reference_model *m = l->m;
    const int32_t n_synapses = points_of(m, true);
    const int64_t n_detectors = (int64_t)m->detectors.n;

    for (int32_t copy = 0; copy < l->copies; ++copy) {
        const int32_t base = copy * n_synapses;

        for (size_t i = 0; i < m->cons.n; ++i)
            for (int64_t d = 0; d < n_detectors; ++d)
                if (tsv_number(&m->detectors, (size_t)d, GID) ==
                    tsv_number(&m->cons, i, 0))
                    connect(l, copy * n_detectors + d,
                            base + (int32_t)tsv_number(&m->cons, i, 1),
                            step_of(m, tsv_number(&m->cons, i, 2) + 1e-10),
                            tsv_number(&m->cons, i, 3));
        for (size_t i = 0; i < m->events.n; ++i)
            connect(l, l->copies * n_detectors + (int64_t)i,
                    base + (int32_t)tsv_number(&m->events, i, 1), 0,
                    tsv_number(&m->events, i, 2));
    }
}

static int64_t find_epoch(const reference_model *m)
{
    double least = INFINITY;

    for (size_t i = 0; i < m->cons.n; ++i)
        least = fmin(least, tsv_number(&m->cons, i, 2));
    return isinf(least) ? m->n_steps : step_of(m, least + 1e-10) / 2;
}

void reference_net_create(const reference_model *m, const forest *f,
                          const bosc_batch *batch, int32_t copies,
                          reference_net *net)
{
    const int64_t n_detectors = copies * (int64_t)m->detectors.n;
    lister l = {m, f, batch, copies, NULL, false};
    bosc_error err;

    need(bosc_connection_table_create(batch, n_detectors + (int64_t)m->events.n,
                                      &l.connection_table, &err),
         &err);
    list(&l);
    need(bosc_connection_table_reserve(l.connection_table, &err), &err);
    l.adding = true;
    list(&l);
    need(bosc_connection_table_seal(l.connection_table, &err), &err);
    for (size_t i = 0; i < m->events.n; ++i) {
        const bosc_spike spike = bosc_spike_detected(
            step_of(m, tsv_number(&m->events, i, 0)), n_detectors + (int64_t)i);

        need(bosc_connection_table_enqueue(l.connection_table, 1, &spike, &err),
             &err);
    }
    *net = (reference_net){l.connection_table, find_epoch(m)};
}

void reference_net_destroy(reference_net *net)
{
    bosc_connection_table_destroy(net->connection_table);
}

bosc_status reference_net_hear(reference_net *net,
                               const bosc_step_output *record,
                               reference_spikes *spikes, bosc_error *err)
{
    const size_t before = spikes->n;

    if (!bosc_grow(&spikes->spike, &spikes->capacity, before + record->n_spikes,
                   sizeof *spikes->spike))
        return bosc_no_memory(err, "the spikes");
    for (size_t i = 0; i < record->n_spikes; ++i)
        spikes->spike[spikes->n++] = record->spikes[i];
    return bosc_connection_table_enqueue(
        net->connection_table, record->n_spikes, spikes->spike + before, err);
}
