/* members.h - the members of a sweep; when a run keeps checkpoints, and where
 * costs are from.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_JOB_GRAMMAR_MEMBERS_H
#define BOSC_SRC_JOB_GRAMMAR_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* A key that a sweep gives values. */
typedef struct bosc_swept {
    char *path;    /* "clamps.0.amplitude" */
    char *name;    /* of its values in the results: "amplitude" */
    char unit[32]; /* "": none */
    bool numbers;  /* all its values are */
    bool whole;    /* all are integers from 0 to 2^64 - 1, and a double cannot
                      hold one of them */
} bosc_swept;

enum { BOSC_MOST_MEMBERS = 1000000 };

/* A member of a sweep. */
typedef struct bosc_member {
    int number; /* in the sweep, from 0 */
    char *name;
    char **value;      /* [n_keys] as YAML */
    double *x;         /* [n_keys] of keys whose values are numbers */
    uint64_t checksum; /* of bosc_job_values() of its job alone */
} bosc_member;

/* Of a job that holds several members of a sweep: the populations, clamps,
 * stimuli, point processes, sources, projections and couplings of one stand
 * after those of another, and have its seed; all the rest is the same in all.
 */
typedef struct bosc_sweep {
    int n_keys, n_members;
    int n_all;            /* members of the whole sweep */
    int n_groups, group;  /* of members that can run together; which these are,
                             from 0 */
    bosc_swept *keys;     /* [n_keys] */
    bosc_member *members; /* [n_members] ascending */
    uint64_t checksum;    /* of all members of the sweep */
    char *values;         /* bosc_job_values() of the first of these alone */
} bosc_sweep;

/* When checkpoints are written. */
typedef struct bosc_checkpoint_spec {
    double every; /* min; 0: never by the clock */
    bool on_signal, at_end;
} bosc_checkpoint_spec;

/* Where measured costs of neurons come from. */
typedef struct bosc_cost_spec {
    char *from;  /* an earlier run's file, relative to the job's folder; NULL:
                    none */
    char *where; /* of that key */
} bosc_cost_spec;

#endif
