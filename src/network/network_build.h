/* network_build.h - making connections.  Internal to network_create.c,
 * coupling_pairs.c and synapse_sites.c.
 */
#ifndef BOSC_SRC_NETWORK_NETWORK_BUILD_H
#define BOSC_SRC_NETWORK_NETWORK_BUILD_H

#include "src/network/network.h"
#include "src/network/rule.h"

/* What connections are made from, and where they go. */
typedef struct bosc_network_builder {
    const bosc_model *model;
    bosc_batch *batch;
    bosc_network *network;
} bosc_network_builder;

/* Where synapses of a projection can be on a template: some nodes, with the sum
 * of the lengths (or areas) up to and with each (synapse_sites.c). */
typedef struct bosc_synapse_sites {
    int32_t n;
    int32_t *node;  /* [n] */
    double *sum;    /* [n] ascending */
    size_t room[2]; /* of the arrays, which are used again */
} bosc_synapse_sites;

/* The sites on a neuron of this rank; BOSC_EVALUE where there are none,
 * BOSC_EINTR when a signal has ended set-up. */
bosc_status bosc_synapse_sites_find(const bosc_in_edges *in_edges,
                                    bosc_synapse_sites *sites, bosc_error *err);
void bosc_synapse_sites_clear(bosc_synapse_sites *sites);

/* The node of a link's synapse. */
int32_t bosc_synapse_sites_draw(const bosc_synapse_sites *sites,
                                const bosc_in_edges *in_edges,
                                const bosc_link *link);

#endif
