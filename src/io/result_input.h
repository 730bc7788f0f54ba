/* result_input.h - what is read from NetCDF files; for result*.c only.
 *
 * Serial code: no MPI.  A file may be damaged, cut short, or of another program
 * or version.  So type, dimensions and values of everything are checked before
 * they are used, and a message says what was found and what must be:
 *     run.nc: variable 'rank_work' is float (rank); it must be numbers (rank,
 *     work)
 * All functions return BOSC_EFORMAT for that, or BOSC_ENOMEM.
 */
#ifndef BOSC_SRC_IO_RESULT_INPUT_H
#define BOSC_SRC_IO_RESULT_INPUT_H

#include <stddef.h>

#include "src/table/table.h"

typedef struct bosc_input {
    const char *path; /* for messages */
    int nc;           /* netCDF's id of the file, -1: not open */
} bosc_input;

enum { BOSC_INPUT_MAX_DIMS = 2 };

/* A variable that has passed bosc_input_numbers(). */
typedef struct bosc_input_variable {
    int id, n_dims;
    size_t length[BOSC_INPUT_MAX_DIMS]; /* of each dimension */
    double missing; /* the value that stands for none; NaN: every value counts
                     */
} bosc_input_variable;

/* Open a regular file.  Returns NULL, or why it cannot be read. */
const char *bosc_input_open(const char *path, bosc_input *in);
void bosc_input_close(bosc_input *in);

/* The length of a dimension, from 1 to 'most'. */
bosc_status bosc_input_dimension(const bosc_input *in, const char *name,
                                 size_t most, size_t *length, bosc_error *err);

/* Find numbers over exactly these dimensions [n_dims], or, 'dims' NULL, over as
 * many of any name. */
bosc_status bosc_input_numbers(const bosc_input *in, const char *name,
                               int n_dims, const char *const *dims,
                               bosc_input_variable *out, bosc_error *err);

/* Read count[n_dims] values from start[n_dims] on.  Each must be there, and as
 * 'range' says (of its fields: whole, low, high). */
bosc_status bosc_input_values(const bosc_input *in,
                              const bosc_input_variable *variable,
                              const bosc_table_column *range,
                              const size_t *start, const size_t *count,
                              double *values, bosc_error *err);

/* A numeric attribute of the file, one value as range[0] says: name, whole,
 * low, high. */
bosc_status bosc_input_attribute(const bosc_input *in,
                                 const bosc_table_column *range, double *value,
                                 bosc_error *err);

/* All strings of a variable over dimension 'dim', [n] and each the caller's to
 * free. */
bosc_status bosc_input_strings(const bosc_input *in, const char *name,
                               const char *dim, char ***out, size_t *n,
                               bosc_error *err);
void bosc_input_free(char **strings, size_t n);

#endif
