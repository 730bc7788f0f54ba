/* workload.h - what neurons cost: seconds of a step and of the set-up, bytes.
 *
 * Serial code: no MPI.  A neuron has some units of each kind of work; the time
 * of a unit on a device is measured (machine.h), or fitted to an earlier run
 * (cost_fit.h).  Work is additive: that of a rank is the sum of its neurons'.
 */
#ifndef BOSC_SRC_COST_WORKLOAD_H
#define BOSC_SRC_COST_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/mem.h"
#include "src/cost/costs.h"
#include "src/model/template_table.h"
#include "src/network/expected.h"
#include "src/select/device.h"
#include "src/select/features.h"

/* So many times the time of another ion takes one whose potential follows its
 * concentrations. */
#define BOSC_ION_FOLLOWS 6.0

/* What neurons are taken to fire with where nobody knows (1/s). */
#define BOSC_USUAL_RATE 10.0

/* Synapses of a kind at random places of some regions of each neuron. */
typedef struct bosc_scattered {
    int m;    /* mechanism */
    double n; /* of a neuron */
    bool own; /* each is an instance of its own; else those in one compartment
                 are one */
    bosc_region_list among;
} bosc_scattered;

/* What each neuron of one population has besides its compartments, on average.
 */
typedef struct bosc_population_workload {
    double connections;              /* onto it */
    double synapses[BOSC_MAX_MECHS]; /* instances in one place */
    int n_scattered;
    bosc_scattered *scattered;   /* [n_scattered] */
    bool active[BOSC_N_REGIONS]; /* some mechanism there has currents that
                                    follow its states */
    double events, samples;      /* of a step */
    double everywhere;           /* samples of a step and compartment */
    double columns, entries; /* places that are recorded, terms of readings */
    double columns_everywhere, entries_everywhere; /* of each compartment */
    double weights; /* of the terms of electrodes, of each compartment */
    bool unknown;   /* it has more, which a file lists */
} bosc_population_workload;

/* Bytes that a rank holds for one of each: sums of what the modules say that
 * allocate them, made by a bosc_memory_model. */
typedef struct bosc_memory {
    double rank;     /* of every rank, with what it holds of all neurons */
    double per_rank; /* for each of the job's ranks */
    double dividing; /* while neurons are divided, and not later */
    double root;     /* of rank 0 besides, for results */
    double neuron, section, connection, event, column, entry;
    double value;    /* recorded in a step */
    double slot;     /* of the layout */
    double building; /* of a slot, while the batch is built */
    double parent;   /* compartment of a template that is not kept */
    double range;    /* steps between two times at which results are gathered,
                        at most; 0: nobody has said */
} bosc_memory;

/* Of a GPU that neurons are for; 0 without. */
typedef struct bosc_device_share {
    double slot;  /* bytes of mechanisms at each slot that is streamed */
    double steps; /* for which values have room */
    bosc_chip chip;
} bosc_device_share;

/* What a job asks of its neurons; made once. */
typedef struct bosc_workload {
    const bosc_template_table *template_table;
    int32_t lanes; /* of the vectors */
    int threads;   /* of a rank, */
    int32_t ranks; /* and these: 1 until the caller knows better */
    int64_t epoch; /* steps, about */
    bosc_needs needs;
    bosc_population_workload *per_population; /* [n_populations] */
    bosc_expected *links;                     /* [links of the job] */
    double instance_bytes[BOSC_MAX_MECHS];    /* [mechanisms] */
    int varying[BOSC_MAX_MECHS];   /* [mechanisms] parameters that differ */
    bool follows[BOSC_MAX_MECHS];  /* [mechanisms] an ion whose concentrations
                                      a mechanism writes */
    bool is_there[BOSC_MAX_MECHS]; /* [mechanisms] some neuron has an instance
                                    */
    double *places;        /* [links] compartments that a target's random place
                              may be, 1: it is no random place */
    int *first_of_source;  /* [sources + 1] in of_source */
    int *of_source;        /* projections from sources, by these */
    double sources;        /* of events, besides neurons */
    double frame;          /* values recorded of a step, by all neurons */
    double columns;        /* places that are recorded, of all neurons */
    double *probe_columns; /* [n_probes] of each probe */
    int32_t largest;       /* compartments of a template that is read */
    double equal; /* neurons whose template a whole vector of others has */
    bosc_memory memory;
    bosc_device_share device;
} bosc_workload;

/* Add up the bytes for a workload (src/sim/sim_memory.c, src/plan/memory.c). */
typedef void bosc_memory_model(const bosc_workload *workload,
                               bosc_memory *memory);

/* 'rate' (1/s) is what neurons are taken to fire with; without a model of the
 * memory all bytes are 0.  The template table must outlive the workload, which
 * is to be cleared whatever is returned. */
bosc_status bosc_workload_create(const bosc_template_table *template_table,
                                 int32_t lanes, double rate,
                                 bosc_memory_model *memory,
                                 bosc_workload *workload, bosc_error *err);
void bosc_workload_clear(bosc_workload *workload);

/* The work of one step of a neuron of that population, where 'uses' neurons of
 * its rank have its template.  Slots are its compartments. */
bosc_work bosc_workload_work(const bosc_workload *workload, int32_t population,
                             const bosc_template_size *size, double uses);

/* Instances of a mechanism with states on such a neuron. */
double bosc_workload_instances(const bosc_workload *workload,
                               int32_t population,
                               const bosc_template_size *size, int m);

/* Compartments of such a neuron that are ends of branches without membrane,
 * about. */
double bosc_workload_tips(const bosc_template_size *size);

/* Rows of a neuron's matrix, about, that change in a step. */
typedef struct bosc_changing_rows {
    double all;
    double ways;    /* of them, those for synapses at random places alone */
    double joining; /* rows in which several branches end */
} bosc_changing_rows;

/* Those that do in any of 'together' such neurons. */
bosc_changing_rows bosc_workload_changing(const bosc_workload *workload,
                                          int32_t population,
                                          const bosc_template_size *size,
                                          double together);

/* The matrices of the couplings of the job on one of 'ranks' equal ranks, as
 * they are expected: matrix[n_couplings].  BOSC_ENOMEM. */
bosc_status bosc_workload_matrices(const bosc_workload *workload, int32_t ranks,
                                   bosc_spmv_size *matrix, bosc_error *err);

/* The work of a step of all neurons of the job, as they are on 'ranks' equal
 * ranks. */
bosc_step_work bosc_workload_all(const bosc_workload *workload, int32_t ranks);

/* What the neurons of one of 'ranks' ranks are like, where all are alike: of
 * many neurons those of a sample.  'lanes' are those of the vectors, or warps,
 * of the job's backend.  BOSC_ENOMEM. */
bosc_status bosc_workload_features(const bosc_workload *workload, int32_t ranks,
                                   int threads, int32_t lanes,
                                   bosc_features *out, bosc_error *err);

/* Bytes that a neuron takes on its rank, of them *late after the batch is
 * built; while it is recorded; those that the first of its template takes
 * besides; and those that every rank takes. */
double bosc_workload_bytes(const bosc_workload *workload, int32_t population,
                           const bosc_template_size *size, double *late);
double bosc_workload_record_bytes(const bosc_workload *workload,
                                  int32_t population,
                                  const bosc_template_size *size);
double bosc_workload_shape_bytes(const bosc_workload *workload,
                                 const bosc_template_size *size,
                                 bool synthetic);
double bosc_workload_rank_bytes(const bosc_workload *workload);

/* The limit that a neuron is expected to meet, of a method's or NULL, and so to
 * be streamed; NULL: none. */
const bosc_limit *bosc_workload_limit(const bosc_workload *workload,
                                      const bosc_limit *limits,
                                      int32_t population,
                                      const bosc_template_size *size);

/* Bytes of a GPU that a neuron takes, where 'uses' neurons of its rank have its
 * template; 0: the job's backend needs no GPU. */
double bosc_workload_device_bytes(const bosc_workload *workload,
                                  int32_t population,
                                  const bosc_template_size *size, double uses);

/* Bytes of a GPU that couplings take where a rank has here[p] neurons of each
 * population; 0: the job's backend needs no GPU. */
double bosc_workload_coupled_bytes(const bosc_workload *workload,
                                   const double *here);

/* ns of one thread, or of a GPU, for the products of couplings in a step, where
 * a rank has here[p] neurons of each population. */
double bosc_workload_product_ns(const bosc_workload *workload,
                                const double *here);

/* Fill workload->device; by bosc_workload_create(). */
void bosc_workload_add_device(bosc_workload *workload);

/* Of so many slots of padding. */
double bosc_workload_padding_bytes(const bosc_workload *workload, double slots);

/* Bytes of the network of a rank that has here[p] neurons of each population,
 * besides the connections onto each of them. */
bosc_bytes bosc_workload_network(const bosc_workload *workload,
                                 const double *here);

/* The part of a neuron of each population, each[n_populations], where ranks are
 * alike, and that of any neuron in what couplings take of a GPU.  BOSC_ENOMEM.
 */
bosc_status bosc_workload_network_each(const bosc_workload *workload,
                                       double *each, double *coupled,
                                       bosc_error *err);

/* The neurons of one rank. */
typedef struct bosc_rank_load {
    int64_t neurons, compartments;
    int64_t slots;      /* compartments and padding */
    int64_t rows;       /* of vectors that each thread steps through */
    double connections; /* about */
    double made;        /* compartments of synthetic neurons */
    double read;        /* of templates, its part of all; set by the caller */
    double bytes;       /* that stay, besides those of a process */
    double late;        /* of them, what is not there yet while the batch is
                           built */
    double building;    /* and while it is built, */
    double making;      /* or while its network is made, */
    double recording;   /* or later, of what is recorded */
    double all;         /* bytes of the rank, as bosc_rank_load_bytes() */
    double device;      /* bytes of its GPU; 0: the backend needs none */
    bosc_streamed streamed;  /* of a method that keeps neurons on the chip */
    double span;             /* work of the busiest thread over that of all */
    bosc_work work;          /* of a step, of all neurons */
    bosc_step_work in_place; /* of neurons that no limit makes be streamed, */
    bosc_step_work moved;    /* and of the others; both without products */
} bosc_rank_load;

/* The load of the neurons gid[n] (ascending), laid out and given to
 * workload->threads as they will be.
 * BOSC_ENOMEM, BOSC_EVALUE as bosc_layout_create(). */
bosc_status bosc_rank_load_of(const bosc_workload *workload,
                              const bosc_costs *costs, int64_t n,
                              const int64_t *gid, bosc_rank_load *load,
                              bosc_error *err);

/* All bytes of a rank besides those of a process, at its peak. */
double bosc_rank_load_bytes(const bosc_workload *workload,
                            const bosc_rank_load *load, bool root);

/* Seconds of a rank's steps, with the threads of the load where 'busy' are on
 * its node. */
double bosc_rank_load_seconds(const bosc_rank_load *load,
                              const bosc_costs *costs, int threads, int busy);

/* Of the parts of its set-up. */
void bosc_rank_load_setup(const bosc_rank_load *load, const bosc_costs *costs,
                          int threads, int busy, double setup[BOSC_N_SETUPS]);

#endif
