/* sim_values.h - the tables of values that a job's regions name.
 *
 * Collective over the ranks of a simulation.
 */
#ifndef BOSC_SRC_SIM_SIM_VALUES_H
#define BOSC_SRC_SIM_SIM_VALUES_H

#include "src/comm/comm.h"
#include "src/job/job.h"
#include "src/model/value_table.h"

/* A file of values, parsed for all columns that the job names. */
typedef struct bosc_sim_table {
    char *path, *file; /* from the working folder; as the job names it */
    int n_columns;
    const char **column; /* [n_columns] the job's */
    bosc_value_table *table;
} bosc_sim_table;

typedef struct bosc_sim_values {
    int n;
    bosc_sim_table *tables; /* [n] */
} bosc_sim_values;

/* Read the files at rank 0, give all ranks their texts, and let the job's
 * numbers find their values in them; and the tables that stimuli play.  To be
 * cleared after the job's last use, whatever is returned. */
bosc_status bosc_sim_values_read(const bosc_comm *comm, bosc_job *job,
                                 bosc_sim_values *values, bosc_error *err);
void bosc_sim_values_clear(bosc_sim_values *values);

#endif
