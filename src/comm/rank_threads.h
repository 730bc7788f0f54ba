/* rank_threads.h - how many OpenMP threads each rank takes. */
#ifndef BOSC_SRC_COMM_RANK_THREADS_H
#define BOSC_SRC_COMM_RANK_THREADS_H

#include "src/comm/comm.h"

/* Set the number of threads of this rank: 'said' if that is not 0, else
 * OMP_NUM_THREADS if it is set, else this rank's share of the processors.
 * Collective. */
bosc_status bosc_rank_threads(const bosc_comm *comm, int said, int *threads,
                              bosc_error *err);

#endif
