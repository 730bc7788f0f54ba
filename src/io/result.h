/* result.h - the NetCDF file: the only place that knows netCDF and the schema.
 *
 * Serial code: rank 0 alone calls it, one thread at a time.  The file is
 * written as PATH.partial and gets its name only in bosc_result_finish(): a run
 * that fails or is killed leaves no file that looks finished, and what an
 * earlier run left at PATH stays until then.  src/base/lock.h keeps other runs
 * away.
 *
 * Schema (netCDF-4, zlib and shuffle where asked; CF-1.8; dimensions in
 * brackets, P the name of a probe set):
 *   time_P [time_P]            double, ms, axis T: the coordinate variable of
 *                              the unlimited dimension of the same name
 *   P_v P_m P_h P_n [time_P,P] double, mV and 1
 *   P_gid P_compartment P_section P_x [P]
 *                              where each column sits, P_section as index in
 *                              section_name; P_v names them in its attribute
 *                              'coordinates', P has no variable
 *   P_x3d P_y3d P_z3d P_diam P_area P_distance [P]
 *                              float: position in the morphology's coordinates,
 *                              diameter, membrane area, path from the soma (um;
 *                              NaN: not connected with it)
 *   P_x0 P_y0 P_z0 P_x1 P_y1 P_z1 [P]
 *                              float: the ends of the compartment (um)
 *   P_cm P_Ra P_parent_x [P]   float: membrane capacitance (uF/cm2); axial
 *                              resistivity (ohm cm) of its section; where on
 *                              the parent's section that hangs (0 to 1; NaN:
 *                              it has none)
 *   P_parent_compartment [P]   int: the compartment that it hangs on, recorded
 *                              or not, -1: none
 *   P_parent [P]               int64: the column of the nearest compartment
 *                              towards the root that P has, -1: none
 *   section_name [section]     string, as in NEURON: "soma[0]", "dend[12]"
 *   neuron [neuron]            int64, the gid: a coordinate variable
 *   neuron_population neuron_morphology [neuron]
 *                              int, index in the two tables below; -1: the
 *                              morphology is synthetic
 *   neuron_compartments neuron_sections neuron_area [neuron]
 *   population_name [population]  morphology_file [morphology]
 *   spike_time spike_gid [spike]  unlimited, in (time, gid) order
 *   detection_time detection_gid detection_probe detection_column [detection]
 *                              where a probe has a threshold: what probes have
 *                              detected, in the order of times, then probes,
 *                              then columns; unlimited
 *   neuron_x neuron_y neuron_z [neuron]  connection_... [connection]
 *                              where the network comes out: somata (um, NaN:
 *                              it has no position), and connections
 *                              (network/result_network.h)
 *   rank_neurons rank_compartments rank_bytes [rank]
 *   rank_expected_seconds [rank,phase]  rank_expected_bytes [rank]
 *                              what was expected; NaN: nothing was
 *   rank_slots rank_lane_rows rank_threads rank_node_threads [rank]
 *   rank_work [rank,work]
 *   work_name [work]           what the time steps were made of
 *   population_rate [population]  mean rate of its neurons' spikes (1/s)
 *   member member_name member_status [member]  sweep_KEY [member]
 *   population_member neuron_member P_member [population, neuron, P]
 *                              of a sweep: its members' numbers in it, names,
 *                              1 where a voltage was not finite at the end,
 *                              values of swept keys; index in these
 *   rank_seconds [rank,phase]  phase_name [phase]
 *   attributes: title, history (date, command), source (version), arithmetic
 *       (its version: the same number, the same bits), Conventions, dt_ms,
 *       tstop_ms, celsius_degC, v_init_mV, spike_threshold_mV, job (the text),
 *       steps_measured (where rank_seconds are of these alone),
 *       sweep, sweep_members (of all members of a sweep: a checksum, how many),
 *       sweep_contents (of those here: checksums of files, one a line),
 *       job_values (what results depend on: two files are of the same job
 *       where it is the same), warnings (one a line; none: ""), verified
 *       ("8 neurons: equal", where some were), completed ("yes", or
 *       "no: reason")
 * Names are netCDF strings (UTF-8), each once: a string takes about 50 bytes
 * and 6 us to write, and is not compressed, so tables of neurons, columns and
 * spikes have indices instead.
 *
 * Equal runs give equal bytes in every variable but the rank table's seconds
 * and bytes.  The date in 'history' is SOURCE_DATE_EPOCH's where that is set.
 */
#ifndef BOSC_SRC_IO_RESULT_H
#define BOSC_SRC_IO_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/lock.h"
#include "src/base/status.h"
#include "src/job/job.h"
#include "src/job/variable.h"
#include "src/table/rank_table.h"

typedef struct bosc_result bosc_result;

/* What the names of checkpoints (src/checkpoint/) end in: the latest, and the
 * one before it. */
#define BOSC_CHECKPOINT ".checkpoint"
#define BOSC_CHECKPOINT_OLD ".checkpoint.old"

/* One probe set as the file sees it: columns in (gid, compartment) order. */
typedef struct bosc_result_probes {
    const char *name;       /* a netCDF name, no other set's */
    double start, interval; /* ms: frame k is at start + k * interval */
    int64_t frames;         /* in all, at most */
    bool is_float;          /* single precision in the file */
    int64_t n;              /* columns, 0 allowed */
    int n_variables;
    const bosc_variable *variables; /* [n_variables] */
    const bosc_mechs *mechs;        /* whose states they are */
    bool detects;                   /* it has a threshold */
} bosc_result_probes;

/* Where some columns of a set sit: columns first..first + n - 1. */
typedef struct bosc_result_places {
    int64_t first, n;
    const int64_t *gid;         /* [n] */
    const int32_t *compartment; /* [n] node number in the neuron */
    const int32_t *section;     /* [n] index in the names of sections */
    const double *x;            /* [n] position in the section */
    const int64_t *parent;      /* [n] column of the nearest ancestor, or -1 */
    const float *x3d, *y3d, *z3d;        /* [n] um */
    const float *diam, *area, *distance; /* [n] um, um2, um */
    const float *more[9]; /* [n] each: x, y, z where the compartment begins, and
                             where it ends (um); membrane capacitance (uF/cm2);
                             x on the parent's section where its section hangs;
                             axial resistivity (ohm cm); NULL: left as it is */
    const int32_t *above; /* [n] node that it hangs on, or -1; NULL as above */
} bosc_result_places;

/* Some frames of some columns of one variable of a set. */
typedef struct bosc_result_block {
    int set, variable;
    int64_t first_frame, n_frames; /* frame k is at start + k * interval */
    int64_t first, n;              /* columns */
} bosc_result_block;

/* A number that neurons have, each its own. */
typedef struct bosc_result_value {
    const char *name, *unit, *meaning; /* unit "": none */
} bosc_result_value;

typedef struct bosc_result_neurons {
    int64_t n;                          /* neuron i has gid i */
    int n_populations, n_morphologies;  /* 0 allowed */
    const char *const *population_name; /* [n_populations] */
    const char *const *morphology_file; /* [n_morphologies] */
    const bosc_sweep *sweep;            /* NULL: none; else also */
    const int32_t *population_member;   /* [n_populations] index in members */
    const int64_t *member_gid; /* [members + 1] of the first neuron of each */
    int n_numbers;
    const bosc_result_value *numbers; /* [n_numbers] */
} bosc_result_neurons;

/* Neurons first..first + n - 1. */
typedef struct bosc_result_list {
    int64_t first, n;
    const int32_t *population, *morphology; /* [n] */
    const int32_t *compartments, *sections; /* [n] */
    const double *area;                     /* [n] um2 */
    const double *numbers; /* [n_numbers][n] NAN: a neuron has it not */
} bosc_result_list;

/* The best lists are as long as the chunks that are compressed, and begin with
 * one. */
enum { BOSC_RESULT_LIST = 1 << 16 };

/* Bytes of an open file by itself, of its probes that record so many variables
 * together (HDF5 has all open until the end), of the lists of a probe, and of
 * the chunks of a variable of which some frames wait in memory. */
double bosc_result_bytes(void);
double bosc_result_set_bytes(int n_probes, int n_variables);
double bosc_result_list_bytes(double columns);
double bosc_result_cache_bytes(int64_t columns, double frames);

/* Needed during bosc_result_create() only. */
typedef struct bosc_result_spec {
    const char *path, *title, *command, *job_text;
    const char *job_values; /* NULL: it is not said */
    const char *contents;   /* of a sweep; NULL: it is not said */
    int arithmetic;         /* its version: BOSC_ARITHMETIC */
    const bosc_lock *lock;  /* of the path, or NULL */
    bool replace;           /* what has the path in the end is replaced */
    double dt, tstop, celsius, v_init, spike_threshold;
    int compression; /* zlib level of probes, 0: none */
    bool parallel;   /* several ranks will write: src/io/result_parallel.h */
    const bosc_result_neurons *neurons;
    int32_t n_sections;
    const char *const *section_name; /* [n_sections] of all sets */
    int n_sets;
    const bosc_result_probes *sets; /* [n_sets] */
} bosc_result_spec;

/* The costs that the decomposition was computed with. */
typedef struct bosc_result_costs {
    int n_works;                   /* at most BOSC_RESULT_MAX_WORKS */
    const char *const *work_names; /* [n_works] */
    const char *source;            /* where the rates are from */
    const char *backend, *method;  /* of the job; NULL: it is not said, nor: */
    const char *chosen_by;         /* "the job", "rules", ... */
    const char *streamed; /* of what is computed otherwise; "": nothing */
    const char *formats;  /* "near: csr by rules, ..."; NULL: no couplings */
    double step[2];       /* s of a step, predicted with the choice; measured */
} bosc_result_costs;

/* Test that the file could be made there, without making it: for the start of
 * a run, so that hours are not lost at its end. */
bosc_status bosc_result_check(const char *path, bosc_error *err);

/* Bytes that are free where PATH will be; INFINITY: unknown. */
double bosc_result_free_bytes(const char *path);

/* What stands at PATH, to be cleared: an empty file is as none.  Another
 * process reads it, for a damaged file can crash HDF5.  'values' are those of
 * the job that it is the result of; NULL: it does not say. */
typedef struct bosc_result_found {
    bool there, finished;
    bool closed; /* in order: it was not killed while it was written */
    char *values;
    double reached, tstop; /* ms; NAN: it does not say */
    double steps;          /* up to the last frame or spike, -1: there is none;
                              INFINITY: it cannot be read, or is no result */
    int n_members;         /* of a sweep, */
    int32_t *status;       /* [n_members] 1: it has failed; NULL: unknown */
} bosc_result_found;

bosc_result_found bosc_result_look(const char *path);

/* Free the values and the status; the rest stays. */
void bosc_result_found_clear(bosc_result_found *found);

/* Create PATH.partial with everything known before the first step.  What an
 * earlier run has left there is kept as PATH.partial.1, or the next free
 * number, and its checkpoints with it; results of a few steps are replaced
 * where they have none.  On failure there is no
 * PATH.partial. */
bosc_status bosc_result_create(const bosc_result_spec *spec, bosc_result **out,
                               bosc_error *err);

/* Onto the disk, all that was written, before a checkpoint counts on it: from
 * now on the file is left there however the run ends. */
bosc_status bosc_result_secure(bosc_result *result, bosc_error *err);

/* What happened to those results, for the log; NULL: there were none. */
const char *bosc_result_earlier(const bosc_result *result);

/* Each further thread that uses a result calls this first. */
void bosc_result_enter(void);

/* Frames and columns of the chunks of a set's variables: a block of whole
 * chunks is written once. */
void bosc_result_grain(const bosc_result_probes *probes, int64_t grain[2]);

/* Write the table of neurons, each neuron once. */
bosc_status bosc_result_neuron(bosc_result *result,
                               const bosc_result_list *list, bosc_error *err);

/* Of a sweep: 1 where a member has failed, else 0; [members]. */
void bosc_result_statuses(bosc_result *result, const int32_t *status);

/* Write where columns of a set sit; every column once. */
bosc_status bosc_result_place(bosc_result *result, int set,
                              const bosc_result_places *places,
                              bosc_error *err);

/* Write values[n_frames][n] of a block.  After a failure every call but abandon
 * fails with the same message. */
bosc_status bosc_result_frames(bosc_result *result,
                               const bosc_result_block *block,
                               const double *values, bosc_error *err);

/* Lists of spikes: of neurons, by their gids; and what probes have detected, by
 * gid, number of the probe, column of the probe. */
typedef enum bosc_result_event_kind {
    BOSC_RESULT_SPIKES,
    BOSC_RESULT_DETECTIONS,
    BOSC_N_RESULT_EVENTS
} bosc_result_event_kind;

enum { BOSC_DETECTION_LISTS = 3 };

/* Append n of them, already in order; list[1 or 3][n]. */
bosc_status bosc_result_append(bosc_result *result, bosc_result_event_kind kind,
                               int64_t n, const double *time,
                               const int64_t *list, bosc_error *err);

/* Set the warnings of the run, one a line. */
void bosc_result_warnings(bosc_result *result, const char *text);

/* So many steps are what the seconds in the rank table are of, where these are
 * not all of the job's. */
void bosc_result_measured(bosc_result *result, int64_t n_steps);

/* What was computed again, and found equal. */
void bosc_result_verified(bosc_result *result, const char *text);

/* Write the rank table, with what was expected unless 'costs' is NULL, and the
 * populations' mean rates (1/s, [n_populations]), mark as completed, close, and
 * rename to PATH.  The result is gone whatever is returned.  After a failure
 * PATH is what it was before; PATH.partial is removed unless the rename alone
 * failed. */
bosc_status bosc_result_finish(bosc_result *result, int n_ranks,
                               const bosc_rank_row *rows,
                               const bosc_result_costs *costs,
                               const double *rates, bosc_error *err);

/* Read the rank table of a finished file.  'where' is how the message begins
 * where the file cannot be opened. BOSC_ENOINPUT, BOSC_EFORMAT for a file that
 * has none of it, BOSC_ENOMEM. */
bosc_status bosc_result_read_ranks(const char *path, const char *where,
                                   bosc_result_ranks **out, bosc_error *err);

/* Onto the disk, at most every ten seconds: what a killed run leaves can be
 * read up to there. */
bosc_status bosc_result_sync(bosc_result *result, bosc_error *err);

/* Close without finishing.  Where something was recorded, the file is marked as
 * incomplete with the message as the reason, and the message says where it is;
 * else it is removed.  Where the system has refused a write, what was on the
 * disk before is left, as far as it can be read.  NULL is allowed for both. */
void bosc_result_abandon(bosc_result *result, bosc_error *err);

#endif
