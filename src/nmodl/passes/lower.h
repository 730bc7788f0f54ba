/* lower.h - from the blocks of a mechanism to lowered code (code.h).
 *
 * Serial code: no MPI.  Calls of the file's own FUNCTIONs and PROCEDUREs are
 * written out in place, with variables of their own; FROM loops, whose bounds
 * must be known, are unrolled; TABLEs are computed; KINETIC reactions become
 * equations.  What cannot be lowered is a problem.
 */
#ifndef BOSC_SRC_NMODL_PASSES_LOWER_H
#define BOSC_SRC_NMODL_PASSES_LOWER_H

#include "src/nmodl/passes/code.h"

/* Lowers a statement that only some blocks have, or lower in their way. */
struct bosc_nm_lowerer;
typedef void bosc_nm_lowering(struct bosc_nm_lowerer *l,
                              const bosc_nm_stmt *stmt);

typedef struct bosc_nm_lowerer {
    bosc_nm_mechanism *m;
    bosc_nm_lowering *solve; /* of a SOLVE: appends what is to be done there */
    bool initial; /* INITIAL, which may SOLVE any block where it stands; else
                     that is done of a LINEAR one alone */
    bool breaks;  /* the body of BREAKPOINT, whose SOLVEs are done apart */
    bosc_nm_lowering *equation; /* of a KINETIC or LINEAR block: reactions and
                                   equations; NULL: they do nothing */
    bosc_nm_lowering *watch; /* of NET_RECEIVE: WATCH; NULL: it does nothing */
    bosc_nm_lowering *netcons; /* as that: FOR_NETCONS */
    bosc_nm_list *code;        /* where statements go */
    bosc_nm_list *kinetic;   /* of a KINETIC block: bosc_nm_balance, or NULL */
    bosc_nm_list *conserved; /* there: its CONSERVEs, lowered */
    bosc_nm_list *linear;    /* of a LINEAR block: bosc_nm_expr that are 0 */
    int depth;               /* of calls within one another */
    int returns;             /* that were met */
    bosc_nm_symbol *going;   /* in a FROM that is written out: 0 once it is
                                left; NULL: a loop that runs, or none */
    bosc_nm_symbol *watched; /* in NET_RECEIVE: whether a WATCH was met */
    bool sends; /* net_send() is used: 'flag' may be other than 0 */
    bool steps; /* it is part of a step, where nothing may be sent */
} bosc_nm_lowerer;

/* Append the lowered body of a routine, which takes its arguments from the
 * symbols of its declaration: a block, not a call. */
void bosc_nm_lower_body(bosc_nm_lowerer *l, const bosc_nm_list *body);

/* A lowered expression; what must be computed before goes to the code. */
bosc_nm_expr *bosc_nm_lower_expr(bosc_nm_lowerer *l, const bosc_nm_expr *e);

/* The scalar that a name stands for where it is used: an element of an array,
 * the variable of a call.  NULL after a problem. */
bosc_nm_symbol *bosc_nm_lower_symbol(bosc_nm_lowerer *l, bosc_nm_symbol *symbol,
                                     const bosc_nm_expr *index,
                                     bosc_nm_place place);

/* A name that is used or assigned to, with what chooses its element.  NULL
 * after a problem. */
bosc_nm_expr *bosc_nm_lower_place(bosc_nm_lowerer *l, const bosc_nm_expr *e);

/* Number the WATCHes of NET_RECEIVE; lower one where it stands; append what
 * tests all of them before a step.  In watch.c. */
void bosc_nm_find_watches(bosc_nm_mechanism *m, const bosc_nm_list *body);
bosc_nm_lowering bosc_nm_lower_watch;
void bosc_nm_lower_watches(bosc_nm_lowerer *l);

/* FOR_NETCONS of NET_RECEIVE; in watch.c. */
bosc_nm_lowering bosc_nm_lower_netcons;

/* Lower the body of a loop that runs into 'out'. */
void bosc_nm_lower_inside(bosc_nm_lowerer *l, const bosc_nm_stmt *stmt,
                          bosc_nm_stmt *out);

/* What at_time(), nernst() and ghk() are, of lowered arguments; NULL: it is
 * none of them.  In formula.c. */
bosc_nm_expr *bosc_nm_formula(bosc_nm_lowerer *l, const char *name,
                              bosc_nm_expr *const *arg);

/* What a function draws, of lowered arguments; NULL: it draws nothing.  In
 * draw.c. */
bosc_nm_expr *bosc_nm_draw(bosc_nm_lowerer *l, const bosc_nm_expr *call,
                           bosc_nm_expr *const *arg);

/* What reactions say of a state: state' = sum / size. */
typedef struct bosc_nm_balance {
    bosc_nm_symbol *state;
    bosc_nm_expr *sum, *size; /* NULL: none yet; of size 1 */
    bool replaced;            /* by what is conserved */
} bosc_nm_balance;

/* Lower a KINETIC block to equations; in kinetic.c. */
void bosc_nm_lower_kinetic(bosc_nm_lowerer *l, const bosc_nm_list *body);

/* Lower a LINEAR block; its equations are added to 'zero', as left minus right
 * side.  In kinetic.c. */
void bosc_nm_lower_linear(bosc_nm_lowerer *l, const bosc_nm_list *body,
                          bosc_nm_list *zero);

#endif
