/* costs.h - kinds of work, and how long a device takes for a unit of each.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_COST_COSTS_H
#define BOSC_SRC_COST_COSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/mech/registry.h"

/* Kinds of work of a time step, and after them one for each mechanism: its
 * instances. */
typedef enum bosc_work_kind {
    BOSC_WORK_NEURON,    /* neurons */
    BOSC_WORK_EQUAL,     /* slots in vectors of equal trees */
    BOSC_WORK_DIFFERENT, /* slots in vectors of different trees */
    BOSC_WORK_ALONE,     /* compartments of neurons that share no vector */
    BOSC_WORK_SECTION,   /* sections in vectors of different trees, or alone */
    BOSC_WORK_LEVEL,     /* levels of them */
    BOSC_WORK_WAIT,      /* rows of a vector with no other solved beside it */
    BOSC_WORK_VISIT,     /* mechanisms with states in a vector's neurons */
    BOSC_WORK_FETCH,     /* slots brought into the cache: once an epoch */
    BOSC_WORK_EVENT,     /* events received */
    BOSC_WORK_SAMPLE,    /* values recorded */
    BOSC_WORK_WAY,       /* rows between synapses and the soma: on a GPU */
    BOSC_WORK_SECOND,    /* compartments of second order: on a GPU */
    BOSC_WORK_PRODUCT, /* ns of the products of couplings, by select/rules.c */
    BOSC_WORK_MECH,
    BOSC_MAX_WORKS = BOSC_WORK_MECH + BOSC_MAX_MECHS
} bosc_work_kind;

/* How many kinds there are with these mechanisms. */
int bosc_n_works(const bosc_mechs *mechs);

/* "neuron", "equal", ..., "hh"; NULL: a mechanism without a step. */
const char *bosc_work_name(const bosc_mechs *mechs, int kind);
const char *bosc_work_meaning(int kind);

/* A row of a neuron alone waits for so much of what one of a vector waits. */
#define BOSC_LONE_WAITS 0.5

/* Units of a step, on average over the run. */
typedef struct bosc_work {
    double of[BOSC_MAX_WORKS];
} bosc_work;

/* Of some neurons together, and of each kind the most that one has. */
typedef struct bosc_step_work {
    bosc_work all, longest;
} bosc_step_work;

/* Kinds of work of the set-up. */
typedef enum bosc_setup_kind {
    BOSC_SETUP_READ,    /* compartments of templates read from files and cut */
    BOSC_SETUP_MAKE,    /* compartments of synthetic neurons made and cut */
    BOSC_SETUP_PACK,    /* compartments packed */
    BOSC_SETUP_CONNECT, /* connections made */
    BOSC_N_SETUPS
} bosc_setup_kind;

typedef struct bosc_cost_name {
    const char *name, *meaning;
} bosc_cost_name;

extern const bosc_cost_name bosc_setups[BOSC_N_SETUPS];

/* ns of a step.  A GPU works on all neurons at once, so a step takes no less
 * than the one with the most work waits, whose rows follow one another:
 *     sqrt((start + sum of latency * longest)^2 + (sum of step * all)^2)
 * with 'longest' the units of that neuron.  One thread of a CPU does all of it:
 * the sum of step * all.  The formula is 7 % off (root mean square) for 35 jobs
 * of 64 to 131,072 neurons streamed on one H100, 12 % for 30 on its chip. */
typedef struct bosc_rates {
    double start;                   /* before any work; 0 on a CPU */
    double step[BOSC_MAX_WORKS];    /* of one thread, or the GPU, for a unit */
    double latency[BOSC_MAX_WORKS]; /* of a neuron for a unit; 0 on a CPU */
} bosc_rates;

/* What a device takes.  Where it is a GPU, threads are those of its host, which
 * make the set-up faster, but not the steps. */
typedef struct bosc_costs {
    bool on_gpu;
    int32_t lanes;   /* of its vectors */
    int32_t threads; /* that 'speedup' was measured with */
    double speedup;  /* of 'threads' threads over one */
    int32_t n_works; /* bosc_n_works() of the mechanisms */
    bosc_rates rates;
    bosc_rates streamed;         /* of neurons that a method which keeps them on
                                    the chip has to stream; else as rates */
    double setup[BOSC_N_SETUPS]; /* ns of one thread for a unit */
    double base;                 /* bytes of a process without neurons */
} bosc_costs;

/* Bytes of the host that the driver and its context take in a process that uses
 * a GPU (one H100, one H200), and that all of such a process takes where it is
 * not known what MPI does. */
#define BOSC_GPU_DRIVER 105e6
#define BOSC_GPU_BASE 195e6

/* What was measured on some ordinary machine, for one that was not. */
bosc_costs bosc_costs_standard(const bosc_mechs *mechs);

/* What was measured on one H100, of a method that keeps neurons on the chip or
 * one that streams all. */
bosc_costs bosc_costs_of_gpu(const bosc_mechs *mechs, bool on_chip);

/* How much faster than one thread 'threads' of them are while 'busy' in all are
 * on their node. */
double bosc_costs_speedup(const bosc_costs *costs, int threads, int busy);

/* The sum over kinds of units and rates[BOSC_MAX_WORKS]. */
double bosc_work_ns(const bosc_work *work, const double *rates);

/* ns of a step on a GPU, as at bosc_rates; 0: there is no work. */
double bosc_step_ns(const bosc_step_work *work, const bosc_rates *rates);

/* How long the neuron with these units waits, ns: the first part of that. */
double bosc_chain_ns(const bosc_work *longest, const bosc_rates *rates);

/* Add a neuron, its units 'times' times; or what has been added up before. */
void bosc_step_work_add_neuron(const bosc_work *neuron, double times,
                               bosc_step_work *sum);
void bosc_step_work_add(const bosc_step_work *more, bosc_step_work *sum);

/* How long a rank takes for a step: ns before any work, and for some work. */
typedef struct bosc_pace {
    double start, all; /* all > 0 */
} bosc_pace;

/* For that work, with 'threads' threads where 'busy' are on the node. */
bosc_pace bosc_costs_pace(const bosc_costs *costs, const bosc_step_work *work,
                          int threads, int busy);

/* How often each of n ranks gets that work, n times in all, so that all of them
 * end a step at the same time; 0 where the others have done it all before a
 * rank starts. */
void bosc_pace_parts(int32_t n, const bosc_pace *pace, double *part);

#endif
