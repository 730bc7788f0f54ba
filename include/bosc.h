/* bosc.h - simulate the membrane voltage of many branched neurons from a
 * program.
 *
 * A simulation is a handle.  It is opened from a job, the YAML text that
 * bosc(1) describes, built, advanced in time, read, and closed:
 *
 *     #include <bosc.h>
 *     #include <stdio.h>
 *
 *     int main(void)
 *     {
 *         bosc_simulation *sim;
 *         bosc_readings v;
 *         bosc_status st = bosc_open("ring.yaml", &sim);
 *
 *         if (st == BOSC_OK)
 *             st = bosc_set(sim, "tstop", "50 ms");
 *         if (st == BOSC_OK)
 *             st = bosc_advance(sim, 50);
 *         if (st == BOSC_OK)
 *             st = bosc_read(sim, "soma", "v", &v);
 *         if (st != BOSC_OK)
 *             fprintf(stderr, "%s\n", bosc_last_error(sim));
 *         else if (v.n_times > 0 && v.n_columns > 0)
 *             printf("neuron %lld: %g mV at %g ms\n", (long long)v.gid[0],
 *                    v.values[(v.n_times - 1) * v.n_columns],
 *                    v.time[v.n_times - 1]);
 *         bosc_close(sim);
 *         return st;
 *     }
 *
 *     cc client.c $(pkg-config --cflags --libs bosc)
 *
 * Units: ms, mV, nA, uS, um, mM, degC, and those that a mechanism's own
 * documentation gives.
 *
 * Errors: a function that can fail returns a status, and bosc_last_error() of
 * the handle says in a sentence which file, line or value is wrong and what to
 * do.  NULL as a handle is one that there was no memory for.  The library
 * prints nothing, ends no process, installs no signal handler and changes no
 * setting of its caller; it never initialises MPI.
 *
 * Threads and processes: a handle is used by one thread at a time; different
 * handles are independent of each other and may be used by different threads at
 * once.  A simulation computes with threads of its own (OpenMP; key 'threads').
 * A handle stays in the process that has opened it, and the child of a process
 * that has simulated cannot simulate: after fork() it gets BOSC_EUSAGE.
 *
 * Ranks: one process simulates alone unless bosc_set_ranks() says otherwise.
 * Then every function marked "collective" is called by all ranks in the same
 * order, with the same values, and returns the same status on all.  Results do
 * not depend on the number of ranks or threads.
 *
 * Ownership: pointers that a function gives belong to the handle and are valid
 * until the next call of bosc_advance(), bosc_forget(), bosc_restore() or
 * bosc_close() with it, unless the function says otherwise.
 *
 * ABI: functions and values are added, and none is changed or removed, while
 * the soname stays libbosc.so.0.  Structures are filled by the library, and
 * grow only with a new soname.
 */
#ifndef BOSC_INCLUDE_BOSC_H
#define BOSC_INCLUDE_BOSC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What has become of a call. */
typedef enum bosc_status {
    BOSC_OK = 0,
    BOSC_EUSAGE,   /* a call out of order, or a wrong command line */
    BOSC_ENOINPUT, /* a file that is to be read is not there or not readable */
    BOSC_EFORMAT,  /* a file does not say what it must */
    BOSC_EVALUE,   /* a value is out of range or contradicts another */
    BOSC_EOUTPUT,  /* the output cannot be there, or something else is */
    BOSC_EIO,      /* the system refused to write, to make a thread, ... */
    BOSC_ENOMEM,   /* too little memory, here or on a GPU */
    BOSC_ENOSUP,   /* this build or machine cannot do it */
    BOSC_EINTR,    /* a signal asked the run to stop */
    BOSC_EREQUEUE, /* the same, after a checkpoint: it is to be started again */
    BOSC_EINTERNAL, /* our own error: please report it */
    BOSC_N_STATUSES
} bosc_status;

typedef struct bosc_simulation bosc_simulation;

/* The ranks that simulate together (bosc_mpi.h). */
typedef struct bosc_comm bosc_comm;

/* What reads NetCDF files (bosc_netcdf.h). */
typedef struct bosc_files bosc_files;

/* "bosc 0.2.0 (86f0dec1a2b3)": the version of the library, and the commit that
 * it was built from where that is known. */
const char *bosc_version(void);

/* --- open, set, close ------------------------------------------------------
 */

/* Open a simulation of the job in a file.  *out is a handle whatever is
 * returned, for bosc_last_error() and bosc_close(), and NULL with BOSC_ENOMEM
 * alone.  BOSC_ENOINPUT; what the job says is checked by bosc_build().  What it
 * says of results in files and of checkpoints has no effect. */
bosc_status bosc_open(const char *path, bosc_simulation **out);

/* The same of a text, from whose 'folder' relative paths start (NULL: the
 * working folder).  Messages call it "job", or FOLDER/job. */
bosc_status bosc_open_text(const char *text, const char *folder,
                           bosc_simulation **out);

/* Before bosc_build(): give a key of the job a value, as 'bosc run --set'
 * would: bosc_set(sim, "clamps.0.amplitude", "0.5").  A value is YAML. */
bosc_status bosc_set(bosc_simulation *sim, const char *key, const char *value);

/* Before bosc_build(): a population of models.  Row i of 'values'
 * [n_rows][n_keys] are the values of the keys in member i, whose neurons follow
 * those of member i - 1; the job itself has no sweep.  Keys of the whole job
 * (dt, tstop, celsius, ...) need a simulation for each value: BOSC_EVALUE. */
bosc_status bosc_set_table(bosc_simulation *sim, int n_rows, int n_keys,
                           const char *const *keys, const double *values);

/* Before bosc_build(): simulate on these ranks, which stay the caller's and
 * outlive the simulation.  Each of them opens the same job. */
bosc_status bosc_set_ranks(bosc_simulation *sim, const bosc_comm *ranks);

/* Before bosc_build(): read tables in NetCDF files, and 'cost_from', with
 * these; without them such a file is refused. */
bosc_status bosc_set_files(bosc_simulation *sim, const bosc_files *files);

/* Check the job, and make the neurons.  Collective.  Every error of a job is
 * found here. */
bosc_status bosc_build(bosc_simulation *sim);

/* Free it.  NULL is allowed.  Collective where there are several ranks. */
void bosc_close(bosc_simulation *sim);

/* Why the last call with this handle has failed, or ""; NULL as a handle: out
 * of memory.  Valid until the next call with it. */
const char *bosc_last_error(const bosc_simulation *sim);

/* Warning number i, from 0, of those so far, NULL after the last: the
 * simulation goes on, but some value is hardly meant ("strict: true" makes them
 * errors). */
const char *bosc_warning(const bosc_simulation *sim, int i);

/* --- time ------------------------------------------------------------------
 */

/* Advance until t (ms), at most the job's tstop; where it is later already,
 * that is no failure.  Where spikes travel between neurons, it goes on to the
 * end of an epoch, which is half the smallest delay: bosc_time() says when that
 * is. Builds first, where that has not been done.  BOSC_EVALUE where a voltage
 * is no longer finite, with the reason as far as it can be found.  Collective.
 */
bosc_status bosc_advance(bosc_simulation *sim, double t);

/* The time (ms) that it has reached; NaN before it is built. */
double bosc_time(const bosc_simulation *sim);

/* --- what there is ---------------------------------------------------------
 */

/* How it is computed: "cpu depth-first, chosen by rules, 2 threads"; "" before
 * it is built. */
const char *bosc_method_used(const bosc_simulation *sim);

/* Neurons of all ranks, 0 before it is built.  Their numbers (gid) are 0 to
 * that minus one. */
int64_t bosc_n_neurons(const bosc_simulation *sim);

/* Population i, from 0: its name, and the neurons first to first + n - 1.  Name
 * is NULL after the last, and before it is built. */
typedef struct bosc_group {
    const char *name;
    int64_t first, n;
    int member; /* of a table or a sweep; 0 without */
} bosc_group;

bosc_group bosc_population(const bosc_simulation *sim, int i);

/* Probe i, from 0, by its name; NULL after the last, and before it is built. */
const char *bosc_probe_name(const bosc_simulation *sim, int i);

/* --- results ---------------------------------------------------------------
 */

/* What a probe has recorded of a variable since the start, or since
 * bosc_forget(): of this rank's neurons, in the order of (gid, compartment); of
 * electrodes, with the variable "potential", all on rank 0, in the order of the
 * job, with gid and compartment -1, section "" and x NaN. */
typedef struct bosc_readings {
    int64_t n_times, n_columns;
    const double *time;         /* [n_times] ms */
    const double *values;       /* [n_times][n_columns] */
    const char *unit;           /* of the values: "mV", "1", ... */
    const int64_t *gid;         /* [n_columns] of the neuron */
    const int32_t *compartment; /* [n_columns] in the neuron, 0: the root */
    const char *const *section; /* [n_columns] "soma[0]", "dend[12]" */
    const double *x; /* [n_columns] position in the section, 0 to 1 */
} bosc_readings;

/* 'variable' is as the job calls it: "v", "m", "hh.m".  BOSC_EVALUE where the
 * job has no such probe, or the probe does not record it. */
bosc_status bosc_read(bosc_simulation *sim, const char *probe,
                      const char *variable, bosc_readings *out);

/* Spikes of this rank's neurons since the start, or since bosc_forget(), in the
 * order of (time, gid). */
typedef struct bosc_spike_list {
    int64_t n;
    const double *time; /* [n] ms */
    const int64_t *gid; /* [n] */
} bosc_spike_list;

bosc_status bosc_spikes(bosc_simulation *sim, bosc_spike_list *out);

/* What probes with a 'threshold' have detected in this rank's neurons since the
 * start, or since bosc_forget(): upward crossings at each of their places, in
 * the order of (time, probe, gid, compartment).  None without such a probe.
 * Spikes are not among them. */
typedef struct bosc_detection_list {
    int64_t n;
    const double *time;   /* [n] ms */
    const int32_t *probe; /* [n] its number, as bosc_probe_name() has it */
    const int64_t *gid;   /* [n] of the neuron */
    const int32_t *compartment; /* [n] in the neuron, 0: the root */
    const char *const *section; /* [n] "soma[0]", "dend[12]" */
    const double *x;            /* [n] position in the section, 0 to 1 */
} bosc_detection_list;

bosc_status bosc_detections(bosc_simulation *sim, bosc_detection_list *out);

/* Drop what was recorded, so that a long simulation does not keep all of it. */
void bosc_forget(bosc_simulation *sim);

/* --- state -----------------------------------------------------------------
 */

/* The state of this rank's neurons, and of spikes on their way, as *bytes bytes
 * from which bosc_restore() goes on with the same bits; free() them.
 * Collective. */
bosc_status bosc_save(bosc_simulation *sim, void **state, size_t *bytes);

/* Go back, or on, to a state of the same job on as many ranks, each with its
 * own.  What was recorded is dropped.  BOSC_EFORMAT for bytes that are no state
 * of this job and version, which leave a simulation that is built as it is.
 * Collective. */
bosc_status bosc_restore(bosc_simulation *sim, const void *state, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
