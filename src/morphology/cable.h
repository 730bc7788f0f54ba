/* cable.h - a template: the discretised shape that equal neurons share.
 *
 * Serial code: no MPI.  Spatial discretisation is NEURON's (Hines & Carnevale
 * 1997; nrnoc/treeset.cpp): a section of nseg compartments has nodes at the
 * compartments' centres and one zero-area node at its end x = 1; each root
 * section has one more zero-area node at x = 0.  Areas and axial resistances
 * are integrals over the frusta of the section's points, cut at the
 * compartments' borders and centres:
 *     area += pi/2 (d1 + d2) sqrt(dl^2 + ((d2 - d1)/2)^2)       um2
 *     ri   += 1e-2 Ra 4 dl / (pi d1 d2)                         Mohm
 *
 * Numbering is depth-first: parent[i] < i, and node i + 1 is a child of i or,
 * where i is a tip, starts the next branch.  A section's own nodes follow each
 * other; of the branches at one node the one whose subtree needs the deepest
 * stack comes first, so that long paths are without a break.  All solvers rely
 * on this order, and all add up children in it: descending
 * (kernels/hines/pivot.h).
 *
 * Parts of a neuron without any connection (several roots) hang on node 0 with
 * axial conductance 0: one tree, no current between the parts.
 */
#ifndef BOSC_SRC_MORPHOLOGY_CABLE_H
#define BOSC_SRC_MORPHOLOGY_CABLE_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/status.h"
#include "src/morphology/spec.h"

struct bosc_sections; /* section.h */
struct bosc_swc;      /* swc.h */

/* One section of a template. */
typedef struct bosc_cable_section {
    int32_t parent, region, number, level;
    double parent_x;
    int32_t first; /* node of the first compartment */
    int32_t n;     /* compartments with area, numbered first..first + n - 1;
                      node first + n is the zero-area end, x = 1; a root
                      section's x = 0 is node first - 1 */
    int32_t type;  /* SWC type code, as in section.h */
    double length; /* um */
} bosc_cable_section;

enum { BOSC_CABLE_POINT = 9 };

/* One block of memory: 'bytes' long, position independent when copied with
 * bosc_cable_pack and bosc_cable_unpack. */
typedef struct bosc_cable {
    int32_t n; /* compartments, zero-area nodes included */
    int32_t n_sections;
    int32_t n_levels;
    int32_t soma;      /* node of soma(0.5), or of the root section's middle */
    int64_t n_points;  /* n, or 0 where they are not kept */
    double area_total; /* um2 */
    int32_t *parent;   /* [n] parent[0] == -1 */
    int32_t *section;  /* [n] section of each node; node 0: its root section */
    double *area;      /* [n] um2, 0 for a zero-area node */
    double *g_axial;   /* [n] to the parent (uS); g_axial[0] == 0 */
    double *diameter;  /* [n] um: the mean along the compartment, which NEURON
                          calls diam; of an end, of the compartment beside it */
    float *point;      /* [n][BOSC_CABLE_POINT] (um) in the coordinates of the
                          file: where each node is, then where its compartment
                          begins and ends, of a zero-area node at it; NULL: not
                          kept (spec.h) */
    bosc_cable_section *sections; /* [n_sections] */
} bosc_cable;

/* Cut the sections of neuron 'name'.  Fails with BOSC_EVALUE when a number of
 * spec is out of range, when there would be more than 2^27 nodes, and when an
 * area or conductance would overflow or vanish; with BOSC_ENOMEM.  On failure
 * *out is untouched. */
bosc_status bosc_cable_create(const struct bosc_sections *sections,
                              const bosc_cable_spec *spec, const char *name,
                              bosc_cable **out, bosc_error *err);

/* The same from samples, which keep the repairs (section.h), after the edits of
 * the spec (sections/edit.h). */
bosc_status bosc_cable_cut(struct bosc_swc *swc, const bosc_cable_spec *spec,
                           const char *name, bosc_cable **out, bosc_error *err);

void bosc_cable_destroy(bosc_cable *cable);

/* Bytes of the packed form, and the copies out and in (for messages between
 * ranks of one machine type). */
size_t bosc_cable_packed_size(const bosc_cable *cable);
/* Bytes of a template, with its points or without. */
double bosc_cable_bytes(double compartments, double sections, bool points);

void bosc_cable_pack(const bosc_cable *cable, void *bytes);
bosc_status bosc_cable_unpack(const void *bytes, bosc_cable **out,
                              bosc_error *err);

/* The node at position x (0 to 1) of section "prefix[number]" of 'region', or
 * -1 when there is no such section.  x = 0 is the node the section hangs on
 * (its own for a root section), x = 1 its end, else the compartment that holds
 * x: NEURON's sec(x).  A number below 0 is that of a section of myelin
 * (spec.h). */
int32_t bosc_cable_node(const bosc_cable *cable, bosc_region region,
                        int32_t number, double x);

/* The number of section s in its name, below 0 of myelin (spec.h). */
int32_t bosc_cable_section_number(const bosc_cable *cable, int32_t s);

/* The name of section s: "dend[12]", "myelin[0]". */
const char *bosc_cable_section_name(const bosc_cable *cable, int32_t s,
                                    char name[BOSC_SECTION_NAME]);

/* The node of section s at position x, same rule. */
int32_t bosc_cable_section_node(const bosc_cable *cable, int32_t s, double x);

/* x of node i in its section: 0, 1 or a compartment's centre. */
double bosc_cable_x(const bosc_cable *cable, int32_t i);

/* The path length (um) from the middle of the soma (of the root section, where
 * there is no soma) to every node's position, into distance[cable->n].  Parts
 * without any connection to the soma are infinitely far.  BOSC_ENOMEM. */
bosc_status bosc_path_distances(const bosc_cable *cable, double *distance,
                                bosc_error *err);

/* The same from the position of a node. */
bosc_status bosc_path_distances_from(const bosc_cable *cable, int32_t node,
                                     double *distance, bosc_error *err);

/* The nearest and the farthest point of each compartment, span[cable->n][2]; of
 * a node without area twice its own.  A compartment ends where the next one
 * begins. */
bosc_status bosc_path_spans_from(const bosc_cable *cable, int32_t node,
                                 double *span, bosc_error *err);

/* The branch points on the path from the soma (from the root section, where
 * there is no soma) to every section, into order[n_sections].  A branch point
 * is one with three ways or more: where a section goes on in a single one, as
 * at a change of type, it counts none.  The soma and the sections that begin at
 * it have 0.  That is the centrifugal order, from 0 as in NeuroM's
 * section_branch_orders; Neurolucida's is higher by one.  A part without any
 * connection counts from its own root section.  BOSC_ENOMEM. */
bosc_status bosc_branch_orders(const bosc_cable *cable, int32_t *order,
                               bosc_error *err);

#endif
