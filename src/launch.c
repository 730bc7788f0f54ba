#include "src/launch.h"

#include <stddef.h>
#include <stdlib.h>

#include "src/status.h"

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
