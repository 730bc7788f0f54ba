/* readings.c - what a simulation of include/bosc.h has recorded, as arrays. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/comm/exact_sum.h"
#include "src/job/variable.h"
#include "src/library/simulation.h"

/* --- columns --- */

typedef struct entry {
    int64_t column, place;
} entry;

static int by_column(const void *a, const void *b)
{
    const entry *x = a, *y = b;

    return (x->column > y->column) - (x->column < y->column);
}

static bosc_status describe(bosc_recording *r, const bosc_columns *columns,
                            const entry *sorted, bosc_error *err)
{
    char name[BOSC_SECTION_NAME];

    for (int64_t i = 0; i < r->n; ++i) {
        const bosc_column *c = &columns->column[sorted[i].column];

        r->place[i] = sorted[i].place;
        r->gid[i] = c->gid;
        r->node[i] = c->node;
        r->x[i] = c->x;
        r->section[i] =
            bosc_strdup(c->gid < 0 ? ""
                                   : bosc_section_name((bosc_region)c->region,
                                                       c->number, name));
        if (r->section[i] == NULL)
            return bosc_no_memory(err, "the columns of a probe");
    }
    return BOSC_OK;
}

static bool is_of_electrodes(const bosc_simulation *s, int32_t set)
{
    return s->sim.job->probes[s->sim.built->sets[set].probe].electrodes.n > 0;
}

/* The potential at electrodes, of which rank 0 has all. */
static bosc_status create_one(const bosc_simulation *s, int32_t set,
                              bosc_recording *r, bosc_error *err)
{
    const bosc_built_batch *built = s->sim.built;
    const bosc_recorded *recorded = &built->sets[set];
    const bool summed = is_of_electrodes(s, set);
    const size_t n =
        (size_t)(!summed              ? recorded->n
                 : s->ranks->rank > 0 ? 0
                                      : built->columns[recorded->probe].n);
    entry *sorted;
    bosc_status st = BOSC_ALLOC(err, "the columns of a probe",
                                BOSC_ARRAY(sorted, n), BOSC_ARRAY(r->place, n),
                                BOSC_ARRAY(r->gid, n), BOSC_ARRAY(r->node, n),
                                BOSC_ARRAY(r->x, n), BOSC_ARRAY(r->section, n));

    if (st != BOSC_OK)
        return st;
    r->n = (int64_t)n;
    for (int64_t i = 0; i < r->n; ++i)
        sorted[i] = (entry){summed ? i : recorded->column[i], i};
    if (n > 0)
        qsort(sorted, n, sizeof *sorted, by_column);
    st = describe(r, &built->columns[recorded->probe], sorted, err);
    free(sorted);
    return st;
}

/* Let what is detected be recorded, as numbers of places after neurons. */
static bosc_status create_detected(bosc_simulation *s, bosc_error *err)
{
    bosc_built_batch *built = s->sim.built;
    bosc_detected *to = &s->detected;
    char name[BOSC_SECTION_NAME];
    bosc_status st = BOSC_ALLOC(err, "the spike detectors",
                                BOSC_ARRAY(to->name, built->n_detecting));

    for (int32_t k = 0; k < built->n_detecting && st == BOSC_OK; ++k) {
        const bosc_detecting *of = &built->detecting[k];
        const bosc_column *c = &built->columns[of->probe].column[of->column];

        built->recorded[k] = s->sim.gid_table->n_neurons + k;
        to->name[to->n_names++] = bosc_strdup(
            bosc_section_name((bosc_region)c->region, c->number, name));
        if (to->name[k] == NULL)
            st = bosc_no_memory(err, "the spike detectors");
    }
    return st;
}

bosc_status bosc_recordings_create(bosc_simulation *s, bosc_error *err)
{
    const bosc_built_batch *built = s->sim.built;
    bosc_status st;

    bosc_recordings_clear(s);
    st = BOSC_ALLOC(err, "the probes",
                    BOSC_ARRAY(s->recording, (size_t)built->n_sets));
    if (st == BOSC_OK)
        s->n_recordings = built->n_sets;
    for (int32_t k = 0; k < s->n_recordings && st == BOSC_OK; ++k)
        st = create_one(s, k, &s->recording[k], err);
    return st == BOSC_OK ? create_detected(s, err) : st;
}

static void clear_detected(bosc_detected *of)
{
    for (int32_t k = 0; k < of->n_names; ++k)
        free(of->name[k]);
    free(of->name);
    free(of->time);
    free(of->probe);
    free(of->gid);
    free(of->node);
    free(of->section);
    free(of->x);
    *of = (bosc_detected){0};
}

void bosc_recordings_clear(bosc_simulation *s)
{
    for (int32_t k = 0; k < s->n_recordings; ++k) {
        bosc_recording *r = &s->recording[k];

        for (int64_t i = 0; r->section != NULL && i < r->n; ++i)
            free(r->section[i]);
        free(r->section);
        free(r->time);
        free(r->value);
        free(r->sum);
        free(r->place);
        free(r->gid);
        free(r->node);
        free(r->x);
    }
    free(s->recording);
    free(s->spike_time);
    free(s->spike_gid);
    s->recording = NULL;
    s->spike_time = NULL;
    s->spike_gid = NULL;
    s->n_recordings = 0;
    s->n_spikes = s->spike_time_room = s->spike_gid_room = 0;
    clear_detected(&s->detected);
}

/* --- a range of steps --- */

/* The potential at electrodes, of the neurons of all ranks. */
static bosc_status sum_frames(bosc_simulation *s, int32_t k,
                              const int64_t range[2], const double *values,
                              bosc_error *err)
{
    const bosc_recorded *set = &s->sim.built->sets[k];
    const int64_t n = s->sim.built->columns[set->probe].n;
    const bosc_reading_set *readings = &s->sim.built->batch.sets[k];
    const int64_t n_frames =
        bosc_frames_of(&readings->at, range[0], range[1]).n;
    bosc_recording *r = &s->recording[k];

    return bosc_sum_exact(
        s->ranks,
        &(bosc_addends){.n_rows = n_frames,
                        .n = bosc_reading_given(readings),
                        .values = values,
                        .column = readings->n_addends > 0 ? NULL : set->column,
                        .n_columns = n},
        &r->sum, &r->sum_room, err);
}

bosc_status bosc_recordings_sum(bosc_simulation *s, const int64_t range[2],
                                const bosc_step_output *record, bosc_error *err)
{
    bosc_status st = BOSC_OK; /* the same on all ranks */

    for (int32_t k = 0; k < s->n_recordings && st == BOSC_OK; ++k)
        if (is_of_electrodes(s, k))
            st = sum_frames(s, k, range,
                            record != NULL ? record->values[k] : NULL, err);
    return st;
}

/* The times of frames are those of a result, whose frame k is at
 * start + k * interval. */
static bosc_status take_frames(bosc_simulation *s, int32_t k,
                               const int64_t range[2],
                               const bosc_step_output *record, bosc_error *err)
{
    const int64_t first =
        bosc_frames_of(&s->sim.built->batch.sets[k].at, range[0], range[1])
            .begin;
    const size_t more = (size_t)record->n_frames[k];
    const bosc_probe_spec *probe =
        &s->sim.job->probes[s->sim.built->sets[k].probe];
    bosc_recording *r = &s->recording[k];
    const size_t n = (size_t)r->n;

    if (!bosc_grow(&r->time, &r->time_room, r->n_frames + more,
                   sizeof *r->time) ||
        !bosc_grow(&r->value, &r->value_room, (r->n_frames + more) * n,
                   sizeof *r->value))
        return bosc_no_memory(err, "what is recorded");
    for (size_t f = 0; f < more; ++f) {
        const double *from =
            (is_of_electrodes(s, k) ? r->sum : record->values[k]) + f * n;
        double *to = r->value + (r->n_frames + f) * n;

        r->time[r->n_frames + f] =
            probe->start + (double)(first + (int64_t)f) * probe->interval;
        for (size_t i = 0; i < n; ++i)
            to[i] = from[r->place[i]];
    }
    r->n_frames += more;
    return BOSC_OK;
}

static bosc_status detect(bosc_simulation *s, const bosc_spike *spike,
                          bosc_error *err)
{
    const bosc_built_batch *built = s->sim.built;
    const int64_t k = spike->source - s->sim.gid_table->n_neurons;
    const bosc_detecting *of = &built->detecting[k];
    const bosc_column *c = &built->columns[of->probe].column[of->column];
    bosc_detected *to = &s->detected;
    const size_t n = to->n, more = n + 1;

    if (!bosc_grow(&to->time, &to->room[0], more, sizeof *to->time) ||
        !bosc_grow(&to->probe, &to->room[1], more, sizeof *to->probe) ||
        !bosc_grow(&to->gid, &to->room[2], more, sizeof *to->gid) ||
        !bosc_grow(&to->node, &to->room[3], more, sizeof *to->node) ||
        !bosc_grow(&to->section, &to->room[4], more, sizeof *to->section) ||
        !bosc_grow(&to->x, &to->room[5], more, sizeof *to->x))
        return bosc_no_memory(err, "what probes detect");
    to->time[n] = bosc_spike_time(spike, s->sim.job->dt);
    to->probe[n] = of->probe;
    to->gid[n] = c->gid;
    to->node[n] = c->node;
    to->section[n] = to->name[k];
    to->x[n] = c->x;
    ++to->n;
    return BOSC_OK;
}

/* They come by (step, number on this rank), which is by gid, those of probes
 * after those of neurons. */
static bosc_status take_spikes(bosc_simulation *s,
                               const bosc_step_output *record, bosc_error *err)
{
    const size_t n = s->n_spikes + record->n_spikes;
    bosc_status st = BOSC_OK;

    if (!bosc_grow(&s->spike_time, &s->spike_time_room, n,
                   sizeof *s->spike_time) ||
        !bosc_grow(&s->spike_gid, &s->spike_gid_room, n, sizeof *s->spike_gid))
        return bosc_no_memory(err, "spikes");
    for (size_t i = 0; i < record->n_spikes && st == BOSC_OK; ++i) {
        const bosc_spike *spike = &record->spikes[i];

        if (spike->source >= s->sim.gid_table->n_neurons) {
            st = detect(s, spike, err);
            continue;
        }
        s->spike_time[s->n_spikes] = bosc_spike_time(spike, s->sim.job->dt);
        s->spike_gid[s->n_spikes++] = spike->source;
    }
    return st;
}

bosc_status bosc_recordings_take(bosc_simulation *s, const int64_t range[2],
                                 const bosc_step_output *record,
                                 bosc_error *err)
{
    bosc_status st = take_spikes(s, record, err);

    for (int32_t k = 0; k < s->n_recordings && st == BOSC_OK; ++k)
        st = take_frames(s, k, range, record, err);
    return st;
}

/* --- the face --- */

static int find_probe(const bosc_job *job, const char *name)
{
    for (int i = 0; i < job->n_probes; ++i)
        if (strcmp(job->probes[i].name, name) == 0)
            return i;
    return -1;
}

/* The set of a variable of a probe, -1: it does not record it. */
static int32_t find_set(const bosc_simulation *s, int probe, const char *name)
{
    const bosc_built_batch *built = s->sim.built;
    char own[BOSC_VARIABLE_NAME];
    bosc_variable wanted;
    const bool found = bosc_variable_find(s->sim.mechs, name, &wanted);

    for (int32_t k = 0; k < built->n_sets; ++k) {
        if (built->sets[k].probe != probe)
            continue;

        const bosc_variable variable =
            s->sim.job->probes[probe]
                .variables.variable[built->sets[k].variable];

        if ((found && bosc_variable_same(variable, wanted)) ||
            strcmp(bosc_variable_name(s->sim.mechs, variable, '.', own),
                   name) == 0)
            return k;
    }
    return -1;
}

static bosc_status enter_built(bosc_simulation *s)
{
    const bosc_status st = bosc_simulation_enter(s);

    return st == BOSC_OK && !s->built
               ? bosc_fail(&s->err, BOSC_EUSAGE,
                           "nothing is recorded before bosc_build()")
               : st;
}

bosc_status bosc_read(bosc_simulation *s, const char *probe,
                      const char *variable, bosc_readings *out)
{
    bosc_status st = enter_built(s);
    int32_t k;
    int p;

    if (st != BOSC_OK)
        return st;
    if (probe == NULL || variable == NULL)
        return bosc_fail(&s->err, BOSC_EUSAGE,
                         "bosc_read: a probe and a variable, not NULL");
    if ((p = find_probe(s->sim.job, probe)) < 0)
        return bosc_fail(&s->err, BOSC_EVALUE,
                         "the job has no probe '%s'; bosc_probe_name() lists "
                         "them",
                         probe);
    if ((k = find_set(s, p, variable)) < 0)
        return bosc_fail(&s->err, BOSC_EVALUE,
                         "probe '%s' does not record '%s'; name it in its "
                         "'variables'",
                         probe, variable);

    const bosc_recording *r = &s->recording[k];

    *out = (bosc_readings){
        .n_times = (int64_t)r->n_frames,
        .n_columns = r->n,
        .time = r->time,
        .values = r->value,
        .unit = bosc_variable_unit(
            s->sim.mechs,
            s->sim.job->probes[p]
                .variables.variable[s->sim.built->sets[k].variable]),
        .gid = r->gid,
        .compartment = r->node,
        .section = (const char *const *)r->section,
        .x = r->x,
    };
    return BOSC_OK;
}

bosc_status bosc_spikes(bosc_simulation *s, bosc_spike_list *out)
{
    const bosc_status st = enter_built(s);

    if (st == BOSC_OK)
        *out = (bosc_spike_list){(int64_t)s->n_spikes, s->spike_time,
                                 s->spike_gid};
    return st;
}

bosc_status bosc_detections(bosc_simulation *s, bosc_detection_list *out)
{
    const bosc_status st = enter_built(s);

    if (st == BOSC_OK)
        *out = (bosc_detection_list){
            .n = (int64_t)s->detected.n,
            .time = s->detected.time,
            .probe = s->detected.probe,
            .gid = s->detected.gid,
            .compartment = s->detected.node,
            .section = s->detected.section,
            .x = s->detected.x,
        };
    return st;
}

void bosc_forget(bosc_simulation *s)
{
    if (s == NULL)
        return;
    s->n_spikes = s->detected.n = 0;
    for (int32_t k = 0; k < s->n_recordings; ++k)
        s->recording[k].n_frames = 0;
}
