/* counters.h - what a GPU's counters say of a solve, by the range profiler of
 * NVIDIA's CUPTI, a library that is opened when it is asked for.
 *
 * Not collective; of the GPU in use.  A process may need permission for it.
 */
#ifndef BOSC_BENCH_SOLVE_COUNTERS_H
#define BOSC_BENCH_SOLVE_COUNTERS_H

#include "src/base/status.h"

typedef enum bosc_counter {
    BOSC_COUNTER_OCCUPANCY,    /* per cent of a multiprocessor's warps that are
                                  active, while any is */
    BOSC_COUNTER_L2_HITS,      /* per cent of the sectors asked of the L2 cache
                                  that it has */
    BOSC_COUNTER_INSTRUCTIONS, /* that a multiprocessor's warps begin, a cycle
                                  in which it is active */
    BOSC_COUNTERS
} bosc_counter;

/* How a GPU is asked: begin with {0}, end with bosc_counters_close(). */
typedef struct bosc_counters {
    struct bosc_cupti *cupti; /* NULL: not opened, or it cannot be */
    bosc_error why;           /* not "": the first reason why not */
} bosc_counters;

/* What the counters say of the kernels that 'once' runs, which is called
 * several times, because few counters count at a time; 'before' each of them
 * not counted.  Where they cannot be read all are NaN and counters->why says
 * it; fails where 'before' or 'once' does. */
bosc_status bosc_counters_read(bosc_counters *counters,
                               bosc_status (*before)(void *of, bosc_error *err),
                               bosc_status (*once)(void *of, bosc_error *err),
                               void *of, double value[BOSC_COUNTERS],
                               bosc_error *err);

void bosc_counters_close(bosc_counters *counters);

#endif
