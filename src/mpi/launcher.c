#include "src/mpi/launcher.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Variables of the innermost launcher come first: that one counts. */
static const struct {
    const char *ranks, *rank;
} variables[] = {{"PMI_SIZE", "PMI_RANK"},
                 {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                 {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

int bosc_launched_ranks(const char **by)
{
    for (size_t i = 0; i < BOSC_LEN(variables); ++i) {
        const char *text = getenv(variables[i].ranks);

        if (text != NULL) {
            *by = variables[i].ranks;
            return atoi(text);
        }
    }
    return 0;
}

bool bosc_launched_first(void)
{
    for (size_t i = 0; i < BOSC_LEN(variables); ++i) {
        const char *text = getenv(variables[i].rank);

        if (text != NULL && getenv(variables[i].ranks) != NULL)
            return atoi(text) == 0;
    }
    return true;
}

/* With what variables begin that launchers set, for ranks of MPICH, Open MPI,
 * Intel MPI, MVAPICH, of Slurm, PALS, ALPS, Flux, and JSM.  One too many costs
 * a start of MPI, one too few makes each rank a run of its own: the lock of the
 * result refuses all but the first.  Other variables of Open MPI are settings
 * of its users. */
static const char *const launchers[] = {
    "PMI_",        "PMIX_", "OMPI_COMM_WORLD_",
    "MPI_LOCAL",   "HYDI_", "HYDRA_",
    "I_MPI_",      "MV2_",  "MPIRUN_",
    "MPISPAWN_",   "PALS_", "ALPS_",
    "SLURM_STEP_", "FLUX_", "JSM_",
    "MPT_"};

bool bosc_launched_alone(void)
{
    extern char **environ;

    for (char **variable = environ; *variable != NULL; ++variable)
        for (size_t i = 0; i < BOSC_LEN(launchers); ++i)
            if (strncmp(*variable, launchers[i], strlen(launchers[i])) == 0)
                return false;
    return true;
}

/* MPICH with UCX needs between 4 and 8 MB of shared memory for each rank, and
 * the system limits that as it limits files. */
bosc_status bosc_check_limits(bosc_error *err)
{
    static const rlim_t least = 16 << 20;
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= least)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EIO,
                     "no file may become larger than %llu bytes here, and MPI "
                     "needs files in memory of up to 16 MB: raise the limit "
                     "(ulimit -f)",
                     (unsigned long long)limit.rlim_cur);
}

bosc_status bosc_check_world(int ranks, bosc_error *err)
{
    const char *by = NULL;
    const int launched = bosc_launched_ranks(&by);

    if (ranks == 1 && launched > 1)
        return bosc_fail(err, BOSC_EVALUE,
                         "started as one of %d ranks (%s), but this MPI "
                         "world has one: the launcher does not fit the MPI "
                         "library (MPICH: srun --mpi=pmi2, or its mpiexec)",
                         launched, by);
    return BOSC_OK;
}
