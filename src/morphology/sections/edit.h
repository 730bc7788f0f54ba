/* edit.h - what published models do to the sections of a file before they are
 * cut into compartments.
 *
 * Serial code: no MPI.  In this order:
 *   scale    length and diameters of each section times the factors of its
 *            region; branches move along, the root section keeps its middle
 *   attach   sections that hang on a section of the soma do so at its place x
 *   axon     a rule (axon.c) removes all sections of region axon and appends
 *            others, behind all that are left
 * Then bosc_cable_create() cuts them (cable.h); the number of compartments of
 * appended sections is that of the rule.
 */
#ifndef BOSC_SRC_MORPHOLOGY_SECTIONS_EDIT_H
#define BOSC_SRC_MORPHOLOGY_SECTIONS_EDIT_H

#include "src/base/warning.h"
#include "src/morphology/section.h"

/* Edit *all, which may become another object.  'name' stands for the neuron in
 * messages.  A section that hung on a removed one becomes a root section, which
 * is noted.  On failure *all is as good as before but for scales and places;
 * BOSC_EVALUE with what a rule lacks, BOSC_ENOMEM. */
bosc_status bosc_sections_edit(bosc_sections **all, const bosc_edit_spec *edit,
                               const char *name, bosc_warnings *notes,
                               bosc_error *err);

/* The last of these steps; *all is replaced. */
bosc_status bosc_axon_replace(bosc_sections **all, const bosc_axon_spec *axon,
                              const char *name, bosc_warnings *notes,
                              bosc_error *err);

/* Place x (0 to 1) on the soma; NAN for BOSC_ATTACH_FILE. */
double bosc_attach_x(bosc_attach attach);

/* The section soma[0], -1: there is none. */
int32_t bosc_sections_soma(const bosc_sections *all);

/* Where position x (0 to 1) of section s is (um). */
void bosc_sections_point(const bosc_sections *all, int32_t s, double x,
                         double at[3]);

/* Path lengths (um) from position x of section 'from' to the middle of every
 * section, into middle[all->n]; infinite where nothing connects them. */
bosc_status bosc_sections_distances(const bosc_sections *all, int32_t from,
                                    double x, double *middle, bosc_error *err);

/* The diameter (um) of compartment k of n of section s, as NEURON's: the mean
 * of the diameters over its length. */
double bosc_sections_diameter(const bosc_sections *all, int32_t s, int32_t k,
                              int32_t n);

#endif
