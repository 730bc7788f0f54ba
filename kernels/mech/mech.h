/* mech.h - mechanisms: what describes one, and the registry of all.
 *
 * A leaf: no MPI, no files.  A mechanism is described by a bosc_mech and known
 * from its registration on: job keys, their checks and help, what probes
 * record, memory, costs and both backends follow from the description.  The
 * built-in ones (kernels/mech/builtin.h) are registered before main() begins;
 * others are registered before a job is read, by one thread.  The order of
 * registration is that of the sums of conductances and currents.
 *
 * kernels/mech/describe.h makes a description and its loops from inline
 * formulas.
 */
#ifndef BOSC_KERNELS_MECH_MECH_H
#define BOSC_KERNELS_MECH_MECH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/status.h"

enum {
    BOSC_MAX_MECHS = 64,  /* in one program */
    BOSC_MECH_CHUNK = 64, /* instances that a loop takes at a time, at most */
    BOSC_MECH_ISAS = 3    /* instruction sets, as in kernels/base/isa.h */
};

/* One parameter of a mechanism, as job files know it. */
typedef struct bosc_mech_param {
    const char *name, *unit, *meaning;
    double standard, low, high; /* default and allowed range */
} bosc_mech_param;

/* One state of a mechanism, as job files and results know it. */
typedef struct bosc_mech_state {
    const char *name, *unit, *meaning; /* unit "1": a pure number */
} bosc_mech_state;

/* Numbers of the instances of a block: parameters, or what is made of them. */
typedef struct bosc_mech_values {
    double *all;     /* [count] of every instance, where column is NULL */
    double **column; /* NULL, or [count]: where varies[j] one number for each
                        instance, else BOSC_MECH_CHUNK equal ones */
    bool *varies;    /* [count], with 'column' */
} bosc_mech_values;

/* Instances of one mechanism, at most one at a slot.  They are sorted by slot,
 * and those of group g are first[g]..first[g+1]-1. */
typedef struct bosc_mech_block {
    const struct bosc_mech *mech;
    bosc_mech_values p; /* parameters */
    bosc_mech_values k; /* constants of a step, by bosc_block_prepare() */
    ptrdiff_t n;
    ptrdiff_t *first; /* [n_groups + 1] */
    int32_t *at;      /* [n] slot minus the first slot of its group */
    double *scale;    /* [n] uS per S/cm2: area * 1e-2; 1 of a point process */
    double **state;   /* [n_states] -> [n] */
    double calm_low, calm_high; /* of all instances (bosc_mech.calm) */
} bosc_mech_block;

/* Value j of instance i. */
static inline double bosc_mech_value(const bosc_mech_values *values, int j,
                                     ptrdiff_t i)
{
    return values->column == NULL
               ? values->all[j]
               : values->column[j][values->varies[j] ? i : 0];
}

/* The numbers of value j for instance i and those after it, as loops take
 * them. */
static inline const double *bosc_mech_column(const bosc_mech_values *values,
                                             int j, ptrdiff_t i)
{
    return values->column[j] + (values->varies[j] ? i : 0);
}

/* Loops over the instances 'from' to from + n - 1 of a block, n at most
 * BOSC_MECH_CHUNK; v, d and b are [n], those of the instances' slots. */
typedef struct bosc_mech_loops {
    /* Add the conductances to d (uS) and the sums of g E to b (nA). */
    void (*current)(const bosc_mech_block *block, ptrdiff_t from, int n,
                    const double *v, double *d, double *b);
    /* Advance the states by a step at voltage v. */
    void (*advance)(const bosc_mech_block *block, ptrdiff_t from, int n,
                    const double *v);
} bosc_mech_loops;

/* A point process counts in totals: its g is in uS, its g E in nA; others in
 * densities, S/cm2 and mA/cm2. */
typedef enum bosc_mech_kind {
    BOSC_MECH_DENSITY,
    BOSC_MECH_POINT
} bosc_mech_kind;

/* A mechanism.  p[] are parameters, s[] states, k[] constants of a step, in the
 * order of the tables. */
typedef struct bosc_mech {
    const char *name;
    bosc_mech_kind kind;
    int n_params, n_states, n_constants;
    const bosc_mech_param *params; /* [n_params] */
    const bosc_mech_state *states; /* [n_states] */
    double ns; /* of an instance's step on a usual core, for estimates */

    /* Refuse parameters that do not go together: err says why, *param which of
     * them is to be changed.  NULL: all do. */
    bosc_status (*check)(const double *p, int *param, bosc_error *err);

    /* The part of g and of sum g E that never changes; it is added to the
     * matrix once.  A mechanism whose 'current' is NULL has only this, and no
     * blocks. */
    void (*constant)(const double *p, double *g, double *ge);

    /* The part that follows the states and the voltage v (mV). */
    void (*current)(const double *p, const double *s, double v, double *g,
                    double *ge);
    /* States at rest at v. */
    void (*init)(const double *p, double v, double celsius, double *s);
    /* Constants of a step of dt (ms). */
    void (*prepare)(const double *p, double celsius, double dt, double *k);
    /* States after a step at voltage v. */
    void (*advance)(const double *p, const double *k, double v, double *s);
    /* The voltages, low to high, where a faster formula gives the bits of
     * 'advance', for the loops that have it; low > high: nowhere.  NULL: there
     * is none. */
    void (*calm)(const double *k, double *low, double *high);
    /* Let instance i receive an event of that weight (uS).  NULL: it receives
     * none. */
    void (*receive)(const bosc_mech_block *block, ptrdiff_t i, double weight);

    /* 'current' and 'advance' as loops, by bosc_isa(); NULL where this build
     * has no such instruction set. */
    const bosc_mech_loops *loops[BOSC_MECH_ISAS];
} bosc_mech;

/* Add a mechanism, which must live as long as the program.  BOSC_EVALUE with
 * the reason: its name is taken, its description is not complete, or there are
 * BOSC_MAX_MECHS. */
bosc_status bosc_mech_register(const bosc_mech *mech, bosc_error *err);

int bosc_n_mechs(void);

/* Mechanism m, 0 <= m < bosc_n_mechs(). */
const bosc_mech *bosc_mech_at(int m);

/* The number of the mechanism of that name, or -1. */
int bosc_mech_find(const char *name);

/* The number of its parameter of that name, or -1. */
int bosc_mech_param_find(const bosc_mech *mech, const char *name);

/* --- blocks ----------------------------------------------------------------
 *
 * Order of calls: create; count the instances of each group into 'first';
 * alloc; fill 'at' and 'scale'; vary what is not the same everywhere and fill
 * its columns; init.  Backends prepare.  The caller clears a block whatever is
 * returned. */

/* A block without instances.  p [n_params] is of all of them; first
 * [n_groups + 1] is zero.  BOSC_ENOMEM. */
bosc_status bosc_block_create(const bosc_mech *mech, const double *p,
                              int32_t n_groups, bosc_mech_block *block,
                              bosc_error *err);

/* Room for n instances.  BOSC_ENOMEM. */
bosc_status bosc_block_alloc(bosc_mech_block *block, ptrdiff_t n,
                             bosc_error *err);

/* Parameter j gets a number for each instance, p.column[j][i], which begins as
 * that of all.  BOSC_ENOMEM. */
bosc_status bosc_block_vary(bosc_mech_block *block, int j, bosc_error *err);

/* States at rest at v.  BOSC_ENOMEM. */
bosc_status bosc_block_init(bosc_mech_block *block, double v, double celsius,
                            bosc_error *err);

/* Make the constants of a step.  BOSC_ENOMEM. */
bosc_status bosc_block_prepare(bosc_mech_block *block, double celsius,
                               double dt, bosc_error *err);

void bosc_block_clear(bosc_mech_block *block);

/* Bytes that an instance takes where so many of its parameters vary, at
 * most. */
size_t bosc_block_bytes(const bosc_mech *mech, int n_varying);

#endif
