#include "src/mpi/comm.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/signals.h"

/* MPI counts are int: longer messages go in pieces of this many bytes. */
static const size_t PIECE = (size_t)1 << 30;

void bosc_wait(MPI_Request *request)
{
    int done = 0;

    for (MPI_Test(request, &done, MPI_STATUS_IGNORE); !done;
         MPI_Test(request, &done, MPI_STATUS_IGNORE))
        sched_yield();
}

static void bcast_piece(MPI_Comm comm, void *data, int bytes, int root)
{
    MPI_Request request;

    MPI_Ibcast(data, bytes, MPI_BYTE, root, comm, &request);
    bosc_wait(&request);
}

void bosc_bcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    char *at = data;

    for (; bytes > PIECE; bytes -= PIECE, at += PIECE)
        bcast_piece(comm, at, (int)PIECE, root);
    bcast_piece(comm, at, (int)bytes, root);
}

void bosc_min_int64(MPI_Comm comm, int64_t *values, int n)
{
    MPI_Request request;

    MPI_Iallreduce(MPI_IN_PLACE, values, n, MPI_INT64_T, MPI_MIN, comm,
                   &request);
    bosc_wait(&request);
}

void bosc_sum_int64(MPI_Comm comm, int64_t *values, int n)
{
    MPI_Request request;

    MPI_Iallreduce(MPI_IN_PLACE, values, n, MPI_INT64_T, MPI_SUM, comm,
                   &request);
    bosc_wait(&request);
}

void bosc_barrier(MPI_Comm comm)
{
    MPI_Request request;

    MPI_Ibarrier(comm, &request);
    bosc_wait(&request);
}

bosc_status bosc_agree_item(MPI_Comm comm, int64_t item, bosc_status st,
                            bosc_error *err)
{
    int rank;
    int64_t first[2] = {INT64_MAX, INT64_MAX}; /* item, its rank */
    MPI_Request request;
    struct {
        int status;
        bosc_error err;
    } verdict;

    MPI_Comm_rank(comm, &rank);
    if (st == BOSC_OK && (st = bosc_signals_in_setup(err)) != BOSC_OK)
        item = INT64_MAX - 1; /* a failure comes before a signal */
    if (st != BOSC_OK)
        first[0] = item;
    MPI_Iallreduce(MPI_IN_PLACE, &first[0], 1, MPI_INT64_T, MPI_MIN, comm,
                   &request);
    bosc_wait(&request);
    if (first[0] == INT64_MAX)
        return BOSC_OK;
    if (st != BOSC_OK && item == first[0])
        first[1] = rank;
    MPI_Iallreduce(MPI_IN_PLACE, &first[1], 1, MPI_INT64_T, MPI_MIN, comm,
                   &request);
    bosc_wait(&request);
    memset(&verdict, 0, sizeof verdict);
    verdict.status = (int)st;
    if (err != NULL)
        verdict.err = *err;
    bosc_bcast(comm, &verdict, sizeof verdict, (int)first[1]);
    if (err != NULL)
        *err = verdict.err;
    return (bosc_status)verdict.status;
}

bosc_status bosc_agree(MPI_Comm comm, bosc_status st, bosc_error *err)
{
    int rank;

    MPI_Comm_rank(comm, &rank);
    return bosc_agree_item(comm, rank, st, err);
}

int bosc_neighbours(MPI_Comm comm)
{
    MPI_Comm machine;
    int n;

    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &n);
    MPI_Comm_free(&machine);
    return n;
}

/* Messages in flight. */
struct traffic {
    MPI_Comm comm;
    MPI_Request *request;
    int n;
};

static void send_to(struct traffic *t, int rank, const char *at, size_t bytes)
{
    for (size_t now; bytes > 0; at += now, bytes -= now) {
        now = bytes < PIECE ? bytes : PIECE;
        MPI_Isend(at, (int)now, MPI_BYTE, rank, 0, t->comm,
                  &t->request[t->n++]);
    }
}

static void receive_from(struct traffic *t, int rank, char *at, size_t bytes)
{
    for (size_t now; bytes > 0; at += now, bytes -= now) {
        now = bytes < PIECE ? bytes : PIECE;
        MPI_Irecv(at, (int)now, MPI_BYTE, rank, 0, t->comm,
                  &t->request[t->n++]);
    }
}

static size_t pieces(size_t bytes)
{
    return (bytes + PIECE - 1) / PIECE;
}

bosc_status bosc_exchange(MPI_Comm comm, const void *send,
                          const size_t *send_offset, void **recv,
                          size_t **recv_offset, bosc_error *err)
{
    int ranks;
    size_t requests = 0;
    MPI_Request sizes;
    struct traffic traffic = {.comm = comm};
    bosc_status st = BOSC_OK;

    MPI_Comm_size(comm, &ranks);
    uint64_t *out = bosc_alloc((size_t)ranks, sizeof *out);
    uint64_t *in = bosc_alloc((size_t)ranks, sizeof *in);
    size_t *offset = bosc_alloc((size_t)ranks + 1, sizeof *offset);
    char *block = NULL;

    if (out == NULL || in == NULL || offset == NULL)
        st = bosc_fail(err, BOSC_ENOMEM, "out of memory for %d ranks", ranks);
    if ((st = bosc_agree(comm, st, err)) != BOSC_OK)
        goto done;
    for (int r = 0; r < ranks; ++r)
        out[r] = send_offset[r + 1] - send_offset[r];
    MPI_Ialltoall(out, 1, MPI_UINT64_T, in, 1, MPI_UINT64_T, comm, &sizes);
    bosc_wait(&sizes);
    for (int r = 0; r < ranks; ++r) {
        offset[r + 1] = offset[r] + in[r];
        requests += pieces(in[r]) + pieces(out[r]);
    }
    block = malloc(offset[ranks] > 0 ? offset[ranks] : 1);
    traffic.request = bosc_alloc(requests, sizeof *traffic.request);
    if (block == NULL || traffic.request == NULL)
        st = bosc_fail(err, BOSC_ENOMEM,
                       "out of memory for %zu bytes from other ranks",
                       offset[ranks]);
    if ((st = bosc_agree(comm, st, err)) != BOSC_OK)
        goto done;
    for (int r = 0; r < ranks; ++r)
        receive_from(&traffic, r, block + offset[r], in[r]);
    for (int r = 0; r < ranks; ++r)
        send_to(&traffic, r, (const char *)send + send_offset[r], out[r]);
    for (int i = 0; i < traffic.n; ++i)
        bosc_wait(&traffic.request[i]);
    *recv = block;
    *recv_offset = offset;
    block = NULL;
    offset = NULL;
done:
    free(out);
    free(in);
    free(offset);
    free(block);
    free(traffic.request);
    return st;
}

bosc_status bosc_gather(MPI_Comm comm, const void *mine, size_t bytes,
                        void **all, size_t **offset, bosc_error *err)
{
    int rank, ranks;
    void *block = NULL;
    size_t *from = NULL;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);

    size_t *to = bosc_alloc((size_t)ranks + 1, sizeof *to);
    bosc_status st = BOSC_OK;

    if (to == NULL)
        st = bosc_fail(err, BOSC_ENOMEM, "out of memory for %d ranks", ranks);
    st = bosc_agree(comm, st, err);
    for (int r = 1; st == BOSC_OK && r <= ranks; ++r)
        to[r] = bytes; /* all of it to rank 0 */
    if (st == BOSC_OK)
        st = bosc_exchange(comm, mine, to, &block, &from, err);
    if (st == BOSC_OK && rank == 0) {
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

bosc_status bosc_allgather(MPI_Comm comm, const void *mine, size_t bytes,
                           void **all, size_t **offset, bosc_error *err)
{
    int rank, ranks;
    void *block = NULL;
    size_t *from = NULL;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);

    bosc_status st = bosc_gather(comm, mine, bytes, &block, &from, err);

    if (st != BOSC_OK)
        return st;
    bosc_bcast(comm, from, ((size_t)ranks + 1) * sizeof *from, 0);
    if (rank != 0 && (block = malloc(from[ranks] + 1)) == NULL)
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
