/* model.h - everything that the parts of a run are built from.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_MODEL_MODEL_H
#define BOSC_SRC_MODEL_MODEL_H

#include <stdint.h>

#include "src/job/job.h"
#include "src/model/gid_table.h"
#include "src/model/local_cells.h"

/* An edge of a link's list whose target is on this rank. */
typedef struct bosc_edge {
    int64_t target, row;  /* number among the targets; among those kept */
    int64_t source;       /* number among the sources */
    double weight, delay; /* uS, ms; NAN: as the link says */
} bosc_edge;

/* A list, and what its file says of each edge besides: numbers, which edge e
 * has from more[e.row * n_more] on, NAN where it says none. */
typedef struct bosc_edge_list {
    int64_t n;
    bosc_edge *edge; /* [n] by target, those of one as in the file */
    int n_more;
    double *more;
    int line, section, x, kind; /* which of them, -1: none.  The line of the
                                   file, or the index in NetCDF; a section
                                   (network/edges/edge_list.h); the position in
                                   it; a kind of synapse */
    int n_params;
    int *param;        /* [n_params] which of them is a parameter */
    const char **name; /* [n_params] its name, a mechanism's */
    bool has_lines;    /* a text */
} bosc_edge_list;

/* What the first column of lists of edges, and of times, may be called. */
#define BOSC_NET_SOURCE "source|pre|from|connection_source|source_node_id"
#define BOSC_NET_TIME "time|time_ms|t|spike_time"

/* What files say about the network; network/network_load.h reads and broadcasts
 * it. */
typedef struct bosc_network_files {
    bosc_edge_list *lists; /* [links] projections and couplings */
    double **positions; /* [n_populations][3 * neurons] um; NULL: by the box */
} bosc_network_files;

/* Bytes for the edges of a rank and the positions of all neurons. */
double bosc_network_files_bytes(double n_edges, double n_positions);

/* The job, all its cells, those of this rank, and what files say about the
 * network: all that the parts of a run are built from.  Nothing is owned. */
typedef struct bosc_model {
    const bosc_job *job;
    const bosc_gid_table *gid_table;
    const bosc_local_cells *cells;
    const bosc_network_files *files; /* NULL: there are none */
} bosc_model;

/* Steps between two times at which results are gathered, at most. */
static inline int64_t bosc_longest_range(int64_t n_steps)
{
    enum { RANGES = 100, FEWEST = 100 }; /* of a run; steps of one */

    return n_steps < RANGES * FEWEST ? FEWEST : n_steps / RANGES;
}

/* Where the soma of a neuron of a population, or of those behind it, is (um):
 * neurons are counted through. */
void bosc_model_position(const bosc_model *model, int32_t population,
                         int64_t number, double xyz[3]);

/* How many sources and targets a link has. */
int64_t bosc_model_n_sources(const bosc_model *model,
                             const bosc_projection_spec *spec);
int64_t bosc_model_n_targets(const bosc_model *model,
                             const bosc_projection_spec *spec);

#endif
