/* mech.h - mechanisms: what describes one, and its instances.
 *
 * A leaf: no MPI, no files.  A mechanism is described by a bosc_mech: job keys,
 * their checks and help, what probes record, memory, costs and all backends
 * follow from the description.  A job knows those of its set
 * (kernels/mech/registry.h).
 *
 * Descriptions, formulas and loops are emitted from mod files
 * (src/nmodl/emit/emit.h).
 */
#ifndef BOSC_KERNELS_MECH_MECH_H
#define BOSC_KERNELS_MECH_MECH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/status.h"

enum {
    BOSC_MAX_MECHS = 64,   /* in one set: a uint64_t has a bit of each */
    BOSC_MECH_CHUNK = 128, /* instances that a loop takes at a time, at most */
    BOSC_MECH_MAX_IONS = 24, /* variables of ions that a mechanism uses */
    BOSC_MECH_MOST = 2048,   /* parameters, constants or states */
    BOSC_MECH_SENT = 8,      /* events that an instance sends at once */
    BOSC_MECH_ISAS = 3       /* instruction sets, as in kernels/base/isa.h */
};

/* One parameter of a mechanism, as job files know it. */
typedef struct bosc_mech_param {
    const char *name, *unit, *meaning;
    double standard, low, high; /* default and allowed range */
} bosc_mech_param;

/* One state of a mechanism, as job files and results know it. */
typedef struct bosc_mech_state {
    const char *name, *unit, *meaning; /* unit "1": a pure number */
    bool injected; /* what an electrode has let into the cell (nA) in the last
                      'current' */
    bool shown;    /* a variable that is kept for probes alone, by 'current' */
    bool sums;     /* of these a current: of instances at one place the sum is
                      recorded */
} bosc_mech_state;

/* A POINTER: a state that is a copy of a number elsewhere. */
typedef struct bosc_mech_pointer {
    int state;   /* of the mechanism */
    bool writes; /* formulas assign to it */
} bosc_mech_pointer;

/* What a POINTER of a block's instances stands for: a number of the batch, or a
 * sum of several, each times its weight. */
typedef struct bosc_pointer {
    double **to;      /* [n], or with 'first' [first[n]]: addresses, which stay
                         while the batch does; NULL: for nothing else, the state
                         keeps what is written */
    ptrdiff_t *first; /* [n + 1] into 'to' and 'weight'; NULL: one each */
    double *weight;   /* [first[n]]; NULL with first */
} bosc_pointer;

/* Numbers of the instances of a block: parameters, or what is made of them. */
typedef struct bosc_mech_values {
    double *all;     /* [count] of every instance, where column is NULL */
    double **column; /* NULL, or [count]: where varies[j] one number for each
                        instance, else BOSC_MECH_CHUNK equal ones */
    bool *varies;    /* [count], with 'column' */
} bosc_mech_values;

/* Instances of one mechanism, at most one at a slot where bosc_mech_is_single()
 * says so.  They are sorted by slot,
 * and those of group g are first[g]..first[g+1]-1. */
typedef struct bosc_mech_block {
    const struct bosc_mech *mech;
    bosc_mech_values p; /* parameters */
    bosc_mech_values k; /* constants of a step, by bosc_block_prepare() */
    ptrdiff_t n;
    ptrdiff_t *first; /* [n_groups + 1] */
    int32_t n_groups;
    const int32_t *like; /* [n_groups] the group of whose instances those of a
                            group are copies, or itself; NULL: none are; the
                            batch's */
    int32_t *at;         /* [n] slot minus the first slot of its group */
    int32_t *cell;    /* [n] of an artificial cell, the first at its slot: how
                         many instances before this one the cell itself is,
                         whose own states a connection shares; NULL: no cells */
    double *scale;    /* [n] uS per S/cm2: area * 1e-2; 1 of a point process, 0
                         of a mirror */
    bool mirror;      /* instances show what single connections give, whose
                         currents others of the kind add */
    double **state;   /* [n_states] -> [n] */
    double **ion;     /* [n_ions] the variable at each slot, in the block of
                         the ion */
    uint32_t id;      /* of the kind of instances, for their streams, */
    uint32_t *stream; /* [n][4] of random numbers (bosc_mech.draws); or where
                         the instance's table is, and behind all of them the
                         n_points points of all tables, each in the
                         room of an instance (reads_table) */
    uint8_t *style;   /* [n] of an ion: bosc_ion_style */
    bool follows;     /* of an ion: it is BOSC_ION_ALWAYS somewhere */
    uint32_t idle;    /* bits of ion[]: currents that nobody needs; of an ion:
                         1 where nobody needs its current */
    double **steady;  /* [n_ions] NULL, or BOSC_MECH_CHUNK times a potential
                         that is the same in all steps and instances */
    bosc_pointer *pointers; /* [n_pointers] */
    ptrdiff_t n_points;     /* in stream */
} bosc_mech_block;

/* Value j of instance i. */
static inline double bosc_mech_value(const bosc_mech_values *values, int j,
                                     ptrdiff_t i)
{
    return values->column == NULL
               ? values->all[j]
               : values->column[j][values->varies[j] ? i : 0];
}

/* The instance that has the own states of instance i. */
static inline ptrdiff_t bosc_mech_owner(const bosc_mech_block *block,
                                        ptrdiff_t i)
{
    return block->cell == NULL ? i : i - block->cell[i];
}

/* The numbers of value j for instance i and those after it, as loops take
 * them. */
static inline const double *bosc_mech_column(const bosc_mech_values *values,
                                             int j, ptrdiff_t i)
{
    return values->column[j] + (values->varies[j] ? i : 0);
}

/* The variables of an ion: states of its own block, in this order. */
typedef enum bosc_ion_variable {
    BOSC_ION_E,       /* reversal potential (mV) */
    BOSC_ION_CURRENT, /* outward, of all mechanisms (mA/cm2) */
    BOSC_ION_INSIDE,  /* concentrations (mM) */
    BOSC_ION_OUTSIDE,
    BOSC_N_ION_VARIABLES
} bosc_ion_variable;

/* When Nernst's equation gives the reversal potential of an ion at a place. */
typedef enum bosc_ion_style {
    BOSC_ION_GIVEN, /* never: it is a parameter */
    BOSC_ION_ONCE,  /* at the start: a mechanism reads concentrations */
    BOSC_ION_ALWAYS /* in each step: a mechanism writes them */
} bosc_ion_style;

typedef struct bosc_mech_ion {
    const char *ion; /* "ca" */
    bosc_ion_variable variable;
    bool reads, writes;
    double valence; /* NAN: not said */
} bosc_mech_ion;

/* What an instance sends: events to itself, after 'delay' (ms), and spikes,
 * now. n counts also those beyond the room.  The event to itself with flag 1
 * that is on its way may be moved to another time (ms). */
typedef struct bosc_mech_sent {
    int n, spikes;
    bool moves;
    double move_to;
    double delay[BOSC_MECH_SENT], flag[BOSC_MECH_SENT];
} bosc_mech_sent;

/* What loops over the instances from..from + n - 1 of a block work on, n at
 * most BOSC_MECH_CHUNK. */
typedef struct bosc_mech_chunk {
    ptrdiff_t from;
    int n;
    double t;                  /* ms */
    const double *v;           /* [n] */
    const double *diam, *area; /* [n], or NULL (geometry) */
    const uint32_t *stream;    /* [n][4], or NULL (draws) */
    double *const *ion;        /* [n_ions] -> [n] */
    double *d, *b; /* [n] of the slots: conductances (uS) and sums of
                      g E (nA), to which 'current' adds; where
                      several instances may be at a slot, it leaves
                      there what each gives, before its scale */
} bosc_mech_chunk;

typedef struct bosc_mech_loops {
    void (*current)(const bosc_mech_block *block, const bosc_mech_chunk *c);
    /* Advance the states by a step at voltage v. */
    void (*advance)(const bosc_mech_block *block, const bosc_mech_chunk *c);
} bosc_mech_loops;

/* One instance by itself. */
typedef struct bosc_mech_instance {
    double p[BOSC_MECH_MOST], k[BOSC_MECH_MOST], s[BOSC_MECH_MOST];
    double ion[BOSC_MECH_MAX_IONS];
    double here[4];         /* v, t, diam, area */
    double celsius;         /* for 'init' */
    const uint32_t *stream; /* [4] which random numbers are its own, or NULL */
    bosc_mech_sent sent;
} bosc_mech_instance;

/* A point process counts in totals: its g is in uS, its g E in nA; others in
 * densities, S/cm2 and mA/cm2. */
typedef enum bosc_mech_kind {
    BOSC_MECH_DENSITY,
    BOSC_MECH_POINT,
    BOSC_MECH_ION /* none by itself: what others share (kernels/mech/ion.h) */
} bosc_mech_kind;

/* The formulas of one instance, whose values they read and write. */
typedef struct bosc_mech_formulas {
    /* The part of g and of sum g E that never changes; it is added to the
     * matrix once.  A mechanism without 'current' has only this, and no
     * blocks. */
    void (*constant)(const double *p, double *g, double *ge);
    /* Constants of a step of dt (ms). */
    void (*prepare)(const double *p, double celsius, double dt, double *k);
    /* States at rest; a plain mechanism has no k[] then. */
    void (*init)(bosc_mech_instance *one);
    /* The part of g and of sum g E that follows the states and the voltage. */
    void (*current)(bosc_mech_instance *one, double *g, double *ge);
    /* States after a step at that voltage. */
    void (*advance)(bosc_mech_instance *one);
    /* An event: of a plain mechanism its weight (uS), else its flag.  It may
     * change the voltage, here[0].  NULL: there are none. */
    void (*receive)(bosc_mech_instance *one, double event);
    /* For a new connection; at the beginning of each step, where it watches
     * something.  NULL: there is nothing to do. */
    void (*connect)(bosc_mech_instance *one);
    void (*watch)(bosc_mech_instance *one);
} bosc_mech_formulas;

/* Bits of bosc_mech.ions. */
typedef struct bosc_mech_ion_bits {
    uint32_t reads;                  /* those that formulas read, */
    uint32_t in_current, in_advance; /* that 'current' and 'advance' read, */
    uint32_t currents;               /* that 'current' writes, */
    uint32_t advances;               /* and those that 'advance' writes */
} bosc_mech_ion_bits;

/* A mechanism.  p[] are parameters, s[] states, k[] constants of a step, in the
 * order of the tables.  States after the first n_own are what NET_RECEIVE keeps
 * of a connection, the weight first.  All is valid as long as the set of
 * mechanisms (registry.h), and never changes. */
typedef struct bosc_mech {
    const char *name;
    const char *symbol; /* what the names of its functions are made of: 'name',
                           or that of a built-in one with what is shown */
    const char *made; /* a checksum of the text of one that is not built in, as
                         digits; NULL: it is */
    const char *text; /* what GPUs compile for jobs that use it, after its first
                         line; NULL: their programs have it */
    bosc_mech_kind kind;

    /* What its formulas need and do. */
    bool plain; /* formulas follow v and its own states alone, and the effects
                   of events add up: those at one slot are one instance */
    bool geometry;   /* it needs diam or area */
    bool sends;      /* events to itself */
    bool draws;      /* random numbers */
    bool artificial; /* a cell without a compartment: connections to it share
                        its own states, and it sends spikes */
    bool moves;      /* an event that it has sent to itself: net_move() */
    bool plays;      /* a cell whose times NEURON's interpreter gives: it is
                        left out, and a job has event sources instead */
    bool flows, evolves; /* 'current', 'advance' do something */
    bool reads_table;    /* it draws numbers of the table that an entry of the
                            job plays: its stream tells where that is */
    bool stimulus;       /* a point process whose current follows t and its
                            parameters alone: it adds to sums of g E, never to
                            conductances, and its one state is what it injects.
                            Stimuli come after all other mechanisms. */

    /* Its tables. */
    int n_params, n_states, n_own, n_constants, n_ions;
    const bosc_mech_param *params; /* [n_params] */
    const bool *global; /* [n_params] one number in a job; NULL: none is */
    const bosc_mech_state *states; /* [n_states] */
    const bosc_mech_ion *ions;     /* [n_ions] */
    int n_pointers;
    const bosc_mech_pointer *pointers; /* [n_pointers] */
    bosc_mech_ion_bits ion_bits;
    double ns; /* of an instance's step on a usual core, for estimates */

    bosc_mech_formulas formula;
    /* 'current' and 'advance' as loops, by bosc_isa(); NULL where this build
     * has no such instruction set, or a mod file was not built for it. */
    const bosc_mech_loops *loops[BOSC_MECH_ISAS];
} bosc_mech;

/* Are there instances of it, with states? */
static inline bool bosc_mech_has_block(const bosc_mech *mech)
{
    return mech->formula.current != NULL || mech->kind == BOSC_MECH_ION;
}

/* Does each connection need an instance of its own?  Else those at one slot are
 * one: their effects add up. */
static inline bool bosc_mech_is_own(const bosc_mech *mech)
{
    return mech->formula.current != NULL && !mech->plain;
}

/* Is at most one instance of it at a slot? */
static inline bool bosc_mech_is_single(const bosc_mech *mech)
{
    return mech->plain || mech->kind == BOSC_MECH_DENSITY;
}

/* Does 'current' leave what is recorded in states? */
static inline bool bosc_mech_shows(const bosc_mech *mech)
{
    for (int j = 0; j < mech->n_states; ++j)
        if (mech->states[j].shown)
            return true;
    return false;
}

/* Does it assign to what a POINTER stands for? */
static inline bool bosc_mech_writes_pointers(const bosc_mech *mech)
{
    for (int k = 0; k < mech->n_pointers; ++k)
        if (mech->pointers[k].writes)
            return true;
    return false;
}

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

/* Add a table of n points, each a time (ms) and a number, at times that
 * increase; it begins at point block->n_points of before.  BOSC_ENOMEM. */
bosc_status bosc_block_add_table(bosc_mech_block *block, ptrdiff_t n,
                                 const double *points, bosc_error *err);

/* Instance i reads the table of n points that begins at point 'first'. */
void bosc_block_play(bosc_mech_block *block, ptrdiff_t i, ptrdiff_t first,
                     ptrdiff_t n);

/* States of a plain mechanism at rest at v (mV). */
void bosc_block_init(bosc_mech_block *block, double v, double celsius);

/* The same of instance i alone. */
void bosc_block_init_one(bosc_mech_block *block, ptrdiff_t i, double v,
                         double celsius);

/* Make the constants of a step.  BOSC_ENOMEM. */
bosc_status bosc_block_prepare(bosc_mech_block *block, double celsius,
                               double dt, bosc_error *err);

/* Are the instances of group g copies? */
static inline bool bosc_block_copies(const bosc_mech_block *block, int32_t g)
{
    return block->like != NULL && block->like[g] != g;
}

/* Numbers of all instances, set but for copies: theirs, too. */
void bosc_block_copy(const bosc_mech_block *block, double *numbers);

void bosc_block_clear(bosc_mech_block *block);

/* Bytes that an instance takes where so many of its parameters vary, at
 * most. */
size_t bosc_block_bytes(const bosc_mech *mech, int n_varying);

#endif
