#include "src/verify/replica.h"

#include <stdlib.h>

#include "kernels/step/step_io.h"
#include "src/base/mem.h"
#include "src/job/variable.h"

/* --- create and destroy --------------------------------------------------- */

static bosc_status select_cells(const bosc_local_cells *all, int32_t n,
                                bosc_replica *t, bosc_error *err)
{
    bosc_local_cells *own = &t->cells;

    *own = *all;
    own->n = n;
    own->n_compartments = 0;
    own->n_templates = n; /* a tree each: no other one may be unknown */
    own->gid = NULL;
    own->population = own->template_index = NULL;
    own->cable = NULL;

    const bosc_status st = BOSC_ALLOC(
        err, "neurons to verify", BOSC_ARRAY(own->gid, n),
        BOSC_ARRAY(own->population, n), BOSC_ARRAY(own->template_index, n),
        BOSC_ARRAY(own->cable, n));

    for (int32_t i = 0; st == BOSC_OK && i < n; ++i) {
        own->gid[i] = all->gid[t->neuron[i]];
        own->population[i] = all->population[t->neuron[i]];
        own->template_index[i] = i;
        own->cable[i] = all->cable[all->template_index[t->neuron[i]]];
        own->n_compartments +=
            bosc_local_cells_extent(all, t->neuron[i]).compartments;
    }
    return st;
}

static bosc_status build(const bosc_model *model, bosc_replica *t,
                         bosc_error *err)
{
    bosc_model own = *model;

    own.cells = &t->cells;

    const bosc_status st = bosc_batch_build(
        &own, (bosc_grouping){.width = 1, .threads = 1}, &t->built, err);

    if (st != BOSC_OK)
        return st;
    /* The run says which events arrive, and whether voltages are good. */
    if (t->built->net.connection_table != NULL)
        t->n_connections =
            bosc_connection_table_connections(t->built->net.connection_table);
    bosc_connection_table_destroy(t->built->net.connection_table);
    t->built->net.connection_table = NULL;
    bosc_built_batch_drop_geometry(t->built);
    t->built->batch.watch.goes_on = true;
    t->built->batch.watch.every = 0;
    return BOSC_OK;
}

bosc_status bosc_replica_create(const bosc_model *model, int32_t n,
                                const int32_t *neuron, bosc_replica **out,
                                bosc_error *err)
{
    bosc_replica *t = bosc_alloc(1, sizeof *t);
    bosc_status st = t == NULL ? bosc_no_memory(err, "neurons to verify")
                               : BOSC_ALLOC(err, "neurons to verify",
                                            BOSC_ARRAY(t->neuron, n));

    for (int32_t i = 0; st == BOSC_OK && i < n; ++i)
        t->neuron[i] = neuron[i];
    if (st == BOSC_OK) {
        t->job = model->job;
        st = select_cells(model->cells, n, t, err);
    }
    if (st == BOSC_OK)
        st = build(model, t, err);
    if (st != BOSC_OK) {
        bosc_replica_destroy(t);
        return st;
    }
    *out = t;
    return BOSC_OK;
}

static void free_all(void **array, int64_t n)
{
    for (int64_t i = 0; array != NULL && i < n; ++i)
        free(array[i]);
    free(array);
}

void bosc_replica_destroy(bosc_replica *t)
{
    if (t == NULL)
        return;
    if (t->engine != NULL)
        bosc_ref_engine.destroy(t->engine);
    bosc_coupling_destroy(t->coupling);

    const int32_t n_blocks = t->built != NULL ? t->built->batch.n_blocks : 0;

    free_all((void **)t->instance, n_blocks);
    for (int32_t i = 0; t->own != NULL && i < t->cells.n; ++i)
        free_all((void **)t->own[i], n_blocks);
    free(t->own);
    free_all((void **)t->value, t->built != NULL ? t->built->n_sets : 0);
    free(t->source);
    free(t->detector);
    free(t->event);
    free(t->first);
    bosc_built_batch_destroy(t->built);
    free(t->cells.gid);
    free(t->cells.population);
    free(t->cells.template_index);
    free(t->cells.cable);
    free(t->neuron);
    free(t);
}

bosc_status bosc_replica_couple(const bosc_comm *comm, const bosc_model *model,
                                bosc_replica *t, bosc_error *err)
{
    bosc_model own = *model;

    own.cells = &t->cells;

    const bosc_status st = bosc_coupling_create(comm, &own, &t->built->batch, 1,
                                                &t->coupling, err);

    if (st == BOSC_OK)
        t->built->batch.drive = bosc_coupling_look(t->coupling).injected;
    return st;
}

bosc_status bosc_replica_start(bosc_replica *t, bosc_error *err)
{
    return bosc_ref_engine.create(&t->built->batch, 0, 1, &t->engine, err);
}

/* --- events --------------------------------------------------------------- */

/* Those of the run's range that are its neurons', in their order. */
static bosc_status take_events(bosc_replica *t, const bosc_events *all,
                               bosc_error *err)
{
    const bosc_layout *layout = &t->built->batch.layout;
    size_t n = 0;

    for (int32_t g = 0; g < layout->n_groups; ++g) {
        const int32_t i = bosc_layout_neuron(layout, g, 0);
        const int32_t there = t->run->batch.layout.group[t->neuron[i]];

        t->first[g] = (ptrdiff_t)n;
        for (ptrdiff_t e = all->first[there]; e < all->first[there + 1]; ++e) {
            bosc_event event = all->event[e];

            event.instance = t->own[i][event.block][event.instance] - 1;
            if (event.instance < 0)
                continue;
            if (!bosc_grow(&t->event, &t->event_capacity, n + 1,
                           sizeof *t->event))
                return bosc_no_memory(err, "events of neurons to verify");
            t->event[n++] = event;
        }
    }
    t->first[layout->n_groups] = (ptrdiff_t)n;
    return BOSC_OK;
}

/* --- comparing ------------------------------------------------------------ */

/* The neuron that a source is on. */
static int32_t neuron_of(const bosc_replica *t, int32_t source)
{
    const bosc_batch *batch = &t->built->batch;
    const ptrdiff_t slot = batch->detectors[t->detector[source]].slot;
    const int32_t g = bosc_layout_group(&batch->layout, slot);

    return t->neuron[bosc_layout_neuron(&batch->layout, g, 0)];
}

/* The next spike of the run that is one of its neurons', NULL: there is none.
 */
static const bosc_spike *
next_spike(bosc_replica *t, const bosc_step_output *run, int32_t *source)
{
    for (; t->next < run->n_spikes; ++t->next) {
        *source = bosc_replica_source(t, (int32_t)run->spikes[t->next].source);
        if (*source >= 0)
            return &run->spikes[t->next++];
    }
    return NULL;
}

static bosc_difference spikes_differ(const bosc_replica *t,
                                     const bosc_spike *run, int32_t source,
                                     const bosc_spike *ref)
{
    const bool both = run != NULL && ref != NULL && source == ref->source;
    const int64_t ran = run != NULL ? bosc_spike_step(run) : INT64_MAX;
    const int64_t should = ref != NULL ? bosc_spike_step(ref) : INT64_MAX;
    const bool is_runs = ran <= should;

    return (bosc_difference){
        .neuron = neuron_of(t, is_runs ? source : (int32_t)ref->source),
        .node = -1,
        .step = is_runs ? ran : should,
        .run = is_runs || both ? (double)ran : NAN,
        .ref = !is_runs || both ? (double)should : NAN};
}

/* Those of ref's range and the next ones of the run; of its last range, all. */
static bool compare_spikes(bosc_replica *t, const bosc_step_output *run,
                           const bosc_step_output *ref, bool last,
                           bosc_difference *first)
{
    int32_t source = -1;

    for (size_t i = 0; i < ref->n_spikes; ++i) {
        const bosc_spike *spike = next_spike(t, run, &source);

        if (spike != NULL && spike->order == ref->spikes[i].order &&
            spike->late == ref->spikes[i].late &&
            source == ref->spikes[i].source)
            continue;
        *first = spikes_differ(t, spike, source, &ref->spikes[i]);
        return true;
    }

    const bosc_spike *more = last ? next_spike(t, run, &source) : NULL;

    if (more != NULL)
        *first = spikes_differ(t, more, source, NULL);
    return more != NULL;
}

/* What a reading differs in. */
static bosc_difference value_differs(const bosc_replica *t, int32_t s,
                                     ptrdiff_t i, int64_t step)
{
    const bosc_batch *batch = &t->built->batch;
    const bosc_recorded *recorded = &t->built->sets[s];
    const bosc_variable variable =
        t->job->probes[recorded->probe].variables.variable[recorded->variable];
    const bosc_column *column =
        &t->built->columns[recorded->probe].column[recorded->column[i]];

    return (bosc_difference){
        .neuron = t->neuron[bosc_layout_neuron(&batch->layout,
                                               batch->sets[s].group[i], 0)],
        .node = column->node,
        .step = step,
        .mech = variable.mech == BOSC_COMPARTMENT
                    ? NULL
                    : batch->mechs->mech[variable.mech]->name,
        .what = bosc_variable_own_name(batch->mechs, variable)};
}

/* The frames of ref's range with those in the run's, which begins at 'from'. */
static bool compare_values(const bosc_replica *t, const bosc_step_output *run,
                           int64_t from, const bosc_step_output *ref,
                           const int64_t range[2], bosc_difference *first)
{
    const bosc_batch *batch = &t->built->batch;

    for (int32_t s = 0; s < batch->n_sets; ++s) {
        const bosc_reading_set *set = &batch->sets[s];
        const ptrdiff_t n = t->run->batch.sets[s].n;
        const bosc_frame_span span =
            bosc_frames_of(&set->at, range[0], range[1]);
        const int64_t begin = bosc_frames_of(&set->at, from, range[1]).begin;

        if (t->job->probes[t->built->sets[s].probe].electrodes.n > 0)
            continue;
        for (int64_t f = 0; f < span.n; ++f)
            for (ptrdiff_t i = 0; i < set->n; ++i) {
                const double there =
                    run->values[s]
                               [(span.begin + f - begin) * n + t->value[s][i]];
                const double here = ref->values[s][f * set->n + i];

                if (bosc_same_bits(here, there))
                    continue;
                *first = value_differs(
                    t, s, i, set->at.start + (span.begin + f) * set->at.every);
                first->run = there;
                first->ref = here;
                return true;
            }
    }
    return false;
}

/* --- steps ---------------------------------------------------------------- */

bool bosc_replica_advance(bosc_replica *t, const bosc_step_input *steps,
                          const bosc_step_output *record, bool *differs,
                          bosc_difference *first, bosc_status *st,
                          bosc_error *err)
{
    const bosc_coupling_device none = {NULL, NULL};
    const bosc_events all = {.first = t->first, .event = t->event};
    const int64_t stride = t->coupling != NULL ? 1 : steps->to - steps->from;
    bosc_events events = all;

    *differs = false;
    t->next = 0;
    if (*st == BOSC_OK && steps->events != NULL)
        *st = take_events(t, steps->events, err);
    events.event = t->event;
    for (int64_t from = steps->from; from < steps->to; from += stride) {
        const int64_t range[2] = {from, from + stride};
        const bosc_step_input own = {.from = range[0],
                                     .to = range[1],
                                     .events = steps->events != NULL ? &events
                                                                     : NULL};
        bosc_step_output output = {0};

        if (t->coupling != NULL &&
            !bosc_coupling_step(t->coupling, &none, st, err))
            return false;
        if (*st == BOSC_OK)
            *st = bosc_ref_engine.advance(t->engine, &own, &output, err);
        if (*st != BOSC_OK)
            return false;
        *differs =
            compare_spikes(t, record, &output, range[1] == steps->to, first) ||
            compare_values(t, record, steps->from, &output, range, first);
        if (*differs)
            return true;
    }
    return *st == BOSC_OK;
}

/* --- states --------------------------------------------------------------- */

static bool voltage_differs(const bosc_replica *t, int32_t i,
                            bosc_difference *first)
{
    const bosc_batch *own = &t->built->batch, *run = &t->run->batch;

    for (int32_t node = 0; node < own->trees[own->shape[i]].n; ++node) {
        first->ref = own->v[bosc_slot(&own->layout, i, node)];
        first->run = run->v[bosc_slot(&run->layout, t->neuron[i], node)];
        first->node = node;
        if (!bosc_same_bits(first->run, first->ref))
            return true;
    }
    return false;
}

/* A current of an ion that nobody needs is not computed everywhere. */
static bool is_kept(const bosc_mech_block *run, int state)
{
    return run->mech->kind != BOSC_MECH_ION || state != BOSC_ION_CURRENT ||
           run->idle == 0;
}

static bool block_differs(const bosc_replica *t, int32_t i, int32_t b,
                          bosc_difference *first)
{
    const bosc_batch *own = &t->built->batch;
    const bosc_mech_block *here = &own->blocks[b];
    const bosc_mech_block *there = &t->run->batch.blocks[b];
    const int32_t g = own->layout.group[i];

    for (ptrdiff_t k = here->first[g]; k < here->first[g + 1]; ++k)
        for (int j = 0; j < here->mech->n_states; ++j) {
            first->ref = here->state[j][k];
            first->run = there->state[j][t->instance[b][k]];
            first->node = here->at[k];
            first->mech = here->mech->name;
            first->what = here->mech->states[j].name;
            if (is_kept(there, j) && !bosc_same_bits(first->run, first->ref))
                return true;
        }
    return false;
}

bool bosc_replica_differs(const bosc_replica *t, int64_t step, bool with_states,
                          bosc_difference *first)
{
    for (int32_t i = 0; i < t->cells.n; ++i) {
        *first = (bosc_difference){.neuron = t->neuron[i], .step = step};
        if (voltage_differs(t, i, first))
            return true;
        for (int32_t b = 0; with_states && b < t->built->batch.n_blocks; ++b)
            if (block_differs(t, i, b, first))
                return true;
    }
    return false;
}
