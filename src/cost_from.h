/* cost_from.h - what things cost, from the file of an earlier run.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_COST_FROM_H
#define BOSC_SRC_COST_FROM_H

#include "src/cost.h"

/* What an earlier run tells. */
typedef struct bosc_lesson {
    double factor[BOSC_N_WORKS]; /* to multiply the rates of all ranks with */
    double rate;                 /* 1/s, with which its neurons fired */
    int n_ranks;
    double *speed; /* [n_ranks] of its ranks, 1 on average; NULL: as the rates
                      say */
    char *path;
} bosc_lesson;

/* Fit 'rates' to the seconds that the ranks of job->cost_from took.  *out is
 * NULL where the job names no file.  BOSC_EIO, BOSC_EFORMAT where the file says
 * nothing about it; messages begin with the place of that key. */
bosc_status bosc_lesson_read(const bosc_job *job, const bosc_rates *rates,
                             bosc_lesson **out, bosc_error *err);
void bosc_lesson_destroy(bosc_lesson *lesson);

/* Multiply with the factors. */
void bosc_lesson_apply(const double factor[BOSC_N_WORKS], bosc_rates *rates);

#endif
