/* asc.h - what the phases of the ASC reader share; for asc*.c only.
 *
 * asc.c reads objects: outlines, and trees as sections.  asc_soma.c makes
 * somata of the outlines and hangs the trees on them.
 */
#ifndef BOSC_SRC_MORPHOLOGY_READ_ASC_H
#define BOSC_SRC_MORPHOLOGY_READ_ASC_H

#include "src/morphology/read/contour.h"
#include "src/morphology/read/draft.h"

typedef struct bosc_asc {
    bosc_drafts trees;    /* sections in the order of the file; parent -1: the
                             first of a tree */
    bosc_drafts outlines; /* their points; the drafts are not used */
    bosc_contour *contour;
    int32_t n_contours;
    size_t room;
} bosc_asc;

/* All sections: the somata, then those of the trees. */
bosc_status bosc_asc_attach(bosc_asc *asc, const bosc_mending *m,
                            bosc_drafts *out);

#endif
