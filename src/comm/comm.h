/* comm.h - the ranks that simulate together: agree on failures, reduce, gather
 * and exchange.
 *
 * No MPI: a communicator is a table of functions, which src/mpi/mpi_comm.h
 * fills in for MPI; of one process alone it is bosc_comm_self.
 *
 * Every function here is collective over 'comm' unless it says otherwise, and
 * none returns on one rank alone.  A rank that waits yields its core: MPICH
 * polls, and with more ranks than cores each message would otherwise take
 * milliseconds.
 */
#ifndef BOSC_SRC_COMM_COMM_H
#define BOSC_SRC_COMM_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/status.h"

/* A message on its way. */
typedef struct bosc_comm_request {
    void *handle; /* the communicator's own: 'test' alone can tell */
} bosc_comm_request;

/* What a reduction makes of the numbers of all ranks. */
typedef enum bosc_reduction {
    BOSC_MIN_INT64,
    BOSC_SUM_INT64,
    BOSC_OR_UINT64,
    BOSC_MAX_DOUBLE
} bosc_reduction;

/* Collective all of them but 'test'; those that return a request return at
 * once, and the caller leaves their arrays alone until 'test' is true. */
typedef struct bosc_comm_ops {
    void (*bcast)(const bosc_comm *comm, void *data, size_t bytes, int root);
    /* In place, of n numbers. */
    bosc_comm_request (*reduce)(const bosc_comm *comm, bosc_reduction what,
                                void *values, int n);
    /* From rank r counts[r] elements of 'unit' bytes to displaced[r] elements
     * into 'all'; counts[rank] from here. */
    bosc_comm_request (*allgather)(const bosc_comm *comm, size_t unit,
                                   const void *mine, void *all,
                                   const int *counts, const int *displaced);
    /* in[r] is rank r's out[rank]; both [ranks]. */
    void (*transpose)(const bosc_comm *comm, const uint64_t *out, uint64_t *in);
    /* Bytes send[send_offset[r]..send_offset[r + 1]) to rank r, and likewise
     * from it.  False: without memory here, and others do not wait. */
    bool (*exchange)(const bosc_comm *comm, const void *send,
                     const size_t *send_offset, void *recv,
                     const size_t *recv_offset);
    /* Move on without waiting; true when it is over.  Not collective. */
    bool (*test)(const bosc_comm *comm, bosc_comm_request *request);
    /* A new communicator of the ranks on this machine, or of the same ranks
     * for messages of their own; NULL without memory. */
    bosc_comm *(*node)(const bosc_comm *comm);
    bosc_comm *(*copy)(const bosc_comm *comm);
    void (*destroy)(bosc_comm *comm);
} bosc_comm_ops;

/* What an implementation's own communicator begins with. */
struct bosc_comm {
    const bosc_comm_ops *ops;
    int rank, ranks;
    const char *host; /* the name of this machine */
};

/* One process alone. */
extern const bosc_comm bosc_comm_self;

/* Free one that 'node' or 'copy' has made; NULL is allowed. */
void bosc_comm_destroy(bosc_comm *comm);

/* All ranks leave with BOSC_OK, or all with the status and the message of the
 * lowest failing rank.  During set-up a signal that any rank has caught is a
 * failure, too (src/base/signals.h). */
bosc_status bosc_agree(const bosc_comm *comm, bosc_status st, bosc_error *err);

/* The same, with the message of the lowest 'item' that has failed: which file
 * of many a message names must not depend on which rank has read it. */
bosc_status bosc_agree_item(const bosc_comm *comm, int64_t item, bosc_status st,
                            bosc_error *err);

/* Make a communicator of 'node' or 'copy', and agree that all have one. */
bosc_status bosc_comm_node(const bosc_comm *comm, bosc_comm **out,
                           bosc_error *err);
bosc_status bosc_comm_copy(const bosc_comm *comm, bosc_comm **out,
                           bosc_error *err);

/* Wait for a request without holding the core.  Not collective by itself. */
void bosc_wait(const bosc_comm *comm, bosc_comm_request *request);

/* In-place reductions of n numbers; every rank gets the result. */
void bosc_reduce(const bosc_comm *comm, bosc_reduction what, void *values,
                 int n);
void bosc_min_int64(const bosc_comm *comm, int64_t *values, int n);
void bosc_sum_int64(const bosc_comm *comm, int64_t *values, int n);

/* Wait until every rank is here. */
void bosc_barrier(const bosc_comm *comm);

/* Broadcast 'bytes' bytes from 'root'. */
void bosc_bcast(const bosc_comm *comm, void *data, size_t bytes, int root);

/* Gather bytes[rank] bytes of every rank at rank 0, in rank order.  'bytes' is
 * this rank's count.  At rank 0 *all is a new block, and, unless 'offset' is
 * NULL, (*offset)[0..ranks] says where each rank's part starts; elsewhere *all
 * is left alone, and the offsets are 0.  Both are free()d by the caller.  Fails
 * together when a rank has no memory. */
bosc_status bosc_gather(const bosc_comm *comm, const void *mine, size_t bytes,
                        void **all, size_t **offset, bosc_error *err);

/* As bosc_gather(), but every rank gets the bytes of all ranks. */
bosc_status bosc_allgather(const bosc_comm *comm, const void *mine,
                           size_t bytes, void **all, size_t **offset,
                           bosc_error *err);

/* Send to rank r the bytes send[send_offset[r]..send_offset[r + 1]); receive
 * likewise into a new block *recv with *recv_offset[0..ranks] (both free()). */
bosc_status bosc_exchange(const bosc_comm *comm, const void *send,
                          const size_t *send_offset, void **recv,
                          size_t **recv_offset, bosc_error *err);

#endif
