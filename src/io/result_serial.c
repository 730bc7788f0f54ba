/* result_serial.c - what stands for result_parallel.c where netCDF writes from
 * one rank only: it says so, and nothing else is called. */
#include "config.h"

#include "src/io/result_file.h"
#include "src/io/result_parallel.h"

#include <netcdf.h>

bool bosc_parallel_file_possible(void)
{
    return false;
}

int bosc_parallel_file_file(const char *path, int mode, int *nc)
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

bosc_status bosc_parallel_file_create(MPI_Comm io, bosc_result *store,
                                      const bosc_parallel_file_cut *part, int n,
                                      bosc_parallel_file **out, bosc_error *err)
{
    (void)io;
    (void)store;
    (void)part;
    (void)n;
    (void)out;
    return refuse(err);
}

bosc_status bosc_parallel_file_frames(bosc_parallel_file *parts, int part,
                                      const bosc_result_block *block,
                                      const double *values, bosc_error *err)
{
    (void)parts;
    (void)part;
    (void)block;
    (void)values;
    return refuse(err);
}

bosc_status bosc_parallel_file_turn(bosc_parallel_file *parts, int part,
                                    int32_t turn, int64_t end, bosc_error *err)
{
    (void)parts;
    (void)part;
    (void)turn;
    (void)end;
    return refuse(err);
}

bosc_status bosc_parallel_file_spikes(bosc_parallel_file *parts, int64_t n,
                                      const double *time, const int64_t *gid,
                                      bosc_error *err)
{
    (void)parts;
    (void)n;
    (void)time;
    (void)gid;
    return refuse(err);
}

bosc_status bosc_parallel_file_range(bosc_parallel_file *parts, bosc_error *err)
{
    (void)parts;
    return refuse(err);
}

bosc_status bosc_parallel_file_finish(bosc_parallel_file *parts,
                                      bosc_error *err)
{
    (void)parts;
    return refuse(err);
}
