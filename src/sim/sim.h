/* sim.h - a simulation: everything between a job and the numbers that it gives,
 * without files of results, checkpoints and words for people.
 *
 * Order of calls, each collective over the ranks of the simulation, and each of
 * which leaves with the same status on all:
 *
 *     bosc_sim_begin()     nothing but what is asked for
 *     bosc_sim_read()      the job; its mechanisms
 *     bosc_sim_prepare()   a backend, GPUs, threads, the list of neurons
 *     bosc_sim_build()     this rank's cells, their batch, their connections
 *     bosc_sim_start()     an engine, sources and epochs
 *     bosc_epochs_run()    on sim->epochs, as often as it takes
 *     bosc_sim_end()       always
 *
 * Between build and start a state may be put into sim->built (src/checkpoint/).
 * src/run/ drives it for the command line.
 */
#ifndef BOSC_SRC_SIM_SIM_H
#define BOSC_SRC_SIM_SIM_H

#include <stdbool.h>

#include "kernels/methods.h"
#include "src/base/warning.h"
#include "src/batch/batch_build.h"
#include "src/comm/comm.h"
#include "src/distribute/distribution.h"
#include "src/distribute/rank_speed.h"
#include "src/model/local_cells.h"
#include "src/select/choose.h"
#include "src/select/choose_format.h"
#include "src/sim/epochs.h"
#include "src/sim/sim_values.h"
#include "src/table/files.h"
#include "src/text/options.h"
#include "src/verify/verify.h"

/* Steps of an epoch when only event sources send spikes: events are sorted that
 * far ahead. */
enum { BOSC_QUIET_EPOCH = 100 };

/* What is asked for.  All that it points to is the caller's and outlives the
 * simulation. */
typedef struct bosc_sim_request {
    const bosc_comm *comm;     /* of the ranks that simulate together */
    const bosc_files *files;   /* NULL: no NetCDF file is read */
    bosc_memory_model *memory; /* what a rank of this program needs */
    const char *path;    /* of the job; relative paths start from its folder */
    const char *text;    /* of the job, at rank 0; NULL: the file's */
    bosc_texts set;      /* --set */
    const char *members; /* of a sweep; NULL: all */
    int group;           /* of these, from 0: those that run together */
    bool share;          /* ranks may have one GPU together, */
    bool mix;            /* or none, and compute on CPUs */
    bool told;           /* warnings about mechanisms that are built, and */
    bool shown;          /* how far that is, go to standard error */
    bosc_mechs *mechs;   /* of the job, loaded; NULL: it has its own */
    bool untimed;        /* no candidates are timed, whatever the job says */
    int64_t epoch;       /* steps, where no delay and no coupling says how many;
                            0: as the simulation chooses them */
    void (*poll)(void *what); /* called now and then by the thread that
                                 integrates; NULL: none */
    void *what;
} bosc_sim_request;

/* Mechanisms that were compiled for a simulation, and how long that took. */
typedef struct bosc_compiled {
    int n;
    double seconds;
} bosc_compiled;

/* The GPUs of a simulation.  All but 'bytes' and 'n_without' is of this
 * rank. */
typedef struct bosc_sim_gpu {
    char name[80];  /* of a rank's; "": the backend needs none */
    int number;     /* for the rank's process; -1: it has none */
    int before;     /* the one that the thread used when it took that */
    int capability; /* compute capability, 90 for 9.0, or 0 */
    double bytes;   /* of the GPU that a rank has the least of */
    int n_without;  /* ranks without one, which compute on CPUs */
} bosc_sim_gpu;

/* What was chosen, and why. */
typedef struct bosc_sim_chosen {
    bosc_choice choice; /* of the method; its predictions are of one rank, where
                           all are alike */
    bosc_format_choice *formats; /* [n_couplings] likewise, */
    char *format_words;          /* and as words; NULL: no couplings */
    char *measured;   /* what candidates took; NULL: nothing was measured */
    int64_t sampled;  /* one neuron in so many */
    double measuring; /* s, for that */
} bosc_sim_chosen;

/* How far an engine goes by itself. */
typedef struct bosc_sim_pace {
    int64_t epoch;            /* steps, */
    bool sends, whole;        /* as bosc_epochs_spec */
    bool exchange_every_step; /* couplings need the host before each step */
} bosc_sim_pace;

/* Sums over all ranks. */
typedef struct bosc_sim_net {
    int64_t connections, bytes, coupled;
    int64_t events;               /* from bosc_sim_count_events(), */
    bosc_exchange_times voltages; /* means of ranks; steps == 0: none travel */
} bosc_sim_net;

/* Members of a sweep that have failed: a voltage was not finite. */
typedef struct bosc_sim_failures {
    int32_t *failed; /* [members] 1: it has; NULL: nobody has looked, or there
                        are none */
    int n, first;    /* how many; the first that was found */
} bosc_sim_failures;

typedef struct bosc_sim {
    /* From bosc_sim_begin(). */
    bosc_sim_request request;
    const bosc_comm *comm;
    bosc_warnings warnings; /* the same on all ranks; each call adds to it */

    /* From bosc_sim_read(). */
    bosc_mechs *mechs; /* the request's, or its own */
    bosc_job *job;
    bosc_sim_values values; /* that the job's regions name */
    bosc_compiled compiled; /* at rank 0 */

    /* From bosc_sim_prepare(). */
    const bosc_method *method; /* of this rank; the others' give the same bits
                                */
    int threads;               /* of this rank */
    bosc_sim_gpu gpu;
    bosc_gid_table *gid_table;

    /* From bosc_sim_build(). */
    bosc_sim_chosen chosen;
    bosc_rank_speed *speed;
    bosc_local_cells *cells;
    bosc_distribution distribution;
    bosc_built_batch *built;
    bosc_coupling *coupling;  /* NULL: the job has no couplings */
    bosc_away_exchange *away; /* NULL: no POINTER stands for another neuron */
    bosc_verify *verify;      /* NULL: the job asks for none */
    bosc_network_files files; /* what files say about the network, where it is
                                 to come out (output.network); else nothing */

    /* Set by the caller before bosc_sim_build(). */
    int64_t from; /* the first step to do; above 0, where a state follows */

    /* From bosc_sim_start(). */
    bosc_sim_pace pace;
    char by[80]; /* what this rank's method is called */
    bosc_engine *engine;
    bosc_streamed streamed; /* of all ranks whose method keeps neurons on a
                               chip */
    bosc_sources *sources;  /* NULL: the job has no projections */
    bosc_epochs *epochs;
    bosc_sim_net net;

    /* While it runs. */
    bool warned_v_limit; /* a voltage was beyond BOSC_MOST_V */
    double verifying;    /* s of the loop; mean of all ranks */
    bosc_sim_failures failures;
} bosc_sim;

bosc_sim bosc_sim_begin(const bosc_sim_request *request);
bosc_status bosc_sim_read(bosc_sim *sim, bosc_error *err);
bosc_status bosc_sim_prepare(bosc_sim *sim, bosc_error *err);
bosc_status bosc_sim_build(bosc_sim *sim, bosc_error *err);
bosc_status bosc_sim_start(bosc_sim *sim, bosc_error *err);
void bosc_sim_end(bosc_sim *sim);

/* Before its end: its mechanisms, which are the caller's from here on; NULL:
 * it has not come to them. */
bosc_mechs *bosc_sim_keep_mechs(bosc_sim *sim);

/* A part of bosc_sim_prepare(), for an estimate: the list of neurons, and
 * whether the values of the job are plausible.  Collective. */
bosc_status bosc_sim_list(bosc_sim *sim, bosc_error *err);

/* Warn of files of implausible size, once all templates have been read; fail
 * where the job is strict.  Collective. */
bosc_status bosc_sim_check_sizes(bosc_sim *sim,
                                 const bosc_template_table *sizes,
                                 bosc_error *err);

/* A bosc_memory_model: ask every module of a simulation that allocates.  A
 * program adds its own. */
void bosc_sim_memory(const bosc_workload *workload, bosc_memory *memory);

/* The groups of neurons that a method has on this rank. */
bosc_grouping bosc_sim_grouping(const bosc_sim *sim, const bosc_method *method);

/* After steps: the events of all ranks, and what exchanging voltages took.
 * Collective. */
void bosc_sim_count_events(bosc_sim *sim);

/* After the last step, or one that is kept: compare the state of the neurons
 * that are computed again with the simulation's, which is downloaded.
 * Collective; BOSC_EINTERNAL where they differ. */
bosc_status bosc_sim_verify(bosc_sim *sim, int64_t step, bosc_error *err);

/* With the status of steps that have failed, the same on all ranks: where that
 * was for a voltage that is not finite, tell why, by computing its neuron
 * again, and return what it is then.  Collective. */
bosc_status bosc_sim_explain(const bosc_sim *sim, bosc_status st,
                             bosc_error *err);

/* The same of neuron 'gid', after 'until' steps, as words that begin with what
 * it is called: "neuron 3 (population cells) is not finite after ..."; the
 * status is that of bosc_replay().  Collective. */
typedef struct bosc_broken_words {
    bosc_status st;
    char text[900];
} bosc_broken_words;
bosc_status bosc_sim_replay(const bosc_sim *sim, int64_t gid, int64_t until,
                            bosc_broken_words *words, bosc_error *err);

/* Of a sweep, whose time loop goes on where a voltage is not finite: find the
 * members that have failed until 'step', and warn of those that had not before.
 * Collective. */
bosc_status bosc_sim_find_failed(bosc_sim *sim, int64_t step, bosc_error *err);

/* Warn of the voltage that this rank has found beyond the limit (NULL: none),
 * the first of all ranks'.  Fail where the job is strict.  Collective. */
bosc_status bosc_sim_beyond(bosc_sim *sim, const bosc_beyond *beyond,
                            bosc_error *err);

/* Where the job is strict, refuse what has come after warning number 'from'.
 * 'st' is this rank's status so far.  Collective. */
bosc_status bosc_sim_judge(const bosc_sim *sim, bosc_status st, int from,
                           bosc_error *err);

/* --- parts, for this folder ---------------------------------------------- */

/* As bosc_local_cells_spec has it: choose the method, and with it the speed of
 * each rank. */
bosc_status bosc_sim_find_speed(void *sim, const bosc_template_table *sizes,
                                const bosc_rank_speed **out, bosc_error *err);

/* With 'tune: measure', where the run is long enough: time the first steps of
 * some of this rank's neurons, in the model's cells, by the best candidates,
 * and take the fastest.  Collective. */
bosc_status bosc_sim_measure(bosc_sim *sim, const bosc_model *model,
                             bosc_error *err);

/* Refuse a variable of a probe that none of its places has, or that synapses of
 * several names have; warn where a compartment has several instances, of which
 * the first is recorded.  Collective. */
bosc_status bosc_sim_check_probes(bosc_sim *sim, bosc_error *err);

/* Refuse point processes at places that none of their neurons has.
 * Collective. */
bosc_status bosc_sim_check_points(bosc_sim *sim, bosc_error *err);

/* Warn of values of the job that are hardly meant; of gap junctions that are
 * too strong; of projections and couplings that connect nothing (where they
 * never can, that is an error); of sources that send nothing, as their files
 * have n_times[n_sources] times before the end.  Fail where the job is strict.
 * Collective. */
bosc_status bosc_sim_check_job(bosc_sim *sim, bosc_error *err);
bosc_status bosc_sim_check_gaps(bosc_sim *sim, bosc_error *err);
bosc_status bosc_sim_check_steep(bosc_sim *sim, bosc_error *err);
bosc_status bosc_sim_check_links(bosc_sim *sim, bosc_error *err);
bosc_status bosc_sim_check_sources(bosc_sim *sim, const int64_t *n_times,
                                   bosc_error *err);

#endif
