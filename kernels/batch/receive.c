#include "kernels/batch/receive.h"

#include <string.h>

#include "kernels/batch/instance.h"
#include "src/base/mem.h"

void bosc_instance_load(const bosc_batch *batch, const bosc_mech_block *block,
                        ptrdiff_t i, ptrdiff_t slot, double t,
                        bosc_mech_instance *one)
{
    const bosc_mech *mech = block->mech;

    for (int j = 0; j < mech->n_params; ++j)
        one->p[j] = bosc_mech_value(&block->p, j, i);
    for (int j = 0; j < mech->n_constants; ++j)
        one->k[j] = bosc_mech_value(&block->k, j, i);
    for (int j = 0; j < mech->n_states; ++j)
        one->s[j] = block->state[j][i];
    for (int j = 0; j < mech->n_ions; ++j)
        one->ion[j] = block->ion[j][slot];
    one->here[0] = batch->v[slot];
    one->here[1] = t;
    one->here[2] = mech->geometry ? batch->diam[slot] : 0;
    one->here[3] = mech->geometry ? batch->area[slot] : 0;
    one->stream = mech->draws ? block->stream + 4 * i : NULL;
    one->sent.n = one->sent.spikes = 0;
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

void bosc_self_send(bosc_batch *batch, int32_t g, bosc_self_event from,
                    const bosc_mech_sent *sent)
{
    bosc_self_events *to = &batch->self[g];
    const double t = from.t;

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
    if (one->sent.n > 0)
        bosc_self_send(batch, g, from, &one->sent);
}

void bosc_receive(bosc_batch *batch, int32_t g, bosc_self_event event)
{
    const bosc_mech_block *block = &batch->blocks[event.block];
    const ptrdiff_t i = block->first[g] + event.instance;
    const ptrdiff_t slot = batch->layout.first[g] + block->at[i];
    bosc_mech_instance one;

    bosc_instance_load(batch, block, i, slot, event.t, &one);
    block->mech->receive(&one, event.flag);
    bosc_instance_keep(block, i, &one);
    batch->v[slot] = one.here[0];
    send(batch, g, event, &one);
}

void bosc_receive_watched(bosc_batch *batch, int32_t g, double now)
{
    bosc_mech_instance one;

    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        const bosc_mech_block *block = &batch->blocks[b];

        if (block->mech->watch == NULL)
            continue;
        for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i) {
            bosc_instance_load(batch, block, i,
                               batch->layout.first[g] + block->at[i], now,
                               &one);
            block->mech->watch(&one);
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
