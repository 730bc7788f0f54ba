/* program.h - a mechanism as entries of lowered code, and where each of its
 * values lives: all that text is generated from.
 *
 * Serial code: no MPI.  The entries are INITIAL, BREAKPOINT without its SOLVEs,
 * its SOLVEs, NET_RECEIVE and the INITIAL in that, for a connection, and what
 * tests its WATCHes.  What an
 * entry reads before it has surely written it, and some entry writes, must be
 * kept between calls: a state, and where the file does not call it one, a
 * hidden state.
 *
 * The current is given by its slope g = di/dv at v and by ge = g v - i, which a
 * solver of the cable equation needs.  Where i is linear in v, ge is computed
 * as -i at v = 0, and has no rounding of g v.
 */
#ifndef BOSC_SRC_NMODL_PASSES_PROGRAM_H
#define BOSC_SRC_NMODL_PASSES_PROGRAM_H

#include "src/nmodl/passes/code.h"

typedef enum bosc_nm_entry_kind {
    BOSC_NM_INIT,
    BOSC_NM_CURRENT,
    BOSC_NM_ADVANCE,
    BOSC_NM_RECEIVE,
    BOSC_NM_CONNECT,
    BOSC_NM_WATCHES,
    BOSC_NM_ENTRIES
} bosc_nm_entry_kind;

typedef struct bosc_nm_entry {
    bosc_nm_list code;
    bosc_nm_set exposed;       /* what it reads first, or leaves as it was */
    bosc_nm_set written, sure; /* on some ways, on all */
    bosc_nm_list
        variables;      /* bosc_nm_symbol: all but constants, as they come */
    bosc_nm_set single; /* assigned once, whatever the conditions */
} bosc_nm_entry;

/* A constant of a step: what depends only on parameters, celsius and dt. */
typedef struct bosc_nm_constant {
    bosc_nm_symbol *symbol;
    bosc_nm_expr *value;
    int slot; /* in k[]; -1: only other constants use it */
} bosc_nm_constant;

/* A part of ADVANCE as a function of its own, for loops over instances: the
 * rounds of Newton's method, or what is done once before, between or after
 * them. */
typedef struct bosc_nm_part {
    bosc_nm_entry entry;
    const bosc_nm_symbol *moved; /* of rounds: not 0 until they are done */
    bosc_nm_set stored;          /* which of those passed on it leaves */
} bosc_nm_part;

/* Which functions there are, with which arguments.  Formulas of plain
 * mechanisms follow v and their own states alone (bosc_mech.plain), those of
 * full ones more. */
typedef enum bosc_nm_form {
    BOSC_NM_STATIC, /* g and g E follow from the parameters alone: a leak, whose
                       part of the matrix never changes */
    BOSC_NM_PLAIN,
    BOSC_NM_FULL
} bosc_nm_form;

typedef struct bosc_nm_program {
    bosc_nm_mechanism *m;
    bosc_nm_form form;
    bosc_nm_list params;    /* bosc_nm_symbol */
    bosc_nm_list states;    /* bosc_nm_symbol: s[], hidden ones last */
    bosc_nm_list ions;      /* bosc_nm_symbol: ion[] */
    bosc_nm_list weights;   /* bosc_nm_symbol: arguments of NET_RECEIVE */
    bosc_nm_list constants; /* bosc_nm_constant, after bosc_nm_hoist(); each is
                               made of those before it */
    int n_slots;            /* of k[] */
    bosc_nm_set prepared;   /* the params that the constants use */
    bosc_nm_entry entry[BOSC_NM_ENTRIES];
    bosc_nm_symbol *g, *ge; /* what CURRENT computes */
    bosc_nm_list before;    /* lowered BEFORE BREAKPOINT: the slope takes what
                               it assigns for numbers, as NEURON's */
    bool has_current;
    const struct bosc_nm_program *leak; /* of the same file: what CURRENT gives
                        is the constant part of this; NULL: it gives g and ge */
    bool sends;  /* INITIAL or NET_RECEIVE sends events or spikes */
    bool moves;  /* NET_RECEIVE moves an event */
    bool sets_v; /* NET_RECEIVE changes the voltage of the compartment */
    bool visits; /* NET_RECEIVE has FOR_NETCONS */
    bool linear; /* in v, so that g and ge do not depend on it */
    bool has_near, near_checks_v;
    bosc_nm_list parts;      /* bosc_nm_part: of an ADVANCE with rounds */
    bosc_nm_list passed;     /* bosc_nm_symbol: what its parts pass on */
    bosc_nm_list near, wide; /* ADVANCE once more, in forms that are faster and
                                hold for most steps (kernels/mech/relax.h) */
} bosc_nm_program;

/* Most of each of params, states and constants of a mechanism, and of ions. */
enum { BOSC_NM_MOST_VALUES = 2048, BOSC_NM_MOST_IONS = 24 };

/* Problems go to those of the mechanism. */
bosc_nm_program *bosc_nm_program_create(bosc_nm_mechanism *m);

/* May an entry send events or spikes? */
bool bosc_nm_may_send(const bosc_nm_program *p, bosc_nm_entry_kind kind);

/* Is the symbol kept in s[]?  One of the params, the ions, the constants?  In
 * variables.c. */
bool bosc_nm_is_state(const bosc_nm_program *p, const bosc_nm_symbol *s);
bool bosc_nm_is_param(const bosc_nm_program *p, const bosc_nm_symbol *s);
bool bosc_nm_is_ion(const bosc_nm_program *p, const bosc_nm_symbol *s);
bool bosc_nm_is_constant(const bosc_nm_program *p, const bosc_nm_symbol *s);

/* How many POINTERs there are, and which of the states each is, in state[],
 * which may be NULL; in variables.c. */
int bosc_nm_pointers(const bosc_nm_program *p, int *state);

/* The symbol that stands for a scalar in code: for an element that is chosen at
 * run time, its array; in variables.c. */
const bosc_nm_symbol *bosc_nm_in_code(const bosc_nm_symbol *s);

/* Let currents of ions flow on that CURRENT does not compute; in keep.c. */
void bosc_nm_keep_currents(bosc_nm_program *p);

/* Is a variable of that name, or any (NULL), to be shown?  In keep.c. */
bool bosc_nm_is_shown(const bosc_nm_mechanism *m, const char *name);

/* Let CURRENT, or ADVANCE where there is none, keep what is to be shown; in
 * keep.c. */
void bosc_nm_show(bosc_nm_program *p);

/* Leave g and ge to a leak; in keep.c. */
void bosc_nm_keep_leak(bosc_nm_program *p, const bosc_nm_program *leak);

/* Do instances of a point process at one place act as one?  In additive.c. */
bool bosc_nm_adds_up(const bosc_nm_program *p);

/* Append to CURRENT what computes g and ge; in slope.c. */
void bosc_nm_add_slope(bosc_nm_program *p);

/* Give each variable one value where that can be; in straighten.c. */
void bosc_nm_straighten(bosc_nm_program *p);

/* Write exponentials as powers of few; in share.c. */
void bosc_nm_share(bosc_nm_program *p);

/* Write formulas with fewer divisions; in rewrite.c. */
void bosc_nm_rewrite(bosc_nm_program *p);

/* Move what depends only on parameters, celsius and dt out of the entries, into
 * the constants; in hoist.c. */
void bosc_nm_hoist(bosc_nm_program *p);

/* Write steps of states as kernels/mech/relax.h wants them; when all else is
 * done, make the near and the wide form, and write a b + c with one rounding.
 */
void bosc_nm_relax(bosc_nm_program *p);
void bosc_nm_make_near(bosc_nm_program *p);

/* Cut an ADVANCE with rounds into parts, where these can be in loops over
 * instances; in variables.c. */
void bosc_nm_cut(bosc_nm_program *p);

/* Remove what no later call and no result needs, and find out again what is
 * exposed and written; in variables.c. */
void bosc_nm_settle(bosc_nm_program *p);

#endif
