#include "src/loop.h"

#include <signal.h>
#include <string.h>
#include <time.h>

#include "src/comm.h"
#include "src/progress.h"

static volatile sig_atomic_t caught; /* the signal, 0: none */
static struct timespec caught_at;

/* Launchers and shells send a signal to a process and again to its group: what
 * comes within a second is the same wish.  A later one ends the program. */
static void on_signal(int number)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    if (caught == 0) {
        caught_at = now;
        caught = number;
    } else if (now.tv_sec - caught_at.tv_sec > 1) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

void bosc_loop_catch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGUSR1};
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < BOSC_LEN(signals); ++i)
        sigaddset(&action.sa_mask, signals[i]);
    for (size_t i = 0; i < BOSC_LEN(signals); ++i)
        sigaction(signals[i], &action, NULL);
}

/* Steps of an epoch: about a hundred epochs a run, so that progress shows and
 * signals are heard, but not so short that loading a tile for it costs more
 * than its steps; and no more frames than rank 0 can hold at ease. */
static int64_t epoch_steps(const bosc_loop *loop)
{
    enum { EPOCHS = 100, FEWEST = 20, FRAME_MEMORY = 64 << 20 };
    const int64_t frame = bosc_gather_frame_bytes(loop->plan);
    int64_t steps = loop->n_steps / EPOCHS;

    if (steps < FEWEST)
        steps = FEWEST;
    if (frame > 0 && steps > FRAME_MEMORY / frame)
        steps = FRAME_MEMORY / frame;
    return steps > 0 ? steps : 1;
}

static bosc_status stop_asked(const bosc_loop *loop, int64_t step,
                              bosc_error *err)
{
    if (caught == 0)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EINTR, "stopped by signal %d (%s) at t = %g ms",
                     (int)caught, strsignal(caught), (double)step * loop->dt);
}

/* One epoch on this rank. */
static bosc_status integrate(bosc_loop *loop, int64_t from, int64_t to,
                             bosc_record *record, bosc_error *err)
{
    const double t0 = MPI_Wtime();
    bosc_status st = stop_asked(loop, from, err);

    if (st == BOSC_OK)
        st = loop->backend->advance(loop->engine, from, to, record, err);
    loop->integrating += MPI_Wtime() - t0;
    return st;
}

bosc_status bosc_loop_run(bosc_loop *loop, bosc_error *err)
{
    const int64_t steps = epoch_steps(loop);
    bosc_progress progress =
        bosc_progress_start(loop->shown, loop->n_steps, loop->dt);
    bosc_status st = BOSC_OK;

    loop->done = 0;
    for (int64_t from = 0; from < loop->n_steps && st == BOSC_OK;) {
        const int64_t to =
            from + steps < loop->n_steps ? from + steps : loop->n_steps;
        bosc_record record;

        st = integrate(loop, from, to, &record, err);
        if ((st = bosc_agree(loop->comm, st, err)) != BOSC_OK)
            break;
        st = bosc_gather_epoch(loop->plan, &record, from, to, loop->store, err);
        /* only rank 0 writes: all must hear of its failure before they go on */
        if ((st = bosc_agree(loop->comm, st, err)) != BOSC_OK)
            break;
        loop->done = from = to;
        bosc_progress_show(&progress, to);
    }
    bosc_progress_end(&progress);
    return st;
}
