/* rank_threads.h - how many OpenMP threads each rank takes. */
#ifndef BOSC_SRC_MPI_RANK_THREADS_H
#define BOSC_SRC_MPI_RANK_THREADS_H

#include <mpi.h>

#include "src/base/status.h"

/* Threads of this rank: as 'said' if it is not 0, or OMP_NUM_THREADS, or its
 * share of the processors.  Collective. */
bosc_status bosc_rank_threads(MPI_Comm comm, int said, int *threads,
                              bosc_error *err);

#endif
