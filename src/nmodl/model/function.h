/* function.h - the functions that every mod file may call.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_NMODL_MODEL_FUNCTION_H
#define BOSC_SRC_NMODL_MODEL_FUNCTION_H

#include <stdbool.h>

typedef enum bosc_nm_function_kind {
    BOSC_NM_MATH,    /* of numbers, without side effects */
    BOSC_NM_FORMULA, /* NEURON's own: passes/formula.c writes it out */
    BOSC_NM_IDLE,    /* prints or the like: left out */
    BOSC_NM_EVENT,   /* net_send and the like */
    BOSC_NM_NEAR,    /* MATH of a near form, which may tell that it is far */
    BOSC_NM_RANDOM,  /* draws a random number: passes/draw.c writes it out */
    BOSC_NM_DRAWN    /* number n of the instance's stream, made there; or the
                        number at t in the table of its entry */
} bosc_nm_function_kind;

typedef struct bosc_nm_function {
    const char *name;
    bosc_nm_function_kind kind;
    int arguments;    /* 0: any number */
    const char *text; /* what generated text calls, of MATH, EVENT, DRAWN */
} bosc_nm_function;

/* NULL: there is none of that name. */
const bosc_nm_function *bosc_nm_function_find(const char *name);

/* The value at x of a function whose results have the same bits with every
 * library; false for the others, which are not computed while a file is
 * translated. */
bool bosc_nm_function_value(const char *name, double x, double *value);

#endif
