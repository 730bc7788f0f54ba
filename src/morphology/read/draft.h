/* draft.h - what a reader makes of a file that has sections of its own, and how
 * that becomes bosc_sections: for all formats but SWC, whose sections are found
 * among samples (section.h).
 */
#ifndef BOSC_SRC_MORPHOLOGY_READ_DRAFT_H
#define BOSC_SRC_MORPHOLOGY_READ_DRAFT_H

#include <stddef.h>
#include <stdint.h>

#include "src/morphology/morphology.h"
#include "src/morphology/read/mend.h"

typedef struct bosc_draft_point {
    double xyz[3], diam; /* um */
    int64_t line;        /* of the file; 0: a copy of a point of another */
} bosc_draft_point;

/* A section as the file has it. */
typedef struct bosc_draft {
    int32_t parent; /* a draft before this one; -1: none */
    double parent_x;
    int32_t type;     /* SWC code */
    int32_t count;    /* compartments that the file gives it; 0: none */
    int32_t first, n; /* its points */
    int64_t line;
} bosc_draft;

typedef struct bosc_drafts {
    int32_t n, n_points;
    bosc_draft *draft;
    bosc_draft_point *point;
    size_t room, point_room; /* for draft.c */
} bosc_drafts;

/* Begin a section at the next point; its index, or -1 without memory. */
int32_t bosc_drafts_begin(bosc_drafts *d, int32_t parent, double parent_x,
                          int32_t type, int64_t line);

/* A point of the section that was begun last.  BOSC_EFORMAT where it is not
 * finite or farther than 1e9 um, BOSC_ENOMEM. */
bosc_status bosc_drafts_add(bosc_drafts *d, const bosc_draft_point *point,
                            const bosc_mending *m);

/* Sections of drafts, in their order: that of the roots first which is 'soma'
 * or, where none is, the first root.  Points become floats as in NEURON.
 *
 *   - a section of one point, or without length, is dropped as in NEURON's
 *     Import3d, and its branches hang where it hung; a root becomes a cylinder
 *     as long as it is thick, along x;
 *   - a diameter that is zero, NaN or under 2e-4 um becomes that of the nearest
 *     point before it in its section, else behind it, else of its parent's end
 *     unless that is soma, else 1 um; a negative one loses its sign.
 *
 * Sets out->sections, appends to out->repairs and counts into out->file.
 * Parents stand before their children: BOSC_EFORMAT otherwise. */
bosc_status bosc_drafts_finish(bosc_drafts *d, const bosc_mending *m,
                               bosc_morphology *out);

void bosc_drafts_clear(bosc_drafts *d);

#endif
