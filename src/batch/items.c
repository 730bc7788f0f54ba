#include "src/batch/items.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/mem.h"

/* Compartments, each block, detectors, events. */
enum { BEFORE_BLOCKS = 1 };

/* What is known of an event. */
enum { TIME, BLOCK, NODE, WHICH, FLAG, N_OF_EVENT };
static const char *const of_event[] = {"time", "block", "node", "which",
                                       "flag"};

int bosc_state_items_kinds(const bosc_built_batch *built)
{
    return BEFORE_BLOCKS + (int)built->batch.n_blocks + 1 +
           (built->batch.self != NULL);
}

/* Room for n items, counted in first[i + 1] by neuron i; first[] becomes their
 * sums. */
static bosc_status make_room(bosc_state_items *items, bosc_error *err)
{
    for (int32_t i = 0; i < items->n; ++i)
        items->first[i + 1] += items->first[i];
    return BOSC_ALLOC(err, "the state of neurons",
                      BOSC_ARRAY(items->index, items->first[items->n]));
}

/* Item number 'at' is the next of neuron i; while they are put there, first[]
 * says where that goes. */
static void put(bosc_state_items *items, int32_t i, ptrdiff_t at)
{
    items->index[items->first[i]++] = at;
}

/* Each has moved to the next one's. */
static void move_back(bosc_state_items *items)
{
    for (int32_t i = items->n; i > 0; --i)
        items->first[i] = items->first[i - 1];
    items->first[0] = 0;
}

double *bosc_state_items_array(const bosc_state_items *items, int j)
{
    if (items->block != NULL)
        return items->block->state[j];
    return items->only != NULL ? items->only
                               : items->own + j * items->first[items->n];
}

const char *bosc_state_items_name(const bosc_state_items *items, int j,
                                  char *buffer)
{
    const bosc_mech_block *block = items->block;
    const char *own = block != NULL ? block->mech->states[j].name
                      : bosc_state_items_vary(items) ? of_event[j]
                                                     : NULL;

    snprintf(buffer, BOSC_STATE_NAME, "%s%s%s", items->name,
             own != NULL ? "." : "", own != NULL ? own : "");
    return buffer;
}

/* --- the kinds ------------------------------------------------------------ */

static void take_compartments(const bosc_batch *batch, bosc_state_items *items)
{
    snprintf(items->name, sizeof items->name, "v");
    for (int32_t i = 0; i < items->n; ++i)
        items->first[i + 1] = items->first[i] + batch->trees[batch->shape[i]].n;
    items->n_arrays = 1;
    items->only = batch->v;
}

/* "synapse.fast", or "synapse.fast@2" of a kind that is like others. */
static void name_kind(const char *what, const char *name,
                      const bosc_synapse_spec *kind,
                      char text[BOSC_STATE_NAME / 2])
{
    char like[16] = "";

    if (kind->like > 0)
        snprintf(like, sizeof like, "@%d", kind->like);
    snprintf(text, BOSC_STATE_NAME / 2, "%s.%s%s", what, name, like);
}

/* "membrane.hh", "synapse.fast", "probe.one", "point.electrode" */
static void name_block(const bosc_job *job, const bosc_built_batch *built,
                       int32_t b, char name[BOSC_STATE_NAME / 2])
{
    const bosc_network *net = &built->net;
    const bosc_synapse_spec *kinds = job->network.synapses;
    const bosc_mech *mech = built->batch.blocks[b].mech;

    for (int k = 0; net->block != NULL && k < job->network.n_synapses; ++k)
        if (net->block[k] == b) {
            name_kind("synapse", kinds[k].name, &kinds[k], name);
            return;
        }
    for (int32_t m = 0; m < net->n_mirrors; ++m)
        if (net->mirrors[m].block == b) {
            name_kind("probe", job->probes[net->mirrors[m].probe].name,
                      &kinds[net->mirrors[m].kind], name);
            return;
        }
    snprintf(name, BOSC_STATE_NAME / 2, "%s.%s",
             mech->kind == BOSC_MECH_POINT ? "point" : "membrane", mech->name);
}

/* The neuron that has instance i of group g, -1: it is padding, as ions have
 * it.
 */
static int32_t neuron_of(const bosc_batch *batch, int32_t g,
                         const bosc_mech_block *block, ptrdiff_t i)
{
    const bosc_element at = bosc_layout_at(&batch->layout, g, block->at[i]);

    return at.neuron >= 0 && at.i < batch->trees[batch->shape[at.neuron]].n
               ? at.neuron
               : -1;
}

/* Instances are sorted by slot, so those of a neuron by compartment. */
static bosc_status take_block(const bosc_batch *batch,
                              const bosc_mech_block *block,
                              bosc_state_items *items, bosc_error *err)
{
    const int32_t n_groups = batch->layout.n_groups;
    bosc_status st;

    items->n_arrays = block->mech->n_states;
    items->block = block;
    for (int32_t g = 0; g < n_groups; ++g)
        for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i)
            if (neuron_of(batch, g, block, i) >= 0)
                ++items->first[neuron_of(batch, g, block, i) + 1];
    if ((st = make_room(items, err)) != BOSC_OK)
        return st;
    for (int32_t g = 0; g < n_groups; ++g)
        for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i)
            if (neuron_of(batch, g, block, i) >= 0)
                put(items, neuron_of(batch, g, block, i), i);
    move_back(items);
    return BOSC_OK;
}

/* In the order of their sources: the soma's, then as the job asks. */
static bosc_status take_detectors(const bosc_batch *batch,
                                  bosc_state_items *items, bosc_error *err)
{
    const size_t n = (size_t)batch->n_detectors;
    ptrdiff_t *of_source = NULL;
    bosc_status st =
        BOSC_ALLOC(err, "the state of neurons", BOSC_ARRAY(of_source, n),
                   BOSC_ARRAY(items->own, n));

    snprintf(items->name, sizeof items->name, "detector");
    for (ptrdiff_t i = 0; st == BOSC_OK && i < batch->n_detectors; ++i) {
        const bosc_detector *detector = &batch->detectors[i];

        of_source[detector->source] = i;
        items->own[i] = detector->above;
        ++items->first[bosc_layout_find(items->layout, detector->slot).neuron +
                       1];
    }
    if (st == BOSC_OK)
        st = make_room(items, err);
    for (size_t s = 0; st == BOSC_OK && s < n; ++s)
        put(items,
            bosc_layout_find(items->layout, batch->detectors[of_source[s]].slot)
                .neuron,
            of_source[s]);
    if (st == BOSC_OK)
        move_back(items);
    items->n_arrays = 1;
    items->what = BOSC_STATE_DETECTORS;
    free(of_source);
    return st;
}

/* The place of an event: as its instance has another number with another
 * layout. */
static void describe_event(const bosc_batch *batch, int32_t g,
                           const bosc_self_event *event, double x[N_OF_EVENT])
{
    const bosc_mech_block *block = &batch->blocks[event->block];
    const ptrdiff_t i = block->first[g] + event->instance;
    ptrdiff_t first = i;

    while (first > block->first[g] && block->at[first - 1] == block->at[i])
        --first;
    x[TIME] = event->t;
    x[BLOCK] = event->block;
    x[NODE] = bosc_layout_at(&batch->layout, g, block->at[i]).i;
    x[WHICH] = (double)(i - first);
    x[FLAG] = event->flag;
}

static int32_t sender_of(const bosc_batch *batch, int32_t g,
                         const bosc_self_event *event)
{
    const bosc_mech_block *block = &batch->blocks[event->block];

    return neuron_of(batch, g, block, block->first[g] + event->instance);
}

static bosc_status take_events(const bosc_batch *batch, bosc_state_items *items,
                               bosc_error *err)
{
    bosc_status st;
    ptrdiff_t n = 0;

    snprintf(items->name, sizeof items->name, "self");
    items->n_arrays = N_OF_EVENT;
    items->what = BOSC_STATE_EVENTS;
    for (int32_t g = 0; g < batch->layout.n_groups; ++g)
        for (size_t e = batch->self[g].from; e < batch->self[g].n; ++e)
            ++items->first[sender_of(batch, g, &batch->self[g].event[e]) + 1];
    st = make_room(items, err);
    if (st == BOSC_OK)
        st = BOSC_ALLOC(
            err, "the state of neurons",
            BOSC_ARRAY(items->own, N_OF_EVENT * items->first[items->n]));
    if (st != BOSC_OK)
        return st;

    const ptrdiff_t all = items->first[items->n];

    for (int32_t g = 0; g < batch->layout.n_groups; ++g)
        for (size_t e = batch->self[g].from; e < batch->self[g].n; ++e, ++n) {
            const bosc_self_event *event = &batch->self[g].event[e];
            double x[N_OF_EVENT];

            describe_event(batch, g, event, x);
            for (int j = 0; j < N_OF_EVENT; ++j)
                items->own[j * all + n] = x[j];
            put(items, sender_of(batch, g, event), n);
        }
    move_back(items);
    return BOSC_OK;
}

bosc_status bosc_state_items_remake(bosc_state_items *items, bosc_error *err)
{
    const ptrdiff_t n = items->first[items->n];
    bosc_status st;

    free(items->index);
    free(items->own);
    items->index = NULL;
    items->own = NULL;
    st = BOSC_ALLOC(err, "the state of neurons", BOSC_ARRAY(items->index, n),
                    BOSC_ARRAY(items->own, N_OF_EVENT * n));
    for (ptrdiff_t i = 0; st == BOSC_OK && i < n; ++i)
        items->index[i] = i;
    return st;
}

static bool is_below(double x, ptrdiff_t end)
{
    return x >= 0 && x < (double)end;
}

/* The instance of an event, -1: there is none that could have sent it. */
static ptrdiff_t find_sender(const bosc_batch *batch, int32_t neuron,
                             const double x[N_OF_EVENT])
{
    if (!isfinite(x[TIME]) || !is_below(x[BLOCK], batch->n_blocks) ||
        !is_below(x[NODE], batch->trees[batch->shape[neuron]].n))
        return -1;

    const int32_t b = (int32_t)x[BLOCK];
    const ptrdiff_t slot = bosc_slot(&batch->layout, neuron, (int32_t)x[NODE]);
    const int32_t g = bosc_layout_group(&batch->layout, slot);
    const bosc_mech_block *block = &batch->blocks[b];
    const ptrdiff_t first =
        block->mech->plain ? -1 : bosc_block_find(batch, b, slot);

    if (first < 0 || !is_below(x[WHICH], block->first[g + 1] - first))
        return -1;

    const ptrdiff_t i = first + (ptrdiff_t)x[WHICH];

    return block->at[i] == block->at[first] ? i : -1;
}

static bosc_status send_again(bosc_batch *batch, int32_t neuron,
                              const double x[N_OF_EVENT], bosc_error *err)
{
    const ptrdiff_t i = find_sender(batch, neuron, x);

    if (i < 0)
        return bosc_fail(err, BOSC_EFORMAT,
                         "the state has an event at %g ms of instance %g "
                         "of mechanism %g in compartment %g of a neuron that "
                         "has no such instance",
                         x[TIME], x[WHICH], x[BLOCK], x[NODE]);

    const int32_t b = (int32_t)x[BLOCK];
    const int32_t g = bosc_layout_group(
        &batch->layout, bosc_slot(&batch->layout, neuron, (int32_t)x[NODE]));
    const bosc_mech_block *block = &batch->blocks[b];
    const bosc_mech_sent sent = {.n = 1, .delay = {x[TIME]}, .flag = {x[FLAG]}};

    bosc_self_send(batch, g,
                   (bosc_self_event){
                       .block = b, .instance = (int32_t)(i - block->first[g])},
                   &sent);
    return BOSC_OK;
}

/* Instead of those that INITIAL has sent. */
static bosc_status apply_events(const bosc_state_items *items,
                                bosc_batch *batch, bosc_error *err)
{
    const ptrdiff_t all = items->first[items->n];
    bosc_status st = BOSC_OK;

    for (int32_t g = 0; g < batch->layout.n_groups; ++g)
        batch->self[g].from = batch->self[g].n = 0;
    for (int32_t i = 0; i < items->n; ++i)
        for (ptrdiff_t k = items->first[i];
             k < items->first[i + 1] && st == BOSC_OK; ++k) {
            double x[N_OF_EVENT];

            for (int j = 0; j < N_OF_EVENT; ++j)
                x[j] = items->own[j * all + items->index[k]];
            st = send_again(batch, i, x, err);
        }
    return st;
}

/* --- all of them ---------------------------------------------------------- */

bosc_status bosc_state_items_create(const bosc_job *job,
                                    bosc_built_batch *built, int kind,
                                    bosc_state_items *items, bosc_error *err)
{
    const bosc_batch *batch = &built->batch;
    const int32_t block = kind - BEFORE_BLOCKS;
    bosc_status st;

    *items = (bosc_state_items){.layout = &batch->layout,
                                .n = batch->layout.n_neurons};
    st = BOSC_ALLOC(err, "the state of neurons",
                    BOSC_ARRAY(items->first, items->n + 1));
    if (st != BOSC_OK)
        return st;
    if (kind < BEFORE_BLOCKS) {
        take_compartments(batch, items);
        return BOSC_OK;
    }
    if (block == batch->n_blocks)
        return take_detectors(batch, items, err);
    if (block > batch->n_blocks)
        return take_events(batch, items, err);
    name_block(job, built, block, items->name);
    return take_block(batch, &batch->blocks[block], items, err);
}

void bosc_state_items_clear(bosc_state_items *items)
{
    free(items->first);
    free(items->index);
    free(items->own);
    *items = (bosc_state_items){0};
}

bosc_status bosc_state_items_apply(const bosc_state_items *items,
                                   bosc_built_batch *built, bosc_error *err)
{
    if (bosc_state_items_vary(items))
        return apply_events(items, &built->batch, err);
    if (items->own != NULL)
        for (ptrdiff_t i = 0; i < built->batch.n_detectors; ++i)
            built->batch.detectors[i].above = items->own[i] != 0;
    return BOSC_OK;
}
