/* coupling_build.h - from pairs to matrices.  Internal to coupling*.c.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_NETWORK_COUPLING_BUILD_H
#define BOSC_SRC_NETWORK_COUPLING_BUILD_H

#include "kernels/batch/batch.h"
#include "kernels/batch/link.h"
#include "kernels/spmv/spmv.h"
#include "src/network/network.h"

/* The node of an endpoint that is where the coupling's 'source' says. */
enum { BOSC_AT_SOURCE = -1 };

/* A connection of a coupling, as it travels to the rank of its source. */
typedef struct bosc_pair {
    int64_t source, target; /* gids */
    int32_t coupling, node; /* of the job; compartment of the target */
    int64_t index;          /* among those of the target */
    double conductance;     /* uS */
} bosc_pair;

typedef struct bosc_pairs {
    size_t n, capacity;
    bosc_pair *pair; /* [n] */
} bosc_pairs;

/* A compartment whose voltage drives a current through a coupling. */
typedef struct bosc_endpoint {
    int64_t gid;
    int32_t coupling, node; /* node >= 0, or BOSC_AT_SOURCE */
} bosc_endpoint;

/* By (coupling, gid, node): as qsort and bsearch want it. */
int bosc_endpoint_order(const void *a, const void *b);

/* Sort n endpoints and keep each once; how many these are. */
size_t bosc_endpoints_sort(bosc_endpoint *endpoints, size_t n);

/* One end of a pair: a compartment of this rank and its partner. */
typedef struct bosc_coupling_end {
    bosc_endpoint other; /* the partner */
    ptrdiff_t slot;      /* of the compartment here */
    int64_t index;       /* of the pair */
    double conductance;
} bosc_coupling_end;

/* A coupling on this rank. */
typedef struct bosc_coupling_matrix {
    const bosc_coupling_spec *spec;
    bosc_sparse sparse;      /* while it is made */
    bosc_spmv conductance;   /* [compartments here][partners] */
    ptrdiff_t *slot;         /* [rows] ascending */
    double *sum;             /* [rows] of the conductances */
    bosc_endpoint *endpoint; /* [columns] ascending */
    ptrdiff_t *from;         /* [columns] a slot here; or -1 - where among what
                                arrives from other ranks */
    ptrdiff_t *injection;    /* [rows] index in what is injected */
    double *x, *y;           /* [columns], [rows] */
} bosc_coupling_matrix;

/* The pairs of all targets of this rank, in no order that matters. */
bosc_status bosc_coupling_find_pairs(const bosc_model *model, bosc_pairs *out,
                                     bosc_error *err);

/* The compartment of neuron 'neuron' of this rank that a coupling names on its
 * sources. */
bosc_status bosc_coupling_source_node(const bosc_model *model, int32_t coupling,
                                      int32_t neuron, int32_t *node,
                                      bosc_error *err);

/* The matrix of n ends of one coupling; the order of the ends is changed.
 * 'from' and 'injection' are left to the caller.  *out is to be cleared,
 * whatever is returned. */
bosc_status bosc_coupling_matrix_create(const bosc_coupling_spec *spec,
                                        size_t n, bosc_coupling_end *ends,
                                        bosc_coupling_matrix *out,
                                        bosc_error *err);
void bosc_coupling_matrix_clear(bosc_coupling_matrix *matrix);

/* The same as a step computes it; pointers are into the matrix. */
bosc_drive_link bosc_coupling_matrix_link(const bosc_coupling_matrix *matrix);

/* Compute the injections of a step from the voltages of the slots here and
 * those that have arrived. */
void bosc_coupling_matrix_inject(const bosc_coupling_matrix *matrix,
                                 const double *v, const double *arrived,
                                 int threads, bosc_injection *injection);

#endif
