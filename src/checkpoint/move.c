#include "src/checkpoint/move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/comm/comm.h"

/* Neurons, and values of them, at a time. */
enum { NEURONS = 1 << 16, VALUES = 1 << 20 };

/* How many items a neuron has, as it travels. */
typedef struct counted {
    int64_t gid, n;
} counted;

typedef struct mover {
    const bosc_checkpoint_parts *parts;
    const bosc_state_items *items;
    bosc_state_file *file; /* rank 0 */
    int rank, ranks;
    int64_t begin, end; /* gids under way */
    int64_t done;       /* items before them */
    int64_t read;       /* rank 0: items counted so far in the file */
    int32_t *count;     /* [NEURONS] of each of these */
    int32_t next;       /* the first neuron here that is not before them */
    counted *all;       /* rank 0, while saving: by ranks */
    size_t n_all;
    double *values; /* own ones while saving, all while loading: [capacity] */
    size_t capacity;
} mover;

static void mover_clear(mover *m)
{
    free(m->count);
    free(m->all);
    free(m->values);
}

static bosc_status mover_create(mover *m, bosc_error *err)
{
    m->rank = m->parts->comm->rank;
    m->ranks = m->parts->comm->ranks;
    return bosc_agree(
        m->parts->comm,
        BOSC_ALLOC(err, "a checkpoint", BOSC_ARRAY(m->count, NEURONS)), err);
}

/* The next neurons; false: there are no more. */
static bool next_neurons(mover *m)
{
    const int64_t left = m->parts->n_neurons - m->end;

    m->begin = m->end;
    m->end += left < NEURONS ? left : NEURONS;
    return left > 0;
}

/* From gid 'from' on, the end of those whose items fit a message; *n items. */
static int64_t fill_message(const mover *m, int64_t from, int64_t *n)
{
    int64_t to = from;

    for (*n = 0; to < m->end; ++to) {
        if (to > from && *n + m->count[to - m->begin] > VALUES)
            break;
        *n += m->count[to - m->begin];
    }
    return to;
}

/* This rank's neurons of the gids before 'end', from number *at on, which
 * moves to the first after them. */
static int32_t skip_to(const mover *m, int32_t at, int64_t end)
{
    while (at < m->items->n && m->parts->cells->gid[at] < end)
        ++at;
    return at;
}

/* --- out ------------------------------------------------------------------ */

static bosc_status write_counts(const mover *m, int variable, bosc_error *err)
{
    const int64_t n = m->end - m->begin;
    void *room = bosc_state_room(m->file, BOSC_STATE_INT32, n);

    if (room == NULL)
        return bosc_no_memory(err, "a checkpoint");
    memcpy(room, m->count, (size_t)n * sizeof *m->count);
    bosc_state_put(m->file, variable, m->begin);
    return BOSC_OK;
}

/* Rank 0 learns how many items each has, and writes it. */
static bosc_status save_counts(mover *m, int variable, bosc_error *err)
{
    const bosc_state_items *items = m->items;
    const int32_t end = skip_to(m, m->next, m->end), n = end - m->next;
    const bosc_comm *comm = m->parts->comm;
    counted *mine = NULL;
    size_t *offset = NULL;
    void *all = NULL;
    int ranks;
    bosc_status st =
        BOSC_ALLOC(err, "a checkpoint", BOSC_ARRAY(mine, (size_t)n));

    for (int32_t i = 0; st == BOSC_OK && i < n; ++i)
        mine[i] = (counted){m->parts->cells->gid[m->next + i],
                            items->first[m->next + i + 1] -
                                items->first[m->next + i]};
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = bosc_gather(comm, mine, (size_t)n * sizeof *mine, &all, &offset,
                         err);
    if (st == BOSC_OK && m->rank == 0) {
        ranks = comm->ranks;
        free(m->all);
        m->all = all;
        m->n_all = offset[ranks] / sizeof *m->all;
        for (size_t i = 0; i < m->n_all; ++i)
            m->count[m->all[i].gid - m->begin] = (int32_t)m->all[i].n;
        st = write_counts(m, variable, err);
    }
    free(mine);
    free(offset);
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK) /* for equal messages */
        bosc_bcast(comm, m->count,
                   (size_t)(m->end - m->begin) * sizeof *m->count, 0);
    return st;
}

/* Rank 0: values of the gids from..to - 1 come one rank after another; put them
 * into the order of gids. */
static bosc_status sort_values(const mover *m, int64_t from, int64_t to,
                               const double *arrived, double *sorted,
                               bosc_error *err)
{
    ptrdiff_t *at = NULL;
    bosc_status st = BOSC_ALLOC(err, "a checkpoint",
                                BOSC_ARRAY(at, (size_t)(to - from) + 1));

    for (int64_t gid = from; st == BOSC_OK && gid < to; ++gid)
        at[gid - from + 1] = at[gid - from] + m->count[gid - m->begin];
    for (size_t i = 0; st == BOSC_OK && i < m->n_all; ++i) {
        const counted *c = &m->all[i];

        if (c->gid < from || c->gid >= to || c->n == 0)
            continue;
        memcpy(sorted + at[c->gid - from], arrived,
               (size_t)c->n * sizeof *arrived);
        arrived += c->n;
    }
    free(at);
    return st;
}

/* Of neurons at..end - 1, by all threads: others wait for them. */
static void copy_values(const mover *m, const double *array, int32_t at,
                        int32_t end, double *to)
{
    const bosc_state_items *items = m->items;
    const ptrdiff_t *first = items->first;

#pragma omp parallel for schedule(static)
    for (int32_t i = at; i < end; ++i)
        for (ptrdiff_t k = 0; k < first[i + 1] - first[i]; ++k)
            to[first[i] - first[at] + k] =
                array[bosc_state_items_at(items, i, k)];
}

/* One array of n items of the gids from..to - 1.  A single rank has them in
 * their order. */
static bosc_status save_values(mover *m, const double *array, int variable,
                               const int64_t range[2], int64_t n,
                               bosc_error *err)
{
    const int32_t at = skip_to(m, m->next, range[0]),
                  end = skip_to(m, at, range[1]);
    const size_t n_mine = (size_t)(m->items->first[end] - m->items->first[at]);
    const bosc_comm *comm = m->parts->comm;
    double *room = NULL;
    void *all = NULL;
    bosc_status st = BOSC_OK;

    if (m->rank == 0 &&
        (room = bosc_state_room(m->file, BOSC_STATE_DOUBLE, n)) == NULL)
        st = bosc_no_memory(err, "a checkpoint");
    if (st == BOSC_OK && m->ranks > 1 &&
        !bosc_grow(&m->values, &m->capacity, n_mine, sizeof *m->values))
        st = bosc_no_memory(err, "a checkpoint");
    if (st == BOSC_OK)
        copy_values(m, array, at, end, m->ranks > 1 ? m->values : room);
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK && m->ranks > 1)
        st = bosc_gather(comm, m->values, n_mine * sizeof *m->values, &all,
                         NULL, err);
    if (st == BOSC_OK && m->ranks > 1 && m->rank == 0)
        st = sort_values(m, range[0], range[1], all, room, err);
    if (st == BOSC_OK && m->rank == 0)
        bosc_state_put(m->file, variable, m->done);
    free(all);
    return bosc_agree(comm, st, err);
}

/* --- and back ------------------------------------------------------------- */

/* Rank 0: are the counts just read possible? */
static bosc_status check_counts(mover *m, bosc_error *err)
{
    char name[BOSC_STATE_NAME];

    snprintf(name, sizeof name, "%s_item", m->items->name);

    const int64_t most = bosc_state_length(m->file, name);

    for (int64_t gid = m->begin; gid < m->end; ++gid) {
        const int32_t n = m->count[gid - m->begin];

        m->read += n < 0 ? 0 : n;
        /* without values there is no dimension */
        if (n < 0 || (m->read > most && m->items->n_arrays > 0))
            return bosc_fail(err, BOSC_EFORMAT,
                             "the checkpoint has %d of '%s' of neuron %lld, "
                             "and %lld in all",
                             (int)n, m->items->name, (long long)gid,
                             (long long)most);
    }
    return BOSC_OK;
}

/* Every rank learns how many items each of the neurons under way has. */
static bosc_status read_counts(mover *m, bosc_error *err)
{
    const int64_t n = m->end - m->begin;
    const bosc_comm *comm = m->parts->comm;
    char name[BOSC_STATE_NAME];
    bosc_status st = BOSC_OK;

    snprintf(name, sizeof name, "%s_count", m->items->name);
    if (m->rank == 0)
        st = bosc_state_read(m->file, name, BOSC_STATE_INT32, m->begin, n,
                             m->count, err);
    if (st == BOSC_OK && m->rank == 0)
        st = check_counts(m, err);
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        bosc_bcast(comm, m->count, (size_t)n * sizeof *m->count, 0);
    return st;
}

/* And they must be so here. */
static bosc_status load_counts(mover *m, bosc_error *err)
{
    const bosc_state_items *items = m->items;
    bosc_status st = read_counts(m, err);

    if (st != BOSC_OK)
        return st;
    for (int32_t i = m->next;
         st == BOSC_OK && i < items->n && m->parts->cells->gid[i] < m->end;
         ++i) {
        const ptrdiff_t here = items->first[i + 1] - items->first[i];
        const int64_t gid = m->parts->cells->gid[i];

        if (m->count[gid - m->begin] != here)
            st = bosc_fail(err, BOSC_EFORMAT,
                           "the checkpoint has %d of '%s' of neuron %lld, the "
                           "job %td",
                           (int)m->count[gid - m->begin], items->name,
                           (long long)gid, here);
    }
    return bosc_agree(m->parts->comm, st, err);
}

bosc_status bosc_state_items_count(const bosc_checkpoint_parts *parts,
                                   bosc_state_items *items,
                                   bosc_state_file *file, bosc_error *err)
{
    mover m = {.parts = parts, .items = items, .file = file};
    bosc_status st = mover_create(&m, err);

    while (st == BOSC_OK && next_neurons(&m)) {
        const int32_t end = skip_to(&m, m.next, m.end);

        st = read_counts(&m, err);
        for (; st == BOSC_OK && m.next < end; ++m.next)
            items->first[m.next + 1] =
                items->first[m.next] +
                m.count[parts->cells->gid[m.next] - m.begin];
    }
    mover_clear(&m);
    return st;
}

/* One array of n items of the gids from..to - 1. */
static bosc_status load_values(mover *m, int j, const int64_t range[2],
                               int64_t n, bosc_error *err)
{
    const bosc_state_items *items = m->items;
    const bosc_comm *comm = m->parts->comm;
    double *array = bosc_state_items_array(items, j);
    char name[BOSC_STATE_NAME];
    int64_t at = 0, gid = range[0];
    bosc_status st = BOSC_OK;

    if (!bosc_grow(&m->values, &m->capacity, (size_t)n, sizeof *m->values))
        st = bosc_no_memory(err, "a checkpoint");
    if (st == BOSC_OK && m->rank == 0)
        st = bosc_state_read(m->file, bosc_state_items_name(items, j, name),
                             BOSC_STATE_DOUBLE, m->done, n, m->values, err);
    if ((st = bosc_agree(comm, st, err)) != BOSC_OK)
        return st;
    bosc_bcast(comm, m->values, (size_t)n * sizeof *m->values, 0);
    for (int32_t i = skip_to(m, m->next, range[0]);
         i < items->n && m->parts->cells->gid[i] < range[1]; ++i) {
        for (; gid < m->parts->cells->gid[i]; ++gid)
            at += m->count[gid - m->begin];
        for (ptrdiff_t k = 0; k < items->first[i + 1] - items->first[i]; ++k)
            array[bosc_state_items_at(items, i, k)] = m->values[at + k];
    }
    return BOSC_OK;
}

/* --- both ----------------------------------------------------------------- */

/* Save; without variables: load. */
static bosc_status move_items(mover *m,
                              const bosc_state_items_variables *variables,
                              bosc_error *err)
{
    bosc_status st = mover_create(m, err);

    while (st == BOSC_OK && next_neurons(m)) {
        int64_t range[2] = {m->begin, m->begin}, n;

        st = variables != NULL ? save_counts(m, variables->count, err)
                               : load_counts(m, err);
        for (; st == BOSC_OK && range[0] < m->end; range[0] = range[1]) {
            range[1] = fill_message(m, range[0], &n);
            for (int j = 0; j < m->items->n_arrays && st == BOSC_OK; ++j)
                st = variables != NULL
                         ? save_values(m, bosc_state_items_array(m->items, j),
                                       variables->first + j, range, n, err)
                         : load_values(m, j, range, n, err);
            m->done += n;
        }
        m->next = skip_to(m, m->next, m->end);
    }
    mover_clear(m);
    return st;
}

bosc_status bosc_state_items_save(const bosc_checkpoint_parts *parts,
                                  const bosc_state_items *items,
                                  const bosc_state_items_variables *variables,
                                  bosc_state_file *file, bosc_error *err)
{
    return move_items(&(mover){.parts = parts, .items = items, .file = file},
                      variables, err);
}

bosc_status bosc_state_items_load(const bosc_checkpoint_parts *parts,
                                  const bosc_state_items *items,
                                  bosc_state_file *file, bosc_error *err)
{
    return move_items(&(mover){.parts = parts, .items = items, .file = file},
                      NULL, err);
}
