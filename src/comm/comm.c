#include "src/comm/comm.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/signals.h"

void bosc_comm_destroy(bosc_comm *comm)
{
    if (comm != NULL)
        comm->ops->destroy(comm);
}

void bosc_wait(const bosc_comm *comm, bosc_comm_request *request)
{
    while (!comm->ops->test(comm, request))
        sched_yield();
}

void bosc_bcast(const bosc_comm *comm, void *data, size_t bytes, int root)
{
    comm->ops->bcast(comm, data, bytes, root);
}

void bosc_reduce(const bosc_comm *comm, bosc_reduction what, void *values,
                 int n)
{
    bosc_comm_request request = comm->ops->reduce(comm, what, values, n);

    bosc_wait(comm, &request);
}

void bosc_min_int64(const bosc_comm *comm, int64_t *values, int n)
{
    bosc_reduce(comm, BOSC_MIN_INT64, values, n);
}

void bosc_sum_int64(const bosc_comm *comm, int64_t *values, int n)
{
    bosc_reduce(comm, BOSC_SUM_INT64, values, n);
}

void bosc_barrier(const bosc_comm *comm)
{
    int64_t nothing = 0;

    bosc_sum_int64(comm, &nothing, 1);
}

bosc_status bosc_agree_item(const bosc_comm *comm, int64_t item, bosc_status st,
                            bosc_error *err)
{
    int64_t first[2] = {INT64_MAX, INT64_MAX}; /* item, its rank */
    struct {
        int status;
        bosc_error err;
    } verdict;

    if (st == BOSC_OK && (st = bosc_signals_in_setup(err)) != BOSC_OK)
        item = INT64_MAX - 1; /* a failure comes before a signal */
    if (st != BOSC_OK)
        first[0] = item;
    bosc_min_int64(comm, &first[0], 1);
    if (first[0] == INT64_MAX)
        return BOSC_OK;
    if (st != BOSC_OK && item == first[0])
        first[1] = comm->rank;
    bosc_min_int64(comm, &first[1], 1);
    memset(&verdict, 0, sizeof verdict);
    verdict.status = (int)st;
    if (err != NULL)
        verdict.err = *err;
    bosc_bcast(comm, &verdict, sizeof verdict, (int)first[1]);
    if (err != NULL)
        *err = verdict.err;
    return (bosc_status)verdict.status;
}

bosc_status bosc_agree(const bosc_comm *comm, bosc_status st, bosc_error *err)
{
    return bosc_agree_item(comm, comm->rank, st, err);
}

static bosc_status agree_on_comm(const bosc_comm *comm, bosc_comm *made,
                                 bosc_comm **out, bosc_error *err)
{
    const bosc_status st = bosc_agree(
        comm, made != NULL ? BOSC_OK : bosc_no_memory(err, "a communicator"),
        err);

    if (st == BOSC_OK)
        *out = made;
    else
        bosc_comm_destroy(made);
    return st;
}

bosc_status bosc_comm_node(const bosc_comm *comm, bosc_comm **out,
                           bosc_error *err)
{
    return agree_on_comm(comm, comm->ops->node(comm), out, err);
}

bosc_status bosc_comm_copy(const bosc_comm *comm, bosc_comm **out,
                           bosc_error *err)
{
    return agree_on_comm(comm, comm->ops->copy(comm), out, err);
}

bosc_status bosc_exchange(const bosc_comm *comm, const void *send,
                          const size_t *send_offset, void **recv,
                          size_t **recv_offset, bosc_error *err)
{
    const int ranks = comm->ranks;
    uint64_t *out = bosc_alloc((size_t)ranks, sizeof *out);
    uint64_t *in = bosc_alloc((size_t)ranks, sizeof *in);
    size_t *offset = bosc_alloc((size_t)ranks + 1, sizeof *offset);
    char *block = NULL;
    bosc_status st = BOSC_OK;

    if (out == NULL || in == NULL || offset == NULL)
        st = bosc_fail(err, BOSC_ENOMEM, "out of memory for %d ranks", ranks);
    if ((st = bosc_agree(comm, st, err)) != BOSC_OK)
        goto done;
    for (int r = 0; r < ranks; ++r)
        out[r] = send_offset[r + 1] - send_offset[r];
    comm->ops->transpose(comm, out, in);
    for (int r = 0; r < ranks; ++r)
        offset[r + 1] = offset[r] + in[r];
    if ((block = malloc(offset[ranks] > 0 ? offset[ranks] : 1)) == NULL)
        st = bosc_fail(err, BOSC_ENOMEM,
                       "out of memory for %zu bytes from other ranks",
                       offset[ranks]);
    if ((st = bosc_agree(comm, st, err)) != BOSC_OK)
        goto done;
    if (!comm->ops->exchange(comm, send, send_offset, block, offset))
        st = bosc_no_memory(err, "messages between ranks");
    if ((st = bosc_agree(comm, st, err)) != BOSC_OK)
        goto done;
    *recv = block;
    *recv_offset = offset;
    block = NULL;
    offset = NULL;
done:
    free(out);
    free(in);
    free(offset);
    free(block);
    return st;
}

bosc_status bosc_gather(const bosc_comm *comm, const void *mine, size_t bytes,
                        void **all, size_t **offset, bosc_error *err)
{
    const int ranks = comm->ranks;
    void *block = NULL;
    size_t *from = NULL;
    size_t *to = bosc_alloc((size_t)ranks + 1, sizeof *to);
    bosc_status st = BOSC_OK;

    if (to == NULL)
        st = bosc_fail(err, BOSC_ENOMEM, "out of memory for %d ranks", ranks);
    st = bosc_agree(comm, st, err);
    for (int r = 1; st == BOSC_OK && r <= ranks; ++r)
        to[r] = bytes; /* all of it to rank 0 */
    if (st == BOSC_OK)
        st = bosc_exchange(comm, mine, to, &block, &from, err);
    if (st == BOSC_OK && comm->rank == 0) {
        *all = block;
        block = NULL;
    }
    if (st == BOSC_OK && offset != NULL) {
        *offset = from;
        from = NULL;
    }
    free(block);
    free(from);
    free(to);
    return st;
}

bosc_status bosc_allgather(const bosc_comm *comm, const void *mine,
                           size_t bytes, void **all, size_t **offset,
                           bosc_error *err)
{
    const int ranks = comm->ranks;
    void *block = NULL;
    size_t *from = NULL;
    bosc_status st = bosc_gather(comm, mine, bytes, &block, &from, err);

    if (st != BOSC_OK)
        return st;
    bosc_bcast(comm, from, ((size_t)ranks + 1) * sizeof *from, 0);
    if (comm->rank != 0 && (block = malloc(from[ranks] + 1)) == NULL)
        st = bosc_fail(err, BOSC_ENOMEM,
                       "out of memory for %zu bytes from other ranks",
                       from[ranks]);
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK) {
        bosc_bcast(comm, block, from[ranks], 0);
        *all = block;
        block = NULL;
        if (offset != NULL) {
            *offset = from;
            from = NULL;
        }
    }
    free(block);
    free(from);
    return st;
}
