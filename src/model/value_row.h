/* value_row.h - the rows of a table of values; for value_*.c.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_MODEL_VALUE_ROW_H
#define BOSC_SRC_MODEL_VALUE_ROW_H

#include "src/model/value_table.h"
#include "src/morphology/spec.h"

/* Where its values are to be.  What the table has no column for is 0. */
typedef struct bosc_value_row {
    int64_t neuron;
    int32_t region, number;
    double x;
    int64_t line;   /* of the file */
    int64_t values; /* values[values * n_columns] and so on */
} bosc_value_row;

struct bosc_value_table {
    char *name;
    bosc_value_keys has;
    int n_columns;
    char **unit; /* [n_columns] */
    int64_t n;
    bosc_value_row *rows; /* [n], sorted */
    double *values;       /* [n][n_columns], as in the file */
};

/* By neuron, section and x. */
int bosc_value_row_compare(const bosc_value_row *a, const bosc_value_row *b);

/* "neuron 3, dend[12]", as far as the table tells them apart. */
enum { BOSC_VALUE_PLACE = 80 };
const char *bosc_value_row_name(bosc_value_keys has, const bosc_value_row *row,
                                char text[BOSC_VALUE_PLACE]);

#endif
