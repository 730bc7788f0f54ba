/* tune.h - 'bosc-bench tune': measure every method on generated batches, for
 * learning which is the fastest where.
 *
 * One rank, which starts MPI.
 */
#ifndef BOSC_BENCH_TUNE_TUNE_H
#define BOSC_BENCH_TUNE_TUNE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/status.h"

/* What the command line asks for. */
typedef struct bosc_tune_request {
    double minutes;
    int32_t batches;    /* of each kind, at most; 0: as many as there is time */
    const char *output; /* a folder; NULL: that of the user */
    int32_t threads;    /* of a batch, at most; 0: as a run has them */
    int kind;           /* which of bosc_tune_kinds */
    int backend;        /* which of bosc_tune_backends */
    bool quiet;
    bool measure_only; /* nothing is learned */
} bosc_tune_request;

/* The files to learn from: those that have enough batches for what is learned
 * to be better than rules, and than what comes with bosc. */
enum { BOSC_TUNE_ENOUGH = 100 };
typedef struct bosc_tuned_files {
    int n;
    char *path[2]; /* [n] */
} bosc_tuned_files;

/* "all", "loops", "products" */
enum { BOSC_TUNE_KINDS = 3 };
extern const char *const bosc_tune_kinds[BOSC_TUNE_KINDS];

/* "cpu", "cuda" */
enum { BOSC_TUNE_BACKENDS = 2 };
extern const char *const bosc_tune_backends[BOSC_TUNE_BACKENDS];

/* Measure until the time is over or a signal comes, which is no failure; what
 * an earlier call has measured is gone on with.  A batch that fails is left
 * out, and said; several one after another end it with the message of the last.
 * 'files', of which there are none after a signal, are to be cleared, whatever
 * is returned. */
bosc_status bosc_tune(const bosc_tune_request *request, bosc_tuned_files *files,
                      bosc_error *err);
void bosc_tuned_files_clear(bosc_tuned_files *files);

#endif
