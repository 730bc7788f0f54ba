/* cuda_events.c - the events of a range, brought to a GPU by a stream of their
 * own.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/gpu/host/cuda_composed.h"
#include "kernels/gpu/host/cuda_engine.h"
#include "src/base/team.h"

static const char what[] = "what neurons receive";

/* --- pinned buffers ------------------------------------------------------- */

void bosc_cuda_pinned_buffer_clear(bosc_cuda_pinned_buffer *p)
{
    bosc_cuda_pinned_free(p->host);
    bosc_cuda_free(p->device);
    *p = (bosc_cuda_pinned_buffer){0};
}

bosc_status bosc_cuda_pinned_buffer_reserve(bosc_cuda_pinned_buffer *p,
                                            size_t bytes, bosc_error *err)
{
    const size_t room = bytes + bytes / 2;
    bosc_status st;

    if (bytes <= p->bytes && p->device != NULL)
        return BOSC_OK;
    bosc_cuda_pinned_buffer_clear(p);
    st = bosc_cuda_pinned_alloc(&p->host, room, what, err);
    if (st == BOSC_OK)
        st = bosc_cuda_alloc(&p->device, room, what, err);
    if (st == BOSC_OK)
        p->bytes = room;
    else
        bosc_cuda_pinned_buffer_clear(p);
    return st;
}

/* --- create and clear ----------------------------------------------------- */

bosc_status bosc_cuda_events_create(bosc_engine *engine, bosc_error *err)
{
    const bosc_status st =
        bosc_cuda_copy_queue_create(&engine->progress.copies, err);

    return st == BOSC_OK && engine->on_chip.plan.n > 0
               ? bosc_chip_sorter_create(engine->batch, &engine->on_chip.plan,
                                         &engine->on_chip.sorter, err)
               : st;
}

void bosc_cuda_events_clear(bosc_engine *engine)
{
    bosc_cuda_copy_queue_wait(engine->progress.copies, NULL);
    for (int k = 0; k < 2; ++k) {
        bosc_cuda_range_events *to = &engine->progress.ranges[k].events;

        bosc_cuda_pinned_buffer_clear(&to->first);
        bosc_cuda_pinned_buffer_clear(&to->next);
        bosc_cuda_pinned_buffer_clear(&to->events);
        bosc_cuda_pinned_buffer_clear(&to->chip_first);
        bosc_cuda_pinned_buffer_clear(&to->chip_events);
    }
    bosc_cuda_copy_queue_destroy(engine->progress.copies);
    bosc_chip_sorter_destroy(engine->on_chip.sorter);
}

/* --- filling -------------------------------------------------------------- */

/* The lane of the receiver of event i, within its group. */
static int32_t lane_of(const bosc_batch *batch, int32_t g,
                       const bosc_event *event)
{
    const bosc_mech_block *block = &batch->blocks[event->block];

    return block->at[block->first[g] + event->instance] %
           bosc_layout_width(&batch->layout, g);
}

/* The events of group g as its lanes look at them, those of each unit, of which
 * the group has some, from to[first[unit]] on. */
static void write_group(const bosc_batch *batch, const bosc_events *events,
                        int32_t g, ptrdiff_t *first, bosc_cuda_event *to)
{
    for (ptrdiff_t i = events->first[g]; i < events->first[g + 1]; ++i) {
        const bosc_event *event = &events->event[i];
        const int32_t lane = lane_of(batch, g, event);

        to[first[lane / BOSC_CUDA_WIDTH]++] = (bosc_cuda_event){
            .step = event->step,
            .block = event->block,
            .lane = lane % BOSC_CUDA_WIDTH,
            .instance = batch->blocks[event->block].first[g] + event->instance,
            .value = event->value,
        };
    }
}

/* How many events each unit of group g has, into n[]. */
static void count_group(const bosc_batch *batch, const bosc_events *events,
                        int32_t g, ptrdiff_t *n)
{
    if (bosc_layout_width(&batch->layout, g) <= BOSC_CUDA_WIDTH) {
        n[0] = events->first[g + 1] - events->first[g];
        return;
    }
    for (ptrdiff_t i = events->first[g]; i < events->first[g + 1]; ++i)
        ++n[lane_of(batch, g, &events->event[i]) / BOSC_CUDA_WIDTH];
}

static bosc_status fill_streamed(const bosc_engine *engine,
                                 const bosc_step_input *steps,
                                 bosc_cuda_range_events *to, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const bosc_events *events = steps->events;
    const int32_t n_groups = batch->layout.n_groups;
    const int32_t n_units = bosc_cuda_units(engine);
    const size_t bytes = ((size_t)n_units + 1) * sizeof(ptrdiff_t);
    ptrdiff_t *first, *next;
    bosc_status st = bosc_cuda_pinned_buffer_reserve(&to->first, bytes, err);

    if (st == BOSC_OK)
        st = bosc_cuda_pinned_buffer_reserve(&to->next, bytes, err);
    if (st != BOSC_OK)
        return st;
    first = to->first.host;
    next = to->next.host;
    memset(first, 0, bytes);
    for (int32_t g = 0; g < n_groups; ++g)
        if (bosc_cuda_streams(engine, g))
            count_group(batch, events, g,
                        first + bosc_cuda_first_unit(engine, g) + 1);
    for (int32_t unit = 0; unit < n_units; ++unit)
        first[unit + 1] += first[unit];
    to->n = first[n_units];
    if (to->n == 0)
        return BOSC_OK;

    const size_t all = (size_t)to->n * sizeof(bosc_cuda_event);

    st = bosc_cuda_pinned_buffer_reserve(&to->events, all, err);
    if (st != BOSC_OK)
        return st;
    memcpy(next, first, bytes);
#pragma omp parallel for schedule(dynamic, 8)                                  \
    num_threads(bosc_team((size_t)to->n))
    for (int32_t g = 0; g < n_groups; ++g)
        if (bosc_cuda_streams(engine, g))
            write_group(batch, events, g,
                        next + bosc_cuda_first_unit(engine, g),
                        to->events.host);
    st = bosc_cuda_copy_queue_put(engine->progress.copies, to->first.device,
                                  first, bytes, err);
    if (st == BOSC_OK)
        st = bosc_cuda_copy_queue_put(engine->progress.copies, to->next.device,
                                      first, bytes, err);
    return st == BOSC_OK ? bosc_cuda_copy_queue_put(engine->progress.copies,
                                                    to->events.device,
                                                    to->events.host, all, err)
                         : st;
}

static bosc_status fill_chip(const bosc_engine *engine,
                             const bosc_step_input *steps,
                             bosc_cuda_range_events *to, bosc_error *err)
{
    const size_t bytes =
        ((size_t)engine->on_chip.plan.n + 1) * sizeof(ptrdiff_t);
    size_t all;
    bosc_status st =
        bosc_cuda_pinned_buffer_reserve(&to->chip_first, bytes, err);

    if (st == BOSC_OK)
        st = bosc_chip_sorter_count(engine->on_chip.sorter, steps,
                                    to->chip_first.host, &to->lost, err);
    if (st != BOSC_OK || to->lost)
        return st;
    to->n_chip =
        ((const ptrdiff_t *)to->chip_first.host)[engine->on_chip.plan.n];
    if (to->n_chip == 0)
        return BOSC_OK;
    all = (size_t)to->n_chip * sizeof(bosc_chip_event);
    st = bosc_cuda_pinned_buffer_reserve(&to->chip_events, all, err);
    if (st != BOSC_OK)
        return st;
    bosc_chip_sorter_fill(engine->on_chip.sorter, steps, to->chip_first.host,
                          to->chip_events.host);
    st =
        bosc_cuda_copy_queue_put(engine->progress.copies, to->chip_first.device,
                                 to->chip_first.host, bytes, err);
    return st == BOSC_OK
               ? bosc_cuda_copy_queue_put(engine->progress.copies,
                                          to->chip_events.device,
                                          to->chip_events.host, all, err)
               : st;
}

bosc_status bosc_cuda_events_fill(const bosc_engine *engine,
                                  const bosc_step_input *steps,
                                  bosc_cuda_range_events *to, bosc_error *err)
{
    const bosc_events *events = steps->events;
    const int32_t n_groups = engine->batch->layout.n_groups;
    bosc_status st =
        bosc_cuda_copy_queue_wait(engine->progress.copies, err); /* of before */

    to->n = to->n_chip = 0;
    to->lost = false;
    if (st != BOSC_OK || events == NULL || events->first[n_groups] == 0)
        return st;
    st = fill_streamed(engine, steps, to, err);
    return st == BOSC_OK && engine->on_chip.plan.n > 0
               ? fill_chip(engine, steps, to, err)
               : st;
}

void bosc_cuda_events_use(bosc_engine *engine,
                          const bosc_cuda_range_events *events)
{
    bosc_cuda_step *s = &engine->step;
    bosc_cuda_chip *chip = &engine->on_chip.chip;

    s->events.first = events->n > 0 ? events->first.device : NULL;
    s->events.next = events->next.device;
    s->events.event = events->events.device;
    chip->first_event = events->n_chip > 0 ? events->chip_first.device : NULL;
    chip->events = events->chip_events.device;
}
