/* code.h - what a formula is made into: operations on a stack of values.
 *
 * Serial code: no MPI.  1 + 2 * x is: 1, 2, x, multiply, add.
 */
#ifndef BOSC_SRC_FORMULA_CODE_H
#define BOSC_SRC_FORMULA_CODE_H

#include "src/formula/formula.h"

/* Values that wait at most: at each level one of each operator, two of a
 * conditional, and two arguments. */
enum { BOSC_FORMULA_STACK = 11 * (BOSC_FORMULA_DEEPEST + 1) };

typedef enum bosc_formula_kind {
    BOSC_FORMULA_NUMBER, /* put 'number' on the stack */
    BOSC_FORMULA_VALUE,  /* put the value of names[name] on it */
    BOSC_FORMULA_ONE,    /* a becomes one(a) */
    BOSC_FORMULA_TWO,    /* a, b become two(a, b) */
    BOSC_FORMULA_IF,     /* c, a, b become c ? a : b */
    BOSC_FORMULA_IF_ELSE /* a, c, b become c ? a : b */
} bosc_formula_kind;

typedef struct bosc_formula_step {
    bosc_formula_kind kind;
    union {
        double number;
        int name;
        double (*one)(double);
        double (*two)(double, double);
    };
} bosc_formula_step;

struct bosc_formula {
    int n;
    bosc_formula_step step[]; /* [n] */
};

/* A function.  One of one argument that has no 'one' gives its argument; that
 * of three is if(). */
typedef struct bosc_formula_function {
    const char *name;
    int least, most; /* arguments */
    double (*one)(double);
    double (*two)(double, double); /* of more: from the left */
} bosc_formula_function;

/* The higher the closer. */
typedef enum bosc_formula_level {
    BOSC_FORMULA_OR,
    BOSC_FORMULA_AND,
    BOSC_FORMULA_NOT_WORD, /* the word before what it denies */
    BOSC_FORMULA_COMPARISON,
    BOSC_FORMULA_SUM,
    BOSC_FORMULA_PRODUCT,
    BOSC_FORMULA_SIGNED /* signs, and below them powers */
} bosc_formula_level;

typedef struct bosc_formula_operator {
    const char *sign, *word; /* the word, or NULL, means the same */
    bosc_formula_level level;
    double (*two)(double, double);
} bosc_formula_operator;

/* Row i of their tables; NULL behind the last. */
const bosc_formula_function *bosc_formula_function_at(int i);
const bosc_formula_operator *bosc_formula_operator_at(int i);

double bosc_formula_negate(double a);
double bosc_formula_not(double a);
double bosc_formula_power(double a, double b);

#endif
