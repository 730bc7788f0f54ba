#include "config.h"

#include "src/checkpoint/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/batch/items.h"
#include "src/checkpoint/move.h"
#include "src/comm/comm.h"

/* Of the file; another one is refused. */
enum { FORMAT = 3 };

void bosc_checkpoint_head_clear(bosc_checkpoint_head *head)
{
    free(head->values);
    free(head->version);
    free(head->warnings);
    free(head->fired);
    *head = (bosc_checkpoint_head){0};
}

/* --- writing -------------------------------------------------------------- */

/* A file while it is written; at rank 0 there are also: */
typedef struct writing {
    const bosc_checkpoint_parts *parts;
    int rank, n_kinds;
    bosc_state_file *file;
    bosc_state_items_variables *variables; /* [n_kinds] */
    int flight[2], late, fired;            /* variables */
    int64_t n_flying;                      /* of all ranks */
    bosc_spike *flying;                    /* [n_flying] sorted */
} writing;

static void define_head(writing *w, const bosc_checkpoint_head *head)
{
    bosc_state_put_text(w->file, "title", "checkpoint of bosc");
    bosc_state_put_text(w->file, "source", PACKAGE_STRING);
    bosc_state_put_number(w->file, "format", FORMAT);
    bosc_state_put_number(w->file, "step", head->step);
    bosc_state_put_number(w->file, "spikes", head->spikes);
    bosc_state_put_number(w->file, "delivered", head->delivered);
    bosc_state_put_number(w->file, "told", head->warned_v_limit);
    bosc_state_put_text(w->file, "warnings", head->warnings);
    bosc_state_put_text(w->file, "job_values", head->values);
    w->fired = bosc_state_define(w->file, "fired", BOSC_STATE_INT64,
                                 "population", head->n_populations);
    w->flight[0] = bosc_state_define(w->file, "flight_step", BOSC_STATE_INT64,
                                     "flight", w->n_flying);
    w->flight[1] = bosc_state_define(w->file, "flight_source", BOSC_STATE_INT64,
                                     "flight", w->n_flying);
    w->late = bosc_state_define(w->file, "flight_late", BOSC_STATE_DOUBLE,
                                "flight", w->n_flying);
}

/* Rank 0: define the variables of a kind, of which there are n in all. */
static void define_kind(writing *w, const bosc_state_items *items, int64_t n,
                        bosc_state_items_variables *variables)
{
    char name[BOSC_STATE_NAME], dimension[BOSC_STATE_NAME];

    snprintf(name, sizeof name, "%s_count", items->name);
    variables->count = bosc_state_define(w->file, name, BOSC_STATE_INT32,
                                         "neuron", w->parts->n_neurons);
    snprintf(dimension, sizeof dimension, "%s_item", items->name);
    for (int j = 0; j < items->n_arrays; ++j) {
        const int id =
            bosc_state_define(w->file, bosc_state_items_name(items, j, name),
                              BOSC_STATE_DOUBLE, dimension, n);

        variables->first = j == 0 ? id : variables->first;
    }
}

/* Define the variables of each kind of items, or save what they hold. */
static bosc_status write_kinds(writing *w, bool define, bosc_error *err)
{
    const bosc_comm *comm = w->parts->comm;
    bosc_status st = BOSC_OK;

    for (int k = 0; k < w->n_kinds && st == BOSC_OK; ++k) {
        const bosc_state_items_variables none = {0};
        bosc_state_items items;

        st = bosc_agree(comm,
                        bosc_state_items_create(w->parts->job, w->parts->built,
                                                k, &items, err),
                        err);
        if (st == BOSC_OK && define) {
            int64_t n = items.first[items.n];

            bosc_sum_int64(comm, &n, 1);
            if (w->rank == 0)
                define_kind(w, &items, n, &w->variables[k]);
        } else if (st == BOSC_OK) {
            st = bosc_state_items_save(w->parts, &items,
                                       w->rank == 0 ? &w->variables[k] : &none,
                                       w->file, err);
        }
        bosc_state_items_clear(&items);
    }
    return st;
}

static int by_step(const void *a, const void *b)
{
    const bosc_spike *x = a, *y = b;
    const int64_t sent = bosc_spike_step(x), other = bosc_spike_step(y);

    if (sent != other)
        return sent < other ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return (x->late > y->late) - (x->late < y->late);
}

static bosc_status gather_flying(writing *w, const bosc_flying *mine,
                                 bosc_error *err)
{
    size_t *offset = NULL;
    void *all = NULL;
    int ranks;
    const bosc_status st =
        bosc_gather(w->parts->comm, mine->spikes,
                    mine->n * sizeof *mine->spikes, &all, &offset, err);

    ranks = w->parts->comm->ranks;
    if (st == BOSC_OK && w->rank == 0) {
        w->flying = all;
        w->n_flying = (int64_t)(offset[ranks] / sizeof *w->flying);
        if (w->n_flying > 1)
            qsort(w->flying, (size_t)w->n_flying, sizeof *w->flying, by_step);
    }
    free(offset);
    return st;
}

static bosc_status write_late(writing *w, bosc_error *err)
{
    double *to = bosc_state_room(w->file, BOSC_STATE_DOUBLE, w->n_flying);

    if (to == NULL)
        return bosc_no_memory(err, "a checkpoint");
    for (int64_t i = 0; i < w->n_flying; ++i)
        to[i] = w->flying[i].late;
    bosc_state_put(w->file, w->late, 0);
    return BOSC_OK;
}

/* Rank 0: what does not belong to neurons. */
static bosc_status write_rest(writing *w, const bosc_checkpoint_head *head,
                              bosc_error *err)
{
    const struct {
        int variable;
        int64_t n;
    } parts[] = {{w->flight[0], w->n_flying},
                 {w->flight[1], w->n_flying},
                 {w->fired, head->n_populations}};

    for (size_t k = 0; k < BOSC_LEN(parts); ++k) {
        int64_t *to = bosc_state_room(w->file, BOSC_STATE_INT64, parts[k].n);

        if (to == NULL)
            return bosc_no_memory(err, "a checkpoint");
        for (int64_t i = 0; i < parts[k].n; ++i)
            to[i] = k == 0   ? bosc_spike_step(&w->flying[i])
                    : k == 1 ? w->flying[i].source
                             : head->fired[i];
        bosc_state_put(w->file, parts[k].variable, 0);
    }
    return write_late(w, err);
}

static bosc_status write_all(writing *w, const char *path,
                             const bosc_checkpoint_head *head,
                             struct bosc_writer *writer, bosc_error *err)
{
    const bosc_comm *comm = w->parts->comm;
    bosc_status st = BOSC_OK;

    if (w->rank == 0) {
        st = BOSC_ALLOC(err, "a checkpoint",
                        BOSC_ARRAY(w->variables, (size_t)w->n_kinds));
        if (st == BOSC_OK)
            st = bosc_state_create(path, &w->file, err);
        if (st == BOSC_OK)
            define_head(w, head);
    }
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = write_kinds(w, true, err);
    if (st == BOSC_OK && w->rank == 0)
        st = bosc_state_begin(w->file, writer, err);
    if (st == BOSC_OK && w->rank == 0)
        st = write_rest(w, head, err);
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = write_kinds(w, false, err);
    return st;
}

bosc_status bosc_checkpoint_write(const char *path,
                                  const bosc_checkpoint_parts *parts,
                                  const bosc_checkpoint_head *head,
                                  const bosc_flying *flying,
                                  struct bosc_writer *writer,
                                  bosc_state_file **out, bosc_error *err)
{
    writing w = {.parts = parts,
                 .n_kinds = bosc_state_items_kinds(parts->built)};
    bosc_status st;

    w.rank = parts->comm->rank;
    st = gather_flying(&w, flying, err);
    if (st == BOSC_OK)
        st = write_all(&w, path, head, writer, err);
    free(w.variables);
    free(w.flying);
    *out = w.file;
    return bosc_agree(parts->comm, st, err);
}

/* --- reading -------------------------------------------------------------- */

static bosc_status read_numbers(bosc_state_file *file, const char *path,
                                bosc_checkpoint_head *head, bosc_error *err)
{
    int64_t warned_v_limit = 0;
    const struct {
        const char *name;
        int64_t *value;
    } numbers[] = {{"step", &head->step},
                   {"spikes", &head->spikes},
                   {"delivered", &head->delivered},
                   {"told", &warned_v_limit}};
    bosc_status st = BOSC_OK;

    for (size_t i = 0; i < BOSC_LEN(numbers) && st == BOSC_OK; ++i) {
        st =
            bosc_state_get_number(file, numbers[i].name, numbers[i].value, err);
        if (st == BOSC_OK &&
            (*numbers[i].value < 0 || *numbers[i].value > INT64_MAX / 2))
            st = bosc_fail(err, BOSC_EFORMAT, "%s: is damaged: its %s is %lld",
                           path, numbers[i].name, (long long)*numbers[i].value);
    }
    head->warned_v_limit = warned_v_limit != 0;
    return st;
}

static bosc_status read_fired(bosc_state_file *file, const char *path,
                              bosc_checkpoint_head *head, bosc_error *err)
{
    const int32_t n = head->n_populations;
    bosc_status st =
        BOSC_ALLOC(err, "a checkpoint", BOSC_ARRAY(head->fired, (size_t)n));

    /* of another job there may be fewer: its values tell */
    if (st == BOSC_OK && bosc_state_length(file, "population") == n)
        st = bosc_state_read(file, "fired", BOSC_STATE_INT64, 0, n, head->fired,
                             err);
    for (int32_t i = 0; i < n && st == BOSC_OK; ++i)
        if (head->fired[i] < 0 || head->fired[i] > head->spikes)
            st = bosc_fail(err, BOSC_EFORMAT,
                           "%s: is damaged: one population has %lld of %lld "
                           "spikes",
                           path, (long long)head->fired[i],
                           (long long)head->spikes);
    return st;
}

static bosc_status read_head(bosc_state_file *file, const char *path,
                             bosc_checkpoint_head *head, bosc_error *err)
{
    int64_t format = 0;
    bosc_status st = bosc_state_get_number(file, "format", &format, err);

    if (st == BOSC_OK && format != FORMAT)
        st = bosc_fail(err, BOSC_EFORMAT,
                       "%s: is a checkpoint of format %lld; this bosc reads "
                       "format %d",
                       path, (long long)format, FORMAT);
    if (st == BOSC_OK)
        st = read_numbers(file, path, head, err);
    if (st == BOSC_OK)
        st = bosc_state_get_text(file, "job_values", &head->values, err);
    if (st == BOSC_OK)
        st = bosc_state_get_text(file, "source", &head->version, err);
    if (st == BOSC_OK)
        st = bosc_state_get_text(file, "warnings", &head->warnings, err);
    return st;
}

bosc_status bosc_checkpoint_open(const char *path, int32_t n_populations,
                                 bosc_state_file **out,
                                 bosc_checkpoint_head *head, bosc_error *err)
{
    bosc_state_file *file = NULL;
    bosc_status st = bosc_state_open(path, &file, err);

    *head = (bosc_checkpoint_head){.n_populations = n_populations};
    if (st == BOSC_OK)
        st = read_head(file, path, head, err);
    if (st == BOSC_OK)
        st = read_fired(file, path, head, err);
    if (st == BOSC_OK)
        *out = file;
    else
        bosc_state_close(file);
    return st;
}

/* Items of which there are others now.  Collective. */
static bosc_status remake(const bosc_checkpoint_parts *parts,
                          bosc_state_items *items, bosc_state_file *file,
                          bosc_error *err)
{
    const bosc_status st = bosc_state_items_count(parts, items, file, err);

    return st == BOSC_OK ? bosc_agree(parts->comm,
                                      bosc_state_items_remake(items, err), err)
                         : st;
}

bosc_status bosc_checkpoint_restore(bosc_state_file *file,
                                    const bosc_checkpoint_parts *parts,
                                    bosc_error *err)
{
    const int n = bosc_state_items_kinds(parts->built);
    bosc_status st = BOSC_OK;

    for (int k = 0; k < n && st == BOSC_OK; ++k) {
        bosc_state_items items;

        st = bosc_agree(
            parts->comm,
            bosc_state_items_create(parts->job, parts->built, k, &items, err),
            err);
        if (st == BOSC_OK && bosc_state_items_vary(&items))
            st = remake(parts, &items, file, err);
        if (st == BOSC_OK)
            st = bosc_state_items_load(parts, &items, file, err);
        if (st == BOSC_OK)
            st = bosc_agree(parts->comm,
                            bosc_state_items_apply(&items, parts->built, err),
                            err);
        bosc_state_items_clear(&items);
    }
    return st;
}

/* Rank 0: all of them, of steps before 'step' and sources before 'end'. */
static bosc_status read_flying(bosc_state_file *file, int64_t step, int64_t end,
                               bosc_flying *flying, bosc_error *err)
{
    const int64_t n = (int64_t)flying->n;
    int64_t *sent = NULL, *source = NULL;
    double *late = NULL;
    bosc_status st =
        BOSC_ALLOC(err, "a checkpoint", BOSC_ARRAY(sent, flying->n),
                   BOSC_ARRAY(source, flying->n), BOSC_ARRAY(late, flying->n));

    if (st == BOSC_OK)
        st = bosc_state_read(file, "flight_step", BOSC_STATE_INT64, 0, n, sent,
                             err);
    if (st == BOSC_OK)
        st = bosc_state_read(file, "flight_source", BOSC_STATE_INT64, 0, n,
                             source, err);
    if (st == BOSC_OK)
        st = bosc_state_read(file, "flight_late", BOSC_STATE_DOUBLE, 0, n, late,
                             err);
    for (size_t i = 0; st == BOSC_OK && i < flying->n; ++i) {
        flying->spikes[i] = bosc_spike_detected(sent[i], source[i]);
        flying->spikes[i].late = late[i];
        if (sent[i] < 0 || sent[i] >= step || source[i] < 0 || source[i] >= end)
            st = bosc_fail(err, BOSC_EFORMAT,
                           "the checkpoint has a spike of source %lld of %lld "
                           "in step %lld of %lld",
                           (long long)source[i], (long long)end,
                           (long long)sent[i], (long long)step);
    }
    free(sent);
    free(source);
    free(late);
    return st;
}

bosc_status bosc_checkpoint_flying(bosc_state_file *file, const bosc_comm *comm,
                                   int64_t step, int64_t end, bosc_flying *out,
                                   bosc_error *err)
{
    bosc_flying flying = {0};
    int64_t n = 0;
    bosc_status st;
    int rank;

    rank = comm->rank;
    if (rank == 0)
        n = bosc_state_length(file, "flight");
    bosc_bcast(comm, &n, sizeof n, 0);
    flying.n = (size_t)n;
    st = BOSC_ALLOC(err, "a checkpoint", BOSC_ARRAY(flying.spikes, flying.n));
    if (st == BOSC_OK && rank == 0)
        st = read_flying(file, step, end, &flying, err);
    if ((st = bosc_agree(comm, st, err)) != BOSC_OK) {
        free(flying.spikes);
        return st;
    }
    bosc_bcast(comm, flying.spikes, flying.n * sizeof *flying.spikes, 0);
    *out = flying;
    return BOSC_OK;
}
