#include "src/io/result_table.h"

#include <netcdf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/io/result_file.h"

static const struct {
    int netcdf;
    size_t size;
} types[] = {
    [BOSC_RESULT_TEXT] = {NC_STRING, sizeof(char *)},
    [BOSC_RESULT_CHARS] = {NC_STRING, sizeof(char *)},
    [BOSC_RESULT_INT] = {NC_INT, sizeof(int32_t)},
    [BOSC_RESULT_INT64] = {NC_INT64, sizeof(int64_t)},
    [BOSC_RESULT_DOUBLE] = {NC_DOUBLE, sizeof(double)},
};

/* values: room for a value of each row */
static void put_column(bosc_result *s, int dim, const bosc_result_table *table,
                       const bosc_result_column *column, char *values)
{
    const bosc_meaning meaning = {column->name, types[column->type].netcdf,
                                  column->units, column->long_name};
    const size_t size = types[column->type].size;

    for (size_t i = 0; i < table->n; ++i) {
        const char *at =
            (const char *)table->rows + i * table->size + column->offset;

        if (column->type == BOSC_RESULT_CHARS)
            ((const char **)(void *)values)[i] = at;
        else
            memcpy(values + i * size, at, size);
    }
    if (types[column->type].netcdf == NC_STRING)
        bosc_result_strings(s, dim, table->n, &meaning,
                            (const char *const *)(const void *)values);
    else
        bosc_result_column_put(s, dim, (int64_t)table->n, meaning, values);
}

bosc_status bosc_result_table_write(const char *path,
                                    const bosc_result_table *table,
                                    bosc_error *err)
{
    char *values = bosc_alloc(table->n, sizeof(double));
    bosc_result *s = NULL;
    bosc_status st =
        values != NULL ? bosc_result_open(path, 1, false, table->lock, &s, err)
                       : bosc_no_memory(err, path);

    if (st == BOSC_OK) {
        const int dim = bosc_result_dim(s, table->dimension, table->n);

        s->replace = true; /* the table so far */
        bosc_result_heading(s, table->title, table->command);
        for (int k = 0; k < table->n_attributes; ++k)
            if (table->attributes[k].text[0] != '\0')
                bosc_result_text(s, NC_GLOBAL, table->attributes[k].name,
                                 table->attributes[k].text);
        for (int k = 0; k < table->n_columns; ++k)
            put_column(s, dim, table, &table->columns[k], values);
        st = bosc_result_close(s, err);
    }
    free(values);
    return st;
}
