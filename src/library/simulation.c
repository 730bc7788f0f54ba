/* simulation.c - a handle of include/bosc.h from its building to its end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/library/caller.h"
#include "src/library/simulation.h"

/* Of a range of steps, before its results are taken. */
static const double MOST_VALUES = 4e6;

/* --- build --- */

static void describe_method(bosc_simulation *s)
{
    const bosc_sim *sim = &s->sim;

    snprintf(s->used, sizeof s->used, "%s %s, chosen by %s, %d thread%s%s%s",
             sim->method->backend->name, sim->method->name, sim->choice.by,
             sim->threads, sim->threads == 1 ? "" : "s",
             sim->gpu[0] != '\0' ? ", " : "", sim->gpu);
}

/* All members are simulated, or none. */
static bosc_status check_members(const bosc_job *job, bosc_error *err)
{
    if (job->sweep == NULL || job->sweep->n_groups == 1)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EVALUE,
                     "the members of this job need %d time loops, as they "
                     "differ in a key of the whole job (dt, tstop, celsius, "
                     "...); open a simulation for each value of such a key",
                     job->sweep->n_groups);
}

bosc_status bosc_simulation_make(bosc_simulation *s, bosc_state_setter *set,
                                 const void *state)
{
    const int64_t from = s->sim.from;
    const bosc_caller caller = bosc_caller_enter(&s->sim);
    bosc_error *err = &s->err;
    bosc_status st;

    if (s->built)
        bosc_sim_end(&s->sim);
    s->sim = bosc_sim_begin(&(bosc_sim_request){.comm = s->ranks,
                                                .files = s->files,
                                                .memory = bosc_sim_memory,
                                                .path = s->path,
                                                .text = s->text,
                                                .set = s->set,
                                                .share = true});
    s->sim.from = s->step = from;
    s->built = true;
    st = bosc_sim_read(&s->sim, err);
    if (st == BOSC_OK)
        st = check_members(s->sim.job, err);
    if (st == BOSC_OK)
        st = bosc_sim_prepare(&s->sim, err);
    if (st == BOSC_OK)
        st = bosc_sim_build(&s->sim, err);
    if (st == BOSC_OK && set != NULL)
        st = set(s, state, err);
    if (st == BOSC_OK)
        st = bosc_sim_start(&s->sim, err);
    if (st == BOSC_OK)
        st = bosc_agree(s->ranks, bosc_recordings_create(s, err), err);
    if (st == BOSC_OK)
        describe_method(s);
    bosc_caller_leave(&caller, &s->sim);
    return s->failed = st;
}

bosc_status bosc_build(bosc_simulation *s)
{
    const bosc_status st = bosc_simulation_enter(s);

    return st == BOSC_OK && !s->built ? bosc_simulation_make(s, NULL, NULL)
                                      : st;
}

/* --- time ------------------------------------------------------------------
 */

/* Steps of a range, so that its results do not fill the memory; all ranks have
 * the same. */
static int64_t steps_of_range(const bosc_simulation *s)
{
    const bosc_sim *sim = &s->sim;
    double values = 1;
    int64_t steps;

    for (int32_t k = 0; k < sim->built->n_sets; ++k)
        values += (double)sim->built->sets[k].n /
                  (double)sim->built->batch.sets[k].every;
    steps = (int64_t)fmin(MOST_VALUES / values,
                          (double)bosc_longest_range(sim->job->n_steps));
    bosc_min_int64(s->ranks, &steps, 1);
    return steps > sim->epoch ? steps - steps % sim->epoch : sim->epoch;
}

/* All ranks learn what one has found. */
static bosc_status follow_up(bosc_simulation *s, const bosc_step_output *record,
                             bosc_status st, bosc_error *err)
{
    int64_t none = record->beyond == NULL;

    st = bosc_agree(s->ranks, st, err);
    if (st == BOSC_EVALUE)
        return bosc_sim_explain(&s->sim, st, err);
    if (st != BOSC_OK)
        return st;
    bosc_min_int64(s->ranks, &none, 1);
    return none == 0 && !s->sim.warned_v_limit
               ? bosc_sim_beyond(&s->sim, record->beyond, err)
               : BOSC_OK;
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

        st =
            bosc_epochs_run(s->sim.epochs, BOSC_OK, range, false, &record, err);
        if (st == BOSC_OK)
            st = bosc_recordings_take(s, range, &record, err);
        if ((st = follow_up(s, &record, st, err)) == BOSC_OK)
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
    const int64_t epoch = s->sim.epoch;

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
        st = find_end(s, t, &end);
    if (st != BOSC_OK || end <= s->step)
        return st;

    const bosc_caller caller = bosc_caller_enter(&s->sim);

    st = run_until(s, end, &s->err);
    if (st == BOSC_OK)
        st = bosc_sim_find_failed(&s->sim, s->step, &s->err);
    if (st == BOSC_OK && end == s->sim.job->n_steps)
        st = bosc_sim_verify(&s->sim, end, &s->err);
    bosc_caller_leave(&caller, &s->sim);
    return s->failed = st;
}

double bosc_time(const bosc_simulation *s)
{
    return s->sim.job != NULL ? (double)s->step * s->sim.job->dt : NAN;
}

/* --- what there is ---------------------------------------------------------
 */

const char *bosc_method_used(const bosc_simulation *s)
{
    return s->used;
}

int64_t bosc_n_neurons(const bosc_simulation *s)
{
    return s->sim.gid_table != NULL ? s->sim.gid_table->n_neurons : 0;
}

bosc_group bosc_population(const bosc_simulation *s, int i)
{
    const bosc_gid_table *gids = s->sim.gid_table;

    if (gids == NULL || i < 0 || i >= s->sim.job->n_populations)
        return (bosc_group){0};

    const bosc_population_spec *population = &s->sim.job->populations[i];

    return (bosc_group){population->name, gids->first_gid[i],
                        gids->first_gid[i + 1] - gids->first_gid[i],
                        population->member};
}

const char *bosc_probe_name(const bosc_simulation *s, int i)
{
    const bosc_job *job = s->sim.job;

    return job != NULL && i >= 0 && i < job->n_probes ? job->probes[i].name
                                                      : NULL;
}

/* --- the end ---------------------------------------------------------------
 */

void bosc_close(bosc_simulation *s)
{
    if (s == NULL)
        return;
    /* the threads of its engine are its owner's */
    if (s->built && s->owner == getpid())
        bosc_sim_end(&s->sim);
    bosc_recordings_clear(s);
    for (int i = 0; i < s->set.n; ++i)
        free((char *)s->set.text[i]);
    free(s->set.text);
    free(s->path);
    free(s->text);
    free(s);
}
