/* fold.h - expressions made simple while they are built.
 *
 * Serial code: no MPI.  The rules keep the value of an expression bit for bit,
 * but for the sign of zeros and for what was not finite: x + 0, 1 * x, 0 * x,
 * -(-x), a - (-b), numbers with numbers.  exp, log and powers of numbers are
 * left to the generated text, so that this does not depend on the libm of the
 * machine that translates.
 */
#ifndef BOSC_SRC_NMODL_PASSES_FOLD_H
#define BOSC_SRC_NMODL_PASSES_FOLD_H

#include "src/nmodl/syntax/tree.h"

/* a op b. */
bosc_nm_expr *bosc_nm_fold(bosc_nm_arena *arena, bosc_nm_op op, bosc_nm_expr *a,
                           bosc_nm_expr *b);

/* -a. */
bosc_nm_expr *bosc_nm_minus(bosc_nm_arena *arena, bosc_nm_expr *a);

/* condition ? a : b. */
bosc_nm_expr *bosc_nm_select(bosc_nm_arena *arena, bosc_nm_expr *condition,
                             bosc_nm_expr *a, bosc_nm_expr *b);

/* A node as e with other arguments, simplified. */
bosc_nm_expr *bosc_nm_rebuild(bosc_nm_arena *arena, const bosc_nm_expr *e,
                              bosc_nm_expr **arg);

/* e with 'by' for each use of 'what', simplified. */
bosc_nm_expr *bosc_nm_replace(bosc_nm_arena *arena, bosc_nm_expr *e,
                              const struct bosc_nm_symbol *what,
                              bosc_nm_expr *by);

/* Does e use the symbol?  Are two expressions the same? */
bool bosc_nm_uses(const bosc_nm_expr *e, const struct bosc_nm_symbol *what);
bool bosc_nm_same(const bosc_nm_expr *a, const bosc_nm_expr *b);

#endif
