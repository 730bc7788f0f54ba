#include "kernels/batch/receive.h"

#include <string.h>

#include "kernels/batch/instance.h"
#include "src/base/mem.h"

void bosc_instance_load(const bosc_batch *batch, const bosc_mech_block *block,
                        ptrdiff_t i, ptrdiff_t slot, double t,
                        bosc_mech_instance *one)
{
    const bosc_mech *mech = block->mech;
    const ptrdiff_t owner = bosc_mech_owner(block, i);

    if (mech->n_pointers > 0)
        bosc_pointers_take(block, i, 1);
    for (int j = 0; j < mech->n_params; ++j)
        one->p[j] = bosc_mech_value(&block->p, j, i);
    for (int j = 0; j < mech->n_constants; ++j)
        one->k[j] = bosc_mech_value(&block->k, j, i);
    for (int j = 0; j < mech->n_own; ++j)
        one->s[j] = block->state[j][owner];
    for (int j = mech->n_own; j < mech->n_states; ++j)
        one->s[j] = block->state[j][i];
    for (int j = 0; j < mech->n_ions; ++j)
        one->ion[j] = block->ion[j][slot];
    one->here[0] = batch->v[slot];
    one->here[1] = t;
    one->here[2] = mech->geometry ? batch->diam[slot] : 0;
    one->here[3] = mech->geometry ? batch->area[slot] : 0;
    one->stream = mech->draws ? block->stream + 4 * owner : NULL;
    one->sent.n = one->sent.spikes = 0;
    one->sent.moves = false;
}

static void insert(bosc_self_events *to, bosc_self_event event)
{
    size_t i;

    if (to->from > 0 && to->n == to->capacity) {
        memmove(to->event, to->event + to->from,
                (to->n - to->from) * sizeof *to->event);
        to->n -= to->from;
        to->from = 0;
    }
    if (!bosc_grow(&to->event, &to->capacity, to->n + 1, sizeof *to->event)) {
        to->failed = true;
        return;
    }
    for (i = to->n++; i > to->from && to->event[i - 1].t > event.t; --i)
        to->event[i] = to->event[i - 1];
    to->event[i] = event;
}

/* Does an event come back to the cell or instance that 'from' is of? */
static bool is_own(const bosc_batch *batch, int32_t g,
                   const bosc_self_event *event, const bosc_self_event *from)
{
    const bosc_mech_block *block = &batch->blocks[from->block];
    const ptrdiff_t first = block->first[g];

    return event->block == from->block &&
           bosc_mech_owner(block, first + event->instance) ==
               bosc_mech_owner(block, first + from->instance);
}

/* net_move(): the one with flag 1, of several the one that comes back last. */
static void move(bosc_batch *batch, int32_t g, const bosc_self_event *from,
                 double t)
{
    bosc_self_events *own = &batch->self[g];

    for (size_t i = own->n; i > own->from; --i) {
        bosc_self_event moved = own->event[i - 1];

        if (moved.flag != 1 || !is_own(batch, g, &moved, from))
            continue;
        memmove(own->event + i - 1, own->event + i,
                (own->n - i) * sizeof *own->event);
        --own->n;
        moved.t = t;
        insert(own, moved);
        own->stray = own->stray || t < from->t;
        return;
    }
    own->stray = true;
}

/* Spikes that a cell sends at the time of 'from'. */
static void spike(bosc_batch *batch, int32_t g, bosc_self_event from, int n)
{
    bosc_self_events *own = &batch->self[g];

    if (!batch->blocks[from.block].mech->artificial)
        return;
    if (!bosc_grow(&own->spike, &own->spike_room, own->n_spikes + (size_t)n,
                   sizeof *own->spike)) {
        own->failed = true;
        return;
    }
    for (int i = 0; i < n; ++i)
        own->spike[own->n_spikes++] = from;
}

void bosc_self_send(bosc_batch *batch, int32_t g, bosc_self_event from,
                    const bosc_mech_sent *sent)
{
    bosc_self_events *to = &batch->self[g];
    const double t = from.t;

    spike(batch, g, from, sent->spikes);
    if (sent->moves)
        move(batch, g, &from, sent->move_to);

    for (int i = 0; i < sent->n && i < BOSC_MECH_SENT; ++i) {
        from.t = t + sent->delay[i];
        from.flag = sent->flag[i];
        insert(to, from);
    }
    to->crowded = to->crowded || sent->n > BOSC_MECH_SENT;
}

/* Keep what an instance has sent, if anything. */
static void send(bosc_batch *batch, int32_t g, bosc_self_event from,
                 const bosc_mech_instance *one)
{
    if (batch->self != NULL &&
        (one->sent.n > 0 || one->sent.spikes > 0 || one->sent.moves))
        bosc_self_send(batch, g, from, &one->sent);
}

void bosc_receive(bosc_batch *batch, int32_t g, bosc_self_event event)
{
    const bosc_mech_block *block = &batch->blocks[event.block];
    const ptrdiff_t i = block->first[g] + event.instance;
    const ptrdiff_t slot = batch->layout.first[g] + block->at[i];
    bosc_mech_instance one;

    bosc_instance_load(batch, block, i, slot, event.t, &one);
    block->mech->formula.receive(&one, event.flag);
    bosc_instance_keep(block, i, &one);
    batch->v[slot] = one.here[0];
    send(batch, g, event, &one);
}

void bosc_receive_watched(bosc_batch *batch, int32_t g, double now)
{
    bosc_mech_instance one;

    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        const bosc_mech_block *block = &batch->blocks[b];

        if (block->mech->formula.watch == NULL)
            continue;
        for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i) {
            bosc_instance_load(batch, block, i,
                               batch->layout.first[g] + block->at[i], now,
                               &one);
            block->mech->formula.watch(&one);
            bosc_instance_keep(block, i, &one);
            send(batch, g,
                 (bosc_self_event){.t = now,
                                   .block = b,
                                   .instance = (int32_t)(i - block->first[g])},
                 &one);
        }
    }
}

void bosc_receive_self(bosc_batch *batch, int32_t g, double until)
{
    bosc_self_events *own = &batch->self[g];

    while (own->from < own->n && own->event[own->from].t <= until)
        bosc_receive(batch, g, own->event[own->from++]);
    if (own->from == own->n)
        own->from = own->n = 0;
}
