/* bench_file.h - the NetCDF file of 'bosc bench papers'.
 *
 * Serial code.  One row a measurement, all variables over it:
 *   experiment shape precision method backend device why_not   texts
 *   neurons trees repeats                 int
 *   compartments slots                    int64
 *   seconds_median seconds_least seconds_most    double, s, of one solve
 *   traffic memory                        double, byte
 *   copy_bandwidth                        double, byte s-1, of the device
 *   residual over_sequential over_openmp  double, 1; 0 where unknown
 * What could not be measured has a reason in why_not, and no times (0).
 * Attributes besides those of io/result_table.h: host (its processor and its
 * threads), driver (of GPUs, where there are).
 */
#ifndef BOSC_SRC_BENCH_BENCH_FILE_H
#define BOSC_SRC_BENCH_BENCH_FILE_H

#include <stddef.h>

#include "src/base/lock.h"
#include "src/bench/bench.h"

/* Where measurements are from. */
typedef struct bosc_bench_origin {
    const char *command, *host;
    const char *driver;    /* "": none */
    const bosc_lock *lock; /* of the path, or NULL */
} bosc_bench_origin;

/* Write the file, in place of an earlier one.  As bosc_result_table_write()
 * where it fails. */
bosc_status bosc_bench_file_write(const char *path,
                                  const bosc_bench_origin *origin, size_t n,
                                  const bosc_bench_result *results,
                                  bosc_error *err);

#endif
