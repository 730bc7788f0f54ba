/* result_found.c - what a file says that stands where a result is to be. */
#include "src/io/result.h"

#include <math.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/mem.h"
#include "src/io/result_file.h"
#include "src/io/result_input.h"

/* A text among the attributes of the file, or NULL. */
static char *get_text(int nc, const char *name)
{
    nc_type type;
    size_t n;
    char *text;

    if (nc_inq_att(nc, NC_GLOBAL, name, &type, &n) != NC_NOERR ||
        type != NC_CHAR || (text = calloc(n + 1, 1)) == NULL)
        return NULL;
    if (nc_get_att_text(nc, NC_GLOBAL, name, text) == NC_NOERR)
        return text;
    free(text);
    return NULL;
}

/* Which members have failed. */
static void get_status(int nc, bosc_result_found *found)
{
    int dim, variable, dims[NC_MAX_VAR_DIMS], n_dims;
    size_t n;

    if (nc_inq_varid(nc, "member_status", &variable) != NC_NOERR ||
        nc_inq_dimid(nc, "member", &dim) != NC_NOERR ||
        nc_inq_varndims(nc, variable, &n_dims) != NC_NOERR || n_dims != 1 ||
        nc_inq_vardimid(nc, variable, dims) != NC_NOERR || dims[0] != dim ||
        nc_inq_dimlen(nc, dim, &n) != NC_NOERR || n > INT32_MAX ||
        (found->status = bosc_alloc(n, sizeof *found->status)) == NULL)
        return;
    if (nc_get_var_int(nc, variable, found->status) == NC_NOERR) {
        found->n_members = (int)n;
        return;
    }
    free(found->status);
    found->status = NULL;
}

bosc_result_found bosc_result_look(const char *path)
{
    bosc_result_found found = {.reached = NAN, .tstop = NAN};
    double dt = NAN, steps;
    bosc_input in;
    struct stat s;
    char *completed;

    if (stat(path, &s) != 0 || s.st_size == 0)
        return found;
    found.there = true;
    if (bosc_input_open(path, &in) != NULL)
        return found;
    completed = get_text(in.nc, "completed");
    found.finished = completed != NULL && strcmp(completed, "yes") == 0;
    found.closed =
        completed != NULL && strcmp(completed, BOSC_RESULT_RUNNING) != 0;
    found.values = get_text(in.nc, "job_values");
    free(completed);
    get_status(in.nc, &found);
    nc_get_att_double(in.nc, NC_GLOBAL, "tstop_ms", &found.tstop);
    nc_get_att_double(in.nc, NC_GLOBAL, "dt_ms", &dt);
    steps = bosc_result_steps(in.nc);
    if (steps >= 0 && isfinite(steps))
        found.reached = steps * dt;
    bosc_input_close(&in);
    return found;
}

void bosc_result_found_clear(bosc_result_found *found)
{
    free(found->values);
    free(found->status);
    found->values = NULL;
    found->status = NULL;
}
