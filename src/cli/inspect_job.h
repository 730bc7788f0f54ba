/* inspect_job.h - 'bosc inspect' of a job: the compartments of its neurons,
 * with their numbers.
 */
#ifndef BOSC_SRC_CLI_INSPECT_JOB_H
#define BOSC_SRC_CLI_INSPECT_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "src/text/options.h"

typedef struct bosc_inspect_job {
    const char *path;
    bosc_texts set;         /* --set */
    const char *population; /* whose neurons; NULL: any */
    int64_t neuron; /* number in the population, or else in the job; -1: the
                       first of the population, or of each */
} bosc_inspect_job;

/* Is the file a job, by its ending? */
bool bosc_is_job(const char *path);

/* Print them on standard output (src/model/list_numbers.h). */
bosc_status bosc_inspect_job_print(const bosc_inspect_job *request,
                                   bosc_error *err);

#endif
