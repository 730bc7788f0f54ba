/* state.c - the state of a rank as bytes, for include/bosc.h.
 *
 *     head   magic, versions, checksum of the job, rank, step, ...
 *     spikes on their way that this rank's neurons have sent
 *     for each kind of item (src/batch/items.h)
 *         how many items each neuron has, then each array, neuron by neuron
 *     a checksum of all that
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/formula.h"
#include "src/base/checksum.h"
#include "src/base/mem.h"
#include "src/batch/items.h"
#include "src/library/caller.h"
#include "src/library/simulation.h"
#include "src/text/print.h"

typedef struct head {
    char magic[16];
    int32_t format, arithmetic, rank, ranks;
    uint64_t job; /* its checksum */
    int64_t step, n_neurons, delivered, warned, n_kinds, n_flying;
} head;

static const char magic[16] = "bosc state";

enum { FORMAT = 2 };

/* Bytes that are read from the front. */
typedef struct cursor {
    const unsigned char *at, *end;
} cursor;

static bool take(cursor *from, void *to, size_t bytes)
{
    if ((size_t)(from->end - from->at) < bytes)
        return false;
    if (bytes > 0)
        memcpy(to, from->at, bytes);
    from->at += bytes;
    return true;
}

/* Of the values that results depend on, and of mechanisms of the job's own. */
static bosc_status checksum_of_job(const bosc_simulation *s, uint64_t *sum,
                                   bosc_error *err)
{
    const bosc_mechs *mechs = s->sim.job->mechs;
    char *values = bosc_job_values(s->sim.job);

    if (values == NULL)
        return bosc_no_memory(err, "the values of the job");
    *sum = bosc_checksum(BOSC_CHECKSUM_BEGIN, values, strlen(values));
    for (int m = 0; m < mechs->n; ++m)
        if (mechs->mech[m]->made != NULL)
            *sum = bosc_checksum(*sum, mechs->mech[m]->made,
                                 strlen(mechs->mech[m]->made));
    free(values);
    return BOSC_OK;
}

/* --- save --- */

static void write_items(FILE *file, const bosc_state_items *items)
{
    for (int32_t i = 0; i < items->n; ++i) {
        const int64_t n = items->first[i + 1] - items->first[i];

        fwrite(&n, sizeof n, 1, file);
    }
    for (int j = 0; j < items->n_arrays; ++j) {
        const double *array = bosc_state_items_array(items, j);

        for (int32_t i = 0; i < items->n; ++i)
            for (ptrdiff_t k = 0; k < items->first[i + 1] - items->first[i];
                 ++k)
                fwrite(&array[bosc_state_items_at(items, i, k)], sizeof *array,
                       1, file);
    }
}

static bosc_status write_all(bosc_simulation *s, FILE *file, bosc_error *err)
{
    bosc_sim *sim = &s->sim;
    const bosc_epochs_flight flight =
        bosc_epochs_in_flight(sim->epochs, s->step);
    head h = {.format = FORMAT,
              .arithmetic = BOSC_ARITHMETIC,
              .rank = sim->comm->rank,
              .ranks = sim->comm->ranks,
              .step = s->step,
              .n_neurons = sim->cells->n,
              .delivered = flight.delivered,
              .warned = sim->warned_v_limit,
              .n_kinds = bosc_state_items_kinds(sim->built),
              .n_flying = (int64_t)flight.n};
    bosc_status st = checksum_of_job(s, &h.job, err);

    memcpy(h.magic, magic, sizeof magic);
    fwrite(&h, sizeof h, 1, file);
    if (flight.n > 0)
        fwrite(flight.spikes, sizeof *flight.spikes, flight.n, file);
    for (int k = 0; k < h.n_kinds && st == BOSC_OK; ++k) {
        bosc_state_items items;

        st = bosc_state_items_create(sim->job, sim->built, k, &items, err);
        if (st == BOSC_OK)
            write_items(file, &items);
        bosc_state_items_clear(&items);
    }
    return st;
}

static bosc_status save_mine(bosc_simulation *s, void **state, size_t *bytes,
                             bosc_error *err)
{
    bosc_print print;
    uint64_t sum;
    FILE *file = bosc_print_begin(&print);
    bosc_status st;

    if (file == NULL)
        return bosc_no_memory(err, "the state of a simulation");
    st = s->sim.method->engine.ops->download(s->sim.engine, err);
    if (st == BOSC_OK)
        st = write_all(s, file, err);
    if (st == BOSC_OK && fflush(file) == 0) {
        sum = bosc_checksum(BOSC_CHECKSUM_BEGIN, print.text, print.bytes);
        fwrite(&sum, sizeof sum, 1, file);
    }
    *state = bosc_print_end(&print);
    *bytes = print.bytes;
    return st == BOSC_OK && *state == NULL
               ? bosc_no_memory(err, "the state of a simulation")
               : st;
}

bosc_status bosc_save(bosc_simulation *s, void **state, size_t *bytes)
{
    bosc_status st = bosc_build(s);

    if (st != BOSC_OK)
        return st;
    *state = NULL;

    const bosc_caller before = bosc_caller_enter(&s->sim);

    st = bosc_agree(s->ranks, save_mine(s, state, bytes, &s->err), &s->err);
    bosc_caller_leave(&before, &s->sim);
    if (st != BOSC_OK) {
        free(*state);
        *state = NULL;
    }
    return st;
}

/* --- restore --- */

static bosc_status other_job(bosc_error *err)
{
    return bosc_fail(err, BOSC_EFORMAT,
                     "the state is of another job, or of other files");
}

/* What is to be restored: the head, and what follows it. */
typedef struct saved {
    head h;
    cursor flying, items;
} saved;

static bosc_status parse(bosc_simulation *s, const void *state, size_t bytes,
                         saved *out)
{
    const unsigned char *from = state;
    cursor c = {from, from};
    uint64_t sum;

    if (state != NULL && bytes >= sizeof out->h + sizeof sum)
        c.end += bytes;
    if (!take(&c, &out->h, sizeof out->h) ||
        memcmp(out->h.magic, magic, sizeof magic) != 0)
        return bosc_fail(&s->err, BOSC_EFORMAT,
                         "these %zu bytes are no state that bosc_save() has "
                         "made",
                         bytes);
    memcpy(&sum, from + bytes - sizeof sum, sizeof sum);
    if (sum != bosc_checksum(BOSC_CHECKSUM_BEGIN, state, bytes - sizeof sum))
        return bosc_fail(&s->err, BOSC_EFORMAT,
                         "the state is damaged: its checksum is another one");
    if (out->h.format != FORMAT || out->h.arithmetic != BOSC_ARITHMETIC)
        return bosc_fail(&s->err, BOSC_EFORMAT,
                         "the state is of another version of bosc");
    if (out->h.rank != s->ranks->rank || out->h.ranks != s->ranks->ranks)
        return bosc_fail(&s->err, BOSC_EFORMAT,
                         "the state is of rank %d of %d, this is rank %d of %d",
                         (int)out->h.rank, (int)out->h.ranks, s->ranks->rank,
                         s->ranks->ranks);
    c.end -= sizeof sum;
    out->flying = c;
    if (out->h.n_flying < 0 ||
        (size_t)out->h.n_flying > (size_t)(c.end - c.at) / sizeof(bosc_spike))
        return bosc_fail(&s->err, BOSC_EFORMAT, "the state is cut");
    c.at += (size_t)out->h.n_flying * sizeof(bosc_spike);
    out->items = c;
    return BOSC_OK;
}

/* Before a simulation that there is is given up for it. */
static bosc_status check_job(bosc_simulation *s, const saved *from)
{
    const bosc_caller before = bosc_caller_enter(&s->sim);
    uint64_t job = 0;
    const bosc_status st = checksum_of_job(s, &job, &s->err);

    bosc_caller_leave(&before, &s->sim);
    return st == BOSC_OK && job != from->h.job ? other_job(&s->err) : st;
}

static bosc_status read_items(bosc_state_items *items, cursor *from,
                              bosc_error *err)
{
    const bool vary = bosc_state_items_vary(items);

    for (int32_t i = 0; i < items->n; ++i) {
        int64_t n;

        if (!take(from, &n, sizeof n) || n < 0 ||
            (!vary && n != items->first[i + 1] - items->first[i]))
            return other_job(err);
        if (vary)
            items->first[i + 1] = items->first[i] + n;
    }
    if (vary && bosc_state_items_remake(items, err) != BOSC_OK)
        return BOSC_ENOMEM;
    for (int j = 0; j < items->n_arrays; ++j) {
        double *array = bosc_state_items_array(items, j);

        for (int32_t i = 0; i < items->n; ++i)
            for (ptrdiff_t k = 0; k < items->first[i + 1] - items->first[i];
                 ++k)
                if (!take(from, &array[bosc_state_items_at(items, i, k)],
                          sizeof *array))
                    return other_job(err);
    }
    return BOSC_OK;
}

/* Into the batch, before there is an engine: a bosc_state_setter. */
static bosc_status set_state(bosc_simulation *s, const void *state,
                             bosc_error *err)
{
    const saved *from = state;
    bosc_sim *sim = &s->sim;
    cursor at = from->items;
    uint64_t job = 0;
    bosc_status st = checksum_of_job(s, &job, err);

    if (st == BOSC_OK &&
        (job != from->h.job || from->h.n_neurons != sim->cells->n ||
         from->h.n_kinds != bosc_state_items_kinds(sim->built)))
        st = other_job(err);
    for (int k = 0; k < from->h.n_kinds && st == BOSC_OK; ++k) {
        bosc_state_items items;

        st = bosc_state_items_create(sim->job, sim->built, k, &items, err);
        if (st == BOSC_OK)
            st = read_items(&items, &at, err);
        if (st == BOSC_OK)
            st = bosc_state_items_apply(&items, sim->built, err);
        bosc_state_items_clear(&items);
    }
    if (st == BOSC_OK && at.at != at.end)
        st = other_job(err);
    sim->warned_v_limit = from->h.warned != 0;
    return bosc_agree(s->ranks, st, err);
}

/* Every rank learns all spikes that are on their way.  Collective. */
static bosc_status resume(bosc_simulation *s, const saved *from,
                          bosc_error *err)
{
    void *all = NULL;
    size_t *offset = NULL;
    bosc_epochs_flight flight = {.delivered = from->h.delivered};
    bosc_status st = bosc_allgather(
        s->ranks, from->flying.at,
        (size_t)from->h.n_flying * sizeof(bosc_spike), &all, &offset, err);

    if (st != BOSC_OK)
        return st;
    flight.n = offset[s->ranks->ranks] / sizeof *flight.spikes;
    flight.spikes = all;
    st = bosc_epochs_resume(s->sim.epochs, s->step, &flight,
                            s->ranks->rank == 0, err);
    free(all);
    free(offset);
    return bosc_agree(s->ranks, st, err);
}

bosc_status bosc_restore(bosc_simulation *s, const void *state, size_t bytes)
{
    saved from;
    bosc_status st = bosc_simulation_enter_all(s);

    if (st != BOSC_OK)
        return st;
    st = parse(s, state, bytes, &from);
    if (st == BOSC_OK && s->built)
        st = check_job(s, &from);
    if ((st = bosc_agree(s->ranks, st, &s->err)) != BOSC_OK)
        return st;
    if (!bosc_simulation_agrees(s, from.h.step))
        return bosc_fail(&s->err, BOSC_EVALUE,
                         "the states of the ranks are of different times");
    s->sim.from = from.h.step;
    st = bosc_simulation_make(s, set_state, &from);
    if (st == BOSC_OK && from.h.step > 0)
        st = resume(s, &from, &s->err);
    return s->failed = st;
}
