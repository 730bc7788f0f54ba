/* forest.h - the neurons of this rank and their shapes, each shape once.
 *
 * Serial code: no MPI.  How a forest comes to be is in forest_create.h.
 *
 * Synthetic neurons are all different: their templates together would take
 * about as much memory as all that a run needs.  So they are made where they
 * are needed, one neuron at a time, and their sizes are known without.
 */
#ifndef BOSC_SRC_FOREST_H
#define BOSC_SRC_FOREST_H

#include <stdint.h>

#include "src/cable.h"
#include "src/cost.h"
#include "src/params.h"
#include "src/population.h"

typedef struct bosc_forest {
    int32_t n;           /* neurons of this rank */
    int64_t *gid;        /* [n] ascending */
    int32_t *population; /* [n] index in the job */
    int32_t *shape;      /* [n] index in cable */
    int32_t n_shapes;
    bosc_cable **cable;  /* [n_shapes] NULL: made when it is needed */
    const bosc_job *job; /* for that; owned by the caller */
    const bosc_roster *roster;
    int64_t n_compartments;   /* of this rank's neurons */
    int64_t all_compartments; /* of all ranks */
    int64_t n_repairs,
        n_repaired;   /* repairs, and shapes repaired, everywhere */
    double imbalance; /* most loaded rank over the mean, by cost */
    bosc_share share; /* what this rank's neurons will cost */
    double seconds_read, seconds_divide;
} bosc_forest;

void bosc_forest_destroy(bosc_forest *forest);

/* Are templates of synthetic neurons kept, because a place on some of them is
 * found by their sections? */
bool bosc_forest_keeps(const bosc_job *job);

/* A template for a while. */
typedef struct bosc_loan {
    const bosc_cable *cable;
    bosc_cable *own; /* made for the borrower, or NULL */
} bosc_loan;

/* The template of neuron i of this rank, the same every time.  To be ended
 * after BOSC_OK; BOSC_EVALUE or BOSC_ENOMEM where it cannot be made, BOSC_EINTR
 * when a signal has ended set-up.  May be called by several threads. */
bosc_status bosc_forest_lend(const bosc_forest *forest, int32_t i,
                             bosc_loan *loan, bosc_error *err);
void bosc_loan_end(bosc_loan *loan);

/* What is known of a template that is not there. */
typedef struct bosc_extent {
    int32_t compartments, sections;
    int32_t soma; /* as in bosc_cable */
} bosc_extent;

bosc_extent bosc_forest_extent(const bosc_forest *forest, int32_t i);

/* A template that is kept, or NULL. */
static inline const bosc_cable *bosc_forest_cable(const bosc_forest *forest,
                                                  int32_t i)
{
    return forest->cable[forest->shape[i]];
}

/* The neuron of this rank with that gid, -1: it is on another one. */
int32_t bosc_forest_find(const bosc_forest *forest, int64_t gid);

#endif
