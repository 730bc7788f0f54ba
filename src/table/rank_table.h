/* rank_table.h - where the time of a run's ranks went, and what they did: as a
 * result keeps it, and as the estimate of a later run reads it.
 *
 * Serial code: no MPI, no files.
 */
#ifndef BOSC_SRC_TABLE_RANK_TABLE_H
#define BOSC_SRC_TABLE_RANK_TABLE_H

#include <stdint.h>

enum { BOSC_RESULT_MAX_WORKS = 80 };

/* Where a rank's time goes.  Read, divide, pack and loop follow one another;
 * of the loop, what is in none of its four parts is mostly copying of records.
 * What neither follows nor is part of another goes on meanwhile. */
typedef enum bosc_phase {
    BOSC_PHASE_READ,        /* morphologies read and cut */
    BOSC_PHASE_DIVIDE,      /* neurons given to ranks, shapes sent there */
    BOSC_PHASE_PACK,        /* batches filled, connections made */
    BOSC_PHASE_CONNECT,     /* part of pack: connections made */
    BOSC_PHASE_LOOP,        /* wall time of all steps, until all is written */
    BOSC_PHASE_INTEGRATE,   /* part of the loop: time steps */
    BOSC_PHASE_WAIT,        /* part of the loop: waited for spikes, voltages */
    BOSC_PHASE_GATHER,      /* part of the loop: waited for what is recorded */
    BOSC_PHASE_SYNCHRONISE, /* part of the loop: waited for other ranks */
    BOSC_PHASE_DISTRIBUTE,  /* meanwhile, but for wait: spikes become events */
    BOSC_PHASE_WRITE,       /* meanwhile: the file, by a thread of its own */
    BOSC_PHASE_ASSEMBLE, /* parts of integrate, of a composed step: systems */
    BOSC_PHASE_SOLVE,    /* are made, solved, */
    BOSC_PHASE_UPDATE,   /* and voltages and states brought up to date */
    BOSC_N_PHASES
} bosc_phase;
extern const char *const bosc_phase_names[BOSC_N_PHASES];

/* Numbers of one rank for the rank table. */
typedef struct bosc_rank_row {
    int64_t neurons, compartments, bytes; /* bytes: peak resident set */
    double seconds[BOSC_N_PHASES];
    int64_t slots;                 /* compartments and padding */
    int64_t lane_rows;             /* those, and idle lanes beside them */
    int64_t threads, node_threads; /* of it; of all ranks on its node */
    int64_t expected_bytes;
    double expected[BOSC_N_PHASES];     /* seconds; NaN: not foreseen */
    double work[BOSC_RESULT_MAX_WORKS]; /* units of a step */
} bosc_rank_row;

/* The rank table of a finished file. */
typedef struct bosc_result_ranks {
    int n_ranks, n_works;
    int64_t n_steps;     /* that were measured */
    bosc_rank_row *rows; /* [n_ranks] bytes, threads, work and the seconds of
                            BOSC_PHASE_INTEGRATE are set */
    char **work_names;   /* [n_works] */
    double rate;         /* 1/s, mean of the populations' */
} bosc_result_ranks;

/* Free it; NULL is allowed. */
void bosc_result_ranks_destroy(bosc_result_ranks *ranks);

#endif
