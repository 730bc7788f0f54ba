/* spec.h - the keys of a job for morphologies: regions, how sections are cut
 * into compartments, the sizes of synthetic neurons.
 */
#ifndef BOSC_SRC_MORPHOLOGY_SPEC_H
#define BOSC_SRC_MORPHOLOGY_SPEC_H

#include <stdbool.h>
#include <stdint.h>

/* Where parameters are set.  Other type codes are 'custom'. */
typedef enum bosc_region {
    BOSC_SOMA,
    BOSC_AXON,
    BOSC_DENDRITE,
    BOSC_APICAL,
    BOSC_CUSTOM,
    BOSC_N_REGIONS
} bosc_region;

/* "soma", "axon", "dendrite", "apical", "custom": the words of job files. */
extern const char *const bosc_region_names[BOSC_N_REGIONS];

/* "soma", "axon", "dend", "apic", "custom": section names are NEURON's,
 * "dend[12]". */
extern const char *const bosc_region_prefixes[BOSC_N_REGIONS];

typedef enum bosc_policy {
    BOSC_D_LAMBDA,   /* nseg = int((L/(d_lambda lambda_f) + 0.9)/2)*2 + 1 */
    BOSC_MAX_LENGTH, /* fewest compartments not longer than max_length, odd */
    BOSC_PER_SECTION,
    BOSC_PER_SAMPLE, /* as many as the section has frusta */
    BOSC_N_POLICIES
} bosc_policy;

extern const char *const bosc_policy_names[BOSC_N_POLICIES];

/* How to cut, and the passive cable properties it depends on. */
typedef struct bosc_cable_spec {
    bosc_policy policy;
    double d_lambda;   /* fraction of the length constant, default 0.1 */
    double frequency;  /* Hz, default 100 */
    double max_length; /* um */
    int32_t per_section;
    double Ra[BOSC_N_REGIONS]; /* ohm cm */
    double cm[BOSC_N_REGIONS]; /* uF/cm2 */
    const double *section_Ra;  /* [sections] instead; NULL: none, both */
    const double *section_cm;
    bool points; /* keep where the nodes are, 12 bytes each */
} bosc_cable_spec;

/* The NEURON default values: d_lambda 0.1 at 100 Hz, Ra 35.4, cm 1. */
bosc_cable_spec bosc_cable_defaults(void);

/* Neurons of different sizes: numbers from the first to the second, both
 * included.  Where the ends are the same, every neuron has that number. */
typedef struct bosc_synthetic_range {
    int32_t compartments[2], sections[2];
    uint64_t seed;
} bosc_synthetic_range;

#endif
