/* bosc_mpi.h - a simulation on several ranks of MPI: libbosc-mpi.
 *
 * The caller has initialised MPI, and finalises it after bosc_mpi_free().
 *
 *     bosc_comm *ranks = bosc_mpi_ranks(MPI_COMM_WORLD);
 *
 *     bosc_set_ranks(sim, ranks);
 *     ...
 *     bosc_close(sim);
 *     bosc_mpi_free(ranks);
 *
 *     mpicc client.c $(pkg-config --cflags --libs bosc) -lbosc-mpi
 */
#ifndef BOSC_INCLUDE_BOSC_MPI_H
#define BOSC_INCLUDE_BOSC_MPI_H

#include <bosc.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The ranks of a communicator, of which messages use a duplicate; NULL without
 * memory.  Collective. */
bosc_comm *bosc_mpi_ranks(MPI_Comm comm);

/* NULL is allowed.  Collective. */
void bosc_mpi_free(bosc_comm *ranks);

#ifdef __cplusplus
}
#endif

#endif
