#include "src/base/signals.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

static const int asking[] = {SIGINT, SIGTERM, SIGUSR1, SIGHUP};
/* MPICH handles SIGUSR1 from MPI_Init() on, for processes that have failed; UCX
 * handles SIGHUP from its loading on, for its log. */
static const int taken[] = {SIGUSR1, SIGHUP};

static volatile sig_atomic_t caught; /* the signal, 0: none */
static struct timespec caught_at;
static bool looping;
static bool held;
static sigset_t mask; /* while held: what it was before */

/* Launchers and shells send a signal to a process and again to its group, so
 * two within a second count as one.  A later one ends the program. */
static void on_signal(int number)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    if (caught == 0) {
        caught_at = now;
        caught = number;
    } else if (now.tv_sec - caught_at.tv_sec >
               (now.tv_nsec < caught_at.tv_nsec ? 1 : 0)) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

void bosc_signals_hold(void)
{
    sigset_t delayed;

    sigemptyset(&delayed);
    for (size_t i = 0; i < BOSC_LEN(taken); ++i)
        sigaddset(&delayed, taken[i]);
    pthread_sigmask(SIG_BLOCK, &delayed, &mask);
    held = true;
}

static void install(int flags)
{
    struct sigaction action, now;

    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < BOSC_LEN(asking); ++i)
        sigaddset(&action.sa_mask, asking[i]);
    for (size_t i = 0; i < BOSC_LEN(asking); ++i) {
        sigaction(asking[i], NULL, &now);
        if (now.sa_handler != SIG_IGN)
            sigaction(asking[i], &action, NULL);
    }
}

void bosc_signals_catch(void)
{
    install(0); /* a read that waits for a pipe ends */
    if (held)
        pthread_sigmask(SIG_SETMASK, &mask, NULL);
    held = false;
}

void bosc_signals_begin_loop(void)
{
    looping = true;
    install(SA_RESTART);
}

bool bosc_signals_ask_to_save(void)
{
    return caught == SIGTERM || caught == SIGUSR1;
}

bosc_status bosc_signals_in_setup(bosc_error *err)
{
    if (caught == 0 || looping)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EINTR,
                     "stopped by signal %d (%s) during set-up, before the "
                     "first step",
                     (int)caught, strsignal(caught));
}

bosc_status bosc_signals_in_loop(double t, bosc_error *err)
{
    if (caught == 0)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EINTR,
                     "stopped by signal %d (%s) at t = %.10g ms", (int)caught,
                     strsignal(caught), t);
}
