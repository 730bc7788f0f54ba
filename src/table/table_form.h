/* table_form.h - what the forms of tables share; for table*.c, and
 * src/io/table_netcdf.c and result_input.c.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_TABLE_TABLE_FORM_H
#define BOSC_SRC_TABLE_TABLE_FORM_H

#include "src/table/table.h"
#include "src/text/lines.h"

enum { BOSC_TABLE_NAME = 64 /* room for a name of a column */ };

/* A form of file.  'open' sets table->state and table->place, or fails and
 * leaves 'state' to 'close', which takes NULL; 'next' is bosc_table_next(). */
typedef struct bosc_table_form {
    bosc_status (*open)(bosc_table *table, bosc_error *err);
    bosc_status (*next)(bosc_table *table, size_t max, double *rows, size_t *n,
                        bosc_error *err);
    void (*close)(void *state);
} bosc_table_form;

extern const bosc_table_form bosc_table_text;

struct bosc_table {
    const bosc_table_form *form;
    void *state;
    char *path, *where;
    FILE *file; /* opened once, as a pipe can be; NetCDF opens the path again */
    bosc_lines lines; /* of it */
    int n_columns;
    const bosc_table_column *columns;
    const char *unit;                  /* as bosc_table_unit() */
    int place[BOSC_TABLE_MAX_COLUMNS]; /* the field of a line, or any number
                                          where it has a variable; -1: none */
    double factor[BOSC_TABLE_MAX_COLUMNS][2]; /* a number of the file times the
                                  first over the second is in our unit */
};

/* Copy the first of the names "a|b|c"; returns the rest, NULL after the last:
 *     for (const char *rest = names; rest != NULL;)
 *         rest = bosc_table_name(rest, name);                              */
const char *bosc_table_name(const char *names, char name[BOSC_TABLE_NAME]);

/* The file cannot be opened or read, for the reason 'why'. */
bosc_status bosc_table_refused(const bosc_table *table, const char *why,
                               bosc_error *err);

/* Column c has this unit in the file, "": none.  What is wrong with it, as the
 * end of a sentence that begins with it; "" if it may be. */
const char *bosc_table_take_unit(bosc_table *table, int c, const char *unit,
                                 char text[BOSC_TABLE_WRONG]);

/* A number of column c as it is in the file becomes ours; as
 * bosc_table_wrong(). */
const char *bosc_table_take(const bosc_table *table, int c, double *value,
                            char text[BOSC_TABLE_WRONG]);

/* BOSC_EFORMAT where a required column has no place. */
bosc_status bosc_table_complete(const bosc_table *table, const char *what,
                                bosc_error *err);

#endif
