/* census.h - what a job's neurons are before any of them is made: which shapes
 * there are, and the size of each neuron.
 *
 * Serial code: no MPI.  A shape is a file and a way of cutting it.  A synthetic
 * neuron has a shape of its own, whose size is drawn without making it; its
 * compartments are divided over the regions as they are on average.
 */
#ifndef BOSC_SRC_CENSUS_H
#define BOSC_SRC_CENSUS_H

#include <stdint.h>

#include "src/cable.h"
#include "src/params.h"
#include "src/population.h"

/* What matters of a template for its cost. */
typedef struct bosc_size {
    int32_t compartments, sections, levels;
    int32_t membrane[BOSC_N_REGIONS]; /* compartments with area */
} bosc_size;

bosc_size bosc_size_of(const bosc_cable *cable);

typedef struct bosc_shape {
    int32_t file, population; /* the first population that cuts it this way */
    int32_t repairs;
    bosc_size size;
} bosc_shape;

typedef struct bosc_census {
    const bosc_job *job;
    const bosc_roster *roster;
    int32_t n_shapes;
    bosc_shape *shapes; /* [n_shapes] sizes are 0 until somebody has read it */
    int32_t *shape_of;  /* [n_cohorts] shape of a cohort, -1: synthetic */
    int64_t *uses;      /* [n_shapes] neurons of each */
    double *rows;       /* [links + sources of the job] of the file of each,
                           about; -1: it has none, or nobody has counted */
} bosc_census;

/* List the shapes.  Job and roster must outlive the census, which is to be
 * cleared whatever is returned.  The same on all ranks. */
bosc_status bosc_census_create(const bosc_job *job, const bosc_roster *roster,
                               bosc_census *census, bosc_error *err);
void bosc_census_clear(bosc_census *census);

/* Count the rows of the files of links and sources. */
void bosc_census_count(const bosc_census *census);

/* The length of census->rows. */
int bosc_census_n_rows(const bosc_job *job);

/* Read and cut shape k; its size and repairs are kept in the census.  Threads
 * may do so for different shapes at the same time. */
bosc_status bosc_census_read(const bosc_census *census, int32_t k,
                             bosc_cable **out, bosc_error *err);

/* The size of neuron i of a cohort. */
bosc_size bosc_census_size(const bosc_census *census, int32_t cohort,
                           int64_t i);

/* Are all neurons of the cohort of one size? */
bool bosc_census_alike(const bosc_census *census, int32_t cohort);

#endif
