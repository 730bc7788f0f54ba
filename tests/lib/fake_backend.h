/* fake_backend.h - for tests: a network of which everything is known, and a
 * backend that computes nothing, but looks at what it is asked.
 *
 * Every rank has FAKE_N neurons.  Each hears the one before it (at a border of
 * another rank), itself, one of its rank, one far away, and a source that is no
 * neuron, numbered after them, which spikes every 4 steps from 0 on.
 */
#ifndef BOSC_TESTS_LIB_FAKE_BACKEND_H
#define BOSC_TESTS_LIB_FAKE_BACKEND_H

#include "src/network/connection_table.h"
#include "tests/lib/model_cells.h"

enum {
    FAKE_N = 5,
    FAKE_EPOCH = 20, /* half the smallest delay of neurons */
    FAKE_EPOCHS = 8,
    FAKE_STEPS = 7 * FAKE_EPOCH + 9, /* the last epoch is short */
    FAKE_EVERY = 5,                  /* steps between frames */
    FAKE_MAX_SPIKES = 2 * FAKE_N * (FAKE_EPOCH + 1)
};

/* Whether a neuron spikes in a step. */
typedef bool fake_spiking(int64_t source, int64_t step);

/* What is to happen on one of several ranks. */
typedef struct fake_plan {
    fake_spiking *spikes;
    bool quiet;        /* neurons are no sources */
    int failing_rank;  /* -1: none */
    int failing_epoch; /* there, integrating */
    int64_t too_short; /* steps taken from the delays there */
} fake_plan;

struct bosc_engine {
    const fake_plan *plan;
    int rank;
    int64_t first, all; /* gid of the first neuron here; number of neurons */
    forest_shape shape;
    int32_t shapes[FAKE_N];
    forest_synapse synapses[FAKE_N];
    forest_probe probes[FAKE_N];
    forest f;
    bosc_batch batch;
    bosc_connection_table *connection_table;
    int calls;
    bool as_expected;       /* every event so far, and what was announced */
    int64_t announced[2];   /* the next range, after the first */
    int n_sure, n_unsure;   /* ranges that were announced as these */
    const bosc_event *next; /* and its events */
    char log[400]; /* "E0 U0( D-1 ) E1 U1( D0 ) ": the events of an epoch are
                      handed over, it is integrated, and meanwhile those of
                      the next are made */
    bosc_spike spike[FAKE_MAX_SPIKES];
    double value[FAKE_N * (FAKE_STEPS + 1)];
    const double *values;
    int64_t n_frames;
};

extern const bosc_engine_ops fake_engine;

/* Rank 'rank' of 'ranks'.  What cannot be made ends the test. */
void fake_create(bosc_engine *engine, const fake_plan *plan, int rank,
                 int ranks);
void fake_clear(bosc_engine *engine);

/* Does the record of a range have the spikes of all somata, and all frames? */
bool fake_is_recorded(const bosc_engine *engine, const int64_t range[2],
                      const bosc_step_output *record);

#endif
