/* synthetic.h - synthetic morphologies of a given size, like real cells.
 *
 * Serial code: no MPI.  A neuron is a soma with dendrites, an apical dendrite
 * and an axon that branch at random (mostly in two, some in three), taper as
 * Rall's 3/2 power says, with noise, and wander through space.
 *
 * Random numbers are Random123's Philox4x32 with key = seed and counter =
 * (draw, number): neuron 'number' of a seed is the same for every partition.
 * It is the same on every machine too: apart from + - * / sqrt and floor, which
 * IEEE 754 fixes to the last bit, no floating-point function is called.
 */
#ifndef BOSC_SRC_MORPHOLOGY_SYNTHETIC_H
#define BOSC_SRC_MORPHOLOGY_SYNTHETIC_H

#include <stdint.h>
#include <stdio.h>

#include "src/morphology/spec.h"
#include "src/morphology/swc.h"

/* What to make.  Cut with the policy 'per_sample' (a compartment a frustum),
 * the neuron has exactly 'compartments' nodes in exactly 'sections' sections,
 * the soma being one of them.  Nodes are counted as NEURON does: the
 * compartments of each section, a zero-area end of each section, and the root.
 * So two pairs of numbers go together: compartments >= 2 * sections + 1 with
 * sections >= 2, and the lonely soma, compartments 3 with sections 1. */
typedef struct bosc_synthetic {
    int32_t compartments;
    int32_t sections;
    uint64_t seed;
} bosc_synthetic;

/* The six sizes that the Hines solvers in the literature are measured with. */
typedef struct bosc_synthetic_class {
    const char *name; /* "small-low": size, and share of branches */
    int32_t compartments, sections;
} bosc_synthetic_class;

enum { BOSC_N_SYNTHETIC_CLASSES = 6 };
extern const bosc_synthetic_class
    bosc_synthetic_classes[BOSC_N_SYNTHETIC_CLASSES];

/* BOSC_EVALUE, with the reason and the nearest numbers that would do, when the
 * two numbers cannot go together. */
bosc_status bosc_synthetic_check(const bosc_synthetic *what, bosc_error *err);

/* The same for a range: its least numbers must go together, and its most. */
bosc_status bosc_synthetic_check_range(const bosc_synthetic_range *range,
                                       bosc_error *err);

/* The size of neuron 'number' >= 0 of a range that has passed the check,
 * without making it: compartments drawn evenly, then sections, those evenly
 * from the least to the most, or to what the compartments allow where that is
 * less. */
bosc_synthetic bosc_synthetic_draw(const bosc_synthetic_range *range,
                                   int64_t number);

/* Neuron 'number' >= 0 as samples, what reading its SWC file would give: depth
 * first, coordinates and radii of whole nanometres.  *swc is freed by
 * bosc_swc_destroy(); on failure it is untouched.  Returns BOSC_OK,
 * BOSC_EVALUE or BOSC_ENOMEM. */
bosc_status bosc_synthetic_create(const bosc_synthetic *what, int64_t number,
                                  bosc_swc **swc, bosc_error *err);

/* Write samples as an SWC file with comments that say how it was made.  'path'
 * stands for the file in messages; the caller flushes, closes and checks. */
bosc_status bosc_synthetic_write(const bosc_synthetic *what, int64_t number,
                                 const bosc_swc *swc, FILE *file,
                                 const char *path, bosc_error *err);

/* SWC files of synthetic morphologies. */
typedef struct bosc_synthetic_files {
    bosc_synthetic what;
    int64_t number, count; /* the first neuron of the family, and how many */
    const char *output;    /* a file or a folder; NULL: standard output */
} bosc_synthetic_files;

/* Write the neurons; into a folder (where the output is one, ends with '/', or
 * there are several) as synthetic-K.swc.  On failure no file is half written.
 */
bosc_status bosc_synthetic_write_files(const bosc_synthetic_files *files,
                                       bosc_error *err);

#endif
