/* lock.h - one run at a time writes an output.
 *
 * Serial code: no MPI.  PATH.lock says which run writes PATH, and the run holds
 * a lock of the operating system on it, which ends with the process, however
 * that ends: nobody is kept away by what a killed run has left.
 *
 * Some file systems have no locks, or locks that other machines do not see.
 * There only the text counts: a run renews the file's time, and whoever finds
 * the lock of another machine watches it for a while.  It is taken over if it
 * stays as it is.
 */
#ifndef BOSC_SRC_BASE_LOCK_H
#define BOSC_SRC_BASE_LOCK_H

#include <stdbool.h>

#include "src/base/status.h"

typedef struct bosc_lock bosc_lock;

/* Seconds: a run renews its lock this often, and is watched for so long. */
enum { BOSC_LOCK_RENEWED = 10, BOSC_LOCK_WATCHED = 25 };

/* Lock PATH, after watching another machine's lock for up to 'seconds'.
 * BOSC_EIO with the other run's process, host and start where it is locked;
 * BOSC_EINTR when a signal ends set-up meanwhile. */
bosc_status bosc_lock_take(const char *path, int seconds, bosc_lock **out,
                           bosc_error *err);

/* BOSC_OK, or BOSC_EIO with the name of the run that has taken it over. */
bosc_status bosc_lock_check(const bosc_lock *lock, bosc_error *err);

/* Show that this run goes on. */
void bosc_lock_renew(const bosc_lock *lock);

/* Remove PATH.lock, unless another run has taken it over.  NULL is allowed. */
void bosc_lock_release(bosc_lock *lock);

#endif
