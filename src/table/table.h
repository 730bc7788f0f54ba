/* table.h - numbers in columns, from a text or a NetCDF file, block by block.
 *
 * Serial code: no MPI.  The file may be larger than memory.
 *
 * A text has a row a line; what follows a '#' and empty lines do not count. Its
 * first line shows how columns are separated: by a tab or blanks, by commas or
 * by semicolons.  It may name the columns, in any order and in any case; else
 * they come in the order asked for, and optional ones at the end may be left
 * out.  Behind a name its unit may stand, in brackets: "weight (nS)".  Every
 * line has as many columns as the first.  A field may be in double quotes.  A
 * text may come from a pipe.
 *
 * A NetCDF file, known by its first bytes, has for each column a variable of
 * its name with one dimension; all have one length.  An attribute 'units' is
 * its unit.  Words are strings, or numbers that attributes 'flag_values' and
 * 'flag_meanings' give words.  Asked for the time and a
 * name that begins with '/', it is an NWB file, and that one of its time series
 * (src/io/table_nwb.h).
 *
 * Example: asked for source, target and an optional weight, these are equal:
 *     # no names               target  weight  source
 *     3 7 0.25                 7       0.25    3
 */
#ifndef BOSC_SRC_TABLE_TABLE_H
#define BOSC_SRC_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/status.h"

enum {
    BOSC_TABLE_MAX_COLUMNS = 128,
    BOSC_TABLE_WRONG = 200 /* room for what is wrong with a value */
};

/* The number that a word stands for; what is wrong with it, as the end of a
 * sentence that begins with it, in 'wrong', which is returned, "": nothing. */
typedef const char *bosc_table_word(const void *words, const char *word,
                                    double *value,
                                    char wrong[BOSC_TABLE_WRONG]);

/* What few columns are besides. */
typedef struct bosc_table_more {
    const char *unit; /* of the numbers, "uS": a file may give another */
    bool named;       /* it must be named: no place of a text without names */
    bool gaps;        /* a row may have none, '-', or in NetCDF NaN or the fill
                         value: 'standard' stands for it */
    bool line; /* no column of a file, but the line of each row, of NetCDF its
                  index */
    bosc_table_word *word; /* all its fields are words; NULL: numbers */
    const void *words;
} bosc_table_more;

typedef struct bosc_table_column {
    const char *name; /* or names, first the one for messages: "time|spike_time"
                         (the first that a NetCDF file has is taken) */
    bool required;
    bool whole;       /* only whole numbers, which are exact below 2^53 */
    double low, high; /* allowed, both inclusive; infinite: no bound.  Values
                         are finite all the same */
    double standard;  /* where the file has no such column */
    const bosc_table_more *more; /* NULL: nothing */
} bosc_table_column;

typedef struct bosc_table bosc_table;

/* Open 'path' and find its columns.  'files' reads NetCDF (files.h); NULL:
 * such a file is refused.  'columns' [n_columns], at most 128, must
 * outlive the table.  'where' is how the message begins when the file cannot be
 * opened: who named it ("job.yaml:12").  BOSC_ENOINPUT, BOSC_EFORMAT,
 * BOSC_EVALUE or BOSC_ENOMEM; messages about what is in the file begin
 * "file:line" or "file: variable[index]", indices from 0. */
bosc_status bosc_table_open(const bosc_files *files, const char *path,
                            const char *where, int n_columns,
                            const bosc_table_column *columns, bosc_table **out,
                            bosc_error *err);

/* The next rows, at most 'max' (> 0), into rows[max][n_columns]; *n is how
 * many, 0 at the end.  After a failure the table is only good for closing. */
bosc_status bosc_table_next(bosc_table *table, size_t max, double *rows,
                            size_t *n, bosc_error *err);

/* What is wrong with a number of such a column, as of a word. */
const char *bosc_table_wrong(const bosc_table_column *column, double value,
                             char wrong[BOSC_TABLE_WRONG]);

/* Has the file that column? */
bool bosc_table_has(const bosc_table *table, int column);

/* The line of the row that was read last; 0: NetCDF has none. */
long long bosc_table_line(const bosc_table *table);

/* The unit of the numbers, nA or mV, where the file says it: a time series of
 * an NWB file; else NULL. */
const char *bosc_table_unit(const bosc_table *table);

/* About how many rows a file has whose first column has these names; < 0 where
 * that is unknown before it is read, of a pipe for instance. */
double bosc_table_rows(const bosc_files *files, const char *path,
                       const char *names);

/* NULL is allowed. */
void bosc_table_close(bosc_table *table);

#endif
