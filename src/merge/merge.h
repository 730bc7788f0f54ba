/* merge.h - results of some members of a sweep become one file.
 *
 * Serial code: no MPI.  Each input is a finished result that has members of one
 * sweep, as 'bosc run --group' and '--member' write it, or a merged one.  Of a
 * member that several have that counts which has not failed, else the one of
 * the input named last.
 */
#ifndef BOSC_SRC_MERGE_MERGE_H
#define BOSC_SRC_MERGE_MERGE_H

#include <stdbool.h>

#include "src/base/status.h"

typedef struct bosc_merge_request {
    const char *output, *command;
    int n;
    const char *const *path; /* [n] the inputs */
    const char *program; /* "bosc merge": how lines on standard error begin */
    bool overwrite;      /* use nothing of 'output', where it is there */
} bosc_merge_request;

/* What has become of it. */
typedef struct bosc_merged {
    int n_members, n_all; /* in the file; of the sweep */
    char missing[400];    /* "3, 5, 7 and 12 more": those that no input has */
    char failed[400];     /* those that have failed wherever they are */
} bosc_merged;

/* BOSC_EVALUE where members are missing, or have failed. */
bosc_status bosc_merged_judge(const bosc_merge_request *request,
                              const bosc_merged *merged, bosc_error *err);

/* Merge, also with the members that 'output' has already.  What cannot be used
 * is left out, and told on standard error.  Fails
 * where nothing is left, or the file cannot be written: then there is none, or
 * the one that was there. */
bosc_status bosc_merge(const bosc_merge_request *request, bosc_merged *merged,
                       bosc_error *err);

#endif
