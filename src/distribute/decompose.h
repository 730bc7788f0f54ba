/* decompose.h - which rank has which neuron: the cost model and the partition
 * together, the same for a run and for its plan.
 *
 * Serial code: no MPI.  All ranks compute the same answer from the same
 * numbers; costs are whole picoseconds, so nothing depends on rounding.
 */
#ifndef BOSC_SRC_DISTRIBUTE_DECOMPOSE_H
#define BOSC_SRC_DISTRIBUTE_DECOMPOSE_H

#include "partition/assign.h"
#include "src/cost/workload.h"

/* The devices that neurons are divided over. */
typedef struct bosc_resources {
    int32_t ranks;
    const double *speed; /* [ranks] > 0; NULL, or within 5 % of each other, as
                            measurements are: all are equally fast */
    double room;         /* bytes that each has for neurons; 0: no limit */
    double file;         /* that rank 0 has less of them: it writes */
    const char *noun;    /* what messages call one; NULL: "rank" */
} bosc_resources;

typedef struct bosc_decomposition {
    int32_t *part;          /* [n_neurons] rank of each */
    int64_t n_compartments; /* in all */
    double imbalance;       /* slowest rank over the mean, as reckoned */
    bosc_division report;   /* padding and lanes, as the partition sees them */
} bosc_decomposition;

/* The sizes of all shapes are known.  *out is to be cleared, whatever is
 * returned.  BOSC_ENOMEM where something cannot fit, with the numbers. */
bosc_status bosc_decompose(const bosc_workload *workload,
                           const bosc_costs *rates,
                           const bosc_resources *resources,
                           bosc_decomposition *out, bosc_error *err);
void bosc_decomposition_clear(bosc_decomposition *divided);

#endif
