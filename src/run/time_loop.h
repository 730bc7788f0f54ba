/* time_loop.h - the schedule of a run, nothing else: integrate a range of
 * steps, gather what it gave, go on.
 */
#ifndef BOSC_SRC_RUN_TIME_LOOP_H
#define BOSC_SRC_RUN_TIME_LOOP_H

#include "src/base/lock.h"
#include "src/comm/comm.h"
#include "src/job/job.h"
#include "src/output/gather.h"
#include "src/sim/epochs.h"

/* What rank 0 knows of a checkpoint: it may be written while the loop goes on,
 * and is then settled. */
typedef enum bosc_saving_state {
    BOSC_SAVING_NONE,
    BOSC_SAVING_UNDER_WAY,
    BOSC_SAVING_DONE
} bosc_saving_state;

typedef struct bosc_time_loop {
    const bosc_comm *comm;
    bosc_epochs *epochs;
    int64_t epoch;          /* steps; ranges are multiples of it */
    bosc_gather_plan *plan; /* open */
    int64_t from;           /* the first step to do, a multiple of it, too */
    int64_t n_steps;
    double dt;       /* ms */
    bool ahead;      /* some rank's engine begins ranges before they come; the
                        same on all ranks */
    bool shown;      /* progress, on rank 0 */
    bosc_lock *lock; /* rank 0: takes a note of progress; or NULL */
    /* Called once, on every rank, when some rank has found a voltage beyond the
     * limit: with what this one has found, or NULL.  Collective; a failure ends
     * the run. */
    bosc_status (*beyond)(void *what, const bosc_beyond *here, bosc_error *err);
    bool warned_v_limit; /* beyond() was called before the first step to do */
    /* Called on every rank when a range has ended at 'step' and a checkpoint is
     * due, by the clock or at the end, or because a signal ends the run; that
     * is 'last'.  NULL: there are none.  Collective; a failure ends the run. */
    bosc_status (*checkpoint)(void *what, int64_t step, bool last,
                              bosc_error *err);
    /* Of the one before, on this rank; and wait for its end, if there is one,
     * and tell how it ended.  The latter is collective; a failure of the
     * checkpoint is none of it, unless it was the last. */
    bosc_saving_state (*saving)(void *what);
    bosc_status (*settle)(void *what, bosc_error *err);
    const bosc_checkpoint_spec *when; /* they are due */
    void *what;
} bosc_time_loop;

/* Seconds of wall time: all of it; of that, waiting for other ranks at the ends
 * of ranges, and checkpoints. */
typedef struct bosc_time_loop_times {
    double all, synchronising, checkpoints;
} bosc_time_loop_times;

/* Run all steps, and finish what was gathered.  Collective; every rank returns
 * the same status, and its own *times.  A signal that any rank has caught
 * (src/base/signals.h) ends the run with BOSC_EINTR after the current range,
 * which takes about a second or one epoch; all results up to the time in the
 * message are in the result file.  Where the signal asks for a checkpoint, too,
 * it ends with BOSC_EREQUEUE after that; and where engines go ahead, a range
 * later, for they have begun that one. */
bosc_status bosc_time_loop_run(const bosc_time_loop *loop,
                               bosc_time_loop_times *times, bosc_error *err);

#endif
