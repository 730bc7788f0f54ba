/* generate.h - synthetic morphologies of a given size, like real cells.
 *
 * Serial code: no MPI.  Random numbers are Random123's Philox keyed on (seed,
 * number): neuron 'number' of a population is the same for every partition.
 */
#ifndef BOSC_SRC_GENERATE_H
#define BOSC_SRC_GENERATE_H

#include <stdint.h>
#include <stdio.h>

#include "src/section.h"

/* What to make.  With the compartments' policy 'per_sample' the SWC file, and
 * in a job directly, the neuron has exactly 'compartments' nodes (zero-area
 * ones included) in exactly 'sections' sections, the soma being one. */
typedef struct bosc_synthetic {
    int32_t compartments; /* >= 2 * sections + 1 */
    int32_t sections;     /* 1, or >= 2 */
    uint64_t seed;
} bosc_synthetic;

/* BOSC_EVALUE with the reason when the two numbers cannot go together. */
bosc_status bosc_synthetic_check(const bosc_synthetic *what, bosc_error *err);

/* Neuron 'number' as samples of SWC, and as the sections that reading those
 * would give (n_compartments set). */
bosc_status bosc_generate(const bosc_synthetic *what, int64_t number,
                          bosc_swc **swc, bosc_error *err);

/* Write samples as an SWC file with a comment that says how it was made. */
bosc_status bosc_generate_write(const bosc_synthetic *what, int64_t number,
                                const bosc_swc *swc, FILE *file,
                                const char *path, bosc_error *err);

#endif
