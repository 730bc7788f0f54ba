/* kinds.h - what is tuned: the time loop, and the products of couplings.
 *
 * A point of the unit cube stands for a batch: the same one always.
 * Internal to bench/tune.
 */
#ifndef BOSC_BENCH_TUNE_KINDS_H
#define BOSC_BENCH_TUNE_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/methods.h"
#include "src/calibrate/spread.h"

enum {
    BOSC_TUNE_DIMENSIONS = 8,
    BOSC_TUNE_FEATURES = 32,
    BOSC_TUNE_METHODS = 8,
    BOSC_TUNE_ROUNDS = 7
};

/* What a batch may take. */
typedef struct bosc_tune_limits {
    const bosc_backend *backend;
    double compartments; /* of a batch, */
    double seconds;      /* and of measuring it, about */
    double bytes;
    int threads; /* at most; on a GPU of the host, all of them */
} bosc_tune_limits;

/* Do number m of several things once, or often enough to be measured: the
 * seconds of one, and of all. */
typedef bosc_status bosc_tune_once(void *of, int m, double *seconds,
                                   double *took, bosc_error *err);

/* Time n of them in turn: of each the median of rounds, whose least and most
 * are the spread.  A round is itself the median of some samples, where these
 * are short enough to lie between two interruptions by other programs. */
bosc_status bosc_tune_time(bosc_tune_once *once, void *of, int n,
                           bosc_spread *out, bosc_error *err);

/* A measured batch. */
typedef struct bosc_tuned {
    int64_t number; /* of the draw */
    bool asked;     /* not by the space-filling draw: the model was not sure */
    double point[BOSC_TUNE_DIMENSIONS];
    double feature[BOSC_TUNE_FEATURES];
    bosc_spread seconds[BOSC_TUNE_METHODS]; /* of a step, or a product */
} bosc_tuned;

typedef struct bosc_tune_kind {
    const char *name; /* "loops" */
    const char *what; /* for people */
    int n_features;
    const char *const *features, *const *meanings;

    /* The name of candidate k of a backend, NULL past the last. */
    const char *(*method)(const bosc_backend *backend, int k);

    /* Make the batch of out->point and measure every candidate, in turn, round
     * after round. */
    bosc_status (*measure)(const bosc_tune_limits *limits, bosc_tuned *out,
                           bosc_error *err);
} bosc_tune_kind;

extern const bosc_tune_kind bosc_tune_loops, bosc_tune_products;

#endif
