/* functions.c - the functions and operators of formulas. */
#include <float.h>
#include <limits.h>
#include <math.h>

#include "kernels/base/circular.h"
#include "kernels/base/elementary.h"
#include "src/formula/code.h"

/* bosc_exp() ends at 700, where those of mechanisms have to stay finite; here
 * too large a value is to be seen.  The sums are exact: they stay between
 * powers of 2. */
static double exponential(double x)
{
    const double e = 0x1.5bf0a8b145769p+1, e_64 = 0x1.969d47321e4ccp-93;

    if (x > 709.782712893384)
        return HUGE_VAL;
    if (x < -745.2)
        return 0;
    if (x > 708)
        return bosc_exp_within(x - 1) * e;
    return x < -708 ? bosc_exp_within(x + 64) * e_64 : bosc_exp_within(x);
}

double bosc_formula_power(double a, double b)
{
    enum { LEAST = -2, ALWAYS = 4, MOST = 64 };
    const double n = fabs(b);
    double product = 1, factor = a;

    if (!(n <= MOST && n == floor(n)))
        return bosc_pow(a, b);
    for (int left = (int)n; left > 0; left /= 2) {
        product *= left % 2 == 1 ? factor : 1;
        factor *= factor;
    }
    const bool exact = a == floor(a) && fabs(product) <= 0x1p53;

    if (b < 0 && fabs(product) < DBL_MIN) /* with fewer bits than others */
        return bosc_pow(a, b);
    if (!exact && (b < LEAST || b > ALWAYS))
        return bosc_pow(a, b);
    return b < 0 ? 1 / product : product;
}

static double least(double a, double b)
{
    return isnan(a) || a <= b ? a : b;
}

static double most(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}

static double logarithm(double x)
{
    return bosc_log(x);
}

static double logarithm_10(double x)
{
    return bosc_log10(x);
}

static double sine(double x)
{
    return bosc_sin(x);
}

static double cosine(double x)
{
    return bosc_cos(x);
}

static double hyperbolic_tangent(double x)
{
    return bosc_tanh(x);
}

static const bosc_formula_function functions[] = {
    {"exp", 1, 1, .one = exponential},
    {"log", 1, 1, .one = logarithm},
    {"log10", 1, 1, .one = logarithm_10},
    {"sqrt", 1, 1, .one = sqrt},
    {"sin", 1, 1, .one = sine},
    {"cos", 1, 1, .one = cosine},
    {"tanh", 1, 1, .one = hyperbolic_tangent},
    {"abs", 1, 1, .one = fabs},
    {"fabs", 1, 1, .one = fabs},
    {"floor", 1, 1, .one = floor},
    {"ceil", 1, 1, .one = ceil},
    {"int", 1, 1, .one = trunc},
    {"float", 1, 1, .one = NULL},
    {"pow", 2, 2, .two = bosc_formula_power},
    {"min", 2, INT_MAX, .two = least},
    {"max", 2, INT_MAX, .two = most},
    {"if", 3, 3, .one = NULL},
};

const bosc_formula_function *bosc_formula_function_at(int i)
{
    return i < (int)BOSC_LEN(functions) ? &functions[i] : NULL;
}

static double add(double a, double b)
{
    return a + b;
}

static double subtract(double a, double b)
{
    return a - b;
}

static double multiply(double a, double b)
{
    return a * b;
}

static double divide(double a, double b)
{
    return a / b;
}

static double less(double a, double b)
{
    return a < b;
}

static double less_equal(double a, double b)
{
    return a <= b;
}

static double greater(double a, double b)
{
    return a > b;
}

static double greater_equal(double a, double b)
{
    return a >= b;
}

static double equal(double a, double b)
{
    return a == b;
}

static double not_equal(double a, double b)
{
    return a != b;
}

static double both(double a, double b)
{
    return a != 0 && b != 0;
}

static double either(double a, double b)
{
    return a != 0 || b != 0;
}

double bosc_formula_negate(double a)
{
    return -a;
}

double bosc_formula_not(double a)
{
    return a == 0;
}

const bosc_formula_operator *bosc_formula_operator_at(int i)
{
    /* of two that begin alike the longer one comes first */
    static const bosc_formula_operator operators[] = {
        {"||", "or", BOSC_FORMULA_OR, either},
        {"&&", "and", BOSC_FORMULA_AND, both},
        {"<=", NULL, BOSC_FORMULA_COMPARISON, less_equal},
        {">=", NULL, BOSC_FORMULA_COMPARISON, greater_equal},
        {"==", NULL, BOSC_FORMULA_COMPARISON, equal},
        {"!=", NULL, BOSC_FORMULA_COMPARISON, not_equal},
        {"<", NULL, BOSC_FORMULA_COMPARISON, less},
        {">", NULL, BOSC_FORMULA_COMPARISON, greater},
        {"+", NULL, BOSC_FORMULA_SUM, add},
        {"-", NULL, BOSC_FORMULA_SUM, subtract},
        {"*", NULL, BOSC_FORMULA_PRODUCT, multiply},
        {"/", NULL, BOSC_FORMULA_PRODUCT, divide},
    };

    return i < (int)BOSC_LEN(operators) ? &operators[i] : NULL;
}
