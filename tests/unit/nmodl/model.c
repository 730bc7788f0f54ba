/* What a mod file declares: parameters, states, ions, and which names are
 * whose.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/nmodl/nmodl.h"
#include "tests/lib/tap.h"

#define HEAD "NEURON { SUFFIX x RANGE a GLOBAL b NONSPECIFIC_CURRENT i }\n"

static bosc_nm_result read_text(const char *text)
{
    bosc_nm_result r;
    bosc_error err;

    if (bosc_nm_translate("x.mod", text, strlen(text), false, &r, &err) !=
        BOSC_OK)
        abort();
    return r;
}

static bosc_nm_result read_mod(const char *name)
{
    const char *source = getenv("BOSC_SRC");
    char path[4096];
    bosc_nm_result r;
    bosc_error err;

    snprintf(path, sizeof path, "%s/tests/unit/nmodl/mods/%s",
             source == NULL ? "." : source, name);
    if (bosc_nm_translate_file(path, &r, &err) != BOSC_OK)
        abort();
    for (int i = 0; i < r.problems.all.n; ++i)
        diag("%s", bosc_nm_problem_text(r.arena, r.problems.all.item[i]));
    return r;
}

static void test_hh(void)
{
    bosc_nm_result r = read_mod("hh.mod");
    const bosc_nm_mechanism *m = r.mechanism;

    if (!ok(r.accepted, "hh is accepted"))
        return;

    const bosc_nm_symbol *gnabar = bosc_nm_find(m, "gnabar");
    const bosc_nm_ion *na = m->ions.item[0];

    ok(strcmp(m->name, "hh") == 0 && m->kind == BOSC_NM_SUFFIX,
       "the NEURON block gives name and kind");
    ok(gnabar->kind == BOSC_NM_PARAMETER && gnabar->range &&
           gnabar->value == 0.12 && strcmp(gnabar->unit, "S/cm2") == 0,
       "a parameter has default, unit and RANGE");
    ok(gnabar->has_limits && gnabar->low == 0 && gnabar->high == 1e9,
       "and limits");
    ok(bosc_nm_find(m, "el")->value == -54.3, "a default may be negative");
    ok(bosc_nm_find(m, "m")->kind == BOSC_NM_STATE &&
           bosc_nm_find(m, "minf")->kind == BOSC_NM_VARIABLE,
       "states are not variables");
    ok(m->ions.n == 2 && na->reads_e && na->writes_i && !na->reads_i,
       "an ion has what is read and what is written");
    ok(bosc_nm_find(m, "ena")->ion == na, "its variables are known as such");
    ok(m->reached.n == 5, "what INITIAL and BREAKPOINT need is reached");
    bosc_nm_result_clear(&r);
}

static void test_cad(void)
{
    bosc_nm_result r = read_mod("cad.mod");
    const bosc_nm_mechanism *m = r.mechanism;

    if (!ok(r.accepted, "a KINETIC block is accepted"))
        return;

    const bosc_nm_symbol *cai = bosc_nm_find(m, "cai");

    ok(cai->kind == BOSC_NM_STATE && cai->ion != NULL,
       "a concentration may be a state");
    ok(bosc_nm_find(m, "share")->size == 2,
       "DEFINE gives the size of an array");
    ok(bosc_nm_find(m, "F")->value > 96485.332 &&
           bosc_nm_find(m, "F")->value < 96485.333,
       "UNITS gives the constant of Faraday");
    bosc_nm_result_clear(&r);
}

/* What a single declaration gives. */
static const struct {
    const char *name, *text, *symbol;
    double value;
} values[] = {
    {"defaults have six digits, as NEURON's",
     HEAD "PARAMETER { a = 45.84982656184167 }", "a", 45.8498},
    {"a number without a point", HEAD "PARAMETER { a = 12 (mV) }", "a", 12},
    {"a sign", HEAD "PARAMETER { a = +2e-3 (mV) <0,1> b = -1 }", "a", 2e-3},
    {"kilocoulombs are larger", HEAD "UNITS { F = (faraday) (kilocoulombs) }",
     "F", 96.4853321233100184},
    {"and 10-3 coulombs smaller", HEAD "UNITS { F = (faraday) (10-3 coulomb) }",
     "F", 96485332.1233100184},
    {"the gas constant", HEAD "UNITS { R = (k-mole) (joule/degC) }", "R",
     8.31446261815324},
    {"a number in UNITS", HEAD "UNITS { F = 96480 (coulomb) }", "F", 96480},
    {"CONSTANT", HEAD "CONSTANT { Q = 2.3 (1) }", "Q", 2.3},
    {"DEFINE for a default", HEAD "DEFINE N 3\nPARAMETER { a = N }", "a", 3},
    {"comments end with their line",
     HEAD "PARAMETER { ? b = 1\n: b = 2\n b = 3 }", "b", 3},
    {"and so does CR", HEAD "PARAMETER { : b = 2\r b = 3\r }", "b", 3},
};

/* Files that hold something uncommon, and are accepted nevertheless. */
static const struct {
    const char *name, *text;
} accepted[] = {
    {"an empty mechanism", "NEURON { SUFFIX x }"},
    {"units after numbers and calls",
     HEAD "FUNCTION f(u(mV)) (/ms) { f = 0.1(/ms) * exp(-u/10(mV)) }\n"
          "BREAKPOINT { i = f(v + 2 (mV)) * (1 + 3(1/mV)*v) }"},
    {"lower-case keywords",
     HEAD "BREAKPOINT { if (v > 0) { i = 1 } else { i = 2 } }"},
    {"a chain of conditions",
     HEAD "BREAKPOINT { IF (v > 9) { i = 1 } ELSE IF (v < 3) { i = 2 } ELSE { "
          "i = 3 } }"},
    {"a power of a negative number", HEAD "BREAKPOINT { i = v^-2 - -v }"},
    {"loops over arrays",
     HEAD "ASSIGNED { y[3] }\nBREAKPOINT { LOCAL s\ns = 0\nFROM k = 0 TO 2 { "
          "y[k] = k * v s = s + y[k] }\ni = s }"},
    {"'return 0;' at the end",
     HEAD "PROCEDURE p() { i = v\nVERBATIM\nreturn 0; /* done */\nENDVERBATIM "
          "}\nBREAKPOINT { p() }"},
    {"code that copies an ion's variable",
     "NEURON { SUFFIX x USEION ca READ cai WRITE ica }\nINITIAL {\nVERBATIM\n"
     "  cai = _ion_cai; /* as it is */\nENDVERBATIM\n}\n"
     "BREAKPOINT { ica = v }"},
    {"C code that nothing uses",
     HEAD "VERBATIM\n#include <stdlib.h>\nENDVERBATIM\nPROCEDURE tool() "
          "{\nVERBATIM\nhoc_execute();\nENDVERBATIM\n}\nBREAKPOINT { i = v }"},
    {"old words",
     HEAD "INDEPENDENT {t FROM 0 TO 1 WITH 1 (ms)}\nUNITSOFF\nBREAKPOINT { i "
          "= v }\nUNITSON\n"},
    {"terms of ontologies",
     "NEURON { SUFFIX x REPRESENTS NCIT:C17145\nNONSPECIFIC_CURRENT i }\n"
     "BREAKPOINT { i = v }"},
    {"COMMENT and TITLE",
     "TITLE a { b\nCOMMENT\n} NEURON { ENDCOMMENTS\nENDCOMMENT\n" HEAD},
    {"a function that reads its own result",
     HEAD "FUNCTION f(x) { f = x f = f * 2 }\nBREAKPOINT { i = f(v) }"},
    {"NEURON's own functions",
     "NEURON { SUFFIX x USEION ca READ cai, cao WRITE ica RANGE p }\n"
     "PARAMETER { p = 1 del = 3 }\n"
     "BREAKPOINT { at_time(del) ica = p * ghk(v, cai, cao, 2) + v - "
     "nernst(cai, cao, 2) }"},
    {"a factor for temperature that INITIAL computes",
     HEAD "ASSIGNED { q }\nINITIAL { q = 3^((celsius - 20) / 10) }\n"
          "BREAKPOINT { i = q * v }"},
    {"C that changes nothing",
     HEAD "INITIAL {\nVERBATIM\nif (cvode_active_) { /* a; */\n"
          "hoc_execerror(\"a\", 0);\n}\nprintf(\"%g\", t);\n"
          "FILE *out;\nout=fopen(name, \"a\");\nfprintf(out, \"x\");\n"
          "fclose(out);\nreturn 0;\n"
          "ENDVERBATIM\n}\nBREAKPOINT { i = v }"},
    {"a return in the middle",
     HEAD "BREAKPOINT {\nIF (v > 0) {\nVERBATIM\nreturn 0;\nENDVERBATIM\n}\n"
          "i = v }"},
    {"weights with an INITIAL",
     "NEURON { POINT_PROCESS x NONSPECIFIC_CURRENT i }\nASSIGNED { s }\n"
     "BREAKPOINT { i = s * v }\n"
     "NET_RECEIVE(w, u (ms)) { INITIAL { u = 0 } s = s + w * u }"},
};

/* Which form the text of a mechanism gets. */
static const struct {
    const char *name, *text;
    bosc_nm_form form;
} forms[] = {
    {"a leak is static",
     HEAD "PARAMETER { a = 0.001 b = -65 }\nBREAKPOINT { i = a * (v - b) }",
     BOSC_NM_STATIC},
    {"a current that is not linear in v is not",
     HEAD "PARAMETER { a = 0.001 }\nBREAKPOINT { i = a * v * v }",
     BOSC_NM_FULL},
    {"nor one that changes at some voltage",
     HEAD "PARAMETER { a = 1 }\nBREAKPOINT { IF (v > 0) { i = a * v } ELSE { "
          "i = v } }",
     BOSC_NM_FULL},
    {"nor one with a state, which is plain",
     HEAD "PARAMETER { a = 1 }\nSTATE { m }\nDERIVATIVE d { m' = -m / a }\n"
          "BREAKPOINT { SOLVE d METHOD cnexp\n i = m * v }",
     BOSC_NM_PLAIN},
    {"ions need the full one",
     "NEURON { SUFFIX x USEION k READ ek WRITE ik RANGE a }\n"
     "PARAMETER { a = 1 }\nBREAKPOINT { ik = a * (v - ek) }",
     BOSC_NM_FULL},
    {"and so does time", HEAD "PARAMETER { a = 1 }\nBREAKPOINT { i = a * t }",
     BOSC_NM_FULL},
};

int main(void)
{
    for (size_t i = 0; i < BOSC_LEN(forms); ++i) {
        bosc_nm_result r = read_text(forms[i].text);

        ok(r.accepted && r.program->form == forms[i].form, "%s", forms[i].name);
        bosc_nm_result_clear(&r);
    }
    test_hh();
    test_cad();
    for (size_t i = 0; i < BOSC_LEN(values); ++i) {
        bosc_nm_result r = read_text(values[i].text);
        const bosc_nm_symbol *s = bosc_nm_find(r.mechanism, values[i].symbol);

        ok(s != NULL && s->has_value && s->value == values[i].value, "%s",
           values[i].name);
        if (s != NULL && s->value != values[i].value)
            diag("it is %.17g", s->value);
        bosc_nm_result_clear(&r);
    }
    for (size_t i = 0; i < BOSC_LEN(accepted); ++i) {
        bosc_nm_result r = read_text(accepted[i].text);

        ok(r.accepted, "accepted: %s", accepted[i].name);
        for (int k = 0; k < r.problems.all.n; ++k)
            diag("%s", bosc_nm_problem_text(r.arena, r.problems.all.item[k]));
        bosc_nm_result_clear(&r);
    }
    return done_testing();
}
