/* result_skeleton.h - what a checkpoint keeps of the unfinished file, put back;
 * for result_*.c only.  resume.h declares how it is written.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_CHECKPOINT_RESULT_SKELETON_H
#define BOSC_SRC_CHECKPOINT_RESULT_SKELETON_H

#include <stdio.h>

#include "src/io/result_file.h"

typedef struct bosc_skeleton bosc_skeleton;

/* Put back into the closed PATH.partial what bosc_result_skeleton() has written
 * to 'from', the next 'bytes' bytes there, and set s->sum.  *out remembers what
 * was there; BOSC_EFORMAT, BOSC_ENOINPUT, BOSC_EIO or BOSC_ENOMEM, and the file
 * is as it was. */
bosc_status bosc_skeleton_put_back(bosc_result *s, FILE *from, int64_t bytes,
                                   bosc_skeleton **out, bosc_error *err);

/* Make the file what it was before; or as long as it was at the checkpoint,
 * false where that fails. */
void bosc_skeleton_take_back(bosc_skeleton *skeleton);
bool bosc_skeleton_settle(const bosc_skeleton *skeleton);

/* NULL is allowed. */
void bosc_skeleton_forget(bosc_skeleton *skeleton);

/* Read all that s->sum is of.  BOSC_EFORMAT where it has another sum, or
 * cannot be read. */
bosc_status bosc_result_verify(bosc_result *s, bosc_error *err);

/* Add to s->settled where in the file the chunks are whose rows a checkpoint
 * counts, and which HDF5 will not move: all rows of those that are compressed.
 * Where the HDF5 library does not tell (before 1.10.5), nothing is added.
 * False: no memory. */
bool bosc_result_find_full(bosc_result *s, const char *name);

#endif
