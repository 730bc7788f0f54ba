/* run.h - 'bosc run': one run of a job, and the phases that it is made of.
 *
 * 'bosc run' calls bosc_run_job(), and who needs to look at a run before it is
 * gone, begin, all and end; the rest is internal to this folder.
 */
#ifndef BOSC_SRC_RUN_RUN_H
#define BOSC_SRC_RUN_RUN_H

#include <mpi.h>
#include <stdbool.h>

#include "kernels/methods.h"
#include "src/base/lock.h"
#include "src/base/warning.h"
#include "src/batch/batch_build.h"
#include "src/distribute/distribution.h"
#include "src/distribute/rank_speed.h"
#include "src/io/result.h"
#include "src/model/local_cells.h"
#include "src/output/gather.h"
#include "src/sim/epochs.h"
#include "src/text/options.h"

/* What the command line asks for. */
typedef struct bosc_run_request {
    const char *path;       /* of the job */
    const char *output;     /* NULL: the job's */
    const char *command;    /* the whole command line, for the file's history */
    bosc_texts set;         /* --set */
    int32_t expected_ranks; /* 0: any */
    bool dry, quiet;
    bool share;     /* ranks may have one GPU together */
    int64_t epoch;  /* steps, where no delay and no coupling says how many; 0:
                       as a run chooses them */
    double started; /* s */
} bosc_run_request;

/* Each group of members is valid from the phase that its comment names to the
 * end of the run. */
typedef struct bosc_run {
    /* From the start. */
    const bosc_run_request *request;
    MPI_Comm comm;
    int rank, ranks;
    double base_bytes;      /* of this rank before it has read anything */
    bosc_warnings warnings; /* the same on all ranks; the phases add to it */

    /* From the job, in bosc_run_setup(). */
    bosc_job *job;
    const bosc_method *method;
    int threads;        /* of this rank */
    char gpu[80];       /* the name of rank 0's; "": the backend needs none */
    const char *output; /* the file: the request's, or else the job's */
    bosc_lock *lock;    /* rank 0: of that file; NULL in a dry run */

    /* From the lists and the decomposition, in bosc_run_setup(). */
    bosc_gid_table *gid_table;
    bosc_rank_speed *speed;
    bosc_local_cells *cells;
    bosc_distribution distribution;

    /* From bosc_run_build(). */
    bosc_built_batch *built;
    bosc_coupling *coupling; /* NULL: the job has no couplings */

    /* From the end of bosc_run_setup(). */
    bosc_engine *engine;
    bosc_sources *sources; /* NULL: the job has no projections */
    bosc_epochs *epochs;
    int64_t epoch; /* steps */
    bosc_gather_plan *gather;
    int64_t slots;     /* of all ranks' layouts, padding included */
    int64_t lane_rows; /* those, and lanes idle beside lone neurons */
    struct {
        int64_t connections, bytes, coupled;
        int64_t events; /* after the time loop */
    } net;              /* of all ranks */

    /* After set-up, unless the run is dry. */
    bosc_result *result; /* rank 0; NULL again once it is finished */

    bosc_rank_row row;   /* this rank's numbers; each phase sets its own */
    bosc_rank_row *rows; /* rank 0, after the time loop: [ranks] */
} bosc_run;

/* Start MPI and run the job.  Collective: 'st' is what has become of the
 * command line on this rank, with its message in err.  Rank 0 prints the
 * message of a failure, and err is empty afterwards. */
bosc_status bosc_run_job(const bosc_run_request *request, bosc_status st,
                         bosc_error *err);

/* Its parts: start MPI; begin; set up, run, and write the file; end.  Before
 * the end results are in the file, and the engine and the rows are as the run
 * has left them.  To be ended, whatever 'all' returns. */
void bosc_run_start_mpi(void);
bosc_run bosc_run_begin(const bosc_run_request *request);
bosc_status bosc_run_all(bosc_run *run, bosc_error *err);
void bosc_run_end(bosc_run *run);

/* From the command line to an engine that is ready to step.  Collective. */
bosc_status bosc_run_setup(bosc_run *run, bosc_error *err);

/* Pack this rank's neurons and their connections.  Collective. */
bosc_status bosc_run_build(bosc_run *run, bosc_error *err);

/* Add to the warnings what values of the job are hardly meant; then, with
 * couplings, which gap junctions are too strong; which projections and
 * couplings connect nothing (where they never can, that is an error); which
 * sources send nothing, as their files have n_times[n_sources] times before the
 * end; whether the disk has less room than the probes need; and, of the voltage
 * that this rank has found beyond the limit (NULL: none), the first of all
 * ranks'.  Fail where the job is strict.  Collective. */
bosc_status bosc_run_check_job(bosc_run *run, bosc_error *err);
bosc_status bosc_run_check_gaps(bosc_run *run, bosc_error *err);
bosc_status bosc_run_check_links(bosc_run *run, bosc_error *err);
bosc_status bosc_run_check_sources(bosc_run *run, const int64_t *n_times,
                                   bosc_error *err);
bosc_status bosc_run_check_disk(bosc_run *run, bosc_error *err);
bosc_status bosc_run_beyond(void *run, const bosc_beyond *beyond,
                            bosc_error *err);

/* With an engine: sources, epochs, and the epochs.  Collective. */
bosc_status bosc_run_connect(bosc_run *run, bosc_error *err);

/* The mean rate (1/s) of a population that fired so often. */
double bosc_run_rate(const bosc_run *run, int population, int64_t spikes);

/* Columns before the texts of what is printed. */
enum { BOSC_RUN_TEXT = 19 };

/* At rank 0, on standard output: what will be run. */
void bosc_run_announce(const bosc_run *run);

/* At rank 0, on standard output: what the store has done with what an earlier
 * run had left, if anything. */
void bosc_run_tell_earlier(const bosc_run *run);

/* Bring the table of neurons together at rank 0 and into the store, some at a
 * time.  Collective. */
bosc_status bosc_run_write_neurons(bosc_run *run, bosc_error *err);

/* Bring the ranks' rows together at rank 0.  Collective. */
bosc_status bosc_run_collect_rows(bosc_run *run, bosc_error *err);

/* After the run: the events of all ranks.  Collective. */
void bosc_run_count_events(bosc_run *run);

/* With neurons packed: what this rank is expected to take, into its row. */
void bosc_run_expect(bosc_run *run);

/* What the file keeps of that; valid while 'names' and the run are. */
bosc_result_costs bosc_run_costs(const bosc_run *run,
                                 const char *names[BOSC_RESULT_MAX_WORKS]);

/* At rank 0, on standard output: how far off the expectations were. */
void bosc_run_compare(const bosc_run *run);

/* At rank 0, on standard output: where the time went. */
void bosc_run_summarise(const bosc_run *run);

#endif
