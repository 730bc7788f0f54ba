/* parts.h - the inputs of a merge, their dimensions, and where each of their
 * members goes.
 *
 * A dimension is one of these, by its name and by what the first input has:
 *   MEMBER  one entry a member
 *   SPLIT   entries of each member stand together, as D_member says: neurons,
 *           populations, columns of a probe
 *   NAMES   a table of names: each once
 *   TIME    of a probe: the longest of all inputs
 *   SPIKE   sorted by time and neuron
 * OTHER are those of one run, such as its ranks.
 *
 * A merge has one exit: where there is no memory, or a file cannot be read or
 * written, the functions below jump to the end of bosc_merge().  So nothing
 * between may own memory or a file outside of the merger, and no function here
 * returns a status.  Internal to src/merge/.
 */
#ifndef BOSC_SRC_MERGE_PARTS_H
#define BOSC_SRC_MERGE_PARTS_H

#include <netcdf.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "src/base/lock.h"
#include "src/base/mem.h"
#include "src/merge/merge.h"
#include "src/text/pool.h"

enum { BOSC_MERGE_AT_ONCE = 1 << 19 /* values that are moved at a time */ };

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

typedef enum bosc_merge_role {
    BOSC_MERGE_OTHER,
    BOSC_MERGE_MEMBER,
    BOSC_MERGE_SPLIT,
    BOSC_MERGE_NAMES,
    BOSC_MERGE_TIME,
    BOSC_MERGE_SPIKE
} bosc_merge_role;

/* A dimension of the first input. */
typedef struct bosc_merge_dimension {
    char name[NC_MAX_NAME + 1];
    bosc_merge_role role;
    int out;            /* in the merged file; -1: not there */
    size_t n;           /* its length there */
    size_t **first;     /* SPLIT: [inputs][members + 1] where members begin */
    size_t *to;         /* SPLIT: [pieces] where they go */
    int **number;       /* NAMES: [inputs][their names] which name it is */
    const char **names; /* NAMES: [n] */
    int longest;        /* TIME: the input */
} bosc_merge_dimension;

typedef struct bosc_merger {
    const bosc_merge_request *request;
    bosc_merged *merged;
    bosc_lock *lock;
    bool there; /* the output, at the start: it is one of the inputs */
    int n_inputs, n_pieces, n_dims;
    bosc_merge_input *input;   /* [n_inputs]; the first is the pattern */
    bosc_merge_piece *piece;   /* [n_pieces] */
    bosc_merge_dimension *dim; /* [n_dims] by the ids of the first input */
    int nc;                    /* of the merged file, -1: it is not open */
    const char *path;          /* of it until it is whole, NULL: not made yet */
    const char *contents;      /* of the files of all inputs so far, or NULL */
    double *buffer;            /* [BOSC_MERGE_AT_ONCE] */

    bosc_pool pool; /* all memory of the merge */
    jmp_buf end;    /* where a failure goes, with */
    bosc_status st;
    bosc_error *err;
} bosc_merger;

/* Open the inputs and choose the pieces (inputs.c). */
void bosc_merge_open(bosc_merger *m);

/* Add the contents of an input's files to those of the inputs before it, and
 * refuse what had others (contents.c). */
void bosc_merge_add_contents(bosc_merger *m, const bosc_merge_input *in);

/* Find all dimensions, and define those that are merged (dimensions.c). */
void bosc_merge_find_dimensions(bosc_merger *m);

/* That of a name; NULL: it is not merged. */
const bosc_merge_dimension *bosc_merge_find(const bosc_merger *m,
                                            const char *name);

/* Entries of a piece along a SPLIT dimension. */
size_t bosc_merge_count_of(const bosc_merge_dimension *d,
                           const bosc_merge_piece *p);

/* Copy all variables that can be merged (copy.c). */
void bosc_merge_copy(bosc_merger *m);

/* What follows is in exit.c. */

/* End the merge with a status that is not BOSC_OK; m->err has the message. */
_Noreturn void bosc_merge_stop(bosc_merger *m, bosc_status st);

/* n elements of 'size' bytes, all zero; or what malloc() has given somebody
 * else, NULL where that had no memory.  Freed after the merge. */
void *bosc_merge_new(bosc_merger *m, size_t n, size_t size);
void *bosc_merge_own(bosc_merger *m, void *memory);

/* What a call of netCDF has returned for 'name' of input f, or of the merged
 * file: BOSC_EIO with "PATH: 'NAME': reason" where it has failed. */
void bosc_merge_in(bosc_merger *m, int f, int code, const char *name);
void bosc_merge_out(bosc_merger *m, int code, const char *name);

/* The text attribute of a file; NULL: there is none. */
char *bosc_merge_text(bosc_merger *m, int nc, const char *name);

/* The length of a dimension in a file, 0 where it has none. */
size_t bosc_merge_length_of(int nc, const char *name);

/* Say on standard error what is left out, and why. */
void bosc_merge_tell(const bosc_merger *m, const char *format, ...)
    BOSC_PRINTF(2, 3);

#endif
