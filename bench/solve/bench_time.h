/* bench_time.h - the same thing timed several times.
 *
 * Serial code.
 */
#ifndef BOSC_BENCH_SOLVE_BENCH_TIME_H
#define BOSC_BENCH_SOLVE_BENCH_TIME_H

#include "src/base/status.h"
#include "src/calibrate/spread.h"

/* What is timed: do it once, and say how long that took. */
typedef bosc_status bosc_timed(void *of, double *seconds, bosc_error *err);

/* Time it: once to warm up, which does not count, then at least 'repeat' times
 * (at most 1000), and until that took 50 ms.  *n is how often. */
bosc_status bosc_bench_time(bosc_timed *once, void *of, int repeat,
                            bosc_spread *out, int *n, bosc_error *err);

#endif
