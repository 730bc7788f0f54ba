/* store.h - the NetCDF file: the only place that knows netCDF and the schema.
 *
 * Serial code: rank 0 alone calls it.  The file is written as PATH.partial and
 * gets its name only in bosc_store_finish(): a run that fails or is killed
 * leaves no file that looks finished.
 *
 * Schema (netCDF-4, zlib, Conventions CF-1.8; dimensions in brackets):
 *   time_P [time_P]                  double, ms, axis T   for each probe set P
 *   P_gid [P]  P_compartment [P]     where each probe sits, P_section char,
 *   P_x [P]                          its section's name and position
 *   P_v, P_m, P_h, P_n [time_P, P]   double
 *   neuron table [neuron]: gid, population (index), morphology (index, -1
 *       synthetic), compartments, sections, area_um2
 *   population_name [population], morphology_file [morphology]   strings
 *   spike_time, spike_gid [spike]    unlimited, sorted by (time, gid)
 *   rank table [rank]: neurons, compartments, seconds of each phase, bytes
 *   attributes: title, history, source (version), Conventions, job (the text),
 *       completed
 */
#ifndef BOSC_SRC_STORE_H
#define BOSC_SRC_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/status.h"

typedef struct bosc_store bosc_store;

/* One probe set as the file sees it: columns in (gid, compartment) order. */
typedef struct bosc_store_probes {
    const char *name;
    double interval; /* ms */
    int64_t n;       /* columns */
    const int64_t *gid;         /* [n] */
    const int32_t *compartment; /* [n] node number in the neuron */
    const char *const *section; /* [n] "dend[12]" */
    const double *x;            /* [n] position in the section */
    int n_variables;
    const char *const *variables; /* [n_variables] of "v", "m", "h", "n" */
} bosc_store_probes;

typedef struct bosc_store_neurons {
    int64_t n;
    int32_t *population, *morphology;    /* [n] neuron i has gid i */
    int32_t *compartments, *sections;    /* [n] */
    double *area;                        /* [n] um2 */
    int n_populations, n_morphologies;
    const char *const *population_name;  /* [n_populations] */
    const char *const *morphology_file;  /* [n_morphologies] */
} bosc_store_neurons;

typedef struct bosc_store_spec {
    const char *path, *title, *command, *job_text;
    double dt, tstop, celsius, v_init, spike_threshold;
    int compression; /* zlib level */
    const bosc_store_neurons *neurons;
    int n_sets;
    const bosc_store_probes *sets; /* [n_sets] */
} bosc_store_spec;

/* Numbers of one rank for the rank table. */
enum { BOSC_N_PHASES = 6 };
extern const char *const bosc_phase_names[BOSC_N_PHASES];
typedef struct bosc_rank_row {
    int64_t neurons, compartments, bytes; /* bytes: peak resident set */
    double seconds[BOSC_N_PHASES];
} bosc_rank_row;

/* Test that the file could be made there, without making it: for the start of
 * a run, so that hours are not lost at its end. */
bosc_status bosc_store_check(const char *path, bosc_error *err);

/* Create PATH.partial with everything known before the first step. */
bosc_status bosc_store_create(const bosc_store_spec *spec, bosc_store **out,
                              bosc_error *err);

/* Append frames to variable 'variable' of set 'set': values[n_frames][n]. */
bosc_status bosc_store_frames(bosc_store *store, int set, int variable,
                              int64_t first_frame, int64_t n_frames,
                              const double *values, bosc_error *err);

/* Append spikes, already in order. */
bosc_status bosc_store_spikes(bosc_store *store, int64_t n, const double *time,
                              const int64_t *gid, bosc_error *err);

/* Write the rank table, mark as completed, close, and rename to PATH. */
bosc_status bosc_store_finish(bosc_store *store, int n_ranks,
                              const bosc_rank_row *rows, bosc_error *err);

/* Close without finishing.  keep: PATH.partial stays, marked as incomplete
 * with the reason; else it is removed.  NULL is allowed. */
void bosc_store_abandon(bosc_store *store, bool keep, const char *reason);

#endif
