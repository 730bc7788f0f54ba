#include "src/launch.h"

#include <stddef.h>
#include <stdlib.h>

/* The innermost launcher first: it is the one that counts. */
static const char *const variables[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE",
                                        "SLURM_STEP_NUM_TASKS"};

int bosc_launched_ranks(const char **told)
{
    for (size_t i = 0; i < BOSC_LEN(variables); ++i) {
        const char *text = getenv(variables[i]);

        if (text != NULL) {
            *told = variables[i];
            return atoi(text);
        }
    }
    return 0;
}

bosc_status bosc_check_world(int ranks, bosc_error *err)
{
    const char *told = NULL;
    const int launched = bosc_launched_ranks(&told);

    if (ranks == 1 && launched > 1)
        return bosc_fail(err, BOSC_EVALUE,
                         "started as one of %d ranks (%s), but this MPI "
                         "world has one: the launcher does not fit the MPI "
                         "library (MPICH: srun --mpi=pmi2, or its mpiexec)",
                         launched, told);
    return BOSC_OK;
}
