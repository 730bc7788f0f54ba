/* bench_stats.h - several timings of the same thing, as three numbers.
 *
 * Serial code.
 */
#ifndef BOSC_SRC_BENCH_BENCH_STATS_H
#define BOSC_SRC_BENCH_BENCH_STATS_H

#include "src/base/status.h"

typedef struct bosc_spread {
    double median, least, most;
} bosc_spread;

/* Of n >= 1 values, which are sorted on the way.  The median of an even number
 * is the mean of the two in the middle. */
bosc_spread bosc_spread_of(double *values, int n);

/* What is timed: do it once, and say how long that took. */
typedef bosc_status bosc_timed(void *of, double *seconds, bosc_error *err);

/* Time it: once to warm up, which does not count, then at least 'repeat' times
 * (at most 1000), and until that took 50 ms.  *n is how often. */
bosc_status bosc_bench_time(bosc_timed *once, void *of, int repeat,
                            bosc_spread *out, int *n, bosc_error *err);

#endif
