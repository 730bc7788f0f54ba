/* netcdf_calls.c - calls of netCDF that the files of a merge share. */
#include <netcdf.h>
#include <stdlib.h>

#include "src/merge/parts.h"

bosc_status bosc_merge_check(bosc_merger *m, int code, const char *path,
                             const char *name)
{
    if (code == NC_NOERR)
        return BOSC_OK;
    return bosc_fail(m->err, BOSC_EIO, "%s: '%s': %s", path, name,
                     nc_strerror(code));
}

char *bosc_merge_text(int nc, int variable, const char *name)
{
    nc_type type;
    size_t n;
    char *text;

    if (nc_inq_att(nc, variable, name, &type, &n) != NC_NOERR ||
        type != NC_CHAR || (text = calloc(n + 1, 1)) == NULL)
        return NULL;
    if (nc_get_att_text(nc, variable, name, text) == NC_NOERR)
        return text;
    free(text);
    return NULL;
}
