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
    nc_get_att_double(in.nc, NC_GLOBAL, "tstop_ms", &found.tstop);
    nc_get_att_double(in.nc, NC_GLOBAL, "dt_ms", &dt);
    steps = bosc_result_steps(in.nc);
    if (steps >= 0 && isfinite(steps))
        found.reached = steps * dt;
    bosc_input_close(&in);
    return found;
}
