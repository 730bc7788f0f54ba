/* time_loop.h - the schedule of a run, nothing else: integrate a range of
 * steps, gather what it gave, go on.
 */
#ifndef BOSC_SRC_SIM_TIME_LOOP_H
#define BOSC_SRC_SIM_TIME_LOOP_H

#include <mpi.h>

#include "src/output/gather.h"
#include "src/sim/epochs.h"

typedef struct bosc_time_loop {
    MPI_Comm comm;
    bosc_epochs *epochs;
    int64_t epoch;          /* steps; ranges are multiples of it */
    bosc_gather_plan *plan; /* open */
    int64_t n_steps;
    double dt;  /* ms */
    bool shown; /* progress, on rank 0 */
    /* Called once, on every rank, when some rank has found a voltage beyond the
     * limit: with what this one has found, or NULL.  Collective; a failure ends
     * the run. */
    bosc_status (*beyond)(void *what, const bosc_beyond *here, bosc_error *err);
    void *what;
} bosc_time_loop;

/* Seconds of wall time: all of it; of that, waiting for other ranks at the ends
 * of ranges. */
typedef struct bosc_time_loop_times {
    double all, synchronising;
} bosc_time_loop_times;

/* Run all steps, and finish what was gathered.  Collective; every rank returns
 * the same status, and its own *times.  A signal that any rank has caught
 * (src/base/signals.h) ends the run with BOSC_EINTR after the current range,
 * which takes about a second or one epoch; all results up to the time in the
 * message are in the result file. */
bosc_status bosc_time_loop_run(const bosc_time_loop *loop,
                               bosc_time_loop_times *times, bosc_error *err);

#endif
