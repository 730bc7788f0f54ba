#include "src/sim/away.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/model/locate.h"

/* A voltage that a rank wants, as it travels. */
typedef struct request {
    int64_t gid;
    bosc_location at; /* its 'where' is only here: */
    char where[200];
} request;

struct bosc_away_exchange {
    const bosc_comm *comm;
    bosc_built_batch *built;
    ptrdiff_t *slot; /* [counts[rank] - 1] of what is sent */
    ptrdiff_t *from; /* [wanted here] where it is in what arrives */
    /* Of each rank first whether it has failed, then voltages. */
    double *sent, *arrived;  /* [counts[rank]], [of all ranks] */
    int *counts, *displaced; /* [ranks] */
    double seconds;
};

/* While it is made. */
typedef struct maker {
    bosc_away_exchange *away;
    const bosc_model *model;
    size_t n, first; /* requests of all ranks; the first of this one */
    request *all;    /* [n] */
    int64_t *mine;   /* [n_mine] numbers of those that this rank answers */
    size_t n_mine;
} maker;

/* Tell all ranks what this one wants. */
static bosc_status ask(maker *m, bosc_error *err)
{
    const bosc_away_exchange *away = m->away;
    const bosc_away *own = &away->built->away;
    const size_t n = (size_t)own->n;
    size_t *offset = NULL;
    void *all = NULL;
    request *requests = bosc_alloc(n, sizeof *requests);
    bosc_status st =
        requests == NULL ? bosc_no_memory(err, "the pointers") : BOSC_OK;

    for (size_t i = 0; st == BOSC_OK && i < n; ++i) {
        requests[i].gid = own->want[i].gid;
        requests[i].at = *own->want[i].at;
        snprintf(requests[i].where, sizeof requests[i].where, "%s",
                 own->want[i].at->where);
    }
    st = bosc_agree(away->comm, st, err);
    if (st == BOSC_OK)
        st = bosc_allgather(away->comm, requests, n * sizeof *requests, &all,
                            &offset, err);
    if (st == BOSC_OK) {
        m->all = all;
        m->n = offset[away->comm->ranks] / sizeof *requests;
        m->first = offset[away->comm->rank] / sizeof *requests;
    }
    free(offset);
    free(requests);
    return st;
}

/* Find those that are of neurons of this rank. */
static bosc_status find_mine(maker *m, bosc_error *err)
{
    bosc_away_exchange *away = m->away;
    const bosc_model *model = m->model;
    bosc_status st = BOSC_ALLOC(err, "the pointers", BOSC_ARRAY(m->mine, m->n),
                                BOSC_ARRAY(away->slot, m->n));

    for (size_t k = 0; k < m->n && st == BOSC_OK; ++k) {
        request *of = &m->all[k];
        const int32_t i = bosc_local_cells_find(model->cells, of->gid);
        bosc_nodes nodes;

        if (i < 0)
            continue;
        of->at.where = of->where;
        st = bosc_locate_nodes(model, &of->at, i, &nodes, err);
        if (st != BOSC_OK)
            return st;
        away->slot[m->n_mine] =
            bosc_slot(&away->built->batch.layout, i, nodes.first);
        m->mine[m->n_mine++] = (int64_t)k;
    }
    return st;
}

/* Tell all ranks who answers what, so that each knows where it arrives.  A
 * message has a number more than a rank's answers. */
static bosc_status match(maker *m, bosc_error *err)
{
    bosc_away_exchange *away = m->away;
    const int ranks = away->comm->ranks;
    const size_t n = (size_t)away->built->away.n;
    size_t *offset = NULL;
    void *all = NULL;
    int at = 0;
    bosc_status st =
        BOSC_ALLOC(err, "the pointers", BOSC_ARRAY(away->counts, (size_t)ranks),
                   BOSC_ARRAY(away->displaced, (size_t)ranks),
                   BOSC_ARRAY(away->sent, m->n_mine + 1),
                   BOSC_ARRAY(away->arrived, m->n + (size_t)ranks),
                   BOSC_ARRAY(away->from, n));

    st = bosc_agree(away->comm, st, err);
    if (st == BOSC_OK)
        st = bosc_allgather(away->comm, m->mine, m->n_mine * sizeof *m->mine,
                            &all, &offset, err);
    for (int r = 0; st == BOSC_OK && r < ranks; ++r) {
        const size_t from = offset[r] / sizeof *m->mine;
        const size_t end = offset[r + 1] / sizeof *m->mine;

        away->counts[r] = 1 + (int)(end - from);
        away->displaced[r] = at;
        for (size_t k = from; k < end; ++k) {
            const size_t number = (size_t)((const int64_t *)all)[k];

            if (number >= m->first && number < m->first + n)
                away->from[number - m->first] = at + 1 + (ptrdiff_t)(k - from);
        }
        at += away->counts[r];
    }
    free(all);
    free(offset);
    return st;
}

bosc_status bosc_away_create(const bosc_comm *comm, const bosc_model *model,
                             bosc_built_batch *built, bosc_away_exchange **out,
                             bosc_error *err)
{
    bosc_away_exchange *away = bosc_alloc(1, sizeof *away);
    maker m = {.away = away, .model = model};
    bosc_status st =
        away == NULL ? bosc_no_memory(err, "the pointers") : BOSC_OK;

    if (away != NULL)
        *away = (bosc_away_exchange){.comm = comm, .built = built};
    st = bosc_agree(comm, st, err);
    if (st == BOSC_OK)
        st = ask(&m, err);
    if (st == BOSC_OK)
        st = bosc_agree(comm, find_mine(&m, err), err);
    if (st == BOSC_OK)
        st = match(&m, err);
    free(m.all);
    free(m.mine);
    if (st == BOSC_OK)
        *out = away;
    else
        bosc_away_destroy(away);
    return st;
}

void bosc_away_destroy(bosc_away_exchange *away)
{
    if (away == NULL)
        return;
    free(away->slot);
    free(away->from);
    free(away->sent);
    free(away->arrived);
    free(away->counts);
    free(away->displaced);
    free(away);
}

bool bosc_away_bring(bosc_away_exchange *away, bool failed)
{
    const double began = bosc_now();
    const bosc_comm *comm = away->comm;
    const bosc_away *own = &away->built->away;
    bool any = false;

    away->sent[0] = failed;
    for (int i = 1; i < away->counts[comm->rank]; ++i)
        away->sent[i] = away->built->batch.v[away->slot[i - 1]];

    bosc_comm_request sending =
        comm->ops->allgather(comm, sizeof *away->sent, away->sent,
                             away->arrived, away->counts, away->displaced);

    bosc_wait(comm, &sending);
    for (int r = 0; r < comm->ranks; ++r)
        any = any || away->arrived[away->displaced[r]] != 0;
    for (ptrdiff_t k = 0; k < own->n; ++k)
        own->v[k] = away->arrived[away->from[k]];
    away->seconds += bosc_now() - began;
    return !any;
}

double bosc_away_seconds(const bosc_away_exchange *away)
{
    return away->seconds;
}
