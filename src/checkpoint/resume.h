/* resume.h - the result of a run that was ended or killed, as a checkpoint
 * keeps it: what stands in its unfinished file, and to go on with that.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_CHECKPOINT_RESUME_H
#define BOSC_SRC_CHECKPOINT_RESUME_H

#include <stdio.h>

#include "src/io/result.h"

/* After bosc_result_secure(), before anything else is written: write what a
 * checkpoint keeps of the file, which are sums of all that was written, and the
 * bytes that writing may change from now on.  Native byte order. */
bosc_status bosc_result_skeleton(bosc_result *result, FILE *to,
                                 bosc_error *err);

/* What a checkpoint counts on. */
typedef struct bosc_result_position {
    int64_t spikes, detections;
    const int64_t *frames; /* [n_sets] */
    FILE *skeleton;        /* at what bosc_result_skeleton() has written */
    int64_t skeleton_bytes;
} bosc_result_position;

/* Make PATH.partial of an earlier run what it was at the checkpoint, and open
 * it instead, of which 'path', 'command', 'compression', 'lock', 'tstop' and
 * the sets without their columns count; what stands behind 'at' will be written
 * again.  BOSC_EFORMAT where the file has not what the checkpoint counts; on
 * failure it is as it was. */
bosc_status bosc_result_continue(const bosc_result_spec *spec,
                                 const bosc_result_position *at,
                                 bosc_result **out, bosc_error *err);

#endif
