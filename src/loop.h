/* loop.h - the epoch schedule, nothing else: integrate, gather, next.
 */
#ifndef BOSC_SRC_LOOP_H
#define BOSC_SRC_LOOP_H

#include <mpi.h>

#include "kernels/backend.h"
#include "src/gather.h"

typedef struct bosc_loop {
    MPI_Comm comm;
    const bosc_backend *backend;
    bosc_engine *engine;
    bosc_gather_plan *plan;
    bosc_store *store; /* rank 0; NULL elsewhere */
    int64_t n_steps;
    double dt;          /* ms */
    bool shown;         /* progress, on rank 0 */
    double integrating; /* out: seconds of this rank in the backend */
} bosc_loop;

/* Run all steps.  Collective; every rank returns the same status.  A signal
 * that bosc_loop_catch() caught on any rank ends the run after the current
 * epoch with BOSC_EINTR; what was computed by then is in the store. */
bosc_status bosc_loop_run(bosc_loop *loop, bosc_error *err);

/* From now on SIGINT, SIGTERM, SIGUSR1 and SIGHUP, where they are not ignored,
 * ask the loop to stop; one more, over a second later, ends the program. */
void bosc_loop_catch(void);

#endif
