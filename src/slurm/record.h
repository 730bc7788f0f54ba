/* record.h - the batch jobs that a user has submitted, a line each in
 * $XDG_STATE_HOME/bosc/jobs.tsv, which is ~/.local/state/bosc/jobs.tsv.
 *
 * Serial code: no MPI.  All paths are absolute; the log's has %j.
 */
#ifndef BOSC_SRC_SLURM_RECORD_H
#define BOSC_SRC_SLURM_RECORD_H

#include "src/base/status.h"

enum { BOSC_RECORD_FIELDS = 6 };

typedef struct bosc_record {
    char *id;     /* "123", as sbatch says it */
    char *date;   /* when it was submitted */
    char *result; /* the file */
    char *log;
    char *job;       /* its file */
    char *followers; /* "merge 124 report 125", the jobs that follow it; "" */
    char *line;      /* holds these; free()d by the caller */
} bosc_record;

/* The last n submitted, the latest first, of which the field id, result or job
 * that is given (others NULL) has that value; the id of a follower is one of
 * its job's, too; *n says how many there are, and may be 0.  Each line, and the
 * array, are to be freed. */
bosc_status bosc_record_find(const char *id, const char *result,
                             const char *job, int *n, bosc_record **out,
                             bosc_error *err);
void bosc_record_free(int n, bosc_record *records);

/* Add one; its date is now. */
bosc_status bosc_record_add(const bosc_record *record, bosc_error *err);

/* The absolute path of a file that need not be there; free()d by the caller,
 * NULL without memory. */
char *bosc_record_path(const char *path);

#endif
