/* calibration.h - what things cost, from the file of an earlier run.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_COST_CALIBRATION_H
#define BOSC_SRC_COST_CALIBRATION_H

#include "src/cost/costs.h"
#include "src/job/job.h"

/* What follows from an earlier run. */
typedef struct bosc_calibration {
    double factor[BOSC_MAX_WORKS]; /* to multiply the rates of all ranks with */
    double rate;                   /* 1/s, with which its neurons fired */
    int n_ranks;
    double *speed; /* [n_ranks] of its ranks, 1 on average; NULL: as the rates
                      say */
    char *path;
} bosc_calibration;

/* Fit 'rates' to the seconds that the ranks of job->cost_from took.  *out is
 * NULL where the job names no file.  BOSC_ENOINPUT, BOSC_EFORMAT where the file
 * says nothing about it; messages begin with the place of that key. */
bosc_status bosc_calibration_read(const bosc_job *job, const bosc_costs *costs,
                                  bosc_calibration **out, bosc_error *err);
void bosc_calibration_destroy(bosc_calibration *calibration);

/* Multiply with the factors. */
void bosc_calibration_apply(const double factor[BOSC_MAX_WORKS],
                            bosc_costs *costs);

#endif
