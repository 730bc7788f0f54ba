/* lock.h - one run at a time writes an output.
 *
 * Serial code: no MPI.  PATH.lock says which run writes PATH, and the run holds
 * a lock of the operating system on it, which ends with the process, however
 * that ends: the lock of a killed run keeps no other run away.
 *
 * Some file systems have no locks, or locks that other machines do not see.
 * There only the text and the time of the file count: a thread of the run
 * renews the time, and a run that finds the lock of another machine watches it
 * for a while.  If nothing changes, it takes the lock over.
 */
#ifndef BOSC_SRC_BASE_LOCK_H
#define BOSC_SRC_BASE_LOCK_H

#include <stdbool.h>

#include "src/base/status.h"

typedef struct bosc_lock bosc_lock;

/* Seconds without a renewal after which the run has ended somehow. */
enum { BOSC_LOCK_STALE = 120 };

/* Seconds for which a run watches another machine's lock. */
enum { BOSC_LOCK_WATCHED = 25 };

/* Lock PATH, after watching another machine's lock for up to 'seconds', and
 * renew the lock two times or more in as many seconds, by a thread, until it is
 * released.  BOSC_EOUTPUT with the other run's process, host and start where it
 * is locked; BOSC_EINTR when a signal ends set-up meanwhile. */
bosc_status bosc_lock_take(const char *path, int seconds, bosc_lock **out,
                           bosc_error *err);

/* BOSC_OK, or BOSC_EOUTPUT when PATH.lock was removed, or with the name of the
 * run that has taken it over. */
bosc_status bosc_lock_check(const bosc_lock *lock, bosc_error *err);

/* Say in PATH.lock how far the run is; 'text' is one line of at most 100 bytes.
 * More often than once a second nothing is done.  NULL is allowed. */
void bosc_lock_note(bosc_lock *lock, const char *text);

/* What PATH.lock says to others. */
typedef struct bosc_lock_words {
    bool there;
    bool gone;      /* the process was here, and has ended */
    double age;     /* s since the lock was renewed */
    char run[300];  /* the process, host and start */
    char note[128]; /* "": none yet */
} bosc_lock_words;

bosc_lock_words bosc_lock_read(const char *path);

/* Remove PATH.lock, unless another run has taken it over.  NULL is allowed. */
void bosc_lock_release(bosc_lock *lock);

#endif
