/* decompose.h - which rank has which neuron: the cost model and the partition
 * together, the same for a run and for its plan.
 *
 * Serial code: no MPI.  All ranks compute the same answer from the same
 * numbers; costs are whole picoseconds, so nothing depends on rounding.
 */
#ifndef BOSC_SRC_DISTRIBUTE_DECOMPOSE_H
#define BOSC_SRC_DISTRIBUTE_DECOMPOSE_H

#include <stdbool.h>

#include "partition/assign.h"
#include "src/cost/workload.h"

/* What neurons are divided over. */
typedef struct bosc_resources {
    int32_t ranks;
    const double *speed; /* [ranks] > 0; NULL, or within 5 % of each other, as
                            measurements are: all are equally fast */
    double node;         /* bytes of its memory; 0: no limit */
    int32_t per_node;    /* ranks on one, >= 1 where there is a limit */
    double base;         /* bytes of a process without neurons, */
    const char *source;  /* which are from there */
    double gpu;          /* bytes of a rank's GPU; 0: it has none */
    const bool *on_gpu;  /* [ranks] who has one; NULL: all, if 'gpu' > 0 */
    const char *options; /* of the command, for messages: " (--memory)" */
} bosc_resources;

typedef struct bosc_decomposition {
    int32_t *part;          /* [n_neurons] rank of each */
    int64_t n_compartments; /* in all */
    double imbalance;       /* slowest rank over the mean, as reckoned */
    bosc_division report;   /* padding and lanes, as the partition sees them */
} bosc_decomposition;

/* Is there room for what every rank needs before it has neurons?  BOSC_ENOMEM.
 * bosc_decompose() asks this first; what takes long before it may do so, too.
 */
bosc_status bosc_decompose_check(const bosc_workload *workload,
                                 const bosc_resources *resources,
                                 bosc_error *err);

/* The sizes of all templates are known.  *out is to be cleared, whatever is
 * returned.  This is where a job that does not fit is refused, before any of it
 * is allocated: BOSC_ENOMEM with what it needs, what there is, and a remedy. */
bosc_status bosc_decompose(const bosc_workload *workload,
                           const bosc_costs *costs,
                           const bosc_resources *resources,
                           bosc_decomposition *out, bosc_error *err);

/* The speeds of ranks, [ranks], 1 on average: those with which all end a step
 * at the same time.  pace: of each for an average rank's work; factor: of each,
 * as an earlier run has found them, or NULL. */
void bosc_decompose_speeds(int32_t ranks, const bosc_pace *pace,
                           const double *factor, double *speed);

/* Bytes of every rank while all neurons are divided. */
double bosc_decompose_bytes(const bosc_template_table *template_table);
void bosc_decomposition_clear(bosc_decomposition *divided);

#endif
