/* mpi_comm.c - messages over MPI. */
#include "src/mpi/mpi_comm.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* MPI counts are int: longer messages go in pieces of this many bytes. */
static const size_t PIECE = (size_t)1 << 30;

typedef struct mpi_comm {
    bosc_comm base; /* first */
    MPI_Comm mpi;
    bool owned; /* to be freed with it */
    char host[MPI_MAX_PROCESSOR_NAME];
} mpi_comm;

_Static_assert(sizeof(MPI_Request) <= sizeof(void *),
               "a request of MPI fits in one of bosc");

static MPI_Request take(const bosc_comm_request *request)
{
    MPI_Request mpi;

    memcpy(&mpi, &request->handle, sizeof mpi);
    return mpi;
}

static bosc_comm_request give(MPI_Request mpi)
{
    bosc_comm_request request = {NULL};

    memcpy(&request.handle, &mpi, sizeof mpi);
    return request;
}

static bool test(const bosc_comm *comm, bosc_comm_request *request)
{
    MPI_Request mpi = take(request);
    int done = 0;

    (void)comm;
    MPI_Test(&mpi, &done, MPI_STATUS_IGNORE);
    *request = give(mpi);
    return done;
}

void bosc_mpi_wait(MPI_Request *request)
{
    int done = 0;

    for (MPI_Test(request, &done, MPI_STATUS_IGNORE); !done;
         MPI_Test(request, &done, MPI_STATUS_IGNORE))
        sched_yield();
}

static void bcast(const bosc_comm *comm, void *data, size_t bytes, int root)
{
    MPI_Request request;

    for (char *at = data;; at += PIECE, bytes -= PIECE) {
        const size_t now = bytes < PIECE ? bytes : PIECE;

        MPI_Ibcast(at, (int)now, MPI_BYTE, root, bosc_mpi_of(comm), &request);
        bosc_mpi_wait(&request);
        if (now == bytes)
            return;
    }
}

static bosc_comm_request reduce(const bosc_comm *comm, bosc_reduction what,
                                void *values, int n)
{
    const MPI_Datatype type[] = {MPI_INT64_T, MPI_INT64_T, MPI_UINT64_T,
                                 MPI_DOUBLE};
    const MPI_Op op[] = {MPI_MIN, MPI_SUM, MPI_BOR, MPI_MAX};
    MPI_Request mpi;

    MPI_Iallreduce(MPI_IN_PLACE, values, n, type[what], op[what],
                   bosc_mpi_of(comm), &mpi);
    return give(mpi);
}

static bosc_comm_request allgather(const bosc_comm *comm, size_t unit,
                                   const void *mine, void *all,
                                   const int *counts, const int *displaced)
{
    MPI_Datatype type;
    MPI_Request mpi;

    MPI_Type_contiguous((int)unit, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Iallgatherv(mine, counts[comm->rank], type, all, counts, displaced,
                    type, bosc_mpi_of(comm), &mpi);
    MPI_Type_free(&type); /* once the message has arrived */
    return give(mpi);
}

static void transpose(const bosc_comm *comm, const uint64_t *out, uint64_t *in)
{
    MPI_Request request;

    MPI_Ialltoall(out, 1, MPI_UINT64_T, in, 1, MPI_UINT64_T, bosc_mpi_of(comm),
                  &request);
    bosc_mpi_wait(&request);
}

/* Messages in flight. */
typedef struct traffic {
    MPI_Comm comm;
    MPI_Request *request;
    int n;
} traffic;

static void send_to(traffic *t, int rank, const char *at, size_t bytes)
{
    for (size_t now; bytes > 0; at += now, bytes -= now) {
        now = bytes < PIECE ? bytes : PIECE;
        MPI_Isend(at, (int)now, MPI_BYTE, rank, 0, t->comm,
                  &t->request[t->n++]);
    }
}

static void receive_from(traffic *t, int rank, char *at, size_t bytes)
{
    for (size_t now; bytes > 0; at += now, bytes -= now) {
        now = bytes < PIECE ? bytes : PIECE;
        MPI_Irecv(at, (int)now, MPI_BYTE, rank, 0, t->comm,
                  &t->request[t->n++]);
    }
}

static size_t pieces(const size_t *offset, int rank)
{
    return (offset[rank + 1] - offset[rank] + PIECE - 1) / PIECE;
}

static bool exchange(const bosc_comm *comm, const void *send,
                     const size_t *send_offset, void *recv,
                     const size_t *recv_offset)
{
    traffic t = {.comm = bosc_mpi_of(comm)};
    int64_t failed;
    size_t n = 0;

    for (int r = 0; r < comm->ranks; ++r)
        n += pieces(send_offset, r) + pieces(recv_offset, r);
    t.request = bosc_alloc(n, sizeof *t.request);
    failed = t.request == NULL;
    bosc_sum_int64(comm, &failed, 1);
    for (int r = 0; failed == 0 && r < comm->ranks; ++r)
        receive_from(&t, r, (char *)recv + recv_offset[r],
                     recv_offset[r + 1] - recv_offset[r]);
    for (int r = 0; failed == 0 && r < comm->ranks; ++r)
        send_to(&t, r, (const char *)send + send_offset[r],
                send_offset[r + 1] - send_offset[r]);
    for (int i = 0; i < t.n; ++i)
        bosc_mpi_wait(&t.request[i]);

    const bool whole = t.request != NULL;

    free(t.request);
    return whole;
}

static bosc_comm *node(const bosc_comm *comm)
{
    MPI_Comm mpi;

    MPI_Comm_split_type(bosc_mpi_of(comm), MPI_COMM_TYPE_SHARED, 0,
                        MPI_INFO_NULL, &mpi);
    return bosc_mpi_comm(mpi, true);
}

static bosc_comm *copy(const bosc_comm *comm)
{
    MPI_Comm mpi;

    MPI_Comm_dup(bosc_mpi_of(comm), &mpi);
    return bosc_mpi_comm(mpi, true);
}

static void destroy(bosc_comm *comm)
{
    mpi_comm *c = (mpi_comm *)comm;

    if (c->owned)
        MPI_Comm_free(&c->mpi);
    free(c);
}

static const bosc_comm_ops ops = {
    .bcast = bcast,
    .reduce = reduce,
    .allgather = allgather,
    .transpose = transpose,
    .exchange = exchange,
    .test = test,
    .node = node,
    .copy = copy,
    .destroy = destroy,
};

static void describe(mpi_comm *c, MPI_Comm mpi, bool owned)
{
    int length;

    c->base.ops = &ops;
    c->base.host = c->host;
    c->mpi = mpi;
    c->owned = owned;
    MPI_Comm_rank(mpi, &c->base.rank);
    MPI_Comm_size(mpi, &c->base.ranks);
    MPI_Get_processor_name(c->host, &length);
}

bosc_comm *bosc_mpi_comm(MPI_Comm mpi, bool owned)
{
    mpi_comm *c = bosc_alloc(1, sizeof *c);

    if (c != NULL)
        describe(c, mpi, owned);
    else if (owned)
        MPI_Comm_free(&mpi);
    return c != NULL ? &c->base : NULL;
}

const bosc_comm *bosc_mpi_world(void)
{
    static mpi_comm world;
    int begun;

    MPI_Initialized(&begun);
    if (!begun)
        return &bosc_comm_self;
    if (world.base.ops == NULL)
        describe(&world, MPI_COMM_WORLD, false);
    return &world.base;
}

bool bosc_mpi_first(const bosc_comm *comm, int n, bosc_comm **out)
{
    const bool mine = comm->rank < n;
    MPI_Comm mpi;

    MPI_Comm_split(bosc_mpi_of(comm), mine ? 0 : MPI_UNDEFINED, comm->rank,
                   &mpi);
    *out = mine ? bosc_mpi_comm(mpi, true) : NULL;
    return !mine || *out != NULL;
}

MPI_Comm bosc_mpi_of(const bosc_comm *comm)
{
    return comm->ops == &ops ? ((const mpi_comm *)comm)->mpi : MPI_COMM_NULL;
}
