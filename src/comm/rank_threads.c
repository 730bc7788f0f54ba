/* rank_threads.c - the threads of each rank. */
#include "src/comm/rank_threads.h"

#include <omp.h>
#include <stdlib.h>

#include "src/comm/comm.h"
#include "src/comm/cpuset.h"

/* The number of processors that this rank may run on, divided by the number of
 * ranks that may run on some of them.  A launcher that binds ranks gives each
 * rank processors of its own; otherwise the ranks of a machine share all. */
static int share(const bosc_comm *machine)
{
    const bosc_cpuset mine = bosc_cpuset_mine();
    int sharing = 0;

    for (int r = 0; r < machine->ranks; ++r) {
        bosc_cpuset theirs = mine;

        bosc_bcast(machine, &theirs, sizeof theirs, r);
        sharing += bosc_cpuset_overlap(&mine, &theirs); /* also with itself */
    }

    const int threads = bosc_cpuset_count(&mine) / (sharing > 0 ? sharing : 1);

    return threads > 0 ? threads : 1;
}

bosc_status bosc_rank_threads(const bosc_comm *comm, int said, int *threads,
                              bosc_error *err)
{
    bosc_comm *machine;
    int asked = 0;
    bosc_status st = bosc_comm_node(comm, &machine, err);

    if (st != BOSC_OK)
        return st;

    const int shared = share(machine);

    bosc_comm_destroy(machine);
    if (said == 0)
        st = bosc_threads_asked(getenv("OMP_NUM_THREADS"), &asked, err);
    if ((st = bosc_agree(comm, st, err)) != BOSC_OK)
        return st;
    *threads = said > 0 ? said : asked > 0 ? asked : shared;
    omp_set_num_threads(*threads);
    return BOSC_OK;
}
