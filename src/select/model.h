/* model.h - what was learned from measurements on a device: times of its
 * methods from features, as sums of small trees.
 *
 * Serial code: no MPI.  bench/select/fit-selection writes files of models, one
 * behind the other; words of a line have tabs between:
 *
 *     bosc-model 1   loops                        what it is about
 *     device         AMD EPYC 9R45, 8 lanes
 *     program        bosc 0.1.0
 *     precision      fp64
 *     date           2026-11-23
 *     batches        1188
 *     threads        2                            most of a batch
 *     features       neurons   compartments ...   by their numbers below
 *     method         depth-first   -1.25   80     what the sum begins with,
 *                                                 and its trees
 *     tree           3                            nodes; the first is the root:
 *     0    12.5   1   2                           feature 0 <= 12.5: 1, else 2
 *     -1   0.25   0   0                           a leaf: its term
 *     -1   -0.5   0   0
 *     method ...
 *     end            1b2c3d4e5f607182             FNV-1a of the lines before
 *
 * The sum of the first method is the logarithm of the seconds that a unit takes
 * (a compartment; an entry or a row of a matrix); of the others it is the
 * logarithm of the ratio to it.
 */
#ifndef BOSC_SRC_SELECT_MODEL_H
#define BOSC_SRC_SELECT_MODEL_H

#include <stdbool.h>

#include "src/base/status.h"

enum { BOSC_MODEL_WHY = 300 };

/* The first version whose loops take the time of this one's: what was measured
 * with it holds for this one. */
#define BOSC_TIMED_AS "bosc 0.1.0"

typedef struct bosc_learned bosc_learned;

/* What a model must be of. */
typedef struct bosc_model_key {
    const char *kind;   /* "loops" */
    const char *device; /* as bosc_device_name() has it, */
    const char *class;  /* and bosc_device_class() */
    int threads;        /* it must have learned from as many; 0: any number */
    int n_features;
    const char *const *features; /* that are known */
} bosc_model_key;

/* The model of that key in a file, for this program; NULL: there is none, and
 * 'why' says what is wrong with the file, or is "" where it does not exist.
 * BOSC_ENOMEM is the only failure. */
bosc_status bosc_learned_read(const char *path, const bosc_model_key *key,
                              bosc_learned **out, char why[BOSC_MODEL_WHY],
                              bosc_error *err);

/* That of the first file that has one, of the device or else of its class:
 * $BOSC_METHODS, which stands alone where it is set; else the user's,
 * methods.model in $XDG_CONFIG_HOME/bosc or ~/.config/bosc; then the site's,
 * bosc/methods.model in sysconfdir; then what comes with bosc, where
 * bosc_path_of_bosc() finds methods.model (src/text/path.h): also beside a
 * program that was built and not installed.  'why' is of the first of the
 * others, where none has one. */
bosc_status bosc_learned_find(const bosc_model_key *key, bosc_learned **out,
                              char why[BOSC_MODEL_WHY], bosc_error *err);

void bosc_learned_destroy(bosc_learned *model);

/* Predict for a method: *seconds of a unit, where 'feature' has the values of
 * all features of the key.  False: the model does not know the method. */
bool bosc_learned_predict(const bosc_learned *model, const char *method,
                          const double *feature, double *seconds);

#endif
