#include "src/bench/bench_stats.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

bosc_spread bosc_spread_of(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, by_value);
    return (bosc_spread){
        .median = 0.5 * (values[(n - 1) / 2] + values[n / 2]),
        .least = values[0],
        .most = values[n - 1],
    };
}

bosc_status bosc_bench_time(bosc_timed *once, void *of, int repeat,
                            bosc_spread *out, int *n, bosc_error *err)
{
    enum { MOST = 1000 };
    const double enough = 0.05;
    double seconds[MOST], total = 0;
    bosc_status st = once(of, seconds, err);

    *n = 0;
    while (st == BOSC_OK && *n < MOST && (*n < repeat || total < enough)) {
        st = once(of, &seconds[*n], err);
        total += seconds[(*n)++];
    }
    if (st == BOSC_OK)
        *out = bosc_spread_of(seconds, *n);
    return st;
}
