/* result_table.h - a NetCDF file of one table: a variable for each column.
 *
 * Serial code.  Attributes of the file: title, history (date, command), source,
 * Conventions, completed, and those that the caller gives.
 */
#ifndef BOSC_SRC_IO_RESULT_TABLE_H
#define BOSC_SRC_IO_RESULT_TABLE_H

#include <stddef.h>

#include "src/base/lock.h"
#include "src/base/status.h"

typedef enum bosc_result_type {
    BOSC_RESULT_TEXT,   /* const char * */
    BOSC_RESULT_CHARS,  /* char[], ended by NUL */
    BOSC_RESULT_INT,    /* int32_t */
    BOSC_RESULT_INT64,  /* int64_t */
    BOSC_RESULT_DOUBLE, /* double */
} bosc_result_type;

typedef struct bosc_result_column {
    const char *name, *units, *long_name; /* units NULL: none */
    bosc_result_type type;
    size_t offset; /* bytes from the start of a row */
} bosc_result_column;

typedef struct bosc_result_attribute {
    const char *name, *text; /* "": it is left out */
} bosc_result_attribute;

typedef struct bosc_result_table {
    const char *title, *command, *dimension;
    int n_attributes, n_columns;
    const bosc_result_attribute *attributes; /* [n_attributes] */
    const bosc_result_column *columns;       /* [n_columns] */
    size_t n, size;                          /* rows, bytes of a row */
    const void *rows;                        /* [n] */
    const bosc_lock *lock;                   /* of the path, or NULL */
} bosc_result_table;

/* Write the file, in place of an earlier one.  As bosc_result_finish() where it
 * fails. */
bosc_status bosc_result_table_write(const char *path,
                                    const bosc_result_table *table,
                                    bosc_error *err);

#endif
