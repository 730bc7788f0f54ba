/* limits.h - what a backend cannot do, and what a method cannot do itself, in
 * tables: the check of a job, the choice of the method, plans, the models of
 * time and memory, the engine and what a run says of itself all look here.
 *
 * A leaf: no MPI, no files.  kernels/methods.h says which methods have limits,
 * and which one computes instead.
 */
#ifndef BOSC_KERNELS_STEP_LIMITS_H
#define BOSC_KERNELS_STEP_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What all neurons need of an engine: as a job is expected to (src/job/job.h),
 * or as a batch does. */
typedef struct bosc_needs {
    bool mods;       /* mechanisms that are not built in */
    bool own_points; /* point processes that are not built in */
    bool own_dense;  /* densities that are not, beyond somata, and no method is
                        named */
    bool artificial; /* cells without compartments */
    bool moves;      /* net_move() */
    bool pointers;   /* POINTER */
    bool verified;   /* neurons are computed again by ref */
    bool couplings, second_order;
    int64_t epoch; /* steps that are asked for at a time; 0: many */
    double crowd;  /* neurons of a multiprocessor; 0: not known */
    int32_t width; /* lanes of a group; 0: what the method likes */
    double slots;  /* of the layout; 0: not known */
} bosc_needs;

/* What a neuron, or a cell block of some, needs; 0: not known, or none. */
typedef struct bosc_neuron_needs {
    bool near;      /* it is to have addresses of 16 bits */
    double numbers; /* of its image */
    double instances;
    double stimuli; /* at one row, */
    double entries; /* rows that get anything before a sweep, */
    double tasks;   /* of 32 runs */
    double values;  /* of e */
} bosc_neuron_needs;

/* A row of the table: of all neurons or of a single one. */
typedef struct bosc_limit {
    const char *what; /* "mod files" */
    const char *why;  /* as a clause */
    bool expected;    /* a job does not tell for sure, its batch does */
    bool (*meets)(const bosc_needs *needs);
    bool (*neuron_meets)(const bosc_neuron_needs *needs);
} bosc_limit;

/* Those of all methods on GPUs. */
extern const bosc_limit bosc_gpu_limits[]; /* ended by a row without 'what' */

/* Those of methods whose lanes have sections, not neurons. */
extern const bosc_limit bosc_section_limits[];

/* Those of cell blocks on a GPU (kernels/gpu/chip/chip_limits.c), in the order
 * in which they are told. */
enum {
    BOSC_LIMIT_POINTS,
    BOSC_LIMIT_COUPLINGS,
    BOSC_LIMIT_SECOND_ORDER,
    BOSC_LIMIT_EPOCH,
    BOSC_LIMIT_DENSE,
    BOSC_LIMIT_WIDTH,
    BOSC_LIMIT_SLOTS,
    BOSC_LIMIT_SIZE,
    BOSC_LIMIT_INSTANCES,
    BOSC_LIMIT_STIMULI,
    BOSC_LIMIT_ENTRIES,
    BOSC_LIMIT_TASKS,
    BOSC_LIMIT_VALUES,
    BOSC_CHIP_LIMITS
};
extern const bosc_limit bosc_chip_limits[]; /* ended by a row without 'what' */

/* The first row that all neurons meet, or a single one does; NULL: there is
 * none, or no table.  sure: leave out what is only expected. */
const bosc_limit *bosc_limit_met(const bosc_limit *limits,
                                 const bosc_needs *needs, bool sure);
const bosc_limit *bosc_limit_met_by(const bosc_limit *limits,
                                    const bosc_neuron_needs *needs);

/* How many of some neurons are streamed although their method keeps neurons on
 * the chip, and the first row of the table that one of these meets; NULL: none
 * is. */
typedef struct bosc_streamed {
    int64_t n, of;
    const bosc_limit *limit;
} bosc_streamed;

/* Add some of the same method. */
static inline void bosc_streamed_add(bosc_streamed *sum,
                                     const bosc_streamed *more)
{
    sum->n += more->n;
    sum->of += more->of;
    if (more->limit != NULL && (sum->limit == NULL || more->limit < sum->limit))
        sum->limit = more->limit;
}

#endif
