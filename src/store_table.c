/* store_table.c - tables in NetCDF files: a variable a column. */
#include "src/table_form.h"

#include <netcdf.h>
#include <stdlib.h>

#include "src/mem.h"

typedef struct reader {
    int nc; /* netCDF's id of the file, -1: not open */
    size_t length, at;
    size_t room;
    double *values; /* [room] of one variable */
} reader;

/* Any call of netCDF whose failure is the file's. */
static bosc_status check(const bosc_table *table, int code, bosc_error *err)
{
    return code == NC_NOERR ? BOSC_OK
                            : bosc_table_refused(table, nc_strerror(code), err);
}

/* The id of the first of the names that the file has, or -1. */
static int find(int nc, const char *names)
{
    int variable = -1;

    while (names != NULL) {
        char name[BOSC_TABLE_NAME];

        names = bosc_table_name(names, name);
        if (nc_inq_varid(nc, name, &variable) == NC_NOERR)
            return variable;
    }
    return -1;
}

/* One dimension, numbers, as long as the others. */
static bosc_status inspect(const bosc_table *table, reader *r, int variable,
                           bool first, bosc_error *err)
{
    int dimension[NC_MAX_VAR_DIMS] = {0}, n_dimensions = 0;
    char name[NC_MAX_NAME + 1] = "";
    nc_type type = NC_NAT;
    size_t length = 0;
    bosc_status st = check(table,
                           nc_inq_var(r->nc, variable, name, &type,
                                      &n_dimensions, dimension, NULL),
                           err);

    if (st != BOSC_OK)
        return st;
    if (n_dimensions != 1)
        return bosc_table_fail(table, 0, err,
                               "variable '%s' has %d dimensions; make it one "
                               "list of numbers",
                               name, n_dimensions);
    if (type == NC_CHAR || type >= NC_STRING)
        return bosc_table_fail(table, 0, err,
                               "variable '%s' holds no numbers; store it as "
                               "int64 or double",
                               name);
    st = check(table, nc_inq_dimlen(r->nc, dimension[0], &length), err);
    if (st == BOSC_OK && !first && length != r->length)
        return bosc_table_fail(table, 0, err,
                               "variable '%s' has %zu values, those before it "
                               "%zu; make them equally many",
                               name, length, r->length);
    r->length = length;
    return st;
}

static bosc_status open_netcdf(bosc_table *table, bosc_error *err)
{
    reader *r = bosc_alloc(1, sizeof *r);
    bool first = true;

    if (r == NULL)
        return bosc_no_memory(err, table->path);
    table->state = r;
    r->nc = -1;

    bosc_status st =
        check(table, nc_open(table->path, NC_NOWRITE, &r->nc), err);

    for (int c = 0; st == BOSC_OK && c < table->n_columns; ++c) {
        const int variable = find(r->nc, table->columns[c].name);

        table->place[c] = variable;
        if (variable >= 0) {
            st = inspect(table, r, variable, first, err);
            first = false;
        }
    }
    return st == BOSC_OK ? bosc_table_complete(table, "variable", err) : st;
}

bool bosc_table_netcdf_rows(const char *path, const char *names, double *rows)
{
    int nc, dimension[NC_MAX_VAR_DIMS] = {0}, n_dimensions = 0;
    size_t length = 0;

    *rows = -1;
    if (nc_open(path, NC_NOWRITE, &nc) != NC_NOERR)
        return false;

    const int variable = find(nc, names);

    if (variable >= 0 &&
        nc_inq_var(nc, variable, NULL, NULL, &n_dimensions, dimension, NULL) ==
            NC_NOERR &&
        n_dimensions == 1 &&
        nc_inq_dimlen(nc, dimension[0], &length) == NC_NOERR)
        *rows = (double)length;
    nc_close(nc);
    return true;
}

static bosc_status wrong_value(const bosc_table *table, const reader *r, int c,
                               size_t i, bosc_error *err)
{
    char name[NC_MAX_NAME + 1] = "", wrong[BOSC_TABLE_WRONG];

    nc_inq_varname(r->nc, table->place[c], name);
    return bosc_table_fail(
        table, 0, err, "%s[%zu]: %.17g %s", name, r->at + i, r->values[i],
        bosc_table_wrong(&table->columns[c], r->values[i], wrong));
}

static bosc_status read_column(const bosc_table *table, reader *r, int c,
                               size_t n, double *rows, bosc_error *err)
{
    const bosc_table_column *column = &table->columns[c];
    const size_t stride = (size_t)table->n_columns;
    bosc_status st = check(
        table,
        nc_get_vara_double(r->nc, table->place[c], &r->at, &n, r->values), err);

    for (size_t i = 0; st == BOSC_OK && i < n; ++i) {
        char wrong[BOSC_TABLE_WRONG];

        rows[i * stride + (size_t)c] = r->values[i];
        if (bosc_table_wrong(column, r->values[i], wrong)[0] != '\0')
            st = wrong_value(table, r, c, i, err);
    }
    return st;
}

static bosc_status next_netcdf(bosc_table *table, size_t max, double *rows,
                               size_t *n, bosc_error *err)
{
    reader *r = table->state;
    const size_t left = r->length - r->at, here = left < max ? left : max;
    const size_t stride = (size_t)table->n_columns;
    bosc_status st = BOSC_OK;

    if (!bosc_grow(&r->values, &r->room, here, sizeof *r->values))
        return bosc_no_memory(err, table->path);
    for (int c = 0; st == BOSC_OK && here > 0 && c < table->n_columns; ++c)
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

    if (r->nc >= 0)
        nc_close(r->nc); /* only read: nothing can be lost */
    free(r->values);
    free(r);
}

const bosc_table_form bosc_table_netcdf = {open_netcdf, next_netcdf,
                                           close_netcdf};
