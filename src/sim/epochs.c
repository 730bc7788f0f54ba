#include "src/sim/epochs.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/mpi/comm.h"

/* The record of several epochs, end to end. */
typedef struct ledger {
    size_t n_spikes, spike_capacity;
    bosc_spike *spikes;
    int64_t *n_frames;         /* [n_sets] */
    size_t *capacity;          /* [n_sets] */
    double **values;           /* [n_sets] */
    const bosc_beyond *beyond; /* the engine's */
} ledger;

struct bosc_epochs {
    bosc_epochs_spec spec;
    bosc_spike_exchange *post; /* NULL: nothing travels */
    ledger ledger;
    size_t n_sent, sent_capacity;
    bosc_network_spike *sent;
    /* D, distributing */
    enum { RESTING, TRAVELLING, SORTING } phase;
    bool flying;        /* an exchange has been started */
    int64_t next[2];    /* the range whose events are to be made */
    bosc_events events; /* of that range, once made */
    bosc_status sorted; /* how that went */
    bosc_error why;
    double began; /* s */
    bosc_epochs_times times;
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
static bool add_spikes(const bosc_epochs *p, ledger *l,
                       const bosc_step_output *record)
{
    if (!bosc_grow(&l->spikes, &l->spike_capacity,
                   l->n_spikes + record->n_spikes, sizeof *l->spikes))
        return false;
    for (size_t i = 0; i < record->n_spikes; ++i)
        if (record->spikes[i].source < p->spec.n_neurons)
            l->spikes[l->n_spikes++] = record->spikes[i];
    return true;
}

static bosc_status ledger_add(const bosc_epochs *p, ledger *l,
                              const bosc_step_output *record, bosc_error *err)
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

static bosc_step_output ledger_record(const ledger *l, int32_t n_sets)
{
    return (bosc_step_output){
        .n_spikes = l->n_spikes,
        .spikes = l->spikes,
        .n_sets = n_sets,
        .n_frames = l->n_frames,
        .values = (const double *const *)l->values,
        .beyond = l->beyond,
    };
}

/* --- making and ending ---------------------------------------------------- */

bosc_status bosc_epochs_create(const bosc_epochs_spec *spec, bosc_epochs **out,
                               bosc_error *err)
{
    bosc_epochs *p = bosc_alloc(1, sizeof *p);
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
        st = bosc_spike_exchange_create(spec->comm, &p->post, err);
    if (st != BOSC_OK) {
        bosc_epochs_destroy(p);
        return st;
    }
    *out = p;
    return BOSC_OK;
}

void bosc_epochs_destroy(bosc_epochs *p)
{
    if (p == NULL)
        return;
    if (p->flying)
        bosc_spike_exchange_finish(p->post);
    bosc_spike_exchange_destroy(p->post);
    ledger_clear(&p->ledger, p->spec.batch->n_sets);
    free(p->sent);
    free(p);
}

bosc_epochs_times bosc_epochs_seconds(const bosc_epochs *p)
{
    bosc_epochs_times times = p->times;

    if (p->spec.couple != NULL) {
        const bosc_coupling_times more = bosc_coupling_seconds(p->spec.couple);

        times.integrating += more.all - more.messages;
        times.distributing += more.messages;
        times.waiting += more.messages;
    }
    return times;
}

/* --- D: what was heard becomes events ------------------------------------- */

static bosc_status hear(bosc_epochs *p, bosc_error *err)
{
    size_t n;
    const bosc_network_spike *spikes;

    if (!p->flying)
        return BOSC_OK;
    p->flying = false;
    if (bosc_spike_exchange_failed(p->post)) /* the run is over */
        return bosc_spike_exchange_status(p->post, err);
    spikes = bosc_spike_exchange_spikes(p->post, &n);
    return bosc_connection_table_enqueue(p->spec.connection_table, n, spikes,
                                         err);
}

static bosc_status sort_events(bosc_epochs *p, bosc_error *err)
{
    bosc_status st = hear(p, err);

    if (st == BOSC_OK && p->spec.sources != NULL) {
        size_t n;
        const bosc_network_spike *spikes;

        st = bosc_sources_emit(p->spec.sources, p->next[1], &spikes, &n, err);
        if (st == BOSC_OK)
            st = bosc_connection_table_enqueue(p->spec.connection_table, n,
                                               spikes, err);
    }
    if (st == BOSC_OK)
        st = bosc_connection_table_deliver(p->spec.connection_table, p->next[0],
                                           p->next[1], &p->events, err);
    return st;
}

/* Do what can be done without waiting. */
static void move_on(void *what)
{
    bosc_epochs *p = what;

    if (p->spec.meanwhile != NULL)
        p->spec.meanwhile(p->spec.what);
    if (p->phase == TRAVELLING &&
        (!p->flying || bosc_spike_exchange_poll(p->post)))
        p->phase = SORTING;
    if (p->phase != SORTING)
        return;
    p->sorted = sort_events(p, &p->why);
    p->phase = RESTING;
    p->times.distributing += MPI_Wtime() - p->began;
}

/* Begin to make the events of the range after 'next'. */
static void begin_next(bosc_epochs *p)
{
    const int64_t to = p->next[1] + p->spec.epoch;

    p->next[0] = p->next[1];
    p->next[1] = to < p->spec.n_steps ? to : p->spec.n_steps;
    p->phase = TRAVELLING;
    p->began = MPI_Wtime();
}

/* Finish D. */
static void finish_next(bosc_epochs *p, bosc_status *st, bosc_error *err)
{
    const double began = MPI_Wtime();

    if (p->phase == TRAVELLING && p->flying)
        bosc_spike_exchange_finish(p->post);
    move_on(p);
    p->times.waiting += MPI_Wtime() - began;
    if (*st == BOSC_OK && p->sorted != BOSC_OK) {
        *st = p->sorted;
        *err = p->why;
    }
}

/* --- the epochs ----------------------------------------------------------- */

static bosc_status send(bosc_epochs *p, const bosc_step_output *record,
                        bosc_error *err)
{
    p->n_sent = 0;
    if (!bosc_grow(&p->sent, &p->sent_capacity, record->n_spikes,
                   sizeof *p->sent))
        return bosc_no_memory(err, "the spikes to send");
    for (size_t i = 0; i < record->n_spikes; ++i) {
        const int64_t id = p->spec.id[record->spikes[i].source];

        if (id >= 0)
            p->sent[p->n_sent++] =
                (bosc_network_spike){record->spikes[i].step, id};
    }
    return BOSC_OK;
}

/* U: integrate one epoch, with D going on meanwhile. */
static bosc_status integrate(bosc_epochs *p, const int64_t range[2],
                             const bosc_events *events,
                             bosc_step_output *record, bosc_error *err)
{
    const bosc_coupling *couple = p->spec.couple;
    const bosc_step_input steps = {
        .from = range[0],
        .to = range[1],
        .events = events,
        .drive = couple != NULL ? bosc_coupling_injected(couple) : NULL,
        .poll = p->spec.connection_table == NULL && p->spec.meanwhile == NULL
                    ? NULL
                    : move_on,
        .what = p,
    };
    const double began = MPI_Wtime();
    const bosc_status st =
        p->spec.integrator->advance(p->spec.engine, &steps, record, err);

    p->times.integrating += MPI_Wtime() - began;
    return st;
}

/* What integrating the epoch has given goes on its way; false when the run is
 * over for all ranks.  Where voltages travel, they take a failure along. */
static bool send_on(bosc_epochs *p, const bosc_step_output *record,
                    bosc_status *st, bosc_error *err)
{
    if (*st == BOSC_OK)
        *st = send(p, record, err);
    if (p->post != NULL) {
        bosc_spike_exchange_start(p->post, p->n_sent, p->sent, *st != BOSC_OK);
        p->flying = true;
        return true;
    }
    return *st == BOSC_OK ||
           (p->spec.couple != NULL && bosc_coupling_talks(p->spec.couple));
}

/* One epoch of a network; false when the run is over for all ranks. */
static bool run_epoch(bosc_epochs *p, const int64_t range[2], bosc_status *st,
                      bosc_error *err)
{
    const bosc_events events = p->events; /* E */
    const bool flying = p->flying, hears = p->spec.connection_table != NULL;
    bosc_step_output record = {0};

    if (p->spec.couple != NULL &&
        !bosc_coupling_step(p->spec.couple, *st != BOSC_OK))
        return false;
    if (hears)
        begin_next(p);
    if (*st == BOSC_OK)
        *st = integrate(p, range, hears ? &events : NULL, &record, err);
    if (*st == BOSC_OK)
        *st = ledger_add(p, &p->ledger, &record, err);
    if (hears)
        finish_next(p, st, err);
    if (flying && bosc_spike_exchange_failed(p->post))
        return false;
    return send_on(p, &record, st, err);
}

bosc_status bosc_epochs_run(bosc_epochs *p, bosc_status st,
                            const int64_t range[2], bosc_step_output *record,
                            bosc_error *err)
{
    const int32_t n_sets = p->spec.batch->n_sets;
    bool going = true;

    if (p->spec.connection_table == NULL && p->spec.couple == NULL)
        return st == BOSC_OK ? integrate(p, range, NULL, record, err) : st;
    ledger_begin(&p->ledger, n_sets);
    if (p->spec.connection_table != NULL && range[0] == 0 &&
        st == BOSC_OK) /* D(-1): only sources have spoken */
        st = sort_events(p, err);
    for (int64_t from = range[0]; from < range[1] && going;) {
        const int64_t left = range[1] - from;
        const int64_t to = from + (p->spec.epoch < left ? p->spec.epoch : left);

        going = run_epoch(p, (const int64_t[2]){from, to}, &st, err);
        from = to;
    }
    *record = ledger_record(&p->ledger, n_sets);
    return st;
}
