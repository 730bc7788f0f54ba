/* locate.h - which cells a selection means, and which compartments of a cell a
 * location means.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_MODEL_LOCATE_H
#define BOSC_SRC_MODEL_LOCATE_H

#include "src/model/model.h"

/* Nodes of a neuron, ascending. */
typedef struct bosc_nodes {
    int32_t n, first;
    const int32_t *list; /* [n]; NULL: first, first + 1, ... */
} bosc_nodes;

static inline int32_t bosc_nodes_at(const bosc_nodes *nodes, int32_t k)
{
    return nodes->list != NULL ? nodes->list[k] : nodes->first + k;
}

/* Is neuron i of this rank selected? */
bool bosc_locate_selects(const bosc_model *model,
                         const bosc_selection *selection, int32_t i);

/* The nodes of neuron i that are meant, by a place that is no predicate. */
bosc_status bosc_locate_nodes(const bosc_model *model, const bosc_location *at,
                              int32_t i, bosc_nodes *nodes, bosc_error *err);

/* The first of them, by any place, -1: the neuron has none there. */
bosc_status bosc_locate_first(const bosc_model *model, const bosc_location *at,
                              int32_t i, int32_t *node, bosc_error *err);

/* The same of all neurons of this rank that are selected, by any place: those
 * before 'first' and from 'end' on are not. */
typedef struct bosc_located {
    int32_t first, end;
    bosc_nodes *nodes; /* [end - first] none where a neuron is not selected */
    int64_t total;     /* nodes in all */
    int32_t **lists;   /* [end - first] of predicates, by neurons of a template
                          and population shared; NULL: there are none */
} bosc_located;

/* By all threads; to be cleared after BOSC_OK. */
bosc_status bosc_locate_all(const bosc_model *model,
                            const bosc_selection *selection,
                            const bosc_location *at, bosc_located *out,
                            bosc_error *err);

/* The nodes of neuron i. */
static inline bosc_nodes bosc_located_at(const bosc_located *located, int32_t i)
{
    return i >= located->first && i < located->end
               ? located->nodes[i - located->first]
               : (bosc_nodes){0};
}

void bosc_located_clear(bosc_located *located);

/* Name a compartment, "dend[12](0.5)", and a neuron, "neuron 17 (population
 * cells, member g=0.1)", or "neuron 17 (population cells)" without a sweep. */
enum { BOSC_PLACE = 48 };
bosc_status bosc_locate_name(const bosc_local_cells *cells, int32_t i,
                             int32_t node, char name[BOSC_PLACE],
                             bosc_error *err);
void bosc_locate_neuron(const bosc_model *model, int32_t i, char *name,
                        size_t size);

#endif
