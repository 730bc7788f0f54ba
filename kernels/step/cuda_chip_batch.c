/* cuda_chip_batch.c - cell blocks, their probes and their events, brought to a
 * GPU.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/base/cuda.h"
#include "kernels/step/cuda_engine.h"
#include "src/base/mem.h"

/* --- cell blocks ---------------------------------------------------------- */

static size_t places_of(const bosc_chip_block *block)
{
    return (size_t)(block->kept + block->changing) * BOSC_CHIP_LANES;
}

/* Cell blocks first .. end - 1: their images and maps are put together, which
 * takes fewer copies to the device; those of the host are freed. */
static bosc_status bring_some(bosc_engine *engine,
                              const bosc_chip_block *blocks, int32_t first,
                              int32_t end, bosc_error *err)
{
    bosc_chip_cells *cells = engine->plan.cells;
    const ptrdiff_t image = blocks[first].image, map = blocks[first].map;
    const size_t bytes =
        (size_t)(blocks[end - 1].image + blocks[end - 1].bytes - image);
    const size_t places =
        (size_t)(blocks[end - 1].map - map) + places_of(&blocks[end - 1]);
    unsigned char *images = malloc(bytes);
    uint32_t *maps = malloc(places * sizeof *maps);
    bosc_status st;

    if (images == NULL || maps == NULL) {
        free(images);
        free(maps);
        return bosc_no_memory(err, "neurons on the chip");
    }
#pragma omp parallel for
    for (int32_t i = first; i < end; ++i) {
        memcpy(images + (blocks[i].image - image), cells[i].image,
               (size_t)blocks[i].bytes);
        memcpy(maps + (blocks[i].map - map), cells[i].map,
               places_of(&blocks[i]) * sizeof *maps);
        free(cells[i].image);
        free(cells[i].map);
        cells[i].image = NULL;
        cells[i].map = NULL;
    }
    st = bosc_cuda_put((unsigned char *)engine->chip.images + image, images,
                       bytes, err);
    if (st == BOSC_OK)
        st = bosc_cuda_put((uint32_t *)engine->chip.map + map, maps,
                           places * sizeof *maps, err);
    free(images);
    free(maps);
    return st;
}

static bosc_status bring_images(bosc_engine *engine, bosc_error *err)
{
    enum { TOGETHER = 1 << 26 }; /* bytes */
    const bosc_chip_plan *plan = &engine->plan;
    bosc_chip_block *blocks = bosc_alloc((size_t)plan->n, sizeof *blocks);
    ptrdiff_t bytes = 0, places = 0;
    bosc_status st;

    if (blocks == NULL)
        return bosc_no_memory(err, "neurons on the chip");
    for (int32_t i = 0; i < plan->n; ++i) {
        blocks[i] = plan->cells[i].block;
        blocks[i].image = bytes;
        blocks[i].map = places;
        bytes += blocks[i].bytes;
        places += (ptrdiff_t)places_of(&blocks[i]);
    }
    st = BOSC_BRING(
        engine, err,
        {&engine->chip.blocks, blocks, (size_t)plan->n, sizeof *blocks},
        {&engine->chip.images, NULL, (size_t)bytes, 1},
        {&engine->chip.map, NULL, (size_t)places, sizeof *engine->chip.map});
    for (int32_t i = 0, end; i < plan->n && st == BOSC_OK; i = end) {
        for (end = i + 1;
             end < plan->n && blocks[end].image - blocks[i].image < TOGETHER;
             ++end)
            ;
        st = bring_some(engine, blocks, i, end, err);
    }
    free(blocks);
    return st;
}

/* The groups that stay off the chip. */
static bosc_status bring_off(bosc_engine *engine, bosc_error *err)
{
    const bosc_layout *layout = &engine->batch->layout;
    int32_t *off = bosc_alloc((size_t)layout->n_groups, sizeof *off);
    bosc_status st;

    if (off == NULL)
        return bosc_no_memory(err, "neurons off the chip");
    for (int32_t g = 0; g < layout->n_groups; ++g)
        for (int32_t k = layout->lane[g]; k < layout->lane[g + 1]; ++k)
            if (layout->lane_neuron[k] >= 0) {
                if (engine->plan.where[layout->lane_neuron[k]] < 0)
                    off[engine->n_off++] = g;
                break;
            }
    st = BOSC_BRING(engine, err,
                    {&engine->off, off, (size_t)engine->n_off, sizeof *off});
    free(off);
    return st;
}

/* --- probes --------------------------------------------------------------- */

/* The cell block of a probe, and where its number is; -1: off the chip. */
static int32_t find_probe(const bosc_engine *engine, const bosc_probe_set *set,
                          ptrdiff_t i, uint32_t *at)
{
    const bosc_batch *batch = engine->batch;
    const bosc_layout *layout = &batch->layout;
    const bosc_probe *probe = &set->probe[i];
    const int32_t g = set->group[i], width = bosc_layout_width(layout, g);
    const ptrdiff_t in_group =
        probe->block < 0 ? probe->index - layout->first[g]
                         : batch->blocks[probe->block].at[probe->index];
    const int32_t neuron =
        bosc_layout_neuron(layout, g, (int32_t)(in_group % width));
    const int32_t cells = engine->plan.where[neuron];

    if (cells >= 0)
        *at = probe->block < 0
                  ? engine->plan.address[probe->index]
                  : engine->plan.state[probe->block][probe->index] +
                        (uint32_t)probe->state;
    return cells;
}

static bosc_status bring_set(bosc_engine *engine, const bosc_probe_set *set,
                             bosc_cuda_chip_set *to, bosc_error *err)
{
    const size_t n = (size_t)engine->plan.n;
    ptrdiff_t *first = NULL;
    bosc_chip_probe *probe = NULL;
    uint32_t at = 0;
    bosc_status st = BOSC_ALLOC(err, "probes", BOSC_ARRAY(first, n + 2),
                                BOSC_ARRAY(probe, set->n));

    if (st == BOSC_OK) {
        for (ptrdiff_t i = 0; i < set->n; ++i) {
            const int32_t cells = find_probe(engine, set, i, &at);

            if (cells >= 0)
                ++first[cells + 2];
        }
        for (size_t i = 2; i < n + 2; ++i)
            first[i] += first[i - 1];
        for (ptrdiff_t i = 0; i < set->n; ++i) {
            const int32_t cells = find_probe(engine, set, i, &at);

            if (cells >= 0)
                probe[first[cells + 1]++] =
                    (bosc_chip_probe){.value = (uint32_t)i, .at = at};
        }
        st = BOSC_BRING(engine, err, {&to->first, first, n + 1, sizeof *first},
                        {&to->probe, probe, (size_t)set->n, sizeof *probe});
    }
    free(first);
    free(probe);
    return st;
}

static bosc_status bring_sets(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    bosc_cuda_chip_set *sets = bosc_alloc((size_t)batch->n_sets, sizeof *sets);
    bosc_status st = sets == NULL ? bosc_no_memory(err, "probes") : BOSC_OK;

    for (int32_t k = 0; k < batch->n_sets && st == BOSC_OK; ++k)
        st = bring_set(engine, &batch->sets[k], &sets[k], err);
    if (st == BOSC_OK)
        st = BOSC_BRING(
            engine, err,
            {&engine->chip.sets, sets, (size_t)batch->n_sets, sizeof *sets});
    free(sets);
    return st;
}

bosc_status bosc_cuda_bring_chip(bosc_engine *engine, bosc_error *err)
{
    const bosc_chip_plan *plan = &engine->plan;
    bosc_status st;

    if (plan->n == 0)
        return BOSC_OK;
    engine->chip.n = plan->n;
    engine->chip.room = bosc_cuda_chip_room(engine->batch->n_blocks);
    memcpy(engine->chip.first, plan->first, sizeof plan->first);
    memcpy(engine->chip.bytes, plan->bytes, sizeof plan->bytes);
    engine->first_event =
        bosc_alloc((size_t)plan->n + 2, sizeof *engine->first_event);
    if (engine->first_event == NULL)
        return bosc_no_memory(err, "neurons on the chip");
    st = bring_sets(engine, err);
    free(engine->plan.address); /* probes were the last to ask for it */
    engine->plan.address = NULL;
    if (st == BOSC_OK)
        st = bring_off(engine, err);
    if (st == BOSC_OK)
        st = BOSC_BRING(engine, err,
                        {&engine->chip_first, NULL, (size_t)plan->n + 1,
                         sizeof *engine->chip_first});
    return st == BOSC_OK ? bring_images(engine, err) : st;
}

/* --- events --------------------------------------------------------------- */

/* The event as a cell block takes it, and which one; -1: it is off the chip. */
static int32_t find_event(const bosc_engine *engine, int32_t g,
                          const bosc_event *event, bosc_chip_event *to)
{
    const bosc_batch *batch = engine->batch;
    const bosc_layout *layout = &batch->layout;
    const bosc_mech_block *block = &batch->blocks[event->block];
    const ptrdiff_t i = block->first[g] + event->instance;
    const int32_t lane = block->at[i] % bosc_layout_width(layout, g);

    *to = (bosc_chip_event){.step = event->step,
                            .weight = event->weight,
                            .index = (uint32_t)i,
                            .block = (uint16_t)event->block,
                            .state = engine->plan.state[event->block][i]};
    return engine->plan.where[bosc_layout_neuron(layout, g, lane)];
}

/* Sort the events by step, then by cell block: both keep their order.  The cell
 * blocks of those by step are behind them in by_step. */
static ptrdiff_t sort_events(bosc_engine *engine, const bosc_step_input *steps,
                             ptrdiff_t *of_step)
{
    const bosc_layout *layout = &engine->batch->layout;
    const ptrdiff_t *first = steps->events->first;
    ptrdiff_t *of_cells = engine->first_event, n = 0;
    int32_t *cells = (int32_t *)(engine->by_step + first[layout->n_groups]);
    bosc_chip_event own;

    memset(of_cells, 0, ((size_t)engine->plan.n + 2) * sizeof *of_cells);
    for (int32_t g = 0; g < layout->n_groups; ++g)
        for (ptrdiff_t i = first[g]; i < first[g + 1]; ++i) {
            const bosc_event *event = &steps->events->event[i];

            if (event->step < steps->from || event->step >= steps->to ||
                (i > first[g] && event->step < event[-1].step))
                engine->found.lost_event = true;
            else
                ++of_step[event->step - steps->from + 1];
        }
    if (engine->found.lost_event)
        return 0;
    for (int64_t s = 0; s < steps->to - steps->from; ++s)
        of_step[s + 1] += of_step[s];
    for (int32_t g = 0; g < layout->n_groups; ++g)
        for (ptrdiff_t i = first[g]; i < first[g + 1]; ++i) {
            const int32_t where =
                find_event(engine, g, &steps->events->event[i], &own);
            const ptrdiff_t at = of_step[own.step - steps->from]++;

            engine->by_step[at] = own;
            cells[at] = where;
            if (where >= 0) {
                ++of_cells[where + 2];
                ++n;
            }
        }
    for (int32_t i = 2; i < engine->plan.n + 2; ++i)
        of_cells[i] += of_cells[i - 1];
    for (ptrdiff_t i = 0; i < first[layout->n_groups]; ++i)
        if (cells[i] >= 0)
            engine->chip_events[of_cells[cells[i] + 1]++] = engine->by_step[i];
    return n;
}

bosc_status bosc_cuda_chip_send(bosc_engine *engine,
                                const bosc_step_input *steps, bosc_error *err)
{
    const int32_t n_groups = engine->batch->layout.n_groups;
    bosc_cuda_chip *chip = &engine->chip;
    ptrdiff_t *of_step, n;
    bosc_status st;

    chip->first_event = NULL;
    if (steps->events == NULL || steps->events->first[n_groups] == 0)
        return BOSC_OK;
    const size_t all = (size_t)steps->events->first[n_groups];

    of_step =
        bosc_alloc((size_t)(steps->to - steps->from) + 1, sizeof *of_step);
    if (of_step == NULL ||
        !bosc_grow(&engine->chip_events, &engine->chip_events_here, all,
                   sizeof *engine->chip_events) ||
        !bosc_grow(&engine->by_step, &engine->by_step_here, all + all / 4 + 1,
                   sizeof *engine->by_step)) {
        free(of_step);
        return bosc_no_memory(err, "events");
    }
    n = sort_events(engine, steps, of_step);
    free(of_step);
    if (n == 0)
        return BOSC_OK;
    chip->first_event = engine->chip_first;
    st = bosc_cuda_grow(&chip->events, &engine->chip_event_capacity, (size_t)n,
                        sizeof *chip->events, err);
    if (st == BOSC_OK)
        st = bosc_cuda_put(
            engine->chip_first, engine->first_event,
            ((size_t)engine->plan.n + 1) * sizeof *engine->first_event, err);
    if (st == BOSC_OK)
        st = bosc_cuda_put((void *)chip->events, engine->chip_events,
                           (size_t)n * sizeof *engine->chip_events, err);
    return st;
}
