/* mpi_comm.h - the ranks of an MPI communicator as src/comm/comm.h has them. */
#ifndef BOSC_SRC_MPI_MPI_COMM_H
#define BOSC_SRC_MPI_MPI_COMM_H

#include <mpi.h>

#include "src/comm/comm.h"

/* A communicator of the ranks of 'mpi', which must outlive it unless it is
 * 'owned'; freed by bosc_comm_destroy().  NULL without memory: one that would
 * be owned is freed then.  MPI is initialised, and calls come from one thread.
 * Not collective. */
bosc_comm *bosc_mpi_comm(MPI_Comm mpi, bool owned);

/* MPI_COMM_WORLD, or this process alone where MPI is not initialised; not to be
 * freed. */
const bosc_comm *bosc_mpi_world(void);

/* The first n ranks of 'comm' as a communicator of their own, to be freed; NULL
 * on the others.  False: without memory here.  Collective over 'comm'. */
bool bosc_mpi_first(const bosc_comm *comm, int n, bosc_comm **out);

/* The MPI communicator of one that bosc_mpi_comm() has made; MPI_COMM_NULL of a
 * process alone. */
MPI_Comm bosc_mpi_of(const bosc_comm *comm);

/* Wait for a request without holding the core. */
void bosc_mpi_wait(MPI_Request *request);

#endif
