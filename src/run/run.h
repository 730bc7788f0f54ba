/* run.h - 'bosc run': one run of a job, and the phases that it is made of.
 *
 * 'bosc run' calls bosc_run_job(), and who needs to look at a run before it is
 * gone, begin, all and end; the rest is internal to this folder.
 */
#ifndef BOSC_SRC_RUN_RUN_H
#define BOSC_SRC_RUN_RUN_H

#include <stdbool.h>

#include "src/base/lock.h"
#include "src/checkpoint/checkpoint.h"
#include "src/comm/comm.h"
#include "src/io/result.h"
#include "src/output/gather.h"
#include "src/run/time_loop.h"
#include "src/select/streamed.h"
#include "src/sim/sim.h"

/* What the command line asks for. */
typedef struct bosc_run_request {
    const bosc_comm *comm;  /* of the ranks that run it together; bosc_run_job()
                       takes all */
    const char *path;       /* of the job */
    bosc_mechs *mechs;      /* of the job, loaded, the caller's; NULL: the run
                               has its own */
    const char *output;     /* NULL: the job's */
    const char *command;    /* the whole command line, for the file's history */
    const char *outcome;    /* a file for the word of how it ended, or NULL */
    bosc_texts set;         /* --set */
    const char *members;    /* of a sweep; NULL: all */
    int32_t verify;         /* neurons; -1: as the job says.  'set' has it */
    int32_t group;          /* of these, -1: all of them, one after another */
    int32_t expected_ranks; /* 0: any */
    bool help_keys;         /* no run: keys are listed */
    bool dry, quiet;
    bool overwrite; /* a finished result may be replaced, and nothing is gone on
                       with */
    bool resume;    /* go on from a checkpoint, or fail */
    bool share;     /* ranks may have one GPU together, */
    bool mix;       /* or none, and compute on CPUs */
    int64_t epoch;  /* steps, where no delay and no coupling says how many; 0:
                       as a run chooses them */
    double started; /* s */
} bosc_run_request;

/* How many connections a projection has, and their targets: those that have
 * any, and the least and most that one of these has. */
typedef struct bosc_run_indegree {
    int64_t connections, targets, least, most;
} bosc_run_indegree;

/* Each group of members is valid from the phase that its comment names to the
 * end of the run. */
typedef struct bosc_run {
    /* From the start. */
    const bosc_run_request *request;
    bosc_sim sim;      /* its parts are valid from the calls that sim.h names */
    double base_bytes; /* of this rank before it has read anything */

    /* From bosc_run_setup(), with the job. */
    char *target;    /* the file: the request's, or else the job's; of a sweep
                        with the members that were asked for */
    char *output;    /* that, or of several groups the one of this group */
    bosc_lock *lock; /* rank 0: of that file; NULL in a dry run */
    char *identity;  /* rank 0: all values that results depend on */
    char *contents;  /* the same of a sweep: of which files, for a merge */
    bool finished;   /* the file is there already: nothing is to be done */

    /* Of checkpoints, from bosc_run_find_checkpoint(). */
    bosc_checkpoint_head head; /* rank 0, of the one gone on from */
    bosc_state_file *saved;    /* rank 0: that, until set-up is over */
    double restoring;          /* s, for finding and reading it */
    int warned;                /* warnings before the first step */
    struct {
        int n;
        double bytes, seconds;       /* of the last, of all; rank 0 */
        double waited;               /* by the time loop, for all */
        int64_t step;                /* of the last */
        struct bosc_saving *current; /* rank 0: being written, or not settled */
    } saving;
    bool looped; /* the time loop has begun */

    /* From the end of bosc_run_setup(). */
    bosc_gather_plan *gather;
    int64_t slots;         /* of all ranks' layouts, padding included */
    int64_t lane_rows;     /* those, and lanes idle beside lone neurons */
    int64_t n_single_lane; /* neurons in groups of width 1, of all ranks */
    int64_t device_bytes;  /* of all GPUs, after the time loop */

    /* After set-up, unless the run is dry. */
    bosc_result *result; /* rank 0; NULL again once it is finished */

    bosc_run_indegree *indegree; /* rank 0, at the end: [projections]; NULL: the
                                    network was not written */

    bosc_rank_row row;   /* this rank's numbers; each phase sets its own */
    bosc_rank_row *rows; /* rank 0, after the time loop: [ranks] */
} bosc_run;

/* Start MPI and run the job.  Collective: 'st' is what has become of the
 * command line on this rank, with its message in err.  Rank 0 prints the
 * message of a failure, and err is empty afterwards. */
bosc_status bosc_run_job(const bosc_run_request *request, bosc_status st,
                         bosc_error *err);

/* Its parts: start MPI; begin, with group number 'group' of the members of a
 * sweep; set up, run, and write the file; end.  Before
 * the end results are in the file, and the engine and the rows are as the run
 * has left them.  To be ended, whatever 'all' returns. */
void bosc_run_start_mpi(void);
void bosc_run_begin(bosc_run *run, const bosc_run_request *request, int group);
bosc_status bosc_run_all(bosc_run *run, bosc_error *err);
void bosc_run_end(bosc_run *run);

/* From the command line to an engine that is ready to step.  Collective. */
bosc_status bosc_run_setup(bosc_run *run, bosc_error *err);

/* Find what the job is known by: its values, and the contents of its files.
 * Collective. */
bosc_status bosc_run_identify(bosc_run *run, bosc_error *err);

/* Two parts of that: the checksum of a population's list of morphologies with
 * their contents; and a text of all files of the members of a sweep, n of them
 * besides morphologies, to be freed, NULL without memory.  'sums' are of the
 * morphologies, then of the n files. */
uint64_t bosc_run_neurons_sum(const bosc_run *run, int population,
                              const int64_t *sums);
char *bosc_run_contents(const bosc_run *run, int n, const char *const *path,
                        const int64_t *sums);

/* Look at what stands at the output: the finished result of this job sets
 * run->finished; of another one it is an error, unless it may be replaced.
 * Collective. */
bosc_status bosc_run_check_output(bosc_run *run, bosc_error *err);

/* Where the output has an unfinished result of this job with a checkpoint, open
 * both and set run->from, unless the request is to overwrite; a checkpoint that
 * cannot be gone on from is told.  Collective, like the next. */
bosc_status bosc_run_find_checkpoint(bosc_run *run, bosc_error *err);

/* With run->from: the state of neurons, before there is an engine; then, with
 * epochs and what is gathered, all the rest. */
bosc_status bosc_run_restore(bosc_run *run, bosc_error *err);
bosc_status bosc_run_resume(bosc_run *run, bosc_error *err);

/* The callbacks of a time loop about checkpoints (src/run/time_loop.h). */
bosc_status bosc_run_save(void *run, int64_t step, bool last, bosc_error *err);
bosc_saving_state bosc_run_saving(void *run);
bosc_status bosc_run_settle(void *run, bosc_error *err);

/* Remove the checkpoints of a finished run, at rank 0, unless one is to be
 * kept.
 */
void bosc_run_remove_checkpoints(const bosc_run *run);

/* The same where the result was finished before: a run that was killed right
 * after that has left them.  With unfinished results beside it they belong to
 * these, and stay. */
void bosc_run_remove_left(const bosc_run *run);

/* Warn where the disk has less room than the probes need; and, of the voltage
 * that this rank has found beyond the limit (NULL: none), of the first of all
 * ranks'.  Fail where the job is strict.  Collective. */
bosc_status bosc_run_check_disk(bosc_run *run, bosc_error *err);
bosc_status bosc_run_beyond(void *run, const bosc_beyond *beyond,
                            bosc_error *err);

/* Set the names of the file. */
bosc_status bosc_run_name_output(bosc_run *run, bosc_error *err);

/* Run the groups of the request one after another, as far as they can be, and
 * merge their files.  'outcome' is what request->outcome is to be told.
 * Collective; rank 0 prints the messages of failures but the last, which is
 * returned with its status. */
bosc_status bosc_run_groups(const bosc_run_request *request, char outcome[60],
                            bosc_error *err);

/* Of a sweep: the first neuron of each member in the job, and how many neurons
 * there are; to be freed, NULL without memory. */
int64_t *bosc_run_member_gids(const bosc_run *run);

/* Find the members that have failed: after the time loop, with warnings; or, of
 * a finished result, by rank 0's status[n], NULL where there is none.  Then,
 * with the result closed: fail where there are any.  Collective. */
bosc_status bosc_run_find_failed(bosc_run *run, bosc_error *err);
bosc_status bosc_run_take_failed(bosc_run *run, int n, const int32_t *status,
                                 bosc_error *err);
bosc_status bosc_run_judge_members(const bosc_run *run, bosc_error *err);

/* What was verified, as words: "8 neurons: equal"; to be freed, NULL without
 * memory. */
char *bosc_run_verified(const bosc_run *run);

/* The mean rate (1/s) of a population that fired so often. */
double bosc_run_rate(const bosc_run *run, int population, int64_t spikes);

/* Columns before the texts of what is printed. */
enum { BOSC_RUN_TEXT = 19 };

/* At rank 0, on standard output: what will be run. */
void bosc_run_announce(const bosc_run *run);

/* At rank 0, on standard output: what the store has done with what an earlier
 * run had left, if anything. */
void bosc_run_tell_earlier(const bosc_run *run);

/* The numbers of stimuli that vary (run_numbers.c): each once, although all
 * members of a sweep have it. */
typedef struct bosc_run_numbers {
    int n;
    bosc_result_value *of; /* [n] */
    const char **stimulus; /* [n] its name, */
    int *param;            /* [n] and which of its parameters it is */
} bosc_run_numbers;

bosc_status bosc_run_numbers_list(const bosc_job *job,
                                  bosc_run_numbers *numbers, bosc_error *err);
void bosc_run_numbers_clear(bosc_run_numbers *numbers);

/* Those of a neuron of this rank: values[n], NAN where it has no such stimulus.
 */
bosc_status bosc_run_numbers_of(const bosc_run *run,
                                const bosc_run_numbers *numbers, int32_t neuron,
                                double *values, bosc_error *err);

/* Bring the table of neurons together at rank 0 and into the store, some at a
 * time.  Collective. */
bosc_status bosc_run_write_neurons(bosc_run *run, bosc_error *err);

/* With all steps done: bring the connections of the network together at rank 0
 * and into the store, where the job says so.  Collective.  Then, at rank 0, on
 * standard output: how many targets of projections have. */
bosc_status bosc_run_write_network(bosc_run *run, bosc_error *err);
void bosc_run_tell_indegree(const bosc_run *run);

/* Bring the ranks' rows together at rank 0.  Collective. */
bosc_status bosc_run_collect_rows(bosc_run *run, bosc_error *err);

/* With neurons packed: what this rank is expected to take, into its row. */
void bosc_run_expect(bosc_run *run);

/* "vectors of 8 neurons", "a composed step, 1,024 neurons side by side", or
 * with its levels of sections; free()d by the caller, NULL without memory. */
char *bosc_run_groups_text(const bosc_run *run);

/* What the file keeps of that; valid while the buffers and the run are. */
bosc_result_costs bosc_run_costs(const bosc_run *run,
                                 const char *names[BOSC_RESULT_MAX_WORKS],
                                 char streamed[BOSC_STREAMED_TEXT]);

/* At rank 0, on standard output: how far off the expectations were. */
void bosc_run_compare(const bosc_run *run);

/* At rank 0, on standard output: where the time went. */
void bosc_run_summarise(const bosc_run *run);

#endif
