/* tree.h - expressions and statements of a mod file: the one tree that the
 * parser makes, every pass takes and gives, and text is generated from.
 *
 * Serial code: no MPI.  Nodes live in the arena of the translation.  A pass may
 * share expressions between trees, so it makes new nodes instead of changing
 * old ones.
 */
#ifndef BOSC_SRC_NMODL_SYNTAX_TREE_H
#define BOSC_SRC_NMODL_SYNTAX_TREE_H

#include <stdbool.h>

#include "src/nmodl/syntax/arena.h"
#include "src/nmodl/syntax/problem.h"

struct bosc_nm_symbol; /* model/model.h */

typedef enum bosc_nm_expr_kind {
    BOSC_NM_NUMBER, /* value */
    BOSC_NM_NAME,   /* name; arg[0] is the index of an array's element */
    BOSC_NM_CALL,   /* name and arguments */
    BOSC_NM_NEGATE, /* - arg[0] */
    BOSC_NM_NOT,    /* ! arg[0] */
    BOSC_NM_BINARY, /* arg[0] op arg[1] */
    BOSC_NM_SELECT, /* arg[0] ? arg[1] : arg[2]; only passes make it */
    BOSC_NM_STRING  /* name: a text in quotes, for printf */
} bosc_nm_expr_kind;

typedef enum bosc_nm_op {
    BOSC_NM_ADD,
    BOSC_NM_SUBTRACT,
    BOSC_NM_MULTIPLY,
    BOSC_NM_DIVIDE,
    BOSC_NM_POWER,
    BOSC_NM_LESS,
    BOSC_NM_LESS_EQUAL,
    BOSC_NM_GREATER,
    BOSC_NM_GREATER_EQUAL,
    BOSC_NM_EQUAL,
    BOSC_NM_NOT_EQUAL,
    BOSC_NM_AND,
    BOSC_NM_OR
} bosc_nm_op;

typedef struct bosc_nm_expr {
    bosc_nm_expr_kind kind;
    bosc_nm_op op;
    double value;
    const char *name;
    struct bosc_nm_symbol *symbol; /* of a NAME or a CALL, once it is bound */
    int n;
    struct bosc_nm_expr **arg; /* [n] */
    bosc_nm_place place;
} bosc_nm_expr;

typedef enum bosc_nm_stmt_kind {
    BOSC_NM_ASSIGN,      /* target = value */
    BOSC_NM_EQUATION,    /* target' = value */
    BOSC_NM_DO,          /* value: a call */
    BOSC_NM_IF,          /* value, body, otherwise */
    BOSC_NM_WHILE,       /* value, body */
    BOSC_NM_FROM,        /* name (symbol) from value to 'to' by 'by' (or NULL),
                            body */
    BOSC_NM_BLOCK,       /* body */
    BOSC_NM_LOCAL,       /* names: variables of the block around it */
    BOSC_NM_TABLE,       /* names of what is tabulated */
    BOSC_NM_SOLVE,       /* name; method, "" where none is given; steady */
    BOSC_NM_REACTION,    /* left <-> right (value, to); see below */
    BOSC_NM_FLUX_IN,     /* left << (value) */
    BOSC_NM_LINEAR,      /* ~ value = to; CONSERVE has the same in KINETIC */
    BOSC_NM_CONSERVE,    /* value = to */
    BOSC_NM_COMPARTMENT, /* names of states, of which value is the size */
    BOSC_NM_DIFFUSION,   /* LONGITUDINAL_DIFFUSION */
    BOSC_NM_WATCH,       /* value: the condition, to: the flag */
    BOSC_NM_FOR_NETCONS, /* names, body; lowered: 'right' are the weights of
                            the event, which the body may change */
    BOSC_NM_INITIAL,     /* body: the INITIAL of a NET_RECEIVE */
    BOSC_NM_CODE,        /* name: C of VERBATIM; method: what of it is not
                            understood, once it was looked at */
    BOSC_NM_RETURN,      /* from a routine; only C of VERBATIM makes it */
    BOSC_NM_BREAK,       /* from a loop, as that; in lowered code from a loop
                            that runs, at the end of a way through its body */
    BOSC_NM_OTHER        /* name: a keyword that is known, but refused */
} bosc_nm_stmt_kind;

/* A name in a declaring statement: a LOCAL with its size, a state of a
 * reaction with its stoichiometry. */
typedef struct bosc_nm_item {
    const char *name;
    struct bosc_nm_symbol *symbol;
    int size;            /* of an array; 0: a scalar */
    double times;        /* in a reaction */
    bosc_nm_expr *index; /* in a reaction: of the element, or NULL */
    const char *unit;
    bosc_nm_place place;
} bosc_nm_item;

typedef struct bosc_nm_stmt {
    bosc_nm_stmt_kind kind;
    bosc_nm_place place;
    const char *name, *method;
    bool steady; /* SOLVE ... STEADYSTATE */
    struct bosc_nm_symbol *symbol;
    bosc_nm_expr *target, *value, *to, *by;
    bosc_nm_list names; /* bosc_nm_item; of a reaction the left side */
    bosc_nm_list right; /* bosc_nm_item; of a reaction */
    bosc_nm_list body, otherwise; /* bosc_nm_stmt */
} bosc_nm_stmt;

bosc_nm_expr *bosc_nm_number(bosc_nm_arena *arena, double value);

/* A node of n arguments, all NULL yet. */
bosc_nm_expr *bosc_nm_node(bosc_nm_arena *arena, bosc_nm_expr_kind kind, int n,
                           bosc_nm_place place);
bosc_nm_expr *bosc_nm_binary(bosc_nm_arena *arena, bosc_nm_op op,
                             bosc_nm_expr *a, bosc_nm_expr *b);
bosc_nm_expr *bosc_nm_unary(bosc_nm_arena *arena, bosc_nm_expr_kind kind,
                            bosc_nm_expr *a);
bosc_nm_expr *bosc_nm_call(bosc_nm_arena *arena, const char *name,
                           bosc_nm_expr *a);

bosc_nm_stmt *bosc_nm_stmt_create(bosc_nm_arena *arena, bosc_nm_stmt_kind kind,
                                  bosc_nm_place place);

/* "+", "==" and so on, as C writes them; "^" for the power. */
const char *bosc_nm_op_text(bosc_nm_op op);

/* True for a number, and for one with that value. */
bool bosc_nm_is_number(const bosc_nm_expr *e);
bool bosc_nm_is(const bosc_nm_expr *e, double value);

/* Call 'visit' for the expressions that a statement itself has, without those
 * of the statements in it; a pass may replace them. */
void bosc_nm_each_expr(bosc_nm_stmt *stmt,
                       void (*visit)(void *with, bosc_nm_expr **e), void *with);

#endif
