/* result_network.h - the connections of a network in a result file.
 *
 * Serial code: rank 0 alone calls it, at the end of a run, before
 * bosc_result_finish().
 *
 *   connection_projection connection_synapse [connection]
 *                       int: flags, whose meanings are names
 *   connection_source connection_target [connection]
 *                       int64: numbers among those of the projection, from 0
 *   connection_section connection_x [connection]
 *                       int, double: where on the target; sections as numbers,
 *                       soma, axon, dendrite, apical, custom; fill values of
 *                       artificial cells
 *   connection_weight connection_delay [connection]
 *                       double, uS and ms
 *   connection_end_weight [connection]
 *                       double, where synapses have changed weights: those at
 *                       the end; NaN: the synapse has none of its own
 *   synapse_NAME [connection]
 *                       double: parameter NAME of the synapse, where each
 *                       connection has its own; NaN: it has not that
 * Connections are in the order of their targets' gids, then of projections.
 */
#ifndef BOSC_SRC_IO_NETWORK_RESULT_NETWORK_H
#define BOSC_SRC_IO_NETWORK_RESULT_NETWORK_H

#include "src/io/result.h"

enum { BOSC_NETWORK_PARAMS = 128 };

/* What the file will have. */
typedef struct bosc_result_network {
    int64_t n;
    int n_projections, n_kinds, n_params;          /* params: at most 128 */
    const char *const *projections, *const *kinds; /* names */
    const char *const *params, *const *units;      /* [n_params] */
    bool plastic;                                  /* with end_weight */
    /* set by bosc_result_network_begin() */
    int id[9], param_id[BOSC_NETWORK_PARAMS];
    int64_t at; /* rows written */
} bosc_result_network;

/* Some connections, column by column: of all [n]. */
typedef struct bosc_result_connections {
    size_t n;
    const int32_t *projection, *kind, *section;
    const int64_t *source, *target;
    const double *x, *weight, *delay, *end_weight;
    const double *numbers; /* [n_params][n] */
} bosc_result_connections;

/* Define the variables; then write the connections, some at a time. */
bosc_status bosc_result_network_begin(bosc_result *result,
                                      bosc_result_network *network,
                                      bosc_error *err);
bosc_status bosc_result_network_add(bosc_result *result,
                                    bosc_result_network *network,
                                    const bosc_result_connections *some,
                                    bosc_error *err);

#endif
