/* comm.h - agree on failures, reduce, gather and exchange among ranks.
 *
 * Every function here is collective over 'comm' unless it says otherwise, and
 * none returns on one rank alone.  A rank that waits yields its core: MPICH
 * polls, and with more ranks than cores each message would otherwise take
 * milliseconds.
 */
#ifndef BOSC_SRC_MPI_COMM_H
#define BOSC_SRC_MPI_COMM_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/status.h"

/* All ranks leave with BOSC_OK, or all with the status and the message of the
 * lowest failing rank.  During set-up a signal that any rank has caught is a
 * failure, too (src/base/signals.h). */
bosc_status bosc_agree(MPI_Comm comm, bosc_status st, bosc_error *err);

/* The same, with the message of the lowest 'item' that has failed: which file
 * of many a message names must not depend on which rank has read it. */
bosc_status bosc_agree_item(MPI_Comm comm, int64_t item, bosc_status st,
                            bosc_error *err);

/* Ranks on the machine of this one, itself included. */
int bosc_neighbours(MPI_Comm comm);

/* Wait for a request without holding the core.  Not collective by itself. */
void bosc_wait(MPI_Request *request);

/* In-place sums and minima of n numbers; every rank gets the result. */
void bosc_min_int64(MPI_Comm comm, int64_t *values, int n);
void bosc_sum_int64(MPI_Comm comm, int64_t *values, int n);

/* Wait until every rank is here. */
void bosc_barrier(MPI_Comm comm);

/* Broadcast 'bytes' bytes from 'root', in pieces that an int can count. */
void bosc_bcast(MPI_Comm comm, void *data, size_t bytes, int root);

/* Gather bytes[rank] bytes of every rank at rank 0, in rank order.  'bytes' is
 * this rank's count.  At rank 0 *all is a new block, and, unless 'offset' is
 * NULL, (*offset)[0..ranks] says where each rank's part starts; elsewhere *all
 * is left alone, and the offsets are 0.  Both are free()d by the caller.  Fails
 * together when a rank has no memory. */
bosc_status bosc_gather(MPI_Comm comm, const void *mine, size_t bytes,
                        void **all, size_t **offset, bosc_error *err);

/* As bosc_gather(), but every rank gets the bytes of all ranks. */
bosc_status bosc_allgather(MPI_Comm comm, const void *mine, size_t bytes,
                           void **all, size_t **offset, bosc_error *err);

/* Send to rank r the bytes send[send_offset[r]..send_offset[r + 1]); receive
 * likewise into a new block *recv with *recv_offset[0..ranks] (both free()). */
bosc_status bosc_exchange(MPI_Comm comm, const void *send,
                          const size_t *send_offset, void **recv,
                          size_t **recv_offset, bosc_error *err);

#endif
