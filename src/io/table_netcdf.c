/* table_netcdf.c - tables in NetCDF files: a variable a column. */

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/io/netcdf_files.h"
#include "src/io/result.h"
#include "src/io/result_input.h"
#include "src/io/table_nwb.h"

typedef struct reader {
    bosc_input in;
    bosc_input_variable variable[BOSC_TABLE_MAX_COLUMNS];
    size_t length, at;
    size_t room;
    double *values; /* [room] of one variable */
    double *series; /* [length][2] of an NWB file; NULL: there is none */
} reader;

/* The first of the names that the file has; false: it has none. */
static bool find(const bosc_input *in, const char *names,
                 char name[BOSC_TABLE_NAME])
{
    int variable;

    while (names != NULL) {
        names = bosc_table_name(names, name);
        if (nc_inq_varid(in->nc, name, &variable) == NC_NOERR)
            return true;
    }
    return false;
}

/* One dimension, numbers, as long as the others. */
static bosc_status inspect(const bosc_table *table, reader *r, int c,
                           const char *name, bool first, bosc_error *err)
{
    bosc_input_variable *v = &r->variable[c];
    const bosc_status st = bosc_input_numbers(&r->in, name, 1, NULL, v, err);

    if (st == BOSC_OK && !first && v->length[0] != r->length)
        return bosc_fail_at(err, BOSC_EFORMAT, table->path, 0,
                            "variable '%s' has %zu values, those before it "
                            "%zu; make them equally many",
                            name, v->length[0], r->length);
    r->length = v->length[0];
    return st;
}

static bosc_status open_netcdf(bosc_table *table, bosc_error *err)
{
    reader *r = bosc_alloc(1, sizeof *r);
    bosc_status st = BOSC_OK;
    bool first = true;

    if (r == NULL)
        return bosc_no_memory(err, table->path);
    table->state = r;

    const char *why = bosc_input_open(table->path, &r->in);

    if (why != NULL)
        return bosc_table_refused(table, why, err);
    if (table->n_columns == 2 && table->columns[1].name[0] == '/')
        return bosc_nwb_read(&r->in, &table->columns[1], &r->length, &r->series,
                             &table->unit, err);
    for (int c = 0; st == BOSC_OK && c < table->n_columns; ++c) {
        char name[BOSC_TABLE_NAME];

        if (!find(&r->in, table->columns[c].name, name))
            continue;
        table->place[c] = c;
        st = inspect(table, r, c, name, first, err);
        first = false;
    }
    return st == BOSC_OK ? bosc_table_complete(table, "variable", err) : st;
}

static bool count_rows(const char *path, const char *names, double *rows)
{
    char name[BOSC_TABLE_NAME];
    bosc_input_variable v;
    bosc_input in;

    *rows = -1;
    if (bosc_input_open(path, &in) != NULL)
        return false;
    if (find(&in, names, name) &&
        bosc_input_numbers(&in, name, 1, NULL, &v, NULL) == BOSC_OK)
        *rows = (double)v.length[0];
    bosc_input_close(&in);
    return true;
}

static bosc_status read_column(const bosc_table *table, reader *r, int c,
                               size_t n, double *rows, bosc_error *err)
{
    const size_t stride = (size_t)table->n_columns;
    const bosc_status st =
        bosc_input_values(&r->in, &r->variable[c], &table->columns[c], &r->at,
                          &n, r->values, err);

    for (size_t i = 0; st == BOSC_OK && i < n; ++i)
        rows[i * stride + (size_t)c] = r->values[i];
    return st;
}

static bosc_status next_netcdf(bosc_table *table, size_t max, double *rows,
                               size_t *n, bosc_error *err)
{
    reader *r = table->state;
    const size_t left = r->length - r->at, here = left < max ? left : max;
    const size_t stride = (size_t)table->n_columns;
    bosc_status st = BOSC_OK;

    if (r->series != NULL) {
        memcpy(rows, r->series + 2 * r->at, 2 * here * sizeof *rows);
        r->at += here;
        *n = here;
        return BOSC_OK;
    }
    if (!bosc_grow(&r->values, &r->room, here, sizeof *r->values))
        return bosc_no_memory(err, table->path);
    for (int c = 0; st == BOSC_OK && c < table->n_columns; ++c)
        if (table->place[c] >= 0)
            st = read_column(table, r, c, here, rows, err);
        else
            for (size_t i = 0; i < here; ++i)
                rows[i * stride + (size_t)c] = table->columns[c].standard;
    if (st != BOSC_OK)
        return st;
    r->at += here;
    *n = here;
    return BOSC_OK;
}

static void close_netcdf(void *state)
{
    reader *r = state;

    bosc_input_close(&r->in);
    free(r->values);
    free(r->series);
    free(r);
}

static const bosc_table_form form = {open_netcdf, next_netcdf, close_netcdf};

const bosc_files bosc_netcdf_files = {
    .table = &form,
    .rows = count_rows,
    .ranks = bosc_result_read_ranks,
};
