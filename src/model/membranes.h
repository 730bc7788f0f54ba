/* membranes.h - which membrane each compartment of a rank's neurons has, and
 * the numbers there that vary.
 *
 * Serial code: no MPI.  Compartments of one type of sections in a population
 * without regions of the user's own have one membrane, which the job lists.
 * Other sets of regions are found on the neurons.
 */
#ifndef BOSC_SRC_MODEL_MEMBRANES_H
#define BOSC_SRC_MODEL_MEMBRANES_H

#include "src/model/cut_template.h"
#include "src/model/model.h"

/* A number of regions that varies somewhere. */
typedef struct bosc_varying_key {
    int mech, param; /* BOSC_OF_CABLE: a bosc_cable_key */
    bool by_neuron;  /* somewhere between neurons of one shape */
} bosc_varying_key;

/* What neurons of one template and population share; nothing where their
 * membranes are those of the types, and all numbers are fixed. */
typedef struct bosc_shape {
    int32_t template_index, population;
    int32_t *membrane; /* [cable->n] index in 'all'; of each node, those
                          without area too */
    double *distance;  /* [cable->n] um from the soma */
    double farthest;   /* um */
    bool by_neuron;    /* some number differs between its neurons */
    double **value;    /* [n_keys] NULL, or [cable->n]: what does not differ
                          between neurons */
} bosc_shape;

typedef struct bosc_membranes {
    const bosc_model *model;
    int32_t n, n_shapes;
    const bosc_membrane **all; /* [n] those of the job's populations first */
    int32_t n_listed;          /* of these */
    int32_t *first;     /* [n_populations] of each population's in 'all' */
    bosc_shape *shapes; /* [n_shapes] */
    int32_t *shape;     /* [cells->n] of each neuron; -1: none */
    int n_keys;
    bosc_varying_key *keys; /* [n_keys] by mechanism and parameter */
    size_t room;
} bosc_membranes;

/* Find them.  Templates of populations that have shapes are kept
 * (local_cells.h).  To be cleared whatever is returned.  BOSC_EVALUE where a
 * place is not there, a number is out of range, or mechanisms do not go
 * together; BOSC_ENOMEM. */
bosc_status bosc_membranes_create(const bosc_model *model,
                                  bosc_membranes *membranes, bosc_error *err);
void bosc_membranes_clear(bosc_membranes *membranes);

/* The index of the membrane of node i of a neuron of this rank. */
static inline int32_t bosc_membranes_of(const bosc_membranes *m, int32_t neuron,
                                        const bosc_cable *cable, int32_t i)
{
    return m->shape[neuron] >= 0
               ? m->shapes[m->shape[neuron]].membrane[i]
               : m->first[m->model->cells->population[neuron]] +
                     cable->sections[cable->section[i]].region;
}

/* Where node i of a neuron is that has a shape, for a number that varies. */
bosc_place bosc_membranes_place(const bosc_membranes *m, int32_t neuron,
                                const bosc_cable *cable, int32_t i);

/* The number of key k at node i of a neuron whose membrane there has it. */
bosc_status bosc_membranes_number(const bosc_membranes *m, int32_t neuron,
                                  const bosc_cable *cable, int32_t i, int k,
                                  double *number, bosc_error *err);

/* The axial resistivity of this neuron over that of its template at node i. */
bosc_status bosc_membranes_Ra(const bosc_membranes *m, int32_t neuron,
                              const bosc_cable *cable, int32_t i, double *ratio,
                              bosc_error *err);

/* That itself. */
bosc_status bosc_membranes_Ra_at(const bosc_membranes *m, int32_t neuron,
                                 const bosc_cable *cable, int32_t i, double *Ra,
                                 bosc_error *err);

#endif
