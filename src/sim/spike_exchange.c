#include "src/sim/spike_exchange.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/comm/comm.h"

/* What every rank sends first. */
typedef struct header {
    int n, failed; /* spikes; 0 or 1 */
} header;

struct bosc_spike_exchange {
    bosc_comm *comm;
    int ranks;
    enum { IDLE, COUNTING, MAKING_ROOM, SENDING, OVER } phase;
    bosc_comm_request request;
    header mine, *all;       /* all [ranks] */
    int *counts, *displaced; /* [ranks] */
    int64_t failed;          /* any rank */
    bool no_memory;          /* this rank, for the exchange */
    const bosc_spike *sent;  /* [mine.n] the caller's */
    size_t n, capacity;
    bosc_spike *got; /* [n] of all ranks */
};

bosc_status bosc_spike_exchange_create(const bosc_comm *comm,
                                       bosc_spike_exchange **out,
                                       bosc_error *err)
{
    bosc_spike_exchange *x = bosc_alloc(1, sizeof *x);
    bosc_status st = BOSC_OK;
    int ranks;

    ranks = comm->ranks;
    if (x != NULL) {
        x->ranks = ranks;
        x->all = bosc_alloc((size_t)ranks, sizeof *x->all);
        x->counts = bosc_alloc((size_t)ranks, sizeof *x->counts);
        x->displaced = bosc_alloc((size_t)ranks, sizeof *x->displaced);
    }
    if (x == NULL || x->all == NULL || x->counts == NULL ||
        x->displaced == NULL)
        st = bosc_no_memory(err, "the exchange of spikes");
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = bosc_comm_copy(comm, &x->comm, err);
    if (st != BOSC_OK) {
        bosc_spike_exchange_destroy(x);
        return st;
    }
    *out = x;
    return BOSC_OK;
}

double bosc_spike_exchange_bytes(double ranks)
{
    const bosc_spike_exchange x = {0};

    return ranks * (sizeof *x.all + sizeof *x.counts + sizeof *x.displaced);
}

void bosc_spike_exchange_destroy(bosc_spike_exchange *x)
{
    if (x == NULL)
        return;
    bosc_comm_destroy(x->comm);
    free(x->all);
    free(x->counts);
    free(x->displaced);
    free(x->got);
    free(x);
}

void bosc_spike_exchange_start(bosc_spike_exchange *x, size_t n,
                               const bosc_spike *spikes, bool failed)
{
    x->sent = spikes;
    x->mine = (header){failed ? 0 : (int)n, failed};
    x->no_memory = false;
    x->n = 0;
    x->phase = COUNTING;
    for (int r = 0; r < x->ranks; ++r) {
        x->counts[r] = 1;
        x->displaced[r] = r;
    }
    x->request = x->comm->ops->allgather(x->comm, sizeof x->mine, &x->mine,
                                         x->all, x->counts, x->displaced);
}

/* All counts are known: true where all ranks have the room for all spikes.
 * Where these need more than before, which is so on all ranks or none, the
 * ranks are to agree whether each has got it. */
static bool add_counts(bosc_spike_exchange *x)
{
    x->failed = 0;
    for (int r = 0; r < x->ranks; ++r) {
        x->failed = x->failed || x->all[r].failed;
        x->counts[r] = x->all[r].n;
        x->displaced[r] = (int)x->n;
        x->n += (size_t)x->all[r].n;
    }
    if (x->failed || x->n <= x->capacity)
        return true;
    x->no_memory = !bosc_grow(&x->got, &x->capacity, x->n, sizeof *x->got);
    x->failed = x->no_memory;
    x->request = x->comm->ops->reduce(x->comm, BOSC_SUM_INT64, &x->failed, 1);
    return false;
}

bool bosc_spike_exchange_poll(bosc_spike_exchange *x)
{
    while (x->phase != IDLE && x->phase != OVER) {
        if (!x->comm->ops->test(x->comm, &x->request))
            return false;
        if (x->phase == COUNTING && !add_counts(x)) {
            x->phase = MAKING_ROOM;
        } else if (x->phase != SENDING && !x->failed && x->n > 0) {
            x->phase = SENDING;
            x->request =
                x->comm->ops->allgather(x->comm, sizeof *x->sent, x->sent,
                                        x->got, x->counts, x->displaced);
        } else {
            x->phase = OVER;
        }
    }
    return true;
}

void bosc_spike_exchange_finish(bosc_spike_exchange *x)
{
    while (!bosc_spike_exchange_poll(x))
        sched_yield();
}

bool bosc_spike_exchange_failed(const bosc_spike_exchange *x)
{
    return x->failed != 0;
}

bosc_status bosc_spike_exchange_take(const bosc_spike_exchange *x,
                                     const bosc_spike **spikes, size_t *n,
                                     bosc_error *err)
{
    *n = x->failed ? 0 : x->n;
    *spikes = x->got;
    return x->no_memory ? bosc_no_memory(err, "the exchange of spikes")
                        : BOSC_OK;
}
