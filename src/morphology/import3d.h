/* import3d.h - where NEURON's Import3d makes other sections of an SWC file.
 *
 * Serial code: no MPI.  The names are the first column of README's table
 * "Where bosc differs from NEURON, on purpose"; section.h counts how often a
 * file meets each.
 */
#ifndef BOSC_SRC_MORPHOLOGY_IMPORT3D_H
#define BOSC_SRC_MORPHOLOGY_IMPORT3D_H

#include <stdint.h>

#include "src/morphology/swc.h"

typedef enum bosc_import3d_row {
    BOSC_LINE_ORDER,   /* Import3d goes on from line to line */
    BOSC_SOMA_FORK,    /* the first sample becomes a cylinder of its own */
    BOSC_THREE_POINTS, /* a three-point soma that it does not know */
    BOSC_NO_LENGTH,    /* a section that becomes a cylinder or is dropped */
    BOSC_LONE_STEM,    /* a stem of one sample that it drops */
    BOSC_NO_RADIUS,    /* a radius that is repaired */
    BOSC_SECOND_ROOT,  /* a part that it joins to the first sample */
    BOSC_N_IMPORT3D_ROWS
} bosc_import3d_row;

extern const char *const bosc_import3d_names[BOSC_N_IMPORT3D_ROWS];

/* The sample with which Import3d goes on after sample i, in the same section:
 * next[i] = i + 1, or -1 where the section ends.  [swc->n]; the samples must
 * be in the order of the file.  soma_children[i] counts the soma samples that
 * hang on soma sample i.  A three-point soma is not treated here. */
void bosc_import3d_follow(const bosc_swc *swc, const int32_t *soma_children,
                          int32_t *next);

#endif
