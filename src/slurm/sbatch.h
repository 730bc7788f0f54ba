/* sbatch.h - scripts handed to sbatch: that of a job, and those of jobs that
 * follow it.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_SLURM_SBATCH_H
#define BOSC_SRC_SLURM_SBATCH_H

#include "src/base/status.h"
#include "src/slurm/script.h"
#include "src/text/pool.h"

/* Write a script to 'path', as print(file, what) prints it, and submit it; *id
 * is the job's number, of the pool.  BOSC_EIO without sbatch, or where it
 * refuses. */
bosc_status bosc_sbatch_send(const char *path,
                             void (*print)(FILE *, const void *),
                             const void *what, bosc_pool *pool, const char **id,
                             bosc_error *err);

/* A command line of the program as a job that follows another. */
typedef struct bosc_follower {
    const bosc_site *site;
    const bosc_script_header *before; /* of the job that it follows */
    const char *program, *output;
    const char *log;     /* as of a header, without "-%j.log" */
    const char *command; /* "report", "merge"; in names, too */
    const char *when;    /* "afterok", "afterany" */
    const char *after;   /* the number of the job that it follows */
    int n;
    const char *const *more; /* [n] words behind the result */
} bosc_follower;

/* Submit it; *id is of the pool. */
bosc_status bosc_sbatch_follow(const bosc_follower *f, bosc_pool *pool,
                               const char **id, bosc_error *err);

#endif
