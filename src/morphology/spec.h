/* spec.h - the keys of a job for morphologies: regions, how the sections of a
 * file are edited and cut into compartments, the sizes of synthetic neurons.
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

/* The name of section 'number' of a region, "dend[12]".  Sections of myelin
 * (BOSC_SWC_MYELIN, swc.h) are of region custom and counted there, and have
 * names of their own besides: "myelin[n]" is number -1 - n. */
enum { BOSC_SECTION_NAME = 24 };
const char *bosc_section_name(bosc_region region, int32_t number,
                              char name[BOSC_SECTION_NAME]);

typedef enum bosc_policy {
    BOSC_D_LAMBDA,   /* nseg = int((L/(d_lambda lambda_f) + 0.9)/2)*2 + 1 */
    BOSC_MAX_LENGTH, /* fewest compartments not longer than max_length, odd */
    BOSC_PER_SECTION,
    BOSC_PER_SAMPLE, /* as many as the file says, or as it has frusta */
    BOSC_ODD_PER,    /* 1 + 2 int(L/odd_per) */
    BOSC_N_POLICIES
} bosc_policy;

extern const char *const bosc_policy_names[BOSC_N_POLICIES];

/* Where on the soma (soma[0]) a section is attached. */
typedef enum bosc_attach {
    BOSC_ATTACH_FILE, /* as the file says; of a stub: as its rule says */
    BOSC_ATTACH_START,
    BOSC_ATTACH_MIDDLE,
    BOSC_ATTACH_END,
    BOSC_N_ATTACH
} bosc_attach;

/* "file", "soma(0)", "soma(0.5)", "soma(1)" */
extern const char *const bosc_attach_names[BOSC_N_ATTACH];

/* What replaces the axon of a file; sections/axon.c has the table of rules. */
typedef enum bosc_axon_rule {
    BOSC_AXON_NONE,   /* the axon stays as it is */
    BOSC_AXON_REMOVE, /* nothing */
    BOSC_AXON_GIVEN,  /* the sections of a bosc_axon_spec */
    BOSC_AXON_STUB,
    BOSC_AXON_ALLEN_PERISOMATIC,
    BOSC_AXON_AIBS_PERISOMATIC,
    BOSC_AXON_ALLEN_TRUNCATED,
    BOSC_AXON_AIBS_ALLACTIVE,
    BOSC_AXON_BLUEPYOPT,
    BOSC_AXON_BBP_V5,
    BOSC_AXON_BBP_V6,
    BOSC_AXON_BBP_V6_NOMYELIN,
    BOSC_AXON_THALAMUS,
    BOSC_N_AXON_RULES
} bosc_axon_rule;

/* "none", "remove", "given", "stub", "allen_perisomatic", ... */
extern const char *const bosc_axon_names[BOSC_N_AXON_RULES];

/* Some numbers. */
enum { BOSC_MOST_NUMBERS = 16 };
typedef struct bosc_number_list {
    int32_t n;
    double at[BOSC_MOST_NUMBERS]; /* [n] */
} bosc_number_list;

typedef struct bosc_axon_spec {
    bosc_axon_rule rule;
    bosc_attach attach; /* of the first section of the stub */
    /* BOSC_AXON_GIVEN: of each section, end to end: um, um, and how many
     * compartments it has (none: as the policy of discretisation says). */
    bosc_number_list lengths, diameters, compartments;
} bosc_axon_spec;

/* What is done to the sections of a file before they are cut, in this order
 * (sections/edit.h). */
typedef struct bosc_edit_spec {
    double length[BOSC_N_REGIONS], diameter[BOSC_N_REGIONS]; /* factors */
    bosc_attach attach; /* of the sections that hang on the soma */
    bosc_axon_spec axon;
} bosc_edit_spec;

/* Do both mean the same, or nothing? */
bool bosc_edit_same(const bosc_edit_spec *a, const bosc_edit_spec *b);
bool bosc_edit_is_none(const bosc_edit_spec *edit);

/* How to cut, and the passive cable properties it depends on. */
typedef struct bosc_cable_spec {
    bosc_policy policy;
    bool file_counts;  /* where the file gives a section compartments, these,
                          whatever the policy */
    double d_lambda;   /* fraction of the length constant, default 0.1 */
    double frequency;  /* Hz, default 100 */
    double max_length; /* um */
    int32_t per_section;
    double odd_per[BOSC_N_REGIONS]; /* um */
    double Ra[BOSC_N_REGIONS];      /* ohm cm */
    double cm[BOSC_N_REGIONS];      /* uF/cm2 */
    const double *section_Ra;       /* [sections] instead; NULL: none, both */
    const double *section_cm;
    bool points;         /* keep where the nodes are, 36 bytes each */
    bosc_edit_spec edit; /* what comes before */
} bosc_cable_spec;

/* The NEURON default values: what the file says of compartments, else d_lambda
 * 0.1 at 100 Hz, Ra 35.4, cm 1; no edits. */
bosc_cable_spec bosc_cable_defaults(void);

/* Neurons of different sizes: numbers from the first to the second, both
 * included.  Where the ends are the same, every neuron has that number. */
typedef struct bosc_synthetic_range {
    int32_t compartments[2], sections[2];
    uint64_t seed;
} bosc_synthetic_range;

#endif
