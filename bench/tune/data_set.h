/* data_set.h - the measurements of one kind: a file of tab-separated values.
 *
 *     # bosc tune 1: loops
 *     # device AMD EPYC ..., avx512, 2 processors
 *     # program bosc 0.1.0
 *     # precision fp64
 *     # date 2026-11-23
 *     batch asked method seconds least most neurons ...
 *
 * A line for each method of each batch; one that ends in the middle of a batch,
 * because the program was killed, is gone on with.  Internal to bench/tune.
 */
#ifndef BOSC_BENCH_TUNE_DATA_SET_H
#define BOSC_BENCH_TUNE_DATA_SET_H

#include <stdio.h>

#include "bench/tune/kinds.h"

typedef struct bosc_data_set {
    const bosc_tune_kind *kind;
    const bosc_backend *backend;
    int methods;
    char *path;
    FILE *file; /* open at its end */
    int64_t n;
    size_t room;
    bosc_tuned *tuned; /* [n] */
} bosc_data_set;

/* Open FOLDER/KIND.tsv, of another backend than cpu FOLDER/BACKEND-KIND.tsv,
 * read what is there, and cut off what is incomplete. BOSC_EFORMAT, with the
 * line, for a file of another device or program, or one that is damaged.  To be
 * closed, whatever is returned. */
bosc_status bosc_data_set_open(const char *folder, const bosc_tune_kind *kind,
                               const bosc_backend *backend, bosc_data_set *set,
                               bosc_error *err);
void bosc_data_set_close(bosc_data_set *set);

/* Add a batch, and write it. */
bosc_status bosc_data_set_add(bosc_data_set *set, const bosc_tuned *tuned,
                              bosc_error *err);

#endif
