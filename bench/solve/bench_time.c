#include "bench/solve/bench_time.h"

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
