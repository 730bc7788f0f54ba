#include "src/sim/epochs.h"

#include <stdlib.h>

#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/comm/comm.h"
#include "src/sim/flight.h"

/* The output of all epochs of a range, end to end, in the caller's room.
 * Engines write the frames there. */
typedef struct epoch_record {
    bosc_frame_room *room;
    size_t n_spikes;
    int64_t *n_frames;         /* [n_sets] */
    double **next;             /* [n_sets] where the next epoch's frames go */
    const bosc_beyond *beyond; /* the engine's */
    bool not_finite;           /* at the end of the last */
} epoch_record;

struct bosc_epochs {
    bosc_epochs_spec spec;
    bosc_spike_exchange *exchange; /* NULL: no spikes travel */
    epoch_record record;
    size_t n_sent, sent_capacity;
    bosc_spike *sent;        /* [n_sent] of the last epoch */
    bosc_flight flight;      /* of those sent before, too */
    int64_t from;            /* where the first range begins */
    int64_t sure;            /* no epoch before this step can be the last one */
    int64_t failed_at;       /* bosc_epochs_failed_at() */
    bool voltages_sent;      /* of couplings, in this epoch */
    bosc_status send_status; /* of taking them from the engine */
    bosc_error send_error;
    bool brought; /* what pointers stand for, at the start; */
    bool here;    /* in this epoch; */
    bool stopped; /* some rank has failed, as it was brought */
    /* D, distributing */
    enum { IDLE, TRAVELLING, SORTING } phase;
    bool in_flight;          /* an exchange has been started */
    int64_t next[2];         /* the epoch whose events are made */
    bosc_events events;      /* of that epoch, once made */
    bosc_status sort_status; /* of making them */
    bosc_error sort_error;
    double began; /* s */
    bosc_epochs_times times;
};

/* --- create and destroy --------------------------------------------------- */

bosc_status bosc_epochs_create(const bosc_epochs_spec *spec, bosc_epochs **out,
                               bosc_error *err)
{
    bosc_epochs *p = bosc_alloc(1, sizeof *p);
    bosc_status st;

    if (p == NULL) {
        st = bosc_no_memory(err, "the time loop");
    } else {
        p->spec = *spec;
        p->failed_at = spec->n_steps;
        p->next[1] = spec->epoch < spec->n_steps ? spec->epoch : spec->n_steps;
        st = BOSC_ALLOC(err, "the records of epochs",
                        BOSC_ARRAY(p->record.n_frames, spec->batch->n_sets),
                        BOSC_ARRAY(p->record.next, spec->batch->n_sets));
    }
    st = bosc_agree(spec->comm, st, err);
    if (st == BOSC_OK && spec->sends)
        st = bosc_spike_exchange_create(spec->comm, &p->exchange, err);
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
    if (p->in_flight)
        bosc_spike_exchange_finish(p->exchange);
    bosc_spike_exchange_destroy(p->exchange);
    free(p->record.n_frames);
    free(p->record.next);
    free(p->sent);
    bosc_flight_clear(&p->flight);
    free(p);
}

bosc_epochs_times bosc_epochs_seconds(const bosc_epochs *p)
{
    bosc_epochs_times times = p->times;

    if (p->spec.coupling != NULL) {
        const bosc_coupling_view couplings =
            bosc_coupling_look(p->spec.coupling);

        times.integrating += couplings.injecting;
        times.distributing += couplings.exchange.travelling;
        times.waiting += couplings.exchange.waiting;
    }
    if (p->spec.away != NULL) { /* as integration waits for it */
        const double messages = bosc_away_seconds(p->spec.away);

        times.integrating -= messages;
        times.distributing += messages;
        times.waiting += messages;
    }
    return times;
}

/* --- D: received spikes become events ------------------------------------- */

static bosc_status sort_events(bosc_epochs *p, bosc_error *err)
{
    bosc_connection_table *table = p->spec.connection_table;
    const bosc_spike *spikes;
    bosc_status st = BOSC_OK;
    size_t n;

    if (table == NULL)
        return BOSC_OK;
    if (p->in_flight) {
        p->in_flight = false;
        st = bosc_spike_exchange_take(p->exchange, &spikes, &n, err);
        if (st == BOSC_OK)
            st = bosc_connection_table_enqueue(table, n, spikes, err);
    }
    if (st == BOSC_OK && p->spec.sources != NULL) {
        st = bosc_sources_emit(p->spec.sources, p->next[1], &spikes, &n, err);
        if (st == BOSC_OK)
            st = bosc_connection_table_enqueue(table, n, spikes, err);
    }
    return st == BOSC_OK ? bosc_connection_table_deliver(
                               table, p->next[0], p->next[1], &p->events, err)
                         : st;
}

/* Those that the next epoch comes with. */
static const bosc_events *next_events(const bosc_epochs *p)
{
    return p->spec.connection_table == NULL ? NULL : &p->events;
}

/* The engine may prepare for the next epoch. */
static bosc_status announce(bosc_epochs *p, bosc_error *err)
{
    const bosc_step_input next = {
        .from = p->next[0], .to = p->next[1], .events = next_events(p)};

    return p->spec.integrator->expect == NULL || next.from >= next.to
               ? BOSC_OK
               : p->spec.integrator->expect(
                     p->spec.engine, &next,
                     p->spec.coupling == NULL && next.from < p->sure, err);
}

/* Advance output and distributing as far as possible without waiting; backends
 * call this while they integrate. */
static void make_progress(void *what)
{
    bosc_epochs *p = what;

    if (p->spec.meanwhile != NULL)
        p->spec.meanwhile(p->spec.meanwhile_what);
    if (p->spec.coupling != NULL)
        bosc_coupling_poll(p->spec.coupling);
    if (p->phase == TRAVELLING &&
        (!p->in_flight || bosc_spike_exchange_poll(p->exchange)))
        p->phase = SORTING;
    if (p->phase != SORTING)
        return;
    p->sort_status = sort_events(p, &p->sort_error);
    if (p->sort_status == BOSC_OK)
        p->sort_status = announce(p, &p->sort_error);
    p->phase = IDLE;
    if (p->spec.connection_table != NULL)
        p->times.distributing += bosc_now() - p->began;
}

/* Start to make the events of the next epoch. */
static void start_distributing(bosc_epochs *p)
{
    const int64_t to = p->next[1] + p->spec.epoch;

    p->next[0] = p->next[1];
    p->next[1] = to < p->spec.n_steps ? to : p->spec.n_steps;
    p->phase = TRAVELLING;
    p->began = bosc_now();
}

/* Wait for the exchange if necessary, and make the events. */
static void finish_distributing(bosc_epochs *p, bosc_status *st,
                                bosc_error *err)
{
    const double began = bosc_now();

    if (p->phase == TRAVELLING && p->in_flight)
        bosc_spike_exchange_finish(p->exchange);
    make_progress(p);
    p->times.waiting += bosc_now() - began;
    if (*st == BOSC_OK && p->sort_status != BOSC_OK) {
        *st = p->sort_status;
        *err = p->sort_error;
    }
}

/* --- the epochs ----------------------------------------------------------- */

static bosc_coupling_device device_of(const bosc_epochs *p)
{
    return (bosc_coupling_device){p->spec.integrator->voltages, p->spec.engine};
}

/* A step has the voltages that other ranks need in the next one: they travel
 * while it is computed. */
static void send_voltages(void *what)
{
    bosc_epochs *p = what;
    const bosc_coupling_device device = device_of(p);

    p->voltages_sent = true;
    bosc_coupling_send(p->spec.coupling, &device, &p->send_status,
                       &p->send_error);
}

/* Of an epoch that ends at 'to'. */
static bool sends_voltages(const bosc_epochs *p, int64_t to)
{
    return p->spec.coupling != NULL && to < p->spec.n_steps &&
           bosc_coupling_look(p->spec.coupling).talks;
}

/* Seconds that this thread has spent on messages of couplings. */
static double waited(const bosc_epochs *p)
{
    return p->spec.coupling != NULL
               ? bosc_coupling_look(p->spec.coupling).exchange.waiting
               : 0;
}

/* A step has its voltages: bring those that pointers of other neurons stand
 * for. */
static void bring(void *what)
{
    bosc_epochs *p = what;

    p->here = true;
    p->stopped = !bosc_away_bring(p->spec.away, false);
}

/* What the record calls the spikes of a source, -1: it has none of them. */
static int64_t recorded_as(const bosc_epochs *p, int64_t source)
{
    const int64_t *gid = p->spec.batch->gid;

    if (source < p->spec.n_neurons)
        return gid != NULL ? gid[source] : source;
    return p->spec.recorded != NULL && source >= p->spec.first_recorded
               ? p->spec.recorded[source - p->spec.first_recorded]
               : -1;
}

/* What an epoch that has ended at 'step' has given: its frames, which are in
 * the room, go to the record, and so do spikes of somata, by gid, and what
 * probes detect; those that somebody asks for are to be sent, as the network
 * calls them. */
static bosc_status take_output(bosc_epochs *p, int64_t step,
                               const bosc_step_output *output, bosc_error *err)
{
    const int64_t *id = p->exchange != NULL ? p->spec.id : NULL;
    epoch_record *r = &p->record;

    r->beyond = output->beyond;
    r->not_finite = output->not_finite;
    for (int32_t s = 0; s < output->n_sets; ++s) {
        r->n_frames[s] += output->n_frames[s];
        r->next[s] +=
            output->n_frames[s] * bosc_reading_given(&p->spec.batch->sets[s]);
    }
    p->n_sent = 0;
    if (!bosc_grow(&r->room->spikes, &r->room->spike_capacity,
                   r->n_spikes + output->n_spikes, sizeof(bosc_spike)) ||
        (id != NULL && !bosc_grow(&p->sent, &p->sent_capacity, output->n_spikes,
                                  sizeof *p->sent)))
        return bosc_no_memory(err, "the spikes");
    for (size_t i = 0; i < output->n_spikes; ++i) {
        bosc_spike spike = output->spikes[i];
        const int64_t source = spike.source;

        spike.source = recorded_as(p, source);
        if (spike.source >= 0) {
            r->room->spikes[r->n_spikes++] = spike;
        }
        if (id != NULL && id[source] >= 0) {
            spike.source = id[source];
            p->sent[p->n_sent++] = spike;
        }
    }
    if (p->spec.reach >= 0 &&
        !bosc_flight_add(&p->flight, p->n_sent, p->sent, p->spec.reach, step))
        return bosc_no_memory(err, "the spikes on their way");
    return BOSC_OK;
}

/* U: integrate one epoch, unless *st says that this rank has failed; D happens
 * in make_progress().  Other ranks wait for what this one sends within it,
 * failed or not. */
static void integrate(bosc_epochs *p, const int64_t range[2],
                      const bosc_events *events, bosc_step_output *output,
                      bosc_status *st, bosc_error *err)
{
    const bool sends = sends_voltages(p, range[1]);
    const bosc_step_input steps = {
        .from = range[0],
        .to = range[1],
        .events = events,
        .frames = p->record.next,
        .poll = make_progress,
        .sent = sends ? send_voltages : NULL,
        .between = p->spec.away != NULL ? bring : NULL,
        .what = p,
    };
    const double began = bosc_now(), before = waited(p);

    p->here = p->voltages_sent = false;
    p->send_status = BOSC_OK;
    if (*st == BOSC_OK)
        *st = p->spec.integrator->advance(p->spec.engine, &steps, output, err);
    if (*st == BOSC_OK && p->send_status != BOSC_OK) {
        *st = p->send_status;
        *err = p->send_error;
    }
    if (sends && !p->voltages_sent) {
        const bosc_coupling_device device = device_of(p);

        bosc_coupling_send(p->spec.coupling, &device, st, err);
    }
    if (p->spec.away != NULL && !p->here)
        p->stopped = !bosc_away_bring(p->spec.away, true);
    p->times.integrating += bosc_now() - began - (waited(p) - before);
    if (p->spec.beside != NULL)
        p->spec.beside(p->spec.what, &steps, output, st, err);
}

/* One epoch of a network, whose spikes are sent to all ranks; false when the
 * run is over for all of them.  A failure travels with the spikes or with the
 * voltages. */
static bool run_epoch(bosc_epochs *p, const int64_t range[2], bosc_status *st,
                      bosc_error *err)
{
    const bosc_events events = p->events; /* E */
    const bool in_flight = p->in_flight;
    const bosc_coupling_device device = device_of(p);
    bosc_step_output output = {0};

    if (p->spec.coupling != NULL &&
        !bosc_coupling_step(p->spec.coupling, &device, st, err))
        return false;
    start_distributing(p);
    integrate(p, range, next_events(p) == NULL ? NULL : &events, &output, st,
              err);
    finish_distributing(p, st, err);
    if (p->stopped)
        return false;
    if (in_flight && bosc_spike_exchange_failed(p->exchange))
        return false;
    if (*st == BOSC_OK) /* what was sent before has arrived */
        *st = take_output(p, range[1], &output, err);
    if (p->exchange == NULL)
        return *st == BOSC_OK || p->spec.away != NULL ||
               (p->spec.coupling != NULL &&
                bosc_coupling_look(p->spec.coupling).talks);
    bosc_spike_exchange_start(p->exchange, p->n_sent, p->sent, *st != BOSC_OK);
    p->in_flight = true;
    return true;
}

/* The epochs from range[0] on, in turn. */
static void run_epochs(bosc_epochs *p, const int64_t range[2], bosc_status *st,
                       bosc_error *err)
{
    bool going = true;

    if (p->spec.connection_table != NULL && range[0] == p->from &&
        *st == BOSC_OK) /* D(-1): only sources have spiked */
        *st = sort_events(p, err);
    if (p->spec.away != NULL && !p->brought) {
        going = bosc_away_bring(p->spec.away, *st != BOSC_OK);
        p->brought = true;
    }
    for (int64_t from = range[0]; from < range[1] && going;) {
        const int64_t left = range[1] - from;
        const int64_t to = from + (p->spec.epoch < left ? p->spec.epoch : left);

        going = run_epoch(p, (const int64_t[2]){from, to}, st, err);
        if (*st != BOSC_OK && p->failed_at > from)
            p->failed_at = from;
        from = to;
    }
}

bosc_status bosc_epochs_run(bosc_epochs *p, bosc_status st,
                            const int64_t range[2], bool goes_on,
                            bosc_frame_room *room, bosc_step_output *record,
                            bosc_error *err)
{
    epoch_record *r = &p->record;

    r->room = room;
    if (st == BOSC_OK)
        st = bosc_frame_room_reserve(room, p->spec.batch, range[0], range[1],
                                     err);
    if (st == BOSC_OK) {
        r->n_spikes = 0;
        r->not_finite = false;
        for (int32_t s = 0; s < room->n_sets; ++s) {
            r->n_frames[s] = 0;
            r->next[s] = room->values[s];
        }
    }
    p->sure = goes_on ? INT64_MAX : range[1];
    if (p->spec.whole) {
        bosc_step_output output = {0};

        integrate(p, range, NULL, &output, &st, err);
        if (st == BOSC_OK)
            st = take_output(p, range[1], &output, err);
        if (st != BOSC_OK)
            p->failed_at = range[0];
    } else {
        run_epochs(p, range, &st, err);
    }
    *record = (bosc_step_output){
        .n_spikes = r->n_spikes,
        .spikes = room->spikes,
        .n_sets = room->n_sets,
        .n_frames = r->n_frames,
        .values = (const double *const *)room->values,
        .beyond = r->beyond,
        .not_finite = r->not_finite,
    };
    return st;
}

int64_t bosc_epochs_failed_at(const bosc_epochs *p)
{
    return p->failed_at;
}

/* --- checkpoints ---------------------------------------------------------- */

bosc_epochs_flight bosc_epochs_in_flight(bosc_epochs *p, int64_t step)
{
    const bosc_connection_table *table = p->spec.connection_table;
    bosc_epochs_flight flight = {0};

    if (table == NULL)
        return flight;
    bosc_flight_drop(&p->flight, p->spec.reach, step);
    flight.n = p->flight.n;
    flight.spikes = p->flight.spikes;
    flight.delivered = bosc_connection_table_delivered(table);
    if (p->events.first != NULL) /* made, but of the next epoch */
        flight.delivered -= bosc_connection_table_latest(table);
    return flight;
}

/* The spikes of sources before 'step' are as they were; those that can bring
 * nothing any more are dropped. */
static bosc_status repeat_sources(bosc_epochs *p, int64_t step, bosc_error *err)
{
    enum { EPOCHS = 64 }; /* at a time */
    const int64_t old = step - p->spec.reach, at_once = EPOCHS * p->spec.epoch;
    const bosc_spike *spikes;
    bosc_status st = BOSC_OK;
    size_t n;

    for (int64_t to = at_once; to < old && st == BOSC_OK; to += at_once)
        st = bosc_sources_emit(p->spec.sources, to, &spikes, &n, err);
    if (st == BOSC_OK)
        st = bosc_sources_emit(p->spec.sources, step, &spikes, &n, err);
    return st == BOSC_OK ? bosc_connection_table_enqueue(
                               p->spec.connection_table, n, spikes, err)
                         : st;
}

bosc_status bosc_epochs_resume(bosc_epochs *p, int64_t step,
                               const bosc_epochs_flight *flight, bool mine,
                               bosc_error *err)
{
    bosc_connection_table *table = p->spec.connection_table;
    const int64_t to = step + p->spec.epoch;
    bosc_status st = BOSC_OK;

    p->from = step;
    p->next[0] = step;
    p->next[1] = to < p->spec.n_steps ? to : p->spec.n_steps;
    if (table == NULL)
        return BOSC_OK;
    if (p->spec.sources != NULL)
        st = repeat_sources(p, step, err);
    if (st == BOSC_OK)
        st = bosc_connection_table_enqueue(table, flight->n, flight->spikes,
                                           err);
    if (st == BOSC_OK && mine &&
        !bosc_flight_add(&p->flight, flight->n, flight->spikes, p->spec.reach,
                         step))
        st = bosc_no_memory(err, "the spikes on their way");
    if (st == BOSC_OK)
        bosc_connection_table_resume(table, step, mine ? flight->delivered : 0);
    return st;
}
