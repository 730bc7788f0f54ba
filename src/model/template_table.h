/* template_table.h - what a job's neurons are before any of them is made: which
 * templates there are, and the size of each neuron.
 *
 * Serial code: no MPI.  A template is a file and a way of cutting it.  A
 * synthetic neuron has a template of its own, whose size is drawn without
 * making it; its compartments are divided over the regions as they are on
 * average.
 */
#ifndef BOSC_SRC_MODEL_TEMPLATE_TABLE_H
#define BOSC_SRC_MODEL_TEMPLATE_TABLE_H

#include <stdint.h>

#include "src/job/job.h"
#include "src/model/gid_table.h"
#include "src/morphology/cable.h"

/* What matters of a template for its cost. */
typedef struct bosc_template_size {
    int32_t compartments, sections, levels;
    int32_t membrane[BOSC_N_REGIONS]; /* compartments with area */
    int32_t own[BOSC_MOST_REGIONS];   /* those in regions of the user's own, by
                                         region of the population */
} bosc_template_size;

/* Compartments with area in some regions, and those of them in sections of one
 * type; about, where regions are the user's own. */
double bosc_template_sites(const bosc_template_size *size,
                           const bosc_region_list *among);
double bosc_template_sites_of(const bosc_template_size *size,
                              const bosc_region_list *among, int type);

/* Compartments that have mechanism m; about, where regions of the user's own
 * insert or remove it. */
double bosc_template_instances(const bosc_template_size *size,
                               const bosc_population_spec *population, int m);

bosc_template_size bosc_template_size_of(const bosc_cable *cable);

typedef struct bosc_template {
    int32_t file, population; /* the first population that cuts it this way, and
                                 has its own regions in these places */
    int32_t repairs;
    double length; /* of all its sections, um */
    bosc_template_size size;
} bosc_template;

typedef struct bosc_template_table {
    const bosc_job *job;
    const bosc_gid_table *gid_table;
    int32_t n_templates;
    bosc_template
        *templates; /* [n_templates] sizes are 0 until somebody has read it */
    int32_t *
        template_of; /* [n_gid ranges] template of a gid range, -1: synthetic */
    int64_t *uses;   /* [n_templates] neurons of each */
    double *rows;    /* [links + sources of the job] of the file of each,
                        about; -1: it has none, or nobody has counted */
} bosc_template_table;

/* List the templates.  Job and gid table must outlive the template table, which
 * is to be cleared whatever is returned.  The same on all ranks. */
bosc_status bosc_template_table_create(const bosc_job *job,
                                       const bosc_gid_table *gid_table,
                                       bosc_template_table *template_table,
                                       bosc_error *err);
void bosc_template_table_clear(bosc_template_table *template_table);

/* Bytes of a table for n gid ranges. */
double bosc_template_table_bytes(double n_gid_ranges);

/* Count the rows of the files of links and sources. */
void bosc_template_table_count(const bosc_template_table *template_table);

/* The length of template table->rows. */
int bosc_template_table_n_rows(const bosc_job *job);

/* Read and cut template k; its size, length and repairs are kept in the
 * template table. Threads may do so for different templates at the same time.
 */
bosc_status bosc_template_table_read(const bosc_template_table *template_table,
                                     int32_t k, bosc_cable **out,
                                     bosc_error *err);

/* The size of neuron i of a gid range. */
bosc_template_size
bosc_template_table_size(const bosc_template_table *template_table,
                         int32_t gid_range, int64_t i);

/* Are all neurons of the gid range of one size? */
bool bosc_template_table_alike(const bosc_template_table *template_table,
                               int32_t gid_range);

#endif
