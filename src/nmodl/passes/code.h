/* code.h - lowered code: what passes work on and text is made of.
 *
 * Serial code: no MPI.  Lowered code is a list of statements of few kinds:
 *
 *     ASSIGN    a scalar symbol = an expression
 *     EQUATION  a scalar symbol' = an expression, over 'to' where there is one,
 *               until solve.h
 *     CONSERVE  an expression = 0, instead of the equation of a symbol
 *     IF        condition, body, otherwise
 *     DO        net_send() and the like
 *     BLOCK     repeated 'times': the iterations of Newton's method
 *
 * Expressions have numbers, scalar symbols, operators and functions of
 * model/function.h: functions and procedures of the file are written out in
 * place, loops unrolled, elements of arrays are symbols of their own.
 */
#ifndef BOSC_SRC_NMODL_PASSES_CODE_H
#define BOSC_SRC_NMODL_PASSES_CODE_H

#include "src/nmodl/model/model.h"

/* A use of a symbol. */
bosc_nm_expr *bosc_nm_use(bosc_nm_arena *arena, bosc_nm_symbol *symbol);

/* target = value, at the end of the code. */
bosc_nm_stmt *bosc_nm_assign(bosc_nm_arena *arena, bosc_nm_list *code,
                             bosc_nm_symbol *target, bosc_nm_expr *value);

/* A symbol that nothing else has, for a value in between. */
bosc_nm_symbol *bosc_nm_fresh(bosc_nm_arena *arena, const char *name);

/* Element k of an array. */
bosc_nm_symbol *bosc_nm_element_of(bosc_nm_arena *arena, bosc_nm_symbol *array,
                                   int k);

void bosc_nm_append(bosc_nm_arena *arena, bosc_nm_list *code,
                    const bosc_nm_list *more);

/* A statement as another one, with other lists and expressions to be set. */
bosc_nm_stmt *bosc_nm_stmt_like(bosc_nm_arena *arena, const bosc_nm_stmt *stmt);

/* Append copies of the statements, with lists of their own. */
void bosc_nm_copy_code(bosc_nm_arena *arena, const bosc_nm_list *code,
                       bosc_nm_list *out);

/* How many statements assign to the symbol; is one of the kind there? */
int bosc_nm_writes(const bosc_nm_list *code, const bosc_nm_symbol *s);
bool bosc_nm_has_kind(const bosc_nm_list *code, bosc_nm_stmt_kind kind);

/* A set of symbols, by their numbers; starts as {arena}. */
typedef struct bosc_nm_set {
    bosc_nm_arena *arena;
    bool *has; /* [room], by number */
    int room;
} bosc_nm_set;

void bosc_nm_set_add(bosc_nm_set *set, const bosc_nm_symbol *s);
void bosc_nm_set_remove(bosc_nm_set *set, const bosc_nm_symbol *s);
bool bosc_nm_set_has(const bosc_nm_set *set, const bosc_nm_symbol *s);
bosc_nm_set bosc_nm_set_copy(const bosc_nm_set *set);
/* Keep what both have; what one has. */
void bosc_nm_set_both(bosc_nm_set *set, const bosc_nm_set *other);
void bosc_nm_set_join(bosc_nm_set *set, const bosc_nm_set *other);

/* Add the symbols that an expression uses. */
void bosc_nm_add_used(bosc_nm_set *set, const bosc_nm_expr *e);

/* Remove from the code what no symbol of 'wanted' needs; on return 'wanted' has
 * the symbols whose values are needed before the code. */
void bosc_nm_prune(bosc_nm_list *code, bosc_nm_set *wanted);

/* The symbols that the code reads before it has surely written them, and those
 * that it writes at all.  'sure' has those that were written before. */
void bosc_nm_exposed(const bosc_nm_list *code, bosc_nm_set *sure,
                     bosc_nm_set *exposed, bosc_nm_set *written);

#endif
