#include "src/sim/time_loop.h"

#include <sched.h>

#include "src/base/progress.h"
#include "src/base/signals.h"
#include "src/mpi/comm.h"

/* Seconds until a signal acts, about; a range takes no longer. */
static const double PATIENCE = 1;

/* Steps of the range after one of 'steps' that took 'seconds' on the slowest
 * rank, the same on all ranks.  The first has one epoch; then they double while
 * a range is short, up to a hundredth of the run, and up to the frames that
 * move at ease.  No result depends on where ranges end. */
static int64_t next_steps(const bosc_time_loop *loop, int64_t steps,
                          double seconds)
{
    const int64_t room = bosc_gather_look(loop->plan).range_bytes;
    const int64_t frame = bosc_gather_look(loop->plan).frame_bytes;
    int64_t most = bosc_longest_range(loop->n_steps);

    if (frame > 0 && most > room / frame)
        most = room / frame;
    if (seconds < PATIENCE / 2)
        steps *= 2;
    else if (seconds > PATIENCE)
        steps = (int64_t)((double)steps * PATIENCE / seconds);
    if (steps > most)
        steps = most;
    steps -= steps % loop->epoch;
    return steps > 0 ? steps : loop->epoch;
}

/* What ranks agree on after each range; the largest value of all ranks counts.
 */
enum { FAILED, SECONDS, BEYOND, SIGNALLED, N_AGREED };

/* Gathered results move on meanwhile. */
static void agree(const bosc_time_loop *loop, double agreed[N_AGREED])
{
    MPI_Request request;
    int done = 0;

    MPI_Iallreduce(MPI_IN_PLACE, agreed, N_AGREED, MPI_DOUBLE, MPI_MAX,
                   loop->comm, &request);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        bosc_gather_poll(loop->plan);
        sched_yield();
    }
}

/* Integrate the steps from..to - 1 and copy their results; then all ranks know
 * what 'agreed' says of all of them. */
static bosc_status run_range(const bosc_time_loop *loop, const int64_t range[2],
                             bosc_step_output *record, double agreed[N_AGREED],
                             bosc_time_loop_times *times, bosc_error *err)
{
    const double before = MPI_Wtime();
    bosc_status st = bosc_epochs_run(loop->epochs, BOSC_OK, range, record, err);

    agreed[SECONDS] = MPI_Wtime() - before;
    agreed[BEYOND] = record->beyond != NULL;
    agreed[SIGNALLED] = bosc_signals_in_loop(0, NULL) != BOSC_OK;
    if (st == BOSC_OK)
        st = bosc_gather_take(loop->plan, record, range[0], range[1], err);
    agreed[FAILED] = st != BOSC_OK;

    const double waiting = MPI_Wtime();

    agree(loop, agreed);
    times->synchronising += MPI_Wtime() - waiting;
    return st;
}

/* All steps, in ranges. */
static bosc_status run_ranges(const bosc_time_loop *loop,
                              bosc_time_loop_times *times, bosc_error *err)
{
    bosc_progress progress =
        bosc_progress_start(loop->shown, loop->n_steps, loop->dt);
    bosc_status st = BOSC_OK;
    int64_t steps = loop->epoch;
    bool warned = false;

    for (int64_t from = 0; from < loop->n_steps && st == BOSC_OK;) {
        const int64_t left = loop->n_steps - from;
        const int64_t to = from + (steps < left ? steps : left);
        double agreed[N_AGREED];
        bosc_step_output record = {0};

        st = run_range(loop, (const int64_t[2]){from, to}, &record, agreed,
                       times, err);
        if (agreed[FAILED] != 0)
            break;
        bosc_gather_start(loop->plan);
        if (agreed[BEYOND] != 0 && !warned) {
            warned = true;
            bosc_progress_pause(&progress);
            if ((st = loop->beyond(loop->what, record.beyond, err)) != BOSC_OK)
                break;
        }
        bosc_progress_show(&progress, to);
        if (agreed[SIGNALLED] != 0 && to < loop->n_steps) {
            st = bosc_signals_in_loop((double)to * loop->dt, err);
            break; /* also where another rank has caught it */
        }
        from = to;
        steps = next_steps(loop, steps, agreed[SECONDS]);
    }
    bosc_progress_end(&progress);
    return st;
}

bosc_status bosc_time_loop_run(const bosc_time_loop *loop,
                               bosc_time_loop_times *times, bosc_error *err)
{
    const double began = MPI_Wtime();

    *times = (bosc_time_loop_times){0, 0};

    bosc_status st = run_ranges(loop, times, err);
    bosc_error why = {""};
    const bosc_status kept = bosc_gather_finish(loop->plan, &why);

    if (st == BOSC_OK && kept != BOSC_OK) {
        st = kept;
        *err = why;
    }

    const double waiting = MPI_Wtime();

    st = bosc_agree(loop->comm, st, err);
    times->synchronising += MPI_Wtime() - waiting;
    times->all = MPI_Wtime() - began;
    return st;
}
