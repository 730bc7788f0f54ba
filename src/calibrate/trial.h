/* trial.h - a small forest, set up and integrated for real to see what it
 * takes.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_CALIBRATE_TRIAL_H
#define BOSC_SRC_CALIBRATE_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/methods.h"
#include "src/base/status.h"
#include "src/cost/cost_fit.h"

typedef struct bosc_trial {
    const char *what;    /* for people */
    const char *sizes;   /* of the neurons, as 'synthetic' takes them */
    const char *regions; /* as 'regions' does */
    const char *more;    /* further keys of the job */
    bool equal;          /* all neurons have the tree of the first */
    int32_t neurons;     /* or one of the two below */
    int64_t epoch;       /* steps at a time; 0: it stays in the cache */
} bosc_trial;

/* As many neurons as a vector has lanes, or more than caches hold. */
enum { BOSC_TRIAL_VECTOR = 0, BOSC_TRIAL_LARGE = -1 };

/* What was found: the work of a step and its ns, and the ns of one thread that
 * a unit of the set-up took (0: there was none of it).  With a GPU the events
 * of a step are there already: others make them while it computes. */
typedef struct bosc_trial_result {
    bosc_measure step;
    bosc_step_work work; /* the same, and of each kind the most of a neuron */
    double setup[BOSC_N_SETUPS];
} bosc_trial_result;

/* Measure a method with that many threads for about 'seconds', at least five
 * times: the time of a step is the median.  Large forests, and those on a GPU,
 * have no times of the set-up, for which all threads are used.  On failure *out
 * is undefined. */
bosc_status bosc_trial_run(const bosc_trial *trial, const bosc_method *method,
                           int threads, double seconds, bosc_trial_result *out,
                           bosc_error *err);

/* ns for a compartment read from an SWC file and cut; a file is written for
 * that where temporary ones go. */
bosc_status bosc_trial_read(double *ns, bosc_error *err);

#endif
