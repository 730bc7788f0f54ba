/* bench_loop_job.h - the jobs whose time loops are measured, as files.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_BENCH_LOOP_BENCH_LOOP_JOB_H
#define BOSC_BENCH_LOOP_BENCH_LOOP_JOB_H

#include <stdio.h>

#include "bench/solve/bench.h"
#include "src/morphology/synthetic.h"

/* A folder for the files of a run, in $TMPDIR or /tmp. */
typedef struct bosc_loop_folder {
    char *path;         /* NULL: there is none */
    bool of_another;    /* rank's: it clears it */
    char *job, *result; /* files in it */
} bosc_loop_folder;

/* Synthetic neurons of a job. */
typedef struct bosc_loop_cells {
    int32_t neurons, shapes; /* shapes 0: all neurons differ */
    bosc_synthetic_range sizes;
} bosc_loop_cells;

/* What is simulated. */
typedef struct bosc_loop_case {
    const bosc_bench_request *request;
    const char *job;         /* one of bosc_loop_jobs, */
    bool is_file;            /* or the path of a user's own, which says itself
                                what its neurons, steps and epochs are */
    int32_t neurons, shapes; /* shapes 0: all neurons differ */
    int32_t asked;           /* neurons, of each rank with weak scaling */
    int32_t epoch;           /* steps */
} bosc_loop_case;

#define BOSC_LOOP_DT 0.025 /* ms, a step of these */

enum { BOSC_LOOP_JOBS = 2 };
extern const char *const bosc_loop_jobs[BOSC_LOOP_JOBS];

/* Make the folder; clear it whatever is returned, which removes all that this
 * module and runs have made there. */
bosc_status bosc_loop_folder_create(bosc_loop_folder *folder, bosc_error *err);
void bosc_loop_folder_clear(bosc_loop_folder *folder);

/* That of rank 0, which makes and clears it, on all ranks of a group: a folder
 * of TMPDIR that they share.  Collective. */
bosc_status bosc_loop_folder_share(const bosc_bench_ranks *ranks,
                                   bosc_loop_folder *folder, bosc_error *err);

/* The case that the request asks for; its epoch is not set. */
bosc_loop_case bosc_loop_case_of(const bosc_bench_request *request,
                                 const char *job, int32_t neurons);

/* Write the files of shapes, with a list of them, and the job's lines about the
 * neurons, but for their regions. */
bosc_status bosc_loop_write_shapes(const bosc_loop_folder *folder,
                                   const bosc_loop_cells *cells,
                                   bosc_error *err);
void bosc_loop_print_cells(FILE *file, const bosc_loop_cells *cells);

/* Write a file: 'print' prints its text. */
bosc_status bosc_loop_write_file(const char *path, const void *of,
                                 void (*print)(FILE *file, const void *of),
                                 bosc_error *err);

/* Write the morphologies and lists of a case. */
bosc_status bosc_loop_write_lists(const bosc_loop_folder *folder,
                                  const bosc_loop_case *what, bosc_error *err);

/* Write the job, for a method. */
bosc_status bosc_loop_write_job(const bosc_loop_folder *folder,
                                const bosc_loop_case *what,
                                const bosc_method *method, bosc_error *err);

/* "ring, hh in somata, 1 synapse each" */
char *bosc_loop_describe(const bosc_loop_case *what);

#endif
