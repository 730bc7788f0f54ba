/* network.h - the connections of this rank's neurons.
 *
 * Serial code: no MPI.  The connections depend only on the job (its
 * seed, the names of projections, the numbers of neurons in their populations),
 * so each rank makes the connections of its own neurons, and no division
 * changes the network.  Connections are made twice, first to count them, then
 * to keep them: 16 bytes each, and nothing is sorted but by delay.
 *
 * Sources have one numbering everywhere: neurons by gid, then other places
 * than the soma where projections detect spikes, then the sources of the job.
 */
#ifndef BOSC_SRC_NETWORK_NETWORK_H
#define BOSC_SRC_NETWORK_NETWORK_H

#include <stdint.h>

#include "kernels/batch/batch.h"
#include "src/model/model.h"
#include "src/network/connection_table.h"

/* A place besides the soma where spikes are detected: neurons of a population,
 * source ids from 'first' on. */
typedef struct bosc_spike_source {
    int32_t population;
    const bosc_location *at;
    double threshold;
    int64_t first;
} bosc_spike_source;

/* A probe of the connections of one source whose synapses share their instances
 * with others: a block of the kind whose instances receive the same events, and
 * add nothing. */
typedef struct bosc_mirror {
    int32_t kind, probe;
    int64_t source; /* its number in the projection */
    int32_t block;
} bosc_mirror;

typedef struct bosc_network {
    int64_t n_ids;
    int32_t n_spike_sources;
    bosc_spike_source *spike_sources; /* [n_spike_sources] */
    int64_t *projection_first; /* [n_projections] id of its source number 0 */
    int64_t *source_first; /* [n_sources + 1] id of each source's number 0 */
    int32_t *block;        /* [n_synapses] block of each kind, -1: none */
    int32_t n_mirrors;
    bosc_mirror *mirrors;  /* [n_mirrors] by kind */
    int32_t *first_mirror; /* [n_synapses + 1] of each kind */
    int64_t *made;         /* [n_projections] connections on this rank */
    int32_t *least_delay;  /* [n_projections] steps, of connections here;
                              INT32_MAX: there are none */
    bosc_connection_table *connection_table;
    size_t synapse_bytes; /* of the blocks of point processes */
    double seconds;       /* to make all of it */
} bosc_network;

/* Number the sources, add the blocks of point processes to a batch that has its
 * layout and its other blocks, and make the connections.  Errors name the job's
 * line.  *network is to be cleared, whatever is returned. */
bosc_status bosc_network_create(const bosc_model *model, bosc_batch *batch,
                                bosc_network *network, bosc_error *err);

void bosc_network_clear(bosc_network *network);

#endif
