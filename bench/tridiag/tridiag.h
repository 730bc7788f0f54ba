/* tridiag.h - 'bosc-bench tridiag': libbosc-tridiag beside LAPACK and cuSPARSE,
 * on the same systems: time, error and memory.
 *
 * Serial code.
 */
#ifndef BOSC_BENCH_TRIDIAG_TRIDIAG_H
#define BOSC_BENCH_TRIDIAG_TRIDIAG_H

#include "bench/tridiag/numbers.h"
#include "include/bosc_tridiag.h"

/* What the command line asks for. */
typedef struct bosc_gtsv_request {
    const char *rows;      /* "32,128", "256-512" */
    int32_t systems;       /* 0: as many as have some 'total' rows together */
    const char *matrices;  /* names, or all */
    const char *precision; /* "fp64,fp32" */
    const char *methods, *backends;
    const char *lapack; /* its shared library; NULL: the usual ones */
    int threads, repeat;
    bool tsv;
    const struct bosc_bench_sink *sink; /* gets all rows, too; NULL: nobody */
} bosc_gtsv_request;

bosc_status bosc_bench_tridiag(bosc_gtsv_request *request, bosc_error *err);

/* ---- between the table of solvers and these ---- */

/* Bytes: the four arrays, with their padding; what the solver knows of where
 * systems are; and what else it needs to solve. */
typedef struct bosc_gtsv_bytes {
    double arrays, index, workspace;
} bosc_gtsv_bytes;

/* What solvers of one backend have in common. */
typedef struct bosc_gtsv_ops {
    /* BOSC_OK, or BOSC_ENOSUP with the reason. */
    bosc_status (*available)(const bosc_gtsv_request *request, bosc_error *err);

    /* Make a solver of these systems, which outlive it; *out is to be
     * destroyed.  BOSC_EVALUE where the method cannot solve them. */
    bosc_status (*create)(int variant, const bosc_chains *systems,
                          const bosc_gtsv_request *request, void **out,
                          bosc_error *err);

    /* Bring the numbers back, and solve; *seconds is of the solve alone. */
    bosc_status (*solve)(void *solver, double *seconds, bosc_error *err);

    /* The solution, in flat order, and the systems whose pivot was 0. */
    bosc_status (*fetch)(void *solver, double *x, int32_t *n_zero,
                         bosc_error *err);
    bosc_gtsv_bytes (*bytes)(const void *solver);
    void (*destroy)(void *solver); /* NULL: nothing */
} bosc_gtsv_ops;

/* Those of backends cpu, lapack, cuda and cusparse.  Variants: a layout of
 * bosc_tridiag.h; none; a layout; the algorithm of gtsvInterleavedBatch, or -1:
 * gtsv2StridedBatch. */
extern const bosc_gtsv_ops bosc_gtsv_cpu, bosc_gtsv_lapack, bosc_gtsv_cuda,
    bosc_gtsv_cusparse;

/* A batch of libbosc-tridiag for the systems, and where its numbers are. */
bosc_status bosc_gtsv_batch(int layout, const bosc_chains *systems, int threads,
                            bosc_tridiag **out, bosc_chain_places *places,
                            bosc_error *err);

/* All numbers of the systems in a block of that batch, with padding where it
 * has any; free() it.  NULL without memory. */
void *bosc_gtsv_block(const bosc_tridiag *batch,
                      const bosc_chain_places *places,
                      const bosc_chains *systems);

#endif
