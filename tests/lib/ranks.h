/* ranks.h - TAP of several ranks: all must agree, and rank 0 prints.
 *
 * For the tests in tests/mpi, which have included src/mpi/mpi_comm.h.
 */
#ifndef BOSC_TESTS_LIB_RANKS_H
#define BOSC_TESTS_LIB_RANKS_H

#include "tests/lib/tap.h"

static const bosc_comm *world;
static int rank, ranks;

/* Once MPI is initialised. */
static inline void begin_ranks(void)
{
    world = bosc_mpi_world();
    rank = world->rank;
    ranks = world->ranks;
}

static inline void all_ok(bool passed, const char *name)
{
    int64_t failed = !passed;

    bosc_sum_int64(world, &failed, 1);
    if (rank == 0)
        ok(failed == 0, "%s", name);
}

#endif
