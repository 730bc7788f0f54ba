/* result_define.h - definition of dimensions, variables and attributes; for
 * result*.c only.
 *
 * Each call does nothing once something has failed (result_file.h).
 */
#ifndef BOSC_SRC_IO_RESULT_DEFINE_H
#define BOSC_SRC_IO_RESULT_DEFINE_H

#include <stddef.h>

#include "src/io/result_file.h"

/* What a variable is, for people and programs. */
typedef struct bosc_meaning {
    const char *name;
    int type; /* netCDF's */
    const char *units, *long_name;
} bosc_meaning;

/* Attributes: of a variable or, with NC_GLOBAL, of the file. */
void bosc_result_text(bosc_result *s, int var, const char *name,
                      const char *text);
void bosc_result_number(bosc_result *s, const char *name, double value);

/* Title, date and command, source, conventions; "completed" says no yet. */
void bosc_result_heading(bosc_result *s, const char *title,
                         const char *command);

/* A dimension; length 0 (no morphology file, no column) becomes an unlimited
 * one that never grows, because netCDF has no fixed one of length 0. */
int bosc_result_dim(bosc_result *s, const char *name, size_t length);

/* A variable over n_dims dimensions, chunked as asked (NULL: as netCDF likes).
 * Tables are always compressed, which costs nothing and makes them small; what
 * a run produces all the time is as the job says. */
int bosc_result_var(bosc_result *s, const bosc_meaning *m, int n_dims,
                    const int *dims, const size_t *chunk);
int bosc_result_stream(bosc_result *s, const bosc_meaning *m, int n_dims,
                       const int *dims, const size_t *chunk);

/* Times and spikes, which grow over dimension 'dim': compressed as tables are,
 * but not where several ranks write.  There a chunk is not kept in memory until
 * it is full, and a compressed one moves when it grows: what a killed run left
 * could not be read. */
int bosc_result_log(bosc_result *s, const bosc_meaning *m, int dim,
                    size_t chunk);

/* All values of a variable that is defined. */
void bosc_result_values(bosc_result *s, int var, const char *name,
                        const void *values);

/* Keep so many bytes of a variable's chunks in memory: by itself netCDF would
 * keep many, of each variable until the end. */
void bosc_result_keep(bosc_result *s, int var, const char *name, size_t bytes);

/* Define and write n numbers, or n strings, over dimension 'dim'. */
void bosc_result_column_put(bosc_result *s, int dim, int64_t n, bosc_meaning m,
                            const void *values);
void bosc_result_strings(bosc_result *s, int dim, size_t n,
                         const bosc_meaning *m, const char *const *text);

#endif
