/* Values of formulas: those of Python for the same text. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/formula/formula.h"
#include "tests/lib/tap.h"

static const char *const names[] = {"x", "distance", "value", "y", "y2"};
static const double values[] = {-1.5, 123.25, 8e-5, 3, 4};

/* 'ulp': units in the last place that the value may be away; 0: not at all. */
static const struct {
    const char *text;
    double value;
    int ulp;
} cases[] = {
    {"2*3+4", 10, 0},
    {"2+3*4", 14, 0},
    {"2-3-4", -5, 0},
    {"12/4/3", 1, 0},
    {"-2^2", -4, 0},
    {"-2**2", -4, 0},
    {"2^-1", 0.5, 0},
    {"2**-1", 0.5, 0},
    {"2^3^2", 512, 0},
    {"2**3**2", 512, 0},
    {"2**-2**2", 0.0625, 0},
    {"-2**-2", -0.25, 0},
    {"(-2)**3", -8, 0},
    {"2*-3", -6, 0},
    {"1 - -1", 2, 0},
    {"1--1", 2, 0},
    {"-+-x", -1.5, 0},
    {"+x", -1.5, 0},
    {" \t1e-3\r\n", 0.001, 0},
    {"5E-1", 0.5, 0},
    {".5", 0.5, 0},
    {"2.", 2, 0},
    {"2.*.5", 1, 0},
    {"x*y+distance", 118.75, 0},
    {"y2-y", 1, 0},
    {"((((y))))", 3, 0},
    /* powers: whole ones are exact where that is possible */
    {"10**-3", 0.001, 0},
    {"10^3", 1000, 0},
    {"7**15", 4747561509943, 0},
    {"x**3", -3.375, 0},
    {"0**0", 1, 0},
    {"2^100", 0x1p100, 2},
    {"3.3**4", 118.59209999999997, 2},
    {"distance**0.5", 11.10180165558726, 2},
    {"distance**5", 28440330552.43457, 2},
    {"pow(2,3)", 8, 0},
    {"pow(y,x)", 0.19245008972987526, 2},
    {"math.pow(distance,-0.37)", 0.168425884461616, 2},
    {"1e-80**-4", HUGE_VAL, 0},
    {"1e-77**-4", 1e308, 200},
    /* functions */
    {"math.exp(1)", 2.718281828459045, 2},
    {"exp(-740)", 4.2e-322, 1},
    {"exp(-746)", 0, 0},
    {"exp(709.5)", 1.3549863193146328e+308, 2},
    {"exp(709)", 8.218407461554972e+307, 2},
    {"exp(708.5)", 4.984716099444166e+307, 2},
    {"exp(710)", HUGE_VAL, 0},
    {"math.exp(x*y)", 0.011108996538242306, 2},
    {"log(distance)", 4.814214812922799, 2},
    {"np.log(1e-300)", -690.7755278982137, 2},
    {"math.log10(distance)", 2.0907869279492677, 2},
    {"sqrt(2)", 1.4142135623730951, 0},
    {"sin(distance)", -0.6652932281277059, 2},
    {"numpy.cos(distance)", -0.7465821593149787, 2},
    {"tanh(x/7)", -0.2110649744411714, 2},
    {"tanh(30)", 1, 0},
    {"abs(x)", 1.5, 0},
    {"np.fabs(x)", 1.5, 0},
    {"floor(x)", -2, 0},
    {"ceil(x)", -1, 0},
    {"int(x)", -1, 0},
    {"int(-x)", 1, 0},
    {"float(x)", -1.5, 0},
    {"min(3, x, y)", -1.5, 0},
    {"max(3, x, y, distance)", 123.25, 0},
    {"pi", 3.141592653589793, 0},
    {"2*math.pi", 6.283185307179586, 0},
    /* conditions */
    {"1 < 2", 1, 0},
    {"2<=1", 0, 0},
    {"2>1", 1, 0},
    {"1>=1", 1, 0},
    {"1==1", 1, 0},
    {"1!=1", 0, 0},
    {"1+1<3*1", 1, 0},
    {"0 || 2", 1, 0},
    {"0 or 0", 0, 0},
    {"2 && 3", 1, 0},
    {"2 and 0", 0, 0},
    {"1 or 0 and 0", 1, 0},
    {"not 3", 0, 0},
    {"not not 3", 1, 0},
    {"not x == y", 1, 0},
    {"!x == 0", 1, 0},
    {"!x==y", 0, 0},
    {"-!0", -1, 0},
    {"(1<2)+(2<3)", 2, 0},
    {"if(x<0, 1, 2)", 1, 0},
    {"if(x>0, 1, 2)", 2, 0},
    {"if(x>0, 1/0, 2)", 2, 0},
    {"1 if x<0 else 2", 1, 0},
    {"1 if x>0 else 2 if y>2 else 3", 2, 0},
    {"1 if x>0 else 2 if y>5 else 3", 3, 0},
    {"(2 if x<0 else 5)*3", 6, 0},
    {"1+1 if (x<0) else 5", 2, 0},
    /* of BluePyOpt */
    {"(-0.8696 + 2.087*math.exp(({distance}-0.0)*0.0031))*{value}",
     0.00017508215780757323, 8},
    {"(1. - (1./(1. + math.exp(({ distance } - 300.)/50.))))*{value}",
     2.266609056483793e-06, 100},
    /* what is not finite is given as it is */
    {"1/0", HUGE_VAL, 0},
    {"-1/0", -HUGE_VAL, 0},
    {"log(0)", -HUGE_VAL, 0},
    {"log(x)", NAN, 0},
    {"sqrt(x)", NAN, 0},
    {"x**0.5", NAN, 0},
    {"0/0", NAN, 0},
    {"min(0/0, 1)", NAN, 0},
    {"min(1, 0/0)", NAN, 0},
    {"max(0/0, 1)", NAN, 0},
    {"max(1, 0/0)", NAN, 0},
    {"exp(0/0)", NAN, 0},
    {"1e308*10", HUGE_VAL, 0},
};

/* Doubles between two that have the same sign. */
static int64_t apart(double a, double b)
{
    int64_t m, n;

    if (a == b || (isnan(a) && isnan(b)))
        return 0;
    if (isnan(a) || isnan(b) || (a < 0) != (b < 0))
        return INT64_MAX;
    memcpy(&m, &a, sizeof m);
    memcpy(&n, &b, sizeof n);
    return m > n ? m - n : n - m;
}

static bosc_formula *parse(const char *text)
{
    bosc_formula *f = NULL;
    bosc_error err = {""};

    if (bosc_formula_parse(text, BOSC_LEN(names), names, &f, &err) != BOSC_OK)
        diag("%s: %s", text, err.text);
    return f;
}

/* The largest distance of a formula of x from f(x), over many x. */
static int64_t worst(const char *text, double from, double to,
                     long double (*f)(long double))
{
    enum { N = 20000 };
    bosc_formula *formula = parse(text);
    int64_t most = 0;

    for (int i = 0; i <= N && formula != NULL; ++i) {
        const double x = from + (to - from) * i / N;
        const int64_t away =
            apart(bosc_formula_eval(formula, &x), (double)f((long double)x));

        most = away > most ? away : most;
    }
    bosc_formula_destroy(formula);
    return formula == NULL ? INT64_MAX : most;
}

static long double root_of_cube(long double x)
{
    return powl(x, 1.5L);
}

static long double fifth(long double x)
{
    return powl(x, 5.0L);
}

static long double under_fourth(long double x)
{
    return 1 / powl(x, 4.0L);
}

static void test_functions(void)
{
    static const struct {
        const char *text;
        double from, to;
        long double (*f)(long double);
    } functions[] = {
        {"exp(x)", -708, 709.78, expl},  {"log(x)", 1e-3, 30, logl},
        {"log10(x)", 1e-3, 3e4, log10l}, {"tanh(x)", 1e-3, 30, tanhl},
        {"sqrt(x)", 0, 1e4, sqrtl},      {"sin(x)", 0.1, 3, sinl},
        {"cos(x)", -1.5, 1.5, cosl},     {"x^1.5", 1e-3, 1e4, root_of_cube},
        {"x^5", 1e-3, 1e4, fifth},       {"x^-4", 1e-3, 1e4, under_fourth},
    };

    for (size_t i = 0; i < BOSC_LEN(functions); ++i) {
        const int64_t away = worst(functions[i].text, functions[i].from,
                                   functions[i].to, functions[i].f);

        if (!ok(away <= 2, "%s is within 2 ulp from %g to %g",
                functions[i].text, functions[i].from, functions[i].to))
            diag("%lld ulp away", (long long)away);
    }
}

static void test_uses(void)
{
    static const char *const same[] = {"a", "pi", "a"};
    static const double given[] = {1, 2, 3};
    bosc_formula *f = parse("if(y > 0, distance, exp(x))");
    bosc_formula *number = NULL, *twice = NULL;

    ok(f != NULL && bosc_formula_uses(f, 0) && bosc_formula_uses(f, 1) &&
           !bosc_formula_uses(f, 2) && bosc_formula_uses(f, 3) &&
           !bosc_formula_uses(f, 4),
       "a formula says which names it uses");
    ok(bosc_formula_parse("2*pi", 0, NULL, &number, NULL) == BOSC_OK &&
           bosc_formula_eval(number, NULL) == 2 * 3.141592653589793,
       "a formula without names needs no values");
    ok(bosc_formula_parse("a + 10*pi", 3, same, &twice, NULL) == BOSC_OK &&
           bosc_formula_eval(twice, given) == 21 &&
           !bosc_formula_uses(twice, 2),
       "the first of two names is meant, and a caller's pi goes before pi");
    bosc_formula_destroy(f);
    bosc_formula_destroy(number);
    bosc_formula_destroy(twice);
    bosc_formula_destroy(NULL);
}

int main(void)
{
    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        bosc_formula *f = parse(cases[i].text);
        const double v = f == NULL ? NAN : bosc_formula_eval(f, values);

        if (!ok(f != NULL && apart(v, cases[i].value) <= cases[i].ulp,
                "'%s' is %.17g",
                cases[i].text[0] == ' ' ? "1e-3" : cases[i].text,
                cases[i].value))
            diag("%.17g", v);
        bosc_formula_destroy(f);
    }
    test_functions();
    test_uses();
    return done_testing();
}
