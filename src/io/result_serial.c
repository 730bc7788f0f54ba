/* result_serial.c - in place of result_parallel.c where netCDF writes from one
 * rank only: creating a parallel file fails, and no other call is made. */
#include "config.h"

#include "src/io/result_file.h"
#include "src/io/result_parallel.h"

#include <netcdf.h>

bool bosc_parallel_file_possible(void)
{
    return false;
}

int bosc_parallel_file_make(const char *path, int mode, int *nc)
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

bosc_status bosc_parallel_file_create(MPI_Comm io, bosc_result *result,
                                      const bosc_parallel_file_layout *layout,
                                      int n, bosc_parallel_file **out,
                                      bosc_error *err)
{
    (void)io;
    (void)result;
    (void)layout;
    (void)n;
    (void)out;
    return refuse(err);
}

bosc_status bosc_parallel_file_frames(bosc_parallel_file *file, int k,
                                      const bosc_result_block *block,
                                      const double *values, bosc_error *err)
{
    (void)file;
    (void)k;
    (void)block;
    (void)values;
    return refuse(err);
}

bosc_status bosc_parallel_file_turn(bosc_parallel_file *file, int k,
                                    int32_t turn, int64_t end, bosc_error *err)
{
    (void)file;
    (void)k;
    (void)turn;
    (void)end;
    return refuse(err);
}

bosc_status bosc_parallel_file_spikes(bosc_parallel_file *file, int64_t n,
                                      const double *time, const int64_t *gid,
                                      bosc_error *err)
{
    (void)file;
    (void)n;
    (void)time;
    (void)gid;
    return refuse(err);
}

bosc_status bosc_parallel_file_range(bosc_parallel_file *file, bosc_error *err)
{
    (void)file;
    return refuse(err);
}

bosc_status bosc_parallel_file_finish(bosc_parallel_file *file, bosc_error *err)
{
    (void)file;
    return refuse(err);
}
