/* signals.h - the signals that ask a run to end in order.
 *
 * Serial code: no MPI.  A caught signal only sets a flag.  A run checks the
 * flag where all ranks agree on failures, because a signal may reach only one
 * rank: during set-up in bosc_agree(), in the time loop after each range of
 * steps.  After the last one the results are completed all the same.
 */
#ifndef BOSC_SRC_BASE_SIGNALS_H
#define BOSC_SRC_BASE_SIGNALS_H

#include <stdbool.h>

#include "src/base/status.h"

/* From now on SIGINT, SIGTERM, SIGUSR1 and SIGHUP, where they are not ignored
 * (as under nohup), ask the run to end; one more, over a second later, ends the
 * program.  A library may install handlers of its own: call
 * bosc_signals_hold() before its initialisation and this again after it. */
void bosc_signals_catch(void);

/* Until the next bosc_signals_catch() the signals for which libraries install
 * handlers are delayed, so that none is lost to such a handler. */
void bosc_signals_hold(void);

/* Set-up is over: a signal no longer interrupts what waits for a file, and
 * from now on only bosc_signals_in_loop() reports a signal. */
void bosc_signals_begin_loop(void);

/* Has a signal been caught that a batch system sends, SIGTERM or SIGUSR1, after
 * which a run is started again? */
bool bosc_signals_ask_to_save(void);

/* BOSC_EINTR and a message when a signal was caught.  Every bosc_agree() calls
 * bosc_signals_in_setup(), so all ranks end; so does long work between two
 * calls of bosc_agree().
 * t (ms) is for the message. */
bosc_status bosc_signals_in_setup(bosc_error *err);
bosc_status bosc_signals_in_loop(double t, bosc_error *err);

#endif
