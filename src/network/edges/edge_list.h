/* edge_list.h - lists of edges: their files, and where the edges end.
 *
 * Rank 0 reads a file and sends it to all, block by block: each rank keeps the
 * edges onto its own neurons.
 *
 * A section is named, "dend[12]", or numbered: 0 is the first of the soma, and
 * those of soma, axon, dendrite, apical and custom follow each other, each in
 * the order of their own numbers, as SONATA and NEURON's Import3d count.
 */
#ifndef BOSC_SRC_NETWORK_EDGES_EDGE_LIST_H
#define BOSC_SRC_NETWORK_EDGES_EDGE_LIST_H

#include <math.h>

#include "src/comm/comm.h"
#include "src/model/model.h"
#include "src/network/edges/shared_rows.h"

/* A section that is named is the code -1 - (region + BOSC_EDGE_WORDS * number),
 * one of myelin in the place of a region. */
enum { BOSC_EDGE_MYELIN = BOSC_N_REGIONS, BOSC_EDGE_WORDS };

/* Read the list of link number 'link'.  Collective.  *list is to be cleared,
 * whatever is returned. */
bosc_status bosc_edge_list_read(const bosc_comm *comm, const bosc_model *model,
                                int link, bosc_edge_list *list,
                                bosc_error *err);
void bosc_edge_list_clear(bosc_edge_list *list);

/* What the file says of an edge: number 'which' of its list, NAN where there is
 * none. */
static inline double bosc_edge_number(const bosc_edge_list *list,
                                      const bosc_edge *edge, int which)
{
    return which < 0 ? NAN : list->more[edge->row * list->n_more + which];
}

/* Where a message about an edge begins: "edges.tsv:12", or "edges.nc: edge 11".
 */
enum { BOSC_EDGE_WHERE = 300 };
void bosc_edge_where(const bosc_projection_spec *spec,
                     const bosc_edge_list *list, const bosc_edge *edge,
                     char where[BOSC_EDGE_WHERE]);

/* The sections of a template in the order of their numbers. */
typedef struct bosc_section_ids {
    int32_t n;
    int32_t *section; /* [n] index in the cable */
    int32_t first[BOSC_N_REGIONS + 1];
    size_t room;
} bosc_section_ids;

bosc_status bosc_section_ids_find(bosc_section_ids *ids,
                                  const bosc_cable *cable, bosc_error *err);
void bosc_section_ids_clear(bosc_section_ids *ids);

/* A neuron of this rank onto which there are edges. */
typedef struct bosc_edge_target {
    const bosc_model *model;
    int link; /* whose list it is */
    int32_t neuron;
    const bosc_cable *cable; /* of the neuron */
    const bosc_section_ids *ids;
} bosc_edge_target;

/* The node where an edge ends, -1: its list does not say.  BOSC_EVALUE where
 * the neuron has no such section. */
bosc_status bosc_edge_node(const bosc_edge_target *target,
                           const bosc_edge *edge, int32_t *node,
                           bosc_error *err);

#endif
