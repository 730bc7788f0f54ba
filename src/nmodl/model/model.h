/* model.h - a mechanism: what a mod file declares, checked, with every name of
 * what is used bound to its symbol.
 *
 * Serial code: no MPI.  Blocks that neither INITIAL, BREAKPOINT nor NET_RECEIVE
 * reaches are left out: they are there for NEURON's interpreter, and may hold
 * what is not understood.
 */
#ifndef BOSC_SRC_NMODL_MODEL_MODEL_H
#define BOSC_SRC_NMODL_MODEL_MODEL_H

#include <stdbool.h>

#include "src/nmodl/syntax/file.h"

typedef enum bosc_nm_symbol_kind {
    BOSC_NM_VARIABLE,  /* ASSIGNED, LOCAL of the file */
    BOSC_NM_PARAMETER, /* what a job may set */
    BOSC_NM_CONSTANT,  /* a number: CONSTANT, UNITS, DEFINE */
    BOSC_NM_STATE,
    BOSC_NM_ION,      /* ena, ina, nai, nao of an ion that is used */
    BOSC_NM_VOLTAGE,  /* v */
    BOSC_NM_TIME,     /* t */
    BOSC_NM_STEP,     /* dt */
    BOSC_NM_CELSIUS,  /* celsius */
    BOSC_NM_GEOMETRY, /* diam, area and the like, of the compartment */
    BOSC_NM_WEIGHT,   /* an argument of NET_RECEIVE */
    BOSC_NM_FLAG,     /* 'flag' there */
    BOSC_NM_LOCAL_OF, /* a LOCAL, an argument, the result of a function */
    BOSC_NM_ROUTINE,  /* FUNCTION, PROCEDURE, DERIVATIVE, ... */
    BOSC_NM_FOREIGN   /* EXTERNAL, RANDOM; POINTER of an array or a cell */
} bosc_nm_symbol_kind;

/* What only a ROUTINE has: its definition. */
typedef struct bosc_nm_definition {
    bosc_nm_block *block;
    struct bosc_nm_symbol *result; /* of a FUNCTION */
    bosc_nm_list arguments;        /* bosc_nm_symbol */
    bool bound;                    /* its body is: bosc_nm_bind() */
    bool inlining;                 /* its body is being, in passes/ */
} bosc_nm_definition;

/* From the model on; what passes/ add stands last. */
typedef struct bosc_nm_symbol {
    bosc_nm_symbol_kind kind;
    int number; /* its own, from 1 */
    const char *name, *unit;
    bool range, global; /* as the NEURON block says */
    bool current;       /* NONSPECIFIC_CURRENT or ELECTRODE_CURRENT */
    bool electrode;     /* the latter: it flows into the cell */
    bool pointer;       /* POINTER: a copy of a number elsewhere */
    bool shown;         /* probes record it */
    bool kept;          /* a state also without them */
    bool used, written; /* in a block that is reached */
    bool has_value, has_limits;
    double value, low, high;
    int size;                         /* of an array; 0: a scalar */
    const bosc_nm_declared *declared; /* or NULL */
    struct bosc_nm_ion *ion;          /* of an ION */
    bosc_nm_definition def;           /* of a ROUTINE */
    bool is_made; /* its name is not of the file: others may have it */

    /* for passes/ */
    struct bosc_nm_symbol **element; /* [size] scalars of an array */
    struct bosc_nm_symbol *array;    /* of an element */
    bool indexed; /* an array with elements that are chosen at run time: one
                     symbol in lowered code, whose elements only say where its
                     values are kept */
    struct bosc_nm_symbol *now;      /* what stands for it in an inlined body */
    struct bosc_nm_symbol **tangent; /* by seed, while tangent.c runs */
    bool is_result;                  /* of a call of a FUNCTION */
} bosc_nm_symbol;

/* The variables of an ion that the mechanism uses; NULL: not this one. */
typedef struct bosc_nm_ion {
    const char *name;
    double valence; /* NAN: not given */
    bosc_nm_symbol *e, *inside, *outside, *i;
    bool reads_e, reads_inside, reads_outside, reads_i;
    bool writes_e, writes_inside, writes_outside, writes_i;
} bosc_nm_ion;

/* A WATCH, and its state: 0 while it is not in force, 1 while its condition is
 * false, 2 while it is true. */
typedef struct bosc_nm_watch {
    const bosc_nm_stmt *stmt;
    bosc_nm_symbol *state;
} bosc_nm_watch;

/* When blocks run that are named by a moment, as in NEURON. */
typedef enum bosc_nm_moment {
    BOSC_NM_BEFORE_INITIAL,
    BOSC_NM_AFTER_INITIAL,
    BOSC_NM_BEFORE_BREAKPOINT,
    BOSC_NM_AFTER_SOLVE,
    BOSC_NM_BEFORE_STEP, /* when results of a step are recorded */
    BOSC_NM_MOMENTS
} bosc_nm_moment;

typedef struct bosc_nm_mechanism {
    bosc_nm_arena *arena;
    bosc_nm_problems *problems;
    const bosc_nm_file *file;
    const char *name;
    bosc_nm_kind kind;    /* POINT_PROCESS also of an ARTIFICIAL_CELL, */
    bool artificial;      /* which is one without a compartment, */
    bool plays;           /* at times that the interpreter gives */
    bosc_nm_list symbols; /* bosc_nm_symbol: all of the file's own scope */
    bosc_nm_list ions;    /* bosc_nm_ion */
    bosc_nm_list reached; /* bosc_nm_symbol: ROUTINEs that are used */
    bosc_nm_symbol *initial, *breakpoint, *receive; /* ROUTINEs, or NULL */
    bosc_nm_symbol *at[BOSC_NM_MOMENTS];            /* ROUTINEs, or NULL */
    bosc_nm_list watches;  /* bosc_nm_watch: of NET_RECEIVE */
    bool renewed;          /* an array was found to be indexed */
    bosc_nm_symbol *flag;  /* beside a variable of that name, or NULL */
    bosc_nm_symbol *drawn; /* how many random numbers were; NULL: it is idle */
    bool reads_table;      /* bosc_played(), and no random numbers */
    const char *const *shown; /* what is kept for probes: "hh.ina", also of
                                 other mechanisms, then NULL; NULL: nothing */
    const char *job_name;     /* what jobs call it where its functions have
                                 another name, 'name'; else NULL */
} bosc_nm_mechanism;

/* Check a parsed file.  What is wrong is added to the problems. */
bosc_nm_mechanism *bosc_nm_model(bosc_nm_arena *arena,
                                 bosc_nm_problems *problems,
                                 const bosc_nm_file *file);

/* The symbol of the file's scope, or NULL; in symbol.c. */
bosc_nm_symbol *bosc_nm_find(const bosc_nm_mechanism *mechanism,
                             const char *name);

/* A new one, in no scope yet; in symbol.c. */
bosc_nm_symbol *bosc_nm_symbol_create(bosc_nm_arena *arena,
                                      bosc_nm_symbol_kind kind,
                                      const char *name);

/* Has the mechanism a current, of an ion or not? */
bool bosc_nm_has_current(const bosc_nm_mechanism *mechanism);

/* --- between the files of the model --- */

/* Write C of VERBATIM whose meaning is known as statements; in idiom.c. */
void bosc_nm_recognise(bosc_nm_mechanism *mechanism, bosc_nm_block *block);

/* A function, or a '#define' of a number, in C of the file or of NEURON's
 * libraries (poisrand), called from 'place': as a symbol of the file, which it
 * is from now on.  NULL: there is none.  In idiom.c. */
bosc_nm_symbol *bosc_nm_find_c_function(bosc_nm_mechanism *mechanism,
                                        const char *name, bosc_nm_place place);
bosc_nm_symbol *bosc_nm_find_c_number(bosc_nm_mechanism *mechanism,
                                      const char *name);

/* Bind the names of all blocks that are reached. */
void bosc_nm_bind(bosc_nm_mechanism *mechanism);

/* Refuse declarations, and statements of blocks that are reached, that are
 * understood but not supported. */
void bosc_nm_refuse_declared(bosc_nm_mechanism *mechanism);
void bosc_nm_refuse_stmt(bosc_nm_mechanism *mechanism,
                         const bosc_nm_stmt *stmt);
void bosc_nm_refuse_block(bosc_nm_mechanism *mechanism,
                          const bosc_nm_block *block);

#endif
