/* known.h - what follows from the numbers of an instance, computed once for
 * all instances of a block that have the same ones (kernels/base/memo.h).
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_BATCH_KNOWN_H
#define BOSC_KERNELS_BATCH_KNOWN_H

#include "kernels/base/memo.h"
#include "kernels/batch/batch.h"

/* What is asked of an instance: a bit each. */
enum {
    BOSC_KNOWN_STATES = 1, /* it follows from the states, */
    BOSC_KNOWN_V = 2       /* and from the voltage */
};

/* Do results of the formulas of a block follow from numbers alone?  Not from
 * pointers, random numbers, other instances there; and they send nothing. */
bool bosc_is_known(const bosc_mech_block *block);

/* A memo of results of the instances of a block. */
typedef struct bosc_known {
    const bosc_batch *batch;
    const bosc_mech_block *block;
    int from; /* a sum of those bits */
    bosc_memo memo;
} bosc_known;

/* For n_value results of each; the first three are set.  As
 * bosc_memo_create(). */
bool bosc_known_create(bosc_known *known, int n_value);

/* As bosc_memo_find(), of instance i, which is at a slot. */
double *bosc_known_find(bosc_known *known, ptrdiff_t i, ptrdiff_t slot,
                        bool *is_known);

#endif
