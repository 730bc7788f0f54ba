/* cuda_events.c - the events of a range, brought to a GPU by a stream of their
 * own.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/gpu/host/cuda_engine.h"
#include "src/base/team.h"

static const char what[] = "what neurons receive";

/* --- parcels -------------------------------------------------------------- */

void bosc_cuda_parcel_clear(bosc_cuda_parcel *p)
{
    bosc_cuda_pinned_free(p->here);
    bosc_cuda_free(p->there);
    *p = (bosc_cuda_parcel){0};
}

bosc_status bosc_cuda_parcel_room(bosc_cuda_parcel *p, size_t bytes,
                                  bosc_error *err)
{
    const size_t room = bytes + bytes / 2;
    bosc_status st;

    if (bytes <= p->bytes && p->there != NULL)
        return BOSC_OK;
    bosc_cuda_parcel_clear(p);
    st = bosc_cuda_pinned_alloc(&p->here, room, what, err);
    if (st == BOSC_OK)
        st = bosc_cuda_alloc(&p->there, room, what, err);
    if (st == BOSC_OK)
        p->bytes = room;
    else
        bosc_cuda_parcel_clear(p);
    return st;
}

/* --- create and clear ----------------------------------------------------- */

bosc_status bosc_cuda_events_create(bosc_engine *engine, bosc_error *err)
{
    const bosc_status st = bosc_cuda_mail_create(&engine->mail, err);

    return st == BOSC_OK && engine->plan.n > 0
               ? bosc_chip_sorter_create(engine->batch, &engine->plan,
                                         &engine->sorter, err)
               : st;
}

void bosc_cuda_events_clear(bosc_engine *engine)
{
    bosc_cuda_mail_wait(engine->mail, NULL);
    for (int k = 0; k < 2; ++k) {
        bosc_cuda_inbox *box = &engine->ranges[k].inbox;

        bosc_cuda_parcel_clear(&box->first);
        bosc_cuda_parcel_clear(&box->next);
        bosc_cuda_parcel_clear(&box->events);
        bosc_cuda_parcel_clear(&box->chip_first);
        bosc_cuda_parcel_clear(&box->chip_events);
    }
    bosc_cuda_mail_destroy(engine->mail);
    bosc_chip_sorter_destroy(engine->sorter);
}

/* --- filling -------------------------------------------------------------- */

/* The events of group g as its lanes look at them. */
static void write_group(const bosc_batch *batch, const bosc_events *events,
                        int32_t g, bosc_cuda_event *to)
{
    const int32_t width = bosc_layout_width(&batch->layout, g);

    for (ptrdiff_t i = events->first[g]; i < events->first[g + 1]; ++i) {
        const bosc_event *event = &events->event[i];
        const bosc_mech_block *block = &batch->blocks[event->block];
        const ptrdiff_t at = block->first[g] + event->instance;

        *to++ = (bosc_cuda_event){
            .step = event->step,
            .block = event->block,
            .lane = block->at[at] % width,
            .instance = at,
            .weight = event->weight,
        };
    }
}

static bosc_status fill_streamed(const bosc_engine *engine,
                                 const bosc_step_input *steps,
                                 bosc_cuda_inbox *box, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const bosc_events *events = steps->events;
    const int32_t n_groups = batch->layout.n_groups;
    const size_t bytes = ((size_t)n_groups + 1) * sizeof(ptrdiff_t);
    ptrdiff_t *first;
    bosc_status st = bosc_cuda_parcel_room(&box->first, bytes, err);

    if (st == BOSC_OK)
        st = bosc_cuda_parcel_room(&box->next, bytes, err);
    if (st != BOSC_OK)
        return st;
    first = box->first.here;
    first[0] = 0;
    for (int32_t g = 0; g < n_groups; ++g)
        first[g + 1] = first[g] + (bosc_cuda_streams(engine, g)
                                       ? events->first[g + 1] - events->first[g]
                                       : 0);
    box->n = first[n_groups];
    if (box->n == 0)
        return BOSC_OK;

    const size_t all = (size_t)box->n * sizeof(bosc_cuda_event);

    st = bosc_cuda_parcel_room(&box->events, all, err);
    if (st != BOSC_OK)
        return st;
#pragma omp parallel for schedule(dynamic, 8)                                  \
    num_threads(bosc_team((size_t)box->n))
    for (int32_t g = 0; g < n_groups; ++g)
        if (first[g + 1] > first[g])
            write_group(batch, events, g,
                        (bosc_cuda_event *)box->events.here + first[g]);
    st = bosc_cuda_mail_put(engine->mail, box->first.there, first, bytes, err);
    if (st == BOSC_OK)
        st = bosc_cuda_mail_put(engine->mail, box->next.there, first, bytes,
                                err);
    return st == BOSC_OK ? bosc_cuda_mail_put(engine->mail, box->events.there,
                                              box->events.here, all, err)
                         : st;
}

static bosc_status fill_chip(const bosc_engine *engine,
                             const bosc_step_input *steps, bosc_cuda_inbox *box,
                             bosc_error *err)
{
    const size_t bytes = ((size_t)engine->plan.n + 1) * sizeof(ptrdiff_t);
    size_t all;
    bosc_status st = bosc_cuda_parcel_room(&box->chip_first, bytes, err);

    if (st == BOSC_OK)
        st = bosc_chip_sorter_count(engine->sorter, steps, box->chip_first.here,
                                    &box->lost, err);
    if (st != BOSC_OK || box->lost)
        return st;
    box->n_chip = ((const ptrdiff_t *)box->chip_first.here)[engine->plan.n];
    if (box->n_chip == 0)
        return BOSC_OK;
    all = (size_t)box->n_chip * sizeof(bosc_chip_event);
    st = bosc_cuda_parcel_room(&box->chip_events, all, err);
    if (st != BOSC_OK)
        return st;
    bosc_chip_sorter_fill(engine->sorter, steps, box->chip_first.here,
                          box->chip_events.here);
    st = bosc_cuda_mail_put(engine->mail, box->chip_first.there,
                            box->chip_first.here, bytes, err);
    return st == BOSC_OK
               ? bosc_cuda_mail_put(engine->mail, box->chip_events.there,
                                    box->chip_events.here, all, err)
               : st;
}

bosc_status bosc_cuda_events_fill(const bosc_engine *engine,
                                  const bosc_step_input *steps,
                                  bosc_cuda_inbox *box, bosc_error *err)
{
    const bosc_events *events = steps->events;
    const int32_t n_groups = engine->batch->layout.n_groups;
    bosc_status st = bosc_cuda_mail_wait(engine->mail, err); /* of before */

    box->n = box->n_chip = 0;
    box->lost = false;
    if (st != BOSC_OK || events == NULL || events->first[n_groups] == 0)
        return st;
    st = fill_streamed(engine, steps, box, err);
    return st == BOSC_OK && engine->plan.n > 0
               ? fill_chip(engine, steps, box, err)
               : st;
}

void bosc_cuda_events_use(bosc_engine *engine, const bosc_cuda_inbox *box)
{
    bosc_cuda_step *s = &engine->step;
    bosc_cuda_chip *chip = &engine->chip;

    s->first_event = box->n > 0 ? box->first.there : NULL;
    s->next_event = box->next.there;
    s->events = box->events.there;
    chip->first_event = box->n_chip > 0 ? box->chip_first.there : NULL;
    chip->events = box->chip_events.there;
}
