#include "kernels/gpu/chip/chip_events.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/key_sort.h"
#include "src/base/mem.h"
#include "src/base/team.h"

_Static_assert(offsetof(bosc_chip_event, step) == 0 &&
                   sizeof(bosc_chip_event) <= BOSC_KEYED_SIZE,
               "events are sorted by what comes first");

struct bosc_chip_sorter {
    const bosc_batch *batch;
    const bosc_chip_plan *plan;
    int32_t *first;  /* [plan->n + 2], of which the last is spare, into */
    int32_t *neuron; /* those of each cell block */
    ptrdiff_t
        *next; /* [n_neurons] their events, then where the next one goes */
    size_t lanes_capacity, room_capacity, sums_capacity;
    uint8_t *lanes; /* of events */
    bosc_chip_event *room;
    size_t *sums; /* [threads] */
};

/* The neurons of each cell block, by number. */
static void list_neurons(bosc_chip_sorter *s)
{
    const int32_t n = s->batch->layout.n_neurons;
    const int32_t *where = s->plan->where;

    for (int32_t i = 0; i < n; ++i)
        if (where[i] >= 0)
            ++s->first[where[i] + 2];
    for (int32_t k = 0; k < s->plan->n; ++k)
        s->first[k + 2] += s->first[k + 1];
    for (int32_t i = 0; i < n; ++i)
        if (where[i] >= 0)
            s->neuron[s->first[where[i] + 1]++] = i;
}

bosc_status bosc_chip_sorter_create(const bosc_batch *batch,
                                    const bosc_chip_plan *plan,
                                    bosc_chip_sorter **out, bosc_error *err)
{
    const int32_t n = batch->layout.n_neurons;
    bosc_chip_sorter *s = bosc_alloc(1, sizeof *s);
    bosc_status st;

    if (s == NULL)
        return bosc_no_memory(err, "events");
    s->batch = batch;
    s->plan = plan;
    st = BOSC_ALLOC(err, "events", BOSC_ARRAY(s->first, plan->n + 2),
                    BOSC_ARRAY(s->neuron, n), BOSC_ARRAY(s->next, n));
    if (st != BOSC_OK) {
        bosc_chip_sorter_destroy(s);
        return st;
    }
    list_neurons(s);
    *out = s;
    return BOSC_OK;
}

void bosc_chip_sorter_destroy(bosc_chip_sorter *s)
{
    if (s == NULL)
        return;
    free(s->first);
    free(s->neuron);
    free(s->next);
    free(s->lanes);
    free(s->room);
    free(s->sums);
    free(s);
}

bool bosc_chip_has_group(const bosc_batch *batch, const bosc_chip_plan *plan,
                         int32_t g)
{
    const bosc_layout *layout = &batch->layout;

    for (int32_t k = 0; k < bosc_layout_width(layout, g); ++k) {
        const int32_t neuron = bosc_layout_neuron(layout, g, k);

        if (neuron >= 0)
            return plan->where[neuron] >= 0;
    }
    return false;
}

/* Count those of each neuron of group g; false where one is lost. */
static bool count_group(bosc_chip_sorter *s, const bosc_step_input *steps,
                        int32_t g)
{
    const bosc_batch *batch = s->batch;
    const bosc_layout *layout = &batch->layout;
    const int32_t width = bosc_layout_width(layout, g);
    const int32_t *neuron = layout->lane_neuron + layout->lane[g];
    const bosc_event *event = steps->events->event;
    int64_t before = steps->from;
    bool fine = true;

    for (int32_t k = 0; k < width; ++k)
        if (neuron[k] >= 0)
            s->next[neuron[k]] = 0;
    for (ptrdiff_t i = steps->events->first[g]; i < steps->events->first[g + 1];
         ++i) {
        const bosc_mech_block *block = &batch->blocks[event[i].block];
        const int32_t lane =
            block->at[block->first[g] + event[i].instance] % width;

        fine = fine && event[i].step >= before && event[i].step < steps->to;
        before = event[i].step;
        s->lanes[i] = (uint8_t)lane;
        ++s->next[neuron[lane]];
    }
    return fine;
}

/* Where the events of the neurons of some cell blocks begin, from 'at' on, and
 * end; first == NULL: only that. */
static size_t place(bosc_chip_sorter *s, bosc_share cells, size_t at,
                    ptrdiff_t *first)
{
    for (size_t k = cells.begin; k < cells.end; ++k) {
        if (first != NULL)
            first[k] = (ptrdiff_t)at;
        for (int32_t i = s->first[k]; i < s->first[k + 1]; ++i) {
            ptrdiff_t *next = &s->next[s->neuron[i]];
            const size_t n = (size_t)*next;

            if (first != NULL)
                *next = (ptrdiff_t)at;
            at += n;
        }
    }
    return at;
}

bosc_status bosc_chip_sorter_count(bosc_chip_sorter *s,
                                   const bosc_step_input *steps,
                                   ptrdiff_t *first, bool *lost,
                                   bosc_error *err)
{
    const int32_t n_groups = s->batch->layout.n_groups;
    const size_t n = (size_t)steps->events->first[n_groups];
    size_t all = 0;
    bool fine = true;

    if (!bosc_grow(&s->lanes, &s->lanes_capacity, n, sizeof *s->lanes) ||
        !bosc_grow(&s->sums, &s->sums_capacity, (size_t)omp_get_max_threads(),
                   sizeof *s->sums))
        return bosc_no_memory(err, "events");
#pragma omp parallel num_threads(bosc_team(n)) \
    reduction(&& : fine) reduction(max : all)
    {
        const bosc_share mine = bosc_share_of((size_t)s->plan->n);

#pragma omp for schedule(dynamic, 8)
        for (int32_t g = 0; g < n_groups; ++g)
            fine = count_group(s, steps, g) && fine;

        const size_t before =
            bosc_share_before(place(s, mine, 0, NULL), s->sums, &all);

        place(s, mine, before, first);
    }
    first[s->plan->n] = (ptrdiff_t)all;
    *lost = !fine;
    return bosc_grow(&s->room, &s->room_capacity, all, sizeof *s->room)
               ? BOSC_OK
               : bosc_no_memory(err, "events");
}

/* The events of group g to their neurons. */
static void deal_group(const bosc_chip_sorter *s, const bosc_step_input *steps,
                       int32_t g)
{
    const bosc_batch *batch = s->batch;
    const bosc_layout *layout = &batch->layout;
    const int32_t *neuron = layout->lane_neuron + layout->lane[g];

    for (ptrdiff_t i = steps->events->first[g]; i < steps->events->first[g + 1];
         ++i) {
        const bosc_event *event = &steps->events->event[i];
        const ptrdiff_t at =
            batch->blocks[event->block].first[g] + event->instance;

        s->room[s->next[neuron[s->lanes[i]]]++] = (bosc_chip_event){
            .step = event->step,
            .weight = event->value,
            .index = (uint32_t)at,
            .place = bosc_chip_place(
                event->block, (int32_t)s->plan->state[event->block][at])};
    }
}

void bosc_chip_sorter_fill(bosc_chip_sorter *s, const bosc_step_input *steps,
                           const ptrdiff_t *first, bosc_chip_event *to)
{
    const bosc_batch *batch = s->batch;
    const int bits = bosc_bits_of((uint64_t)(steps->to - steps->from));

#pragma omp parallel num_threads(bosc_team((size_t)first[s->plan->n]))
    {
#pragma omp for schedule(dynamic, 8)
        for (int32_t g = 0; g < batch->layout.n_groups; ++g)
            if (bosc_chip_has_group(batch, s->plan, g))
                deal_group(s, steps, g);
#pragma omp for schedule(dynamic, 8)
        for (int32_t k = 0; k < s->plan->n; ++k) {
            const bosc_keyed what = {(size_t)(first[k + 1] - first[k]),
                                     sizeof *to, steps->from, bits};
            const bosc_chip_event *sorted =
                bosc_key_sort(&what, s->room + first[k], to + first[k]);

            if (sorted != to + first[k] && what.n > 0)
                memcpy(to + first[k], sorted, what.n * sizeof *to);
        }
    }
}
