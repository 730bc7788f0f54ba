/* memory.h - the model of a run's memory, for its estimate and its ranks.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_PLAN_MEMORY_H
#define BOSC_SRC_PLAN_MEMORY_H

#include "src/cost/workload.h"

/* A bosc_memory_model: bosc_sim_memory() and what a run adds. */
void bosc_memory_add_up(const bosc_workload *workload, bosc_memory *memory);

/* Bytes of rank 0 while it writes the table of n neurons (run_table.c). */
double bosc_run_table_bytes(double n);

#endif
