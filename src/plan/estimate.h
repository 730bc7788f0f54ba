/* estimate.h - 'bosc plan': time and memory of a job before it runs.
 *
 * Serial code: no MPI.  The decomposition is that of a run (decompose.h), so
 * every neuron is on the rank that it will have.
 */
#ifndef BOSC_SRC_PLAN_ESTIMATE_H
#define BOSC_SRC_PLAN_ESTIMATE_H

#include "src/base/warning.h"
#include "src/cost/calibration.h"
#include "src/cost/machine.h"
#include "src/distribute/decompose.h"
#include "src/select/choose.h"
#include "src/select/choose_format.h"
#include "src/sim/sim.h"
#include "src/text/options.h"

enum { BOSC_PLAN_SIZES = 64 };

/* What the command line asks for. */
typedef struct bosc_estimate_request {
    const char *path;    /* of the job */
    bosc_texts set;      /* --set */
    int32_t group;       /* of members of a sweep, from 0 */
    const char *machine; /* a file; NULL: this machine's */
    int n_sizes;         /* numbers of ranks, as given, none twice */
    int32_t ranks[BOSC_PLAN_SIZES];
    int32_t ranks_per_node, gpus_per_node; /* 0: not given */
    double node_memory, gpu_memory;        /* bytes; 0: not given */
    int threads;                           /* of a rank; 0: not given */
    bool mix; /* ranks of a node that get no GPU compute on CPUs */
    bool tsv, per_rank;
    bool why;    /* also the methods that were not chosen */
    bool sbatch; /* the header of a batch script instead */
} bosc_estimate_request;

/* What does not depend on the number of ranks. */
typedef struct bosc_estimate {
    const bosc_estimate_request *request;
    bosc_sim sim; /* read, and its neurons listed; no more */
    bosc_template_table template_table;
    bosc_machine *machine;
    bosc_costs costs; /* of the first rank's device: the unit of work */
    bosc_calibration *calibration; /* of an earlier run, or NULL */
    bosc_workload workload;
    double template_compartments; /* of all templates, each once */
    int omp_threads;              /* OMP_NUM_THREADS; 0: not set */
    bosc_choice
        choice; /* of the method, for the first number of ranks; the
                   job's is that of the number that was last estimated */
    bosc_format_choice *formats; /* [couplings] for that first number, too */
    bool measured; /* the costs are of the job's backend and method */
} bosc_estimate;

/* The estimate for one number of ranks. */
typedef struct bosc_estimate_row {
    int32_t ranks, nodes, per_node; /* per_node: ranks of a node */
    int threads;                    /* of a rank */
    double setup, loop;             /* s, of the slowest rank */
    double imbalance;               /* slowest rank's steps over the mean */
    double padding;                 /* slots over compartments */
    double lane_use; /* part of the vectors' lanes that hold a compartment */
    bosc_streamed streamed;
    double most_bytes, node_bytes, device_bytes, all_bytes;
    int64_t most_neurons, least_neurons;
    bosc_choice choice;    /* of the method, for these ranks */
    bosc_rank_load *loads; /* [ranks] */
    double *rank_setup;    /* [ranks] s */
    double *rank_loop;     /* [ranks] s */
} bosc_estimate_row;

/* "1,2,4,...,4096": three dots continue the sequence of the two numbers before
 * them, by their factor or else by their difference. */
bosc_status bosc_estimate_parse_ranks(const char *text,
                                      bosc_estimate_request *request,
                                      bosc_error *err);

/* Read the job, the sizes of its templates, and the machine.  To be cleared,
 * whatever is returned. */
bosc_status bosc_estimate_create(const bosc_estimate_request *request,
                                 bosc_estimate *est, bosc_error *err);
void bosc_estimate_clear(bosc_estimate *est);

/* Choose the method for this number of ranks, which changes the costs, and
 * divide the neurons.
 * BOSC_ENOMEM, with the numbers, where the job cannot fit.  To be cleared,
 * whatever is returned. */
bosc_status bosc_estimate_ranks(bosc_estimate *est, int32_t ranks,
                                bosc_estimate_row *row, bosc_error *err);
void bosc_estimate_row_clear(bosc_estimate_row *row);

/* Threads of a rank, where the job or the command line says how many; 0: a
 * rank's part of its node's.  As of a run: the command line, the job, the
 * environment. */
int bosc_estimate_threads(const bosc_estimate *est);

/* Bytes of rank r. */
double bosc_estimate_rank_bytes(const bosc_estimate *est,
                                const bosc_estimate_row *row, int32_t r);

/* Print the estimate for each number of ranks on standard output.  Numbers of
 * ranks that do not fit are named on standard error; BOSC_ENOMEM where none
 * does. */
bosc_status bosc_estimate_print(const bosc_estimate_request *request,
                                bosc_error *err);

#endif
