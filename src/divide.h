/* divide.h - which rank has which neuron: the cost model and the partition
 * together, the same for a run and for its plan.
 *
 * Serial code: no MPI.  All ranks compute the same answer from the same
 * numbers; costs are whole picoseconds, so nothing depends on rounding.
 */
#ifndef BOSC_SRC_DIVIDE_H
#define BOSC_SRC_DIVIDE_H

#include "partition/assign.h"
#include "src/cost.h"

/* The devices that neurons are divided over. */
typedef struct bosc_crew {
    int32_t ranks;
    const double *speed; /* [ranks] > 0; NULL, or within 5 % of each other, as
                            measurements are: all are equally fast */
    double room;         /* bytes that each has for neurons; 0: no limit */
    double file;         /* that rank 0 has less of them: it writes */
    const char *word;    /* what messages call one; NULL: "rank" */
} bosc_crew;

typedef struct bosc_divided {
    int32_t *part;          /* [n_neurons] rank of each */
    int64_t n_compartments; /* in all */
    double imbalance;       /* slowest rank over the mean, as reckoned */
    bosc_division report;   /* padding and lanes, as the partition sees them */
} bosc_divided;

/* The sizes of all shapes are known.  *out is to be cleared, whatever is
 * returned.  BOSC_ENOMEM where something cannot fit, with the numbers. */
bosc_status bosc_divide(const bosc_demand *demand, const bosc_rates *rates,
                        const bosc_crew *crew, bosc_divided *out,
                        bosc_error *err);
void bosc_divided_clear(bosc_divided *divided);

#endif
