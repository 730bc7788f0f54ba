/* sweep.h - the job of a text that may have a sweep.
 *
 * Serial code: no MPI; every rank parses the same bytes.  Each member of the
 * sweep is the job with some keys set otherwise, as '--set' would: it is read
 * and checked as a job of its own.  Those that share a time loop, a group,
 * become one job, in which the neurons of a member follow those of another.
 *
 *   axes.c     what the text says: keys, and the points along each axis
 *   members.c  a member: its values, its tree, its job; which group it is of
 *   join.c     jobs of one group -> one job
 *   models.c   published models that populations name, before all of this
 *   sweep.c    all of it
 */
#ifndef BOSC_SRC_SWEEP_SWEEP_H
#define BOSC_SRC_SWEEP_SWEEP_H

#include "src/job/job.h"
#include "src/text/options.h"

typedef struct bosc_sweep_request {
    const bosc_mechs *mechs; /* as bosc_job_parse() */
    const char *path, *text; /* of the job */
    const bosc_texts *set;   /* --set */
    const char *members;     /* "0-2,5"; NULL: all */
    int32_t group;           /* which group of these, from 0 */
} bosc_sweep_request;

/* Parse and check, as bosc_job_parse(): the job of all chosen members of a
 * group, with job->sweep set, or, where the text has no sweep, the job.  Errors
 * of a member begin with "job.yaml:31: member 3, KEY=VALUE: ...". */
bosc_status bosc_sweep_parse(const bosc_sweep_request *request, bosc_job **out,
                             bosc_error *err);

#endif
