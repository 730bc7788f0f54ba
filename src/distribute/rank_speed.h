/* rank_speed.h - how fast the ranks of a run are, and who gets which neurons.
 *
 * Costs are reported in the rates of the first rank, which every rank knows;
 * what the ranks' own rates differ by, makes their speeds.
 */
#ifndef BOSC_SRC_DISTRIBUTE_RANK_SPEED_H
#define BOSC_SRC_DISTRIBUTE_RANK_SPEED_H

#include "kernels/methods.h"
#include "src/comm/comm.h"
#include "src/distribute/decompose.h"

typedef struct bosc_rank_speed {
    bosc_costs common; /* of the first rank, the same on all */
    bosc_costs own;    /* of this one */
    int threads, busy; /* of this rank; of all on its node */
    double node;       /* bytes of the node on which each rank has the least */
    int32_t per_node;  /* ranks on it */
    double gpu; /* bytes of the GPU that a rank has the least of; 0: ranks
                   have none.  Set by the caller */
    bosc_memory_model *memory;
    bool measured; /* here, or by an earlier run: not built-in numbers, and
                      of the job's backend and method */
    double rate;   /* 1/s, of neurons, about */
    double *speed; /* [ranks] found by an earlier run; NULL: none */
    char *source;  /* where the rates are from */
} bosc_rank_speed;

/* Read the machine's file, on one rank of each node; 'method' is this rank's.
 * Collective. */
bosc_status bosc_rank_speed_create(const bosc_comm *comm, const bosc_job *job,
                                   const bosc_method *method, int threads,
                                   bosc_memory_model *memory,
                                   bosc_rank_speed **out, bosc_error *err);
void bosc_rank_speed_destroy(bosc_rank_speed *rank_speed);

/* Divide the neurons, and estimate the load of this rank.  All ranks know the
 * sizes of all templates.  Collective; *out is to be cleared, whatever is
 * returned. */
bosc_status bosc_rank_speed_decompose(const bosc_comm *comm,
                                      const bosc_rank_speed *rank_speed,
                                      const bosc_template_table *template_table,
                                      bosc_decomposition *out,
                                      bosc_rank_load *load, bosc_error *err);

#endif
