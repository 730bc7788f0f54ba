/* bundles_isa.h - between the bundles of neurons and the loops that solve them,
 * compiled for each instruction set.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_BUNDLES_ISA_H
#define BOSC_KERNELS_BUNDLES_ISA_H

#include "kernels/pattern.h"

/* Numbers that are needed for each section besides its rows. */
enum { BOSC_BUNDLE_PAIRS = 4 };

/* Of one bundle, double or float; at the end b is the solution. */
typedef struct bosc_bundle_numbers {
    const void *u; /* [n_slots] */
    void *d, *b;   /* [n_slots] */
    void *pairs;   /* [BOSC_BUNDLE_PAIRS * n_sections] */
} bosc_bundle_numbers;

typedef void bosc_bundle_solve(const bosc_pattern *pattern,
                               const bosc_bundle_numbers *numbers);

/* [0] of doubles, [1] of floats. */
typedef struct bosc_bundle_code {
    bosc_bundle_solve *solve[2];
} bosc_bundle_code;

extern const bosc_bundle_code bosc_bundle_base, bosc_bundle_v3, bosc_bundle_v4;

#endif
