/* parts.h - the inputs of a merge, and where each of their members goes.
 * Internal to src/merge/.
 */
#ifndef BOSC_SRC_MERGE_PARTS_H
#define BOSC_SRC_MERGE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/merge/merge.h"

/* A result with members. */
typedef struct bosc_merge_input {
    const char *path;
    int nc;
    int n_members, n_all;
    int *number, *status; /* [n_members] */
} bosc_merge_input;

/* A member of the merged file, in the order of numbers. */
typedef struct bosc_merge_piece {
    int number, input, index; /* in the sweep; which; its place there */
} bosc_merge_piece;

typedef struct bosc_merger {
    const bosc_merge_request *request;
    bool there; /* the output, at the start: it is one of the inputs */
    int n_inputs, n_pieces;
    bosc_merge_input *input; /* [n_inputs]; the first is the pattern */
    bosc_merge_piece *piece; /* [n_pieces] */
    int nc;                  /* of the merged file, -1: it is not open */
    char *contents;          /* of the files of all inputs so far, or NULL */
    bosc_error *err;
} bosc_merger;

/* Open the inputs and choose the pieces (inputs.c); to be closed whatever is
 * returned. */
bosc_status bosc_merge_open(bosc_merger *m, bosc_merged *merged);
void bosc_merge_close(bosc_merger *m);

/* Say on standard error what is left out, and why. */
void bosc_merge_tell(const bosc_merger *m, const char *format, ...)
    BOSC_PRINTF(2, 3);

/* Add the contents of an input's files to those of the inputs before it, and
 * refuse what had others; then write them (contents.c). */
bosc_status bosc_merge_add_contents(bosc_merger *m, const bosc_merge_input *in);
bosc_status bosc_merge_put_contents(bosc_merger *m);

/* Copy all dimensions and variables that can be merged into the open file
 * (copy.c). */
bosc_status bosc_merge_copy(bosc_merger *m);

/* A netCDF call that must not fail; BOSC_EIO with "PATH: 'NAME': reason"
 * (netcdf_calls.c). */
bosc_status bosc_merge_check(bosc_merger *m, int code, const char *path,
                             const char *name);

/* The text attribute of a variable or of the file, to be freed; NULL: there is
 * none (netcdf_calls.c). */
char *bosc_merge_text(int nc, int variable, const char *name);

#endif
