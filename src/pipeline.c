#include "src/pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "src/comm.h"
#include "src/mem.h"

/* The record of several epochs, end to end. */
typedef struct ledger {
    size_t n_spikes, spike_capacity;
    bosc_spike *spikes;
    int64_t *n_frames;         /* [n_sets] */
    size_t *capacity;          /* [n_sets] */
    double **values;           /* [n_sets] */
    const bosc_beyond *beyond; /* the engine's */
} ledger;

struct bosc_pipeline {
    bosc_pipeline_spec spec;
    bosc_post *post; /* NULL: nothing travels */
    ledger ledger;
    size_t n_sent, sent_capacity;
    bosc_heard *sent;
    /* D, distributing */
    enum { RESTING, TRAVELLING, SORTING } phase;
    bool flying;        /* an exchange has been started */
    int64_t next[2];    /* the range whose events are to be made */
    bosc_events events; /* of that range, once made */
    bosc_status sorted; /* how that went */
    bosc_error why;
    double began; /* s */
    bosc_pipeline_times times;
};

/* --- the ledger ----------------------------------------------------------- */

static bosc_status ledger_create(ledger *l, int32_t n_sets, bosc_error *err)
{
    const size_t n = (size_t)n_sets;

    l->n_frames = bosc_alloc(n, sizeof *l->n_frames);
    l->capacity = bosc_alloc(n, sizeof *l->capacity);
    l->values = bosc_alloc(n, sizeof *l->values);
    if (l->n_frames == NULL || l->capacity == NULL || l->values == NULL)
        return bosc_no_memory(err, "the records of epochs");
    return BOSC_OK;
}

static void ledger_clear(ledger *l, int32_t n_sets)
{
    for (int32_t s = 0; l->values != NULL && s < n_sets; ++s)
        free(l->values[s]);
    free(l->spikes);
    free(l->n_frames);
    free(l->capacity);
    free(l->values);
}

static void ledger_begin(ledger *l, int32_t n_sets)
{
    l->n_spikes = 0;
    for (int32_t s = 0; s < n_sets; ++s)
        l->n_frames[s] = 0;
}

/* Spikes of detectors at somata are recorded, others only travel. */
static bool add_spikes(const bosc_pipeline *p, ledger *l,
                       const bosc_record *record)
{
    if (!bosc_grow(&l->spikes, &l->spike_capacity,
                   l->n_spikes + record->n_spikes, sizeof *l->spikes))
        return false;
    for (size_t i = 0; i < record->n_spikes; ++i)
        if (record->spikes[i].source < p->spec.n_neurons)
            l->spikes[l->n_spikes++] = record->spikes[i];
    return true;
}

static bosc_status ledger_add(const bosc_pipeline *p, ledger *l,
                              const bosc_record *record, bosc_error *err)
{
    bool enough = add_spikes(p, l, record);

    l->beyond = record->beyond;

    for (int32_t s = 0; s < record->n_sets && enough; ++s) {
        const size_t n = (size_t)p->spec.batch->sets[s].n;
        const size_t old = (size_t)l->n_frames[s] * n;
        const size_t more = (size_t)record->n_frames[s] * n;

        enough = bosc_grow(&l->values[s], &l->capacity[s], old + more,
                           sizeof(double));
        if (enough && more > 0)
            memcpy(l->values[s] + old, record->values[s],
                   more * sizeof(double));
        l->n_frames[s] += record->n_frames[s];
    }
    return enough ? BOSC_OK : bosc_no_memory(err, "the records of epochs");
}

static bosc_record ledger_record(const ledger *l, int32_t n_sets)
{
    return (bosc_record){
        .n_spikes = l->n_spikes,
        .spikes = l->spikes,
        .n_sets = n_sets,
        .n_frames = l->n_frames,
        .values = (const double *const *)l->values,
        .beyond = l->beyond,
    };
}

/* --- making and ending ---------------------------------------------------- */

bosc_status bosc_pipeline_create(const bosc_pipeline_spec *spec,
                                 bosc_pipeline **out, bosc_error *err)
{
    bosc_pipeline *p = bosc_alloc(1, sizeof *p);
    bosc_status st;

    if (p == NULL) {
        st = bosc_no_memory(err, "the time loop");
    } else {
        p->spec = *spec;
        p->next[1] = spec->epoch < spec->n_steps ? spec->epoch : spec->n_steps;
        st = ledger_create(&p->ledger, spec->batch->n_sets, err);
    }
    st = bosc_agree(spec->comm, st, err);
    if (st == BOSC_OK && spec->talking)
        st = bosc_post_create(spec->comm, &p->post, err);
    if (st != BOSC_OK) {
        bosc_pipeline_destroy(p);
        return st;
    }
    *out = p;
    return BOSC_OK;
}

void bosc_pipeline_destroy(bosc_pipeline *p)
{
    if (p == NULL)
        return;
    if (p->flying)
        bosc_post_finish(p->post);
    bosc_post_destroy(p->post);
    ledger_clear(&p->ledger, p->spec.batch->n_sets);
    free(p->sent);
    free(p);
}

bosc_pipeline_times bosc_pipeline_seconds(const bosc_pipeline *p)
{
    bosc_pipeline_times times = p->times;

    if (p->spec.couple != NULL) {
        const bosc_couple_times more = bosc_couple_seconds(p->spec.couple);

        times.integrating += more.all - more.messages;
        times.distributing += more.messages;
        times.waiting += more.messages;
    }
    return times;
}

/* --- D: what was heard becomes events ------------------------------------- */

static bosc_status hear(bosc_pipeline *p, bosc_error *err)
{
    size_t n;
    const bosc_heard *spikes;

    if (!p->flying)
        return BOSC_OK;
    p->flying = false;
    if (bosc_post_failed(p->post)) /* the run is over */
        return bosc_post_status(p->post, err);
    spikes = bosc_post_spikes(p->post, &n);
    return bosc_inbox_hear(p->spec.inbox, n, spikes, err);
}

static bosc_status sort_events(bosc_pipeline *p, bosc_error *err)
{
    bosc_status st = hear(p, err);

    if (st == BOSC_OK && p->spec.sources != NULL) {
        size_t n;
        const bosc_heard *spikes;

        st = bosc_sources_emit(p->spec.sources, p->next[1], &spikes, &n, err);
        if (st == BOSC_OK)
            st = bosc_inbox_hear(p->spec.inbox, n, spikes, err);
    }
    if (st == BOSC_OK)
        st = bosc_inbox_deliver(p->spec.inbox, p->next[0], p->next[1],
                                &p->events, err);
    return st;
}

/* Do what can be done without waiting. */
static void move_on(void *what)
{
    bosc_pipeline *p = what;

    if (p->spec.meanwhile != NULL)
        p->spec.meanwhile(p->spec.what);
    if (p->phase == TRAVELLING && (!p->flying || bosc_post_poll(p->post)))
        p->phase = SORTING;
    if (p->phase != SORTING)
        return;
    p->sorted = sort_events(p, &p->why);
    p->phase = RESTING;
    p->times.distributing += MPI_Wtime() - p->began;
}

/* Begin to make the events of the range after 'next'. */
static void begin_next(bosc_pipeline *p)
{
    const int64_t to = p->next[1] + p->spec.epoch;

    p->next[0] = p->next[1];
    p->next[1] = to < p->spec.n_steps ? to : p->spec.n_steps;
    p->phase = TRAVELLING;
    p->began = MPI_Wtime();
}

/* Finish D. */
static void finish_next(bosc_pipeline *p, bosc_status *st, bosc_error *err)
{
    const double began = MPI_Wtime();

    if (p->phase == TRAVELLING && p->flying)
        bosc_post_finish(p->post);
    move_on(p);
    p->times.waiting += MPI_Wtime() - began;
    if (*st == BOSC_OK && p->sorted != BOSC_OK) {
        *st = p->sorted;
        *err = p->why;
    }
}

/* --- the epochs ----------------------------------------------------------- */

static bosc_status send(bosc_pipeline *p, const bosc_record *record,
                        bosc_error *err)
{
    p->n_sent = 0;
    if (!bosc_grow(&p->sent, &p->sent_capacity, record->n_spikes,
                   sizeof *p->sent))
        return bosc_no_memory(err, "the spikes to send");
    for (size_t i = 0; i < record->n_spikes; ++i) {
        const int64_t id = p->spec.id[record->spikes[i].source];

        if (id >= 0)
            p->sent[p->n_sent++] = (bosc_heard){record->spikes[i].step, id};
    }
    return BOSC_OK;
}

/* U: integrate one epoch, with D going on meanwhile. */
static bosc_status integrate(bosc_pipeline *p, const int64_t range[2],
                             const bosc_events *events, bosc_record *record,
                             bosc_error *err)
{
    const bosc_couple *couple = p->spec.couple;
    const bosc_steps steps = {
        .from = range[0],
        .to = range[1],
        .events = events,
        .drive = couple != NULL ? bosc_couple_drive(couple) : NULL,
        .poll =
            p->spec.inbox == NULL && p->spec.meanwhile == NULL ? NULL : move_on,
        .what = p,
    };
    const double began = MPI_Wtime();
    const bosc_status st =
        p->spec.backend->advance(p->spec.engine, &steps, record, err);

    p->times.integrating += MPI_Wtime() - began;
    return st;
}

/* What integrating the epoch has given goes on its way; false when the run is
 * over for all ranks.  Where voltages travel, they take a failure along. */
static bool send_on(bosc_pipeline *p, const bosc_record *record,
                    bosc_status *st, bosc_error *err)
{
    if (*st == BOSC_OK)
        *st = send(p, record, err);
    if (p->post != NULL) {
        bosc_post_start(p->post, p->n_sent, p->sent, *st != BOSC_OK);
        p->flying = true;
        return true;
    }
    return *st == BOSC_OK ||
           (p->spec.couple != NULL && bosc_couple_talks(p->spec.couple));
}

/* One epoch of a network; false when the run is over for all ranks. */
static bool run_epoch(bosc_pipeline *p, const int64_t range[2], bosc_status *st,
                      bosc_error *err)
{
    const bosc_events events = p->events; /* E */
    const bool flying = p->flying, hears = p->spec.inbox != NULL;
    bosc_record record = {0};

    if (p->spec.couple != NULL &&
        !bosc_couple_step(p->spec.couple, *st != BOSC_OK))
        return false;
    if (hears)
        begin_next(p);
    if (*st == BOSC_OK)
        *st = integrate(p, range, hears ? &events : NULL, &record, err);
    if (*st == BOSC_OK)
        *st = ledger_add(p, &p->ledger, &record, err);
    if (hears)
        finish_next(p, st, err);
    if (flying && bosc_post_failed(p->post))
        return false;
    return send_on(p, &record, st, err);
}

static bosc_status asked(const bosc_pipeline *p, int64_t step, bosc_error *err)
{
    return p->spec.stopping((double)step * p->spec.batch->dt, err);
}

bosc_status bosc_pipeline_run(bosc_pipeline *p, bosc_status st,
                              const int64_t range[2], bosc_record *record,
                              bosc_error *err)
{
    const int32_t n_sets = p->spec.batch->n_sets;
    bool going = true;

    if (p->spec.inbox == NULL && p->spec.couple == NULL) {
        if (st == BOSC_OK)
            st = asked(p, range[0], err);
        return st == BOSC_OK ? integrate(p, range, NULL, record, err) : st;
    }
    ledger_begin(&p->ledger, n_sets);
    if (p->spec.inbox != NULL && range[0] == 0 &&
        st == BOSC_OK) /* D(-1): only sources have spoken */
        st = sort_events(p, err);
    for (int64_t from = range[0]; from < range[1] && going;) {
        const int64_t left = range[1] - from;
        const int64_t to = from + (p->spec.epoch < left ? p->spec.epoch : left);

        if (st == BOSC_OK)
            st = asked(p, from, err);
        going = run_epoch(p, (const int64_t[2]){from, to}, &st, err);
        from = to;
    }
    *record = ledger_record(&p->ledger, n_sets);
    return st;
}
