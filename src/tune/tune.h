/* tune.h - 'bosc tune': measure every method on generated batches, for learning
 * which is the fastest where.
 *
 * One rank, which starts MPI.
 */
#ifndef BOSC_SRC_TUNE_TUNE_H
#define BOSC_SRC_TUNE_TUNE_H

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
} bosc_tune_request;

/* "all", "loops", "products" */
enum { BOSC_TUNE_KINDS = 3 };
extern const char *const bosc_tune_kinds[BOSC_TUNE_KINDS];

/* "cpu", "cuda" */
enum { BOSC_TUNE_BACKENDS = 2 };
extern const char *const bosc_tune_backends[BOSC_TUNE_BACKENDS];

/* Measure until the time is over or a signal comes, which is no failure; what
 * an earlier call has measured is gone on with.  A batch that fails is left
 * out, and said; several one after another end it with the message of the last.
 */
bosc_status bosc_tune(const bosc_tune_request *request, bosc_error *err);

#endif
