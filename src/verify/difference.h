/* difference.h - what a run and 'ref' do not agree in.
 *
 * Serial code.
 */
#ifndef BOSC_SRC_VERIFY_DIFFERENCE_H
#define BOSC_SRC_VERIFY_DIFFERENCE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "src/model/model.h"

/* A value, or a spike. */
typedef struct bosc_difference {
    int32_t neuron;   /* of the rank */
    int32_t node;     /* compartment; -1: it is about a spike */
    int64_t step;     /* t = step * dt */
    const char *mech; /* whose state it is, NULL: of the compartment */
    const char *what; /* that state or variable; NULL: the voltage */
    double run, ref;  /* of a spike: the steps, NAN where there is none */
} bosc_difference;

/* Are these the same bits?  What is no finite number needs only be none in
 * both. */
static inline bool bosc_same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (!isfinite(a) && !isfinite(b));
}

/* Fail with it, BOSC_EINTERNAL; 'method' is the run's, "cpu depth-first". */
bosc_status bosc_difference_tell(const bosc_model *model,
                                 const bosc_difference *difference,
                                 const char *method, bosc_error *err);

#endif
