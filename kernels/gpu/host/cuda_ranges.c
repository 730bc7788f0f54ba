/* cuda_ranges.c - ranges of steps on their way through a GPU.
 *
 * A range is some launches, each of so many steps that its spikes have room.
 * Two are on their way at a time: while one is computed the one before it is
 * fetched, by a stream of its own, and the next range follows this one where it
 * is sure to come.  So a GPU does not wait for its host.
 */
#include <sched.h>
#include <stdlib.h>

#include "kernels/gpu/chip/chip_bytes.h"
#include "kernels/gpu/host/cuda_composed.h"
#include "kernels/gpu/host/cuda_engine.h"
#include "src/base/mem.h"

static const char what[] = "what neurons receive and record";

/* --- create and clear ----------------------------------------------------- */

/* Those of two launches after each other are there until both have ended. */
static bosc_cuda_timer *timer_of(const bosc_engine *engine, int64_t launch)
{
    return launch < 0 ? NULL
                      : engine->progress.timers[launch % BOSC_CUDA_TIMERS];
}

static bosc_status range_create(const bosc_batch *batch, bosc_cuda_range *range,
                                bosc_error *err)
{
    const size_t n = (size_t)batch->n_sets;

    range->values = bosc_alloc(n, sizeof *range->values);
    range->capacity = bosc_alloc(n, sizeof *range->capacity);
    return range->values == NULL || range->capacity == NULL
               ? bosc_no_memory(err, "GPU probes")
               : bosc_cuda_pinned_buffer_reserve(
                     &range->sets, n * sizeof(bosc_cuda_set), err);
}

/* Where all neurons are in cell blocks a launch needs no end of the one before
 * but that of each cell block. */
static bosc_status launch_create(const bosc_engine *engine,
                                 bosc_cuda_launch *launch, bosc_error *err)
{
    const size_t n = (size_t)engine->batch->n_detectors *
                     (size_t)bosc_spikes_room(engine->batch->range);
    void *spikes = NULL;
    bosc_status st = bosc_cuda_pinned_buffer_reserve(
        &launch->found, sizeof(bosc_cuda_found), err);

    if (st == BOSC_OK && engine->step.streamed.n == 0 &&
        engine->on_chip.plan.n > 0 && bosc_cuda_overlaps())
        st = bosc_cuda_stream_create(&launch->stream, err);
    if (st == BOSC_OK)
        st = bosc_cuda_alloc(&spikes, n * sizeof *launch->spikes, what, err);
    launch->spikes = spikes;
    return st;
}

bosc_status bosc_cuda_ranges_create(bosc_engine *engine, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int k = 0; k < BOSC_CUDA_TIMERS && st == BOSC_OK; ++k)
        st = bosc_cuda_timer_create(&engine->progress.timers[k], err);
    for (int k = 0; k < 2 && st == BOSC_OK; ++k) {
        st = range_create(engine->batch, &engine->progress.ranges[k], err);
        if (st == BOSC_OK)
            st = launch_create(engine, &engine->progress.launches[k], err);
    }
    return st;
}

void bosc_cuda_ranges_clear(bosc_engine *engine)
{
    double seconds;

    for (; engine->progress.n_ended < engine->progress.n_launched;
         ++engine->progress.n_ended)
        bosc_cuda_timer_seconds(timer_of(engine, engine->progress.n_ended),
                                NULL, &seconds, NULL); /* waits */
    for (int k = 0; k < BOSC_CUDA_TIMERS; ++k)
        bosc_cuda_timer_destroy(engine->progress.timers[k]);
    for (int k = 0; k < 2; ++k) {
        bosc_cuda_range *range = &engine->progress.ranges[k];
        bosc_cuda_launch *launch = &engine->progress.launches[k];

        for (int32_t i = 0; range->values != NULL && i < engine->batch->n_sets;
             ++i)
            bosc_cuda_free(range->values[i]);
        free(range->values);
        free(range->capacity);
        bosc_cuda_pinned_buffer_clear(&range->sets);
        bosc_cuda_pinned_buffer_clear(&launch->found);
        bosc_cuda_stream_destroy(launch->stream);
        bosc_cuda_free(launch->spikes);
    }
}

/* --- begin ---------------------------------------------------------------- */

/* Room for n numbers, and some to spare; what was there is lost. */
static bosc_status values_room(double **values, size_t *capacity, size_t n,
                               bosc_error *err)
{
    const size_t room = n + n / 2;
    void *there = NULL;
    bosc_status st;

    if (n <= *capacity)
        return BOSC_OK;
    bosc_cuda_free(*values);
    *values = NULL;
    *capacity = 0;
    st = bosc_cuda_alloc(&there, room * sizeof **values, what, err);
    if (st != BOSC_OK)
        return st;
    *values = there;
    *capacity = room;
    return BOSC_OK;
}

static const bosc_event *event_of(const bosc_step_input *steps)
{
    return steps->events != NULL ? steps->events->event : NULL;
}

/* Send what a range begins with. */
static bosc_status begin(bosc_engine *engine, bosc_cuda_range *range,
                         const bosc_step_input *steps, bosc_error *err)
{
    const int32_t n_sets = engine->batch->n_sets;
    bosc_cuda_set *sets = range->sets.host;
    bosc_status st;

    range->to = 0; /* there is none until all is sent */
    range->sure = false;
    st = bosc_cuda_events_fill(engine, steps, &range->events, err);
    for (int32_t k = 0; k < n_sets && st == BOSC_OK; ++k) {
        const bosc_frame_span frames =
            bosc_frames_of(&engine->sets[k].at, steps->from, steps->to);
        const ptrdiff_t n = frames.n * engine->sets[k].n;

        st = values_room(
            &range->values[k], &range->capacity[k],
            (size_t)(n + frames.n * engine->batch->sets[k].n_addends), err);
        sets[k] = engine->sets[k];
        sets[k].begin = frames.begin;
        sets[k].values = range->values[k];
        sets[k].addends = range->values[k] + n;
    }
    if (st == BOSC_OK)
        st = bosc_cuda_copy_queue_put(engine->progress.copies,
                                      range->sets.device, sets,
                                      (size_t)n_sets * sizeof *sets, err);
    if (st != BOSC_OK)
        return st;
    range->from = range->next = range->ended = steps->from;
    range->to = steps->to;
    range->source = event_of(steps);
    return BOSC_OK;
}

/* Is it the one that was begun for these steps? */
static bool is_begun(const bosc_cuda_range *range, const bosc_step_input *steps)
{
    return range->from == steps->from && range->to == steps->to &&
           range->source == event_of(steps);
}

/* --- launch --------------------------------------------------------------- */

/* What the kernels are to know of a launch. */
static void describe(bosc_engine *engine, const bosc_cuda_range *range,
                     const bosc_cuda_launch *launch)
{
    const bosc_batch *batch = engine->batch;
    bosc_cuda_step *s = &engine->step;

    bosc_cuda_events_use(engine, &range->events);
    s->readings.sets = range->sets.device;
    s->out.spikes = launch->spikes;
    s->out.found = launch->found.device;
    s->v_limit = batch->watch.limit;
    s->watch_every = engine->rec.all.any_beyond ? 0 : batch->watch.every;
}

/* A step in which other ranks wait for voltages: the groups that have these
 * have a stream of their own, so that both kinds are computed at the same time.
 */
static bosc_status run_boundary(bosc_engine *engine, int64_t step, bool last,
                                bosc_error *err)
{
    const bosc_cuda_boundary *boundary = &engine->boundary;
    bosc_cuda_step part = engine->step;
    bosc_status st = bosc_cuda_stream_join(boundary->stream, NULL, err);

    part.streamed = boundary->sending;
    if (st == BOSC_OK)
        st = bosc_cuda_timer_start(boundary->taken, boundary->stream, err);
    if (st == BOSC_OK)
        st = bosc_cuda_step_run(&part, boundary->stream, step, step + 1, last,
                                err);
    if (st == BOSC_OK)
        st =
            bosc_cuda_drive_take(&engine->drive, boundary->stream, part.v, err);
    if (st == BOSC_OK)
        st = bosc_cuda_timer_stop(boundary->taken, boundary->stream, err);
    part.streamed = boundary->others;
    if (st == BOSC_OK)
        st = bosc_cuda_step_run(&part, NULL, step, step + 1, last, err);
    return st == BOSC_OK ? bosc_cuda_stream_join(NULL, boundary->stream, err)
                         : st;
}

/* Couplings drive with the voltages of each step's start. */
static bosc_status run_coupled(bosc_engine *engine, int64_t from, int64_t to,
                               bool last, bosc_error *err)
{
    bosc_cuda_step *s = &engine->step;
    bosc_status st = BOSC_OK;

    for (int64_t step = from; step < to && st == BOSC_OK; ++step) {
        const bool end = last && step + 1 == to;

        st = bosc_cuda_drive_run(&engine->drive, s->v, s->driven.push, err);
        if (st == BOSC_OK)
            st = engine->boundary.wanted
                     ? run_boundary(engine, step, end, err)
                     : bosc_cuda_step_run(s, NULL, step, step + 1, end, err);
    }
    return st;
}

static bosc_status run(bosc_engine *engine, bosc_cuda_stream *stream,
                       const int64_t range[2], bool last, bosc_error *err)
{
    const int64_t from = range[0], to = range[1];
    bosc_cuda_step *s = &engine->step;
    bosc_status st = from == 0 && engine->composed == NULL
                         ? bosc_cuda_step_frames(s, stream, err)
                         : BOSC_OK;

    if (st == BOSC_OK && engine->on_chip.plan.n > 0) {
        engine->on_chip.chip.launch =
            (uint32_t)(engine->progress.n_launched + 1);
        st = bosc_cuda_chip_run(s, &engine->on_chip.chip,
                                &engine->on_chip.kernels, stream, range, err);
    }
    if (st == BOSC_OK)
        st = engine->composed != NULL
                 ? bosc_cuda_composed_run(engine, from, to, last, err)
             : engine->batch->drive != NULL
                 ? run_coupled(engine, from, to, last, err)
                 : bosc_cuda_step_run(s, NULL, from, to, last, err);
    return st == BOSC_OK && last ? bosc_cuda_step_check(s, err) : st;
}

/* The sums over neurons of a range that ends. */
static bosc_status add_up(const bosc_engine *engine,
                          const bosc_cuda_range *range,
                          bosc_cuda_stream *stream, bosc_error *err)
{
    const bosc_cuda_set *sets = range->sets.host;
    bosc_status st = BOSC_OK;

    for (int32_t k = 0; k < engine->batch->n_sets && st == BOSC_OK; ++k)
        st = bosc_cuda_add_up(
            &sets[k], bosc_frames_of(&sets[k].at, range->from, range->to).n,
            stream, err);
    return st;
}

/* The next steps of a range. */
static bosc_status launch_next(bosc_engine *engine, bosc_cuda_range *range,
                               bosc_error *err)
{
    const int slot = (int)(engine->progress.n_launched % 2);
    bosc_cuda_launch *launch = &engine->progress.launches[slot];
    const bosc_cuda_launch *before = &engine->progress.launches[!slot];
    bosc_cuda_timer *timer = timer_of(engine, engine->progress.n_launched);
    const int64_t left = range->to - range->next,
                  most =
                      engine->batch->n_detectors > 0
                          ? 2 * (int64_t)bosc_spikes_room(engine->batch->range)
                          : left;
    const int64_t to = range->next + (left < most ? left : most);
    bosc_status st;

    launch->to = to;
    describe(engine, range, launch);
    *(bosc_cuda_found *)launch->found.host = (bosc_cuda_found){0};
    st = bosc_cuda_copy_queue_put(engine->progress.copies, launch->found.device,
                                  launch->found.host, sizeof(bosc_cuda_found),
                                  err);
    if (st == BOSC_OK)
        st = bosc_cuda_copy_queue_precede(engine->progress.copies,
                                          launch->stream, err);
    if (st == BOSC_OK && engine->progress.n_launched > 0)
        st = bosc_cuda_stream_follow(launch->stream, before->stream, err);
    if (st == BOSC_OK)
        st = bosc_cuda_timer_start(timer, launch->stream, err);
    if (st == BOSC_OK)
        st = run(engine, launch->stream, (const int64_t[2]){range->next, to},
                 to == range->to, err);
    if (st == BOSC_OK && to == range->to)
        st = add_up(engine, range, launch->stream, err);
    if (st == BOSC_OK)
        st = bosc_cuda_timer_stop(timer, launch->stream, err);
    range->next = to;
    ++engine->progress.n_launched;
    return st;
}

/* As much as has room: of this range, then of the next one. */
static bosc_status launch_all(bosc_engine *engine, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    while (engine->progress.n_launched - engine->progress.n_ended < 2 &&
           st == BOSC_OK) {
        bosc_cuda_range *range =
            &engine->progress.ranges[engine->progress.range];

        if (range->next >= range->to) {
            range = &engine->progress.ranges[!engine->progress.range];
            if (!range->sure || range->next >= range->to)
                break;
        }
        st = launch_next(engine, range, err);
    }
    return st;
}

bosc_status bosc_cuda_expect(bosc_engine *engine, const bosc_step_input *next,
                             bool sure, bosc_error *err)
{
    bosc_cuda_range *range = &engine->progress.ranges[!engine->progress.range];
    const bosc_status st = begin(engine, range, next, err);

    range->sure = sure && engine->batch->drive == NULL;
    return st == BOSC_OK ? launch_all(engine, err) : st;
}

/* --- fetch ---------------------------------------------------------------- */

/* Call those who wait for the voltages of the step's end, if it has them. */
static bosc_status tell_boundary(bosc_cuda_boundary *boundary,
                                 const bosc_step_input *steps, bosc_error *err)
{
    bool taken = !boundary->wanted;
    bosc_status st = BOSC_OK;

    if (steps->sent == NULL || boundary->told)
        return BOSC_OK;
    if (!taken)
        st = bosc_cuda_timer_ended(boundary->taken, &taken, err);
    if (st != BOSC_OK || !taken)
        return st;
    boundary->told = true;
    steps->sent(steps->what);
    return BOSC_OK;
}

static bosc_status wait_for(bosc_engine *engine, bosc_cuda_timer *timer,
                            const bosc_step_input *steps, bosc_error *err)
{
    for (;;) {
        bool ended = false;
        bosc_status st = bosc_cuda_timer_ended(timer, &ended, err);

        if (st == BOSC_OK)
            st = tell_boundary(&engine->boundary, steps, err);
        if (st != BOSC_OK || ended)
            return st;
        if (steps->poll != NULL)
            steps->poll(steps->what);
        sched_yield();
    }
}

/* The spikes of a launch that has ended, and what else it has found. */
static bosc_status fetch(bosc_engine *engine, const bosc_cuda_launch *launch,
                         bosc_error *err)
{
    const bosc_cuda_found *there = launch->found.host;
    bosc_cuda_found *all = &engine->progress.found;
    bosc_findings *found = engine->rec.found;
    double seconds = 0;
    bosc_status st =
        bosc_cuda_copy_queue_get(engine->progress.copies, launch->found.host,
                                 launch->found.device, sizeof *there, err);

    if (st == BOSC_OK)
        st = bosc_cuda_timer_seconds(
            timer_of(engine, engine->progress.n_ended),
            timer_of(engine, engine->progress.n_ended - 1), &seconds, err);
    if (st != BOSC_OK)
        return st;
    engine->progress.device_seconds += seconds;
    all->broken = there->broken > all->broken ? there->broken : all->broken;
    all->lost_event |= there->lost_event;
    all->beyond |= there->beyond;
    all->crowded |= there->crowded;
    all->no_room |= there->no_room;

    const size_t n = (size_t)there->n_spikes;

    if (n == 0)
        return BOSC_OK;
    if (!bosc_grow(&found->spikes, &found->capacity, found->n + n,
                   sizeof *found->spikes)) {
        found->short_of_memory = true;
        return BOSC_OK;
    }
    st = bosc_cuda_copy_queue_get(engine->progress.copies,
                                  found->spikes + found->n, launch->spikes,
                                  n * sizeof *found->spikes, err);
    found->n += n;
    return st;
}

/* --- a range -------------------------------------------------------------- */

bosc_status bosc_cuda_range_run(bosc_engine *engine,
                                const bosc_step_input *steps, bosc_error *err)
{
    bosc_cuda_range *range = &engine->progress.ranges[!engine->progress.range];
    bosc_status st = BOSC_OK;

    if (!is_begun(range, steps)) {
        if (engine->progress.n_launched > engine->progress.n_ended)
            return bosc_fail(err, BOSC_EINTERNAL,
                             "the GPU computes other steps than %lld to %lld; "
                             "internal error, please report",
                             (long long)steps->from, (long long)steps->to);
        st = begin(engine, range, steps, err);
    }
    engine->progress.ranges[engine->progress.range].sure = false;
    engine->progress.ranges[engine->progress.range].to = 0;
    engine->progress.range = !engine->progress.range;
    engine->progress.found = (bosc_cuda_found){0};
    engine->rec.found->lost_event |= range->events.lost;
    engine->boundary.told = false;
    engine->boundary.wanted =
        steps->sent != NULL && engine->boundary.stream != NULL;
    if (st == BOSC_OK)
        st = launch_all(engine, err);
    while (st == BOSC_OK && range->ended < range->to) {
        const bosc_cuda_launch *launch =
            &engine->progress.launches[engine->progress.n_ended % 2];

        st = wait_for(engine, timer_of(engine, engine->progress.n_ended), steps,
                      err);
        if (st == BOSC_OK)
            st = fetch(engine, launch, err);
        range->ended = launch->to;
        ++engine->progress.n_ended;
        if (st == BOSC_OK)
            st = launch_all(engine, err);
    }
    engine->boundary.wanted = false;
    return st;
}
