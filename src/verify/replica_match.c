/* replica_match.c - where a replica's instances, probes and detectors are in
 * the batch of the run.  Those of a neuron have one order in every batch
 * (src/batch/items.h).
 */
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/base/search.h"
#include "src/verify/replica.h"

static bosc_status no_match(const bosc_replica *t, int32_t i, const char *what,
                            bosc_error *err)
{
    return bosc_fail(err, BOSC_EINTERNAL,
                     "verify: neuron %lld has other %s in the run than by "
                     "itself; please report this, with the job",
                     (long long)t->cells.gid[i], what);
}

/* --- instances ------------------------------------------------------------ */

/* The node of instance i in group g where it is of that neuron, else -1. */
static int32_t node_of(const bosc_batch *batch, int32_t g,
                       const bosc_mech_block *block, ptrdiff_t i,
                       int32_t neuron)
{
    const bosc_element at = bosc_layout_at(&batch->layout, g, block->at[i]);

    return at.neuron == neuron && at.i < batch->trees[batch->shape[neuron]].n
               ? at.i
               : -1;
}

/* Of neuron i in block b. */
static bosc_status match_instances(bosc_replica *t, int32_t i, int32_t b,
                                   bosc_error *err)
{
    const bosc_batch *here = &t->built->batch, *there = &t->run->batch;
    const int32_t g = here->layout.group[i], neuron = t->neuron[i];
    const int32_t group = there->layout.group[neuron];
    const bosc_mech_block *own = &here->blocks[b], *run = &there->blocks[b];
    const ptrdiff_t first = run->first[group], end = run->first[group + 1];
    ptrdiff_t k = own->first[g];
    const bosc_status st = BOSC_ALLOC(err, "neurons to verify",
                                      BOSC_ARRAY(t->own[i][b], end - first));

    for (ptrdiff_t at = first; st == BOSC_OK && at < end; ++at) {
        const int32_t node = node_of(there, group, run, at, neuron);

        if (node < 0)
            continue;
        if (k == own->first[g + 1] || own->at[k] != node)
            return no_match(t, i, run->mech->name, err);
        t->own[i][b][at - first] = (int32_t)(k - own->first[g]) + 1;
        t->instance[b][k++] = at;
    }
    return st != BOSC_OK || k == own->first[g + 1]
               ? st
               : no_match(t, i, run->mech->name, err);
}

static bosc_status match_blocks(bosc_replica *t, bosc_error *err)
{
    const bosc_batch *own = &t->built->batch;
    bosc_status st = BOSC_ALLOC(err, "neurons to verify",
                                BOSC_ARRAY(t->instance, own->n_blocks),
                                BOSC_ARRAY(t->own, t->cells.n),
                                BOSC_ARRAY(t->first, own->layout.n_groups + 1));

    if (st == BOSC_OK && own->n_blocks != t->run->batch.n_blocks)
        return bosc_fail(err, BOSC_EINTERNAL,
                         "verify: the run has %d mechanisms, its neurons by "
                         "themselves %d; please report this, with the job",
                         (int)t->run->batch.n_blocks, (int)own->n_blocks);
    for (int32_t b = 0; b < own->n_blocks && st == BOSC_OK; ++b)
        st = BOSC_ALLOC(err, "neurons to verify",
                        BOSC_ARRAY(t->instance[b], own->blocks[b].n));
    for (int32_t i = 0; i < t->cells.n && st == BOSC_OK; ++i)
        st = BOSC_ALLOC(err, "neurons to verify",
                        BOSC_ARRAY(t->own[i], own->n_blocks));
    for (int32_t i = 0; i < t->cells.n; ++i)
        for (int32_t b = 0; b < own->n_blocks && st == BOSC_OK; ++b)
            st = match_instances(t, i, b, err);
    return st;
}

/* --- detectors ------------------------------------------------------------ */

/* Is source s of the replica source 'run' of the run?  Of a projection they
 * have one id; of a probe they are in one place. */
static bool is_source(const bosc_replica *t, int32_t s, int32_t run)
{
    const bosc_built_batch *a = t->built, *b = t->run;
    const int32_t i = s - a->first_detecting, j = run - b->first_detecting;

    if (i < 0 || j < 0)
        return i < 0 && j < 0 && a->id[s] == b->id[run];

    const bosc_detecting *own = &a->detecting[i], *there = &b->detecting[j];
    const bosc_column *at = &a->columns[own->probe].column[own->column];
    const bosc_column *on = &b->columns[there->probe].column[there->column];

    return own->probe == there->probe && at->gid == on->gid &&
           at->node == on->node;
}

/* The somata of all neurons come first, then places, by their ids, then those
 * of probes. */
static bosc_status match_sources(bosc_replica *t, bosc_error *err)
{
    const bosc_batch *own = &t->built->batch;
    const ptrdiff_t n = own->n_detectors, n_run = t->run->batch.n_detectors;
    ptrdiff_t at = t->run->batch.layout.n_neurons;
    const bosc_status st =
        BOSC_ALLOC(err, "neurons to verify", BOSC_ARRAY(t->source, n),
                   BOSC_ARRAY(t->detector, n));

    if (st != BOSC_OK)
        return st;
    for (ptrdiff_t d = 0; d < n; ++d)
        t->detector[own->detectors[d].source] = d;
    for (ptrdiff_t s = 0; s < n; ++s) {
        if (s < t->cells.n) {
            t->source[s] = t->neuron[s];
            continue;
        }
        while (at < n_run && !is_source(t, (int32_t)s, (int32_t)at))
            ++at;
        if (at == n_run)
            return no_match(t, 0, "spike detectors", err);
        t->source[s] = (int32_t)at;
    }
    return BOSC_OK;
}

int32_t bosc_replica_source(const bosc_replica *t, int32_t there)
{
    const ptrdiff_t n = t->built->batch.n_detectors;
    const ptrdiff_t at = bosc_lower_bound(t->source, n, sizeof *t->source,
                                          &there, bosc_before_int32);

    return at < n && t->source[at] == there ? (int32_t)at : -1;
}

/* --- probes --------------------------------------------------------------- */

static const bosc_column *column_of(const bosc_built_batch *built, int32_t s,
                                    ptrdiff_t i)
{
    const bosc_recorded *set = &built->sets[s];

    return &built->columns[set->probe].column[set->column[i]];
}

static bosc_status match_set(bosc_replica *t, int32_t s, bosc_error *err)
{
    const ptrdiff_t n = t->built->batch.sets[s].n;
    const ptrdiff_t n_run = t->run->batch.sets[s].n;
    ptrdiff_t at = 0;
    const bosc_status st =
        BOSC_ALLOC(err, "neurons to verify", BOSC_ARRAY(t->value[s], n));

    /* what a neuron gives at an electrode is not compared: it follows from
     * voltages */
    if (t->job->probes[t->built->sets[s].probe].electrodes.n > 0)
        return st;
    for (ptrdiff_t i = 0; st == BOSC_OK && i < n; ++i) {
        const bosc_column *own = column_of(t->built, s, i);

        for (; at < n_run; ++at) {
            const bosc_column *run = column_of(t->run, s, at);

            if (run->gid == own->gid && run->node == own->node)
                break;
        }
        if (at == n_run)
            return no_match(t, 0, "probes", err);
        t->value[s][i] = at;
    }
    return st;
}

bosc_status bosc_replica_match(bosc_replica *t, const bosc_built_batch *run,
                               bosc_error *err)
{
    t->run = run;

    bosc_status st = match_blocks(t, err);

    if (st == BOSC_OK)
        st = match_sources(t, err);
    if (st == BOSC_OK)
        st = BOSC_ALLOC(err, "neurons to verify",
                        BOSC_ARRAY(t->value, t->built->n_sets));
    for (int32_t s = 0; s < t->built->n_sets && st == BOSC_OK; ++s)
        st = match_set(t, s, err);
    return st;
}

/* --- the state of a checkpoint -------------------------------------------- */

static void take_values(bosc_replica *t, int32_t i)
{
    const bosc_batch *own = &t->built->batch, *run = &t->run->batch;
    const int32_t g = own->layout.group[i];

    for (int32_t node = 0; node < own->trees[own->shape[i]].n; ++node)
        own->v[bosc_slot(&own->layout, i, node)] =
            run->v[bosc_slot(&run->layout, t->neuron[i], node)];
    for (int32_t b = 0; b < own->n_blocks; ++b)
        for (ptrdiff_t k = own->blocks[b].first[g];
             k < own->blocks[b].first[g + 1]; ++k)
            for (int j = 0; j < own->blocks[b].mech->n_states; ++j)
                own->blocks[b].state[j][k] =
                    run->blocks[b].state[j][t->instance[b][k]];
}

static void take_detectors(bosc_replica *t)
{
    const bosc_batch *run = &t->run->batch;

    for (ptrdiff_t d = 0; d < run->n_detectors; ++d) {
        const int32_t s = bosc_replica_source(t, run->detectors[d].source);

        if (s >= 0)
            t->built->batch.detectors[t->detector[s]].above =
                run->detectors[d].above;
    }
}

/* What its instances have sent to themselves, instead of what INITIAL has. */
static void take_self_events(bosc_replica *t, int32_t i)
{
    bosc_batch *own = &t->built->batch;
    const int32_t g = own->layout.group[i];
    const bosc_self_events *sent =
        &t->run->batch.self[t->run->batch.layout.group[t->neuron[i]]];

    own->self[g].from = own->self[g].n = 0;
    for (size_t e = sent->from; e < sent->n; ++e) {
        const bosc_self_event *event = &sent->event[e];
        const int32_t instance = t->own[i][event->block][event->instance] - 1;
        const bosc_mech_sent one = {
            .n = 1, .delay = {event->t}, .flag = {event->flag}};

        if (instance >= 0)
            bosc_self_send(
                own, g,
                (bosc_self_event){.block = event->block, .instance = instance},
                &one);
    }
}

bosc_status bosc_replica_take(bosc_replica *t, bosc_error *err)
{
    const bosc_batch *own = &t->built->batch;

    for (int32_t i = 0; i < t->cells.n; ++i) {
        take_values(t, i);
        if (own->self != NULL)
            take_self_events(t, i);
    }
    take_detectors(t);
    for (int32_t g = 0; own->self != NULL && g < own->layout.n_groups; ++g)
        if (own->self[g].failed)
            return bosc_no_memory(err, "events of neurons to verify");
    return BOSC_OK;
}
