/* network_rows.h - the connections of a network that was made, one after
 * another: what a result keeps of them, and what a list of edges may say.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_NETWORK_EDGES_NETWORK_ROWS_H
#define BOSC_SRC_NETWORK_EDGES_NETWORK_ROWS_H

#include "src/network/network.h"

/* A connection. */
typedef struct bosc_network_row {
    int64_t gid;            /* of its neuron */
    int64_t source, target; /* numbers among those of its projection */
    int32_t projection, kind;
    int32_t section; /* by number (edge_list.h); -1: the neuron has none */
    double x;
    double weight, delay; /* uS, ms */
    double end_weight;    /* now; NAN: its synapse has none of its own */
} bosc_network_row;

/* Parameters that some kind of synapse has for each connection, by name. */
typedef struct bosc_network_params {
    int n;
    const char **name, **unit; /* [n] of mechanisms */
} bosc_network_params;

bosc_status bosc_network_params_find(const bosc_model *model,
                                     bosc_network_params *params,
                                     bosc_error *err);
void bosc_network_params_clear(bosc_network_params *params);

typedef struct bosc_network_rows bosc_network_rows;

/* Of this rank's neurons; 'model', with its files, 'network' and 'batch', whose
 * states are of now, outlive it. */
bosc_status bosc_network_rows_create(const bosc_model *model,
                                     const bosc_network *network,
                                     const bosc_batch *batch,
                                     const bosc_network_params *params,
                                     bosc_network_rows **out, bosc_error *err);
void bosc_network_rows_destroy(bosc_network_rows *rows);

/* Forget the rows so far; add those onto neuron i, projection after projection,
 * as the network was made; and look at all that were added: [n], and of each
 * params->n numbers, NAN where its synapse has none. */
void bosc_network_rows_begin(bosc_network_rows *rows);
bosc_status bosc_network_rows_add(bosc_network_rows *rows, int32_t i,
                                  bosc_error *err);
size_t bosc_network_rows_look(const bosc_network_rows *rows,
                              const bosc_network_row **row,
                              const double **numbers);

#endif
