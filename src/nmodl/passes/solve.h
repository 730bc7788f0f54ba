/* solve.h - equations become steps of a method.
 *
 * Serial code: no MPI.  In lowered code x' = f becomes, with a = df/dx:
 *
 *     cnexp          x += (1 - exp(a dt)) (-b / a - x), where f = a x + b; one
 *                    equation after the other, as NEURON.  What a procedure or
 *                    a statement makes of x counts as a number, as there.
 *                    Where f is not linear in x, derivimplicit.
 *     euler          x += dt f, all at once
 *     derivimplicit, sparse
 *                    x = x0 + dt f(x) for all x at once, by Newton's method:
 *                    once where f is linear, else until a round changes no
 *                    state by more than BOSC_NM_CLOSE of it (emitted.h), at
 *                    most BOSC_NM_ROUNDS times.  An instance that is there
 *                    stays, so it does not depend on its neighbours in a vector
 *
 * Systems of equations are solved by elimination that is written out: zeros
 * that are known are not computed with, and unknowns of the method come in an
 * order that leaves many of them.
 */
#ifndef BOSC_SRC_NMODL_PASSES_SOLVE_H
#define BOSC_SRC_NMODL_PASSES_SOLVE_H

#include "src/nmodl/passes/code.h"

enum { BOSC_NM_ROUNDS = 20, BOSC_NM_MOST_EQUATIONS = 200 };

/* Append to 'out' the code with each equation solved for a step of 'dt' (an
 * expression, ms) by the method that 'solve' gives; without one it is
 * cnexp, and sparse of a KINETIC block. */
void bosc_nm_solve(bosc_nm_mechanism *m, const bosc_nm_list *code,
                   const bosc_nm_stmt *solve, bosc_nm_expr *dt,
                   bosc_nm_list *out);

/* Append what solves a linear system: 'zero' are expressions of lowered
 * code that are to be 0, the unknowns the STATEs that they use. */
void bosc_nm_solve_linear(bosc_nm_mechanism *m, const bosc_nm_list *zero,
                          const bosc_nm_stmt *solve, bosc_nm_list *out);

/* --- between the files of solve --- */

/* A square system: matrix [n][n], NULL where it is 0, and right side [n]. */
typedef struct bosc_nm_system {
    bosc_nm_arena *arena;
    int n;
    bosc_nm_expr **matrix, **right;
    bool *conserved; /* [n] or NULL: rows that say what others add up to */
    int *order;  /* [n] which unknown is eliminated when; NULL: as they are */
    bool steady; /* nearly singular: another order would show */
    bosc_nm_expr **per; /* [n] 1 over each pivot; NULL: divisions */
} bosc_nm_system;

/* Find the order in which the fewest zeros of the matrix are lost, but for a
 * steady state.  Rows go with their unknowns: matrices of implicit steps have
 * large diagonals. */
void bosc_nm_arrange(bosc_nm_system *system);

/* Append what solves it; the solution replaces 'right'.  False where the matrix
 * has no inverse whatever its values. */
bool bosc_nm_eliminate(bosc_nm_system *system, bosc_nm_list *out);

/* Append the rounds of Newton's method: a BLOCK of the body, which changes each
 * of the states by the solution of the system.  What is the same in all rounds
 * comes before it. */
void bosc_nm_repeat(const bosc_nm_system *system, const bosc_nm_list *states,
                    bosc_nm_list *body, bosc_nm_list *out);

/* Append once more what a block assigns that follows from the states: NEURON
 * runs it with those that it found, 'cai = ca'.  A number is drawn once. */
void bosc_nm_assign_rest(const bosc_nm_mechanism *m, const bosc_nm_list *states,
                         const bosc_nm_list *code, bosc_nm_list *out);

#endif
