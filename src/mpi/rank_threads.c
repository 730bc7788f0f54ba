/* rank_threads.c - the threads of each rank. */
#include "src/mpi/rank_threads.h"

#include <omp.h>
#include <stdlib.h>

#include "src/mpi/comm.h"
#include "src/mpi/cpuset.h"

/* The number of processors that this rank may run on, divided by the number of
 * ranks that may run on some of them.  A launcher that binds ranks gives each
 * rank processors of its own; otherwise the ranks of a machine share all. */
static int share(MPI_Comm comm)
{
    const bosc_cpuset mine = bosc_cpuset_mine();
    MPI_Comm machine;
    int neighbours, sharing = 0;

    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &neighbours);
    for (int r = 0; r < neighbours; ++r) {
        bosc_cpuset theirs = mine;

        bosc_bcast(machine, &theirs, sizeof theirs, r);
        sharing += bosc_cpuset_overlap(&mine, &theirs); /* also with itself */
    }
    MPI_Comm_free(&machine);

    const int threads = bosc_cpuset_count(&mine) / (sharing > 0 ? sharing : 1);

    return threads > 0 ? threads : 1;
}

bosc_status bosc_rank_threads(MPI_Comm comm, int said, int *threads,
                              bosc_error *err)
{
    const int shared = share(comm);
    int asked = 0;
    bosc_status st = BOSC_OK;

    if (said == 0)
        st = bosc_threads_asked(getenv("OMP_NUM_THREADS"), &asked, err);
    if ((st = bosc_agree(comm, st, err)) != BOSC_OK)
        return st;
    *threads = said > 0 ? said : asked > 0 ? asked : shared;
    omp_set_num_threads(*threads);
    return BOSC_OK;
}
