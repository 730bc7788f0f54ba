/* store_whole.c - what stands for store_parts.c where netCDF writes from one
 * rank only: it says so, and nothing else is called. */
#include "config.h"

#include "src/store_parts.h"

#include <netcdf.h>

bool bosc_parts_possible(void)
{
    return false;
}

int bosc_parts_file(const char *path, int mode, int *nc)
{
    (void)path;
    (void)mode;
    (void)nc;
    return NC_ENOPAR;
}

static bosc_status refuse(bosc_error *err)
{
    return bosc_fail(err, BOSC_EVALUE,
                     "this bosc's netCDF writes from one rank only");
}

bosc_status bosc_parts_create(MPI_Comm io, bosc_store *store,
                              const bosc_parts_cut *part, int n,
                              bosc_parts **out, bosc_error *err)
{
    (void)io;
    (void)store;
    (void)part;
    (void)n;
    (void)out;
    return refuse(err);
}

bosc_status bosc_parts_frames(bosc_parts *parts, int part,
                              const bosc_store_block *block,
                              const double *values, bosc_error *err)
{
    (void)parts;
    (void)part;
    (void)block;
    (void)values;
    return refuse(err);
}

bosc_status bosc_parts_turn(bosc_parts *parts, int part, int32_t turn,
                            int64_t end, bosc_error *err)
{
    (void)parts;
    (void)part;
    (void)turn;
    (void)end;
    return refuse(err);
}

bosc_status bosc_parts_spikes(bosc_parts *parts, int64_t n, const double *time,
                              const int64_t *gid, bosc_error *err)
{
    (void)parts;
    (void)n;
    (void)time;
    (void)gid;
    return refuse(err);
}

bosc_status bosc_parts_range(bosc_parts *parts, bosc_error *err)
{
    (void)parts;
    return refuse(err);
}

bosc_status bosc_parts_finish(bosc_parts *parts, bosc_error *err)
{
    (void)parts;
    return refuse(err);
}
