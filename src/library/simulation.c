/* simulation.c - a handle of include/bosc.h from its building to its end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/checksum.h"
#include "src/library/caller.h"
#include "src/library/simulation.h"

/* Of a range of steps, before its results are taken. */
static const double MOST_VALUES = 4e6;

/* --- build --- */

static void describe_method(bosc_simulation *s)
{
    const bosc_sim *sim = &s->sim;

    snprintf(s->used, sizeof s->used, "%s %s, chosen by %s, %d thread%s%s%s",
             sim->method->backend->name, sim->method->name,
             sim->chosen.choice.by, sim->threads, sim->threads == 1 ? "" : "s",
             sim->gpu.name[0] != '\0' ? ", " : "", sim->gpu.name);
}

bool bosc_simulation_agrees(const bosc_simulation *s, int64_t number)
{
    int64_t ends[] = {number, -number};

    bosc_min_int64(s->ranks, ends, 2);
    return ends[0] == -ends[1];
}

/* Of one job: what each rank has set is the same.  Collective. */
static bosc_status compare_ranks(const bosc_simulation *s, bosc_error *err)
{
    uint64_t sum = BOSC_CHECKSUM_BEGIN;

    for (int i = 0; i < s->set.n; ++i)
        sum = bosc_checksum(sum, s->set.text[i], strlen(s->set.text[i]) + 1);
    return bosc_simulation_agrees(s, (int64_t)(sum >> 1))
               ? BOSC_OK
               : bosc_fail(err, BOSC_EUSAGE,
                           "ranks have set different values: bosc_set() and "
                           "bosc_set_table() are the same on all");
}

/* Members that have no time loop in common would be left out. */
static bosc_status check_members(const bosc_job *job, bosc_error *err)
{
    return job->sweep == NULL || job->sweep->n_groups == 1
               ? BOSC_OK
               : bosc_fail(err, BOSC_EVALUE,
                           "the members are %d groups that have no time loop "
                           "in common, as they differ in keys of the whole job "
                           "(dt, celsius, ...): open a simulation for each "
                           "value of these",
                           job->sweep->n_groups);
}

static bosc_status make(bosc_simulation *s, bosc_state_setter *set,
                        const void *state, bosc_error *err)
{
    bosc_status st =
        bosc_agree(s->ranks, bosc_simulation_claim_process(err), err);

    if (st == BOSC_OK)
        st = compare_ranks(s, err);
    if (st == BOSC_OK)
        st = bosc_sim_read(&s->sim, err);
    if (st == BOSC_OK)
        st = check_members(s->sim.job, err);
    if (st == BOSC_OK && s->sim.from > s->sim.job->n_steps)
        st = bosc_fail(err, BOSC_EFORMAT,
                       "the state is of after tstop, %g ms: it is of another "
                       "job",
                       s->sim.job->tstop);
    if (st == BOSC_OK)
        st = bosc_sim_prepare(&s->sim, err);
    if (st == BOSC_OK)
        st = bosc_sim_build(&s->sim, err);
    if (st == BOSC_OK && set != NULL)
        st = set(s, state, err);
    if (st == BOSC_OK)
        st = bosc_sim_start(&s->sim, err);
    return st == BOSC_OK
               ? bosc_agree(s->ranks, bosc_recordings_create(s, err), err)
               : st;
}

bosc_status bosc_simulation_make(bosc_simulation *s, bosc_state_setter *set,
                                 const void *state)
{
    const int64_t from = s->sim.from;
    const bosc_caller caller = bosc_caller_enter(&s->sim);

    if (s->built)
        bosc_sim_end(&s->sim);
    bosc_recordings_clear(s);
    s->sim = bosc_sim_begin(&(bosc_sim_request){.comm = s->ranks,
                                                .files = s->files,
                                                .memory = bosc_sim_memory,
                                                .path = s->path,
                                                .text = s->text,
                                                .set = s->set,
                                                .share = true});
    s->sim.from = s->step = from;
    s->built = true;
    s->failed = make(s, set, state, &s->err);
    if (s->failed == BOSC_OK)
        describe_method(s);
    bosc_caller_leave(&caller, &s->sim);
    return s->failed;
}

bosc_status bosc_build(bosc_simulation *s)
{
    const bosc_status st = bosc_simulation_enter_all(s);

    return st == BOSC_OK && !s->built ? bosc_simulation_make(s, NULL, NULL)
                                      : st;
}

/* --- time --- */

/* Steps of a range, so that its results do not fill the memory; all ranks have
 * the same. */
static int64_t steps_of_range(const bosc_simulation *s)
{
    const bosc_sim *sim = &s->sim;
    double values = 1;
    int64_t steps;

    for (int32_t k = 0; k < sim->built->n_sets; ++k)
        values += (double)sim->built->sets[k].n /
                  (double)sim->built->batch.sets[k].at.every;
    steps = (int64_t)fmin(MOST_VALUES / values,
                          (double)bosc_longest_range(sim->job->n_steps));
    bosc_min_int64(s->ranks, &steps, 1);
    return steps > sim->pace.epoch ? steps - steps % sim->pace.epoch
                                   : sim->pace.epoch;
}

/* All ranks learn what one has found. */
static bosc_status follow_up(bosc_simulation *s, const int64_t range[2],
                             const bosc_step_output *record, bosc_status st,
                             bosc_error *err)
{
    int64_t none[] = {record->beyond == NULL, !record->not_finite};

    st = bosc_agree_item(s->ranks, bosc_epochs_failed_at(s->sim.epochs), st,
                         err);
    if (st == BOSC_EVALUE)
        return bosc_sim_explain(&s->sim, st, err);
    if (st != BOSC_OK)
        return st;
    bosc_min_int64(s->ranks, none, 2);
    if (none[0] == 0 && !s->sim.warned_v_limit)
        st = bosc_sim_beyond(&s->sim, record->beyond, err);
    return st == BOSC_OK && none[1] == 0
               ? bosc_sim_find_failed(&s->sim, range[1], err)
               : st;
}

static bosc_status run_until(bosc_simulation *s, int64_t end, bosc_error *err)
{
    const int64_t steps = steps_of_range(s);
    bosc_status st = BOSC_OK;

    while (s->step < end && st == BOSC_OK) {
        const int64_t left = end - s->step;
        const int64_t range[] = {s->step,
                                 s->step + (left < steps ? left : steps)};
        bosc_step_output record = {0};

        st = bosc_epochs_run(s->sim.epochs, BOSC_OK, range, false, &s->frames,
                             &record, err);
        bosc_error of_sums;
        const bosc_status sums = bosc_recordings_sum(
            s, range, st == BOSC_OK ? &record : NULL, &of_sums);

        if (st == BOSC_OK && sums != BOSC_OK) {
            st = sums;
            *err = of_sums;
        }
        if (st == BOSC_OK)
            st = bosc_recordings_take(s, range, &record, err);
        if ((st = follow_up(s, range, &record, st, err)) == BOSC_OK)
            s->step = range[1];
    }
    return st;
}

/* The step that t is in, or the end of its epoch. */
static bosc_status find_end(bosc_simulation *s, double t, int64_t *end)
{
    const bosc_job *job = s->sim.job;
    const double whole = round(t / job->dt);
    const double steps =
        fabs(t - whole * job->dt) <= 1e-9 * fabs(t) ? whole : ceil(t / job->dt);
    const int64_t epoch = s->sim.pace.epoch;

    if (isnan(t))
        return bosc_fail(&s->err, BOSC_EVALUE, "the time is not a number");
    if (!(steps <= (double)job->n_steps))
        return bosc_fail(
            &s->err, BOSC_EVALUE,
            "%g ms is after tstop, %g ms: set a later tstop before "
            "the simulation is built",
            t, job->tstop);
    *end = steps > 0 ? (int64_t)steps : 0;
    *end = (*end + epoch - 1) / epoch * epoch;
    if (*end > job->n_steps)
        *end = job->n_steps;
    return BOSC_OK;
}

bosc_status bosc_advance(bosc_simulation *s, double t)
{
    bosc_status st = bosc_build(s);
    int64_t end = 0;

    if (st == BOSC_OK)
        st = bosc_agree(s->ranks, find_end(s, t, &end), &s->err);
    if (st == BOSC_OK && !bosc_simulation_agrees(s, end))
        st = bosc_fail(&s->err, BOSC_EUSAGE,
                       "ranks are to advance to different times");
    if (st != BOSC_OK || end <= s->step)
        return st;

    const bosc_caller caller = bosc_caller_enter(&s->sim);

    st = run_until(s, end, &s->err);
    if (st == BOSC_OK && end == s->sim.job->n_steps)
        st = bosc_sim_verify(&s->sim, end, &s->err);
    bosc_caller_leave(&caller, &s->sim);
    return s->failed = st;
}

double bosc_time(const bosc_simulation *s)
{
    return s != NULL && s->sim.job != NULL ? (double)s->step * s->sim.job->dt
                                           : NAN;
}

/* --- what there is --- */

const char *bosc_method_used(const bosc_simulation *s)
{
    return s != NULL ? s->used : "";
}

int64_t bosc_n_neurons(const bosc_simulation *s)
{
    return s != NULL && s->sim.gid_table != NULL ? s->sim.gid_table->n_neurons
                                                 : 0;
}

bosc_group bosc_population(const bosc_simulation *s, int i)
{
    const bosc_gid_table *gids = s != NULL ? s->sim.gid_table : NULL;

    if (gids == NULL || i < 0 || i >= s->sim.job->n_populations)
        return (bosc_group){0};

    const bosc_population_spec *population = &s->sim.job->populations[i];

    return (bosc_group){population->name, gids->first_gid[i],
                        gids->first_gid[i + 1] - gids->first_gid[i],
                        population->member};
}

const char *bosc_probe_name(const bosc_simulation *s, int i)
{
    const bosc_job *job = s != NULL ? s->sim.job : NULL;

    return job != NULL && i >= 0 && i < job->n_probes ? job->probes[i].name
                                                      : NULL;
}

/* --- the end --- */

void bosc_close(bosc_simulation *s)
{
    if (s == NULL)
        return;
    /* the threads of its engine are its owner's */
    if (s->built && s->owner == getpid()) {
        const bosc_caller caller = bosc_caller_enter(&s->sim);

        bosc_sim_end(&s->sim);
        bosc_caller_leave(&caller, &s->sim);
    }
    bosc_recordings_clear(s);
    bosc_frame_room_clear(&s->frames);
    for (int i = 0; i < s->set.n; ++i)
        free((char *)s->set.text[i]);
    free(s->set.text);
    free(s->path);
    free(s->text);
    free(s);
}
