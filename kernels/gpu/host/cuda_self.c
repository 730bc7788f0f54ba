/* cuda_self.c - what mechanisms have sent to themselves, on its way to a GPU
 * and back.
 */
#include <stdlib.h>

#include "kernels/base/cuda.h"
#include "kernels/gpu/host/cuda_engine.h"
#include "src/base/mem.h"

/* Room of a neuron for each of its instances that may send. */
enum { ROOM = 16 };

/* The lane of an instance, counted over all groups. */
static int32_t lane_of(const bosc_batch *batch, const bosc_mech_block *block,
                       int32_t g, ptrdiff_t i)
{
    const bosc_layout *layout = &batch->layout;

    return layout->lane[g] + block->at[i] % bosc_layout_width(layout, g);
}

static int32_t sender_of(const bosc_batch *batch, int32_t g,
                         const bosc_self_event *event)
{
    const bosc_mech_block *block = &batch->blocks[event->block];

    return lane_of(batch, block, g, block->first[g] + event->instance);
}

/* Where the room of each lane begins. */
static void make_room(const bosc_batch *batch, ptrdiff_t *first)
{
    const int32_t n_groups = batch->layout.n_groups;

    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        const bosc_mech_block *block = &batch->blocks[b];

        if (!block->mech->sends)
            continue;
        for (int32_t g = 0; g < n_groups; ++g)
            for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i)
                first[lane_of(batch, block, g, i) + 1] += ROOM;
    }
    for (int32_t g = 0; g < n_groups; ++g)
        for (size_t e = batch->self[g].from; e < batch->self[g].n; ++e)
            ++first[sender_of(batch, g, &batch->self[g].event[e]) + 1];
    for (int32_t k = 0; k < batch->layout.lane[n_groups]; ++k)
        first[k + 1] += first[k];
}

/* Events of the batch to their lanes, the last one first. */
static void fill(const bosc_batch *batch, const ptrdiff_t *first,
                 bosc_cuda_self *all, int32_t *n)
{
    for (int32_t g = 0; g < batch->layout.n_groups; ++g)
        for (size_t e = batch->self[g].n; e-- > batch->self[g].from;) {
            const bosc_self_event *from = &batch->self[g].event[e];
            const int32_t k = sender_of(batch, g, from);

            all[first[k] + n[k]++] = (bosc_cuda_self){
                .t = from->t,
                .flag = from->flag,
                .instance =
                    batch->blocks[from->block].first[g] + from->instance,
                .block = from->block};
        }
}

bosc_status bosc_cuda_bring_self(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const size_t lanes = (size_t)batch->layout.lane[batch->layout.n_groups];
    bosc_cuda_step *s = &engine->step;
    bosc_cuda_self *all = NULL;
    ptrdiff_t *first;
    int32_t *n;
    bosc_status st = BOSC_OK;

    if (batch->self == NULL)
        return BOSC_OK;
    first = bosc_alloc(lanes + 1, sizeof *first);
    n = bosc_alloc(lanes, sizeof *n);
    if (first != NULL) {
        make_room(batch, first);
        all = bosc_alloc((size_t)first[lanes], sizeof *all);
    }
    if (first == NULL || n == NULL || all == NULL) {
        st = bosc_no_memory(err, "events of mechanisms");
    } else {
        fill(batch, first, all, n);
        st = BOSC_BRING(
            engine, err, {&s->self.first, first, lanes + 1, sizeof *first},
            {&s->self.event, all, (size_t)first[lanes], sizeof *all},
            {&s->self.n, n, lanes, sizeof *n});
        engine->n_self = first[lanes];
    }
    free(first);
    free(n);
    free(all);
    return st;
}

/* --- and back ------------------------------------------------------------- */

/* Put the events of a lane among those of its group, by time; those of one
 * neuron at one time keep their order. */
static bool take_lane(const bosc_batch *batch, int32_t g,
                      const bosc_cuda_self *all, int32_t n)
{
    bosc_self_events *to = &batch->self[g];

    if (!bosc_grow(&to->event, &to->capacity, to->n + (size_t)n,
                   sizeof *to->event))
        return false;
    while (n-- > 0) {
        const bosc_self_event event = {
            .t = all[n].t,
            .flag = all[n].flag,
            .block = all[n].block,
            .instance = (int32_t)(all[n].instance -
                                  batch->blocks[all[n].block].first[g])};
        size_t i = to->n++;

        for (; i > 0 && to->event[i - 1].t > event.t; --i)
            to->event[i] = to->event[i - 1];
        to->event[i] = event;
    }
    return true;
}

static bool take(const bosc_batch *batch, const ptrdiff_t *first,
                 const bosc_cuda_self *all, const int32_t *n)
{
    for (int32_t g = 0; g < batch->layout.n_groups; ++g) {
        batch->self[g].from = batch->self[g].n = 0;
        for (int32_t k = batch->layout.lane[g]; k < batch->layout.lane[g + 1];
             ++k)
            if (!take_lane(batch, g, all + first[k], n[k]))
                return false;
    }
    return true;
}

bosc_status bosc_cuda_get_self(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const size_t lanes = (size_t)batch->layout.lane[batch->layout.n_groups];
    const bosc_cuda_step *s = &engine->step;
    ptrdiff_t *first;
    bosc_cuda_self *all;
    int32_t *n;
    bosc_status st;

    if (batch->self == NULL)
        return BOSC_OK;
    first = bosc_alloc(lanes + 1, sizeof *first);
    all = bosc_alloc((size_t)engine->n_self, sizeof *all);
    n = bosc_alloc(lanes, sizeof *n);
    st = first == NULL || all == NULL || n == NULL
             ? bosc_no_memory(err, "events of mechanisms")
             : bosc_cuda_get(first, s->self.first, (lanes + 1) * sizeof *first,
                             err);
    if (st == BOSC_OK)
        st = bosc_cuda_get(all, s->self.event,
                           (size_t)engine->n_self * sizeof *all, err);
    if (st == BOSC_OK)
        st = bosc_cuda_get(n, s->self.n, lanes * sizeof *n, err);
    if (st == BOSC_OK && !take(batch, first, all, n))
        st = bosc_no_memory(err, "events of mechanisms");
    free(first);
    free(all);
    free(n);
    return st;
}
