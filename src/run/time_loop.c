#include "src/run/time_loop.h"

#include <sched.h>
#include <stdio.h>

#include "src/base/progress.h"
#include "src/base/signals.h"
#include "src/comm/comm.h"

/* Seconds until a signal acts, about; a range takes no longer. */
static const double PATIENCE = 1;

/* Steps of the range after one of 'steps' that took 'seconds' on the slowest
 * rank, the same on all ranks.  The first has one epoch; then they double while
 * a range is short, up to a hundredth of the run or 100 steps, and up to the
 * frames that move at ease.  No result depends on where ranges end. */
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
enum { FAILED, SECONDS, BEYOND, SIGNALLED, DUE, SAVING, N_AGREED };

/* Gathered results move on meanwhile. */
static void agree(const bosc_time_loop *loop, double agreed[N_AGREED])
{
    const bosc_comm_ops *ops = loop->comm->ops;
    bosc_comm_request request =
        ops->reduce(loop->comm, BOSC_MAX_DOUBLE, agreed, N_AGREED);

    while (!ops->test(loop->comm, &request)) {
        bosc_gather_poll(loop->plan);
        sched_yield();
    }
}

/* A run under way. */
typedef struct running {
    const bosc_time_loop *loop;
    bosc_time_loop_times *times;
    bosc_progress progress;
    double saved;        /* s, the end of the last checkpoint */
    bool warned_v_limit; /* a voltage beyond the limit was reported */
    bool held;           /* no engine goes ahead of this range: there is to be a
                            checkpoint after it */
    bool over;           /* a signal has ended it */
    bosc_frame_room room[BOSC_GATHER_RANGES]; /* of every other range each */
    int next;                                 /* room, of the next range */
} running;

/* What this rank's signal asks for. */
static double asked(const bosc_time_loop *loop)
{
    if (bosc_signals_in_loop(0, NULL) == BOSC_OK)
        return 0;
    return loop->when->on_signal && bosc_signals_ask_to_save() ? 2 : 1;
}

/* Integrate the steps from..to - 1 and copy their results; then all ranks know
 * what 'agreed' says of all of them. */
static bosc_status run_range(running *r, const int64_t range[2],
                             bosc_step_output *record, double agreed[N_AGREED],
                             bosc_error *err)
{
    const bosc_time_loop *loop = r->loop;
    const double before = bosc_now(), every = 60 * loop->when->every; /* s */
    bosc_status st =
        bosc_epochs_run(loop->epochs, BOSC_OK, range, loop->ahead && !r->held,
                        &r->room[r->next], record, err);

    agreed[SECONDS] = bosc_now() - before;
    agreed[BEYOND] = record->beyond != NULL;
    agreed[SIGNALLED] = asked(loop);
    agreed[DUE] = every > 0 && bosc_now() - r->saved >= every;
    agreed[SAVING] =
        loop->checkpoint != NULL ? (double)loop->saving(loop->what) : 0;

    bosc_error of_sums;
    const bosc_status sums = bosc_gather_sum(
        loop->plan, st == BOSC_OK ? record : NULL, range, &of_sums);

    if (st == BOSC_OK && sums != BOSC_OK) {
        st = sums;
        *err = of_sums;
    }
    if (st == BOSC_OK)
        st = bosc_gather_take(loop->plan, record, range[0], range[1], err);
    r->next = (r->next + 1) % BOSC_GATHER_RANGES;
    agreed[FAILED] = st != BOSC_OK;

    const double waiting = bosc_now();

    agree(loop, agreed);
    r->times->synchronising += bosc_now() - waiting;
    return st;
}

static bosc_status save(running *r, int64_t step, bool last, bosc_error *err)
{
    const double began = bosc_now();

    bosc_progress_pause(&r->progress);

    const bosc_status st = r->loop->checkpoint(r->loop->what, step, last, err);

    r->saved = bosc_now();
    r->times->checkpoints += r->saved - began;
    return st;
}

static bosc_status settle(running *r, bosc_error *err)
{
    const double began = bosc_now();

    bosc_progress_pause(&r->progress);

    const bosc_status st = r->loop->settle(r->loop->what, err);

    r->times->checkpoints += bosc_now() - began;
    return st;
}

/* What 'bosc status' reads. */
static void note(const running *r, int64_t to)
{
    const bosc_time_loop *loop = r->loop;
    char text[100];

    snprintf(text, sizeof text, "t = %.10g of %.10g ms, %.3g s left",
             (double)to * loop->dt, (double)loop->n_steps * loop->dt,
             bosc_progress_left(&r->progress, to));
    bosc_lock_note(loop->lock, text);
}

/* What follows a range that has ended at 'to': the same on all ranks. */
static bosc_status follow_up(running *r, int64_t to,
                             const bosc_step_output *record,
                             const double agreed[N_AGREED], bosc_error *err)
{
    const bosc_time_loop *loop = r->loop;
    const bool last = to >= loop->n_steps;
    const bool asks =
        loop->checkpoint != NULL && !last && agreed[SIGNALLED] > 1;
    const bool due =
        asks ||
        (loop->checkpoint != NULL &&
         (last ? loop->when->at_end
               : agreed[DUE] != 0 && agreed[SAVING] != BOSC_SAVING_UNDER_WAY));
    const bool waits = loop->ahead && !last && !r->held && due;
    bosc_status st = BOSC_OK;

    if (agreed[BEYOND] != 0 && !r->warned_v_limit) {
        r->warned_v_limit = true;
        bosc_progress_pause(&r->progress);
        if ((st = loop->beyond(loop->what, record->beyond, err)) != BOSC_OK)
            return st;
    }
    bosc_progress_show(&r->progress, to);
    note(r, to);
    if (agreed[SAVING] == BOSC_SAVING_DONE && (st = settle(r, err)) != BOSC_OK)
        return st;
    r->held = waits;
    if (waits)
        return BOSC_OK;
    if (due)
        st = save(r, to, asks, err);
    r->over = agreed[SIGNALLED] != 0 && !last;
    if (st != BOSC_OK || !r->over)
        return st;
    st = bosc_signals_in_loop((double)to * loop->dt, err);
    /* BOSC_OK where only another rank has caught it */
    return st != BOSC_OK && asks ? BOSC_EREQUEUE : st;
}

/* All steps, in ranges. */
static bosc_status run_ranges(running *r, bosc_error *err)
{
    const bosc_time_loop *loop = r->loop;
    bosc_status st = BOSC_OK;
    int64_t steps = loop->epoch;

    for (int64_t from = loop->from;
         from < loop->n_steps && st == BOSC_OK && !r->over;) {
        const int64_t left = loop->n_steps - from;
        const int64_t to = from + (steps < left ? steps : left);
        double agreed[N_AGREED];
        bosc_step_output record = {0};

        st = run_range(r, (const int64_t[2]){from, to}, &record, agreed, err);
        if (agreed[FAILED] != 0)
            break;
        bosc_gather_start(loop->plan);
        st = follow_up(r, to, &record, agreed, err);
        from = to;
        steps = next_steps(loop, steps, agreed[SECONDS]);
    }
    return st;
}

bosc_status bosc_time_loop_run(const bosc_time_loop *loop,
                               bosc_time_loop_times *times, bosc_error *err)
{
    const double began = bosc_now();

    *times = (bosc_time_loop_times){0};

    running r = {.loop = loop,
                 .times = times,
                 .progress = bosc_progress_start(loop->shown, loop->from,
                                                 loop->n_steps, loop->dt),
                 .saved = bosc_now(),
                 .warned_v_limit = loop->warned_v_limit};
    bosc_status st = run_ranges(&r, err);

    bosc_progress_end(&r.progress);

    bosc_error why = {""};
    const bosc_status kept = bosc_gather_finish(loop->plan, &why);

    if (st == BOSC_OK && kept != BOSC_OK) {
        st = kept;
        *err = why;
    }

    const double waiting = bosc_now();

    st = bosc_agree_item(loop->comm, bosc_epochs_failed_at(loop->epochs), st,
                         err);
    times->synchronising += bosc_now() - waiting;
    if (loop->checkpoint != NULL) { /* one may have been under way */
        const bosc_status settled = settle(&r, st == BOSC_OK ? err : &why);

        st = st == BOSC_OK ? settled : st;
    }
    for (int i = 0; i < BOSC_GATHER_RANGES; ++i)
        bosc_frame_room_clear(&r.room[i]);
    times->all = bosc_now() - began;
    return st;
}
