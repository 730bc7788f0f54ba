/* self.c - the communicator of one process alone. */
#include <string.h>

#include "src/comm/comm.h"

static void bcast(const bosc_comm *comm, void *data, size_t bytes, int root)
{
    (void)comm, (void)data, (void)bytes, (void)root;
}

static bosc_comm_request reduce(const bosc_comm *comm, bosc_reduction what,
                                void *values, int n)
{
    (void)comm, (void)what, (void)values, (void)n;
    return (bosc_comm_request){NULL};
}

static bosc_comm_request allgather(const bosc_comm *comm, size_t unit,
                                   const void *mine, void *all,
                                   const int *counts, const int *displaced)
{
    (void)comm;
    if (counts[0] > 0)
        memcpy((char *)all + (size_t)displaced[0] * unit, mine,
               (size_t)counts[0] * unit);
    return (bosc_comm_request){NULL};
}

static void transpose(const bosc_comm *comm, const uint64_t *out, uint64_t *in)
{
    (void)comm;
    in[0] = out[0];
}

static bool exchange(const bosc_comm *comm, const void *send,
                     const size_t *send_offset, void *recv,
                     const size_t *recv_offset)
{
    (void)comm;
    if (send_offset[1] > send_offset[0])
        memcpy((char *)recv + recv_offset[0],
               (const char *)send + send_offset[0],
               send_offset[1] - send_offset[0]);
    return true;
}

static bool test(const bosc_comm *comm, bosc_comm_request *request)
{
    (void)comm, (void)request;
    return true;
}

/* It has no state, so that one is as good as another. */
static bosc_comm *same(const bosc_comm *comm)
{
    return (bosc_comm *)comm;
}

static void destroy(bosc_comm *comm)
{
    (void)comm;
}

static const bosc_comm_ops ops = {
    .bcast = bcast,
    .reduce = reduce,
    .allgather = allgather,
    .transpose = transpose,
    .exchange = exchange,
    .test = test,
    .node = same,
    .copy = same,
    .destroy = destroy,
};

const bosc_comm bosc_comm_self = {
    .ops = &ops,
    .rank = 0,
    .ranks = 1,
    .host = "this machine",
};
