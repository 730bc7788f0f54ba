#include "kernels/step/step_io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/batch/receive.h"
#include "src/base/key_sort.h"
#include "src/base/mem.h"

/* The number of the first detector in each group. */
static ptrdiff_t *index_detectors(const bosc_batch *batch)
{
    const bosc_layout *layout = &batch->layout;
    ptrdiff_t *first = bosc_alloc((size_t)layout->n_groups + 1, sizeof *first);
    ptrdiff_t i = 0;

    if (first == NULL)
        return NULL;
    for (int32_t g = 0; g < layout->n_groups; ++g) {
        while (i < batch->n_detectors &&
               batch->detectors[i].slot < layout->first[g + 1])
            ++i;
        first[g + 1] = i;
    }
    return first;
}

/* Sort the readings of a set by group, keeping their order (counting sort). */
static bool index_readings(const bosc_reading_set *set, int32_t n_groups,
                           bosc_frames *frames)
{
    ptrdiff_t *first = bosc_alloc((size_t)n_groups + 2, sizeof *first);
    ptrdiff_t *order = bosc_alloc((size_t)set->n, sizeof *order);

    frames->first = first;
    frames->order = order;
    if (first == NULL || order == NULL)
        return false;
    for (ptrdiff_t i = 0; i < set->n; ++i)
        ++first[set->group[i] + 2];
    for (int32_t g = 0; g < n_groups; ++g)
        first[g + 2] += first[g + 1];
    for (ptrdiff_t i = 0; i < set->n; ++i)
        order[first[set->group[i] + 1]++] = i;
    return true;
}

/* The arrays of the batch by number. */
static const double **list_arrays(const bosc_batch *batch)
{
    const double **array =
        bosc_alloc((size_t)bosc_batch_arrays(batch), sizeof *array);
    int32_t k = BOSC_ARRAY_STATES;

    if (array == NULL)
        return NULL;
    array[BOSC_ARRAY_V] = batch->v;
    for (int32_t b = 0; b < batch->n_blocks; ++b)
        for (int j = 0; j < batch->blocks[b].mech->n_states; ++j)
            array[k++] = batch->blocks[b].state[j];
    return array;
}

static bool make_indices(bosc_step_io *rec)
{
    const bosc_batch *b = rec->batch;
    const size_t n_sets = (size_t)b->n_sets;

    rec->detector_first = index_detectors(b);
    rec->above = bosc_alloc((size_t)b->n_detectors, sizeof *rec->above);
    rec->next_event =
        bosc_alloc((size_t)b->layout.n_groups, sizeof *rec->next_event);
    rec->array = list_arrays(b);
    rec->frames = bosc_alloc(n_sets, sizeof *rec->frames);
    rec->n_frames = bosc_alloc(n_sets, sizeof *rec->n_frames);
    rec->found = bosc_alloc((size_t)rec->n_found, sizeof *rec->found);
    if (rec->detector_first == NULL || rec->above == NULL ||
        rec->next_event == NULL || rec->array == NULL || rec->frames == NULL ||
        rec->n_frames == NULL || rec->found == NULL)
        return false;
    for (ptrdiff_t i = 0; i < b->n_detectors; ++i)
        rec->above[i] = b->detectors[i].above;
    for (int32_t s = 0; s < b->n_sets; ++s)
        if (!index_readings(&b->sets[s], b->layout.n_groups, &rec->frames[s]))
            return false;
    return true;
}

bosc_status bosc_step_io_init(bosc_step_io *rec, bosc_batch *batch, int threads,
                              bosc_error *err)
{
    *rec = (bosc_step_io){.batch = batch, .n_found = threads};
    if (make_indices(rec))
        return BOSC_OK;
    bosc_step_io_clear(rec);
    return bosc_fail(err, BOSC_ENOMEM,
                     "out of memory for probes and detectors");
}

void bosc_step_io_detected(const bosc_step_io *rec)
{
    for (ptrdiff_t i = 0; i < rec->batch->n_detectors; ++i)
        rec->batch->detectors[i].above = rec->above[i];
}

double bosc_step_io_bytes(double n_groups, double n_detectors, double n_values)
{
    const bosc_step_io rec = {0};
    const bosc_frames f = {0};

    return n_groups * (sizeof *rec.detector_first + sizeof *rec.next_event) +
           n_detectors * sizeof *rec.above + n_values * sizeof *f.order;
}

void bosc_step_io_clear(bosc_step_io *rec)
{
    for (int32_t s = 0; rec->batch != NULL && s < rec->batch->n_sets; ++s) {
        if (rec->frames != NULL) {
            free(rec->frames[s].first);
            free(rec->frames[s].order);
        }
    }
    for (int t = 0; rec->found != NULL && t < rec->n_found; ++t)
        free(rec->found[t].spikes);
    free(rec->found);
    free(rec->detector_first);
    free(rec->above);
    free(rec->next_event);
    free(rec->array);
    free(rec->frames);
    free(rec->n_frames);
    bosc_frame_room_clear(&rec->own);
    free(rec->all.spikes);
    free(rec->room);
    *rec = (bosc_step_io){0};
}

static void forget(bosc_findings *found)
{
    found->short_of_memory = found->not_finite = found->lost_event = false;
    found->crowded = found->stray = false;
    found->broken = 0;
}

bosc_status bosc_step_io_begin(bosc_step_io *rec, const bosc_step_input *steps,
                               bosc_error *err)
{
    const int32_t n_groups =
        steps->events == NULL ? 0 : rec->batch->layout.n_groups;

    rec->steps = *steps;
    for (int32_t g = 0; g < n_groups; ++g)
        rec->next_event[g] = steps->events->first[g];
    rec->all.n = 0;
    forget(&rec->all);
    for (int32_t s = 0; s < rec->batch->n_sets; ++s) {
        const bosc_reading_set *set = &rec->batch->sets[s];
        bosc_frames *frames = &rec->frames[s];

        const bosc_frame_span span =
            bosc_frames_of(&set->at, steps->from, steps->to);

        frames->begin = span.begin;
        rec->n_frames[s] = span.n;
    }
    rec->values = steps->frames;
    if (rec->values != NULL)
        return BOSC_OK;

    const bosc_status st = bosc_frame_room_reserve(&rec->own, rec->batch,
                                                   steps->from, steps->to, err);

    rec->values = rec->own.values;
    return st;
}

void bosc_step_io_drive(const bosc_step_io *rec, int32_t g, double *d,
                        double *b)
{
    const bosc_injected *drive = rec->batch->drive;
    const ptrdiff_t base = rec->batch->layout.first[g];

    if (drive == NULL)
        return;
    for (ptrdiff_t i = drive->first[g]; i < drive->first[g + 1]; ++i) {
        d[drive->push[i].slot - base] += drive->push[i].conductance;
        b[drive->push[i].slot - base] += drive->push[i].current;
    }
}

/* What artificial cells have sent so far. */
static void collect_sent(bosc_step_io *rec, int32_t g, int64_t now,
                         bosc_findings *found)
{
    const bosc_batch *batch = rec->batch;
    bosc_self_events *own = &batch->self[g];

    for (size_t i = 0; i < own->n_spikes; ++i) {
        const bosc_self_event *from = &own->spike[i];
        const bosc_mech_block *block = &batch->blocks[from->block];
        const int32_t at = block->at[block->first[g] + from->instance];
        const int64_t step = (int64_t)floor(from->t / batch->dt);
        const bool before = step < now;

        if (bosc_grow(&found->spikes, &found->capacity, found->n + 1,
                      sizeof *found->spikes))
            found->spikes[found->n++] = (bosc_spike){
                bosc_spike_order(step + before, before ? BOSC_SPIKE_BEFORE
                                                       : BOSC_SPIKE_WITHIN),
                bosc_layout_at(&batch->layout, g, at).neuron,
                fmax(from->t - (double)step * batch->dt, 0)};
        else
            found->short_of_memory = true;
    }
    own->n_spikes = 0;
}

void bosc_step_io_deliver(bosc_step_io *rec, int32_t g, int64_t step,
                          bosc_findings *found)
{
    bosc_batch *batch = rec->batch;
    const bosc_events *events = rec->steps.events;
    const double now = (double)step * batch->dt;
    const ptrdiff_t end = events != NULL ? events->first[g + 1] : 0;
    ptrdiff_t i = events != NULL ? rec->next_event[g] : 0;

    if (batch->self != NULL)
        bosc_receive_watched(batch, g, now);
    for (; i < end && events->event[i].step == step; ++i) {
        const bosc_event *event = &events->event[i];
        bosc_self_event received = {
            .t = now, .block = event->block, .instance = event->instance};

        if (batch->blocks[event->block].mech->plain) {
            received.flag = event->value;
        } else {
            received.t += event->value;
            if (batch->self != NULL)
                bosc_receive_self(batch, g, received.t);
        }
        bosc_receive(batch, g, received);
    }
    rec->next_event[g] = i;
    if (batch->self != NULL)
        bosc_receive_self(batch, g, ((double)step + 0.5) * batch->dt);
    if (batch->self != NULL && batch->self[g].n_spikes > 0)
        collect_sent(rec, g, step, found);
}

void bosc_step_io_detect(bosc_step_io *rec, int32_t g, int64_t step,
                         bosc_findings *found)
{
    const bosc_batch *batch = rec->batch;

    for (ptrdiff_t i = rec->detector_first[g]; i < rec->detector_first[g + 1];
         ++i) {
        const bosc_detector *detector = &batch->detectors[i];
        const bool above = batch->v[detector->slot] > detector->threshold;

        if (above && !rec->above[i]) {
            if (bosc_grow(&found->spikes, &found->capacity, found->n + 1,
                          sizeof *found->spikes))
                found->spikes[found->n++] =
                    bosc_spike_detected(step, detector->source);
            else
                found->short_of_memory = true;
        }
        rec->above[i] = above;
    }
}

/* The readings order[0] .. order[n - 1] of a set of copies. */
static void copy_readings(const bosc_step_io *rec, const bosc_reading_set *set,
                          const ptrdiff_t *order, ptrdiff_t n, double *frame)
{
    for (ptrdiff_t k = 0; k < n; ++k) {
        const ptrdiff_t i = order[k];
        const bosc_term term = set->term[i];

        frame[i] = rec->array[term.array][term.at];
    }
}

/* A bundle, from reading i on. */
static void sum_bundle(const bosc_step_io *rec, const bosc_reading_set *set,
                       ptrdiff_t i, double *restrict sum)
{
    const int32_t width = set->width;

    for (int32_t k = 0; k < width; ++k)
        sum[k] = 0;
    for (ptrdiff_t t = bosc_reading_first(set, i);
         t < bosc_reading_first(set, i + width); ++t) {
        const double x = rec->array[set->term[t].array][set->term[t].at];
        const double *restrict weight = set->weight + width * t;

#pragma omp simd
        for (int32_t k = 0; k < width; ++k)
            sum[k] += weight[k] * x;
    }
}

/* Those of a set of sums; the readings of a bundle are of one group. */
static void sum_readings(const bosc_step_io *rec, const bosc_reading_set *set,
                         const ptrdiff_t *order, ptrdiff_t n, double *frame)
{
    if (set->width > 1) {
        for (ptrdiff_t k = 0; k < n; k += set->width)
            sum_bundle(rec, set, order[k], frame + order[k]);
        return;
    }
    for (ptrdiff_t k = 0; k < n; ++k) {
        const ptrdiff_t i = order[k], first = set->first[i];

        frame[i] =
            bosc_reading_sum(rec->array, set->term + first, set->weight + first,
                             1, set->first[i + 1] - first);
    }
}

void bosc_step_io_frame(bosc_step_io *rec, int32_t g, int64_t step)
{
    const bosc_batch *batch = rec->batch;

    for (int32_t s = 0; s < batch->n_sets; ++s) {
        const bosc_reading_set *set = &batch->sets[s];
        const bosc_frames *frames = &rec->frames[s];
        const ptrdiff_t *order = frames->order + frames->first[g];
        const ptrdiff_t n = frames->first[g + 1] - frames->first[g];

        if (!bosc_frame_falls(&set->at, step))
            continue;

        double *frame =
            rec->values[s] +
            (bosc_frame_number(&set->at, step) - frames->begin) * set->n;

        if (set->first == NULL)
            copy_readings(rec, set, order, n, frame);
        else
            sum_readings(rec, set, order, n, frame);
    }
}

void bosc_step_io_check(const bosc_step_io *rec, int32_t g,
                        bosc_findings *found)
{
    const ptrdiff_t *first = rec->batch->layout.first;
    const double *v = rec->batch->v;
    double zero = 0; /* 0 times a number is 0, and NaN where it is not finite */

#pragma omp simd reduction(+ : zero)
    for (ptrdiff_t slot = first[g]; slot < first[g + 1]; ++slot)
        zero += 0 * v[slot];
    found->not_finite = found->not_finite || zero != 0;
    if (rec->batch->self != NULL) {
        found->short_of_memory |= rec->batch->self[g].failed;
        found->crowded |= rec->batch->self[g].crowded;
        found->stray |= rec->batch->self[g].stray;
    }
    found->lost_event = found->lost_event ||
                        (rec->steps.events != NULL &&
                         rec->next_event[g] != rec->steps.events->first[g + 1]);
}

/* A point without membrane has the voltage of its neighbours, but for rounding.
 */
static bool is_bare(const bosc_batch *batch, const bosc_beyond *at)
{
    return batch->system.c != NULL && /* else a device has looked at that */
           batch->system.c[bosc_slot(&batch->layout, at->neuron, at->node)] <=
               0;
}

/* Of two findings the one to report. */
static bool is_before(const bosc_batch *batch, const bosc_beyond *a,
                      const bosc_beyond *b)
{
    const bool bare = is_bare(batch, a);

    if (a->step != b->step)
        return a->step < b->step;
    if (a->gid != b->gid)
        return a->gid < b->gid;
    if (bare != is_bare(batch, b))
        return !bare;
    return fabs(a->v) != fabs(b->v) ? fabs(a->v) > fabs(b->v)
                                    : a->node < b->node;
}

static void note(const bosc_batch *batch, const bosc_beyond *beyond,
                 bosc_findings *found)
{
    if (!found->any_beyond || is_before(batch, beyond, &found->beyond))
        found->beyond = *beyond;
    found->any_beyond = true;
}

void bosc_step_io_note(const bosc_step_io *rec, bosc_beyond beyond,
                       bosc_findings *found)
{
    const bosc_batch *batch = rec->batch;

    beyond.gid = batch->gid != NULL ? batch->gid[beyond.neuron] : beyond.neuron;
    note(batch, &beyond, found);
}

void bosc_step_io_note_beyond(const bosc_step_io *rec, int32_t g, int64_t step,
                              bosc_findings *found)
{
    const bosc_batch *batch = rec->batch;
    const bosc_layout *layout = &batch->layout;

    for (int32_t at = 0; at < bosc_layout_slots(layout, g); ++at) {
        const double v = batch->v[layout->first[g] + at];
        const bosc_element what = bosc_layout_at(layout, g, at);

        /* Padding may have the voltage that a lane's rows hand on. */
        if (what.neuron >= 0 && what.i != BOSC_NO_ROW &&
            fabs(v) > batch->watch.limit)
            bosc_step_io_note(rec,
                              (bosc_beyond){.step = step,
                                            .neuron = what.neuron,
                                            .node = what.i,
                                            .v = v},
                              found);
    }
}

/* What the threads have found, but for spikes. */
static void sum_up(bosc_step_io *rec)
{
    bosc_findings *all = &rec->all;

    for (int t = 0; t < rec->n_found; ++t) {
        bosc_findings *found = &rec->found[t];

        all->short_of_memory |= found->short_of_memory;
        if (found->not_finite && !all->not_finite)
            all->broken = found->broken;
        all->not_finite |= found->not_finite;
        all->lost_event |= found->lost_event;
        all->crowded |= found->crowded;
        all->stray |= found->stray;
        if (found->any_beyond)
            note(rec->batch, &found->beyond, all);
        all->n += found->n;
        found->any_beyond = false;
        forget(found);
    }
}

_Static_assert(offsetof(bosc_spike, order) == 0 &&
                   sizeof(bosc_spike) <= BOSC_KEYED_SIZE,
               "spikes are sorted by what comes first");

/* The spikes of all threads by bosc_spike_compare().  Where detectors have sent
 * all of them, 'order' becomes a key for (step, source), whose low 'bits' are
 * those of the source, while they are sorted. */
static bosc_status sort_spikes(bosc_step_io *rec, bosc_spike **out,
                               bosc_error *err)
{
    const int64_t from = rec->steps.from, to = rec->steps.to;
    bosc_findings *all = &rec->all;
    int64_t sources = 0, kinds = 0;
    size_t n = 0;

    if (!bosc_grow(&all->spikes, &all->capacity, all->n, sizeof **out) ||
        !bosc_grow(&rec->room, &rec->room_capacity, all->n, sizeof **out))
        return bosc_no_memory(err, "the spikes");
    for (int t = 0; t < rec->n_found; ++t) {
        bosc_findings *found = &rec->found[t];

        for (size_t i = 0; i < found->n; ++i) {
            sources |= found->spikes[i].source;
            kinds |= found->spikes[i].order & 3;
            all->spikes[n++] = found->spikes[i];
        }
        found->n = 0;
    }
    *out = all->spikes;
    if (kinds != BOSC_SPIKE_DETECTED) {
        if (n > 1)
            qsort(all->spikes, n, sizeof **out, bosc_spike_compare);
        return BOSC_OK;
    }

    const int bits = bosc_bits_of((uint64_t)sources);

    for (size_t i = 0; i < n; ++i)
        all->spikes[i].order = (bosc_spike_step(&all->spikes[i]) - from)
                                   << bits |
                               all->spikes[i].source;
    *out =
        bosc_key_sort(&(bosc_keyed){n, sizeof **out, 0,
                                    bits + bosc_bits_of((uint64_t)(to - from))},
                      all->spikes, rec->room);
    for (size_t i = 0; i < n; ++i)
        (*out)[i].order = bosc_spike_order(from + ((*out)[i].order >> bits),
                                           BOSC_SPIKE_DETECTED);
    return BOSC_OK;
}

/* The first neuron with a voltage that is not finite; -1 if all are. */
static int32_t find_broken(const bosc_batch *batch, int32_t known)
{
    const bosc_layout *layout = &batch->layout;
    int32_t broken = known;

    for (ptrdiff_t slot = 0; known < 0 && slot < layout->n_slots; ++slot) {
        if (isfinite(batch->v[slot]))
            continue;

        const int32_t i = bosc_layout_find(layout, slot).neuron;

        if (i >= 0 && (broken < 0 || i < broken))
            broken = i;
    }
    return broken;
}

static bosc_status fail_broken(bosc_step_io *rec, bosc_error *err)
{
    bosc_batch *batch = rec->batch;
    const int32_t i = find_broken(batch, rec->all.broken - 1);

    batch->failed.neuron = i + 1;
    batch->failed.step = rec->steps.to;
    return bosc_fail(
        err, BOSC_EVALUE,
        "voltage of neuron %lld is not finite between %g and %g "
        "ms",
        i >= 0 && batch->gid != NULL ? (long long)batch->gid[i] : (long long)i,
        (double)rec->steps.from * batch->dt, (double)rec->steps.to * batch->dt);
}

bosc_status bosc_step_io_end(bosc_step_io *rec, bosc_step_output *record,
                             bosc_error *err)
{
    const bosc_batch *batch = rec->batch;
    bosc_spike *spikes = NULL;

    sum_up(rec);
    if (rec->all.not_finite && !batch->watch.goes_on)
        return fail_broken(rec, err);
    if (rec->all.lost_event)
        return bosc_fail(err, BOSC_EINTERNAL,
                         "an event came too late, or out of order, between %g "
                         "and %g ms; internal error, please report",
                         (double)rec->steps.from * batch->dt,
                         (double)rec->steps.to * batch->dt);
    if (rec->all.crowded)
        return bosc_fail(err, BOSC_ENOSUP,
                         "an instance of a mechanism sends more than %d events "
                         "to itself at once, between %g and %g ms; send fewer",
                         BOSC_MECH_SENT, (double)rec->steps.from * batch->dt,
                         (double)rec->steps.to * batch->dt);
    if (rec->all.stray)
        return bosc_fail(err, BOSC_EVALUE,
                         "net_move() of a mechanism finds no event with flag 1 "
                         "on its way, or moves it to a time before now, "
                         "between %g and %g ms; send one by net_send() first",
                         (double)rec->steps.from * batch->dt,
                         (double)rec->steps.to * batch->dt);
    if (rec->all.short_of_memory)
        return bosc_fail(err, BOSC_ENOMEM, "out of memory for the spikes");
    if (sort_spikes(rec, &spikes, err) != BOSC_OK)
        return BOSC_ENOMEM;
    *record = (bosc_step_output){
        .n_spikes = rec->all.n,
        .spikes = spikes,
        .n_sets = batch->n_sets,
        .n_frames = rec->n_frames,
        .values = (const double *const *)rec->values,
        .beyond = rec->all.any_beyond ? &rec->all.beyond : NULL,
        .not_finite = rec->all.not_finite,
    };
    return BOSC_OK;
}
