/* What is refused: each problem has its line, its statement and a remedy, and
 * all problems of a file are found. */
#include <stdlib.h>
#include <string.h>

#include "src/nmodl/nmodl.h"
#include "tests/lib/tap.h"

#define HEAD "NEURON { SUFFIX x NONSPECIFIC_CURRENT i }\n"
#define BODY(text) HEAD "BREAKPOINT {\n" text "\ni = v }\n"

static const struct {
    const char *name, *text, *problem;
} cases[] = {
    {"C code", BODY("VERBATIM\ni = 3;\nj = 4;\nENDVERBATIM"),
     "x.mod:3: 'VERBATIM': 'j' is not declared; declare it as ASSIGNED"},
    {"C code for random numbers",
     BODY("VERBATIM\nx = nrnran123_dblpick(r);\nENDVERBATIM"),
     "there is no function 'nrnran123_dblpick'"},
    {"a return from a loop",
     BODY("FROM k = 0 TO 2 {\nVERBATIM\nreturn 0;\nENDVERBATIM\n}"),
     "a return from a loop"},
    {"RESET", BODY("RESET"),
     "x.mod:3: 'RESET': RESET is not supported; leave it out"},
    {"a return from a WHILE",
     BODY("WHILE (i < 3) {\nVERBATIM\nreturn 0;\nENDVERBATIM\n}"),
     "a return from a loop"},
    {"a file without a mechanism", "NEURON { SUFFIX nothing }",
     "leave the file out"},
    {"a file without NEURON", "PARAMETER { a = 1 }",
     "x.mod: no SUFFIX and no POINT_PROCESS"},
    {"AFTER", HEAD "AFTER STEP { i = v }",
     "there is no moment 'AFTER STEP'; use BEFORE or AFTER INITIAL"},
    {"FUNCTION_TABLE",
     HEAD "FUNCTION_TABLE f(v (mV)) (/ms)\nBREAKPOINT { i = f(v) }",
     "FUNCTION_TABLE is not supported: its values come from NEURON's "
     "interpreter; write it as a FUNCTION"},
    {"LONGITUDINAL_DIFFUSION",
     HEAD "STATE { c }\nKINETIC k { LONGITUDINAL_DIFFUSION 2*v { c } }\n"
          "BREAKPOINT { SOLVE k METHOD sparse }",
     "LONGITUDINAL_DIFFUSION is not supported"},
    {"EXTERNAL",
     "NEURON { SUFFIX x EXTERNAL p NONSPECIFIC_CURRENT i }\n"
     "BREAKPOINT { i = p }",
     "'p' belongs to something else"},
    {"POINTER of an array",
     "NEURON { SUFFIX x POINTER p NONSPECIFIC_CURRENT i }\n"
     "ASSIGNED { p[2] }\nBREAKPOINT { i = p[0] }",
     "'p' belongs to something else"},
    {"runge",
     HEAD "STATE { c }\nDERIVATIVE d { c' = -c }\n"
          "BREAKPOINT { SOLVE d METHOD runge }",
     "the method 'runge' is not supported; use cnexp"},
    {"a name that is not declared", BODY("i = gg"),
     "x.mod:3: 'i = gg': 'gg' is not declared; declare it"},
    {"a mistyped name", HEAD "PARAMETER { gbar = 1 }\nBREAKPOINT { i = gbat }",
     "did you mean 'gbar'?"},
    {"a function of nobody", BODY("i = fun(v)"), "there is no function 'fun'"},
    {"WATCH outside of NET_RECEIVE", BODY("WATCH (v > 3) 1"),
     "WATCH and FOR_NETCONS belong to NET_RECEIVE"},
    {"WATCH of no comparison",
     HEAD "BREAKPOINT { i = v }\nNET_RECEIVE(w) { WATCH (v) 1 }",
     "WATCH of what is no comparison; write it as a > b"},
    {"an equation whose state is chosen at run time",
     HEAD "STATE { c[2] }\nDERIVATIVE d { c[v] = 3 c[0]' = 1 }\n"
          "BREAKPOINT { SOLVE d METHOD cnexp\ni = v }",
     "chosen at run time"},
    {"too many arguments",
     HEAD "FUNCTION f(a) { f = a }\nBREAKPOINT { i = f(1, 2) }",
     "'f' has 1 arguments, not 2"},
    {"an equation of no state",
     HEAD "ASSIGNED { c }\nDERIVATIVE d { c' = -c }\n"
          "BREAKPOINT { SOLVE d METHOD cnexp }",
     "'c' has an equation, and is no state"},
    {"SOLVE of nothing", BODY("SOLVE d METHOD cnexp"),
     "there is no block 'd' to be solved"},
    {"an element of a scalar", BODY("i = v[2]"), "'v' is not an array"},
    {"an ion's variable of another name",
     "NEURON { SUFFIX x USEION ca READ ena }",
     "ion 'ca' has no variable 'ena'"},
    {"a bracket too few", BODY("i = (v"), "stands where ')' is expected"},
    {"a block that does not end", HEAD "BREAKPOINT { i = v", "the file ends"},
    {"a comment that does not end", HEAD "COMMENT x", "there is no ENDCOMMENT"},
    {"code that does not end", HEAD "VERBATIM x", "there is no ENDVERBATIM"},
    {"an operator at the end", BODY("i = v +"), "'=' stands where a statement"},
    {"a file that cannot be included", "INCLUDE \"y.inc\"\n" HEAD,
     "x.mod:1: 'INCLUDE \"y.inc\"': the file 'y.inc' cannot be read"},
    {"a conversion that is not known", HEAD "UNITS { L = (lightyear) (um) }",
     "the conversion of (lightyear) to (um) is not known"},
    {"an endless array", HEAD "ASSIGNED { y[1000000] }",
     "an array has 1 to 100000 elements"},
    {"UTF-16", "\xff\xfeN", "save it as UTF-8"},
};

static bool has(const bosc_nm_result *r, const char *words)
{
    for (int i = 0; i < r->problems.all.n; ++i)
        if (strstr(bosc_nm_problem_text(r->arena, r->problems.all.item[i]),
                   words) != NULL)
            return true;
    return false;
}

static void show(const bosc_nm_result *r)
{
    for (int i = 0; i < r->problems.all.n; ++i)
        diag("%s", bosc_nm_problem_text(r->arena, r->problems.all.item[i]));
}

static bosc_nm_result read_text(const char *text)
{
    bosc_nm_result r;
    bosc_error err;

    if (bosc_nm_translate("x.mod", text, strlen(text), false, &r, &err) !=
        BOSC_OK)
        abort();
    return r;
}

static void test_all_at_once(void)
{
    bosc_nm_result r = read_text(HEAD "UNITS { L = (lightyear) (um) }\n"
                                      "BREAKPOINT {\n"
                                      "RESET\n"
                                      "i = c\n"
                                      "VERBATIM\nx;\nENDVERBATIM\n"
                                      "i = d + e\n"
                                      "}\n");
    int last = 0, sorted = 1;

    for (int i = 0; i < r.problems.all.n; ++i) {
        const bosc_nm_problem *problem = r.problems.all.item[i];

        sorted &= problem->place.line >= last;
        last = problem->place.line;
    }
    if (!ok(r.problems.n_errors == 6, "all problems of a file are found"))
        show(&r);
    ok(sorted, "in the order of its lines");
    bosc_nm_result_clear(&r);

    r = read_text(HEAD "PARAMETER { a = }\n"
                       "BREAKPOINT {\n"
                       "i = a + b RESET\n"
                       "}\n");
    if (!ok(r.problems.n_errors == 2,
            "a block that cannot be read leads to no others"))
        show(&r);
    bosc_nm_result_clear(&r);
}

int main(void)
{
    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        bosc_nm_result r = read_text(cases[i].text);

        if (!ok(!r.accepted && has(&r, cases[i].problem), "refused: %s",
                cases[i].name))
            show(&r);
        bosc_nm_result_clear(&r);
    }
    test_all_at_once();
    return done_testing();
}
