/* varying.h - a number of a region that is not the same everywhere: drawn for
 * each neuron, from a table, or by a formula of the place.
 *
 * Serial code: no MPI.  The same bits on all machines and ranks, and whoever
 * asks first: a draw depends on the job's seed, the names of the population and
 * of the value, and the neuron; formulas are computed with functions of our own
 * (src/formula/).
 */
#ifndef BOSC_SRC_JOB_VARYING_H
#define BOSC_SRC_JOB_VARYING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "src/base/status.h"

typedef struct bosc_varying bosc_varying;

/* Names of formulas that are of the place, in this order; then "value". */
typedef enum bosc_place_number {
    BOSC_HERE_DISTANCE, /* um of path from the middle of the soma */
    BOSC_HERE_FARTHEST, /* um; the largest distance of the neuron */
    BOSC_HERE_DIAMETER, /* um */
    BOSC_HERE_LENGTH,   /* um; of the section */
    BOSC_HERE_X,        /* um; in the coordinates of the morphology */
    BOSC_HERE_Y,
    BOSC_HERE_Z,
    BOSC_N_PLACE_NUMBERS
} bosc_place_number;

/* Where, and of which neuron, a number is asked for. */
typedef struct bosc_place {
    uint64_t seed;
    uint32_t population;    /* bosc_hash() of its name */
    int64_t neuron;         /* number in its population; below 0: of none */
    int32_t region, number; /* of the section: "dend[12]" */
    int32_t named;          /* the same, or that of its name, "myelin[0]"
                               (bosc_section_name()) */
    double x;               /* position in the section */
    int32_t compartment, n_compartments; /* which of the section's; -1: the one
                                            in its middle */
    double at[BOSC_N_PLACE_NUMBERS];
} bosc_place;

/* The number at a place.  BOSC_EVALUE where it is not finite or beyond the
 * range of its key, with the line of the job, the place and the number. */
bosc_status bosc_varying_at(const bosc_varying *varying,
                            const bosc_place *place, double *number,
                            bosc_error *err);

/* Does it differ between neurons of one shape?  Does it need coordinates? */
bool bosc_varying_by_neuron(const bosc_varying *varying);
bool bosc_varying_needs_points(const bosc_varying *varying);

/* Where the job says it: "job.yaml:12". */
const char *bosc_varying_where(const bosc_varying *varying);

/* Write what it is, as the job's identity (bosc_job_values). */
void bosc_varying_print(const bosc_varying *varying, FILE *file);

/* Are both NULL, or written equally?  Draws of two names differ all the same.
 */
bool bosc_varying_same(const bosc_varying *a, const bosc_varying *b);

void bosc_varying_destroy(bosc_varying *varying);

/* A column of a table: whoever has read it finds its numbers. */
typedef struct bosc_varying_column {
    bosc_status (*find)(const void *table, int column, const bosc_place *place,
                        double *number, bosc_error *err);
    const void *table; /* NULL until it is there */
    int column;
    bool by_neuron;
} bosc_varying_column;

/* Visit the columns that a number needs, to fill them before anybody asks for
 * it, the same on all ranks: the file is relative to the job's folder; of what
 * unit the number is, "": any; "job.yaml:12". */
typedef struct bosc_column_asked {
    const char *file, *name; /* of the table; of the column */
    const char *unit, *where;
} bosc_column_asked;

typedef bosc_status bosc_column_visit(void *what,
                                      const bosc_column_asked *asked,
                                      bosc_varying_column *column,
                                      bosc_error *err);
bosc_status bosc_varying_visit(bosc_varying *varying, bosc_column_visit *visit,
                               void *what, bosc_error *err);

#endif
