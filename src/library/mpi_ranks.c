/* mpi_ranks.c - libbosc-mpi, all of it. */
#include "include/bosc_mpi.h"

#include "src/mpi/mpi_comm.h"

bosc_comm *bosc_mpi_ranks(MPI_Comm comm)
{
    MPI_Comm own;

    MPI_Comm_dup(comm, &own);
    return bosc_mpi_comm(own, true);
}

void bosc_mpi_free(bosc_comm *ranks)
{
    bosc_comm_destroy(ranks);
}
