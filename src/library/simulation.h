/* simulation.h - what a handle of include/bosc.h holds; for src/library. */
#ifndef BOSC_SRC_LIBRARY_SIMULATION_H
#define BOSC_SRC_LIBRARY_SIMULATION_H

#include <sys/types.h>

#include "src/sim/sim.h"

/* What was recorded of one variable of one probe of the job: a set of the
 * batch. */
typedef struct bosc_recording {
    size_t n_frames, time_room, value_room;
    double *time;  /* [n_frames] ms */
    double *value; /* [n_frames][n] */
    double *sum;   /* of electrodes, those of the last range, on any rank; */
    size_t sum_room;
    int64_t n;      /* columns, in the order of (gid, compartment) */
    int64_t *place; /* [n] the entry of the set that each is */
    int64_t *gid;   /* [n] */
    int32_t *node;  /* [n] */
    char **section; /* [n] "dend[12]" */
    double *x;      /* [n] */
} bosc_recording;

/* What probes with a threshold have detected. */
typedef struct bosc_detected {
    size_t n, room[6];
    double *time;         /* [n] ms */
    int32_t *probe;       /* [n] in the job */
    int64_t *gid;         /* [n] */
    int32_t *node;        /* [n] */
    const char **section; /* [n] of these: */
    double *x;            /* [n] */
    int32_t n_names;
    char **name; /* [n_names] sections of the places that the batch has */
} bosc_detected;

struct bosc_simulation {
    pid_t owner; /* the process that has opened it */
    bosc_error err;
    bosc_status failed; /* BOSC_OK, or why it is good for nothing more */

    /* Until bosc_build(). */
    char *path, *text;
    bosc_texts set;
    const bosc_comm *ranks;
    const bosc_files *files;

    /* From bosc_build() on. */
    bool built;
    bosc_sim sim;
    int64_t step;           /* the first that has not been done */
    bosc_frame_room frames; /* of the last range */
    char used[200];

    /* What was recorded, from bosc_recordings_create() on. */
    int32_t n_recordings;
    bosc_recording *recording; /* [n_recordings] */
    size_t n_spikes, spike_time_room, spike_gid_room;
    double *spike_time; /* [n_spikes] ms */
    int64_t *spike_gid; /* [n_spikes] */
    bosc_detected detected;
};

/* Refuse no handle, one in another process than its own, and one that has
 * failed. */
bosc_status bosc_simulation_enter(bosc_simulation *s);

/* The same on all ranks, at the begin of what is collective. */
bosc_status bosc_simulation_enter_all(bosc_simulation *s);

/* Have all ranks the same number?  Collective. */
bool bosc_simulation_agrees(const bosc_simulation *s, int64_t number);

/* Refuse the child of a process that has simulated: the threads of OpenMP do
 * not live on there, and it would wait for them for ever. */
bosc_status bosc_simulation_claim_process(bosc_error *err);

/* Puts a state into the batch, before there is an engine. */
typedef bosc_status bosc_state_setter(bosc_simulation *s, const void *state,
                                      bosc_error *err);

/* The job, this rank's neurons, and an engine, from step sim.from on, with
 * 'state' put into the batch by 'set' unless that is NULL.  Collective. */
bosc_status bosc_simulation_make(bosc_simulation *s, bosc_state_setter *set,
                                 const void *state);

/* Find the columns of what is recorded; forget what was; sum what a range of
 * steps has given at electrodes (collective; record NULL: this rank has
 * failed), then take that and the rest. */
bosc_status bosc_recordings_create(bosc_simulation *s, bosc_error *err);
void bosc_recordings_clear(bosc_simulation *s);
bosc_status bosc_recordings_sum(bosc_simulation *s, const int64_t range[2],
                                const bosc_step_output *record,
                                bosc_error *err);
bosc_status bosc_recordings_take(bosc_simulation *s, const int64_t range[2],
                                 const bosc_step_output *record,
                                 bosc_error *err);

#endif
