/* submit.h - 'bosc submit': a job to SLURM, with what it is expected to need.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_SLURM_SUBMIT_H
#define BOSC_SRC_SLURM_SUBMIT_H

#include "src/plan/estimate.h"

/* What the command line asks for; NULL and 0: not given. */
typedef struct bosc_submit_request {
    bosc_estimate_request estimate; /* without numbers of ranks */
    const char *output;
    const char *site; /* a file of defaults */
    const char *partition, *account, *name, *launcher, *program;
    const char *time; /* a duration */
    int32_t ranks, nodes;
    double rank_memory; /* bytes */
    double warning;     /* s */
    bool overwrite, share;
    bool report; /* also submit what makes a report of the result */
    bool dry;    /* print the script */
} bosc_submit_request;

/* Write the script of a job and submit it, or print it. */
bosc_status bosc_submit(const bosc_submit_request *request, bosc_error *err);

/* Print the #SBATCH lines of that script. */
bosc_status bosc_submit_print_header(const bosc_submit_request *request,
                                     bosc_error *err);

#endif
