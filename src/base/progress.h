/* progress.h - how far a run is: a bar with the time left on a terminal; in
 * a log (or under a launcher, which pipes what ranks print) a line every 10 %
 * or every minute.  One rank calls it; output on standard error.
 */
#ifndef BOSC_SRC_BASE_PROGRESS_H
#define BOSC_SRC_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bosc_progress {
    bool shown; /* false: be silent */
    bool terminal;
    int64_t total;  /* steps */
    int64_t from;   /* those done before */
    double dt;      /* ms */
    double started; /* s, monotonic */
    int tenths;     /* lines printed */
    double drawn;   /* s, when something was last shown */
} bosc_progress;

/* Seconds of a monotonic clock. */
double bosc_now(void);

bosc_progress bosc_progress_start(bool shown, int64_t from, int64_t total,
                                  double dt);
void bosc_progress_show(bosc_progress *progress, int64_t done);

/* Seconds left, as the steps so far went. */
double bosc_progress_left(const bosc_progress *progress, int64_t done);

/* Clear the bar for a line of other text; the next bosc_progress_show() draws
 * it again. */
void bosc_progress_pause(bosc_progress *progress);

/* Leave the cursor on a fresh line. */
void bosc_progress_end(bosc_progress *progress);

/* "1.2 GB", "350 ms", "2 h 05 min", "1 234 567" into 'text' (at least 32
 * bytes); returns text. */
char *bosc_human_bytes(double bytes, char *text);
char *bosc_human_seconds(double seconds, char *text);
char *bosc_human_count(int64_t n, char *text);

#endif
