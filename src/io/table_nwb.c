/* table_nwb.c - time series of NWB files. */
#include "src/io/table_nwb.h"

#include <math.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/mem.h"

/* What NWB files call a unit, and how many of ours it has. */
static const struct {
    const char *theirs, *ours;
    double factor;
} units[] = {
    {"amperes", "nA", 1e9}, {"ampere", "nA", 1e9}, {"amps", "nA", 1e9},
    {"amp", "nA", 1e9},     {"A", "nA", 1e9},      {"volts", "mV", 1e3},
    {"volt", "mV", 1e3},    {"V", "mV", 1e3},
};

/* A series. */
typedef struct series {
    bosc_input in;    /* its group */
    const char *name; /* of it, in the file */
    bosc_input_variable data;
    double factor, offset; /* from a number of 'data' to one of ours */
    double rate;           /* Hz; 0: there are timestamps */
    bosc_input_variable timestamps;
} series;

static bosc_status refuse(const series *s, bosc_error *err, const char *what)
{
    return bosc_fail_at(err, BOSC_EFORMAT, s->in.path, 0, "%s: %s", s->name,
                        what);
}

/* A numeric attribute of a variable of the group, or what it is without one. */
static double number_of(const series *s, int variable, const char *name,
                        double without)
{
    nc_type type;
    size_t n;
    double value;

    return nc_inq_att(s->in.nc, variable, name, &type, &n) == NC_NOERR &&
                   type != NC_CHAR && type != NC_STRING && n == 1 &&
                   nc_get_att_double(s->in.nc, variable, name, &value) ==
                       NC_NOERR
               ? value
               : without;
}

/* The attribute 'unit' of the data; "": it has none. */
static void unit_of(const series *s, char text[32])
{
    nc_type type;
    size_t n;
    char *string = NULL;

    text[0] = '\0';
    if (nc_inq_att(s->in.nc, s->data.id, "unit", &type, &n) != NC_NOERR)
        return;
    if (type == NC_CHAR && n < 32 &&
        nc_get_att_text(s->in.nc, s->data.id, "unit", text) == NC_NOERR)
        text[n] = '\0';
    if (type == NC_STRING && n == 1 &&
        nc_get_att_string(s->in.nc, s->data.id, "unit", &string) == NC_NOERR) {
        if (string != NULL && strlen(string) < 32)
            strcpy(text, string);
        nc_free_string(1, &string);
    }
}

static bosc_status find_unit(series *s, const char **ours, bosc_error *err)
{
    char unit[32];

    unit_of(s, unit);
    for (size_t i = 0; i < BOSC_LEN(units); ++i)
        if (strcasecmp(unit, units[i].theirs) == 0) {
            const double factor = units[i].factor;

            *ours = units[i].ours;
            s->factor = factor * number_of(s, s->data.id, "conversion", 1);
            s->offset = factor * number_of(s, s->data.id, "offset", 0);
            return BOSC_OK;
        }
    return bosc_fail_at(err, BOSC_EFORMAT, s->in.path, 0,
                        "%s: its data has the unit '%s'; it must be amperes or "
                        "volts",
                        s->name, unit);
}

static bosc_status find_times(series *s, bosc_error *err)
{
    int variable;

    if (nc_inq_varid(s->in.nc, "timestamps", &variable) == NC_NOERR) {
        const bosc_status st = bosc_input_numbers(&s->in, "timestamps", 1, NULL,
                                                  &s->timestamps, err);

        return st == BOSC_OK && s->timestamps.length[0] != s->data.length[0]
                   ? refuse(s, err, "it has not as many timestamps as data")
                   : st;
    }
    if (nc_inq_varid(s->in.nc, "starting_time", &variable) == NC_NOERR)
        s->rate = number_of(s, variable, "rate", 0);
    return s->rate > 0 && isfinite(s->rate)
               ? BOSC_OK
               : refuse(s, err,
                        "it has neither timestamps nor a starting_time with a "
                        "rate above 0");
}

static bosc_status fill(const series *s, const bosc_table_column *column,
                        double *value, double *rows, bosc_error *err)
{
    const bosc_table_column any = {
        .name = "timestamps", .low = -INFINITY, .high = INFINITY};
    const size_t n = s->data.length[0], zero = 0;
    bosc_status st =
        bosc_input_values(&s->in, &s->data, column, &zero, &n, value, err);

    for (size_t i = 0; i < n && st == BOSC_OK; ++i) {
        rows[2 * i] = s->rate > 0 ? 1000 * (double)i / s->rate : 0;
        rows[2 * i + 1] = value[i] * s->factor + s->offset;
    }
    if (st == BOSC_OK && s->rate == 0)
        st = bosc_input_values(&s->in, &s->timestamps, &any, &zero, &n, value,
                               err);
    for (size_t i = 0; i < n && st == BOSC_OK && s->rate == 0; ++i)
        rows[2 * i] = 1000 * (value[i] - value[0]);
    return st;
}

bosc_status bosc_nwb_read(const bosc_input *in, const bosc_table_column *column,
                          size_t *n, double **rows, const char **unit,
                          bosc_error *err)
{
    series s = {.in = *in, .name = column->name};
    double *value = NULL;
    bosc_status st;

    *rows = NULL;
    if (nc_inq_grp_full_ncid(in->nc, s.name, &s.in.nc) != NC_NOERR)
        return refuse(&s, err,
                      "the file has no such group; 'ncdump -h' lists them");
    st = bosc_input_numbers(&s.in, "data", 1, NULL, &s.data, err);
    if (st == BOSC_OK)
        st = find_unit(&s, unit, err);
    if (st == BOSC_OK)
        st = find_times(&s, err);
    if (st != BOSC_OK)
        return st;
    *n = s.data.length[0];
    st = BOSC_ALLOC(err, in->path, BOSC_ARRAY(value, *n),
                    BOSC_ARRAY(*rows, 2 * *n));
    if (st == BOSC_OK)
        st = fill(&s, column, value, *rows, err);
    free(value);
    return st;
}
