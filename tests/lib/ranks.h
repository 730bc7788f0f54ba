/* ranks.h - TAP of several ranks: all must agree, and rank 0 prints.
 *
 * For the tests in tests/mpi, which have included src/mpi/comm.h.
 */
#ifndef BOSC_TESTS_LIB_RANKS_H
#define BOSC_TESTS_LIB_RANKS_H

#include "tests/lib/tap.h"

static int rank, ranks; /* set by main */

static inline void all_ok(bool passed, const char *name)
{
    int64_t failed = !passed;

    bosc_sum_int64(MPI_COMM_WORLD, &failed, 1);
    if (rank == 0)
        ok(failed == 0, "%s", name);
}

#endif
