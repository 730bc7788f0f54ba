/* state_file.h - the NetCDF file of a checkpoint: numbers by name, and a
 * checksum of all of it.
 *
 * Serial code: no MPI.  The format is CDF-5, whose variables follow each other
 * as they are: nothing but the disk can fail in the middle.  Behind the last of
 * them stands a line with the checksum of all bytes before it, which readers of
 * NetCDF do not see, as they do not see other bytes that may stand before it.
 * The first failure is kept: later calls do nothing, and bosc_state_finish()
 * tells it.
 *
 * Writing: create; texts, numbers and variables; begin; then write; finish.
 * Where a writer's thread (src/io/writer.h) is to write, it does so from
 * 'begin' on, and bosc_state_finish() or bosc_state_close() are to be called by
 * it.
 */
#ifndef BOSC_SRC_CHECKPOINT_STATE_FILE_H
#define BOSC_SRC_CHECKPOINT_STATE_FILE_H

#include <stdint.h>
#include <stdio.h>

#include "src/base/status.h"

typedef struct bosc_state_file bosc_state_file;
struct bosc_writer;

typedef enum bosc_state_type {
    BOSC_STATE_INT32,
    BOSC_STATE_INT64,
    BOSC_STATE_DOUBLE
} bosc_state_type;

/* Create 'path', in place of an earlier file. */
bosc_status bosc_state_create(const char *path, bosc_state_file **out,
                              bosc_error *err);

/* Attributes of the file. */
void bosc_state_put_text(bosc_state_file *file, const char *name,
                         const char *text);
void bosc_state_put_number(bosc_state_file *file, const char *name,
                           int64_t value);

/* Define a variable of n values over a dimension, which is made where it is not
 * yet there; its number.  What has no values is left out. */
int bosc_state_define(bosc_state_file *file, const char *name,
                      bosc_state_type type, const char *dimension, int64_t n);

/* All is defined: find whether there is room for it, and have all that follows
 * done by a writer's thread.  NULL: by the calling one. */
bosc_status bosc_state_begin(bosc_state_file *file, struct bosc_writer *writer,
                             bosc_error *err);

/* Room for n values of that type, NULL without memory; and, filled, they become
 * those of a variable from 'first' on. */
void *bosc_state_room(bosc_state_file *file, bosc_state_type type, int64_t n);
void bosc_state_put(bosc_state_file *file, int variable, int64_t first);

/* Writes other bytes behind the values. */
typedef bosc_status bosc_state_more(void *what, FILE *to, bosc_error *err);

/* Close, add what more(what) writes, unless that is NULL, and the checksum, and
 * wait until all is on the disk; *bytes is how long it is.  After a failure
 * there is no file.  The struct is gone whatever is returned. */
bosc_status bosc_state_finish(bosc_state_file *file, bosc_state_more *more,
                              void *what, double *bytes, bosc_error *err);

/* Give the finished file 'fresh' the name 'path'; what was there is then called
 * 'old'.  Where the file system has links, 'path' is there all the time. */
bosc_status bosc_state_rotate(const char *fresh, const char *path,
                              const char *old, bosc_error *err);

/* Open a file that is as it was written; else BOSC_EFORMAT with what is wrong,
 * or BOSC_ENOINPUT with the system's reason. */
bosc_status bosc_state_open(const char *path, bosc_state_file **out,
                            bosc_error *err);

/* Open a file whose checksum does not matter, for what its attributes say. */
bosc_status bosc_state_peek(const char *path, bosc_state_file **out,
                            bosc_error *err);

/* A text, free()d by the caller; a number.  BOSC_EFORMAT where it is not there.
 */
bosc_status bosc_state_get_text(bosc_state_file *file, const char *name,
                                char **text, bosc_error *err);
bosc_status bosc_state_get_number(bosc_state_file *file, const char *name,
                                  int64_t *value, bosc_error *err);

/* The length of a dimension, 0 where there is none. */
int64_t bosc_state_length(bosc_state_file *file, const char *dimension);

/* Read values first..first + n - 1 of a variable of that type; n 0: nothing. */
bosc_status bosc_state_read(bosc_state_file *file, const char *name,
                            bosc_state_type type, int64_t first, int64_t n,
                            void *values, bosc_error *err);

/* Open, where they begin, the bytes that were added to a file, to be read and
 * closed by the caller. */
bosc_status bosc_state_get_more(bosc_state_file *file, FILE **out,
                                int64_t *bytes, bosc_error *err);

/* Close a file that was opened, or give up one that was created and remove it.
 * NULL is allowed. */
void bosc_state_close(bosc_state_file *file);

#endif
