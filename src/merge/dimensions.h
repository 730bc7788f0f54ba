/* dimensions.h - the dimensions of the inputs, and what becomes of them.
 *
 * A dimension is one of these, by its name and by what the first input has:
 *   MEMBER  one entry a member
 *   SPLIT   entries of each member stand together, as D_member says: neurons,
 *           populations, columns of a probe
 *   NAMES   a table of names: each once
 *   TIME    of a probe: the longest of all inputs
 *   SPIKE   sorted by time and neuron
 * OTHER are those of one run, such as its ranks.  Internal to src/merge/.
 */
#ifndef BOSC_SRC_MERGE_DIMENSIONS_H
#define BOSC_SRC_MERGE_DIMENSIONS_H

#include <netcdf.h>

#include "src/merge/parts.h"

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
    int out;        /* in the merged file; -1: not there */
    size_t n;       /* its length there */
    size_t **first; /* SPLIT: [inputs][members + 1] where members begin */
    size_t *to;     /* SPLIT: [pieces] where they go */
    int **number;   /* NAMES: [inputs][their names] which name it is */
    size_t n_names; /* NAMES */
    char **names;   /* [n_names] */
    int longest;    /* TIME: the input */
} bosc_merge_dimension;

typedef struct bosc_merge_copier {
    bosc_merger *m;
    int n_dims;
    bosc_merge_dimension *dim; /* [n_dims] by the ids of the first input */
} bosc_merge_copier;

/* Find all dimensions, and define those that are merged; to be cleared whatever
 * is returned. */
bosc_status bosc_merge_find_dimensions(bosc_merge_copier *c);
void bosc_merge_clear_dimensions(bosc_merge_copier *c);

/* That of a name; NULL: it is not merged. */
const bosc_merge_dimension *bosc_merge_find(const bosc_merge_copier *c,
                                            const char *name);

/* The length of a dimension in a file, 0 where it has none. */
size_t bosc_merge_length_of(int nc, const char *name);

/* Entries of a piece along a dimension. */
size_t bosc_merge_count_of(const bosc_merge_dimension *d,
                           const bosc_merge_piece *p);

/* bosc_merge_check() of an input, and of the merged file. */
bosc_status bosc_merge_check_in(const bosc_merge_copier *c, int f, int code,
                                const char *name);
bosc_status bosc_merge_check_out(const bosc_merge_copier *c, int code,
                                 const char *name);
bosc_status bosc_merge_no_memory(const bosc_merge_copier *c);

#endif
