/* net.h - the connections of this rank's neurons.
 *
 * Serial code: no MPI.  Who is connected to whom depends only on the job (its
 * seed, the names of projections, the numbers of neurons in their populations),
 * so each rank makes the connections of its own neurons, and no division
 * changes the network.  Connections are made twice, first to count them, then
 * to keep them: 16 bytes each, and nothing is sorted but by delay.
 *
 * Sources have one numbering everywhere: neurons by gid, then the places other
 * than the soma that projections watch, then the sources of the job.
 */
#ifndef BOSC_SRC_NET_H
#define BOSC_SRC_NET_H

#include <stdint.h>

#include "kernels/batch.h"
#include "src/forest.h"
#include "src/inbox.h"
#include "src/params.h"
#include "src/population.h"

/* An edge of a projection's list whose target is on this rank. */
typedef struct bosc_edge {
    int64_t target, row;  /* number in its population; among those kept */
    int64_t source;       /* likewise */
    double weight, delay; /* uS, ms; NAN: as the projection says */
} bosc_edge;

/* What the first column of lists of edges, and of times, may be called. */
#define BOSC_NET_SOURCE "source|pre|from"
#define BOSC_NET_TIME "time|time_ms|t|spike_time"

/* What files say about the network; read and broadcast by net_load.h. */
typedef struct bosc_net_files {
    int64_t *n_edges;   /* [links] projections and couplings */
    bosc_edge **edges;  /* [links] by target, of targets on this rank */
    double **positions; /* [n_populations][3 * neurons] um; NULL: by the box */
} bosc_net_files;

/* Bytes for so many edges of a rank, and positions of all. */
double bosc_net_files_bytes(double n_edges, double n_positions);

/* What is packed: the job, all its neurons, those of this rank, and what files
 * say about the network. */
typedef struct bosc_scene {
    const bosc_job *job;
    const bosc_roster *roster;
    const bosc_forest *forest;
    const bosc_net_files *files; /* NULL: there are none */
} bosc_scene;

/* A place that is watched for spikes besides the soma: neurons of a population,
 * source ids from 'first' on. */
typedef struct bosc_watch {
    int32_t population;
    const bosc_place *at;
    double threshold;
    int64_t first;
} bosc_watch;

typedef struct bosc_net {
    int64_t n_ids;
    int32_t n_watches;
    bosc_watch *watches;       /* [n_watches] */
    int64_t *projection_first; /* [n_projections] id of its source number 0 */
    int64_t *source_first; /* [n_sources + 1] id of each source's number 0 */
    int32_t *block;        /* [n_synapses] block of each kind, -1: none */
    int64_t *made;         /* [n_projections] connections on this rank */
    int32_t *least_delay;  /* [n_projections] steps, of connections here;
                              INT32_MAX: there are none */
    bosc_inbox *inbox;
    size_t synapse_bytes; /* of the blocks of point processes */
    double seconds;       /* to make all of it */
} bosc_net;

/* Number the sources, add the blocks of point processes to a batch that has its
 * layout and its other blocks, and make the connections.  Errors name the job's
 * line.  *net is to be cleared, whatever is returned. */
bosc_status bosc_net_create(const bosc_scene *scene, bosc_batch *batch,
                            bosc_net *net, bosc_error *err);

void bosc_net_clear(bosc_net *net);

/* Where the soma of a neuron of a population is (um). */
void bosc_net_position(const bosc_scene *scene, int32_t population,
                       int64_t number, double xyz[3]);

/* How many sources a link has. */
int64_t bosc_net_n_sources(const bosc_scene *scene,
                           const bosc_projection_spec *spec);

/* A delay (ms) in steps, as NEURON rounds it: an event is received in the first
 * step whose middle is not before it. */
int64_t bosc_net_steps(double delay, double dt);

#endif
