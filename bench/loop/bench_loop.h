/* bench_loop.h - what the runs of 'bosc-bench loop' have given, and the table
 * of it.  Internal to bench/loop.
 */
#ifndef BOSC_BENCH_LOOP_BENCH_LOOP_H
#define BOSC_BENCH_LOOP_BENCH_LOOP_H

#include "bench/loop/bench_loop_job.h"
#include "src/table/rank_table.h"

/* What one run has given. */
typedef struct bosc_loop_outcome {
    double seconds[BOSC_N_PHASES];
    double bytes; /* the most that the host held for it; NaN: not known */
    double device_bytes; /* the most that the GPU held; NaN: there is none */
    double device;       /* s that the GPU computed; NaN likewise */
    double moved;        /* bytes of a step, as above */
    int64_t neurons, compartments, spikes;
    int64_t steps, epoch; /* of all; of an epoch, 0: there are none */
    uint64_t voltages;    /* a hash of all of them at the end, */
    uint64_t results;     /* and with the number of spikes */
} bosc_loop_outcome;

typedef struct bosc_looping {
    const bosc_bench_plan *plan;
    const bosc_bench_request *request;
    const char *command;
    bosc_loop_folder folder;
    bosc_loop_outcome *outcomes;       /* [plan->n][rounds] */
    char why[BOSC_BENCH_ENTRIES][200]; /* no times; "": there are some */
    int wrong;                         /* rows without times */
    int rows;
} bosc_looping;

/* The rounds of method i of the plan. */
static inline bosc_loop_outcome *bosc_loop_outcomes(const bosc_looping *l,
                                                    int i)
{
    return l->outcomes + (ptrdiff_t)i * l->request->loop.rounds;
}

/* The table of a job; of several ranks it has two columns more. */
bosc_bench_table bosc_loop_table(const bosc_looping *l, const char *job);

/* Method i beside other numbers of ranks. */
bosc_bench_point bosc_loop_point(const bosc_looping *l,
                                 const bosc_loop_case *what, int i);

/* Print what a case is, and the row of its method i, which is counted. */
void bosc_loop_print_case(const bosc_looping *l, const bosc_loop_case *what);
void bosc_loop_print_row(bosc_looping *l, const bosc_loop_case *what, int i);

#endif
