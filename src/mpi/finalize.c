#include "src/mpi/finalize.h"

#include <unistd.h>

#include "src/mpi/mpi_comm.h"

static bool has_begun(void)
{
    int begun, ended;

    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    return begun && !ended;
}

bool bosc_leave_first(void)
{
    int rank = -1;

    if (has_begun())
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

void bosc_finalize(unsigned seconds)
{
    if (!has_begun())
        return;
    bosc_barrier(bosc_mpi_world());
    alarm(seconds);
    MPI_Finalize();
    alarm(0);
}
