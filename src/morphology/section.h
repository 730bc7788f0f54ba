/* section.h - the sections of a neuron: what NEURON's Import3d makes of SWC.
 *
 * Serial code: no MPI.  Rules are those of NEURON 8.2 and 9.0
 * (share/nrn/lib/hoc/import3d/read_swc.hoc and import3d_gui.hoc): samples of
 * one type between branch points make a section; a branch starts at its
 * parent's point; a root section of one sample (a 1-point soma), or a 3-point
 * soma of the NeuroMorpho form, becomes a cylinder of length = diameter, and
 * stems attach to soma(0.5); soma of more samples is a section like others.
 * section.c has the table.
 *
 * Where Import3d drops or adds something, this does not (bosc_import3d_row
 * counts where a file differs):
 *   - Import3d also cuts a section where the next sample is not on the next
 *     line of the file, and wants a 3-point soma on the first three; here the
 *     order of lines counts only among the branches of one point (it gives
 *     the sections their numbers);
 *   - where the first sample is soma, has soma children and none of them on the
 *     next line, it becomes a cylinder of length = diameter inside the soma;
 *     here the section goes on into the first soma child;
 *   - where the first sample of a neuron or stem forks and goes on, it does so
 *     into the next line whatever its type; here into the first child of its
 *     own type;
 *   - it drops sections of two equal points; here all sections shorter than a
 *     picometre are dropped (a root section becomes a cylinder);
 *   - it drops a stem of one sample where somata fork; here that is kept;
 *   - it draws a cable from the first sample to a further root, except to a
 *     neurite where the first sample is soma; here such a neurite attaches to
 *     soma(0.5) too and other parts stay apart.
 */
#ifndef BOSC_SRC_MORPHOLOGY_SECTION_H
#define BOSC_SRC_MORPHOLOGY_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/mem.h"
#include "src/morphology/spec.h"
#include "src/morphology/swc.h"

/* Where NEURON's Import3d makes other sections of an SWC file (import3d.c). */
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

typedef struct bosc_section {
    int32_t parent;  /* section index < own, -1 for a root section */
    double parent_x; /* 0 to 1, where on the parent it hangs; 0 for a root */
    int32_t region;  /* bosc_region */
    int32_t type;    /* SWC type code of the section's first sample, >= 0 */
    int32_t number;  /* the n of "dend[n]", in file order within its region */
    int32_t level;   /* root section 0 */
    int32_t first_point;    /* into the points */
    int32_t n_points;       /* >= 2 */
    int32_t n_compartments; /* that 'per_sample' makes of it, if not
                               file_count; 0: as many as it has frusta */
    int32_t file_count;     /* compartments that the file gives it; 0: none */
    int32_t fixed; /* compartments whatever the policy; 0: as that says */
    bool stepped;  /* cylinders of different diameters: no area where two meet,
                      at two points of the same arc length */
    double length; /* arc length of the points (um) */
} bosc_section;

/* The sections of one neuron.  Section 0 is a root, the soma where there is
 * one; every parent comes before its children. */
typedef struct bosc_sections {
    int32_t n;        /* sections, >= 1 */
    int32_t n_points; /* of all sections */
    int32_t n_levels;
    bosc_section *section; /* [n] */
    float *xyz;            /* [n_points][3] (um) */
    double *diam;          /* [n_points] > 0 (um); of points of a file they are
                              floats as in NEURON, so that areas are the same
                              there, of cylinders doubles, as there */
    double *arc;           /* [n_points] from the section's start (um) */
    void *room;            /* of these arrays */
    bosc_occurrence differs[BOSC_N_IMPORT3D_ROWS]; /* from NEURON's reading */
} bosc_sections;

/* The sections of a morphology; repairs made on the way are added to
 * swc->repairs.  Separate parts (several roots) that Import3d would leave
 * unconnected stay root sections.  On failure *out is untouched. */
bosc_status bosc_sections_create(bosc_swc *swc, bosc_sections **out,
                                 bosc_error *err);

/* n sections, and room for points, none of them set; NULL without memory. */
bosc_sections *bosc_sections_alloc(int32_t n, size_t points);

/* Bytes of a tree of samples and its sections, when they are made and while
 * they are made. */
bosc_bytes bosc_sections_bytes(double samples, double sections);

void bosc_sections_destroy(bosc_sections *sections);

/* For readers of other formats.  n sections, not set, and no points yet, with
 * room for 'points' of them; NULL without memory. */
bosc_sections *bosc_sections_alloc(int32_t n, size_t points);

/* A point more of section 'sec', whose points are the last ones: its number of
 * points and its length grow. */
void bosc_sections_add_point(bosc_sections *all, bosc_section *sec,
                             const float xyz[3], float diam);

/* The levels of sections whose parents are known. */
void bosc_sections_set_levels(bosc_sections *all);

/* A section as distances along a neuron need it. */
typedef struct bosc_joint {
    int32_t parent;  /* index < own; -1: none */
    double parent_x; /* where on the parent it hangs, 0 to 1 */
    double length;   /* um */
    /* Set by bosc_joints_anchor(): the point nearest to the origin, 0 to 1, and
     * how far that is (um), INFINITY where no cable leads there. */
    bool known;
    double anchor, distance;
} bosc_joint;

/* Set the anchors of joints[n], whose 'known' are false, for an origin at x of
 * section 'origin'. */
void bosc_joints_anchor(bosc_joint *joints, int32_t n, int32_t origin,
                        double x);

/* How far x of a section is from the origin (um). */
double bosc_joint_distance(const bosc_joint *joint, double x);

/* The region of an SWC type code. */
bosc_region bosc_region_of_type(int32_t type);

/* The sample with which Import3d goes on after sample i, in the same section:
 * next[i] = i + 1, or -1 where the section ends.  [swc->n]; the samples must
 * be in the order of the file.  soma_children[i] counts the soma samples that
 * hang on soma sample i.  A three-point soma is not treated here. */
void bosc_import3d_follow(const bosc_swc *swc, const int32_t *soma_children,
                          int32_t *next);

#endif
