/* tangent.h - forward automatic differentiation of lowered code.
 *
 * Serial code: no MPI.  For each seed, a symbol of which everything is to be
 * differentiated, each symbol that depends on it gets a tangent: a symbol for
 * its derivative, assigned right before it.  So
 *
 *     a = v * v             d_a = v + v
 *     i = g * a      ->     a = v * v
 *                           d_i = g * d_a
 *                           i = g * a
 *
 * What an element that is chosen at run time holds counts as a number.
 *
 * An EQUATION leaves the tangent of its state alone: the derivatives that the
 * solvers need are those for fixed other states.
 */
#ifndef BOSC_SRC_NMODL_PASSES_TANGENT_H
#define BOSC_SRC_NMODL_PASSES_TANGENT_H

#include "src/nmodl/passes/code.h"

typedef struct bosc_nm_tangents {
    bosc_nm_arena *arena;
    int n;
    bosc_nm_symbol **seed; /* [n] */
    bosc_nm_list known;    /* bosc_nm_symbol that may have tangents */
} bosc_nm_tangents;

/* Find out which symbols of the code depend on the seeds, and append to 'out'
 * what their tangents are before it.  Other code must wait for the end. */
void bosc_nm_tangents_begin(bosc_nm_tangents *t, const bosc_nm_list *code,
                            bosc_nm_list *out);

/* Append a statement of the code, behind what computes its tangents. */
void bosc_nm_tangents_add(bosc_nm_tangents *t, bosc_nm_stmt *stmt,
                          bosc_nm_list *out);

/* The derivative of an expression for seed k; a number 0 where it does not
 * depend on it. */
bosc_nm_expr *bosc_nm_tangent(const bosc_nm_tangents *t, const bosc_nm_expr *e,
                              int k);

/* Does it depend on seed k, or a condition that decides on it? */
bool bosc_nm_depends(const bosc_nm_tangents *t, const bosc_nm_expr *e, int k);

/* Does the code choose by seed k: a condition, a step such as floor(), the
 * bounds of a loop, an element of an array?  Then values jump, and an equal
 * slope everywhere does not make them linear. */
bool bosc_nm_chooses(const bosc_nm_tangents *t, const bosc_nm_list *code,
                     int k);
bool bosc_nm_jumps(const bosc_nm_tangents *t, const bosc_nm_expr *e, int k);

void bosc_nm_tangents_end(bosc_nm_tangents *t);

#endif
