/* formula.h - arithmetic formulas that a job gives instead of a number.
 *
 * Serial code: no MPI, no files.  A text such as
 *
 *     value*(-0.8696 + 2.087*exp(distance*0.0031))
 *
 * is parsed once and evaluated for many places.  The text is data: nothing of
 * it is ever run by another program.  From the weakest:
 *
 *     a if condition else b
 *     a || b, a or b
 *     a && b, a and b
 *     not a
 *     < <= > >= == !=     two values at a time: 1 < x < 3 is refused
 *     + -
 *     * /
 *     -a, +a, !a
 *     a ^ b, a ** b       from the right; -2^2 is -4, 2^-1 is 0.5
 *     numbers (1e-3, .5, 2.), names, pi, (a), {name}, functions
 *
 * with the functions exp, log (natural), log10, sqrt, sin, cos, tanh, abs,
 * fabs, floor, ceil, int (towards 0), float, pow(a, b), min and max of two or
 * more, and if(condition, a, b).  'math.', 'numpy.' and 'np.' may stand before
 * functions and pi, so that formulas of BluePyOpt are read as they are.
 * Conditions give 1 or 0; what is not 0 is true.
 *
 * Values have the same bits on every machine: functions are those of
 * kernels/base, within 2 units in the last place, and nothing is contracted.
 * Powers are products for whole exponents from -2 to 4, and where the product
 * is exact; other powers are bosc_pow(), which has 0 for less than 1e-307.  As
 * elsewhere in the arithmetic of floats, 1/0 is infinite and log(-1) is not a
 * number; both go through min() and max(), so whoever uses a value checks that
 * it is finite.
 */
#ifndef BOSC_SRC_FORMULA_FORMULA_H
#define BOSC_SRC_FORMULA_FORMULA_H

#include <stdbool.h>

#include "src/base/status.h"

/* Characters of a formula; brackets, powers and 'else' within one another. */
enum { BOSC_FORMULA_LONGEST = 4096, BOSC_FORMULA_DEEPEST = 64 };

typedef struct bosc_formula bosc_formula;

/* Parse 'text'.  Its names are among names[n_names], which need not outlive the
 * call; of two that are the same the first is meant, and a name of the caller's
 * goes before pi.  On success *out is a new formula, freed by
 * bosc_formula_destroy(); else it is untouched, and the message begins with
 * "column 12: ", bytes of the text from 1.  Returns BOSC_OK, BOSC_EFORMAT or
 * BOSC_ENOMEM. */
bosc_status bosc_formula_parse(const char *text, int n_names,
                               const char *const *names, bosc_formula **out,
                               bosc_error *err);

/* Does the formula have names[name]? */
bool bosc_formula_uses(const bosc_formula *f, int name);

/* Its value, where names[i] has the value values[i]; NULL where it uses none.
 * Takes no memory; threads may share a formula. */
double bosc_formula_eval(const bosc_formula *f, const double *values);

/* Free a formula; NULL is allowed. */
void bosc_formula_destroy(bosc_formula *f);

#endif
