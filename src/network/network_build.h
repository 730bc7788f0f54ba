/* network_build.h - making connections.  Internal to network_create.c,
 * coupling_pairs.c, synapse_sites.c, mirrors.c and edges/network_rows.c.
 */
#ifndef BOSC_SRC_NETWORK_NETWORK_BUILD_H
#define BOSC_SRC_NETWORK_NETWORK_BUILD_H

#include "src/network/edges/edge_list.h"
#include "src/network/network.h"
#include "src/network/rule.h"

/* Where synapses of a projection can be on a template: some nodes, with the sum
 * of the lengths (or areas) up to and with each (synapse_sites.c). */
typedef struct bosc_synapse_sites {
    int32_t n;
    int32_t *node;   /* [n] */
    double *sum;     /* [n] ascending */
    int64_t n_edges; /* of a list with places */
    int32_t
        *of_edge; /* [n_edges] the node of each, -1: drawn from the others */
    bosc_section_ids ids;
    size_t room[3]; /* of the arrays, which are used again */
} bosc_synapse_sites;

/* Visit the connections of link number 'link' onto all neurons of this rank;
 * meanwhile 'in_edges' and 'sites' are those of the neuron.  BOSC_EVALUE where
 * one has no site, BOSC_EINTR when a signal has ended set-up, BOSC_ENOMEM. */
bosc_status bosc_synapse_sites_visit(bosc_in_edges *in_edges,
                                     bosc_synapse_sites *sites, int link,
                                     bosc_visit *visit, void *what,
                                     bosc_error *err);
/* The same onto neuron in_edges->neuron alone, which the link is to. */
bosc_status bosc_synapse_sites_visit_one(bosc_in_edges *in_edges,
                                         bosc_synapse_sites *sites, int link,
                                         bosc_visit *visit, void *what,
                                         bosc_error *err);
void bosc_synapse_sites_clear(bosc_synapse_sites *sites);

/* Let parameters of kind k differ between connections: those that projections
 * give, or columns of lists that may be of this kind.  Then those that its
 * projection, or its edge, gives instance i of a connection
 * (edges/edge_params.c). */
bosc_status bosc_edge_params_vary(const bosc_model *model, int k,
                                  bosc_mech_block *block, bosc_error *err);
void bosc_edge_params_keep(const bosc_in_edges *in_edges, const bosc_link *link,
                           bosc_mech_block *block, ptrdiff_t i);

/* The mirrors of a job, without blocks. */
bosc_status bosc_mirrors_create(const bosc_job *job, bosc_network *network,
                                bosc_error *err);

/* The first of network->mirrors[] from number 'from' on, one of the kind of the
 * projection's synapses, that mirrors connections of one of its sources; -1:
 * there is none. */
int32_t bosc_mirrors_next(const bosc_job *job, const bosc_network *network,
                          const bosc_projection_spec *spec, int64_t source,
                          int32_t from);

/* The node of a link's synapse. */
int32_t bosc_synapse_sites_draw(const bosc_synapse_sites *sites,
                                const bosc_in_edges *in_edges,
                                const bosc_link *link);

#endif
