#include "src/verify/replay.h"

#include <stdarg.h>
#include <stdio.h>

#include "src/base/progress.h"
#include "src/model/locate.h"
#include "src/verify/replica.h"

static const double PATIENCE = 10; /* s, for each of the two */

/* A neuron by itself, from the begin on. */
typedef struct replay {
    enum { FAILED, TOO_LONG, FINITE, BROKEN } end;
    bool receives; /* it has connections, which have brought nothing */
    double dt;
    bosc_ref_broken broken;
    const bosc_mech *mech; /* whose current is to blame, or NULL */
    double v;              /* mV, of the soma in the end, where FINITE */
} replay;

static void advance(bosc_replica *replica, int64_t n_steps, replay *r)
{
    enum { STEPS = 100 }; /* at a time */
    const double end = bosc_now() + PATIENCE;
    bosc_step_output record;
    bosc_error why;

    for (int64_t from = 0; from < n_steps; from += STEPS) {
        const int64_t to = from + STEPS < n_steps ? from + STEPS : n_steps;

        if (bosc_now() > end) {
            r->end = TOO_LONG;
            return;
        }
        if (bosc_ref_engine.advance(replica->engine,
                                    &(bosc_step_input){.from = from, .to = to},
                                    &record, &why) != BOSC_OK)
            return;
        r->broken = bosc_ref_look(replica->engine);
        if (r->broken.step >= 0) {
            r->end = BROKEN;
            return;
        }
    }
    r->end = FINITE;
}

/* With every step cut into 'parts' steps. */
static replay replay_with(const bosc_replay_spec *spec, int parts)
{
    bosc_job job = *spec->model->job;
    bosc_model model = *spec->model;
    bosc_replica *replica = NULL;
    bosc_error why;
    replay r = {.end = FAILED};

    job.dt /= parts;
    job.n_steps *= parts;
    job.n_probes = job.network.n_couplings = 0;
    model.job = &job;
    r.dt = job.dt;
    if (bosc_replica_create(&model, 1, &spec->neuron, &replica, &why) ==
            BOSC_OK &&
        bosc_replica_start(replica, &why) == BOSC_OK) {
        const bosc_batch *batch = &replica->built->batch;

        r.receives = replica->n_connections > 0;
        advance(replica, spec->until * parts, &r);
        if (r.end == BROKEN && r.broken.block >= 0)
            r.mech = batch->blocks[r.broken.block].mech;
        r.v = batch->v[bosc_slot(
            &batch->layout, 0,
            bosc_local_cells_extent(&replica->cells, 0).soma)];
    }
    bosc_replica_destroy(replica);
    return r;
}

/* --- words ---------------------------------------------------------------- */

typedef struct words {
    char *text;
    size_t size, at;
} words;

static void say(words *w, const char *format, ...) BOSC_PRINTF(2, 3);
static void say(words *w, const char *format, ...)
{
    va_list args;

    va_start(args, format);

    const int n = vsnprintf(w->text + w->at, w->size - w->at, format, args);

    va_end(args);
    if (n > 0)
        w->at = w->at + (size_t)n < w->size ? w->at + (size_t)n : w->size - 1;
}

/* Where and by what it has broken. */
static void say_where(words *w, const bosc_replay_spec *spec, const replay *r)
{
    const bosc_ref_broken *b = &r->broken;
    char place[BOSC_PLACE];
    bosc_error why;

    if (bosc_locate_name(spec->model->cells, spec->neuron, b->node, place,
                         &why) != BOSC_OK)
        snprintf(place, sizeof place, "compartment %d", (int)b->node);
    say(w, " after t = %.10g ms; ", (double)(b->step + 1) * r->dt);
    if (r->mech == NULL) {
        say(w,
            "the currents of all mechanisms are finite, and before it was %.6g "
            "mV "
            "at %s",
            b->v, place);
        return;
    }
    say(w,
        "the first current that is not finite is that of %s at %s, with "
        "v = %.6g mV there",
        r->mech->name, place, b->v);
    if (b->state >= 0)
        say(w, " and its state %s not finite", r->mech->states[b->state].name);
}

static void say_half(words *w, const bosc_replay_spec *spec, const replay *r)
{
    const replay half = replay_with(spec, 2);
    const char *blamed = r->mech != NULL ? r->mech->name : "the membrane";

    if (half.end == FINITE)
        say(w, "; with dt = %g ms it stays finite: use a smaller dt", half.dt);
    else if (half.end == BROKEN)
        say(w,
            "; with dt = %g ms it is not finite either: check the parameters "
            "of "
            "%s and what drives the neuron",
            half.dt, blamed);
    else
        say(w,
            "; check the parameters of %s and what drives the neuron (a "
            "smaller dt was not tried: that takes too long)",
            blamed);
}

/* It has broken again. */
static void say_broken(words *w, const bosc_replay_spec *spec, const replay *r,
                       bool alone)
{
    say_where(w, spec, r);
    if (!alone)
        say(w, "; so it is by ref without the events and couplings that it has "
               "in the run");
    else if (!spec->by_ref)
        say(w, "; ref gives the same");
    say_half(w, spec, r);
}

bosc_status bosc_replay(const bosc_replay_spec *spec, char *text, size_t size)
{
    words w = {text, size, 0};
    const replay r = replay_with(spec, 1);
    const bool alone = !r.receives && !spec->coupled;

    text[0] = '\0';
    if (r.end == BROKEN) {
        say_broken(&w, spec, &r, alone);
        return BOSC_EVALUE;
    }
    if (r.end == FINITE && alone) {
        say(&w,
            "; ref gives %.6g mV at its soma then: this is an error of %s; "
            "please report it, with the job",
            r.v, spec->method);
        return BOSC_EINTERNAL;
    }
    if (r.end == FINITE)
        say(&w,
            "; by itself, without the events and couplings that it has in the "
            "run, it stays finite: check the weights and conductances of what "
            "it receives (it was not computed again with them, nor with a "
            "smaller dt)");
    else
        say(&w, "; check its parameters and what it receives (it was not "
                "computed again, nor with a smaller dt: that takes too long)");
    return BOSC_EVALUE;
}
