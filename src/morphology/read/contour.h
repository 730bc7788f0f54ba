/* contour.h - the soma of outlines: what NEURON's Import3d makes of them.
 *
 * Rules and formulas are those of NEURON 9.0 (share/nrn/lib/hoc/import3d,
 * contourcenter() and approximate_contour_by_circle() of import3d_sec.hoc,
 * contour2centroid() of import3d_gui.hoc, stk_center()):
 *
 *   one outline   101 points at equal distances along it, measured in x and y;
 *                 the long axis of their second moments; 21 circles along it,
 *                 as wide as the outline is across, measured in x and y
 *   several       each is a circle about the mean of its 101 points, of the
 *                 mean of two diameters: that of its perimeter, and twice the
 *                 mean distance of the points
 *
 * Circles become points with eight digits (asc_soma.c).
 */
#ifndef BOSC_SRC_MORPHOLOGY_READ_CONTOUR_H
#define BOSC_SRC_MORPHOLOGY_READ_CONTOUR_H

#include "src/morphology/read/draft.h"

enum { BOSC_SOMA_POINTS = 21 };

/* One outline, over its points on the file's lines. */
typedef struct bosc_contour {
    int32_t first, n; /* points, n > 2 */
    int64_t line;
    double center[3]; /* mean of the 101 points (um) */
    double diam;      /* of its circle (um) */
} bosc_contour;

/* Set center and diam.  BOSC_ENOMEM. */
bosc_status bosc_contour_measure(const bosc_draft_point *points,
                                 bosc_contour *c, const bosc_mending *m);

/* The circles of one outline.  BOSC_EFORMAT where it has no long axis, or one
 * that is normal to x and y; BOSC_ENOMEM. */
bosc_status bosc_contour_slice(const bosc_draft_point *points,
                               const bosc_contour *c, const bosc_mending *m,
                               bosc_draft_point out[BOSC_SOMA_POINTS]);

/* The middle of the line through the centers of n outlines, the first with
 * those of a stack. */
void bosc_contour_middle(const bosc_contour *c, int32_t n, double middle[3]);

#endif
